"""Each adb of this machine that the other tests do not use: Debian's 29, or the one that adbutils brings."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.adb_client import AdbClient, find_adb
from execution_runner.devices.adb_server import run_private_adb_server
from execution_runner.devices.doctor import examine
from fingertip_dataset.errors import ConnectionDroppedError, DeviceOfflineError
from simulated_phone import SimulatedPhoneServer
from tests.phone_bench import small_phone


def list_others() -> list[Path]:
    """The adb programs of other versions than that of `find_adb`."""
    spec = importlib.util.find_spec("adbutils")
    folders = (
        [Path(folder) / "binaries" for folder in (spec.submodule_search_locations or ())] if spec else []
    )
    folders += [Path(name) for name in os.environ.get("PATH", "").split(os.pathsep)]
    found = [shutil.which("adb", path=str(folder)) for folder in folders]
    others = {read_version(Path(name)): Path(name) for name in found if name}
    others.pop(read_version(find_adb()), None)
    return list(others.values())


def read_version(adb: Path) -> str:
    output = subprocess.run([adb, "version"], capture_output=True, check=False, text=True).stdout
    return output.splitlines()[1] if output.count("\n") > 1 else ""


@pytest.fixture(params=list_others(), ids=str)
def adb(request: pytest.FixtureRequest) -> Path:
    program: Path = request.param
    return program


@pytest.fixture
def port(adb: Path) -> Iterator[int]:
    with run_private_adb_server(adb) as port:
        yield port


def tap_often(device: AdbDevice) -> None:
    for _ in range(12):
        device.tap(1, 1)


def tap_again(device: AdbDevice) -> None:
    with suppress(ConnectionDroppedError):  # adb had not noticed yet
        device.tap(1, 1)
    device.tap(1, 1)


def test_what_drops_and_what_is_offline_is_told_from_what_the_phone_says(adb: Path, port: int) -> None:
    server = SimulatedPhoneServer(small_phone())
    with server:
        device = AdbDevice.find(server.serial, adb=adb, server_port=port, reconnect_s=1.5)
        assert device.observe().problems == ()
        server.do(lambda phone: phone.set_fault("dropped_connection", True))
        for _ in range(3):
            assert device.observe().size == (540, 1200)
        with pytest.raises(ConnectionDroppedError):
            tap_often(device)
        apps = ["com.android.deskclock", "com.nobody"]
        checks = list(examine(server.serial, apps, adb=adb, server_port=port))
        assert [check.name for check in checks if not check.ok] == ["app com.nobody"]
        server.do(lambda phone: phone.set_fault("dropped_connection", False))
    with pytest.raises(DeviceOfflineError):
        tap_again(device)
    with server:
        device.tap(1, 1)
        assert device.observe().problems == ()
        AdbClient(server.serial, adb=adb, server_port=port).disconnect()


def test_an_outage_of_the_wifi_is_waited_for(adb: Path, port: int) -> None:
    with SimulatedPhoneServer(small_phone(faults=["wifi_outage=1"])) as server:
        device = AdbDevice.find(server.serial, adb=adb, server_port=port, observe_s=5, reconnect_s=30)
        for _ in range(12):
            assert device.observe().size == (540, 1200)
        AdbClient(server.serial, adb=adb, server_port=port).disconnect()
