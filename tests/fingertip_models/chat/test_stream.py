"""Streamed answers: put together whole or not at all, and asked for only where they are wanted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import ModelError, UsageError
from fingertip_models.batch_files import BatchModel
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.chat.chat_failures import Failure
from fingertip_models.chat.stream import Assembly
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions
from fingertip_models.responses import Cached
from tests.shared_fixtures import OpenAIServer

MakeClient = Callable[..., ChatClient]

QUESTION = (Message(role="system", text="你是助手"), Message(role="user", text="点什么？"))
STREAM = OpenAIServer.streams(
    {"reasoning_content": "想\u2028一"}, {"content": "打开"}, {"content": "微信"}
).content


@pytest.fixture
def streaming(client: MakeClient) -> Callable[..., ChatClient]:
    return lambda **options: client(**{"model": "qvq-max", "stream": True, **options})


def whole(content: bytes) -> Mapping[str, object]:
    assembly = Assembly()
    assembly.feed(content)
    return assembly.body()


def test_a_model_that_streams_only_and_takes_no_system_message(
    openai_server: OpenAIServer, streaming: MakeClient
) -> None:
    openai_server.replies = openai_server.qvq_max
    answer = streaming(system_role="merge").ask(QUESTION)
    assert (answer.text, answer.reasoning) == ("打开QQ音乐，听歌", "早上八点")
    assert (answer.prompt_tokens, answer.completion_tokens, answer.finish_reason) == (700, 20, "stop")
    assert answer.first_token_s is not None
    assert 0 < answer.first_token_s <= answer.seconds
    assert openai_server.requests[0].body["messages"] == [{"role": "user", "content": "你是助手\n\n点什么？"}]


def test_a_broken_stream_is_retried_and_never_half_an_answer(
    openai_server: OpenAIServer, streaming: MakeClient
) -> None:
    half = STREAM[: STREAM.index("微信".encode())]
    event = {"content-type": "text/event-stream"}
    busy = b'data: {"error": {"code": 503, "message": "busy"}}\n\n'
    bad = [
        openai_server.Reply(body=STREAM, headers=event, ending="cut"),
        openai_server.Reply(body=half, headers=event),  # ends properly, in the middle
        openai_server.Reply(body=half.rpartition(b"data:")[0] + busy, headers=event),
        openai_server.Reply(ending="drop"),
        openai_server.Reply(status=429, headers={"retry-after-ms": "1"}),
    ]
    openai_server.play(*bad, openai_server.Reply(body=STREAM, headers=event))
    answer = streaming().ask(QUESTION)
    assert (answer.text, answer.reasoning, answer.attempts) == ("打开微信", "想\u2028一", 6)
    openai_server.requests.clear()
    openai_server.play(bad[1])
    with pytest.raises(ModelError, match="a stream that ended before its answer did after 2 attempts"):
        streaming(retries=1).ask(QUESTION)


@pytest.mark.parametrize("ending", ["stall", "dribble"])
def test_a_stalled_stream_times_out(openai_server: OpenAIServer, streaming: MakeClient, ending: str) -> None:
    openai_server.play(openai_server.Reply(ending=ending), openai_server.streams({"content": "好"}))
    answer = streaming(timeout_s=0.5).ask(QUESTION)
    assert (answer.text, answer.attempts) == ("好", 2)


def test_a_server_that_does_not_stream_is_read(openai_server: OpenAIServer, streaming: MakeClient) -> None:
    answer = streaming().ask(QUESTION)
    assert (answer.text, answer.finish_reason, answer.first_token_s) == ("好", "stop", None)


def test_a_cut_answer_is_marked(openai_server: OpenAIServer, streaming: MakeClient) -> None:
    openai_server.play(openai_server.streams({"reasoning_content": "想了又想"}, finish="length"))
    answer = streaming().ask(QUESTION)
    assert (answer.text, answer.cut) == ("", True)


def test_a_cache_has_the_answer_whether_it_was_streamed_or_not(
    openai_server: OpenAIServer, streaming: MakeClient, tmp_path: Path
) -> None:
    openai_server.play(openai_server.streams({"content": "好"}))
    for stream in (True, False):
        model = Cached(streaming(stream=stream), tmp_path / "cache.jsonl")
        answer = model.ask(QUESTION)
        model.close()
        assert (answer.text, answer.cached) == ("好", not stream)
    assert len(openai_server.requests) == 1


def test_an_older_cache_is_read(openai_server: OpenAIServer, streaming: MakeClient, tmp_path: Path) -> None:
    """Its lines have no time of a first token, and neither have those of answers that come whole."""
    file = tmp_path / "cache.jsonl"
    model = Cached(streaming(stream=False), file)
    model.ask(QUESTION)
    model.close()
    value = json.loads(file.read_text(encoding="utf-8"))["value"]
    assert "first_token_s" not in value
    again = Cached(streaming(), file)
    assert again.ask(QUESTION).cached
    again.close()


def test_only_servers_stream(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="batch files are not streamed"):
        BatchModel(ModelOptions(model="m", stream=True), tmp_path)


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_any_split_of_a_stream_gives_the_same_answer(places: list[int]) -> None:
    cuts = [0, *sorted(places), len(STREAM)]
    assembly = Assembly()
    for start, end in pairwise(cuts):
        assembly.feed(STREAM[start:end])
    body: Any = assembly.body()
    message = body["choices"][0]["message"]
    assert (message["content"], message["reasoning_content"]) == ("打开微信", "想\u2028一")
    assert body["usage"] == {"prompt_tokens": 700, "completion_tokens": 20}


@given(st.integers(0, STREAM.index(b'"finish_reason": "stop"')))
def test_an_incomplete_stream_is_a_failure(end: int) -> None:
    with pytest.raises(Failure):
        whole(STREAM[:end])


@pytest.mark.parametrize(
    "content", [b"data: [DONE]\n\n", b"data: [DONE]", b'data: {"choices": []}\n\ndata: [DONE]\n\n']
)
def test_a_stream_without_a_choice_is_no_answer(content: bytes) -> None:
    with pytest.raises(Failure, match="no chat completion") as caught:
        whole(content)
    assert caught.value.again


EVENTS = STREAM.decode()


@pytest.mark.parametrize(
    "text",
    [
        EVENTS.replace("\n", "\r"),
        EVENTS.replace("\n", "\r\n"),
        EVENTS.replace("data: ", "data:"),
        EVENTS.replace("data: {", "data: {\ndata: "),
        EVENTS.replace("data: {", ": waiting\nevent: chunk\nid: 7\ndata: {"),
        "\ufeff" + EVENTS,
        EVENTS.replace("\n\n", "\n"),  # against the standard, and clear all the same
        EVENTS.removesuffix("\n\n"),
    ],
)
def test_a_stream_is_read_however_its_events_are_written(text: str) -> None:
    assert whole(text.encode()) == whole(STREAM)


NAMES = st.sampled_from(["choices", "delta", "content", "finish_reason", "usage", "index", "error"])
CHUNKS = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner)
)


@given(
    st.binary(max_size=300)
    | st.text(max_size=200).map(lambda text: f"data: {text}\n\n".encode())
    | CHUNKS.map(lambda chunk: f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())
)
def test_any_bytes_are_an_answer_or_a_failure(content: bytes) -> None:
    with suppress(Failure):
        assert isinstance(whole(content)["choices"], list)
