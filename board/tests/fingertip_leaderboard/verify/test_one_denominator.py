"""Attacks on the denominator: tasks that end in an error, are not labelled or have no verdict stay in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from board.tests.fingertip_leaderboard.parts import Parts, renumber
from board.tests.fingertip_leaderboard.test_honest import LATER
from execution_runner.execution_records import ExecutionRun
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard import RefusalKind, verify_bundle
from fingertip_leaderboard.bundle.claims import make_execution_claims, make_suggestion_claims
from fingertip_leaderboard.bundle.contents import open_contents
from fingertip_leaderboard.bundle.read import read_bundle
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.score_columns import COLUMNS
from fingertip_leaderboard.space.render import _make_cell
from fingertip_leaderboard.verified_records import Score, Submission
from fingertip_leaderboard.verify.checks.check_scores import score_execution_bundle, score_suggestion_bundle
from fingertip_leaderboard.verify.restored_targets import (
    restore_execution,
    restore_suggestion_targets,
)
from fingertip_leaderboard.verify_folder import verify_folder


def claim(parts: Parts, workshop: Workshop, seed: str, place: Path) -> None:
    """Claim exactly what a verifier recomputes."""
    found = Refusals()
    with open_contents(parts.write(place), found) as contents:
        assert contents is not None
        read = read_bundle(contents, found)
    assert read is not None
    run, built = read.bundle.run, BuiltDataset.open(workshop.dataset_of(seed))
    if isinstance(run, ExecutionRun):
        claims: BaseModel = make_execution_claims(
            score_execution_bundle(read, run, restore_execution(built, run).tasks, place)
        )
    else:
        scores = score_suggestion_bundle(
            read, run, restore_suggestion_targets(built, run), workshop.embedder, place
        )
        claims = make_suggestion_claims(scores.result, "lexical", scores.sr1, scores.answers)
    parts.head["scores"] = claims.model_dump(mode="json")


def submitted(workshop: Workshop, seed: str, parts: Parts, place: Path) -> Submission:
    """The board's view of a bundle whose claims are made right."""
    claim(parts, workshop, seed, place / "claimed")
    parts.write(place / "folder" / seed)
    results = verify_folder(place / "folder", [workshop.dataset_of(seed)], now=LATER)
    assert not results.refused, results.refused
    (found,) = results.submissions
    return found


def mean(score: Score) -> float:
    assert score.mean is not None
    return score.mean


def in_error(parts: Parts, number: int, outcome: str) -> None:
    """End a task in an error before its first action; its labels are withdrawn."""
    task = parts.tasks[number]
    task.update(outcome=outcome, success=None, success_by=None, final_screenshot=None, steps=[])
    task.pop("state", None)
    parts.labels = [label for label in parts.labels if label["task_id"] != task["task_id"]]


@pytest.mark.parametrize("outcome", ["device_error", "agent_error"])
@pytest.mark.parametrize("seed", ["phone", "person"])
def test_errors_on_tasks_lower_the_scores_of_the_board(
    workshop: Workshop, seed: str, outcome: str, tmp_path: Path
) -> None:
    honest = submitted(workshop, seed, workshop.parts(seed), tmp_path / "honest")
    parts = workshop.parts(seed)
    tasks = len(parts.tasks)
    in_error(parts, 0, outcome)
    forged = submitted(workshop, seed, parts, tmp_path / "forged")
    for name in ("sr2", "sim2", "s_i"):
        assert (forged.scores[name].n, forged.scores[name].undefined) == (tasks, 0)
        assert mean(forged.scores[name]) < mean(honest.scores[name])
    if seed == "person":
        assert (forged.scores["progress"].n, forged.scores["progress"].undefined) == (tasks, 0)
        assert mean(forged.scores["progress"]) < mean(honest.scores["progress"])
    assert forged.scores["sr2"].best == mean(honest.scores["sr2"])
    assert forged.counts[outcome] == 1
    for name in ("sr2", "sim2"):
        assert None not in forged.values[name], "paired comparisons use every task"
    for rows in forged.by.values():
        assert sum(row.scores["sr2"].n for row in rows) == tasks
    column = COLUMNS["execution"][0]
    assert _make_cell(forged, column, (0.0, 1.0)).part == "at best 100.0 %"
    assert _make_cell(honest, column, (0.0, 1.0)).part == ""


