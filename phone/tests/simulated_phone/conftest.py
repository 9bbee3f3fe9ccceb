"""Fixtures: the real adb of the adbutils wheel with a server of its own, and phones connected to it."""

from __future__ import annotations

import asyncio
import io
import os
import socket
import struct
import subprocess
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import adbutils
import pytest

from android_shell.shell.pipes import open_bytes
from android_shell.shell.shell import Shell
from execution_runner.devices.adb_server import find_free_server_port
from simulated_phone.adb.device_state import DeviceState
from simulated_phone.adb.phone_device import make_device
from simulated_phone.adb.phone_server import SimulatedPhoneServer
from simulated_phone.apps.clock import CLOCK
from simulated_phone.phone import Phone

T = TypeVar("T")
BUNDLED_ADB = Path(adbutils.__file__).parent / "binaries" / "adb"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run_line(line: str, device: DeviceState | None = None, data: bytes = b"") -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a line in the phone's shell, without adb."""
    output = {1: bytearray(), 2: bytearray()}

    async def write(stream: int, content: bytes) -> None:
        output[stream] += content

    async def run() -> int:
        shell = Shell(device or bare_device(), write, open_bytes(data))
        return await asyncio.wait_for(shell.run(line), 60)

    code = asyncio.run(run())
    return code, output[1].decode("utf-8", "replace"), output[2].decode("utf-8", "replace")


def apk(package: str) -> bytes:
    """A zip archive with a binary manifest that has nothing but the package name."""
    strings = ["manifest", "package", package]
    data = b"".join(struct.pack("<H", len(text)) + text.encode("utf-16-le") + b"\0\0" for text in strings)
    data += b"\0" * (-len(data) % 4)
    places, place = [], 0
    for text in strings:
        places.append(place)
        place += 4 + 2 * len(text)
    start = 28 + 4 * len(strings)
    pool = struct.pack("<HHI5I", 1, 28, start + len(data), len(strings), 0, 0, start, 0)
    pool += struct.pack(f"<{len(strings)}I", *places) + data
    tag = struct.pack("<HHI2I2I6H", 0x102, 16, 56, 1, 0xFFFFFFFF, 0xFFFFFFFF, 0, 20, 20, 1, 0, 0, 0)
    tag += struct.pack("<3IHBBI", 0xFFFFFFFF, 1, 2, 8, 0, 3, 2)
    manifest = struct.pack("<HHI", 3, 8, 8 + len(pool) + len(tag)) + pool + tag
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("AndroidManifest.xml", manifest)
    return archive.getvalue()


@cache
def bare_phone() -> Phone:
    """A phone that no test changes."""
    return Phone(size=(540, 1200), density=210, apps=[CLOCK])


@cache
def changed_phone() -> Phone:
    """A phone that tests change and reset."""
    return Phone(size=(540, 1200), density=210, apps=[CLOCK])


def reset(phone: Phone) -> None:
    for name in phone.faults:
        phone.set_fault(name, False)
    phone.reset()


def bare_device() -> DeviceState:
    """A phone's state with empty storage and the system's files."""
    return make_device(bare_phone())


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalPhone:
    """A phone whose shell is called in this process, without adb."""

    phone: Phone
    device: DeviceState

    def do(self, act: Callable[[Phone], T]) -> T:
        return act(self.phone)

    def shell(self, line: str, data: bytes = b"") -> tuple[int, str, str]:
        return run_line(line, self.device, data)

    def output(self, line: str, data: bytes = b"") -> str:
        """The stdout of a shell line that succeeds."""
        code, out, err = self.shell(line, data)
        assert (code, err) == (0, ""), (line, code, out, err)
        return out


@pytest.fixture
def local(caplog: pytest.LogCaptureFixture) -> Iterator[LocalPhone]:
    """A reset phone with one app; the test fails if an error is logged."""
    phone = changed_phone()
    reset(phone)
    yield LocalPhone(phone=phone, device=make_device(phone))
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


@dataclass(frozen=True, slots=True, kw_only=True)
class Adb:
    """The real adb with an adb server of its own."""

    env: dict[str, str]
    port: int

    def run(self, *args: str, timeout: float = 30, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [str(BUNDLED_ADB), *args]
        return subprocess.run(
            command, env=self.env, input=data, capture_output=True, timeout=timeout, check=False
        )

    def open(self, *args: str) -> subprocess.Popen[bytes]:
        command = [str(BUNDLED_ADB), *args]
        return subprocess.Popen(command, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)

    def state(self, serial: str) -> str:
        """The state in `adb devices`; "" if the device is not listed."""
        lines = self.run("devices").stdout.decode().splitlines()
        return next((line.split("\t")[1] for line in lines if line.startswith(serial + "\t")), "")

    def wait_for(self, serial: str, state: str, seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while (now := self.state(serial)) != state:
            assert time.monotonic() < deadline, f"expected {serial} to be {state}, got {now!r}"
            time.sleep(0.05)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rig:
    """A phone, its server, and adb connected to it."""

    adb: Adb
    server: SimulatedPhoneServer
    phone: Phone

    @property
    def serial(self) -> str:
        return self.server.serial

    def run(self, *args: str, timeout: float = 30, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return self.adb.run("-s", self.serial, *args, timeout=timeout, data=data)

    def do(self, act: Callable[[Phone], T]) -> T:
        return self.server.do(act)

    def shell(self, line: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of a shell line."""
        process = self.run("shell", line)
        return process.returncode, process.stdout.decode(), process.stderr.decode()

    def output(self, line: str) -> str:
        """The stdout of a shell line that succeeds."""
        code, out, err = self.shell(line)
        assert (code, err) == (0, ""), (line, code, out, err)
        return out


@pytest.fixture
def automator(rig: Rig) -> Iterator[Any]:
    """uiautomator2's own client; the phone answers in place of the jar that it pushes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import uiautomator2
    device = uiautomator2.connect(adbutils.AdbClient(port=rig.adb.port).device(rig.serial))
    device.settings["wait_timeout"] = 2
    yield device
    device.stop_uiautomator()


@pytest.fixture(scope="session")
def adb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Adb]:
    port, home = find_free_server_port(), str(tmp_path_factory.mktemp("adb"))
    env = dict(os.environ, ANDROID_ADB_SERVER_PORT=str(port), HOME=home, ANDROID_USER_HOME=home, ADB_USB="0")
    adb = Adb(env=env, port=port)
    adb.run("start-server")
    yield adb
    adb.run("kill-server")


@pytest.fixture(scope="session")
def connected(adb: Adb) -> Iterator[Callable[[SimulatedPhoneServer, Phone], Rig]]:
    """A function that connects adb to a started server."""
    rigs: list[Rig] = []

    def connect(server: SimulatedPhoneServer, phone: Phone) -> Rig:
        reply = adb.run("connect", server.serial).stdout.decode()
        assert reply.startswith("connected to"), reply
        rigs.append(Rig(adb=adb, server=server, phone=phone))
        return rigs[-1]

    yield connect
    for rig in rigs:
        adb.run("disconnect", rig.serial)


@pytest.fixture(scope="module")
def shared_rig(connected: Callable[[SimulatedPhoneServer, Phone], Rig]) -> Iterator[Rig]:
    phone = Phone(size=(540, 1200), density=210, apps=[CLOCK])
    with SimulatedPhoneServer(phone) as server:
        yield connected(server, phone)


@pytest.fixture
def rig(shared_rig: Rig, caplog: pytest.LogCaptureFixture) -> Iterator[Rig]:
    """A reset phone behind adb; the test fails if a service logs an error."""
    shared_rig.server.do(reset)
    yield shared_rig
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
