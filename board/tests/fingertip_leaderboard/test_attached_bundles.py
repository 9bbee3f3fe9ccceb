"""Bundles of attached agents: the phone's log of their inputs is repeated, and forged logs are refused."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from board.tests.fingertip_leaderboard.attached_runs import run_attached_agent
from board.tests.fingertip_leaderboard.bundle_factory import MODEL_CARD, Workshop
from board.tests.fingertip_leaderboard.parts import Parts
from fingertip_dataset.errors import RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_leaderboard import make_bundle
from fingertip_leaderboard.hub.eval_results import eval_results
from fingertip_leaderboard.ranking import make_tables
from fingertip_leaderboard.space.render import render_boards, render_submission
from fingertip_leaderboard.verify.check_bundle import check_bundle
from fingertip_leaderboard.verify.check_outcome import Embedders
from fingertip_leaderboard.verify.verify_report import VerifyReport
from fingertip_leaderboard.verify_folder import verify_folder
from fingertip_runs.input_lines import MOST_INPUTS
from simulated_phone import Phone

LATER = datetime.now(UTC) + timedelta(hours=1)
SEED = "person attached"
Lines = list[dict[str, Any]]


def verified(shop: Workshop, bundle: Path) -> VerifyReport:
    """The report of a check in this process, which is faster than one in a child."""
    return check_bundle(bundle, [BuiltDataset.open(shop.simulated)], Embedders(), LATER).report


def test_the_bundle_of_an_attached_agent_is_accepted_and_its_row_is_marked(
    workshop: Workshop, tmp_path: Path
) -> None:
    make_bundle(workshop.run(SEED), tmp_path / "bundles", MODEL_CARD)
    make_bundle(
        workshop.run("person imitated"), tmp_path / "bundles", MODEL_CARD.model_copy(update={"name": "B"})
    )
    results = verify_folder(tmp_path / "bundles", [workshop.simulated])
    assert results.refused == ()
    attached, ours = sorted(results.submissions, key=lambda one: not one.attached)
    assert (attached.attached, ours.attached) == (True, False)
    assert attached.evidence["sr2"] == "success by rule, re-run"
    assert (attached.seconds, attached.tokens) == (None, None)
    assert any("inputs that the phone saw" in remark for remark in attached.remarks)
    # other agents' steps are not derived from inputs, so they are not in one table
    tables = make_tables(results, ("execution",))
    assert [[row.submission.attached for row in table.rows] for table in tables if table.rows] in (
        [[True], [False]],
        [[False], [True]],
    )
    page = render_boards(results, tables)
    assert "Simulated phones, attached agents, " in page
    assert page.count(">attached</span>") == 1
    assert "看不出输入是哪个程序发出的" in page
    assert '<span class="ft-chip">attached</span>' in render_submission(results, tables, attached)


def test_sim2_of_an_attached_agent_is_not_sent_to_the_hub(workshop: Workshop, tmp_path: Path) -> None:
    report = verified(workshop, make_bundle(workshop.run(SEED), tmp_path, MODEL_CARD))
    assert report.bundle is not None
    found = eval_results(report.bundle, report.bundle.scores, benchmark="board/fingertip-sim")
    assert set(found.values) == {"sr2_simulated"}
    assert "attached agent mine" in found.text
    assert any(line.startswith("Sim_2: the steps of an attached agent") for line in found.left_out)


def lines_of_longest(parts: Parts) -> tuple[str, Lines]:
    """Id and inputs of the task with most inputs."""
    logs: dict[str, Lines] = {}
    for line in parts.inputs:
        logs.setdefault(line["task_id"], []).append(line)
    return max(logs.items(), key=lambda item: (len(item[1]), item[0]))


def renumber(lines: Lines) -> None:
    for number, line in enumerate(lines, start=1):
        line.update({"inputs": number - 1} if line["kind"] == "inputs_end" else {"input": number})


def drop(lines: Lines) -> None:
    del lines[1]
    renumber(lines)


def add(lines: Lines) -> None:
    lines.insert(2, {**lines[1], "at_ms": lines[1]["at_ms"] + 401})
    renumber(lines)


def swap(lines: Lines) -> None:
    lines[1], lines[2] = lines[2] | {"at_ms": lines[1]["at_ms"]}, lines[1] | {"at_ms": lines[2]["at_ms"]}
    renumber(lines)


def put(place: int, **fields: Any) -> Callable[[Lines], None]:  # noqa: ANN401 - of every type
    return lambda lines: lines[place].update(fields)


def shift(lines: Lines) -> None:
    """All times after the first a little later, as if the agent had thought longer."""
    for line in lines[1:]:
        line["at_ms"] += 500


FORGERIES: dict[str, tuple[Callable[[Lines], object], str]] = {
    "an input left out": (drop, r"input 2: .*(state|screen)"),
    "an input added": (add, r"input [23]: .*(state|screen|ends at)"),
    "inputs in another order": (swap, r"input 2: .*(state|screen)"),
    "later times": (shift, r"input 2: .*state"),
    "earlier than the phone can have been": (put(1, at_ms=0), r"input 2: at 0 ms, while .* ends at"),
    "another point": (put(0, numbers=[1, 1]), r"input 1: .*state"),
    "a point off the screen": (put(0, numbers=[9000, 9000]), r"input 1: .*state"),
    "another call": (put(0, call="hold", numbers=[5, 9, 900]), r"input 1: .*state"),
    "a key that reaches the goal by itself": (
        put(0, call="write", numbers=[]),
        r"input 1: .*not logged as itself",
    ),
    "another screen": (put(2, screen_sha256="0" * 64), r"input 3: .*another screen"),
    "another state": (put(2, state_sha256="0" * 64), r"input 3: .*leads to state"),
    "another last state": (put(-1, state_sha256="0" * 64), "ends in another state"),
    "another last time": (
        lambda lines: lines[-1].update(at_ms=lines[-1]["at_ms"] + 1),
        "ends in another state",
    ),
    "no end": (lambda lines: lines.pop(), "the log has no end"),
    "two ends": (lambda lines: lines.append(lines[-1]), "comes after the end"),
    "an end with another number": (put(-1, inputs=2), "the end names 2 inputs"),
    "numbers that jump": (put(1, input=7), "expected input 2, got input 7"),
    "an app that there is not": (
        put(0, call="start", numbers=[], words=["no.such.app"]),
        r"input 1: .*state",
    ),
    "a call without its numbers": (put(0, numbers=[]), r"input 1: .*not possible"),
    "an intent that leads nowhere": (
        put(0, call="intent", numbers=[], words=["start", "-a", "x.y"]),
        r"input 1: .*leads nowhere",
    ),
}


@pytest.mark.parametrize(("forge", "reason"), FORGERIES.values(), ids=FORGERIES)
def test_a_forged_log_is_refused_with_its_task_and_input(
    workshop: Workshop, tmp_path: Path, forge: Callable[[Lines], object], reason: str
) -> None:
    parts = workshop.parts(SEED)
    task_id, lines = lines_of_longest(parts)
    at = parts.inputs.index(lines[0])
    forged = [dict(line) for line in lines]
    forge(forged)
    parts.inputs[at : at + len(lines)] = forged
    report = verified(workshop, parts.write(tmp_path / "bundle"))
    assert [problem.kind for problem in report.problems] == ["wrong_input"]
    found = str(report.problems[0])
    assert found.startswith(("inputs.jsonl:", "steps.jsonl:"))
    assert task_id in found
    assert re.search(reason, found), found


def test_the_log_of_another_task_or_phone_is_refused(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts(SEED)
    first, second = list(dict.fromkeys(line["task_id"] for line in parts.inputs))[:2]
    for line in parts.inputs:
        line["task_id"] = {first: second, second: first}.get(line["task_id"], line["task_id"])
    found = {str(problem) for problem in verified(workshop, parts.write(tmp_path / "bundle")).problems}
    assert len(found) == 2
    assert all("input 1" in line and ("another screen" in line or "state" in line) for line in found)


def change_action(parts: Parts) -> None:
    parts.tasks[0]["steps"][0].update(action="press_back()", written="press_back()")


def drop_step(parts: Parts) -> None:
    del parts.tasks[0]["steps"][0]
    for number, step in enumerate(parts.tasks[0]["steps"], start=1):
        step["step"] = number


def add_step(parts: Parts) -> None:
    steps = parts.tasks[0]["steps"]
    steps.insert(0, {**steps[0]})
    for number, step in enumerate(steps, start=1):
        step["step"] = number


def of_tasks(**fields: Any) -> Callable[[Parts], None]:  # noqa: ANN401 - of every type
    return lambda parts: parts.tasks[0].update(fields)


def of_run(**fields: Any) -> Callable[[Parts], None]:  # noqa: ANN401 - of every type
    return lambda parts: parts.head["run"].update(fields)


def of_agent(**fields: Any) -> Callable[[Parts], None]:  # noqa: ANN401 - of every type
    return lambda parts: parts.head["run"]["agent"].update(fields)


def leave_log_out(parts: Parts) -> None:
    parts.inputs = [line for line in parts.inputs if line["task_id"] != parts.tasks[0]["task_id"]]


def fill_log(parts: Parts) -> None:
    one = parts.inputs[0]
    parts.inputs = [{**one, "input": MOST_INPUTS + 1}, *parts.inputs]


RECORDS: dict[str, tuple[Callable[[Parts], object], str, str]] = {
    "another action than the inputs": (change_action, "wrong_input", "step 1 has the action"),
    "a step left out": (drop_step, "wrong_input", "the inputs give"),
    "a step added": (add_step, "wrong_input", "inputs give"),
    "seconds of the agent": (
        lambda parts: parts.tasks[0]["steps"][0].update(agent_s=1.0),
        "wrong_input",
        "which only the agent knows",
    ),
    "success that the rule does not give": (
        lambda parts: parts.tasks[0].update(success=not parts.tasks[0]["success"]),
        "wrong_success",
        "gives success",
    ),
    "a task without its log": (leave_log_out, "missing_file", "the task has no log of inputs"),
    "no log at all": (lambda parts: parts.inputs.clear(), "contradiction", "needs log of inputs"),
    "a log that is too long": (fill_log, "out_of_range", "less than or equal"),
    "no attached agent": (of_run(attached=False), "contradiction", "is of no attached agent and has no log"),
    "retries": (of_run(retries=2), "contradiction", "has one attempt at a task"),
    "the name of one of our agents": (of_agent(name="imitate"), "contradiction", "not an attached one"),
    "settings of a model": (of_agent(settings={"model": "big"}), "contradiction", "got other settings"),
}


@pytest.mark.parametrize(("forge", "kind", "reason"), RECORDS.values(), ids=RECORDS)
def test_records_that_contradict_the_inputs_are_refused(
    workshop: Workshop, tmp_path: Path, forge: Callable[[Parts], object], kind: str, reason: str
) -> None:
    parts = workshop.parts(SEED)
    forge(parts)
    report = verified(workshop, parts.write(tmp_path / "bundle"))
    found = [problem for problem in report.problems if problem.kind == kind]
    assert found, [str(problem) for problem in report.problems]
    assert reason in found[0].reason
    assert report.scores is None


def test_a_run_without_the_logs_of_its_inputs_has_no_bundle(workshop: Workshop, tmp_path: Path) -> None:
    run = shutil.copytree(workshop.run(SEED), tmp_path / "run")
    for file in run.rglob("inputs.jsonl"):
        file.unlink()
    with pytest.raises(RunError, match="run it again with `fingertip phone`"):
        make_bundle(run, tmp_path / "bundles", MODEL_CARD)


def test_what_is_done_in_many_ways_and_beyond_the_limit_is_verified(
    workshop: Workshop, tmp_path: Path
) -> None:
    begun: list[str] = []

    def drive(phone: Phone, task: ExecutionTask) -> None:
        begun.append(task.task_id)
        phone.settings["global"]["bluetooth_on"] = "1"
        phone.command_ended()
        phone.type_text("text without a field")
        phone.press_key("KEYCODE_VOLUME_UP")
        phone.take_answer("07:30")
        for number in range(40 if len(begun) == 1 else 0):
            phone.wait(2)
            phone.tap(40 + number, 900)

    run_attached_agent(workshop.simulated, tmp_path / "run", drive)
    bundle = make_bundle(tmp_path / "run", tmp_path / "bundles", MODEL_CARD)
    report = verified(workshop, bundle)
    assert [str(problem) for problem in report.problems] == []
    outcomes = [json.loads(line) for line in (bundle / "steps.jsonl").read_text("utf-8").splitlines()]
    ends = {line["outcome"] for line in outcomes if line["kind"] == "end"}
    assert ends == {"terminated", "truncated"}


def test_an_end_that_is_the_step_beyond_the_limit_is_verified(workshop: Workshop, tmp_path: Path) -> None:
    def drive(phone: Phone, task: ExecutionTask) -> None:
        for number in range(int(task.target.step_limit)):
            phone.wait(2)
            phone.tap(40 + number, 900)
        phone.take_answer("07:30")

    run_attached_agent(workshop.simulated, tmp_path / "run", drive)
    bundle = make_bundle(tmp_path / "run", tmp_path / "bundles", MODEL_CARD)
    lines = [json.loads(line) for line in (bundle / "steps.jsonl").read_text("utf-8").splitlines()]
    assert {line["outcome"] for line in lines if line["kind"] == "end"} == {"truncated"}
    assert lines[-2]["action"] == "finished(content='07:30')"
    assert [str(problem) for problem in verified(workshop, bundle).problems] == []


def test_the_same_agent_twice_gives_the_same_log(workshop: Workshop, tmp_path: Path) -> None:
    run_attached_agent(workshop.simulated, tmp_path / "again")
    for place in workshop.run(SEED).rglob("inputs.jsonl"):
        again = tmp_path / "again" / place.relative_to(workshop.run(SEED))
        assert again.read_bytes() == place.read_bytes()


@pytest.mark.parametrize(("clock", "measured"), [("real", True), ("still", False)])
def test_copies_are_found_by_the_times_of_a_clock_that_ran(
    workshop: Workshop, tmp_path: Path, clock: str, measured: bool
) -> None:
    parts = workshop.parts(SEED)
    parts.head["run"]["agent"]["settings"] = {"clock": clock}
    place = parts.write(tmp_path / "bundle")
    checked = check_bundle(place, [BuiltDataset.open(workshop.simulated)], Embedders(), LATER)
    assert checked.report.accepted
    assert checked.answers is not None
    times = {line["task_id"]: line["at_ms"] / 1000 for line in parts.inputs if line["kind"] == "inputs_end"}
    assert checked.answers.seconds == (times if measured else dict.fromkeys(times, 0.0))
    assert any("inputs of an attached agent were repeated" in one for one in checked.report.remarks)
