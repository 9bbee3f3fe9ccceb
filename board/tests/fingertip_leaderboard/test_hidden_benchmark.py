"""Installed agents that print tasks, put them into their settings, or fail with them in the message."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fingertip_agents.registry import get_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.suggestion_agent import Suggestion, SuggestionAgent, SuggestionInput
from fingertip_dataset import BuiltDataset
from fingertip_dataset.errors import RunError, UsageError
from fingertip_leaderboard.bundle.schema import AgentCard
from fingertip_leaderboard.fingertip_sim import CONTACT
from fingertip_leaderboard.hidden_benchmark import HiddenTest, MomentTest, SuggestionTest, run_hidden_test
from fingertip_leaderboard.hidden_records import InstalledPackage
from fingertip_leaderboard.hidden_secret import HiddenSecret
from fingertip_leaderboard.space.hidden_section import render_hidden
from fingertip_recorder.published_sample import NAME, Size

PACKAGE = InstalledPackage(name="talkers", version="1.0", isolated=False)
SMALL = Size(users=5, episodes=5, screen=(270, 600))


@pytest.fixture(scope="module")
def secret() -> HiddenSecret:
    """A secret from which every run of the tests has the same tasks."""
    return HiddenSecret(hashlib.sha256(b"tests").digest())


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Private folder that all agents of this file share."""
    return tmp_path_factory.mktemp("private") / "work"


class Talker:
    """An agent that prints each task in every way, and may put one into its settings or an error."""

    name = "talker"

    def __init__(
        self, *, settings: dict[str, object] | None = None, error: type[BaseException] | None = None
    ) -> None:
        self.settings = settings or {}
        self._error = error

    def suggest(self, task: SuggestionInput) -> Suggestion:
        text = f"task {task.task_id} {task.previous_intents[-1].text}"
        print(text)  # noqa: T201 - what the test is about
        sys.stderr.write(text)
        os.write(1, text.encode())
        os.write(2, text.encode())
        subprocess.run([sys.executable, "-c", "print('task of a child')"], check=True)
        if self._error:
            raise self._error(text)
        answer = task.previous_intents[-1].text
        return Suggestion(text=answer, output=answer, seconds=0.0)


def run_of(agent: Talker, name: str, size: Size = SMALL) -> HiddenTest:
    card = AgentCard(name=name, weights="none", contact=CONTACT)
    return HiddenTest(
        card=card, tests=[SuggestionTest(make_agent=lambda: agent, installed=PACKAGE)], size=size
    )


def test_what_an_agent_prints_stays_in_the_private_folder(
    secret: HiddenSecret, work: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    record = run_hidden_test(secret, run_of(Talker(), "talker"), work=work)
    assert capfd.readouterr() == ("", "")
    kept = (work / "output.txt").read_text(encoding="utf-8")
    assert kept.count("task 1001__") == 4
    assert kept.count("task of a child") == 5
    assert "__2" not in record.model_dump_json()


TELLING = type("任务", (BaseException,), {})
"""An error whose class could be named after a task."""


@pytest.mark.parametrize("error", [ValueError, SystemExit, TELLING])
def test_an_error_of_an_agent_names_the_stage_alone(
    error: type[BaseException], secret: HiddenSecret, work: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RunError) as failed:
        run_hidden_test(secret, run_of(Talker(error=error), f"failing {error.__name__}"), work=work)
    assert str(failed.value).startswith("the stage suggestion run ended with ")
    assert "1001__" not in str(failed.value)
    assert "任务" not in str(failed.value)
    # a traceback of the caller must not show the message either
    assert failed.value.__cause__ is None
    assert failed.value.__suppress_context__
    assert capfd.readouterr() == ("", "")
    assert "1001__" in (work / "error.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("what", ["id", "intent", "secret"])
def test_a_record_with_a_task_or_the_secret_in_it_is_refused(
    secret: HiddenSecret, work: Path, what: str
) -> None:
    built = BuiltDataset.open(work / NAME)
    row = next(iter(built.rows("test_suggestion")))
    texts = {
        "id": row["episode_id"],
        "intent": row["intent"],
        "secret": secret.content.hex(),
    }
    agent = Talker(settings={"note": [f"seen: {texts[what]}."]})
    # the verifier finds a target in settings before the record is looked at
    why = "target_leaked" if what == "intent" else "the record would quote a task or the secret"
    with pytest.raises(RunError, match=why) as refused:
        run_hidden_test(secret, run_of(agent, f"settings with {what}"), work=work)
    assert texts[what] not in str(refused.value)


def test_few_people_are_refused(secret: HiddenSecret) -> None:
    with pytest.raises(UsageError, match="expected at least 5 users, got 4"):
        run_hidden_test(secret, run_of(Talker(), "talker", Size(users=4, episodes=9, screen=(270, 600))))


def test_a_private_folder_must_be_private_and_of_its_own(secret: HiddenSecret, tmp_path: Path) -> None:
    shared, link, full = (tmp_path / name for name in ("shared", "link", "full"))
    shared.mkdir(mode=0o755)
    link.symlink_to(tmp_path)
    full.mkdir(mode=0o700)
    (full / "file").touch()
    for folder, why in (
        (shared, "others may read the private folder"),
        (link, "not a link"),
        (full, "the folder is not empty"),
        (full / "file", "cannot be made"),
    ):
        with pytest.raises(UsageError, match=why):
            run_hidden_test(secret, run_of(Talker(), "talker"), work=folder)


def test_moments_are_a_row_of_their_own_without_what_was_learned(secret: HiddenSecret, work: Path) -> None:
    def make(built: BuiltDataset) -> SuggestionAgent:
        return get_agent("hour", AgentSetup(moments=True, dataset=built.path))

    card = AgentCard(name="hour", weights="none", contact=CONTACT)
    test = HiddenTest(card=card, tests=[MomentTest(make_agent=make, installed=None)], size=SMALL)
    record = run_hidden_test(secret, test, work=work)
    row = record.row("moments")
    assert row is not None
    assert row.measure == "moments"
    assert row.scores["utility"].mean is not None
    assert row.settings == {"moments": True, "learned_from": "train_moments"}
    assert record.measured.seconds.keys() == {"moments"}
    assert "Track 1, when to speak" in render_hidden([record])
    assert record.row("suggestion") is None
