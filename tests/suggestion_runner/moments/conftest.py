"""Runs of moments with known answers on the training moments of two simulated people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TRAIN_MOMENTS
from fingertip_dataset.tasks.task import SuggestionInput
from suggestion_runner import run_suggestions
from suggestion_runner.moments.moment_run_scores import MomentRunScores
from suggestion_runner.moments.moment_scoring import score_moment_run

OTHER = "倒计时九百九十九分钟"
"""An offer that no person of the data ever wants."""

Answer = tuple[str, float | None]
"""Offer, "" for silence, and confidence."""

MakeRun = Callable[[str, Mapping[str, Answer]], Path]


@dataclass(frozen=True)
class Scripted:
    """An agent with a given answer to each moment."""

    answers: Mapping[str, Answer]
    name: str = "scripted"

    @property
    def settings(self) -> dict[str, object]:
        return {"moments": True}

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        text, confidence = self.answers[task_input.task_id]
        return Suggestion(text=text, seconds=0.0, confidence=confidence)


@pytest.fixture(scope="session")
def intents(people: Path) -> dict[str, str]:
    """Training moment -> what is wanted, "" for nothing."""
    rows = BuiltDataset.open(people).rows(TRAIN_MOMENTS, columns=("episode_id", "intent"))
    return {row["episode_id"]: row["intent"] or "" for row in rows}


@pytest.fixture(scope="session")
def answers(intents: dict[str, str]) -> dict[str, Answer]:
    """In turn the right offer, another one and silence where something is wanted; the like elsewhere."""
    found: dict[str, Answer] = {}
    turns = {True: 0, False: 0}
    for task_id, intent in intents.items():
        turn = turns[bool(intent)]
        turns[bool(intent)] += 1
        of_wanted: tuple[Answer, ...] = ((intent, 0.9), (OTHER, 0.7), ("", 0.2))
        of_nothing: tuple[Answer, ...] = (("", 0.1), (OTHER, 0.6), ("", None))
        found[task_id] = (of_wanted if intent else of_nothing)[turn % 3]
    return found


@pytest.fixture(scope="session")
def make_run(
    people: Path, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, Mapping[str, Answer]], Path]:
    """Makes a run with given answers, in a folder of a name of its own."""
    folder = tmp_path_factory.mktemp("moments")

    def make(name: str, given: Mapping[str, Answer]) -> Path:
        run_suggestions(people, Scripted(given), folder / name, split=TRAIN_MOMENTS)
        return folder / name

    return make


@pytest.fixture(scope="session")
def mixed(make_run: MakeRun, answers: dict[str, Answer]) -> Path:
    """A run with every outcome; read only."""
    return make_run("mixed", answers)


@pytest.fixture(scope="session")
def silent(make_run: MakeRun, intents: dict[str, str]) -> Path:
    """A run that is always silent, without a confidence; read only."""
    return make_run("silent", dict.fromkeys(intents, ("", None)))


@pytest.fixture(scope="session")
def scores(mixed: Path, silent: Path) -> list[MomentRunScores]:
    """The scores of both runs, without Sim_1."""
    return [score_moment_run(run) for run in (mixed, silent)]
