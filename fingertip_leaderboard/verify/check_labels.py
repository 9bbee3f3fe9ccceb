"""Who says that a task is done, or that an intent is the same: labels, and a judge's verdicts read again."""

from __future__ import annotations

from collections.abc import Mapping

from fingertip_leaderboard.bundle.bundle_files import LABELS, VERDICTS
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import JudgeRecord, VerdictLine
from fingertip_leaderboard.verify.confusables import what_hides
from fingertip_leaderboard.verify.moments import Clock
from fingertip_metrics.judges.lexical import LexicalJudge
from fingertip_metrics.judges.llm import LONGEST_INTENT
from fingertip_metrics.judges.prompt import code_of, prompt_sha256, read_verdict
from fingertip_metrics.judges.verdicts import majority
from fingertip_models.messages import Language

LANGUAGES: tuple[Language, ...] = ("zh", "en")

RaterPair = tuple[str, str]


def check_labels(read: ReadBundle, clock: Clock, found: Refusals) -> None:
    """Refuses labels of nobody's task or attempt, two of one rater for one task, and raters in disguise."""
    attempts = {numbered.record.task_id: numbered.record.attempt for numbered in read.executions}
    seen: dict[tuple[str, str], int] = {}
    for numbered in read.labels:
        label, line = numbered.record, numbered.line
        clock.read(label.at, LABELS, line)
        hidden = what_hides(label.rater)
        if hidden is not None:
            reason = f"expected a rater's name that is what it looks like, got {hidden}"
            found.refuse(RefusalKind.CONFUSABLE, reason, LABELS, line)
        if attempts.get(label.task_id) != label.attempt:
            reason = f"expected a label of a final attempt, got one of {label.task_id!r}, {label.attempt}"
            found.refuse(RefusalKind.WRONG_LABEL, reason, LABELS, line)
        first = seen.setdefault((label.task_id, label.rater), line)
        if first != line:
            reason = f"expected one label a rater and task, got another after line {first}"
            found.refuse(RefusalKind.WRONG_LABEL, reason, LABELS, line)


def check_verdicts(read: ReadBundle, pairs: Mapping[str, RaterPair], found: Refusals) -> None:
    """Refuses verdicts that are not what the judge's raw output or rule says.

    Args:
        read: A bundle of track 1 with a judge, and a verdict a task.
        pairs: Task id -> predicted and true intent.
        found: Gets the refusals.
    """
    judge = read.bundle.judge
    if judge is None:
        return
    kind = judge.settings.get("kind")
    codes = _is_ours(judge)
    if not codes and kind != "lexical":
        found.remark(f"verdicts of {judge.name} are not of our prompt: they are taken as they are")
    for numbered in read.verdicts:
        verdict, pair = numbered.record, pairs[numbered.record.task_id]
        reason = _wrong(verdict, pair, judge, codes=codes)
        if reason:
            found.refuse(RefusalKind.WRONG_VERDICT, reason, VERDICTS, numbered.line)


def _wrong(verdict: VerdictLine, pair: RaterPair, judge: JudgeRecord, *, codes: bool) -> str:
    if not pair[0].strip():
        return "" if verdict.state == "different" else f"expected different of no intent, got {verdict.state}"
    if (verdict.state == "unscored") != bool(verdict.problem):
        return f"expected a problem of an unscored task alone, got {verdict.state}, {verdict.problem!r}"
    if verdict.votes and majority(verdict.votes) != verdict.state:
        return (
            f"expected {majority(verdict.votes)} of the votes {', '.join(verdict.votes)}, got {verdict.state}"
        )
    if judge.settings.get("kind") == "lexical":
        return _of_rule(verdict, pair, judge)
    if codes and len(pair[0]) > LONGEST_INTENT:
        return (
            ""
            if verdict.state == "different"
            else f"expected different of a text so long, got {verdict.state}"
        )
    return _of_model(verdict, pair) if codes else ""


def _of_rule(verdict: VerdictLine, pair: RaterPair, judge: JudgeRecord) -> str:
    threshold = judge.settings.get("threshold")
    if not isinstance(threshold, float) or not 0 <= threshold <= 1:
        return f"expected a threshold of 0 to 1, got {threshold!r}"
    (ours,) = LexicalJudge(threshold).judge([pair])
    return (
        ""
        if ours.state == verdict.state
        else f"expected {ours.state} by the judge's rule, got {verdict.state}"
    )


def _of_model(verdict: VerdictLine, pair: RaterPair) -> str:
    """The output is of the first vote for the state; without a majority it is of the first vote."""
    if verdict.problem in ("failed", "no majority"):
        return ""
    verdict_read = read_verdict(verdict.output, code_of(*pair))[0]
    return (
        ""
        if verdict_read == verdict.state
        else f"expected {verdict_read}, as the judge's output says, got {verdict.state}"
    )


def _is_ours(judge: JudgeRecord) -> bool:
    """Whether a model was asked with a prompt of this version, so that its answers can be read again."""
    prompt = judge.settings.get("prompt")
    digest = prompt.get("sha256") if isinstance(prompt, dict) else None
    return judge.settings.get("kind") == "model" and digest in [prompt_sha256(one) for one in LANGUAGES]
