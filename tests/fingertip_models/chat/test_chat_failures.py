"""What a server says when it does not answer, and whether asking again can help."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_models.chat.chat_failures import (
    Failure,
    add_advice,
    find_first_cause,
    make_connection_failure,
    make_refusal,
    read_body,
    read_error_text,
    retry_after,
)
from fingertip_models.options import ModelOptions
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


NOW = datetime(2025, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_transient_statuses_are_retried(status: int) -> None:
    assert make_refusal(status, "", {}, NOW).again


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (
            500,
            "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        ),
        (400, "smollm2 is not a multimodal model"),
        (404, "No endpoints found that support image input"),
        (400, "Failed to deserialize: messages[1]: unknown variant `image_url`, expected `text`"),
        (500, "this model does not support images"),
    ],
)
def test_a_model_that_takes_no_pictures_is_not_asked_again(status: int, text: str) -> None:
    failure = make_refusal(status, json.dumps({"error": {"message": text}}), {}, NOW)
    assert not failure.again
    assert failure.message.endswith("(this model takes no pictures: name one that sees them, or send none)")


@pytest.mark.parametrize("status", [300, 400, 401, 403, 404, 405, 413, 422])
def test_permanent_statuses_are_not_retried(status: int) -> None:
    failure = make_refusal(status, "", {"retry-after": "1"}, NOW)
    assert (failure.again, failure.wait_s) == (False, None)


@pytest.mark.parametrize(("headers", "seconds"), VECTORS["retry_after_in_seconds_and_milliseconds"])
def test_retry_after_in_seconds_and_milliseconds(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


@given(st.datetimes(min_value=datetime(1970, 1, 1), timezones=st.just(UTC)))
def test_retry_after_as_a_date(date: datetime) -> None:
    date = date.replace(microsecond=0)
    seconds = retry_after({"retry-after": format_datetime(date, usegmt=True)}, NOW)
    assert seconds == max(0, (date - NOW).total_seconds())


@given(st.text())
def test_any_header_is_accepted(text: str) -> None:
    seconds = retry_after({"retry-after": text, "retry-after-ms": text}, NOW)
    assert seconds is None or seconds >= 0


def test_a_quota_that_is_used_up_is_not_retried() -> None:
    body = '{"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}'
    assert not make_refusal(429, body, {}, NOW).again


def test_a_wait_of_a_day_is_not_retried() -> None:
    failure = make_refusal(429, "quota", {"retry-after": "86400"}, NOW)
    assert not failure.again
    assert failure.message == "status 429: quota; it asks to wait 86400 s, too long"


@pytest.mark.parametrize(
    ("body", "reply"),
    [
        *VECTORS["error_text_of_server_responses"],
        ("[" * 100_000, "[" * 297 + "..."),
    ],
)
def test_error_text_of_server_responses(body: str, reply: str) -> None:
    assert read_error_text(body) == reply


@pytest.mark.parametrize(
    ("content", "message", "again"),
    [
        (b"<html>hello</html>", "no JSON: <html>hello</html> (does the base URL end in /v1?)", False),
        (b'{"choices": [', 'JSON that breaks off: {"choices": [', True),
        (b"", "no JSON: nothing", False),
        (b"[" * 100_000, "no JSON: [[", False),
        (b'{"usage": ' + b"9" * 5000 + b"}", "no JSON: ", False),
        (b"[]", "no chat completion: []", False),
        (b"{}", "no chat completion: {}", False),
        (b"null", "no chat completion: null", False),
        (b'{"choices": []}', 'no chat completion: {"choices": []}', True),
        (b'{"choices": null}', 'no chat completion: {"choices": null}', True),
        (b'{"choices": [], "error": {"message": "who?", "code": 401}}', "no chat completion: who?", False),
        (b'{"choices": [], "error": {"message": "busy", "code": 503}}', "no chat completion: busy", True),
        (b'{"error": {"message": "busy", "code": 429}}', "no chat completion: busy", True),
        (b'{"error": {"message": "who?", "code": 401}}', "no chat completion: who?", False),
        (b'{"object": "error", "message": "too long"}', "no chat completion: too long", False),
    ],
)
def test_a_body_that_is_no_completion(content: bytes, message: str, again: bool) -> None:
    with pytest.raises(Failure) as caught:
        read_body(content)
    assert caught.value.message.startswith(message)
    assert caught.value.again is again


def test_a_truncated_utf8_character_does_not_lose_the_answer() -> None:
    body = json.dumps({"choices": [{"text": "好"}]}, ensure_ascii=False)
    cut = body.encode().replace("好".encode(), b"\xe5\xa5")
    assert read_body(cut) == {"choices": [{"text": "\ufffd"}]}


def test_causes_that_lead_back_are_named_once() -> None:
    """So they are raised by the lowest versions of anyio and httpx."""
    low, high = OSError("no route"), RuntimeError("not connected")
    high.__cause__, low.__context__ = low, high
    assert find_first_cause(high) == "OSError: no route"


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("http://h:8000", True),
        ("http://h:8000/api", True),
        ("http://h:8000/v1", False),
        ("http://h/v4", False),
    ],
)
def test_a_path_that_a_server_does_not_have_may_lack_its_version(url: str, hint: bool) -> None:
    failure = make_refusal(404, "404: Not Found", {}, NOW)
    assert failure.message == "status 404: Not Found"
    options = ModelOptions(base_url=url, model="m")
    printed = add_advice(failure, 404, "404: Not Found", options).message
    assert ("does the base URL end in /v1?" in printed) == hint


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ConnectionRefusedError(111, "Connect call failed ('127.0.0.1', 9)"), "connection refused"),
        (OSError(-2, "Name or service not known"), "name or service not known"),
    ],
)
def test_a_connection_that_fails_is_told_in_the_words_of_the_system(error: OSError, words: str) -> None:
    failure = make_connection_failure(error, "http://h/v1")
    assert failure.message == f"a connection error, {words}"
