"""How far long work has come: a bar on a terminal, a few plain lines elsewhere, always on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click

PARTS = 10
"""Plain lines of one stage; a stage with fewer than `MANY` has one."""

MANY = 100


class Report(Protocol):
    """Called with the stage, how many are done, of how many, and what else is worth a word."""

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """Shows it."""


@contextmanager
def progress() -> Iterator[Report]:
    """A function that shows how far each stage has come."""
    if not sys.stderr.isatty():
        yield _plain
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


def _plain(stage: str, done: int, total: int, note: str = "") -> None:
    part = done * PARTS // total > (done - 1) * PARTS // total
    if done == total or (part and total >= MANY):
        click.echo(f"{stage} {done}/{total}{f', {note}' if note else ''}", err=True)
