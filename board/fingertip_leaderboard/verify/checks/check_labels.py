"""Check success labels, and a judge's verdicts against its raw outputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from execution_runner.scoring.success_labels import LABELS
from fingertip_dataset.errors import FingerTipError
from fingertip_leaderboard.bundle.bundle_files import BUNDLE, VERDICTS
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import JudgeRecord, VerdictLine
from fingertip_leaderboard.verify.checks.stated_moments import Clock
from fingertip_leaderboard.verify.confusables import describe_disguise
from fingertip_leaderboard.verify.kept_rules import KeptRules
from fingertip_metrics.judges import LexicalJudge, SimulatedJudge
from fingertip_metrics.judges.human_judge import HumanJudge
from fingertip_metrics.judges.judge_kinds import verdict_check
from fingertip_metrics.judges.llm import is_papers_judge
from fingertip_metrics.judges.verdicts import IntentPair, VerdictCheck, majority


def check_labels(read: ReadBundle, clock: Clock, found: Refusals) -> None:
    """Refuse labels of unknown attempts, second labels of a rater for a task, and confusable rater names."""
    attempts = {numbered.record.end.task_id: numbered.record.end.attempt for numbered in read.executions}
    seen: dict[tuple[str, str], int] = {}
    for numbered in read.labels:
        label, line = numbered.record, numbered.line
        clock.read(label.at, LABELS, line)
        if disguise := describe_disguise("a rater's name", label.rater):
            found.refuse(RefusalKind.CONFUSABLE, disguise, LABELS, line)
        if attempts.get(label.task_id) != label.attempt:
            reason = f"the label is not of a final attempt: {label.task_id!r}, attempt {label.attempt}"
            found.refuse(RefusalKind.WRONG_LABEL, reason, LABELS, line)
        first = seen.setdefault((label.task_id, label.rater), line)
        if first != line:
            reason = f"the rater has labelled this task already in line {first}"
            found.refuse(RefusalKind.WRONG_LABEL, reason, LABELS, line)


def check_verdicts(
    read: ReadBundle, pairs: Mapping[str, IntentPair], rules: KeptRules, found: Refusals
) -> None:
    """Refuse verdicts that contradict the judge's raw output or rule.

    Args:
        read: A bundle of track 1 with a judge and one verdict per task.
        pairs: Task id -> predicted and true intent.
        rules: Rules of the verifier's dataset.
        found: Collects the refusals.
    """
    judge = read.bundle.judge
    if judge is None:
        return
    simulated = None
    if judge.settings.get("kind") == SimulatedJudge.kind:
        try:
            by_goal = judge.settings.get("criterion") == "goal"
            simulated = rules.make_judge("goal" if by_goal else "goal and case")
        except FingerTipError as error:
            found.refuse(RefusalKind.WRONG_VERDICT, error.message, BUNDLE)
            return
    problems = tuple(_find_judge_problems(judge, simulated))
    for reason in problems:
        found.refuse(RefusalKind.WRONG_VERDICT, reason, BUNDLE)
    if problems:
        return
    check = simulated.check(list(pairs.values())) if simulated else verdict_check(judge.settings)
    human = judge.settings.get("kind") == HumanJudge.kind
    if check is None and not human:
        found.remark(f"verdicts of {judge.name} are not of our prompt: they are not checked")
    raters = len(_list_raters(judge)) if human else None
    for numbered in read.verdicts:
        verdict, pair = numbered.record, pairs[numbered.record.task_id]
        reason = _find_verdict_problem(verdict, pair, check)
        if not reason and raters is not None and pair[0].strip():
            reason = _find_votes_problem(verdict, raters)
        if reason:
            found.refuse(RefusalKind.WRONG_VERDICT, reason, VERDICTS, numbered.line)


def _find_judge_problems(judge: JudgeRecord, simulated: SimulatedJudge | None) -> Iterator[str]:
    """Reasons why a judge is not the one that its settings describe, or says too much of itself."""
    kind = judge.settings.get("kind")
    if kind == LexicalJudge.kind or simulated is not None:
        ours = simulated or LexicalJudge()
        if (judge.settings, judge.name, judge.why_not_comparable, judge.remark) != (
            ours.settings,
            ours.name,
            ours.why_not_comparable,
            ours.remark,
        ):
            yield (
                f"the {kind} judge of the board is {ours.name!r} with the settings {ours.settings}, got "
                f"{judge.name!r} with {judge.settings}: score the run again with `--judge {kind}`"
            )
        return
    if kind == HumanJudge.kind:
        if not _list_raters(judge):
            yield "the judge human names no raters: verdicts of people need their labels"
        for rater in _list_raters(judge):
            if disguise := describe_disguise("a rater's name", rater):
                yield disguise
    if judge.why_not_comparable is None and not is_papers_judge(judge.settings):
        yield (
            "a judge that is not a DeepSeek-V3 with our prompt says in why_not_comparable why its SR_1 "
            "cannot be compared with the paper's, got null"
        )


def _list_raters(judge: JudgeRecord) -> tuple[str, ...]:
    raters = judge.settings.get("raters")
    named = isinstance(raters, list) and all(isinstance(rater, str) and rater for rater in raters)
    return tuple(dict.fromkeys(str(rater) for rater in raters)) if named and isinstance(raters, list) else ()


def _find_votes_problem(verdict: VerdictLine, raters: int) -> str:
    """Problem of a verdict of people on an answer, which each of them labels at most once."""
    if len(verdict.votes) > raters:
        return f"{raters} raters have at most one vote each, got {len(verdict.votes)} votes"
    if verdict.state != "unscored" and not verdict.votes:
        return "a verdict of people needs their votes, got none"
    return ""


def _find_verdict_problem(verdict: VerdictLine, pair: IntentPair, check: VerdictCheck | None) -> str:
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
