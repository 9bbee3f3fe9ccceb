"""Attacks of a model server on its client: redirects, endless and huge answers, broken numbers and bytes."""

from __future__ import annotations

import gzip
import resource
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from fingertip_dataset.errors import EndpointError, ModelError
from fingertip_models import ChatClient, Message, ModelAnswer, ModelOptions
from fingertip_models.chat import bounded_response, model_endpoint
from fingertip_models.chat.bounded_response import BYTES_PER_TOKEN, MOST_CHARACTERS
from tests.fingertip_models.chat.raw_server import Answer, Connection, completion, event, raw_server
from tests.vectors import read_vectors

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer

VECTORS = read_vectors(__file__)


PICTURE = b"\x89PNG\r\n\x1a\n" + b"a screen of a person"
QUESTION = [Message(role="user", text="点什么？", images=(PICTURE,))]
HEAD = b"HTTP/1.1 200 OK\r\n"
STREAM = HEAD + b"content-type: text/event-stream\r\n\r\n"
MAX_TOKENS = 64
LIMIT = 2**20 + BYTES_PER_TOKEN * MAX_TOKENS
"""Limit of these tests, smaller than that of `BASE_BYTES` to save time."""


@pytest.fixture(autouse=True)
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_response, "BASE_BYTES", 2**20)


def ask(base_url: str, *, stream: bool = False, timeout_s: float = 60) -> ModelAnswer:
    options = ModelOptions(
        base_url=base_url, model="m", retries=0, stream=stream, timeout_s=timeout_s, max_tokens=MAX_TOKENS
    )
    with ChatClient(options) as client:
        return client.ask(QUESTION)


def refused(base_url: str, *, stream: bool = False, timeout_s: float = 60) -> str:
    """The one line of the error."""
    with pytest.raises(ModelError) as caught:
        ask(base_url, stream=stream, timeout_s=timeout_s)
    line = str(caught.value)
    assert line.isprintable()
    assert len(line) < 1000
    return line


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [301, 307])
def test_a_redirect_to_another_server_is_not_followed(
    openai_server: OpenAIServer, status: int, stream: bool
) -> None:
    target = f"http://localhost:{openai_server.server_port}/v1/chat/completions"
    head = f"HTTP/1.1 {status} Elsewhere\r\nlocation: {target}\r\ncontent-length: 0\r\n\r\n".encode()
    with raw_server(lambda connection: connection.send(head)) as server:
        line = refused(server.base_url, stream=stream)
    assert f"a redirect (status {status}) to {target}, which is never followed" in line
    assert openai_server.requests == openai_server.small_requests == []


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        *VECTORS["the_line_about_a_redirect_shows_no_password_and_is_short"],
        ("http://x/" + "a" * 5000, "aaa..., which"),
    ],
)
def test_the_line_about_a_redirect_shows_no_password_and_is_short(location: str, shown: str) -> None:
    head = f"HTTP/1.1 307 X\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n".encode("latin-1")
    if "\x1b" in location:
        head = head.replace(b"\x1b", b"")
    with raw_server(lambda connection: connection.send(head)) as server:
        line = refused(server.base_url)
    assert shown in line
    assert "password" not in line
    assert "token" not in line


def test_a_redirect_within_the_server_is_not_followed_either() -> None:
    def answer(connection: Connection) -> None:
        if b"POST /v1/chat/completions" in connection.request:
            connection.send(b"HTTP/1.1 307 X\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n")
        else:
            connection.complete(completion())

    with raw_server(answer) as server:
        assert "a redirect (status 307)" in refused(server.base_url)
        assert not any(b"/other" in request for request in server.requests)


