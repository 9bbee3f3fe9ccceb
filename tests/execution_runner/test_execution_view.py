"""The view of track 2: what any agent is handed, what is recorded of it, and runs of earlier prompts."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts, read_run
from execution_runner.execution_run import ExecutionOutcome, run_execution
from execution_runner.execution_view import (
    EQUATION_2,
    HIDDEN_PARTS,
    MORE_PARTS,
    ExecutionView,
    HiddenPart,
)
from execution_runner.run_plan import plan_tasks
from execution_runner.scoring.run_scores import score_run
from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_dataset.actions import Finished, Wait
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionInput


class Witness:
    """Agent that keeps all that it is handed, and ends the task."""

    name = "witness"

    def __init__(self, **settings: object) -> None:
        self.settings = settings
        self.seen: list[tuple[ExecutionInput, ScreenInput]] = []

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        self.seen.append((task_input, screen))
        return Decision(output="finished()", actions=(Finished(),))


Run = Callable[..., ExecutionOutcome]


@pytest.fixture
def run(simulated_dataset: Path, tmp_path: Path) -> Run:
    """Function that runs an agent on one recorded task."""
    built = BuiltDataset.open(simulated_dataset)
    task = next(task for task in plan_tasks(built).tasks if task.input.reference)

    def make(agent: Witness, device: str = "replay", **options: Any) -> ExecutionOutcome:  # noqa: ANN401 - of run_execution
        with open_environments([device], built) as environments:
            return run_execution(
                simulated_dataset,
                agent,
                environments,
                tmp_path / "run",
                task_ids=[task.task_id],
                resume=True,
                **options,
            )

    return make


def test_an_agent_is_handed_the_terms_of_equation_2_alone(run: Run, tmp_path: Path) -> None:
    agent = Witness()
    run(agent)
    ((task_input, screen),) = agent.seen
    assert (task_input.app, task_input.time, task_input.scenario) == ("", None, "")
    assert task_input.reference is not None
    assert task_input.reference.intent == ""
    assert task_input.reference.actions
    assert task_input.profile != UserProfile()
    assert (screen.package, screen.tree is None) == ("", False)
    (attempt,) = read_attempts(tmp_path / "run")
    # the log and the scores know the app in front all the same
    assert attempt.steps[0].package
    assert json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))["more"] == []


def test_a_run_names_what_it_adds_and_hides(run: Run, tmp_path: Path) -> None:
    agent = Witness()
    run(agent, view=ExecutionView(more=("package", "time", "place"), without=("reference", "tree")))
    ((task_input, screen),) = agent.seen
    assert task_input.time is not None
    assert (bool(task_input.scenario), bool(screen.package)) == (True, True)
    assert (task_input.reference, screen.tree, task_input.app) == (None, None, "")
    record = read_run(tmp_path / "run")
    assert (record.more, record.without) == (("time", "place", "package"), ("reference", "tree"))
    (attempt,) = read_attempts(tmp_path / "run")
    assert attempt.end.reference_id is None
    caveats = score_run(tmp_path / "run").caveats
    assert "the agent gets time, place, package: the paper's agents do not (equation 2)" in caveats
    assert "without reference, tree: the paper's agents get it" in caveats
    with pytest.raises(RunError, match=r"in --with: time,place,package in the folder, .*; --without: "):
        run(agent)


class Waiter(Witness):
    """Agent that waits, and keeps the number of past actions that it is handed."""

    def __init__(self) -> None:
        super().__init__(prompt_text="file a", prompt_fields={"ours": [], "lacks": ["past actions"]})
        self.past: list[int] = []

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        self.past.append(len(past))
        return Decision(output="wait()", actions=(Wait(),))


@pytest.mark.parametrize("hidden", [(), ("past",)])
def test_past_actions_can_be_hidden(run: Run, tmp_path: Path, hidden: tuple[HiddenPart, ...]) -> None:
    agent = Waiter()
    run(agent, "teacher-forced", view=ExecutionView(without=hidden))
    (attempt,) = read_attempts(tmp_path / "run")
    assert len(attempt.steps) > 2
    assert agent.past == [0 if hidden else number for number in range(len(attempt.steps))]
    caveats = score_run(tmp_path / "run").caveats
    assert ("without past: the paper's agents get it" in caveats) == bool(hidden)
    assert any("leaves out past actions" in caveat for caveat in caveats) != bool(hidden)


def test_a_run_of_the_earlier_prompts_is_told_so_and_kept(run: Run, tmp_path: Path) -> None:
    run(Witness())
    file = tmp_path / "run" / "run.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    del record["more"]
    file.write_text(json.dumps(record), encoding="utf-8")
    before = {path: path.read_bytes() for path in file.parent.rglob("*") if path.is_file()}
    assert read_run(file.parent).more == MORE_PARTS
    with pytest.raises(RunError, match="begun with the earlier prompts, which show time,place,") as refused:
        run(Witness())
    assert "\n" not in str(refused.value)
    assert "--with time,place,reference-intent,package continues it, or give another" in str(refused.value)
    with pytest.raises(RunError, match="as well: finish it with the release that began it, or"):
        run(Witness(prompt="2 (task 2)"))
    assert {path: path.read_bytes() for path in before} == before
    assert any("the agent gets time" in caveat for caveat in score_run(file.parent).caveats)
    assert run(Witness(), view=ExecutionView(more=MORE_PARTS)).done_before == 1


def test_a_prompt_file_with_a_hidden_part_is_refused_before_the_run(run: Run, tmp_path: Path) -> None:
    agent = Witness(prompt_text="file a.txt", prompt_fields={"adds": ["time", "app"]})
    with pytest.raises(UsageError, match=r"the prompt \(file a.txt\) has \{time\}.*: add --with time, or"):
        run(agent)
    assert not (tmp_path / "run").exists()
    assert run(agent, view=ExecutionView(more=("time", "package"))).queried == 1


@given(more=st.sets(st.sampled_from(MORE_PARTS)), without=st.sets(st.sampled_from(HIDDEN_PARTS)))
def test_a_view_has_one_spelling_and_shows_nothing_twice(more: set[Any], without: set[Any]) -> None:
    if "reference" in without and "reference-intent" in more:
        with pytest.raises(UsageError, match="the intent of a hidden reference cannot be shown"):
            ExecutionView(more=more, without=without)
        return
    view = ExecutionView(more=more, without=without)
    assert view == ExecutionView(more=sorted(more), without=sorted(without, reverse=True))
    assert (view == EQUATION_2) == (not more and not without)
    screen = ScreenInput(screenshot=b"", tree="<a/>", size=(1, 1), package="com.a")
    assert view.show_screen(view.show_screen(screen)) == view.show_screen(screen)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"more": ("app",)}, "expected to show time, place, reference-intent, package, got 'app'"),
        ({"without": ("time",)}, "expected to hide profile, reference, tree, past, got 'time'"),
    ],
)
def test_an_unknown_part_is_refused(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        ExecutionView(**parts)