def test_withdrawn_labels_count_as_not_done(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("phone")
    first = parts.tasks[0]["task_id"]
    parts.labels = [label for label in parts.labels if label["task_id"] != first]
    found = submitted(workshop, "phone", parts, tmp_path)
    tasks = len(parts.tasks)
    assert (mean(found.scores["sr2"]), found.scores["sr2"].best) == (pytest.approx(1 - 1 / tasks), 1)
    assert found.counts["not labelled"] == 1


def test_verdicts_that_are_left_out_count_as_not_done(workshop: Workshop, tmp_path: Path) -> None:
    """The judge's prompt is not ours, so that nothing but the denominator is against it."""
    honest, forged = (workshop.parts("judged") for _ in range(2))
    for parts in (honest, forged):
        parts.head["judge"]["settings"] = {"kind": "model", "prompt": "mine"}
        for number, verdict in enumerate(parts.verdicts):
            state = "same" if number % 3 == 0 else "different"
            verdict.update(state=state, problem="", output="", votes=[state])
    for verdict in forged.verdicts:
        if verdict["state"] == "different":
            verdict.update(state="unscored", problem="failed", votes=[])
    before = submitted(workshop, "judged", honest, tmp_path / "honest")
    after = submitted(workshop, "judged", forged, tmp_path / "forged")
    tasks = len(forged.verdicts)
    assert (after.scores["sr1"].n, after.scores["sr1"].undefined) == (tasks, 0)
    assert after.scores["sr1"].mean == before.scores["sr1"].mean
    assert (after.scores["sr1"].best, before.scores["sr1"].best) == (1, before.scores["sr1"].mean)
    assert after.values["sr1"] == before.values["sr1"]
    assert after.counts["without a verdict"] == sum(one["state"] == "unscored" for one in forged.verdicts)


def test_failed_queries_do_not_make_an_agent_look_cheaper(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("judged")
    parts.head["judge"]["settings"] = {"kind": "model", "prompt": "mine"}
    spent = dict(time_s=0, prompt_tokens=0, completion_tokens=0, calls=0)
    for task in parts.tasks[1:]:
        task.update(outcome="failed", predicted_intent="", output="", reasoning="", **spent)
    for verdict in parts.verdicts:
        verdict.update(state="different", problem="", output="", votes=[])
    found, first = submitted(workshop, "judged", parts, tmp_path), parts.tasks[0]
    assert found.seconds == first["time_s"]
    assert found.tokens == first["prompt_tokens"] + first["completion_tokens"]
    assert found.counts["query failed"] == len(parts.tasks) - 1
    assert found.scores["sim1"].n == len(parts.tasks)


def numbered(attempt: int, **run: object) -> Callable[[Parts], None]:
    """Gives every task that attempt number, with the labels to match, and changes the run's record."""

    def forge(parts: Parts) -> None:
        for task in parts.tasks:
            task["attempt"] = attempt
            renumber(task)
        for label in parts.labels:
            label["attempt"] = attempt
        parts.head["run"].update(run)

    return forge


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (numbered(7), "at most 3 attempts at a task with 2 retries and 1 start of the run, got attempt 7"),
        (numbered(4), "at most 3 attempts"),
        (numbered(2, retries=0), "at most 1 attempts"),
        (numbered(10, retries=8), "at most 9 attempts"),
    ],
)
def test_attempts_above_what_the_run_allows_are_refused(
    workshop: Workshop, forge: Callable[[Parts], None], reason: str, tmp_path: Path
) -> None:
    parts = workshop.parts("phone")
    forge(parts)
    report = verify_bundle(parts.write(tmp_path / "bundle"), workshop.sample, now=LATER)
    assert {problem.kind for problem in report.problems} == {RefusalKind.IMPOSSIBLE_STEPS}
    assert len(report.problems) == len(parts.tasks)
    assert all(reason in problem.reason for problem in report.problems)


@pytest.mark.parametrize("retries", [9, -1, 1_000])
def test_retries_above_the_maximum_are_refused(workshop: Workshop, retries: int, tmp_path: Path) -> None:
    parts = workshop.parts("phone")
    numbered(7, retries=retries)(parts)
    report = verify_bundle(parts.write(tmp_path / "bundle"), workshop.sample, now=LATER)
    assert not report.accepted
    assert any("retries" in problem.reason for problem in report.problems)


def test_a_run_of_many_starts_has_at_most_the_fixed_maximum(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("phone")
    sessions = parts.head["run"]["sessions"] * 60
    numbered(11, retries=8, sessions=sessions)(parts)
    report = verify_bundle(parts.write(tmp_path / "bundle"), workshop.sample, now=LATER)
    assert any("at most 10 attempts" in problem.reason for problem in report.problems)


def test_allowed_attempts_are_counted_on_the_board(workshop: Workshop, tmp_path: Path) -> None:
    parts = workshop.parts("phone")
    numbered(7, retries=6)(parts)
    found = submitted(workshop, "phone", parts, tmp_path)
    assert found.counts["more than one attempt"] == len(parts.tasks)
    assert found.counts["most attempts at a task"] == 7
    assert any("needed more than one attempt" in caveat for caveat in found.caveats)


def test_a_bundle_says_that_the_gate_stopped_an_agent_in_another_app(
    workshop: Workshop, tmp_path: Path
) -> None:
    """The names of apps are not in a bundle; the run's are in another app than the tasks'."""
    parts = workshop.parts("trouble")
    blocked = [task for task in parts.tasks if task["outcome"] == "blocked"]
    assert [task["wrong_app"] for task in blocked] == [True] * len(blocked)
    found = submitted(workshop, "trouble", parts, tmp_path)
    assert found.counts["stopped in another app"] == len(blocked)
    assert found.scores["sr2"].best == pytest.approx(1 / len(parts.tasks)), "the device error alone"
    parts.tasks[0]["wrong_app"] = True
    report = verify_bundle(parts.write(tmp_path / "forged"), workshop.sample, now=LATER)
    assert RefusalKind.WRONG_OUTCOME in {problem.kind for problem in report.problems}
