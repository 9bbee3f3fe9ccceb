"""Check success labels, and a judge's verdicts against its raw outputs."""

from __future__ import annotations

from collections.abc import Mapping

from execution_runner.scoring.success_labels import LABELS
from fingertip_leaderboard.bundle.bundle_files import VERDICTS
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import VerdictLine
from fingertip_leaderboard.verify.confusables import what_hides
from fingertip_leaderboard.verify.moments import Clock
from fingertip_metrics.judges.judge_kinds import verdict_check
from fingertip_metrics.judges.verdicts import IntentPair, VerdictCheck, majority


def check_labels(read: ReadBundle, clock: Clock, found: Refusals) -> None:
    """Refuse labels of unknown attempts, second labels of a rater for a task, and confusable rater names."""
    attempts = {numbered.record.end.task_id: numbered.record.end.attempt for numbered in read.executions}
    seen: dict[tuple[str, str], int] = {}
    for numbered in read.labels:
        label, line = numbered.record, numbered.line
        clock.read(label.at, LABELS, line)
        hidden = what_hides(label.rater)
        if hidden is not None:
            reason = f"a rater's name is not what it looks like: it has {hidden}"
            found.refuse(RefusalKind.CONFUSABLE, reason, LABELS, line)
        if attempts.get(label.task_id) != label.attempt:
            reason = f"the label is not of a final attempt: {label.task_id!r}, attempt {label.attempt}"
            found.refuse(RefusalKind.WRONG_LABEL, reason, LABELS, line)
        first = seen.setdefault((label.task_id, label.rater), line)
        if first != line:
            reason = f"the rater has labelled this task already in line {first}"
            found.refuse(RefusalKind.WRONG_LABEL, reason, LABELS, line)


def check_verdicts(read: ReadBundle, pairs: Mapping[str, IntentPair], found: Refusals) -> None:
    """Refuse verdicts that contradict the judge's raw output or rule.

    Args:
        read: A bundle of track 1 with a judge and one verdict per task.
        pairs: Task id -> predicted and true intent.
        found: Collects the refusals.
    """
    judge = read.bundle.judge
    if judge is None:
        return
    check = verdict_check(judge.settings)
    if check is None:
        found.remark(f"verdicts of {judge.name} are not of our prompt: they are not checked")
    for numbered in read.verdicts:
        verdict, pair = numbered.record, pairs[numbered.record.task_id]
        reason = _verdict_problem(verdict, pair, check)
        if reason:
            found.refuse(RefusalKind.WRONG_VERDICT, reason, VERDICTS, numbered.line)


def _verdict_problem(verdict: VerdictLine, pair: IntentPair, check: VerdictCheck | None) -> str:
    if not pair[0].strip():
        return (
            "" if verdict.state == "different" else f"a blank intent counts as different, got {verdict.state}"
        )
    if (verdict.state == "unscored") != bool(verdict.problem):
        return f"unscored needs a problem, and only unscored: got {verdict.state}, {verdict.problem!r}"
    if verdict.votes and majority(verdict.votes) != verdict.state:
        return (
            f"expected {majority(verdict.votes)} of the votes {', '.join(verdict.votes)}, got {verdict.state}"
        )
    return check(pair, verdict) if check else ""
