"""Faults of `uiautomator dump`: vendors' words around it, and trees that lag, are huge, or are no XML 1.0."""

from __future__ import annotations

import re

from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.machine.faults import EMOJI_REFERENCES, HUGE_TREE, LAGGING_TREE, VENDOR_NOISE

TRACE = """java.io.FileNotFoundException: /data/system/theme_config/compatibility.xml: open failed: ENOENT
\tat libcore.io.IoBridge.open(IoBridge.java:496)
\tat java.io.FileInputStream.<init>(FileInputStream.java:160)
\tat vendor.content.res.ThemeLoader.<clinit>(ThemeLoader.java:31)
\tat android.content.res.Resources.getSystem(Resources.java:233)
Caused by: android.system.ErrnoException: open failed: ENOENT (No such file or directory)
"""
"""The harmless stack trace of MIUI, whose `<init>` looks like the start of XML."""

PLACES = ("before", "behind", "errors", "status")
"""Where a vendor's words come, from dump to dump: on stdout before or behind Android's own, on stderr, and on
stderr with exit status 1."""

HUGE_CHARACTERS = 40 * 2**20
_EMOJI = "&#55357;&#56832;"
_BROKEN = f'content-desc="{_EMOJI} &#55357; &#8;\ufffe"'
"""A character above U+FFFF as two references, half of one, and characters that XML 1.0 refuses."""


def choose_place(call: DeviceCall) -> str:
    """Where the vendor's words come at this dump, one of `PLACES`; "" without the fault."""
    if VENDOR_NOISE not in call.phone.faults:
        return ""
    call.device.dumps += 1
    return PLACES[(call.device.dumps - 1) % len(PLACES)]


def print_noise(call: DeviceCall, place: str, *, dumped: bool) -> None:
    """Print the vendor's words, if they come here.

    Args:
        call: The command.
        place: As of `choose_place`.
        dumped: Whether the dump is done.
    """
    if place == "behind" if dumped else place == "before":
        call.print(TRACE)
    elif place in ("errors", "status") and not dumped:
        call.print_error(TRACE)
    if place == "status":
        call.code = 1


def spoil_tree(call: DeviceCall, tree: str) -> str:
    """The tree as the faults that are on leave it; without one, as it is."""
    faults, device = call.phone.faults, call.device
    if LAGGING_TREE in faults:
        before, device.dumped_tree = device.dumped_tree, tree
        tree = before or tree
    if EMOJI_REFERENCES in faults:
        tree = re.sub("[\U00010000-\U0010ffff]", _write_references, tree)
        tree = tree.replace('content-desc=""', _BROKEN, 1)
    if HUGE_TREE in faults:
        tree = tree.replace('content-desc=""', f'content-desc="{"长" * (HUGE_CHARACTERS // 3)}"', 1)
    return tree


def _write_references(character: re.Match[str]) -> str:
    number = ord(character[0]) - 0x10000
    return f"&#{0xD800 + number // 0x400};&#{0xDC00 + number % 0x400};"
