"""An agent's command ends with all that it started, however the runner ends."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from queue import SimpleQueue

import pytest

from execution_runner.attached.agent_command import AgentCommand, check_command
from fingertip_dataset.errors import UsageError

SECONDS = 60
"""Upper bound of a wait, which ends with its condition."""


class Alive:
    """A named pipe that everything started with it as file 9 holds open, so its end is their end."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "alive"
        os.mkfifo(self.path)
        self._reader = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        fcntl.fcntl(self._reader, fcntl.F_SETFL, 0)

    def started(self) -> str:
        """One line that a holder wrote."""
        found = b""
        while not found.endswith(b"\n"):
            found += os.read(self._reader, 1)
        return found.decode().strip()

    def await_end(self) -> None:
        """Return once nobody holds it."""
        while os.read(self._reader, 4096):
            pass


@pytest.fixture
def alive(tmp_path: Path) -> Alive:
    return Alive(tmp_path)


def script(alive: Alive, *, then: str, child: str = "sleep 600") -> tuple[str, ...]:
    """A script that leaves a process behind, which says that it runs."""
    return ("sh", "-c", f"exec 9>{alive.path}; ({child}) & echo runs >&9; {then}")


def test_what_a_command_leaves_behind_ends_before_its_end_is_told(alive: Alive) -> None:
    # opened for writing first: the pipe has no end until the command has opened it, too
    ends: SimpleQueue[int] = SimpleQueue()
    with alive.path.open("w") as held:
        command = AgentCommand(script(alive, then="exit 3"), {}, ends.put)
        assert alive.started() == "runs"
        held.close()
        assert ends.get(timeout=SECONDS) == 3
    alive.await_end()
    command.stop()


def test_stop_ends_a_group_that_ignores_sigterm(alive: Alive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("execution_runner.attached.agent_command.END_SECONDS", 0.1)
    ends: SimpleQueue[int] = SimpleQueue()
    with alive.path.open("w") as held:
        deaf = "trap '' TERM; while :; do sleep 600; done"
        command = AgentCommand(script(alive, child=deaf, then=deaf), {}, ends.put)
        assert alive.started() == "runs"
        held.close()
        command.stop()
    alive.await_end()
    assert ends.empty()


RUNNER = """
import json, signal, sys
from execution_runner.attached.agent_command import AgentCommand
command = AgentCommand(json.loads(sys.argv[1]), {}, print)
signal.pause()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_an_agent_ends_with_a_killed_runner(alive: Alive, number: signal.Signals) -> None:
    words = json.dumps(script(alive, then="wait"))
    with alive.path.open("w") as held, subprocess.Popen([sys.executable, "-c", RUNNER, words]) as runner:
        assert alive.started() == "runs"
        held.close()
        runner.send_signal(number)
    alive.await_end()


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="could not be started: no such program"):
        check_command([str(tmp_path / "no-such")])
    check_command(["sh"])
