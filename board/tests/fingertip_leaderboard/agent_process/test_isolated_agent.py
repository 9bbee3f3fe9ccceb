"""Isolated agents: inputs and answers of both tracks arrive unchanged, and no answer breaks our process."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.actions import Click, LongClick, Type
from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import EndpointError, FingerTipError, ModelError, UsageError
from fingertip_dataset.tasks.task import ExecutionInput, ReferenceSequence, SuggestionInput
from fingertip_dataset.track import Track
from fingertip_leaderboard.agent_process.isolated_agent import IsolatedAgent, check_isolation
from fingertip_leaderboard.agent_process.sandbox import why_no_sandbox

pytestmark = pytest.mark.skipif(why_no_sandbox() is not None, reason="the system has no Landlock")

AGENT = r"""
import os
from fingertip_agents.execution_agent import Decision
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.actions import Click, LongClick, Type
from fingertip_dataset.errors import EndpointError

class Agent:
    name, settings = "mine", {"depth": [1, {"of": 2.5}]}

    def suggest(self, task):
        match task.scenario:
            case "exit": raise SystemExit("bye")
            case "end": os._exit(0)
            case "endpoint": raise EndpointError("the model is down")
            case "nothing": return None
            case "stay":
                pid = os.fork()
                for leave in (os.setsid, os.setpgrp):
                    try: leave()
                    except OSError: pass
                while not pid: pass
                return Suggestion(text=str(pid), seconds=0)
            case "size":
                before = os.fstat(2).st_size
                os.ftruncate(2, 1 << 20)
                return Suggestion(text=str(before), seconds=0)
            case "number": return Suggestion(text=1, seconds="often")
            case "lines":
                for number in range(3, 12):
                    try: os.write(number, b'{"suggestion": 1}\n' * 2)
                    except OSError: pass
        with open("notes", "a") as notes:
            notes.write("noted")
        texts = [intent.text for intent in task.previous_intents]
        text = f"{task.task_id} {task.profile.age} {task.time.isoformat()} {texts} {task.screenshots}"
        return Suggestion(text=text + "\ud800", seconds=-0.5, alternatives=(("a", 0.75), ("b", 0.25)))

    def act(self, task, screen, past):
        assert past[0].action == LongClick(x=1, y=2.5, content='"x\n\'),')
        assert past[1].action == Type(text="中")
        assert screen.screenshot == bytes(range(256)) and screen.tree is None
        return Decision(
            output=f"{task.reference.actions} {screen.size}", seconds=0.25, queries=1,
            actions=(Click(x=1, y=2.5, content='"x\n\'),'), Type(text="中")),
        )

class Broken:
    def __init__(self):
        raise ValueError("no weights")
