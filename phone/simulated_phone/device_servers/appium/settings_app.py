"""Appium's settings app: what its broadcast receivers and its keyboards would do."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import TYPE_CHECKING

from simulated_phone.language.language import tag
from simulated_phone.machine.faults import NO_CLIPBOARD

if TYPE_CHECKING:
    from simulated_phone.adb.device_state import DeviceState

PACKAGE = "io.appium.settings"
"""Package of the app."""


def answer(device: DeviceState, action: str) -> str | None:
    """Return the data with which a receiver answers a broadcast; None for one that it does not answer.

    The phone has no messages and no notifications, and one locale.

    Args:
        device: The phone's shared state.
        action: Action of the broadcast.
    """
    if PACKAGE not in device.installed:
        return None
    if action == f"{PACKAGE}.clipboard.get":
        text = "" if NO_CLIPBOARD in device.phone.faults else device.clipboard
        return base64.b64encode(text.encode()).decode()
    if action == f"{PACKAGE}.list_locales":
        language, country = tag(device.phone.locale).split("-")
        locales = [{"country": country, "language": language, "script": None}]
        return base64.b64encode(json.dumps({"items": locales}).encode()).decode()
    empty = {f"{PACKAGE}.notifications": "statusBarNotifications", f"{PACKAGE}.sms.read": "items"}
    return json.dumps({empty[action]: []}) if action in empty else None


def from_utf7(text: str) -> str:
    """Decode IMAP's modified UTF-7, in which Appium sends text that `input text` could not.

    >>> from_utf7("a&T2BZfQ-b&-c")
    'a你好b&c'
    """

    def decode(match: re.Match[str]) -> str:
        if not match[1]:
            return "&"
        data = match[1].replace(",", "/")
        try:
            return base64.b64decode(data + "=" * (-len(data) % 4)).decode("utf-16-be")
        except (binascii.Error, UnicodeDecodeError):
            return match[0]

    return re.sub(r"&([^-]*)-", decode, text)
