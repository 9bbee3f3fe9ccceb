"""Attacks on runs of a simulated phone: forged success, faults, steps and decisions, and public targets."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import (
    MODEL_CARD,
    DrawnAttempt,
    InProcessEnvironment,
    Workshop,
    carried_out,
)
from board.tests.fingertip_leaderboard.parts import Parts
from execution_runner.execution_records import STEPS
from execution_runner.execution_run import run_execution
from execution_runner.run_plan import plan_tasks
from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.registry import get_execution_agent, make_format
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.errors import DatasetError, RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.simulations import SIMULATIONS
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTask
from fingertip_dataset.times import BEIJING
from fingertip_leaderboard import RefusalKind, make_bundle, verify_bundle
from fingertip_leaderboard.verify.step_reading import blank_png
from fingertip_leaderboard.verify.verify_bundle import VerifyReport
from fingertip_runs.run_record import AgentRecord
from simulated_phone import Phone
from simulated_phone.machine.faults import ADVERTISEMENT, SCREEN_OFF
from tests.shared_datasets import manifest_again

LATER = datetime.now(UTC) + timedelta(hours=1)
GOLDEN_REMARK = "tasks were done with the person's own actions, or nearly"


def drawn_bundle(
    shop: Workshop,
    folder: Path,
    drawn: Callable[[ExecutionTask], DrawnAttempt],
    agent: AgentRecord | None = None,
) -> Path:
    """A bundle by our own command from a forged run, so that its claims are those of its lines."""
    shop.draw(folder / "run", shop.simulated, "simulated", agent or AgentRecord.of("mine", {}), drawn)
    return make_bundle(folder / "run", folder / "bundles", MODEL_CARD)


def simulations_of(shop: Workshop) -> Mapping[str, Any]:
    return BuiltDataset.open(shop.simulated).simulations()


def verified(shop: Workshop, bundle: Path) -> VerifyReport:
    return verify_bundle(bundle, shop.simulated, now=LATER)


def kinds(report: VerifyReport) -> set[RefusalKind]:
    return {problem.kind for problem in report.problems}


def label_all(parts: Parts) -> None:
    """A label of success for each attempt, by a person that nobody knows."""
    parts.labels = [
        {
            "task_id": task["task_id"],
            "attempt": task["attempt"],
            "rater": "Somebody",
            "kind": "person",
            "success": "yes",
            "at": datetime.now(BEIJING).isoformat(timespec="seconds"),
        }
        for task in parts.tasks
    ]


def test_success_left_out_with_labels_in_its_place_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    simulations = simulations_of(workshop)

    def nothing_done(task: ExecutionTask) -> DrawnAttempt:
        attempt = carried_out(simulations, task, ["finished()"])
        return DrawnAttempt(steps=attempt.steps, success=None)

    parts = Parts.read(drawn_bundle(workshop, tmp_path, nothing_done))
    label_all(parts)
    number = len(parts.tasks)
    parts.head["scores"] |= {"decided": number, "successes": number, "sr2": 1.0}
    report = verified(workshop, parts.write(tmp_path / "forged"))
    assert {RefusalKind.WRONG_SUCCESS, RefusalKind.WRONG_LABEL} <= kinds(report)
    assert report.scores is None


def test_labels_of_an_honest_run_are_left_out_of_its_bundle_and_refused_in_one(
    workshop: Workshop, tmp_path: Path
) -> None:
    parts = workshop.parts("person")
    label_all(parts)
    run = shutil.copytree(workshop.run("person"), tmp_path / "run")
    labels = "".join(json.dumps(label) + "\n" for label in parts.labels)
    (run / "labels.jsonl").write_text(labels, encoding="utf-8")
    assert verified(workshop, make_bundle(run, tmp_path / "bundles", MODEL_CARD)).accepted
    report = verified(workshop, parts.write(tmp_path / "forged"))
    assert kinds(report) == {RefusalKind.WRONG_LABEL}


def test_success_that_the_rule_does_not_give_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    """The steps, the states and the claims fit together: only the rule on the replayed phone differs."""
    simulations = simulations_of(workshop)

    def claimed(task: ExecutionTask) -> DrawnAttempt:
        attempt = carried_out(simulations, task, ["press_home()", "finished()"])
        assert attempt.success is False
        return replace(attempt, success=True)

    report = verified(workshop, drawn_bundle(workshop, tmp_path, claimed))
    assert kinds(report) == {RefusalKind.WRONG_SUCCESS}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"met": 1, "conditions": 1}, "got 1 of 1 conditions met"),
        ({"side_effects": []}, "and these side effects: none"),
        ({"answer_seen": True}, "answer seen: True"),
        (None, "the end has no progress and side effects: make the run again"),
    ],
)
def test_progress_and_side_effects_that_the_replay_does_not_give_are_refused(
    workshop: Workshop, tmp_path: Path, changed: dict[str, Any] | None, words: str
) -> None:
    """A tap on the panel's tile changes a setting that no task of these is about."""
    simulations = simulations_of(workshop)

    def meddled(task: ExecutionTask) -> DrawnAttempt:
        shown = carried_out(simulations, task, [*meddling(simulations[task.task_id]), "finished()"])
        assert shown.state is not None
        assert shown.state.side_effects
        return shown

    bundle = drawn_bundle(workshop, tmp_path, meddled)
    assert verified(workshop, bundle).accepted
    parts = Parts.read(bundle)
    state = parts.tasks[0]["state"]
    if changed is None:
        del parts.tasks[0]["state"]
    else:
        state.update(changed)
    report = verified(workshop, parts.write(tmp_path / "forged"))
    assert RefusalKind.WRONG_STATE in kinds(report)
    assert any(words in str(problem) for problem in report.problems)


