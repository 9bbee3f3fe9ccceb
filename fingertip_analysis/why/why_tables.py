"""The reasons of failed attempts in words: a table per run, a line per attempt, and the notes below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fingertip_analysis.why.reasons import TITLES, AttemptReasons, Reason
from fingertip_runs.cells import run_name
from fingertip_runs.reason_counts import reason_lines, reason_table

if TYPE_CHECKING:
    from rich.table import Table

    from fingertip_analysis.why.why_scores import WhyScores


def why_table(why: WhyScores) -> Table:
    """How often each reason is the primary one, and how often it applies, in percent of all tasks."""
    failed = f"{len(why.attempts):,} of {why.tasks:,}"
    return reason_table(
        f"{run_name(why)}: why {failed} attempts failed (not in the paper)", why.counts, TITLES
    )


def why_lines(why: WhyScores) -> Iterator[str]:
    """A line per failed attempt, at most `SHOWN_TASKS`: its primary reason, then the others."""
    return reason_lines(why.attempts, _describe_attempt)


def why_notes(why: Sequence[WhyScores]) -> list[str]:
    """How the reasons were found, and what was not judged."""
    if not why:
        return []
    lines = [
        "Each failed attempt has one primary reason: the first mistake after the agent's last progress "
        "towards "
        "the goal. Rules find the reasons; on the simulated phone they replay the attempt and compare it "
        "with "
        "the known ways to the goal. A rule can be wrong: `fingertip report --why` shows the steps."
    ]
    for run in why:
        judges = sorted({attempt.by for attempt in run.attempts} - {"rule"})
        if judges:
            lines.append(f"{run_name(run)}: some primary reasons are by {', '.join(judges)}.")
        if "not_judged" in run.counts:
            lines.append(
                f"{run_name(run)}: {run.counts['not_judged'].any:,} attempts are not judged: no rule says "
                "why they failed; on phones `fingertip review --why --judge MODEL` asks a vision model."
            )
        if run.problem:
            lines.append(f"{run_name(run)}: {run.problem}")
        problems = sorted({attempt.problem for attempt in run.attempts if attempt.problem})
        if problems:
            lines.append(f"{run_name(run)}: some attempts could not be replayed, for example: {problems[0]}")
    return lines


def _describe_attempt(attempt: AttemptReasons) -> str:
    primary = attempt.primary_reason
    others = [reason for reason in attempt.reasons if reason is not primary]
    also = f"; also {', '.join(map(_describe_reason, others))}" if others else ""
    words = f" ({primary.words})" if primary.words else ""
    return f"{_describe_reason(primary)}{words}{also}"


def _describe_reason(reason: Reason) -> str:
    step = f" at step {reason.step}" if reason.step else ""
    return f"{reason.name}{step}{', recovered' if reason.recovered else ''}"
