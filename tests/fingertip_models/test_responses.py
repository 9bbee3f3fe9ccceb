"""A model behind a cache, against a real server: what was answered is not asked again."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from fingertip_dataset.errors import InputError, ModelError
from fingertip_models.cache import AppendOnlyCache
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.messages import Message
from fingertip_models.options import ModelOptions
from fingertip_models.responses import Cached

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer


def png(colour: str) -> bytes:
    file = BytesIO()
    Image.new("RGB", (4, 4), colour).save(file, "PNG")
    return file.getvalue()


HELLO = (Message(role="user", text="早"),)


def cached(server: OpenAIServer, file: Path, **options: Any) -> Cached:  # noqa: ANN401
    given = {"base_url": server.base_url, "model": "m", "retries": 0, **options}
    return Cached(ChatClient(ModelOptions(**given)), file)


def test_a_repeated_request_is_not_sent(openai_server: OpenAIServer, tmp_path: Path) -> None:
    openai_server.replies = lambda query: openai_server.says(f"答{query.number}\x00", reasoning_content="想")
    model = cached(openai_server, tmp_path / "answers.jsonl")
    first = model.ask(HELLO)
    again = asyncio.run(model.ask_async(HELLO))
    model.close()
    reopened = cached(openai_server, tmp_path / "answers.jsonl")
    later = reopened.ask(HELLO)
    reopened.close()
    assert len(openai_server.requests) == 1
    assert (first.text, first.reasoning, first.cached) == ("答0\x00", "想", False)
    assert again == later == replace(first, cached=True)


@pytest.mark.parametrize(
    "other",
    [
        {"model": "n"},
        {"temperature": None, "seed": 1},
        {"seed": 1},
        {"max_tokens": 5},
        {"messages": (Message(role="system", text="早"),)},
        {"messages": (Message(role="user", text="早 "),)},
        {"messages": (*HELLO, *HELLO)},
        {"messages": (Message(role="user", text="早", images=(png("red"),)),)},
    ],
)
def test_every_setting_that_affects_answers_changes_the_key(
    openai_server: OpenAIServer, tmp_path: Path, other: dict[str, Any]
) -> None:
    for options, messages in (({}, HELLO), (other, other.get("messages", HELLO))):
        chosen = {name: part for name, part in options.items() if name != "messages"}
        model = cached(openai_server, tmp_path / "answers.jsonl", **chosen)
        assert not model.ask(messages).cached
        assert model.ask(messages).cached
        model.close()
    assert len(openai_server.requests) == 2


def test_images_are_distinguished_by_their_bytes(openai_server: OpenAIServer, tmp_path: Path) -> None:
    model = cached(openai_server, tmp_path / "answers.jsonl")
    for colour in ("red", "blue", "red"):
        model.ask([Message(role="user", text="看", images=(png(colour),))])
    model.close()
    assert len(openai_server.requests) == 2


def test_irreproducible_answers_are_not_cached(openai_server: OpenAIServer, tmp_path: Path) -> None:
    model = cached(openai_server, tmp_path / "answers.jsonl", temperature=0.7)
    assert [model.ask(HELLO).cached for _ in range(2)] == [False, False]
    model.close()
    assert len(openai_server.requests) == 2
    assert not (tmp_path / "answers.jsonl").exists()


def test_a_failure_is_not_cached(openai_server: OpenAIServer, tmp_path: Path) -> None:
    openai_server.play(openai_server.Reply(status=400), openai_server.says("好"))
    model = cached(openai_server, tmp_path / "answers.jsonl")
    with pytest.raises(ModelError):
        model.ask(HELLO)
    assert model.ask(HELLO).text == "好"
    model.close()


def test_a_cache_of_the_caller_stays_open(openai_server: OpenAIServer, tmp_path: Path) -> None:
    with AppendOnlyCache(tmp_path / "answers.jsonl") as cache:
        for _ in range(2):
            options = ModelOptions(base_url=openai_server.base_url, model="m")
            model = Cached(ChatClient(options), cache)
            model.ask(HELLO)
            model.close()
            assert model.settings() == options.settings()
        assert len(cache) == 1
    assert len(openai_server.requests) == 1


def test_a_value_that_is_no_answer_is_refused(openai_server: OpenAIServer, tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    model = cached(openai_server, file)
    model.ask(HELLO)
    model.close()
    line = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**line, "value": {"verdict": "same"}}) + "\n", encoding="utf-8")
    model = cached(openai_server, file)
    with pytest.raises(InputError, match="expected answers of a model, got verdict"):
        model.ask(HELLO)
    model.close()
