"""Exported prompts and pictures are those that `suggest` and `execute` send to a server."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from execution_runner import open_environments, run_execution
from fingertip_agents import AgentSetup, get_agent, get_execution_agent
from fingertip_agents.prompts.prompt_text import read_prompt_text
from fingertip_agents.registry import FORMATS
from fingertip_dataset import BuiltDataset
from fingertip_models import ModelOptions
from fingertip_training import ExportOrder, export_samples
from fingertip_training.episode_choice import choose_training_episodes
from suggestion_runner import run_suggestions
from tests.shared_fixtures import OpenAIServer, ReceivedRequest

Sent = tuple[tuple[str, str, tuple[bytes, ...]], ...]
"""Role, text and pictures of each message."""


def write_parts(parts: Sequence[Mapping[str, Any]]) -> str:
    """Texts and places of pictures of a message, in their order."""
    return "".join(part.get("text", "<picture>") for part in parts)


def sent(messages: list[Mapping[str, Any]]) -> Sent:
    """The messages that a server received."""
    found = []
    for message in messages:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        pictures = tuple(base64.b64decode(url.partition(",")[2]) for url in urls)
        found.append((message["role"], write_parts(parts), pictures))
    return tuple(found)


def exported(folder: Path, row: Mapping[str, Any]) -> Sent:
    """The messages of a row for TRL; it puts pictures without a place before the first text of the user."""
    pictures = [(folder / name).read_bytes() for name in row.get("images", ())]
    found = []
    for message in row["prompt"]:
        content = message["content"]
        if isinstance(content, str):
            count = len(pictures) if message["role"] == "user" else 0
            text = "<picture>" * count + content
        else:
            count = sum(part["type"] == "image" for part in content)
            text = write_parts(content)
        found.append((message["role"], text, tuple(pictures[:count])))
        pictures = pictures[count:]
    return tuple(found)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def rows(folder: Path) -> list[dict[str, Any]]:
    return lines(folder / "train.jsonl")


@pytest.mark.parametrize(
    "view",
    [
        {},
        {"screenshots": 2, "history": "all", "without": ("time",)},
        {"screenshots": 1, "history": "none", "protocol": "strict", "max_pixels": 40_000, "language": "en"},
        {"prompt_file": "Now {time} at {place}: {intents}", "language": "en"},
    ],
)
def test_suggest_sends_the_exported_prompts(
    people: Path, tmp_path: Path, openai_server: OpenAIServer, view: dict[str, Any]
) -> None:
    export, setup, order = tmp_path / "export", dict[str, Any](), dict(view)
    if text := view.pop("prompt_file", None):
        order["prompt_file"] = str(tmp_path / "p.txt")
        (tmp_path / "p.txt").write_text(text)
        setup["prompt"] = read_prompt_text(order["prompt_file"], "suggestion")
    record = export_samples(people, export, ExportOrder(track="suggestion", **order))
    own = {name: view.pop(name) for name in ("max_pixels", "language") if name in view}
    model = ModelOptions(base_url=openai_server.base_url, model="tiny", **own)
    agent = get_agent("model", AgentSetup(model=model, **setup))
    assert record.agents["suggestion"].settings.items() <= agent.settings.items()
    run_suggestions(people, agent, tmp_path / "run", split="train", **view)
    received = {sent(request.body["messages"]) for request in openai_server.requests}
    assert {exported(export, row) for row in rows(export)} == received
    assert len(received) == BuiltDataset.open(people).manifest.splits["train"].episodes
    targets = [line["intent"] for line in lines(tmp_path / "run" / "targets.jsonl")]
    assert [row["completion"][0]["content"] for row in rows(export)] == targets


IN_TURNS, MARKED, RELATIVE = "generalist", "appagent", "qwen2.5-vl"


@pytest.mark.parametrize(
    "name",
    [
        name if name in (IN_TURNS, MARKED, RELATIVE) else pytest.param(name, marks=pytest.mark.soak)
        for name in sorted(FORMATS)
    ],
)
def test_execute_sends_the_exported_prompts(
    people: Path, tmp_path: Path, openai_server: OpenAIServer, name: str
) -> None:
    """The server gives the exported answers, so formats with one answer for two steps are asked as often."""
    export, built = tmp_path / "export", BuiltDataset.open(people)
    chosen = choose_training_episodes(built, "train", number=3, seed=0)
    pixels = None if name == "autodroid" else 100_000
    record = export_samples(
        people, export, ExportOrder(track="execution", agent=name, max_pixels=pixels, episodes=3)
    )
    known = {exported(export, row): text(row["completion"][0]["content"]) for row in rows(export)}

    def answer(request: ReceivedRequest) -> Any:  # noqa: ANN401 - a reply of the server
        return openai_server.says(known.get(sent(request.body["messages"]), "not exported"))

    openai_server.replies = answer
    model = ModelOptions(base_url=openai_server.base_url, model="tiny", max_pixels=pixels)
    agent = get_execution_agent(name, AgentSetup(model=model))
    with open_environments(["teacher-forced"], built, split="train") as environments:
        run_execution(people, agent, environments, tmp_path / "run", split="train", task_ids=chosen)
    received = [sent(request.body["messages"]) for request in openai_server.requests]
    assert set(known) <= set(received)
    assert len(received) == record.splits[0].rows + sum(kind.count for kind in record.splits[0].dropped)
    # calls in a model's native syntax are kept in the common one, so answers are not compared as texts
    steps = [step for step in lines(tmp_path / "run" / "steps.jsonl") if "problem" in step]
    right = [step for step in steps if step["on_trace"] and step["problem"] is None]
    assert len(right) >= record.splits[0].rows > 10
    assert len(steps) - len(right) <= sum(kind.count for kind in record.splits[0].dropped)


def text(content: Any) -> str:  # noqa: ANN401 - a text, or parts
    return content if isinstance(content, str) else content[-1]["text"]
