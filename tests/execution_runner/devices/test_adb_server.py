"""The private adb server ends with its process, also when that is killed."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from execution_runner.devices.adb_server import private_adb_server

HOLD = """
import sys
from execution_runner.devices.adb_server import private_adb_server
with private_adb_server() as port:
    print(port, flush=True)
    sys.stdin.read()
"""


def listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=60).close()
    except ConnectionRefusedError:
        return False
    return True


def test_the_server_of_a_killed_process_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        assert listens(port)
        assert list(tmp_path.glob("fingertip-adb-*"))
        process.kill()
    end = time.monotonic() + 120
    while (listens(port) or list(tmp_path.glob("fingertip-adb-*"))) and time.monotonic() < end:
        time.sleep(0.05)
    assert not listens(port)
    assert list(tmp_path.glob("fingertip-adb-*")) == []


def test_the_server_ends_with_its_context() -> None:
    with private_adb_server() as port:
        assert listens(port)
    assert not listens(port)
