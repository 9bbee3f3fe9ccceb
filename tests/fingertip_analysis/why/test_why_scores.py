"""Why attempts failed: agents with known faults on real simulated phones, recordings, and drawn runs."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_run import run_execution
from execution_runner.scoring.run_scores import score_run
from fingertip_analysis.why.why_scores import WhyScores, explain_run, why_dict
from fingertip_analysis.why.why_tables import why_lines, why_notes, why_table
from fingertip_dataset import BuiltDataset
from fingertip_dataset.errors import RunError
from fingertip_studies.why_agents_fail import FAULTS, explain_runs, table
from tests.command_line import fingertip
from tests.execution_runner.players import Player, golden_ways

DrawRun = Callable[..., Path]
TASKS = 5
KNOWN_FAULTS = (
    "60 px beside, with its label",
    "scrolls at the top for ever",
    "finishes early",
    "opens another app",
    "cut answers",
    "waits twice before each step",
    "model without an answer",
)


@pytest.fixture(scope="module")
def runs(people: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, WhyScores]:
    """A run of each agent with one of the known faults."""
    out = tmp_path_factory.mktemp("runs")
    return dict(explain_runs(people, out, tasks=TASKS, names=KNOWN_FAULTS))


@pytest.mark.parametrize("name", KNOWN_FAULTS)
def test_a_known_fault_is_named(runs: dict[str, WhyScores], name: str) -> None:
    why = runs[name]
    assert why.attempts
    # not all: a tap beside a field may meet the box around it, which has the field's label
    (primary, count), *_ = Counter(attempt.primary for attempt in why.attempts).most_common()
    assert primary == FAULTS[name][0]
    assert 2 * count > len(why.attempts)
    assert why.problem == ""
    for attempt in why.attempts:
        assert attempt.problem == ""
        assert attempt.by == "rule"
        assert attempt.primary_reason.step is not None or attempt.primary == "agent_error"


def test_counts_are_of_all_tasks_with_intervals_over_users(runs: dict[str, WhyScores]) -> None:
    why = runs["finishes early"]
    count = why.counts["early_finish"]
    assert (why.tasks, count.primary, count.any) == (TASKS, len(why.attempts), len(why.attempts))
    assert (count.share.n, count.share.mean) == (TASKS, len(why.attempts) / TASKS)
    assert sum(one.primary for one in why.counts.values()) == len(why.attempts)
    assert json.loads(json.dumps(why_dict(why)))["failed"] == len(why.attempts)
    assert why_table(why).row_count == len(why.counts)
    assert len(list(why_lines(why))) == len(why.attempts)
    (note,) = why_notes([why])
    assert "one primary reason" in note


def test_the_benchmark_prints_recall_and_precision(runs: dict[str, WhyScores]) -> None:
    lines = list(table(runs))
    assert sum(name in line for line in lines for name in runs) >= len(runs)
    (cells,) = [line.split(" | ") for line in lines if line.startswith("| agent_error | ")]
    assert cells[1:3] == ["1.00", "1.00"]


def test_a_run_without_its_dataset_is_explained_by_its_steps_alone(
    runs: dict[str, WhyScores], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(runs["cut answers"].folder, run)
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    record["dataset"]["path"] = str(tmp_path / "gone")
    (run / "run.json").write_text(json.dumps(record), encoding="utf-8")
    why = explain_run(score_run(run))
    assert "the ways to the goals need the run's dataset" in why.problem
    # the person's own repeated taps before the fault look like a loop where no way is known
    (primary, count), *_ = Counter(attempt.primary for attempt in why.attempts).most_common()
    assert (primary, 2 * count > len(why.attempts)) == ("unreadable_answer", True)
    assert any("need the run's dataset" in note for note in why_notes([why]))


def test_steps_of_another_version_of_the_phone_are_said_to_be_so(
    runs: dict[str, WhyScores], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shutil.copytree(runs["finishes early"].folder, run)
    lines = [json.loads(line) for line in (run / "steps.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line["kind"] == "step":
            line["state_sha256"] = "0" * 64
    (run / "steps.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    why = explain_run(score_run(run))
    assert {attempt.primary for attempt in why.attempts} == {"not_judged"}
    assert all("another version of the simulated phone" in attempt.problem for attempt in why.attempts)


def explain_played(people: Path, ways: dict[str, list[str]], device: str, run: Path) -> WhyScores:
    """Explain a run of an agent that plays the given actions on recorded episodes."""
    with open_environments([device], BuiltDataset.open(people), split="test_execution") as environments:
        run_execution(people, Player(ways), environments, run)
    return explain_run(score_run(run))


def test_recordings_are_explained_by_the_recorded_action(tmp_path: Path, people: Path) -> None:
    golden = golden_ways(people)
    ids = list(golden)
    ways = {task: list(actions) for task, actions in golden.items()}
    ways[ids[0]] = ["finished()"]
    ways[ids[1]] = ["press_recent()"]
    why = explain_played(people, ways, "replay", tmp_path / "run")
    assert {attempt.task_id: attempt.primary for attempt in why.attempts} == {
        ids[0]: "early_finish",
        ids[1]: "off_way",
    }
    assert "the recorded action is" in why.attempts[0].primary_reason.words


def test_every_recorded_step_is_compared_in_a_teacher_forced_run(tmp_path: Path, people: Path) -> None:
    golden = golden_ways(people)
    first = next(iter(golden))
    ways = {task: list(actions) for task, actions in golden.items()}
    ways[first] = ["wait()" for _ in golden[first]]
    (attempt,) = explain_played(people, ways, "teacher-forced", tmp_path / "run").attempts
    assert (attempt.task_id, attempt.primary) == (first, "off_way")
    assert attempt.primary_reason.times == len(golden[first])


def test_on_phones_rules_speak_and_else_nobody_does(draw_run: DrawRun) -> None:
    other = [{"action": "press_home()", "package": package} for package in ("com.example", "com.other")]
    run = draw_run(
        [
            {"actions": ["press_home()", "finished()"]},
            {"actions": other},
            {"actions": ["wait()"], "outcome": "blocked", "reason": "pays"},
            {"actions": ["wait()"] * 9, "outcome": "truncated"},
            {"actions": ["press_home()", "finished()"], "task_id": "9__20250301_080000"},
        ],
        [{"task_id": "9__20250301_080000", "rater": "ann", "success": "yes"}],
        device="adb",
    )
    why = explain_run(score_run(run))
    assert [attempt.primary for attempt in why.attempts] == [
        "not_judged",
        "wrong_app",
        "blocked",
        "over_limit",
    ]
    assert all(attempt.progress_step is None for attempt in why.attempts)
    assert any("1 attempts are not judged" in note for note in why_notes([why]))


def test_a_tree_outside_the_run_is_refused(draw_run: DrawRun) -> None:
    step = {"action": "press_home()", "tree": "../secret.xml"}
    run = draw_run([{"actions": [step]}], device="adb")
    with pytest.raises(RunError, match="not within the run"):
        explain_run(score_run(run))


def test_the_page_has_a_section_with_links_to_the_steps(runs: dict[str, WhyScores], tmp_path: Path) -> None:
    done = fingertip("report", runs["finishes early"].folder, "--why", "--out", tmp_path / "report.html")
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert ">Why attempts failed<" in page.partition('<h2 id="why">')[2].partition("</h2>")[0]
    assert page.count('class="why" href="#task-') >= 1
    done = fingertip("report", runs["finishes early"].folder, "--out", tmp_path / "report.html")
    assert 'id="why"' not in (tmp_path / "report.html").read_text(encoding="utf-8")