def chunked(connection: Connection, piece: bytes, *, head: bytes = HEAD) -> None:
    """Sends an endless body in chunks."""
    connection.send(head + b"transfer-encoding: chunked\r\n\r\n")
    connection.repeat(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")


def send_on(connection: Connection, begin: bytes, more: bytes, apart_s: float = 0.01) -> None:
    """Send bytes and then others again and again."""
    connection.send(begin)
    connection.repeat(more, apart_s=apart_s)


def bomb(connection: Connection, encoding: str, compress: Callable[[bytes], bytes]) -> None:
    connection.complete(compress(b" " * (8 * LIMIT)), f"content-encoding: {encoding}")


def layered(connection: Connection) -> None:
    content = gzip.compress(gzip.compress(gzip.compress(b" " * LIMIT)))
    connection.complete(content, "content-encoding: gzip, gzip, gzip")


OVER = f"more than {LIMIT:,} bytes, the limit of an answer"


@pytest.mark.parametrize(
    ("answer", "stream", "words"),
    [
        (lambda connection: chunked(connection, b" " * 65536), False, OVER),
        (lambda connection: chunked(connection, b" " * 65536), True, OVER),
        (lambda connection: chunked(connection, b": comment\n" * 6000, head=STREAM[:-2]), True, OVER),
        (lambda connection: chunked(connection, b"data: " + b"x" * 65536, head=STREAM[:-2]), True, OVER),
        (lambda connection: chunked(connection, b"data:\n" * 9999, head=STREAM[:-2]), True, OVER),
        (
            lambda connection: send_on(connection, STREAM, event({"reasoning_content": "想" * 9999}), 0),
            True,
            OVER,
        ),
        (lambda connection: bomb(connection, "gzip", gzip.compress), False, OVER),
        (lambda connection: bomb(connection, "deflate", zlib.compress), True, OVER),
        (layered, False, "compressed more than once"),
        (lambda connection: connection.send(b"HTTP/1.1 200 OK\r\nx: " + b"y" * 10**6), False, "error, "),
    ],
    ids=range(10),
)
def test_an_answer_without_end_or_measure_is_refused_at_the_limit(
    answer: Answer, stream: bool, words: str
) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with raw_server(answer) as server:
        assert words in refused(server.base_url, stream=stream)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < 64 * LIMIT  # what is read, its text, and the test's own bomb


@pytest.mark.parametrize(
    "message",
    [{"text": "x" * (MOST_CHARACTERS + 1)}, {"text": "好", "reasoning": "x" * MOST_CHARACTERS}],
    ids=["text", "reasoning"],
)
def test_an_answer_of_too_many_characters_is_refused(
    monkeypatch: pytest.MonkeyPatch, message: dict[str, str]
) -> None:
    monkeypatch.setattr(bounded_response, "BASE_BYTES", 2**24)
    with raw_server(lambda connection: connection.complete(completion(**message))) as server:
        assert "characters, more than the limit of an answer, 1,048,576" in refused(server.base_url)


@pytest.mark.parametrize("status", [401, 500])
def test_an_endless_error_is_read_to_a_limit(status: int) -> None:
    head = f"HTTP/1.1 {status} X\r\n".encode()
    with raw_server(lambda connection: chunked(connection, b"no" * 9999, head=head)) as server:
        assert f"did not answer: status {status}: nonono" in refused(server.base_url)


NEVER_ENDING: dict[str, tuple[bool, bytes, bytes]] = {
    "nothing": (False, b"", b""),
    "100": (False, b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "103": (True, b"", b"HTTP/1.1 103 Early\r\n\r\n"),
    "headers": (False, HEAD, b"x: y\r\n"),
    "spaces": (False, HEAD + b"content-length: 99999\r\n\r\n", b" "),
    "comments": (True, STREAM, b": ping\n\n"),
    "reasoning": (True, STREAM, event({"reasoning_content": "想"})),
}  # fmt: skip
"""What a server sends -> whether the answer is a stream, what comes first, and what never ends."""


def test_servers_that_never_end_are_ended_by_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_endpoint, "FEW_PIECES", 0)
    monkeypatch.setattr(model_endpoint, "PIECES_PER_TOKEN", 1)

    def ask_one(name: str) -> str:
        stream, begin, more = NEVER_ENDING[name]
        with raw_server(lambda connection: send_on(connection, begin, more)) as server:
            return refused(server.base_url, stream=stream, timeout_s=0.5)

    # at the same time, because each waits for its deadline
    with ThreadPoolExecutor(len(NEVER_ENDING)) as pool:
        lines = dict(zip(NEVER_ENDING, pool.map(ask_one, NEVER_ENDING), strict=True))
    ends = {"reasoning": "more than 64 pieces of text without an end"}
    for name, line in lines.items():
        assert f"did not answer: {ends.get(name, 'nothing whole within 0.5 s')}" in line, name


def test_an_answer_is_whole_at_its_end_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_endpoint, "LAST_BYTES_S", 0.1)
    whole = STREAM + event({"content": "好"}, "stop") + b"data: [DONE]\n\n"
    with raw_server(lambda connection: send_on(connection, whole, b": ping\n\n")) as server:
        assert ask(server.base_url, stream=True, timeout_s=30).text == "好"


