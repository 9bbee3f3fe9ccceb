"""Runs on moments: what they show and record, how they go on, and what they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from fingertip_agents.registry import get_agent, moment_baseline_names
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.baselines import HabitBaseline
from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.errors import AllTasksFailedError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TEST_MOMENTS, TEST_SUGGESTION, TRAIN_MOMENTS
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions
from fingertip_runs.targets import read_targets
from suggestion_runner import read_predictions, read_run, run_suggestions
from suggestion_runner.suggestion_records import Prediction
from suggestion_runner.task_view import TaskView
from tests.shared_fixtures import OpenAIServer

SILENCE = '{"intent": "", "wanted": 0.2}'


@dataclass
class Answering:
    """Agent with one answer, that keeps the tasks it was shown."""

    answer: Suggestion
    name: str = "answering"

    def __post_init__(self) -> None:
        self.settings: dict[str, object] = {}
        self.seen: list[SuggestionInput] = []

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        self.seen.append(task_input)
        return self.answer


def make_answer(**fields: object) -> Suggestion:
    return Suggestion(**{"text": "", "seconds": 0.0, "calls": 0} | fields)  # type: ignore[arg-type]


def test_a_run_records_moments_with_their_kinds_and_hash(people: Path, tmp_path: Path) -> None:
    agent = Answering(make_answer(confidence=0.25))
    outcome = run_suggestions(people, agent, tmp_path / "run", split="train-moments", screenshots=1)
    record, built = read_run(tmp_path / "run"), BuiltDataset.open(people)
    moments = built.require_moments()
    assert (record.split, record.of_moments, record.tasks) == (
        TRAIN_MOMENTS, True, moments.splits[TRAIN_MOMENTS].moments,
    )  # fmt: skip
    assert record.dataset.moments_sha256 == moments.data_sha256
    rows = {row["episode_id"]: row for row in built.rows(TRAIN_MOMENTS)}
    targets = {target.task_id: target for target in read_targets(tmp_path / "run").values()}
    assert {name: target.kind for name, target in targets.items()} == {
        name: row["kind"] for name, row in rows.items()
    }
    assert all(target.intent == (rows[name]["intent"] or "") for name, target in targets.items())
    assert {len(seen.screenshots) for seen in agent.seen} == {1}
    lines = read_predictions(tmp_path / "run")
    assert {(line.outcome, line.confidence, line.problem) for line in lines} == {("silent", 0.25, None)}
    assert (outcome.unanswered, outcome.outcomes) == (0, {"silent": record.tasks})


def test_episodes_have_neither_a_confidence_nor_silence(people: Path, tmp_path: Path) -> None:
    run_suggestions(people, Answering(make_answer(confidence=0.25)), tmp_path / "run", split=TEST_SUGGESTION)
    lines = (tmp_path / "run" / "predictions.jsonl").read_text(encoding="utf-8")
    assert "confidence" not in lines
    assert "silent" not in lines
    assert "moments" not in (tmp_path / "run" / "run.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("history", ["20", "all", "none"])
@pytest.mark.parametrize("protocol", ["online", "strict"])
def test_only_earlier_intents_are_shown(people: Path, tmp_path: Path, history: str, protocol: str) -> None:
    agent = Answering(make_answer())
    run_suggestions(people, agent, tmp_path / "run", split=TEST_MOMENTS, history=history, protocol=protocol)  # type: ignore[arg-type]
    for seen in agent.seen:
        assert seen.time is not None
        assert all(intent.moment < seen.time for intent in seen.previous_intents)
        assert bool(seen.previous_intents) == (history != "none")


@pytest.mark.parametrize("name", [*moment_baseline_names(), "recent", "nearest", "random"])
def test_a_stopped_run_goes_on_to_the_same_answers(people: Path, tmp_path: Path, name: str) -> None:
    def run(out: Path) -> list[tuple[str, str, float | None]]:
        agent = get_agent(name, AgentSetup(moments=True, dataset=people))
        run_suggestions(people, agent, out, split=TEST_MOMENTS)
        return sorted(
            (line.task_id, line.predicted_intent, line.confidence or 0) for line in read_predictions(out)
        )

    whole = run(tmp_path / "whole")
    run(tmp_path / "cut")
    log = tmp_path / "cut" / "predictions.jsonl"
    text = log.read_bytes()
    log.write_bytes(text[: len(text) // 2])
    assert run(tmp_path / "cut") == whole


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"confidence": 1.2}, "confidence: Input should be less than or equal to 1"),
        ({"confidence": -0.1}, "confidence: Input should be greater than or equal to 0"),
        ({"confidence": float("nan")}, "confidence: Input should be"),
        ({"confidence": "0.5"}, "confidence: Input should be a valid number"),
        ({"confidence": True}, "confidence: Input should be a valid number"),
        ({"text": None}, 'expected the intent as a text, "" for none, got NoneType'),
        ({"text": "Open A", "outcome": "silent"}, 'the answer has both an intent and the outcome "silent"'),
    ],
)
def test_an_invalid_answer_is_named(
    people: Path, tmp_path: Path, fields: dict[str, object], words: str
) -> None:
    agent = Answering(make_answer(**fields))
    with pytest.raises(AllTasksFailedError, match=words):
        run_suggestions(people, agent, tmp_path / "run", split=TEST_MOMENTS, limit=2)


def test_an_answer_of_another_type_is_named(people: Path, tmp_path: Path) -> None:
    with pytest.raises(AllTasksFailedError, match="expected a Suggestion, got NoneType"):
        run_suggestions(people, Answering(cast(Any, None)), tmp_path, split=TEST_MOMENTS, limit=1)


def test_numbers_of_other_libraries_are_confidences(people: Path, tmp_path: Path) -> None:
    import numpy as np

    for number, value in enumerate((np.float32(0.5), np.float64(0.5), 1, 0)):
        out = tmp_path / str(number)
        run_suggestions(people, Answering(make_answer(confidence=value)), out, split=TEST_MOMENTS, limit=1)
        assert read_predictions(out)[0].confidence == value


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"screenshots": 2}, "a moment has one screen, that of the look at the phone: expected 0 or 1"),
        ({"distribution": True}, "moments have one answer, an intent or nothing: leave out --distribution"),
        ({"inferred": Path("x")}, "inferred intents are of episodes, not of moments"),
    ],
)
def test_a_view_that_moments_do_not_have_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        TaskView(split=TEST_MOMENTS, **change)  # type: ignore[arg-type]


def test_agents_and_splits_that_do_not_go_together_are_refused(people: Path, tmp_path: Path) -> None:
    always = get_agent("always")
    with pytest.raises(
        UsageError, match="the agent always decides when to speak, at moments: give --split test"
    ):
        run_suggestions(people, always, tmp_path / "a")
    with pytest.raises(UsageError, match="the agent model was set up for intents alone: give moments=True"):
        run_suggestions(people, Answering(make_answer(), name="model"), tmp_path / "b", split=TEST_MOMENTS)


def test_a_dataset_without_moments_is_refused(sample_dataset: Path, tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match="the dataset has no moments: recordings of real people do not say when"
    ):
        run_suggestions(sample_dataset, HabitBaseline(), tmp_path / "run", split=TEST_MOMENTS)


@pytest.fixture
def ask(people: Path, openai_server: OpenAIServer) -> Callable[..., tuple[Prediction, ...]]:
    def run(out: Path, *replies: str, **view: object) -> tuple[Prediction, ...]:
        texts = iter(replies * 100)
        openai_server.replies = lambda query: openai_server.says(next(texts))
        with closing(ChatClient(ModelOptions(base_url=openai_server.base_url, model="m"))) as client:
            agent = ModelSuggester(client, moments=True, relevant=view.get("history") == "relevant")
            run_suggestions(people, agent, out, split=TEST_MOMENTS, **view)  # type: ignore[arg-type]
        return read_predictions(out)

    return run


def test_a_model_is_asked_for_an_intent_or_nothing(
    ask: Callable[..., tuple[Prediction, ...]], openai_server: OpenAIServer, tmp_path: Path
) -> None:
    lines = ask(tmp_path / "run", SILENCE, '{"intent": "打开微信，看消息", "wanted": 0.9}', concurrency=2)
    assert {(line.outcome, line.predicted_intent, line.confidence) for line in lines} == {
        ("silent", "", 0.2),
        ("answered", "打开微信，看消息", 0.9),
    }
    assert '{"intent": "...", "wanted": 0.0}' in json.dumps(openai_server.requests[0].body).replace("\\", "")
    settings = read_run(tmp_path / "run").agent.settings
    assert settings["moments"] is True
    assert str(settings["prompt"]).startswith("moments 1")


def test_silence_alone_does_not_stop_a_run(
    ask: Callable[..., tuple[Prediction, ...]], tmp_path: Path
) -> None:
    lines = ask(tmp_path / "run", SILENCE)
    assert {line.outcome for line in lines} == {"silent"}


def test_the_selection_of_earlier_intents_comes_before_the_moment(
    ask: Callable[..., tuple[Prediction, ...]], tmp_path: Path
) -> None:
    selection = '{"numbers": [1], "summary": "早上看消息"}'
    (line, *_) = ask(tmp_path / "run", selection, SILENCE, history="relevant", limit=1, concurrency=1)
    assert (line.outcome, line.confidence, line.calls) == ("silent", 0.2, 2)


def test_an_agent_whose_setting_is_named_moments_runs_on_intents(people: Path, tmp_path: Path) -> None:
    # of `nearest` it is the number of earlier intents that vote
    agent = get_agent("nearest")
    assert agent.settings["moments"] == 10
    outcome = run_suggestions(people, agent, tmp_path / "nearest")
    assert outcome.queried > 0
