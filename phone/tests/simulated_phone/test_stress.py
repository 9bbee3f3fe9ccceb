"""Stress test of a phone in a process of its own, as `fingertip phone` runs it: memory stays bounded."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from phone.tests.simulated_phone.conftest import Adb

ROOT = Path(__file__).parents[3]
MAIN = "from fingertip_cli.main import main; main()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """A phone's process with adb connected to it."""

    adb: Adb
    process: subprocess.Popen[str]
    port: int

    @property
    def serial(self) -> str:
        return f"127.0.0.1:{self.port}"

    def run(self, *args: str) -> bytes:
        result = self.adb.run("-s", self.serial, *args, timeout=300)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def memory_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        match = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert match
        return int(match.group(1)) / 1024


@pytest.fixture
def child(adb: Adb) -> Iterator[Child]:
    if not Path("/proc/self/status").exists():
        pytest.skip("memory is read from /proc")
    command = [sys.executable, "-c", MAIN, "phone", "--size", "540x1200"]
    # with a fixed threshold the C library returns freed blocks of this size to the system
    env = dict(os.environ, PYTHONPATH=str(ROOT), MALLOC_MMAP_THRESHOLD_="65536", MALLOC_ARENA_MAX="1")
    process = subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    started = re.search(r"is on 127\.0\.0\.1:(\d+);", process.stdout.readline())
    assert started
    child = Child(adb=adb, process=process, port=int(started.group(1)))
    assert adb.run("connect", child.serial).stdout.startswith(b"connected to")
    yield child
    adb.run("disconnect", child.serial)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=120)
    assert out.endswith("the phone is off\n")
    assert (process.returncode, err) == (0, "")


def push_and_pull(child: Child, folder: Path, data: bytes) -> None:
    (folder / "there").write_bytes(data)
    child.run("push", str(folder / "there"), "/sdcard/big")
    child.run("pull", "/sdcard/big", str(folder / "back"))
    assert (folder / "back").read_bytes() == data
    child.run("shell", "rm", "/sdcard/big")


def take_screenshots(child: Child, count: int) -> None:
    for number in range(count):
        child.run("shell", f"input tap {number * 17} {number * 31}")
        assert child.run("exec-out", "screencap", "-p").endswith(b"IEND\xaeB`\x82")


@pytest.mark.parametrize(
    ("megabytes", "count", "growth_mb"),
    [
        pytest.param(6, 5, 16, marks=pytest.mark.install),
        pytest.param(30, 30, 32, marks=pytest.mark.soak),
    ],
    ids=["small", "full"],
)
def test_memory_stays_flat(
    child: Child, tmp_path: Path, megabytes: int, count: int, growth_mb: float
) -> None:
    rng = random.Random(5)  # noqa: S311
    data = rng.randbytes(megabytes * 1_000_000)
    push_and_pull(child, tmp_path, data)
    take_screenshots(child, count)
    before = child.memory_mb()
    for _ in range(3):
        push_and_pull(child, tmp_path, data)
    take_screenshots(child, count)
    assert child.memory_mb() - before < growth_mb
