"""Progress of long work on standard error: a bar on a terminal, a few plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click

PARTS = 10
"""Number of plain lines of a stage; a stage of fewer than `MANY` items has one."""

MANY = 100
"""Number of items from which on a stage has several plain lines."""


class Report(Protocol):
    """Callback with a stage, its items done, its items in total, and an optional note."""

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """Show the progress of the stage."""


@contextmanager
def progress(*, with_questions: bool = False) -> Iterator[Report]:
    """Yield a function that shows the progress of each stage.

    Args:
        with_questions: Whether the command also asks questions on the terminal: then every item has a plain
            line, because a bar would overwrite the questions.
    """
    if with_questions:
        yield _print_item
        return
    if not sys.stderr.isatty():
        yield _print_part
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tasks = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:

        def report(stage: str, done: int, total: int, note: str = "") -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            label = f"{stage}, {note}" if note else stage
            bar.update(tasks[stage], completed=done, total=total, description=label)

        yield report


def _print_item(stage: str, done: int, total: int, note: str = "") -> None:
    click.echo(f"{stage} {done}/{total}{f', {note}' if note else ''}", err=True)


def _print_part(stage: str, done: int, total: int, note: str = "") -> None:
    part_complete = done * PARTS // total > (done - 1) * PARTS // total
    if done == total or (part_complete and total >= MANY):
        _print_item(stage, done, total, note)
