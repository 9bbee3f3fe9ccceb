"""An agent of either track whose code runs in a sandboxed process; ours sends inputs and reads answers."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread, Timer
from typing import IO, Self

from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.errors import ActionSyntaxError, ModelError, UsageError
from fingertip_dataset.tasks.task import ExecutionInput, SuggestionInput
from fingertip_dataset.track import Track
from fingertip_leaderboard.agent_process.agent_lines import (
    MOST_BYTES,
    AgentHello,
    AgentQuery,
    AgentReply,
    AgentStart,
    PastLine,
    read_line,
    write_line,
)
from fingertip_leaderboard.agent_process.sandbox import SYSTEM, why_no_sandbox
from fingertip_leaderboard.package_folders import find_package_folders

KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES")
"""Variables of the environment that the agent's process gets."""

LONGEST_S = 1800.0
"""Seconds that the agent has for an answer, and to be made."""

MOST_ERRORS = 1 << 20
"""Maximum number of bytes of what a process prints that are kept."""


class IsolatedAgent:
    """A `SuggestionAgent` and an `ExecutionAgent`, by its track.

    The process gets inputs of tasks over a pipe, an environment of a few variables and an empty folder of its
    own. It can open no other file than programs, libraries and the folder of its package, look into no other
    process, and make no connection. A process that has ended is started again with the next query. Seconds of
    answers are measured here; tokens are the agent's own count.

    Args:
        track: Track of the agent.
        name: Name of its entry point.
        folder: Folder that it and its data are installed in, as `pip install --target FOLDER` does.
        private: Files and folders that it must not see.

    Raises:
        UsageError: The system has no sandbox, or the agent could see something of `private`.
        ModelError: The agent cannot be loaded.
    """

    def __init__(self, track: Track, name: str, folder: Path, *, private: Sequence[Path]) -> None:
        check_isolation(folder, private)
        self._folder = Path(tempfile.mkdtemp(prefix="agent-"))
        readable, listed = _list_packages(folder.resolve())
        self._start = AgentStart(
            track=track,
            name=name,
            folder=str(folder.resolve()),
            readable=list(map(str, readable)),
            listed=list(map(str, listed)),
            writable=[str(self._folder)],
        )
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._closed = False
        try:
            hello = self._start_process()
        except BaseException:
            self.close()
            raise
        self.name: str = hello.name
        self.settings: Mapping[str, object] = hello.settings

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """The agent's suggestion.

        Raises:
            ModelError: The agent fails or gives no valid answer, or its process ends.
        """
        reply, seconds = self._reply(AgentQuery(suggestion=task_input))
        suggestion = reply.suggestion
        if suggestion is None:
            raise ModelError("the agent gave no suggestion")
        history = suggestion.history_answer
        # the measured seconds are of both models
        history = history and replace(history, seconds=0.0)
        return replace(suggestion, seconds=seconds, first_token_s=None, history_answer=history)

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """The agent's decision.

        Raises:
            ModelError: The agent fails or gives no valid decision, or its process ends.
        """
        query = AgentQuery(execution=task_input, screen=screen, past=[PastLine.of(step) for step in past])
        reply, seconds = self._reply(query)
        line = reply.decision
        if line is None:
            raise ModelError("the agent gave no decision")
        try:
            return replace(line.decision, seconds=seconds)
        except ActionSyntaxError as error:
            raise ModelError(f"the agent gave no valid decision: {error.message}") from None

    def close(self) -> None:
        """End the process and remove its folder."""
        # a phone's thread may still ask
        self._closed = True
        self._end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _reply(self, query: AgentQuery) -> tuple[AgentReply, float]:
        """The answer and the seconds that it took."""
        # the agent answers one query at a time, also to several phones
        with self._lock:
            if self._closed:
                raise ModelError("the agent is closed")
            if self._process is None:
                self._start_process()
            try:
                began = time.perf_counter()
                line = self._exchange(write_line(query))
                seconds = time.perf_counter() - began
                reply = read_line(AgentReply, line)
            except BaseException:
                # what it writes later would be taken for the next answer
                self._end()
                raise
        if reply.failure is not None:
            raise reply.failure.error
        return reply, seconds

    def _start_process(self) -> AgentHello:
        environment = {name: value for name in KEPT if (value := os.environ.get(name)) is not None}
        own = {
            # not `sys.path`, which may have the working directory, too
            "PYTHONPATH": os.pathsep.join(map(str, find_package_folders())),
            "HOME": str(self._folder),
            "TMPDIR": str(self._folder),
        }
        # a file of its own: the size of a common one would tell a later process what this one has seen
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-s", "-m", "fingertip_leaderboard.agent_process.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=environment | own | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"},
            cwd=self._folder,
            # an interrupt is for our process, which ends this one and what it started
            start_new_session=True,
        )
        Thread(target=_end_group, args=(self._process.pid,), daemon=True).start()
        hello = read_line(AgentHello, self._exchange(write_line(self._start)))
        if hello.failure is not None:
            raise hello.failure.error
        return hello

    def _exchange(self, line: bytes) -> bytes:
        """Send a line and read the one that answers it."""
        process, answer = self._process, b""
        if process is not None and process.stdin is not None and process.stdout is not None:
            late = Timer(LONGEST_S, os.killpg, (process.pid, signal.SIGKILL))
            late.start()
            with suppress(OSError):
                process.stdin.write(line)
                process.stdin.flush()
                answer = process.stdout.readline(MOST_BYTES)
            late.cancel()
        if not answer.endswith(b"\n"):
            too_long = len(answer) >= MOST_BYTES
            raise ModelError(
                f"the agent's answer has over {MOST_BYTES:,} bytes"
                if too_long
                else "the agent's process ended"
            )
        return answer

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        for stream in (process.stdin, process.stdout):
            # a query that was not read may still be in the buffer
            with suppress(OSError):
                if stream is not None:
                    stream.close()
        process.wait()
        errors, self._errors = self._errors, None
        if errors is not None:
            with errors:
                errors.seek(0)
                sys.stderr.write(errors.read(MOST_ERRORS).decode("utf-8", "replace"))


