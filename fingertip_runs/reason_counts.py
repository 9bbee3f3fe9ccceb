"""Counts of the reasons why tasks of a run failed, for both tracks: with intervals, and as a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from rich.table import Table

from fingertip_metrics.aggregate import Interval
from fingertip_runs.cells import format_interval, text_cell
from fingertip_runs.score_summary import share_interval

Name = TypeVar("Name", bound=str)

SHOWN_TASKS = 20
"""Most tasks whose reasons are printed; JSON and the report have all."""


class FailedTask(Protocol):
    """Task that failed, with its reasons."""

    @property
    def task_id(self) -> str:
        """The episode id."""


Failed = TypeVar("Failed", bound=FailedTask)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonCount:
    """How often a reason occurs among all tasks of a run that have ended.

    Attributes:
        primary: Number of tasks whose primary reason it is.
        any: Number of tasks to which it applies.
        share: Share of all tasks whose primary reason it is, with its interval over users.
        share_any: Share of all tasks to which it applies, with its interval over users.
    """

    primary: int
    any: int
    share: Interval
    share_any: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskReasons:
    """Names of the reasons of one task.

    Attributes:
        user_id: Id of the task's user.
        primary: The primary one; None for a success.
        names: All that apply, the primary one among them.
    """

    user_id: str
    primary: str | None = None
    names: Collection[str] = ()


def count_reasons(names: Sequence[Name], tasks: Sequence[TaskReasons]) -> dict[Name, ReasonCount]:
    """Count the reasons that occur, in the order of their names.

    Args:
        names: Names of all reasons.
        tasks: All tasks of the run that have ended, at least one; successes among them.
    """
    users = [task.user_id for task in tasks]
    counts = {}
    for name in names:
        applies = [name in task.names for task in tasks]
        primary = [task.primary == name for task in tasks]
        if any(applies):
            counts[name] = ReasonCount(
                primary=sum(primary),
                any=sum(applies),
                share=share_interval([float(one) for one in primary], users),
                share_any=share_interval([float(one) for one in applies], users),
            )
    return counts


def reason_table(title: str, counts: Mapping[Name, ReasonCount], words: Mapping[Name, str]) -> Table:
    """A row per reason: how often it is the primary one, and how often it applies, in percent of all tasks.

    Args:
        title: Title of the table.
        counts: Name of a reason -> its counts.
        words: Name of a reason -> what it means.
    """
    table = Table(title=title, title_justify="left")
    table.add_column("reason", overflow="fold")
    for head in ("primary", "% of all [95 %]", "applies", "% of all [95 %]"):
        table.add_column(head, justify="right")
    for name, count in counts.items():
        table.add_row(
            text_cell(f"{name}: {words[name]}"),
            f"{count.primary:,}",
            format_interval(count.share, decimals=1, factor=100),
            f"{count.any:,}",
            format_interval(count.share_any, decimals=1, factor=100),
        )
    return table


def reason_lines(failed: Sequence[Failed], describe: Callable[[Failed], str]) -> Iterator[str]:
    """A line per failed task, at most `SHOWN_TASKS`, and a line that says how many are left.

    Args:
        failed: The failed tasks.
        describe: Says the reasons of one.
    """
    for one in failed[:SHOWN_TASKS]:
        yield f"{one.task_id}: {describe(one)}"
    left = len(failed) - SHOWN_TASKS
    if left > 0:
        yield f"... and {left:,} more: --json has all"
