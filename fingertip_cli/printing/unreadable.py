"""Answers that cannot be read, in what `suggest` and `execute` print: as the run goes on, and at its end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from fingertip_cli.printing.progress import Report
    from fingertip_runs.unreadable_answers import AnswerCounts


def report_tasks(report: Report, stage: str, note: Callable[[], str] = lambda: "") -> dict[str, Any]:
    """Make the arguments of a run that show its progress, and how many answers could not be read so far.

    Args:
        report: Callback of `progress`.
        stage: Name of the stage.
        note: Makes another note, such as the cost so far.
    """
    unreadable = ""

    def on_unreadable(count: int) -> None:
        nonlocal unreadable
        unreadable = f"{count:,} {'answer' if count == 1 else 'answers'} unreadable"

    def on_progress(done: int, total: int) -> None:
        report(stage, done, total, ", ".join(filter(None, (note(), unreadable))))

    return {"on_progress": on_progress, "on_unreadable": on_unreadable}


def report_suggestions(report: Report, stage: str, currency: str) -> dict[str, Any]:
    """Make the arguments of a run of track 1 that show progress, cost, and what a stop waits for.

    Args:
        report: Callback of `progress`.
        stage: Name of the stage.
        currency: Currency of the cost.
    """
    cost = ""

    def on_cost(so_far: float) -> None:
        nonlocal cost
        cost = f"{so_far:.4f} {currency}"

    def on_stop(left: int) -> None:
        click.echo(f"stopping: waiting for {left} answers in progress, Ctrl-C abandons them", err=True)

    return {**report_tasks(report, stage, lambda: cost), "on_cost": on_cost, "on_stop": on_stop}


def warn_of_unreadable(counts: AnswerCounts) -> None:
    """Warn of the answers of a call that could not be read."""
    if words := counts.describe_unreadable():
        click.echo(f"warning: {words}", err=True)
