"""Tables that `fingertip score` prints for runs through people's months, and the notes below them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rich.table import Table

from fingertip_metrics.aggregate import Interval
from fingertip_runs.cells import NONE, format_spread, text_cell
from fingertip_runs.sparing_table import SparingTable
from suggestion_runner.month.month_curves import SHARES, Grouping
from suggestion_runner.month.month_scores import MonthScores

NamedMonths = Sequence[tuple[str, MonthScores]]
"""(name of the run, its scores)."""

DAY = "day"
"""Grouping of `make_day_table`."""

HEADS: Mapping[str, str] = MappingProxyType(
    {
        "utility": "utility [95 %]",
        "hit_rate": "hits %",
        "false_trigger_rate": "false triggers %",
        "missed_rate": "missed %",
        "precision": "precision %",
        "repeat_rate": "repeats %",
        "accepted_rate": "accepted %",
    }
)
"""Name of a score -> head of its column."""

SHOWN = ("utility", "hit_rate", "false_trigger_rate", "repeat_rate", "accepted_rate")
"""Scores of the table of one run."""

COMPARED = ("utility", "false_trigger_rate", "repeat_rate")
"""Scores with a table each where several runs are compared."""

SECTIONS: Mapping[Grouping, str] = MappingProxyType(
    {
        "all": "{}",
        "part": "{}",
        "week": "days {}",
        "history": "history {}",
        "new": "{}",
        "drift": "{} of a new habit",
    }
)
"""Grouping of each section -> label of a row, into which the group's name is put."""

LABELS: Mapping[str, str] = MappingProxyType(
    {
        "all": "the whole month",
        "new": "new: history below 5",
        "known": "others",
        "week before of a new habit": "week before a new habit",
    }
)
"""Labels that are not made of a group's name."""

MONTH_WORDS = (
    "In a month in order a person's moments come one after another, and the person answers each offer",
    'They accept what they want, say "not now" to what they do at another time, and "never" to what they do '
    "not do",
    "Each person has a patience: after as many rejections on a day they ignore the day's other offers",
    "History: number of the person's earlier intents",
    "Repeats: share of the offers of what the person rejected before and does not want now. A never counts "
    "at any time after it, a not now on the same day",
    "Accepted: share of the offers that the person accepted",
)
"""Notes for every table of months."""


OF_FITTED = (
    "The agent was fitted on train_moments, which a month lives through: only test_moments are new to it"
)
"""Note on a run whose agent learned from the training part."""


def month_tables(months: NamedMonths) -> list[Table]:
    """Make the tables of runs through people's months: one of a single run, or one for each score of several.

    Args:
        months: Names and scores of the runs.
    """
    if len(months) == 1:
        return [_make_curve_table(*months[0])]
    return [_make_comparison(months, score) for score in COMPARED] if months else []


def make_day_table(name: str, month: MonthScores) -> Table:
    """Make the table of a run's scores by day of the month.

    Args:
        name: Name of the run.
        month: Its scores.
    """
    table = _open_table(f"{name} by day of the month", "day")
    for point in month.curves["day"]:
        table.add_row(*map(text_cell, [point.group, *_format_scores(point.scores), f"{point.moments:,}"]))
    return table


def describe_month(month: MonthScores) -> str:
    """Return a note on a run, without a full stop: its memory and what the people answered."""
    counts = ", ".join(f"{count:,} {answer.replace('_', ' ')}" for answer, count in month.answers.items())
    feedback = "" if month.feedback else "; agent and memory did not get them"
    return f"Memory {month.memory}. Answers of the people: {counts}{feedback}"


def label_group(grouping: Grouping, group: str) -> str:
    """Return the label of a group in a table.

    >>> label_group("history", "1 to 4"), label_group("drift", "days 1 to 3"), label_group("new", "known")
    ('history 1 to 4', 'days 1 to 3 of a new habit', 'others')
    """
    label = SECTIONS[grouping].format(group)
    return LABELS.get(label, label)


def _make_curve_table(name: str, month: MonthScores) -> Table:
    table = _open_table(f"A month in order: {name}", "moments")
    for grouping in SECTIONS:
        for point in month.curves[grouping]:
            cells = [label_group(grouping, point.group), *_format_scores(point.scores), f"{point.moments:,}"]
            table.add_row(*map(text_cell, cells))
        table.add_section()
    return table


def _open_table(title: str, first: str) -> Table:
    table = SparingTable(title=title, secondary=(HEADS["accepted_rate"], "n"))
    table.add_column(first, overflow="fold")
    for score in SHOWN:
        table.add_column(HEADS[score], justify="right", no_wrap=score == "utility")
    table.add_column("n", justify="right", no_wrap=True)
    return table


def _make_comparison(months: NamedMonths, score: str) -> Table:
    """Groups as rows, runs as columns."""
    head = HEADS[score].removesuffix(" [95 %]")
    table = Table(title=f"A month in order: {head}", title_justify="left")
    table.add_column("moments", overflow="fold")
    for name, _ in months:
        table.add_column(name, justify="right", overflow="fold")
    for grouping in SECTIONS:
        of_runs = [{point.group: point for point in month.curves[grouping]} for _, month in months]
        for group in dict.fromkeys(group for points in of_runs for group in points):
            found = [points[group].scores[score] if group in points else None for points in of_runs]
            cells = [label_group(grouping, group), *(_format_score(score, one) for one in found)]
            table.add_row(*map(text_cell, cells))
        table.add_section()
    return table


def _format_scores(scores: Mapping[str, Interval | None]) -> list[str]:
    """Cells of the table of one run: the utility with its interval, shares in percent without."""
    return [
        format_spread(scores[name]) if name == "utility" else _format_score(name, scores[name])
        for name in SHOWN
    ]


def _format_score(name: str, interval: Interval | None) -> str:
    if interval is None:
        return NONE
    return f"{100 * interval.mean:.1f}" if name in SHARES else f"{interval.mean:.3f}"