def _end_group(leader: int) -> None:
    """Wait until a process ends, and end its group: one that it started would keep its pipes open."""
    with suppress(OSError):
        # it is reaped elsewhere, so that nobody else gets its number before
        os.waitid(os.P_PID, leader, os.WEXITED | os.WNOWAIT)
        os.killpg(leader, signal.SIGKILL)


def _list_packages(folder: Path) -> tuple[list[Path], list[Path]]:
    """List the places that the process may read to import packages, and those whose names it may list."""
    readable = [folder, *(Path(place).resolve() for place in {sys.prefix, sys.base_prefix, sys.exec_prefix})]
    # a virtual environment knows its interpreter by links
    readable.append(Path(sys.executable).resolve().parent)
    listed = []
    for place in find_package_folders():
        if any(place.is_relative_to(known) for known in readable):
            continue
        # such as a checkout, whose other folders may be anybody's
        listed.append(place)
        readable += [one for one in place.iterdir() if one.suffix == ".py" or (one / "__init__.py").is_file()]
        readable += place.glob("*.dist-info")
    return readable, listed


def check_isolation(folder: Path, private: Sequence[Path]) -> None:
    """Check that an agent in a folder can be isolated from private files and folders.

    Raises:
        UsageError: The system has no sandbox, or the agent could see something of `private`.
    """
    why = why_no_sandbox()
    if why is not None:
        raise UsageError(
            f"this system cannot isolate an agent: {why}. Without --agent-path an installed agent runs "
            "beside the targets, and its row says so"
        )
    readable, listed = _list_packages(folder.resolve())
    seen = [place.resolve() for place in (*map(Path, SYSTEM), *readable, *listed)]
    for path in (one.resolve() for one in private):
        place = next((place for place in seen if path.is_relative_to(place)), None)
        if place is not None:
            raise UsageError(f"an isolated agent may read {place}, so it could see this: move it", file=path)
