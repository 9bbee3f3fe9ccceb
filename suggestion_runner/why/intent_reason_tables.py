"""The reasons of failed answers in words: a table per run, a line per answer, and the notes below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fingertip_runs.cells import run_name
from fingertip_runs.reason_counts import reason_lines, reason_table
from suggestion_runner.why.intent_reasons import INTENT_TITLES, NOT_ASKED, AnswerReasons

if TYPE_CHECKING:
    from rich.table import Table

    from suggestion_runner.why.why_suggestions import WhySuggestions


def why_table(why: WhySuggestions) -> Table:
    """How often each reason is the primary one, and how often it applies, in percent of all tasks."""
    failed = f"{len(why.attempts):,} of {why.tasks:,}"
    return reason_table(
        f"{run_name(why)}: why {failed} answers failed (not in the paper)", why.counts, INTENT_TITLES
    )


def why_lines(why: WhySuggestions) -> Iterator[str]:
    """A line per failed answer, at most `SHOWN_TASKS`: its primary reason, then the others."""
    return reason_lines(why.attempts, _describe_answer)


def why_notes(why: Sequence[WhySuggestions]) -> list[str]:
    """How the reasons were found, and what was not judged."""
    if not why:
        return []
    lines = [
        "Each failed answer has one primary reason: the first one of the table that applies. For simulated "
        "people, rules find the reasons from the person's goals and earlier intents. A rule can be wrong: "
        "`fingertip report --why` shows the answers."
    ]
    for run in why:
        lines.append(f"{run_name(run)}: right or wrong by judge {run.success}.")
        judges = sorted({answer.by for answer in run.attempts} - {"rule"})
        if judges:
            lines.append(f"{run_name(run)}: some primary reasons are by {', '.join(judges)}.")
        if "not_judged" in run.counts:
            number = run.counts["not_judged"].any
            lines.append(
                f"{run_name(run)}: {number:,} answers are not judged, for example: {_explain_rest(run)}."
            )
    return lines


def _explain_rest(why: WhySuggestions) -> str:
    """The words of one of the answers that are not judged."""
    words = next(answer.reasons[0].words for answer in why.attempts if answer.primary == "not_judged")
    return f"{words}; `fingertip score --why --judge MODEL` asks one" if words == NOT_ASKED else words


def _describe_answer(answer: AnswerReasons) -> str:
    primary, *others = answer.reasons
    words = f" ({primary.words})" if primary.words else ""
    also = f"; also {', '.join(reason.name for reason in others)}" if others else ""
    return f"{primary.name}{words}{also}"
