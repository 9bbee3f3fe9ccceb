"""Progress of long work on standard error: a bar on a terminal, plain lines elsewhere, as in a job's log.

On either, work that goes on says so at least once a minute: a bar counts the seconds by itself, and the plain
lines come by time. A stage has a plain line when it begins and when it ends, and the others have its rate and
the time that is left. A stage whose items nobody can count, such as loading weights, is reported with a total
of 0: it is named when it lasts.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import click

LINE_SECONDS = 50.0
"""Maximum seconds between two plain lines of a stage: with the next look less than a minute."""

FIRST_SECONDS = 10.0
"""Seconds after which a stage has its first estimate, or its name if it cannot be counted."""

LOOK_SECONDS = 2.0
"""Seconds between two looks at the clock."""


class Report(Protocol):
    """Callback with a stage, its items done, its items in total, and an optional note.

    A total of 0 is a stage that cannot be counted.
    """

    def __call__(self, stage: str, done: int, total: int, note: str = "") -> None:
        """Show the progress of the stage."""


class PlainProgress:
    """Progress as plain lines: the first and the last of each stage, an early estimate, and one by time.

    Args:
        write: Writes a line.
        clock: Returns the seconds since some moment.
    """

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._write, self._clock = write, clock
        self._lock = threading.Lock()
        self._stage, self._note = "", ""
        self._done = self._total = self._first_done = 0
        self._began = self._last = clock()
        self._estimated = False

    def report(self, stage: str, done: int, total: int, note: str = "") -> None:
        """Take the progress of a stage, and write a line if one is due."""
        with self._lock:
            now = self._clock()
            begins = stage != self._stage or total != self._total or done < self._done
            if begins:
                self._stage, self._total, self._first_done, self._began = stage, total, done, now
                self._estimated = False
            ends = done == total and (begins or self._done != total)
            self._done, self._note = done, note
            if total and (begins or ends or self._is_due(now)):
                self._write_line(now)

    def look(self) -> None:
        """Write the line of a stage that has reported nothing for a while."""
        with self._lock:
            now = self._clock()
            if self._stage and not (self._total and self._done == self._total) and self._is_due(now):
                self._write_line(now)

    def _is_due(self, now: float) -> bool:
        can_estimate = not self._total or self._done > self._first_done
        first = can_estimate and not self._estimated and now - self._began >= FIRST_SECONDS
        return first or now - self._last >= LINE_SECONDS

    def _write_line(self, now: float) -> None:
        spent, moved = now - self._began, self._done - self._first_done
        parts = [f"{self._stage} {self._done}/{self._total}" if self._total else self._stage, self._note]
        if spent >= FIRST_SECONDS:
            self._estimated = True
            if self._done < self._total and moved > 0:
                parts.append(describe_rate(moved / spent))
                parts.append(f"{describe_seconds(spent / moved * (self._total - self._done))} left")
            else:
                parts.append(
                    f"{describe_seconds(spent)} {'in all' if self._done == self._total > 0 else 'so far'}"
                )
        self._last = now
        self._write(", ".join(filter(None, parts)))


def describe_rate(rate: float) -> str:
    """Write a rate in the unit in which it is at least 1, if there is one.

    Args:
        rate: Items per second, more than 0.

    >>> describe_rate(4), describe_rate(0.2), describe_rate(0.001)
    ('4.0 per s', '12.0 per min', '3.6 per h')
    """
    unit, seconds = next(
        ((unit, seconds) for unit, seconds in (("s", 1), ("min", 60)) if rate * seconds >= 1), ("h", 3600)
    )
    return f"{rate * seconds:,.1f} per {unit}"


def describe_seconds(seconds: float) -> str:
    """A duration in words, in the unit that a reader plans by.

    >>> describe_seconds(42), describe_seconds(170), describe_seconds(9000)
    ('42 s', '3 min', '2.5 h')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


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
        with _show_plain_lines() as report:
            yield report
        return
    with _show_bar() as report:
        yield report


@contextmanager
def _show_plain_lines() -> Iterator[Report]:
    """Plain lines, with a thread that writes those of a stage that reports nothing."""
    lines, ended = PlainProgress(lambda line: click.echo(line, err=True)), threading.Event()

    def look() -> None:
        while not ended.wait(LOOK_SECONDS):
            lines.look()

    watcher = threading.Thread(target=look, daemon=True, name="fingertip-progress")
    watcher.start()
    try:
        yield lines.report
    finally:
        ended.set()
        watcher.join()


@contextmanager
def _show_bar() -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    tasks: dict[str, TaskID] = {}
    uncounted: set[str] = set()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:

        def report(stage: str, done: int, total: int, note: str = "") -> None:
            # nobody says that an uncounted stage is over but the next one, and its bar would go on
            for name in uncounted - {stage}:
                bar.remove_task(tasks.pop(name))
            uncounted.intersection_update({stage})
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total or None, count="")
            if not total:
                uncounted.add(stage)
            label = f"{stage}, {note}" if note else stage
            count = f"{done}/{total}" if total else ""
            bar.update(tasks[stage], completed=done, total=total or None, description=label, count=count)

        yield report


def _print_item(stage: str, done: int, total: int, note: str = "") -> None:
    count = f" {done}/{total}" if total else ""
    click.echo(f"{stage}{count}{f', {note}' if note else ''}", err=True)
