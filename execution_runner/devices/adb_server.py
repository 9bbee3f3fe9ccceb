"""A private adb server, so that the user's phones and adb server stay untouched."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from execution_runner.devices.adb_client import DEADLINE, find_adb
from fingertip_dataset.errors import DeviceError

EMULATOR_PORTS = range(5554, 5586)
"""Ports on which adb servers look for emulators."""


@contextmanager
def private_adb_server(adb: Path | None = None) -> Iterator[int]:
    """Starts an adb server on a free port, yields the port, and ends the server.

    It has a key of its own, writes nothing into the user's home folder, and leaves phones on USB alone.

    Args:
        adb: The program; None for `find_adb()`.

    Raises:
        DeviceError: adb is missing, or its server does not start.
    """
    port = _free_port()
    command = [str(adb or find_adb()), "-P", str(port)]
    with tempfile.TemporaryDirectory(prefix="fingertip-adb-") as home:
        # a search for phones on USB would also delay the start by three seconds
        env = dict(os.environ, HOME=home, ANDROID_USER_HOME=home, ADB_USB="0")
        try:
            subprocess.run(  # noqa: S603 - a list of words, no shell
                [*command, "start-server"], env=env, check=True, capture_output=True, timeout=DEADLINE
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise DeviceError(f"no adb server started on port {port}: {error}") from None
        try:
            yield port
        finally:
            subprocess.run([*command, "kill-server"], capture_output=True, timeout=DEADLINE, check=False)  # noqa: S603 - the same


def _free_port() -> int:
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        if port not in EMULATOR_PORTS:
            return port