"""

NOW = datetime(2026, 1, 2, 3, 4, tzinfo=ZoneInfo("Asia/Shanghai"))
PROFILE = UserProfile(age=31)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("package")
    (found / "mine.py").write_text(AGENT, encoding="utf-8")
    info = found / "mine-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n", encoding="utf-8")
    points = "[fingertip.agents]\nmine = mine:Agent\nbroken = mine:Broken\n"
    points += "[fingertip.execution_agents]\nmine = mine:Agent\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def suggester(folder: Path) -> Iterator[IsolatedAgent]:
    with IsolatedAgent("suggestion", "mine", folder, private=()) as agent:
        yield agent


def task(scenario: str) -> SuggestionInput:
    earlier = Intent(user_id="7", time="20260101_000000", scenario="", app="a", text="闹钟")
    return SuggestionInput(
        task_id="7__1", profile=PROFILE, time=NOW, scenario=scenario, previous_intents=(earlier,),
        screenshots=(b"\xff\x00",),
    )  # fmt: skip


def test_track_1_arrives_unchanged(suggester: IsolatedAgent) -> None:
    assert (suggester.name, suggester.settings) == ("mine", {"depth": [1, {"of": 2.5}]})
    # a question mark in place of what UTF-8 cannot hold
    text = f"7__1 31 {NOW.isoformat()} ['闹钟'] {(bytes((255, 0)),)}?"
    wanted = Suggestion(text=text, seconds=0, alternatives=(("a", 0.75), ("b", 0.25)))
    found = suggester.suggest(task("home"))
    assert replace(found, seconds=0) == wanted
    # the agent says -0.5
    assert found.seconds > 0


@pytest.mark.parametrize(
    ("scenario", "kind", "message"),
    [
        ("exit", ModelError, "the agent failed: SystemExit: bye"),
        ("end", ModelError, "the agent's process ended"),
        ("endpoint", EndpointError, "the model is down"),
        ("nothing", ModelError, "the agent gave no suggestion"),
        ("number", ModelError, "the agent gave no valid answer: suggestion.text"),
        ("lines", ModelError, "the agent gave no valid answer: suggestion"),
    ],
)
def test_a_failure_is_of_one_task_alone(
    scenario: str, kind: type[FingerTipError], message: str, suggester: IsolatedAgent
) -> None:
    with pytest.raises(kind) as failed:
        suggester.suggest(task(scenario))
    assert str(failed.value).startswith(message)
    assert type(failed.value) is kind
    assert suggester.suggest(task("home")).text


def test_nothing_of_a_process_is_left_for_a_later_one(folder: Path) -> None:
    with IsolatedAgent("suggestion", "mine", folder, private=()) as agent:
        pid = int(agent.suggest(task("stay")).text)
        assert agent.suggest(task("size")).text == "0"
        with pytest.raises(ModelError):
            agent.suggest(task("end"))
        # one that is killed stays in the table until it is waited for, by whoever inherits it
        while (status := Path(f"/proc/{pid}/stat")).exists() and " Z " not in status.read_text():
            time.sleep(0.01)
        assert agent.suggest(task("size")).text == "0"


def test_track_2_arrives_unchanged(folder: Path) -> None:
    reference = ReferenceSequence(episode_id="7__0", intent="i", similarity=0.5, actions=("wait()",))
    query = ExecutionInput(
        task_id="7__1", profile=PROFILE, intent="i", app="a", time=NOW, scenario="", reference=reference
    )
    screen = ScreenInput(screenshot=bytes(range(256)), tree=None, size=(1, 2), package="")
    clicked, typed = "\"x\n'),", Type(text="中")
    past = [
        PastStep(action=LongClick(x=1, y=2.5, content=clicked), written="w", output="o"),
        PastStep(action=typed, written="w", output="o", thought="t"),
    ]
    with IsolatedAgent("execution", "mine", folder, private=()) as agent:
        decision = agent.act(query, screen, past)
        assert decision.seconds not in (0, 0.25), "measured, and not the agent's word"
        assert replace(decision, seconds=0.0) == Decision(
            output="('wait()',) (1, 2)", actions=(Click(x=1, y=2.5, content=clicked), typed), queries=1
        )
    with pytest.raises(ModelError, match="the agent is closed"):
        agent.act(query, screen, past)


@pytest.mark.parametrize(
    ("track", "name", "message"),
    [
        ("suggestion", "broken", "could not be loaded from mine:Broken: ValueError: no weights"),
        ("execution", "broken", "the agent broken is of track 1"),
    ],
)
def test_an_agent_that_cannot_be_made_says_why(track: Track, name: str, message: str, folder: Path) -> None:
    with pytest.raises(FingerTipError, match=message):
        IsolatedAgent(track, name, folder, private=())


def test_what_the_agent_could_read_is_refused(folder: Path, tmp_path: Path) -> None:
    check_isolation(folder, [tmp_path])
    link = tmp_path / "link"
    link.symlink_to(folder)
    for private in (folder / "secret", folder, link / "secret", Path(sys.prefix) / "x", Path("/usr/share/x")):
        with pytest.raises(UsageError, match="an isolated agent may read"):
            check_isolation(folder, [tmp_path, private])
