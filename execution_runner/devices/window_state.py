"""State of the windows by `dumpsys window`: the app in front, and whether the display is on and locked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

SYSTEM_UI = "com.android.systemui"

# every repetition is limited: a phone may print megabytes of anything
_DISPLAY = re.compile(r"^[ \t]*Display: mDisplayId=(\d+)", re.MULTILINE)
_SECTION = re.compile(r"^WINDOW MANAGER ", re.MULTILINE)
_FOCUS = re.compile(r"mCurrentFocus=Window\{(\S{1,40}) u\d+ ([^}\n]{1,400})\}")
# an AppWindowToken holds the record of its activity up to Android 10
_FOCUSED_APP = re.compile(r"mFocusedApp=[^\n]{0,200}?ActivityRecord\{\S{1,40} u\d+ ([^\s/}]{1,400})/")
_COMPONENT = re.compile(r"(?:\S+:)?([a-zA-Z]\w*(?:\.\w+)+)/[\w.$]+(?: EXITING)?")
_STARTING = re.compile(r"(?:Splash Screen|Starting) ([a-zA-Z]\w*(?:\.\w+)+)")
# the name of the flag differs between Android versions and vendors
_LOCKED = re.compile(
    r"\b(mShowingLockscreen|mDreamingLockscreen|isStatusBarKeyguard|isKeyguardShowing|m?KeyguardShowing|mIsShowing"
    r"|KeyguardServiceDelegate\s{1,20}showing)=true\b"
)
_AWAKE = re.compile(r"\bmAwake=(true|false)\b")
_WAKEFULNESS = re.compile(r"\bmWakefulness=(\w+)")
_WINDOW = re.compile(r"^ +Window #\d+ Window\{(\S{1,40}) ", re.MULTILINE)
_MOST_CHARACTERS = 4 * 2**20
"""Characters of the output that are read; real ones have half a million."""

_OWNER = re.compile(r"\bpackage=(\S+)")
_OWN_DISPLAY = re.compile(r"\bm?[dD]isplayId=(\d+)")
_SURFACE = re.compile(r"\bmHasSurface=(true|false)")
_FLAGS = re.compile(r"\sfl=(#[0-9a-f]{1,8}|[A-Z][A-Z0-9_ |]*)")
_SECURE_BIT = 0x2000
"""FLAG_SECURE of Android's WindowManager.LayoutParams; up to version 8 flags are printed as a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowState:
    """The state of one display.

    Attributes:
        package: Package of the window that has the focus; "" if the phone reports none.
        awake: Whether the display is on; None if the phone does not report it.
        locked: Whether the lock screen is shown, or would be with the display on.
        secure: Whether a window that is drawn forbids screenshots (FLAG_SECURE); None if the phone does not
            report flags.
    """

    package: str
    awake: bool | None
    locked: bool
    secure: bool | None = None


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
    text = text[:_MOST_CHARACTERS]
    own = _select_display(text, display)
    awake = _AWAKE.search(text)
    windows = list(_read_windows(text))
    return WindowState(
        package=_parse_package(own, {window.token: window.package for window in windows}),
        awake=None if awake is None else awake[1] == "true",
        locked=_LOCKED.search(text) is not None,
        secure=_find_secure([window for window in windows if window.display in (None, display)]),
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
            # Android 9 lists the displays, and the focus once, behind them
            behind = _SECTION.search(text, starts[-1].end())
            if text.find("mCurrentFocus=", starts[0].start(), behind.start() if behind else None) < 0:
                return text
            return text[start.start() : section.start() if section else end]
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    """A window in the list of `dumpsys window`; None for what is not reported."""

    token: str
    package: str
    display: int | None
    drawn: bool | None
    secure: bool | None


def _read_windows(text: str) -> Iterator[_Window]:
    starts = list(_WINDOW.finditer(text))
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        part = text[start.end() : end]
        owner, display, surface = _OWNER.search(part), _OWN_DISPLAY.search(part), _SURFACE.search(part)
        yield _Window(
            token=start[1],
            package=owner[1] if owner else "",
            display=int(display[1]) if display else None,
            drawn=surface[1] == "true" if surface else None,
            secure=_parse_secure(part),
        )


def _parse_secure(part: str) -> bool | None:
    attributes = part.find("mAttrs=")
    flags = _FLAGS.search(part, attributes) if attributes >= 0 else None
    if flags is None:
        return None
    if flags[1].startswith("#"):
        return bool(int(flags[1][1:], 16) & _SECURE_BIT)
    return "SECURE" in re.split(r"[ |]+", flags[1])


def _find_secure(windows: list[_Window]) -> bool | None:
    drawn = [window.secure for window in windows if window.drawn is not False and window.secure is not None]
    return any(drawn) if drawn else None


def _parse_package(own: str, owners: dict[str, str]) -> str:
    """The app that owns the focused window: by the list of windows, by its title, by the focused app.

    A title is any text: only activities and starting windows are named after a component or a package, and
    popups after their class and a number.
    """
    found = _FOCUS.findall(own)
    if not found:
        return ""
    token, title = found[-1]
    named = _COMPONENT.fullmatch(title) or _STARTING.fullmatch(title)
    return owners.get(token) or (named[1] if named else _guess_package(own, title))


def _guess_package(own: str, title: str) -> str:
    """The app of a window whose title names none and that is not in the list of windows."""
    # windows of the system, such as NotificationShade, have a name of one word
    if re.fullmatch(r"\w+", title, re.ASCII):
        return SYSTEM_UI
    found = _FOCUSED_APP.findall(own)
    if found:
        return str(found[-1])
    return title if re.fullmatch(r"[a-z]\w*(\.\w+)+", title, re.ASCII) else SYSTEM_UI
