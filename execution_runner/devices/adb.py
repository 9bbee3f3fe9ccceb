"""A phone on ADB, through the adb program."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from execution_runner.devices.adb_client import AdbClient
from execution_runner.devices.adb_keyboard import type_text
from execution_runner.devices.device import Observation
from execution_runner.devices.screenshots import is_black, png_size, whole_png
from fingertip_dataset.errors import (
    AccessibilityTreeError,
    BlackFrameError,
    ConnectionDroppedError,
    DeviceError,
    DeviceLockedError,
    NoTreeError,
    TruncatedScreenshotError,
)
from fingertip_dataset.ui_tree.accessibility import parse_tree

DUMP_FILE = "/sdcard/fingertip_window.xml"
# rm first: after a failed dump, cat must not print the tree of an earlier screen
_DUMP = f"rm -f {DUMP_FILE} && uiautomator dump {DUMP_FILE} && cat {DUMP_FILE}"
DUMPED = "UI hierchary dumped to"
"""Output of a successful `uiautomator dump`, with Android's own misspelling."""

TRIES = 3
"""Number of tries for what fails occasionally: a tree, a screenshot, the name of the focused window."""

PAUSE_SECONDS = 0.3
SYSTEM_UI = "com.android.systemui"
_FOCUS = re.compile(r"mCurrentFocus=Window\{\S+ u\d+ ([^\s}]+)")
# the name of the flag differs between Android versions and vendors
_LOCKED = re.compile(
    r"\b(mShowingLockscreen|mDreamingLockscreen|isStatusBarKeyguard|isKeyguardShowing|m?KeyguardShowing|mIsShowing)=true\b"
)
_STAY_ON = ("global", "stay_on_while_plugged_in")