@pytest.mark.parametrize(
    "usage",
    [
        *VECTORS["token_counts_that_cannot_be_are_unknown"],
        '{"prompt_tokens": 1e400, "completion_tokens": 1' + "0" * 4000 + "}",
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_token_counts_that_cannot_be_are_unknown(usage: str, stream: bool) -> None:
    body = '{"choices": [{"message": {"content": "好"}, "finish_reason": "stop"}], "usage": ' + usage + "}"
    if stream:
        body = f"data: {body}\n\ndata: [DONE]\n\n"
    with raw_server(lambda connection: connection.complete(body.encode())) as server:
        answer = ask(server.base_url, stream=stream)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("好", None, None)


def test_an_answer_in_another_encoding_is_read_with_replacement_characters() -> None:
    body = completion("X").replace(b"X", "déjà vu".encode("latin-1"))
    with raw_server(lambda connection: connection.complete(body, "x-name: \xff")) as server:
        assert "\ufffd" in ask(server.base_url).text


def test_a_compressed_answer_is_read() -> None:
    body = gzip.compress(completion("好"))
    with raw_server(lambda connection: connection.complete(body, "content-encoding: gzip")) as server:
        assert ask(server.base_url).text == "好"
        assert b"accept-encoding: identity" in server.requests[0].lower()


@pytest.mark.parametrize("content", [b"\x1f\x8b" + b"x" * 99, b""])
def test_broken_compression_is_one_line(content: bytes) -> None:
    with raw_server(lambda connection: connection.complete(content, "content-encoding: gzip")) as server:
        refused(server.base_url)


def test_a_proxy_of_the_environment_without_a_connection_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    answer = b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"
    with raw_server(lambda connection: connection.send(answer)) as proxy:
        for name, url in (("HTTP_PROXY", "http://model.example/v1"), ("HTTPS_PROXY", "https://m.example/v1")):
            monkeypatch.setenv(name, f"http://someone:hidden-word@127.0.0.1:{proxy.port}")
            line = refused(url)
            assert "407" in line
            assert "hidden-word" not in line


@pytest.mark.parametrize("status", [401, 404, 503])
def test_an_endpoint_that_refuses_everything_is_dead(openai_server: OpenAIServer, status: int) -> None:
    refusal = openai_server.Reply(status=status, body={"error": "no"})
    openai_server.replies = openai_server.small_replies = lambda query: refusal
    with pytest.raises(EndpointError, match=f"did not answer: status {status}: no$"):
        ask(openai_server.base_url)


def test_an_endpoint_that_refuses_one_request_is_alive(openai_server: OpenAIServer) -> None:
    openai_server.replies = lambda query: openai_server.Reply(status=403, body={"error": "moderated"})
    with pytest.raises(ModelError, match="moderated") as caught:
        ask(openai_server.base_url)
    assert type(caught.value) is ModelError
    (small,) = openai_server.small_requests
    assert small.body["max_tokens"] == 16


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "http://no-such-host.invalid/v1"])
def test_an_endpoint_without_a_server_is_dead(url: str) -> None:
    with pytest.raises(EndpointError, match="did not answer: a connection error, "):
        ask(url)
