"""State of the windows by `dumpsys window`: the app in front, and whether the display is on and locked."""

from __future__ import annotations

import re
from dataclasses import dataclass

SYSTEM_UI = "com.android.systemui"

_DISPLAY = re.compile(r"^\s*Display: mDisplayId=(\d+)", re.MULTILINE)
_SECTION = re.compile(r"^WINDOW MANAGER ", re.MULTILINE)
_FOCUS = re.compile(r"mCurrentFocus=Window\{(\S+) u\d+ ([^}]+)\}")
_FOCUSED_APP = re.compile(r"mFocusedApp=\S*ActivityRecord\{\S+ u\d+ ([^\s/}]+)/")
# the name of the flag differs between Android versions and vendors
_LOCKED = re.compile(
    r"\b(mShowingLockscreen|mDreamingLockscreen|isStatusBarKeyguard|isKeyguardShowing|m?KeyguardShowing|mIsShowing)=true\b"
)
_AWAKE = re.compile(r"\bmAwake=(true|false)\b")
_WAKEFULNESS = re.compile(r"\bmWakefulness=(\w+)")
_PACKAGE_LINES = 4
"""Number of lines below a window's own within which its package stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowState:
    """The state of one display.

    Attributes:
        package: Package of the window that has the focus; "" if the phone reports none.
        awake: Whether the display is on; None if the phone does not report it.
        locked: Whether the lock screen is shown, or would be with the display on.
    """

    package: str
    awake: bool | None
    locked: bool


def read_window_state(text: str, *, display: int = 0) -> WindowState:
    """The state of a display from the output of `dumpsys window`.

    With several displays (a mirrored screen, a car) each has a focus of its own, and the one of the display
    that is driven counts. Android before version 10 reports one focus for all.

    Args:
        text: The output.
        display: Id of the display; 0 is the built-in one.

    >>> read_window_state("  mCurrentFocus=Window{1a u0 com.example/.Main}").package
    'com.example'
    """
    own = _select_display(text, display)
    awake = _AWAKE.search(text)
    return WindowState(
        package=_parse_package(text, own),
        awake=None if awake is None else awake[1] == "true",
        locked=_LOCKED.search(text) is not None,
    )


def is_asleep(power: str) -> bool:
    """Whether the output of `dumpsys power` says that the display is off; False if it does not say."""
    found = _WAKEFULNESS.search(power)
    return found is not None and found[1] in ("Asleep", "Dozing")


def _select_display(text: str, display: int) -> str:
    """The part of the output about a display; all of it if the phone does not tell displays apart."""
    starts = list(_DISPLAY.finditer(text))
    for number, start in enumerate(starts):
        if int(start[1]) == display:
            end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
            section = _SECTION.search(text, start.end(), end)
            return text[start.start() : section.start() if section else end]
    return text


def _parse_package(text: str, own: str) -> str:
    found = _FOCUS.findall(own)
    if not found:
        return ""
    window, name = found[-1]
    package = str(name).partition("/")[0].rpartition(":")[2]
    if "/" in name:
        return package
    # a popup is named after its class and a number: its owner is in the list of windows
    if ":" in name:
        return _parse_owner(text, window) or _parse_focused_app(own) or SYSTEM_UI
    # windows of the system, such as NotificationShade, are named without a package
    return package if "." in package else SYSTEM_UI


def _parse_owner(text: str, window: str) -> str:
    """Package of the app that owns a window."""
    found = re.search(
        rf"Window #\d+ Window\{{{re.escape(window)} .*(?:\n.*){{0,{_PACKAGE_LINES}}}?\bpackage=(\S+)", text
    )
    return found[1] if found else ""


def _parse_focused_app(own: str) -> str:
    found = _FOCUSED_APP.findall(own)
    return str(found[-1]) if found else ""