class AdbDevice:
    """A `Device` on ADB.

    Args:
        client: The phone as adb knows it; see `AdbDevice.find`.
    """

    def __init__(self, client: AdbClient) -> None:
        self.client = client
        self._size: tuple[int, int] | None = None

    @classmethod
    def find(
        cls, serial: str | None = None, *, adb: Path | None = None, server_port: int | None = None
    ) -> AdbDevice:
        """The phone of a serial; without a serial, the only phone.

        Args:
            serial: As `adb devices` lists it; a HOST:PORT is connected first.
            adb: The program; None for the one on the PATH or of the package adbutils.
            server_port: TCP port of the adb server; None for the default.

        Raises:
            DeviceError: The phone is absent, not ready, or not the only one.
        """
        return cls(AdbClient.find(serial, adb=adb, server_port=server_port))

    # ---- observing

    def observe(self) -> Observation:
        """Screenshot, tree and package, taken concurrently; their problems are recorded, not raised.

        Concurrent calls reduce the time between the screenshot and the tree. A tree that does not fit the
        screenshot or the foreground app is of another screen, because the phone changed meanwhile: then
        the phone is observed once more.
        """
        observation = self._observe_once()
        return observation if fits(observation) else self._observe_once()

    def _observe_once(self) -> Observation:
        with ThreadPoolExecutor(3) as pool:
            tree = pool.submit(self.dump)
            picture = pool.submit(self.screenshot)
            front = pool.submit(self.foreground)
        png, package = picture.result(), front.result()
        problems: list[DeviceError] = []
        if is_black(png):
            problems.append(BlackFrameError("the screenshot is black: the app protects this screen"))
        error = tree.exception()
        if isinstance(error, NoTreeError):
            problems.append(error)
        return Observation(
            screenshot=png,
            tree=None if isinstance(error, NoTreeError) else tree.result(),
            size=png_size(png),
            package=package,
            problems=tuple(problems),
        )

    def screenshot(self) -> bytes:
        """The screen as a PNG file.

        Raises:
            TruncatedScreenshotError: It arrives incomplete, also after retries.
            DeviceError: The phone cannot be reached.
        """
        for left in reversed(range(TRIES)):
            # exec-out, because adb shell may rewrite the line ends within the PNG
            data = self.client.run("exec-out", "screencap -p").stdout
            try:
                png = whole_png(data)
            except TruncatedScreenshotError:
                if not left:
                    raise
                self.client.wait_until_ready()
            else:
                self._size = png_size(png)
                return png
        raise AssertionError("the last try returns or raises")

    def tree(self) -> str | None:
        """The tree as uiautomator dumps it; None if the phone gives none."""
        try:
            return self.dump()
        except NoTreeError:
            return None

    def dump(self) -> str:
        """The tree as uiautomator dumps it.

        Raises:
            NoTreeError: The phone gives none, or an empty one, also after retries.
            DeviceError: The phone cannot be reached.
        """
        output = ""
        for number in range(TRIES):
            if number:
                time.sleep(PAUSE_SECONDS)
            try:
                done = self.client.run("shell", _DUMP)
                words = (done.stdout + done.stderr).decode(errors="replace")
                if DUMPED not in words:
                    output = " ".join(words.partition("cat: ")[0].split())
                    continue
                # uiautomator's message and warnings of the phone come before the XML
                xml = words[words.index("<") :] if "<" in words else ""
                parse_tree(xml)
            except AccessibilityTreeError as error:
                output = error.message
            except ConnectionDroppedError:
                self.client.wait_until_ready()
                output = "a dropped connection"
            else:
                # while windows change, uiautomator may dump a hierarchy without nodes
                if "<node" in xml:
                    return xml
                output = "an empty one"
        raise NoTreeError(f"expected an accessibility tree, got {output[:200] or 'nothing'}")

    def size(self) -> tuple[int, int]:
        """Width and height of the latest screenshot, px; takes one if there is none.

        `wm size` is not used, because it reports the size of the phone held upright.
        """
        if self._size is None:
            self._size = png_size(self.screenshot())
        return self._size

    def foreground(self) -> str:
        """Package of the window that has the focus; "" if the phone does not report it."""
        for number in range(TRIES):
            if number:
                time.sleep(PAUSE_SECONDS)
            found = _FOCUS.findall(self._read_only("dumpsys", "window"))
            if found:
                package = str(found[-1]).partition("/")[0]
                # windows of the system, such as NotificationShade, are named without a package
                return package if "." in package else SYSTEM_UI
        return ""

    def _read_only(self, *argv: str) -> str:
        """The output of a read-only command, which may be repeated after a dropped connection."""
        for _ in range(TRIES - 1):
            try:
                return self.client.shell(*argv)
            except ConnectionDroppedError:
                self.client.wait_until_ready()
        return self.client.shell(*argv)

    def locked(self) -> bool:
        """Whether the lock screen is shown, or would be with the display on."""
        return _LOCKED.search(self._read_only("dumpsys", "window")) is not None

    def keyboard_shown(self) -> bool:
        """Whether a keyboard is open on the screen."""
        return "mInputShown=true" in self.client.shell("dumpsys", "input_method")

    # ---- acting

    def tap(self, x: int, y: int) -> None:
        """A short touch, px."""
        self.client.shell("input", "tap", str(x), str(y))

    def long_press(self, x: int, y: int, ms: int = 500) -> None:
        """A touch held for `ms` milliseconds, sent as a swipe without movement."""
        self.swipe(x, y, x, y, ms)

    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        """A swipe of `ms` milliseconds, px."""
        self.client.shell("input", "swipe", *map(str, (x1, y1, x2, y2, ms)))

    def type_text(self, text: str) -> None:
        """Types text into the focused field; a newline is Enter.

        Raises:
            DeviceError: The phone has no keyboard for it, or the text did not arrive.
        """
        type_text(self.client, text, tree=self.tree)

    def press_key(self, code: str) -> None:
        """Presses a key by its Android name, such as "KEYCODE_BACK"."""
        self.client.shell("input", "keyevent", code)

    def start_app(self, package: str) -> None:
        """Brings an app to the front.

        Raises:
            DeviceError: It is not installed, or has no activity to start.
        """
        lines = self.client.shell("cmd", "package", "resolve-activity", "--brief", package).split()
        # a line of priorities comes before the component
        component = lines[-1] if lines else ""
        if not component.startswith(f"{package}/"):
            raise DeviceError(f"{package} is not installed, or has no activity to start")
        output = self.client.shell("am", "start", "-n", component)
        # am start can exit with 0 after an error
        if "Error" in output:
            raise DeviceError(f"{component} did not start: {' '.join(output.split())[:200]!r}")

    def wake(self) -> None:
        """Turns the display on and dismisses a lock screen that needs no secret.

        Raises:
            DeviceLockedError: The lock needs a PIN or a pattern: only the person can open it.
            DeviceError: The phone cannot be reached.
        """
        self.client.shell_all([("input", "keyevent", "KEYCODE_WAKEUP"), ("wm", "dismiss-keyguard")])
        if not self._stays_locked():
            return
        width, height = self.size()
        self.swipe(width // 2, height * 4 // 5, width // 2, height // 5)
        if self._stays_locked():
            raise DeviceLockedError(f"the screen of {self.client.serial} is locked: unlock it by hand")

    def _stays_locked(self) -> bool:
        """Whether the lock screen is still shown after some time."""
        for _ in range(TRIES):
            if not self.locked():
                return False
            time.sleep(PAUSE_SECONDS)
        return True

    @contextmanager
    def stay_awake(self) -> Iterator[None]:
        """Keeps the display on while the phone is plugged in; restores the setting at the end.

        Raises:
            DeviceError: The phone cannot be reached, or refuses the setting.
        """
        own = self.client.shell("settings", "get", *_STAY_ON).strip()
        try:
            self.client.shell("svc", "power", "stayon", "true")
            yield
        finally:
            self.client.wait_until_ready()
            # a setting that was never set reads as "null"; putting that back would store the word
            if own in ("", "null"):
                self.client.shell("settings", "delete", *_STAY_ON)
            else:
                self.client.shell("settings", "put", *_STAY_ON, own)


def fits(observation: Observation) -> bool:
    """Whether the tree can belong to the screenshot and the foreground app."""
    if observation.tree is None:
        return True
    tree = parse_tree(observation.tree)
    width, height = observation.size
    if tree.screen is not None and (tree.screen.right > width or tree.screen.bottom > height):
        return False
    packages = {attributes["package"] for attributes in tree.attributes if attributes.get("package")}
    # a package that the phone does not report contradicts no tree
    return not packages or observation.package in ("", *packages)
