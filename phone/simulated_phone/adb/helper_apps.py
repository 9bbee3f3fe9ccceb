"""Helper apps of frameworks, which the phone accepts and whose service it answers itself; and names of APKs.

Their code cannot run here. Any other app is refused at `install`, as by a phone whose owner says no.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

MAX_MANIFEST = 4 << 20
"""Largest size of an APK's manifest, bytes."""

APPIUM_KEYBOARD = "io.appium.settings/.AppiumIME"
"""Keyboard of Appium's settings app that performs an action for `/ACTION/`."""

DROIDBOT_KEYBOARD = "io.github.ylimit.droidbotapp/.DroidBotIME"
"""Keyboard of DroidBot's app."""

UNICODE_KEYBOARD = "io.appium.settings/.UnicodeIME"
"""Keyboard of Appium's settings app that takes text in modified UTF-7 as ASCII."""

_MANIFEST = "AndroidManifest.xml"
_STRING_POOL, _START_TAG, _UTF8 = 0x0001, 0x0102, 0x100
_NUMBERS = (0x10, 0x11)  # of a value, decimal or hexadecimal


@dataclass(frozen=True, slots=True, kw_only=True)
class HelperApp:
    """A helper app.

    Attributes:
        framework: What uses it.
        version: Version name that the phone reports.
        version_code: Version code that the phone reports.
        keyboards: Ids of its keyboards.
        accessibility: Id of its accessibility service, if it has one.
        instrumentation: Its test runner, and the package that the runner tests, if it has one.
    """

    framework: str
    version: str
    version_code: int = 1
    keyboards: tuple[str, ...] = ()
    accessibility: str | None = None
    instrumentation: tuple[str, str] | None = None


HELPER_APPS: Mapping[str, HelperApp] = MappingProxyType(
    {
        "com.android.adbkeyboard": HelperApp(
            framework="ADBKeyBoard", version="2.0", keyboards=("com.android.adbkeyboard/.AdbIME",)
        ),
        "com.droidrun.portal": HelperApp(
            framework="DroidRun",
            version="0.4.7",
            keyboards=("com.droidrun.portal/.input.DroidrunKeyboardIME",),
            accessibility="com.droidrun.portal/com.droidrun.portal.service.DroidrunAccessibilityService",
        ),
        "com.github.uiautomator": HelperApp(
            framework="uiautomator2", version="2.4.0", keyboards=("com.github.uiautomator/.AdbKeyboard",)
        ),
        "com.github.uiautomator.test": HelperApp(framework="uiautomator2", version="2.4.0"),
        "com.mobilerun.portal": HelperApp(
            framework="mobilerun",
            version="0.7.0",
            keyboards=("com.mobilerun.portal/.input.MobilerunKeyboardIME",),
            accessibility="com.mobilerun.portal/com.mobilerun.portal.service.MobilerunAccessibilityService",
        ),
        "com.netease.nie.yosemite": HelperApp(
            framework="Airtest", version="3.2.0", keyboards=("com.netease.nie.yosemite/.ime.ImeService",)
        ),
        "io.appium.settings": HelperApp(
            framework="Appium",
            version="8.0.9",
            keyboards=(APPIUM_KEYBOARD, "io.appium.settings/.EmptyIME", UNICODE_KEYBOARD),
        ),
        "io.github.ylimit.droidbotapp": HelperApp(
            framework="DroidBot",
            version="1.0",
            keyboards=(DROIDBOT_KEYBOARD,),
            accessibility="io.github.ylimit.droidbotapp/"
            "io.github.privacystreams.accessibility.PSAccessibilityService",
        ),
        "io.appium.uiautomator2.server": HelperApp(framework="Appium", version="10.6.6"),
        "io.appium.uiautomator2.server.test": HelperApp(
            framework="Appium",
            version="1.0",
            instrumentation=(
                "io.appium.uiautomator2.server.test/androidx.test.runner.AndroidJUnitRunner",
                "io.appium.uiautomator2.server",
            ),
        ),
    }
)
"""Package -> helper app."""


class ApkError(Exception):
    """A file that is no APK; the text says what is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApkManifest:
    """Facts of the first tag of an APK's manifest.

    Attributes:
        package: The package name.
        version: The version's name; "" if it is not in the manifest itself.
        version_code: The version's number; 1 if it has none.
    """

    package: str
    version: str
    version_code: int = 1


def read_apk(data: bytes) -> ApkManifest:
    """Read an APK's binary manifest.

    Raises:
        ApkError: The file is no zip archive, or has no readable manifest.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            info = archive.getinfo(_MANIFEST)
            if info.file_size > MAX_MANIFEST:
                raise ApkError(f"{_MANIFEST} has more than {MAX_MANIFEST} bytes")
            manifest = archive.read(info)
    except (zipfile.BadZipFile, KeyError, OSError, NotImplementedError, RuntimeError, EOFError, ValueError):
        raise ApkError(f"{_MANIFEST} not found") from None
    except zipfile.LargeZipFile:
        raise ApkError("the archive is too large") from None
    try:
        return _find_first_tag(manifest)
    except (struct.error, IndexError, UnicodeDecodeError):
        raise ApkError(f"corrupt {_MANIFEST}") from None


def _find_first_tag(manifest: bytes) -> ApkManifest:
    """The attributes of the first tag; format: ResourceTypes.h of Android."""
    strings: list[str] = []
    found: dict[str, str] = {}
    at = int(struct.unpack_from("<H", manifest, 2)[0])
    while at + 8 <= len(manifest):
        kind, _, size = struct.unpack_from("<HHI", manifest, at)
        if kind == _STRING_POOL:
            strings = _read_strings(manifest, at)
        elif kind == _START_TAG:
            count = struct.unpack_from("<H", manifest, at + 28)[0]
            start = at + 16 + struct.unpack_from("<H", manifest, at + 24)[0]
            for number in range(count):
                name, raw, _, _, form, data = struct.unpack_from("<2IH2BI", manifest, start + 20 * number + 4)
                if raw < len(strings):
                    found[strings[name]] = strings[int(raw)]
                elif form in _NUMBERS:
                    found[strings[name]] = str(data)
            break
        if size < 8:
            break
        at += size
    if not found.get("package"):
        raise ApkError(f"no package name in {_MANIFEST}")
    code = found.get("versionCode", "")
    return ApkManifest(
        package=found["package"],
        version=found.get("versionName", ""),
        version_code=int(code) if code.isdecimal() else 1,
    )


def _read_strings(manifest: bytes, at: int) -> list[str]:
    count, _, flags, start, _ = struct.unpack_from("<5I", manifest, at + 8)
    found: list[str] = []
    for number in range(min(count, MAX_MANIFEST // 4)):
        place = at + start + struct.unpack_from("<I", manifest, at + 28 + 4 * number)[0]
        if flags & _UTF8:
            # two lengths, of the characters and of the bytes, each of one or two bytes
            place += 2 if manifest[place] & 0x80 else 1
            length = manifest[place]
            if length & 0x80:
                length = (length & 0x7F) << 8 | manifest[place + 1]
                place += 1
            text = manifest[place + 1 : place + 1 + length].decode("utf-8", "replace")
        else:
            length = struct.unpack_from("<H", manifest, place)[0]
            text = manifest[place + 2 : place + 2 + 2 * length].decode("utf-16-le", "replace")
        found.append(text)
    return found
