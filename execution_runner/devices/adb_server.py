"""A private adb server, so that the user's phones and adb server stay untouched."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from execution_runner.devices.adb_client import DEADLINE, find_adb
from fingertip_dataset.errors import DeviceError

SERVER_PORTS = range(20_000, 30_000)
"""Ports for private servers: kernels hand out higher ones (Linux from 32768), adb has emulators on lower."""

STARTS = 3
"""Tries to start a server, each on another port: two processes may still draw the same one."""

_WATCH = """
read -r _ && exit
for _ in 1 2 3 4; do "$0" -P "$1" kill-server 2>&1 | grep -q "cannot connect" || break; sleep 0.5; done
rm -rf -- "$2"
"""
"""Shell program that ends a server (adb, port, home folder) once its input ends without a line."""


@contextmanager
def run_private_adb_server(adb: Path | None = None) -> Iterator[int]:
    """Starts an adb server on a free port, yields the port, and ends the server.

    It has a key of its own, writes nothing into the user's home folder, and leaves phones on USB alone. If
    this process is killed, the server ends as well.

    Args:
        adb: The program; None for `find_adb()`.

    Raises:
        DeviceError: adb is missing, or its server does not start.
    """
    program = str(adb or find_adb())
    with ExitStack() as running:
        for started in range(1, STARTS + 1):
            try:
                port = running.enter_context(_start_server(program))
                break
            except (OSError, subprocess.SubprocessError) as error:
                if isinstance(error, subprocess.CalledProcessError) and started < STARTS:
                    continue
                raise DeviceError(f"the adb server did not start: {_reason(error)}", file=program) from None
        yield port


@contextmanager
def _start_server(program: str) -> Iterator[int]:
    """A server on one port; CalledProcessError if adb refuses, as it does on a port that became taken."""
    port = find_free_server_port()
    with (
        tempfile.TemporaryDirectory(prefix="fingertip-adb-", ignore_cleanup_errors=True) as home,
        _end_with_this_process(program, port, home),
    ):
        # a search for phones on USB would also delay the start by three seconds
        env = dict(os.environ, HOME=home, ANDROID_USER_HOME=home, ADB_USB="0")
        # a process group of its own, as the server's: Ctrl-C in the terminal must not reach them
        subprocess.run(  # noqa: S603 - a list of words, no shell
            [program, "-P", str(port), "start-server"],
            env=env, check=True, capture_output=True, timeout=DEADLINE, process_group=0,
        )  # fmt: skip
        yield port


def _reason(error: OSError | subprocess.SubprocessError) -> str:
    """Why adb did not start its server, without the port, which is another one at each try."""
    if isinstance(error, subprocess.CalledProcessError):
        words = " ".join(error.stderr.decode(errors="replace").split())
        return f"adb ended with exit code {error.returncode}" + (f", {words[-200:]!r}" if words else "")
    if isinstance(error, subprocess.TimeoutExpired):
        return f"adb did not end within {DEADLINE:g} s"
    return getattr(error, "strerror", None) or str(error)


@contextmanager
def _end_with_this_process(program: str, port: int, home: str) -> Iterator[None]:
    # a session of its own: Ctrl-C in the terminal must not end it before the server
    with subprocess.Popen(  # noqa: S603 - a fixed program; what varies is passed as arguments
        ["/bin/sh", "-c", _WATCH, program, str(port), home],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as watcher:  # fmt: skip
        try:
            yield
        finally:
            # a server that an interrupted start brings up a moment later is left to the watcher
            half = not _kill_server(program, port) and isinstance(sys.exception(), KeyboardInterrupt)
            watcher.communicate(None if half else b"\n")


def _kill_server(program: str, port: int) -> bool:
    """End the server of a port; False if none answers, which adb counts as success."""
    done = subprocess.run(  # noqa: S603 - a list of words, no shell
        [program, "-P", str(port), "kill-server"], capture_output=True, timeout=DEADLINE, check=False
    )
    return b"cannot connect" not in done.stderr


def find_free_server_port() -> int:
    """A port of `SERVER_PORTS` on which nothing listens now."""
    for port in random.sample(SERVER_PORTS, 200):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise DeviceError(f"no free port for an adb server in {SERVER_PORTS.start} to {SERVER_PORTS.stop - 1}")
