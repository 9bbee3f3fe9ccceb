"""Habits of today's servers: slow, loading, with another name of the model, or an answer in other fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fingertip_dataset.errors import EndpointError, ModelError
from fingertip_models import Cached, ChatClient, Message, ModelOptions
from fingertip_models.chat import chat_answer, chat_client
from fingertip_models.chat.body_text import decode_body
from fingertip_models.chat.chat_failures import find_unready
from fingertip_models.chat.preflight import find_only_model, is_same_model
from tests.vectors import read_vectors

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

VECTORS = read_vectors(__file__)
QUESTION = (Message(role="user", text="点什么？"),)


@contextmanager
def asking(
    server: OpenAIServer,
    *,
    preflight: bool = False,
    **options: Any,  # noqa: ANN401 - those of ModelOptions
) -> Iterator[tuple[ChatClient, list[str]]]:
    """A client of the server and what it notes."""
    notes: list[str] = []
    chosen = ModelOptions(**{"base_url": server.base_url, "model": "tiny", **options})
    with ChatClient(chosen, backoff_s=0.01, on_note=notes.append, preflight=preflight) as client:
        yield client, notes


def slow_model(server: OpenAIServer) -> Callable[[ReceivedRequest], Reply]:
    """A model that takes 0.7 s for a stream of pieces, and does not end when its answer is wanted whole."""
    stream = replace(server.streams(*({"content": letter} for letter in "打开微信看消息")), apart_s=0.07)

    def reply(query: ReceivedRequest) -> Reply:
        return stream if query.body.get("stream") else server.Reply(ending="stall")

    return reply


def test_a_slow_stream_is_not_cut_while_tokens_come(openai_server: OpenAIServer) -> None:
    openai_server.replies = slow_model(openai_server)
    with asking(openai_server, timeout_s=0.4, stream=True) as (client, _):
        answer = client.ask(QUESTION)
    assert answer.text == "打开微信看消息"
    assert answer.seconds > 0.4


def test_a_slow_model_is_asked_for_a_stream_after_one_that_was_not_whole(openai_server: OpenAIServer) -> None:
    openai_server.replies = slow_model(openai_server)
    with asking(openai_server, timeout_s=0.4) as (client, _):
        first, second = client.ask(QUESTION), client.ask(QUESTION)
    assert first.text == second.text == "打开微信看消息"
    assert first.attempts > 1
    sent = [query.body.get("stream", False) for query in openai_server.requests]
    assert sent == [False, *[True] * (len(sent) - 1)]


@pytest.mark.parametrize("stream", [False, True])
def test_a_timeout_names_both_options(openai_server: OpenAIServer, stream: bool) -> None:
    openai_server.play(openai_server.Reply(ending="stall"))
    with (
        asking(openai_server, timeout_s=0.1, retries=0, stream=stream) as (client, _),
        pytest.raises(ModelError, match=r"nothing whole within 0.1 s \(") as caught,
    ):
        client.ask(QUESTION)
    assert "--timeout" in str(caught.value)
    assert "--stream" in str(caught.value)


def test_a_server_that_is_slow_and_does_not_stream_is_named_with_the_option(
    openai_server: OpenAIServer,
) -> None:
    refusal = openai_server.Reply(status=400, body={"error": "streaming is not supported"})
    openai_server.play(openai_server.Reply(ending="stall"), refusal)
    with (
        asking(openai_server, timeout_s=0.2, retries=3) as (client, _),
        pytest.raises(ModelError, match=r"within 0.2 s: give a longer --timeout\)$"),
    ):
        client.ask(QUESTION)
    assert len(openai_server.requests) == 2


def loading(server: OpenAIServer, body: object, times: int) -> Callable[[ReceivedRequest], Reply]:
    refusal = server.Reply(status=503, body=body)
    return lambda query: refusal if query.number < times else server.says("好")


LLAMA = {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}


@pytest.mark.parametrize("body", [LLAMA, b"", b"<html>503 Service Unavailable</html>"])
def test_a_server_that_loads_its_model_is_waited_for_before_the_run(
    openai_server: OpenAIServer, body: object
) -> None:
    openai_server.small_replies = loading(openai_server, body, 8)
    with asking(openai_server, preflight=True) as (client, notes):
        assert client.ask(QUESTION).attempts == 1
    assert len(openai_server.small_requests) == 9
    waiting = [note for note in notes if "is not ready (status 503" in note]
    assert len(waiting) == 1
    assert "waiting until it is, at most 600 s" in waiting[0]


def test_a_server_that_loads_another_model_within_a_run_is_waited_for(openai_server: OpenAIServer) -> None:
    openai_server.replies = loading(openai_server, LLAMA, 8)
    with asking(openai_server, retries=1) as (client, notes):
        answer = client.ask(QUESTION)
    assert (answer.text, answer.attempts, len(notes)) == ("好", 1, 1)


def test_the_list_of_models_is_read_once_the_model_is_loaded(openai_server: OpenAIServer) -> None:
    replies = iter([openai_server.Reply(status=503, body=LLAMA)] * 3)
    listed = openai_server.Reply(body={"data": [{"id": "big"}, {"id": "other"}]})
    openai_server.models = lambda: next(replies, listed)
    with (
        asking(openai_server, preflight=True) as (client, _),
        pytest.raises(EndpointError, match="no model tiny in its list, which has big, other"),
    ):
        client.ask(QUESTION)


def test_a_server_that_loads_for_too_long_is_one_line(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat_client, "LOADING_S", 0.1)
    openai_server.small_replies = loading(openai_server, LLAMA, 10**6)
    with (
        asking(openai_server, preflight=True) as (client, _),
        pytest.raises(EndpointError, match="status 503: Loading model; so it was for 0 s") as caught,
    ):
        client.ask(QUESTION)
    assert "attempts" not in str(caught.value)


@pytest.mark.parametrize(("status", "body", "unready"), VECTORS["unready"])
def test_what_servers_say_while_they_load(status: int, body: str, unready: str) -> None:
    assert find_unready(status, body) == unready


def test_the_only_model_of_a_server_is_taken_and_said(openai_server: OpenAIServer) -> None:
    path = "/models/SmolLM2-135M-Instruct-Q4_1.gguf"
    openai_server.models = openai_server.Reply(body={"object": "list", "data": [{"id": path}]})
    with asking(openai_server, model="smol", preflight=True) as (client, notes):
        client.ask(QUESTION)
        assert client.settings()["model"] == "smol"
    assert {query.body["model"] for query in openai_server.requests + openai_server.small_requests} == {path}
    (note,) = [note for note in notes if "has no model" in note]
    assert f"has no model smol, but only {path}: that one is asked" in note


@pytest.mark.parametrize(("listed", "requested", "only"), VECTORS["only_model"])
def test_lists_of_one_model(listed: object, requested: str, only: str | None) -> None:
    assert find_only_model(json.dumps(listed).encode(), requested) == only


def test_another_model_in_the_answer_is_said_once(openai_server: OpenAIServer) -> None:
    with asking(openai_server, model="qwen3-vl-8b") as (client, notes):
        assert [client.ask(QUESTION).model for _ in range(3)] == ["tiny-1"] * 3
    (note,) = notes
    assert "answers as the model tiny-1, not as qwen3-vl-8b" in note


@pytest.mark.parametrize(("requested", "answered", "same"), VECTORS["same_model"])
def test_names_of_the_same_model(requested: str, answered: str, same: bool) -> None:
    assert is_same_model(requested, answered) is same


@pytest.mark.parametrize(("content", "text"), VECTORS["contents"])
@pytest.mark.parametrize("streamed", [False, True])
def test_content_that_is_no_string_is_read(
    openai_server: OpenAIServer, content: object, text: str, streamed: bool
) -> None:
    reply = openai_server.streams({"content": content}) if streamed else openai_server.says(content)
    openai_server.play(reply)
    with asking(openai_server, retries=0) as (client, _):
        assert client.ask(QUESTION).text == text


BODY = json.dumps(
    {"choices": [{"message": {"content": "打开微信"}, "finish_reason": "stop"}]}, ensure_ascii=False
)


@pytest.mark.parametrize(
    ("encoding", "kind", "streamed"),
    [
        *((encoding, kind, False) for encoding, kind in VECTORS["encodings"]),
        # events are lines, which UTF-16 has not
        *((encoding, kind, True) for encoding, kind in VECTORS["encodings"] if "16" not in encoding),
    ],
)
def test_an_answer_in_another_encoding_is_read(
    openai_server: OpenAIServer, encoding: str, kind: str, streamed: bool
) -> None:
    body = BODY.replace('"message"', '"delta"') if streamed else BODY
    text = f"data: {body}\n\ndata: [DONE]\n\n" if streamed else body
    kind = kind.replace("application/json", "text/event-stream") if streamed else kind
    openai_server.play(openai_server.Reply(body=text.encode(encoding), headers={"content-type": kind}))
    with asking(openai_server, retries=0) as (client, _):
        assert client.ask(QUESTION).text == "打开微信"


def test_an_error_in_another_encoding_is_read(openai_server: OpenAIServer) -> None:
    body = '{"error": {"message": "模型不存在"}}'.encode("gbk")
    kind = {"content-type": "application/json; charset=GB2312"}
    openai_server.play(openai_server.Reply(status=404, body=body, headers=kind))
    with asking(openai_server) as (client, _), pytest.raises(ModelError, match="status 404: 模型不存在"):
        client.ask(QUESTION)


CALL = {"action": "click", "coordinate": [447, 81]}
TEXT = '<tool_call>\n{"name": "mobile_use", "arguments": ' + json.dumps(CALL) + "}\n</tool_call>"


def call_deltas() -> list[Mapping[str, object]]:
    """The deltas of a call as servers stream them: its name first, then its arguments in pieces."""
    first = {"index": 0, "id": "1", "type": "function", "function": {"name": "mobile_use", "arguments": ""}}
    pieces = [json.dumps(CALL)[at : at + 9] for at in range(0, len(json.dumps(CALL)), 9)]
    rest = [{"index": 0, "function": {"arguments": piece}} for piece in pieces]
    return [{"role": "assistant", "content": None, "tool_calls": [one]} for one in (first, *rest)]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_call_in_its_own_field_is_the_text_and_the_option_is_said_once(
    openai_server: OpenAIServer, streamed: bool, tmp_path: Path
) -> None:
    whole = [{"type": "function", "function": {"name": "mobile_use", "arguments": json.dumps(CALL)}}]
    reply = openai_server.streams(*call_deltas()) if streamed else openai_server.says(None, tool_calls=whole)
    openai_server.play(reply)
    with asking(openai_server, stream=streamed) as (client, notes):
        model = Cached(client, tmp_path / "cache.jsonl")
        answers = [model.ask(QUESTION), model.ask(QUESTION), client.ask(QUESTION)]
        model.close()
    assert [(answer.text, answer.cached) for answer in answers] == [
        (TEXT, False),
        (TEXT, True),
        (TEXT, False),
    ]
    assert {answer.notes for answer in answers} == {(chat_answer.CALLS_IN_FIELD,)}
    assert notes == [f"tiny at {openai_server.base_url}: {chat_answer.CALLS_IN_FIELD}"]


@pytest.mark.parametrize("streamed", [False, True])
def test_an_answer_in_the_reasoning_is_said_with_the_options(
    openai_server: OpenAIServer, streamed: bool
) -> None:
    message = {"content": None, "reasoning_content": "打开微信"}
    reply = (
        openai_server.streams(message) if streamed else openai_server.says(None, reasoning_content="打开微信")
    )
    openai_server.play(reply)
    with asking(openai_server, stream=streamed) as (client, notes):
        answer = client.ask(QUESTION)
    assert (answer.text, answer.reasoning) == ("", "打开微信")
    assert "start the server without its parser of reasoning" in notes[0]
    assert "enable_thinking" in notes[0]


@pytest.mark.parametrize(
    ("text", "encoding", "read"),
    [
        ("打开微信，给妈妈发消息", "gbk", "打开微信，给妈妈发消息"),
        ("打开喆的微信，给妈妈发消息", "gb18030", "打开喆的微信，给妈妈发消息"),
        ("fähig über Ägypten", "latin-1", "f\ufffdhig \ufffdber \ufffdgypten"),
        ("José García, niño", "latin-1", "Jos\ufffd Garc\ufffda, ni\ufffdo"),
    ],
)
def test_chinese_without_a_charset_is_read(text: str, encoding: str, read: str) -> None:
    body = f'{{"choices": [{{"message": {{"content": "{text}"}}}}]}}'.encode(encoding)
    assert json.loads(decode_body(body, "application/json"))["choices"][0]["message"]["content"] == read
