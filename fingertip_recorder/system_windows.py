"""The system's windows over an app: its navigation bar, with the order of its keys, and the keyboard.

A dump of uiautomator holds the active window alone, so touches on these two are told by their frames.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from execution_runner.devices.adb_client import AdbClient
from fingertip_dataset.errors import DeviceError
from fingertip_dataset.ui_tree.accessibility import Box

KeyOrder = tuple[str, str, str]
"""Names of the keys of a navigation bar, from the left of a phone held upright."""

USUAL_ORDER: KeyOrder = ("back", "home", "recent")
"""Android's own order of keys; some vendors have it reversed."""

KEY_IDS = {"back": "back", "home": "home", "home_button": "home", "recent_apps": "recent"}
"""View id of a key of the navigation bar -> its name."""

# the phone itself searches its long output, so that little of it is sent
_READ = (
    "dumpsys input_method | grep mInputShown; dumpsys window | grep -E "
    "'Window #|rame=\\[|mViewVisibility=|mHasSurface=|isVisible=|ContentInsets=|InsetsSource'; true"
)
_ALL_WINDOWS = "/data/local/tmp/fingertip_windows.xml"
_DUMP = f"uiautomator dump --windows {_ALL_WINDOWS} >/dev/null 2>&1; cat {_ALL_WINDOWS}; rm -f {_ALL_WINDOWS}"
_INPUT_SHOWN = re.compile(r"\bmInputShown=(true|false)")
_WINDOW = re.compile(r"^ *Window #\d+ Window\{\S+ u\d+ ([^}\n]+)\}", re.MULTILINE)
# "mFrame" up to Android 11
_FRAME = re.compile(r"\bm?[fF]rame=\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_CONTENT = re.compile(r"\bmGivenContentInsets=\[\d+,(\d+)\]")
_HIDDEN = re.compile(r"\b(isVisible=false|mHasSurface=false|mViewVisibility=0x[48])\b")
_INSETS = re.compile(
    r"InsetsSource[^\n]*type=(ime|ITYPE_IME) frame=\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\] visible=true"
)
_KEY = re.compile(
    r'<node[^>]*resource-id="com\.android\.systemui:id/(\w+)"[^>]*bounds="\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]"'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemWindows:
    """The system's windows over an app, in px of the screen as it is held.

    Attributes:
        navigation: Frame of the navigation bar; None if it is hidden or not reported.
        keyboard: Frame of the open keyboard; None if it is closed or its frame not reported.
        typing: Whether a keyboard is open.
    """

    navigation: Box | None = None
    keyboard: Box | None = None
    typing: bool = False

    def find_key(self, x: int, y: int, rotation: int, order: KeyOrder) -> str:
        """Name of the navigation key at a point; "" for a point beside the bar.

        The keys share the bar in thirds. On a phone that lies on its side the bar stays at its lower end.

        >>> windows = SystemWindows(navigation=Box(left=0, top=1142, right=540, bottom=1200))
        >>> [windows.find_key(x, y, 0, USUAL_ORDER) for x, y in [(90, 1190), (450, 1190), (90, 900)]]
        ['back', 'recent', '']
        """
        bar = self.navigation
        if bar is None or not bar.contains(x, y):
            return ""
        if bar.right - bar.left >= bar.bottom - bar.top:
            third = 3 * (x - bar.left) // (bar.right - bar.left)
        else:
            along = 3 * (y - bar.top) // (bar.bottom - bar.top)
            third = 2 - along if rotation == 1 else along
        return order[min(third, 2)]


def read_system_windows(client: AdbClient) -> SystemWindows:
    """Read the system's windows of a phone, in one call.

    Raises:
        DeviceError: The phone cannot be reached.
    """
    return parse_system_windows(client.read("sh", "-c", _READ))


def parse_system_windows(text: str) -> SystemWindows:
    """Parse `dumpsys input_method` and `dumpsys window` of Android 9 to 16."""
    shown = _INPUT_SHOWN.search(text)
    typing = shown is not None and shown[1] == "true"
    navigation = keyboard = None
    for name, part in _split_windows(text):
        frame = _FRAME.search(part)
        if frame is None or _HIDDEN.search(part):
            continue
        left, top, right, bottom = map(int, frame.groups())
        if name.startswith("NavigationBar") and right > left and bottom > top:
            navigation = Box(left=left, top=top, right=right, bottom=bottom)
        elif name == "InputMethod":
            # its window may cover the screen, and leave the upper part to the app
            inset = _CONTENT.search(part)
            lower = top + (int(inset[1]) if inset else 0)
            keyboard = Box(left=left, top=lower, right=right, bottom=bottom) if lower > 0 else None
    insets = _INSETS.search(text)
    if insets:
        left, top, right, bottom = map(int, insets.groups()[1:])
        keyboard = Box(left=left, top=top, right=right, bottom=bottom)
    return SystemWindows(navigation=navigation, keyboard=keyboard if typing else None, typing=typing)


def _split_windows(text: str) -> Iterator[tuple[str, str]]:
    starts = list(_WINDOW.finditer(text))
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        yield start[1], text[start.end() : end]


def read_key_order(client: AdbClient) -> KeyOrder:
    """Read the order of the keys of the navigation bar: from a dump of all windows, else by the vendor.

    Raises:
        DeviceError: The phone cannot be reached.
    """
    # phones before --windows, and those whose screen moves, give no such dump
    with suppress(DeviceError):
        order = parse_key_order(client.shell("sh", "-c", _DUMP))
        if order is not None:
            return order
    maker = client.read("getprop", "ro.product.manufacturer").strip().casefold()
    own = client.read("settings", "get", "global", "navigationbar_key_order").strip()
    return USUAL_ORDER[::-1] if maker == "samsung" and own != "1" else USUAL_ORDER


def parse_key_order(tree: str) -> KeyOrder | None:
    """Order of the keys by their places in a dump of all windows; None if it does not show all three.

    >>> node = '<node resource-id="com.android.systemui:id/{}" bounds="[{},0][{},9]" />'
    >>> keys = [("back", 7, 9), ("home", 4, 6), ("recent_apps", 1, 3)]
    >>> parse_key_order("".join(node.format(*key) for key in keys))
    ('recent', 'home', 'back')
    """
    places = {
        KEY_IDS[found[1]]: (int(found[2]), -int(found[3]))
        for found in _KEY.finditer(tree)
        if found[1] in KEY_IDS
    }
    if len(places) != len(USUAL_ORDER):
        return None
    first, second, third = sorted(places, key=lambda name: places[name])
    return first, second, third
