"""Plain lines of progress: the last of a stage, one soon if it lasts, and at least one a minute."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_cli.printing.progress import LINE_SECONDS, LOOK_SECONDS, PlainProgress


class Watched:
    """Progress with a clock that the test sets, and its lines with their times."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[tuple[float, str]] = []
        self.progress = PlainProgress(lambda line: self.lines.append((self.now, line)), lambda: self.now)

    def wait(self, seconds: float) -> None:
        """Let time go by, in which the thread of a command looks at the clock."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + LOOK_SECONDS)
            self.progress.look()

    @property
    def texts(self) -> list[str]:
        return [line for _, line in self.lines]


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_a_short_stage_has_its_first_and_its_last_line(watched: Watched) -> None:
    for done in range(13):
        watched.progress.report("tasks answered", done, 12)
    assert watched.texts == ["tasks answered 0/12", "tasks answered 12/12"]
    watched.wait(300)
    assert len(watched.lines) == 2, "a stage that is over says nothing"


def test_a_stage_that_was_done_before_has_one_line(watched: Watched) -> None:
    watched.progress.report("tasks answered", 12, 12)
    watched.progress.report("tasks answered", 12, 12)
    assert watched.texts == ["tasks answered 12/12"]


def test_a_slow_item_is_waited_for_in_words(watched: Watched) -> None:
    watched.progress.report("tasks finished", 0, 4)
    watched.wait(125)
    watched.progress.report("tasks finished", 1, 4, "0.01 USD")
    watched.wait(60)
    for done in (2, 3, 4):
        watched.progress.report("tasks finished", done, 4)
    assert watched.texts == [
        "tasks finished 0/4",
        "tasks finished 0/4, 50 s so far",
        "tasks finished 0/4, 2 min so far",
        "tasks finished 1/4, 0.01 USD, 23.8 per h, 8 min left",
        "tasks finished 4/4, 3 min in all",
    ]


def test_a_stage_without_a_count_is_named_once_it_lasts(watched: Watched) -> None:
    watched.progress.report("loading the weights", 0, 0)
    watched.wait(4)
    watched.progress.report("tokenizing", 0, 0)
    watched.wait(62)
    watched.progress.report("steps trained", 0, 9)
    assert watched.texts == ["tokenizing, 10 s so far", "tokenizing, 1 min so far", "steps trained 0/9"]


def test_a_resumed_stage_estimates_by_what_this_call_has_done(watched: Watched) -> None:
    watched.progress.report("tasks answered", 90, 100)
    watched.wait(20)
    for done in range(91, 96):
        watched.progress.report("tasks answered", done, 100)
    watched.wait(50)
    assert watched.texts == [
        "tasks answered 90/100",
        "tasks answered 91/100, 3.0 per min, 3 min left",
        "tasks answered 95/100, 4.3 per min, 1 min left",
    ]


def test_the_first_estimate_of_steady_work_comes_soon(watched: Watched) -> None:
    watched.progress.report("steps trained", 0, 2000)
    for done in range(1, 2001):
        watched.wait(1)
        watched.progress.report("steps trained", done, 2000)
    assert watched.texts[:3] == [
        "steps trained 0/2000",
        "steps trained 9/2000, 54.0 per min, 37 min left",
        "steps trained 59/2000, 59.0 per min, 33 min left",
    ]
    assert watched.texts[-1] == "steps trained 2000/2000, 33 min in all"


@given(st.lists(st.tuples(st.integers(0, 300).filter(lambda n: n != 1), st.floats(0, 200)), max_size=30))
def test_work_that_goes_on_speaks_at_least_once_a_minute(stages: list[tuple[int, float]]) -> None:
    watched = Watched()
    for number, (total, seconds) in enumerate(stages):
        watched.progress.report(f"stage {number}", 0, total)
        watched.wait(seconds)
        watched.progress.report(f"stage {number}", total // 2, total)
        watched.wait(seconds)
    times = [0.0, *(time for time, _ in watched.lines), watched.now]
    assert max(later - before for before, later in pairwise(times)) <= 60
    assert LINE_SECONDS + LOOK_SECONDS < 60


def test_a_command_off_a_terminal_speaks_while_it_is_busy_in_one_call() -> None:
    """The thread, not the stage, watches the clock; the limits are shortened for the test."""
    code = (
        "import time; from fingertip_cli.printing import progress as p;"
        "p.LOOK_SECONDS = 0.01; p.FIRST_SECONDS = 0.05; p.LINE_SECONDS = 0.05\n"
        "with p.progress() as report:\n"
        "    report('loading the weights', 0, 0); time.sleep(0.5)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(done.stderr.splitlines()) >= 2
    assert all(line.startswith("loading the weights") for line in done.stderr.splitlines())


def test_a_terminal_has_a_bar_that_counts_the_seconds() -> None:
    code = (
        "import time; from fingertip_cli.printing.progress import progress\n"
        "with progress() as report:\n"
        "    report('loading the weights', 0, 0); time.sleep(1.3); report('steps trained', 1, 9, 'x')"
    )
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", code], stderr=theirs, env={**os.environ, "COLUMNS": "80"}):
        os.close(theirs)
        shown = b""
        with open(ours, "rb", buffering=0) as terminal:  # noqa: PTH123 - a descriptor
            try:
                while part := terminal.read(4096):
                    shown += part
            except OSError:
                # the other end is closed
                pass
    assert "loading the weights" in shown.decode()
    assert "0:00:01" in shown.decode()
    assert "steps trained, x" in shown.decode()
