"""An embedder behind a real HTTP server: batches, prefixes, what is kept, and answers that are none."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from fingertip_dataset.errors import EndpointError, UsageError
from fingertip_metrics import get_embedder, sim1
from fingertip_metrics.embedders import Embedder, ServedEmbedder
from fingertip_metrics.embedders.served_embedder import BATCH_SIZE
from fingertip_models import ModelOptions

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest, Reply


def vector(text: str) -> list[float]:
    """Three numbers by the text."""
    return [number - 127.5 for number in hashlib.sha256(text.encode()).digest()[:3]]


@pytest.fixture
def server(openai_server: OpenAIServer) -> OpenAIServer:
    """The server, which answers with a vector per text, the last one first."""

    def embed(query: ReceivedRequest) -> Reply:
        data = [{"index": at, "embedding": vector(text)} for at, text in enumerate(query.body["input"])]
        return openai_server.Reply(body={"data": data[::-1], "model": query.body["model"]})

    openai_server.replies = embed
    return openai_server


def open_served(server: OpenAIServer, name: str = "tiny", **options: Any) -> Embedder:  # noqa: ANN401
    return get_embedder(name, base_url=server.base_url, **options)


def open_quick(server: OpenAIServer) -> ServedEmbedder:
    """An embedder that gives up at once."""
    return ServedEmbedder(ModelOptions(base_url=server.base_url, model="tiny", retries=0))


def test_each_text_is_sent_once_in_batches(server: OpenAIServer) -> None:
    texts = [f"意图{number % 100}" for number in range(150)]
    vectors = open_served(server).encode(texts)
    assert [len(query.body["input"]) for query in server.requests] == [BATCH_SIZE, 100 - BATCH_SIZE]
    assert {query.path for query in server.requests} == {"/v1/embeddings"}
    assert vectors.shape == (150, 3)
    assert vectors.dtype == np.float32
    for text, row in zip(texts, vectors, strict=True):
        expected = np.array(vector(text)) / np.linalg.norm(vector(text))
        assert row == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "options", "sent"),
    [
        ("intfloat/multilingual-e5-small", {}, "query: 听歌"),
        ("bge-m3", {}, "听歌"),
        ("multilingual-e5-small", {"prefix": ""}, "听歌"),
        ("bge-m3", {"prefix": "to compare: "}, "to compare: 听歌"),
    ],
)
def test_a_prefix_is_by_name_or_as_given(
    server: OpenAIServer, name: str, options: dict[str, str], sent: str
) -> None:
    embedder = open_served(server, name, **options)
    embedder.encode(["听歌"])
    assert server.requests[0].body == {"model": name, "input": [sent]}
    result = sim1(["听歌"], ["听歌"], embedder=embedder)
    assert result.embedder_settings == {
        "base_url": server.base_url, "model": name, "prefix": sent.removesuffix("听歌"),
    }  # fmt: skip
    assert not result.comparable
    assert "a server's cannot be checked" in str(result.why_not_comparable)


def test_vectors_are_kept_by_model_and_prefix(server: OpenAIServer, tmp_path: Path) -> None:
    cache = tmp_path / "embeddings.jsonl"
    first = open_served(server, cache=cache).encode(["听歌", "打车"])
    again = open_served(server, cache=cache).encode(["打车", "听歌", ""])
    assert np.array_equal(first, again[1::-1])
    assert [query.body["input"] for query in server.requests] == [["听歌", "打车"], [""]]
    open_served(server, prefix="query: ", cache=cache).encode(["听歌"])
    assert len(server.requests) == 3
    kept = [json.loads(line)["value"] for line in cache.read_text(encoding="utf-8").splitlines()]
    assert [value["text"] for value in kept] == ["听歌", "打车", "", "听歌"]


def test_a_busy_server_is_asked_again(server: OpenAIServer) -> None:
    embed = server.replies
    busy = server.Reply(status=503, body={"error": "busy"}, headers={"retry-after": "0.01"})
    server.replies = lambda query: busy if query.number < 1 else embed(query)
    assert open_served(server).encode(["听歌"]).shape == (1, 3)
    assert len(server.requests) == 2


def test_the_key_of_the_environment_is_sent(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-embedder")
    open_served(server).encode(["听歌"])
    assert server.requests[0].headers["authorization"] == "Bearer sk-of-the-embedder"


NUMBERS = [0.1, 0.2]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"data": [{"index": 0, "embedding": NUMBERS}]}, "1 vectors of 2 dimensions, expected 2 of one size"),
        ({"data": [{"embedding": NUMBERS}, {"embedding": [1]}]}, "2 vectors of 1, 2 dimensions"),
        ({"data": [{"embedding": NUMBERS}, {"embedding": ["a"]}]}, "no vector of numbers at place 1"),
        (
            {"data": [{"embedding": NUMBERS}, {"embedding": [float("nan")]}]},
            "no vector of numbers at place 1",
        ),
        ({"data": [{"embedding": NUMBERS}, {"embedding": [1e39, 1]}]}, "no vector of numbers at place 1"),
        ({"data": [{"embedding": NUMBERS}, {"embedding": [10**400, 1]}]}, "no vector of numbers at place 1"),
        ({"data": [{"index": 0, "embedding": NUMBERS}] * 2}, "no vector of numbers at place 1"),
        ({"data": "AAAA"}, "no vectors, but"),
        ({"choices": []}, "no vectors, but"),
        ([1], "no JSON object, but '[1]'"),
        (b"<html>", "no JSON object, but '<html>'"),
    ],
)
def test_other_answers_are_one_line(server: OpenAIServer, body: object, message: str) -> None:
    server.replies = lambda query: server.Reply(body=body)
    with pytest.raises(EndpointError) as raised:
        open_quick(server).encode(["听歌", "打车"])
    assert str(raised.value).startswith(f"tiny at {server.base_url} did not answer: {message}")


def test_a_server_without_embeddings_says_so(server: OpenAIServer) -> None:
    error = {"error": {"message": "This server does not support embeddings. Start it with `--embeddings`"}}
    server.replies = lambda query: server.Reply(status=501, body=error)
    with pytest.raises(EndpointError, match="Start it with `--embeddings`"):
        open_quick(server).encode(["听歌"])


def test_another_model_of_the_server_is_named(
    server: OpenAIServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.models = server.Reply(body={"data": [{"id": "a"}, {"id": "b"}]})
    with pytest.raises(EndpointError, match="no model tiny in its list, which has a, b"):
        open_served(server).encode(["听歌"])
    server.models = server.Reply(body={"data": [{"id": "only-one"}]})
    open_served(server).encode(["听歌"])
    assert server.requests[-1].body["model"] == "only-one"
    assert "but only only-one" in capsys.readouterr().err


def test_a_model_that_cannot_tell_texts_apart_is_noted(server: OpenAIServer) -> None:
    embed = server.replies
    server.replies = lambda query: server.Reply(
        body={"data": [{"embedding": [1.0, float(not text.isascii())]} for text in query.body["input"]]}
    )
    texts = ["订机票", "买咖啡", "听歌", "打车", "设闹钟"]
    (note,) = sim1(texts, texts[::-1], embedder=open_served(server)).list_notes()
    assert note.startswith(
        f"tiny at {server.base_url} gives 5 of 5 different texts the vector of another one:"
    )
    server.replies = embed
    alike = ["听歌", "听歌。", "听歌！", "打车", "Open it", "open it"]
    assert sim1(alike, alike, embedder=open_served(server)).list_notes() == []


def test_a_rule_has_no_server(server: OpenAIServer) -> None:
    with pytest.raises(UsageError, match="the embedder lexical runs in this process"):
        open_served(server, "lexical")
    with pytest.raises(UsageError, match="expected a base URL"):
        get_embedder("tiny", base_url="nowhere")


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_vectors_of_any_length_get_the_norm_1(server: OpenAIServer, scale: float) -> None:
    """Squares of such numbers leave the range of 32 bits: vectors became zeros."""
    data = [{"index": 0, "embedding": [3 * scale, 4 * scale]}]
    server.replies = lambda query: server.Reply(body={"data": data, "model": query.body["model"]})
    assert np.allclose(open_served(server).encode(["听歌"]), [[0.6, 0.8]])