def meddling(simulation: Mapping[str, Any]) -> list[str]:
    """Actions that turn the flashlight over in the panel of quick settings."""
    size = tuple(simulation["size"])
    phone = Phone(seed=simulation["seed"], size=size)
    phone.open_panel()
    tile = next(node for node in phone.screen().nodes() if node.description == "手电筒")
    x, y = tile.box.centre
    return [
        f"scroll(coordinates=({size[0] // 2}, 2), direction='up')",
        f"click(coordinates=({x}, {y}), content='手电筒')",
    ]


def test_faults_do_not_escape_the_replay(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("person")
    parts.head["run"]["faults"] = [ADVERTISEMENT]
    report = verified(workshop, parts.write(tmp_path / "forged"))
    assert RefusalKind.CONTRADICTION in kinds(report)
    assert any("without further faults, got advertisement" in str(one) for one in report.problems)


def test_golden_actions_scored_for_others_that_were_performed_are_refused(
    workshop: Workshop, tmp_path: Path
) -> None:
    """The lines name the person's actions; the states are those of pressing home as often."""
    simulations = simulations_of(workshop)

    def dressed(task: ExecutionTask) -> DrawnAttempt:
        golden = task.target.golden_actions
        attempt = carried_out(simulations, task, ["press_home()"] * (len(golden) - 1) + ["finished()"])
        steps = [
            {**step, "action": action, "written": action, "output": action}
            for step, action in zip(attempt.steps, golden, strict=True)
        ]
        return replace(attempt, steps=steps)

    report = verified(workshop, drawn_bundle(workshop, tmp_path, dressed))
    assert kinds(report) == {RefusalKind.WRONG_STATE}


def test_golden_actions_called_unreadable_outputs_are_refused(workshop: Workshop, tmp_path: Path) -> None:
    """A wait is performed and the output is scored: it must not be an action that nobody carried out."""
    simulations = simulations_of(workshop)

    def unreadable(task: ExecutionTask) -> DrawnAttempt:
        golden = task.target.golden_actions
        attempt = carried_out(simulations, task, ["wait()"] * (len(golden) - 1) + ["finished()"])
        steps = [
            {**step, "written": action, "output": action, "problem": "expected JSON, got text"}
            for step, action in zip(attempt.steps[:-1], golden, strict=False)
        ]
        return replace(attempt, steps=[*steps, attempt.steps[-1]])

    report = verified(workshop, drawn_bundle(workshop, tmp_path, unreadable))
    assert kinds(report) == {RefusalKind.WRONG_READING}


def test_outputs_that_are_said_to_be_unreadable_are_remarked(workshop: Workshop, tmp_path: Path) -> None:
    simulations = simulations_of(workshop)

    def unreadable(task: ExecutionTask) -> DrawnAttempt:
        attempt = carried_out(simulations, task, ["wait()", "finished()"])
        waits, done = attempt.steps
        step = {**waits, "written": "I give up", "output": "I give up", "problem": "expected an action"}
        return replace(attempt, steps=[step, done])

    report = verified(workshop, drawn_bundle(workshop, tmp_path, unreadable))
    assert report.accepted
    tasks = len(plan_tasks(BuiltDataset.open(workshop.simulated)).tasks)
    assert any(remark.startswith(f"{tasks} of {2 * tasks} scored texts") for remark in report.remarks)


def test_a_run_of_golden_actions_is_accepted_with_a_remark(workshop: Workshop, tmp_path: Path) -> None:
    """A replay cannot tell it from a real run: the hidden test can."""
    report = verified(workshop, workshop.parts("person").write(tmp_path / "golden"))
    assert report.accepted
    assert any(GOLDEN_REMARK in remark for remark in report.remarks)
    honest = verified(workshop, workshop.parts("person imitated").write(tmp_path / "imitated"))
    assert not any(GOLDEN_REMARK in remark for remark in honest.remarks)


@pytest.mark.parametrize("name", ["imitate", "shortest-path-oracle"])
def test_decisions_that_a_deterministic_agent_does_not_make_are_refused(
    workshop: Workshop, tmp_path: Path, name: str
) -> None:
    """The person's actions under the name of our agent: performed, with right states and success."""
    simulations = simulations_of(workshop)
    agent = get_execution_agent(name, AgentSetup(simulations=simulations))
    record = AgentRecord.of(name, dict(agent.settings))
    report = verified(
        workshop,
        drawn_bundle(
            workshop,
            tmp_path,
            lambda task: carried_out(simulations, task, task.target.golden_actions),
            record,
        ),
    )
    assert kinds(report) == {RefusalKind.WRONG_READING}
    assert any(f"{name} decides" in str(problem) for problem in report.problems)


def test_a_run_of_a_phone_that_starts_dark_is_replayed(workshop: Workshop, tmp_path: Path) -> None:
    dataset = shutil.copytree(workshop.simulated, tmp_path / "dataset")
    lines = [json.loads(line) for line in (dataset / SIMULATIONS).read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["simulation"]["faults"] = [SCREEN_OFF]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (dataset / SIMULATIONS).write_text(text, encoding="utf-8")
    manifest_again(dataset)
    simulations = BuiltDataset.open(dataset).simulations()
    assert all(one["faults"] == [SCREEN_OFF] for one in simulations.values())
    run_execution(
        dataset, get_execution_agent("imitate"), [InProcessEnvironment(simulations)], tmp_path / "run"
    )
    bundle = make_bundle(tmp_path / "run", tmp_path / "bundles", MODEL_CARD)
    report = verify_bundle(bundle, dataset, now=LATER)
    assert [str(problem) for problem in report.problems] == []
    parts = Parts.read(bundle)
    parts.tasks[0]["success"] = not parts.tasks[0]["success"]
    forged = verify_bundle(parts.write(tmp_path / "forged"), dataset, now=LATER)
    assert RefusalKind.WRONG_SUCCESS in kinds(forged)


@pytest.mark.parametrize("listed", [False, True])
def test_a_changed_simulation_is_one_line(workshop: Workshop, tmp_path: Path, listed: bool) -> None:
    """The goal is one that no app has: the search for it ended in a StopIteration."""
    dataset = shutil.copytree(workshop.simulated, tmp_path / "dataset")
    run_execution(
        dataset,
        get_execution_agent("imitate"),
        [InProcessEnvironment(BuiltDataset.open(dataset).simulations())],
        tmp_path / "run",
    )
    bundle = make_bundle(tmp_path / "run", tmp_path / "bundles", MODEL_CARD)
    lines = [json.loads(line) for line in (dataset / SIMULATIONS).read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["simulation"]["goal"] = "a goal that no app has"
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (dataset / SIMULATIONS).write_text(text, encoding="utf-8")
    if not listed:
        with pytest.raises(DatasetError, match="it has changed since the build"):
            verify_bundle(bundle, dataset, now=LATER)
        return
    manifest_again(dataset, version=2)  # a dataset of an older version has no hash of the file
    parts = Parts.read(bundle)
    parts.head["run"]["dataset"]["data_sha256"] = BuiltDataset.open(dataset).manifest.data_sha256
    report = verify_bundle(parts.write(tmp_path / "older"), dataset, now=LATER)
    assert kinds(report) == {RefusalKind.WRONG_STATE}
    assert "has no goal 'a goal that no app has'; its goals are" in str(report.problems[0])


class Answering:
    """An agent of one of our formats whose model gives the same few outputs to every task."""

    def __init__(self, name: str, outputs: Sequence[str]) -> None:
        self.name = name
        self._form = make_format(name)
        self._outputs = outputs
        self.settings = {"prompt": self._form.version, "language": "zh", **self._form.settings}

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        answered = len({step.output for step in past})
        output = self._outputs[min(answered, len(self._outputs) - 1)]
        seen = replace(screen, screenshot=blank_png(screen.size))
        reading = self._form.prepare(task_input, seen, past, "zh").read(output)
        return Decision(
            output=output, actions=reading.actions, raw=reading.raw, problem=reading.problem, queries=1,
            prompt_tokens=900, completion_tokens=None, seconds=1e-3,
        )  # fmt: skip


OUTPUTS = {
    "autodroid": (
        '{"Finished": "No", "id": 3, "action": "tap"}',
        "I cannot",
        '{"Finished": "No", "id": 1, "action": "input", "input_text": "晴天"}',
        '{"Finished": "Yes"}',
    ),
    "appagent": (
        "Observation: a\nThought: b\nAction: tap(2)\nSummary: c",
        "Observation: a\nThought: b\nAction: grid()\nSummary: c",
        'Observation: a\nThought: b\nAction: tap(3, "center")\nSummary: c',
        "FINISH",
        "Observation: a\nThought: b\nAction: FINISH\nSummary: c",
    ),
    "generalist": ("click(coordinates=(90,200), content='x')", "I cannot", "finished()"),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_outputs_of_our_formats_are_parsed_again_on_the_replayed_screens(
    workshop: Workshop, tmp_path: Path, name: str
) -> None:
    environment = InProcessEnvironment(simulations_of(workshop))
    run_execution(workshop.simulated, Answering(name, OUTPUTS[name]), [environment], tmp_path / "run")
    bundle = make_bundle(tmp_path / "run", tmp_path / "bundles", MODEL_CARD)
    report = verified(workshop, bundle)
    assert [str(problem) for problem in report.problems] == []
    assert not any("parsed again" in remark or "could not be parsed" in remark for remark in report.remarks)
    parts = Parts.read(bundle)
    performed = {step["action"] for step in parts.tasks[0]["steps"]}
    assert len(performed) > 2
    first = parts.tasks[0]["steps"][0]
    assert first["action"] != "wait()"
    first["output"] = OUTPUTS[name][-1]  # what was performed and scored is not what the model said
    forged = verified(workshop, parts.write(tmp_path / "forged"))
    assert RefusalKind.WRONG_READING in kinds(forged)


def without_states(line: dict[str, Any]) -> None:
    line.pop("state_sha256", None)


def test_a_run_without_states_or_with_faults_cannot_be_submitted(workshop: Workshop, tmp_path: Path) -> None:
    old = shutil.copytree(workshop.run("person"), tmp_path / "old")
    lines = [json.loads(line) for line in (old / STEPS).read_text(encoding="utf-8").splitlines()]
    for line in lines:
        without_states(line)
    (old / STEPS).write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    make = partial(make_bundle, card=MODEL_CARD)
    with pytest.raises(RunError, match="run it again with `fingertip execute`"):
        make(old, tmp_path / "bundles")
    faulty = shutil.copytree(workshop.run("person"), tmp_path / "faulty")
    record = json.loads((faulty / "run.json").read_text(encoding="utf-8")) | {"faults": [ADVERTISEMENT]}
    (faulty / "run.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(RunError, match="no run with faults, got advertisement"):
        make(faulty, tmp_path / "bundles")
