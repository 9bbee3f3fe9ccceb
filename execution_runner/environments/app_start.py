"""Start of an attempt: the task's app is launched before the first screen, or the home screen is shown.

The paper launches the app (A.4), so that the first screenshot basically tells which it is (5.3). It is
launched as by a tap on its icon: it comes up as it was left, and nothing of it is closed. The home screen is
where a run with that start begins, and every task of the launcher, of the system's own windows and of the
collector.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol

from execution_runner.devices.window_state import SYSTEM_UI
from execution_runner.execution_records import StartRecord
from fingertip_dataset.errors import AppStartError
from fingertip_dataset.release.settings import Start
from fingertip_runs.app_rules import PackageRules, Rules, matches

COLLECTOR = "com.example.fingertip"
"""Package of the app with which the authors' participants recorded."""

START_SECONDS = 15.0
"""Longest wait for the window of a launched app."""
POLL_SECONDS = 0.3


class LaunchingDevice(Protocol):
    """Device that can launch apps: the part of a `Device` that a launch uses."""

    def start_app(self, package: str) -> None:
        """Launches an app; raises an AppStartError if it is not installed."""

    def foreground(self) -> str:
        """Package of the window that has the focus; "" if the phone reports none."""


def find_home_reason(app: str) -> str:
    """Why a task of the app begins on the home screen, in words; "" if it begins in the app.

    Args:
        app: Package of the task's app, with or without an activity; "" if unknown.

    >>> find_home_reason("com.miui.home"), find_home_reason("com.tencent.mm")
    ('the app is the home screen', '')
    """
    package = _read_package(app)
    if not package:
        return "the task names no app"
    if package == COLLECTOR:
        return "the app is the collector"
    if package == SYSTEM_UI:
        return "the app is the system's own"
    return "the app is the home screen" if matches(package, _default_packages().launchers) else ""


def begin_at_home(reason: str = "") -> StartRecord:
    """The record of an attempt that begins on the home screen.

    Args:
        reason: Why a task does so in a run whose tasks begin in their app; "" in a run that begins there.
    """
    return StartRecord(at="home", reason=reason)


def launch_app(
    device: LaunchingDevice,
    app: str,
    *,
    limit_s: float = START_SECONDS,
    pause: Callable[[float], None] = time.sleep,
) -> StartRecord:
    """Launches an app and waits for its window, or for a dialog that asks for one of its permissions.

    Args:
        device: The phone, awake, with the home screen shown.
        app: Package of the app, with or without an activity.
        limit_s: Longest wait for its window, seconds.
        pause: Waits that many seconds.

    Raises:
        AppStartError: The app is not installed, or another one is in front at the end of the wait.
        DeviceError: The phone cannot be reached.
    """
    package = _read_package(app)
    device.start_app(package)
    until = time.monotonic() + limit_s
    while True:
        front = device.foreground()
        if front == package or matches(front, _default_packages().confirmed):
            return StartRecord(at="app", app=package, found=front)
        if time.monotonic() >= until:
            raise AppStartError(
                f"{package} was launched and did not come up within {limit_s:g} s: "
                f"{front or 'no window'} is in front"
            )
        pause(POLL_SECONDS)


def choose_start(start: Start, app: str) -> StartRecord | None:
    """The record of an attempt that begins on the home screen; None if its app is to be launched.

    Args:
        start: Start of the run.
        app: App of the task.
    """
    if start == "home":
        return begin_at_home()
    reason = find_home_reason(app)
    return begin_at_home(reason) if reason else None


def _read_package(app: str) -> str:
    """The package of an app as a release writes it: with or without an activity, spaces around it or not."""
    return app.partition("/")[0].strip()


@lru_cache(maxsize=1)
def _default_packages() -> PackageRules:
    return Rules.default().packages
