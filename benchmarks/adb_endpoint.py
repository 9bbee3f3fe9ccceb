"""Latency of screenshots and taps through the real adb, as ratios to `adb shell true`."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import adbutils

from simulated_phone.adb.phone_server import SimulatedPhoneServer
from simulated_phone.phone import Phone

ROUNDS = 30
ADB = Path(adbutils.__file__).parent / "binaries" / "adb"


def median_ms(work: Callable[[int], object]) -> float:
    """Median of `ROUNDS` calls after one warm-up call, milliseconds."""
    work(-1)
    times = []
    for number in range(ROUNDS):
        start = time.perf_counter()
        work(number)
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def measure(adb: Callable[..., object], server: SimulatedPhoneServer) -> dict[str, float]:
    """Name of an operation -> median milliseconds."""

    def new_screen(number: int) -> None:
        adb("shell", f"input tap {number * 20} 900")
        server.do(lambda phone: phone.wait(60))
        adb("exec-out", "screencap", "-p")

    device = adbutils.AdbClient(port=int(os.environ["ANDROID_ADB_SERVER_PORT"])).device(server.serial)
    return {
        "adb shell true": median_ms(lambda _: adb("shell", "true")),
        "tap": median_ms(lambda number: adb("shell", f"input tap {number * 20} 900")),
        "screenshot, unchanged screen": median_ms(lambda _: adb("exec-out", "screencap", "-p")),
        "tap and screenshot, changed screen": median_ms(new_screen),
        "raw screenshot": median_ms(lambda _: adb("exec-out", "screencap")),
        "tree": median_ms(lambda _: adb("exec-out", "uiautomator dump /dev/tty")),
        "tap by adbutils, no subprocess": median_ms(lambda number: device.click(number * 20, 900)),
    }


def main() -> None:
    """Prints each median as a ratio to `adb shell true`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        os.environ["ANDROID_ADB_SERVER_PORT"] = str(probe.getsockname()[1])
    with tempfile.TemporaryDirectory() as home, SimulatedPhoneServer(Phone()) as server:
        os.environ["HOME"] = os.environ["ANDROID_USER_HOME"] = home
        subprocess.run([ADB, "connect", server.serial], check=True, capture_output=True)

        def adb(*args: str) -> None:
            subprocess.run([ADB, "-s", server.serial, *args], check=True, capture_output=True)

        try:
            medians = measure(adb, server)
        finally:
            subprocess.run([ADB, "kill-server"], check=True, capture_output=True)
    base = medians["adb shell true"]
    print(f"{'1080x2400, the real adb':36} {'ms':>8} {'ratio':>7}")
    for name, ms in medians.items():
        print(f"{name:36} {ms:8.1f} {ms / base:7.2f}")


if __name__ == "__main__":
    main()
