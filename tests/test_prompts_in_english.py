"""Prompts for an English release, as a server receives them: no sentence asks for Chinese or is in it.

Simulated people who speak English have no Chinese in their data, so none may stand anywhere in a request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from fingertip_agents.registry import FORMATS
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_training import ExportOrder, export_samples
from tests.command_line import fingertip
from tests.obedient_judge import repeat_code
from tests.shared_fixtures import OpenAIServer, ReceivedRequest

CHINESE = re.compile("[\u2e80-\u303f\u3400-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
ASKS = "in English"


def read_texts(requests: Sequence[ReceivedRequest]) -> Iterator[str]:
    """Yield the text of each request: all of its messages."""
    for request in requests:
        parts = [message["content"] for message in request.body["messages"]]
        yield "\n".join(
            part if isinstance(part, str) else " ".join(one.get("text", "") for one in part) for part in parts
        )


def send(
    server: OpenAIServer, *arguments: object, reply: str | dict[str, object] = "Open Clock, set an alarm"
) -> list[str]:
    """Run a command with a model on the server; the texts of its requests, each checked.

    Args:
        server: The server.
        *arguments: The command.
        reply: The model's answer; the fields of a judge's get the code of the question.
    """
    server.requests.clear()
    server.replies = repeat_code(server, reply)
    done = fingertip(*arguments)
    assert done.returncode in (0, 1), done.stderr
    texts = list(read_texts(server.requests))
    assert texts, done.stderr
    for text in texts:
        assert (found := CHINESE.search(text)) is None, text[max(0, found.start() - 80) :][:200]
        assert "Chinese" not in text
    return texts


def model(server: OpenAIServer) -> tuple[str, ...]:
    return ("--model", "m", "--base-url", server.base_url, "--no-preflight")


@pytest.mark.parametrize(
    ("options", "reply", "queries"),
    [
        (("--screenshots", "1"), "Open Clock, set an alarm", 1),
        (("--distribution",), '[{"intent": "Open Clock", "probability": 1}]', 1),
        (("--history", "relevant"), '{"numbers": [1], "summary": "wakes early"}', 2),
    ],
)
def test_suggestions(
    english_people: Path,
    openai_server: OpenAIServer,
    tmp_path: Path,
    options: tuple[str, ...],
    reply: str,
    queries: int,
) -> None:
    call = ("suggest", english_people, "--agent", "model", *model(openai_server), *options)
    texts = send(openai_server, *call, "--limit", 2, "--out", tmp_path / "run", reply=reply)
    assert len(texts) == 2 * queries
    # the tasks are asked at the same time: their queries come in any order
    assert sum("in the manner of: Open an app, do something" in text for text in texts) == 2
    assert all(ASKS in text for text in texts)


def test_intents_that_a_model_infers(
    english_people: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    out = tmp_path / "inferred.jsonl"
    call = ("infer-intents", english_people, *model(openai_server), "--out", out)
    texts = send(openai_server, *call, reply='{"intent": "Open Clock"}')
    assert all("short, concrete, in English." in text for text in texts)


def test_judges_of_both_tracks(english_people: Path, openai_server: OpenAIServer, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert fingertip("suggest", english_people, "--agent", "recent", "--out", first).returncode == 0
    judge = ("--judge", "m", "--judge-base-url", openai_server.base_url, "--judge-no-preflight")
    texts = send(openai_server, "score", first, "--embedder", "lexical", *judge, reply='{"same": true}')
    assert all("You are a judge." in text for text in texts)
    call = ("--agent", "imitate", "--device", "simulated", "--limit", 1, "--out", second)
    assert fingertip("execute", english_people, *call).returncode == 0
    texts = send(openai_server, "review", second, *judge, reply={"reason": "Done.", "done": True})
    assert all("You judge whether a task was done" in text for text in texts)


def test_the_judge_of_recorded_episodes(
    english_people: Path, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    call = ("quality", english_people, "--out", tmp_path / "quality", "--worst", 0, "--judge", "m")
    server = ("--judge-base-url", openai_server.base_url, "--judge-no-preflight")
    texts = send(openai_server, *call, *server, reply={"reason": "Done.", "done": True})
    assert all("You judge whether a task was done" in text for text in texts)
    judged = [json.loads(line) for line in (tmp_path / "quality" / "judged.jsonl").read_text().splitlines()]
    assert {line["judge"] for line in judged} == {"judge:m@en-3"}


@pytest.mark.parametrize("agent", sorted(FORMATS))
def test_every_agent_around_a_model(
    english_people: Path, openai_server: OpenAIServer, tmp_path: Path, agent: str
) -> None:
    more = ("--with", "time,place,reference-intent,package")
    call = ("execute", english_people, "--agent", agent, *model(openai_server), "--device", "teacher-forced")
    texts = send(openai_server, *call, *more, "--limit", 1, "--out", tmp_path / "run", reply="wait()")
    scenarios = {row["scenario"] for row in BuiltDataset.open(english_people).rows("test_execution")}
    assert all(any(scenario in text for scenario in scenarios) for text in texts)


@pytest.mark.parametrize("track", ["suggestion", "execution"])
def test_training_learns_the_same_language(english_people: Path, tmp_path: Path, track: str) -> None:
    """The prompts of an export, with the right answers."""
    language = BuiltDataset.open(english_people).manifest.settings.prompt_language
    order = ExportOrder(track=track, agent="autodroid" if track == "execution" else None, language=language)  # type: ignore[arg-type]
    export_samples(english_people, tmp_path / "export", order)
    rows = (tmp_path / "export" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    assert rows
    for row in rows:
        assert not CHINESE.search(row)
        assert "Chinese" not in row
    assert track == "execution" or all("one sentence in English" in row for row in rows)
