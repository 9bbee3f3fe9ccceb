"""A server that repeats the key: no answer, error, note or file has it, in any common encoding."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import ModelError, UsageError
from fingertip_models import Cached, ChatClient, Message, ModelOptions
from fingertip_models.chat.key_mask import MASK, KeyMask
from tests.examples import examples

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply

KEY = "sk-Test_KEY+/0123456789abcdefXYZ"
QUESTION = [Message(role="user", text="点什么？")]
FORMS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "upper case": str.upper,
    "bearer": lambda key: f"Bearer {key}",
    "url": lambda key: quote(key, safe=""),
    "url, all": lambda key: "".join(f"%{ord(letter):02X}" for letter in key),
    "form": quote_plus,
    "json": lambda key: "".join(f"\\u{ord(letter):04x}" for letter in key),
    "json twice": lambda key: "".join(f"\\\\u{ord(letter):04x}" for letter in key),
    "html": lambda key: "".join(f"&#{ord(letter)};" for letter in key),
    "html, hexadecimal": lambda key: "".join(f"&#x{ord(letter):X};" for letter in key),
    "hexadecimal": lambda key: key.encode().hex(),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64, after 1": lambda key: base64.b64encode(f":{key}".encode()).decode(),
    "base64, after 2": lambda key: base64.b64encode(f"a:{key}\n".encode()).decode(),
    "base64, url": lambda key: base64.urlsafe_b64encode(f"用户:{key}".encode()).decode(),
    "base64, lines": lambda key: base64.encodebytes((" " * 60 + key).encode()).decode(),
    "spaced": " ".join,
    "lines": "\n".join,
    "invisible": "\u200b".join,
    "soft hyphens": "\u00ad".join,
    "joiners": "\u034f".join,
    "variation selectors": "\ufe0f".join,
    "full width": lambda key: "".join(chr(ord(letter) + 0xFEE0) for letter in key),
}


CODES = [form(KEY) for name, form in FORMS.items() if name != "base64, lines"]


def traces(text: str) -> list[str]:
    """What of the key a text still has: any run of 8 characters of it or of its encodings."""
    found = []
    for encoded in (KEY, KEY.upper(), KEY.encode().hex(), *CODES):
        core = encoded[6:-6]  # at its ends base64 has bits of its neighbours
        found += [core[i : i + 8] for i in range(len(core) - 7) if core[i : i + 8] in text]
    return [run for run in found if run.strip("*\n =\u200b") and len(set(run)) > 3]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.mark.parametrize("form", FORMS)
def test_each_form_of_the_key_is_masked(form: str) -> None:
    masked = KeyMask(KEY)(f"before {FORMS[form](KEY)} after")
    assert MASK in masked
    assert traces(masked) == []
    assert masked.startswith("before ")
    assert masked.endswith(" after")


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_that_repeats_the_key_is_masked_everywhere(
    openai_server: OpenAIServer, tmp_path: Path, stream: bool
) -> None:
    def reply(query: ReceivedRequest) -> Reply:
        repeated = FORMS[query.text](KEY)
        text, reasoning = f"打开{repeated}微信", f"想{repeated}"
        if not stream:
            return openai_server.says(text, reasoning_content=reasoning)
        # the key is split over chunks, by one character each
        thoughts: list[dict[str, object]] = [{"reasoning_content": letter} for letter in reasoning]
        return openai_server.streams(*thoughts, *({"content": letter} for letter in text))

    openai_server.replies = reply
    file = tmp_path / "answers.jsonl"
    options = ModelOptions(base_url=openai_server.base_url, model="m", stream=stream)
    with closing(Cached(ChatClient(options), file)) as cached:
        for form in FORMS:
            question = [Message(role="user", text=form)]
            answer = cached.ask(question)
            again = cached.ask(question)
            assert again.cached
            kept = file.read_text("utf-8").splitlines()[-1]
            for part in (answer.text, answer.reasoning, again.text, kept):
                assert traces(part) == []
                assert MASK in part
            assert answer.text.startswith("打开")
            assert answer.text.endswith("微信")


def test_names_that_a_server_chooses_are_masked(openai_server: OpenAIServer) -> None:
    reply = openai_server.says("好")
    reply.body["model"] = reply.body["choices"][0]["finish_reason"] = KEY
    openai_server.play(reply)
    with ChatClient(ModelOptions(base_url=openai_server.base_url, model="m")) as client:
        answer = client.ask(QUESTION)
    assert (answer.model, answer.finish_reason) == (MASK, MASK)


SHAPES: list[Callable[[OpenAIServer, str], Reply]] = [
    lambda server, text: server.Reply(status=400, body={"error": {"message": text}}),
    lambda server, text: server.Reply(status=401, body=text.encode()),
    lambda server, text: server.Reply(status=503, body=text.encode()),
    lambda server, text: server.Reply(body=text.encode()),
    lambda server, text: server.Reply(body={"choices": [], "error": {"message": text}}),
    lambda server, text: server.Reply(body=f"data: {text}\n\n".encode()),
    lambda server, text: server.Reply(body=b"data: " + json.dumps({"error": text}).encode() + b"\n\n"),
    lambda server, text: server.Reply(status=307, headers={"location": f"http://x/{text}"}),
    lambda server, text: server.Reply(headers={"content-encoding": f"gzip, {text}"}),
]


@pytest.mark.parametrize("stream", [False, True])
def test_no_error_or_note_has_the_key_not_even_its_beginning(
    openai_server: OpenAIServer, stream: bool
) -> None:
    """A message is cut at 200 or 300 characters, which may be within the key."""
    notes: list[str] = []
    options = ModelOptions(base_url=openai_server.base_url, model="m", stream=stream, retries=1)
    with ChatClient(options, backoff_s=0.001, on_retry=notes.append) as client:
        for shape in SHAPES:
            for start in (0, 180, 295):
                reply = shape(openai_server, "x" * start + KEY)
                openai_server.replies = lambda query, reply=reply: reply  # type: ignore[misc]
                with pytest.raises(ModelError) as caught:
                    client.ask(QUESTION)
                assert KEY[:8] not in str(caught.value)
                assert str(caught.value).isprintable()
    assert KEY[:8] not in "".join(notes)
    assert notes


def test_a_proxy_with_the_key_is_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", f"gopher://someone:{KEY}@127.0.0.1:1")
    with pytest.raises(UsageError, match="the base URL or a proxy cannot be used") as caught:
        ChatClient(ModelOptions(model="m", base_url="http://192.0.2.1/v1"))
    assert KEY not in str(caught.value)


@given(st.text(string.printable, max_size=200), st.integers(0, 2**32))
@settings(max_examples=examples(60))
def test_texts_without_the_key_stay_as_they_are(text: str, seed: int) -> None:
    random_key = "".join(random.Random(seed).choices(string.ascii_letters + string.digits, k=32))  # noqa: S311
    assert KeyMask(random_key)(text) == text


@given(st.text(string.ascii_letters + string.digits + "-_.~+/=", min_size=8, max_size=80), st.text())
@settings(max_examples=examples(60))
def test_any_key_is_masked_in_any_text(key: str, around: str) -> None:
    masked = KeyMask(key)(f"{around}|{key}|{around}")
    assert key not in masked.replace(around, "") or key in around
