"""The private adb server ends with its process, also when that is killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from execution_runner.devices.adb_client import AdbClient, find_adb
from execution_runner.devices.adb_server import SERVER_PORTS, STARTS, run_private_adb_server
from fingertip_dataset.errors import DeviceError

HOLD = """
import sys
from execution_runner.devices.adb_server import run_private_adb_server
with run_private_adb_server() as port:
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
        port = int(process.stdout.readline())
        assert listens(port)
        assert list(tmp_path.glob("fingertip-adb-*"))
        process.kill()
    end = time.monotonic() + 120
    while (listens(port) or list(tmp_path.glob("fingertip-adb-*"))) and time.monotonic() < end:
        time.sleep(0.05)
    assert not listens(port)
    assert list(tmp_path.glob("fingertip-adb-*")) == []


@pytest.mark.parametrize("after", [0.0, 0.05])
def test_ctrl_c_while_the_server_starts_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: float
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    program = tmp_path / "adb"
    program.write_text(
        f'#!/bin/sh\n[ "$3" = start-server ] && echo $2 > {tmp_path}/port.new && '
        f'mv {tmp_path}/port.new {tmp_path}/port\nexec {find_adb()} "$@"\n'
    )
    program.chmod(0o755)
    code = HOLD.replace("run_private_adb_server()", f"run_private_adb_server({str(program)!r})")
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        end = time.monotonic() + 120
        while not (tmp_path / "port").exists() and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(after)
        os.killpg(process.pid, signal.SIGINT)
        process.wait(60)
    assert not listens(int((tmp_path / "port").read_text()))


def test_a_command_after_the_end_of_the_server_starts_no_other() -> None:
    with run_private_adb_server() as port:
        client = AdbClient("127.0.0.1:1", server_port=port)
    with suppress(DeviceError):
        client.disconnect()
    assert not listens(port)


def test_the_server_ends_with_its_context() -> None:
    with run_private_adb_server() as port:
        assert listens(port)
    assert not listens(port)


def failing_adb(folder: Path, failures: int) -> Path:
    """An adb whose first starts of a server fail, as they do on a port that became taken."""
    program = folder / "adb"
    program.write_text(
        f"""#!/bin/sh
if [ "$3" = start-server ]; then
  echo >> {folder}/starts
  test "$(wc -l < {folder}/starts)" -gt {failures} || {{ echo "error: protocol fault" >&2; exit 255; }}
fi
exec {find_adb()} "$@"
"""
    )
    program.chmod(0o755)
    return program


def test_a_server_that_cannot_have_its_port_starts_on_another(tmp_path: Path) -> None:
    with run_private_adb_server(failing_adb(tmp_path, failures=STARTS - 1)) as port:
        assert port in SERVER_PORTS
        assert listens(port)
    assert not listens(port)


def test_a_server_that_never_starts_is_an_error_with_adbs_words(tmp_path: Path) -> None:
    with (
        pytest.raises(
            DeviceError, match="did not start: adb ended with exit code 255, 'error: protocol fault'"
        ),
        run_private_adb_server(failing_adb(tmp_path, failures=STARTS)),
    ):
        pass
    assert len((tmp_path / "starts").read_text().splitlines()) == STARTS
