"""The command of an attached agent: started for a task, ended with it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from execution_runner.devices.adb_client import find_adb
from fingertip_agents.prompts.placeholders import EXECUTION_PLACEHOLDERS
from fingertip_dataset.errors import DeviceError, UsageError
from fingertip_dataset.similar_names import did_you_mean, find_similar_name

END_SECONDS = 5.0
"""Seconds that a command has to end after SIGTERM, before it is killed."""


_GUARD = 'read -r rest; kill -KILL "-$1"'
"""Shell program that waits for the end of its input and then ends a process group."""

COMMAND_VALUES = (
    *("serial", "task_id", "task", "intent", "profile", "profile_sentence", "time", "place", "reference"),
    *("reference_actions", "memory", "language"),
)
"""Names in single braces that are replaced in a command."""

_VALUE = re.compile(r"\{([a-z_]{1,40})\}")

_LAUNCHER = 'read -r start && exec "$@" </dev/null'
"""Shell program that becomes the command once it has read a line; without one it ends."""


class AgentCommand:
    """A process with what it starts, in a process group of its own, which ends with it and with this process.

    Args:
        words: The program and its arguments.
        environment: Variables besides those of this process.
        on_end: Called with the exit code once it ends by itself, in a thread of its own.

    Raises:
        UsageError: The program cannot be started.
    """

    def __init__(
        self, words: Sequence[str], environment: Mapping[str, str], on_end: Callable[[int], None]
    ) -> None:
        check_command(words)
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user's own command, as words of its own
                ["/bin/sh", "-c", _LAUNCHER, "sh", *words],
                env=os.environ | {"PATH": command_path()} | dict(environment),
                stdin=subprocess.PIPE,
                stdout=_find_standard_output(),
                start_new_session=True,
            )
        except OSError as error:
            raise UsageError(
                f"the agent's command could not be started: {error.strerror}", file=words[0]
            ) from None
        # this process holds the only other end of the pipe, so even SIGKILL of it ends the guard's input
        self._guard = subprocess.Popen(  # noqa: S603
            ["/bin/sh", "-c", _GUARD, "sh", str(self._process.pid)],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        # the command does not run before it has a guard, so this process can be killed at any moment
        if self._process.stdin is not None:
            with suppress(BrokenPipeError), self._process.stdin as line:
                line.write(b"start\n")
        self._on_end = on_end
        self._stopping = False
        self._watcher = threading.Thread(target=self._watch, name="agent-command", daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        _await_exit(self._process.pid)
        self._signal(signal.SIGKILL)
        self._end_guard()
        code = self._process.wait()
        if not self._stopping:
            self._on_end(code)

    def stop(self) -> None:
        """End it with everything that it started, if any of it still runs."""
        self._stopping = True
        for sign in (signal.SIGTERM, signal.SIGKILL):
            if self._watcher.is_alive():
                self._signal(sign)
                self._watcher.join(END_SECONDS)

    def _signal(self, sign: signal.Signals) -> None:
        """Signal the group: what a script started, too."""
        # until `wait` has returned, nothing else can have the group's number
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, sign)

    def _end_guard(self) -> None:
        self._guard.kill()
        self._guard.wait()
        if self._guard.stdin is not None:
            self._guard.stdin.close()


def _await_exit(pid: int) -> None:
    """Wait for the exit of a child, and leave its status to be read."""
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def command_path() -> str:
    """PATH of an agent's command: this process's, then the folder of the adb that an extra brought."""
    path = os.environ.get("PATH", os.defpath)
    try:
        return os.pathsep.join([path, str(find_adb().parent)])
    except DeviceError:
        return path


def _find_standard_output() -> int | None:
    """Where this process prints now: its standard error, where a caller keeps standard output for JSON."""
    try:
        return sys.stdout.fileno()
    except (OSError, ValueError):  # replaced by a stream without a file
        return None


def check_command(words: Sequence[str]) -> None:
    """Refuse a command whose program is not there.

    Raises:
        UsageError: It is not.
    """
    if shutil.which(words[0], path=command_path()) is None:
        raise UsageError("the agent's command could not be started: no such program", file=words[0])


def list_values(words: Iterable[str]) -> tuple[str, ...]:
    """Return the names in single braces in the words of a command.

    >>> list_values(["agent", "--goal={intent}", "{}"])
    ('intent',)
    """
    return tuple(name for word in words for name in _VALUE.findall(word))


def check_values(words: Sequence[str]) -> None:
    """Refuse names in single braces that look like a value of a task and are none: they would stay in braces.

    Any other name in braces is text, and so is one after a dollar sign, which is a shell's.

    Raises:
        UsageError: There is one.

    >>> check_values(["sh", "-c", "agent ${task} {intent} {x}"])
    """
    others = EXECUTION_PLACEHOLDERS.keys() - set(COMMAND_VALUES)
    for name in list_values(re.sub(r"\$\{", "", word) for word in words):
        if name in COMMAND_VALUES:
            continue
        if name in others or find_similar_name(name, COMMAND_VALUES):
            meant = did_you_mean(name, COMMAND_VALUES)
            raise UsageError(
                f"the agent's command has the unknown value {{{name}}}{meant}; "
                f"known are {', '.join(COMMAND_VALUES)}"
            )


def fill_values(words: Sequence[str], values: Mapping[str, str]) -> tuple[str, ...]:
    """The words of a command with each `{name}` replaced; other braces are text.

    >>> fill_values(["agent", "--goal={intent}", "{}"], {"intent": "定闹钟"})
    ('agent', '--goal=定闹钟', '{}')
    """
    names = re.compile("{(" + "|".join(values) + ")}")
    return tuple(names.sub(lambda match: values[match[1]], word) for word in words)
