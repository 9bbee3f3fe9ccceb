"""Modes as chmod, mkdir -m and find -perm read them."""

from __future__ import annotations

import re
import stat

from android_shell.command_call import CommandCall

_PART = re.compile(r"([ugoa]*)((?:[-+=](?:[rwxXst]*[ugo]?))+)")
_STEP = re.compile(r"([-+=])([rwxXst]*)([ugo]?)")
_PERMISSIONS = {"x": 1, "w": 2, "r": 4}
_SHIFTS = {"o": 0, "g": 3, "u": 6}
_EVERYBODY = "ugo"


def parse_mode(call: CommandCall, text: str, mode: int) -> int:
    """Return the permission bits that a text makes of a mode.

    Args:
        call: The call.
        text: An octal number, or letters such as `u+x,go-w`.
        mode: The mode before, with its type.

    Raises:
        CommandError: It is no mode.
    """
    if text[:1].isdigit():
        if not re.fullmatch(r"0*[0-7]{1,4}", text):
            raise call.error(f"bad mode '{text}'")
        return int(text, 8)
    for part in text.split(","):
        found = _PART.fullmatch(part)
        if found is None:
            raise call.error(f"bad mode '{text}'")
        whom, letters = found.group(1), ""
        for sign, more, copied in _STEP.findall(found.group(2)):
            # what a first sign changes is changed by the ones behind it, too
            letters += more
            mode = _change_mode(mode, whom, sign, letters, copied, 0 if whom else call.umask)
    return mode & 0o7777


def _change_mode(mode: int, whom: str, sign: str, letters: str, copied: str, held: int) -> int:
    """The mode after one sign; `held` are bits that stay as they are."""
    wanted = set(letters)
    if "X" in wanted and (stat.S_ISDIR(mode) or mode & 0o111):
        wanted.add("x")
    granted = sum(bit for letter, bit in _PERMISSIONS.items() if letter in wanted)
    if copied and not wanted:
        granted = mode >> _SHIFTS[copied] & 7
    everybody = not whom or "a" in whom
    for who in _EVERYBODY if everybody else set(whom):
        for bit in (1, 2, 4):
            mode = _change_bit(mode, sign, bit << _SHIFTS[who] & ~held, on=bool(granted & bit))
    special = {0o1000: "t" in wanted}
    special |= {
        bit: "s" in wanted and (everybody or who in whom) for bit, who in ((0o2000, "g"), (0o4000, "u"))
    }
    for bit, on in special.items():
        mode = _change_bit(mode, sign, bit, on=on)
    return mode


def _change_bit(mode: int, sign: str, bit: int, *, on: bool) -> int:
    if sign == "-":
        return mode & ~bit if on else mode
    return mode | bit if on else mode & ~bit if sign == "=" else mode
