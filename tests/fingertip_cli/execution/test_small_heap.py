"""The heap of a process with many simulated phones."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

TOUCHED = """\
import sys
from threading import Thread
from fingertip_cli.execution.small_heap import keep_heap_small

def read_megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6

if sys.argv[1] == "small":
    assert keep_heap_small()

def work():
    # a picture that is freed raises the library's own limit; the ones after it are then kept
    bytearray(24 << 20)
    kept = [bytearray(2 << 20) for _ in range(8)]
    pins = [bytes(1000) for _ in kept]
    del kept
    held.append(pins)

held = []
before = read_megabytes()
for _ in range(8):
    threads = [Thread(target=work) for _ in range(4)]
    [one.start() for one in threads]
    [one.join() for one in threads]
print(read_megabytes() - before)
"""
"""Threads that draw pictures and keep small things between them; prints the megabytes that stay."""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the heap is that of the GNU C library")
def test_freed_pictures_go_back_to_the_system() -> None:
    command = [sys.executable, "-c", TOUCHED, "small"]
    kept = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert kept < 8
