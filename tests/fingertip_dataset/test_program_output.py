"""Programs that print or run without end."""

from __future__ import annotations

import subprocess
import time

import pytest

from fingertip_dataset.program_output import OutputTooLong, run_program


def test_both_streams_and_the_status_are_returned() -> None:
    done = run_program(["sh", "-c", "echo out; echo err >&2; exit 3"], seconds=20)
    assert (done.stdout, done.stderr, done.returncode) == (b"out\n", b"err\n", 3)


def test_a_megabyte_on_each_stream_is_read() -> None:
    script = "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2"
    done = run_program(["sh", "-c", script], seconds=20)
    assert (len(done.stdout), len(done.stderr)) == (10**6, 10**6)


@pytest.mark.parametrize("script", ["exec sleep 60", "exec >&- 2>&-; sleep 60"])
def test_what_does_not_end_is_killed(script: str) -> None:
    began = time.monotonic()
    with pytest.raises(subprocess.TimeoutExpired):
        run_program(["sh", "-c", script], seconds=0.2)
    assert time.monotonic() - began < 20


def test_what_prints_without_end_is_killed() -> None:
    with pytest.raises(OutputTooLong):
        run_program(["yes"], seconds=60)


def test_a_missing_program_is_an_error_of_the_system() -> None:
    with pytest.raises(FileNotFoundError):
        run_program(["/none/adb"], seconds=1)
