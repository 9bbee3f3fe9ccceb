"""A phone on ADB, through the adb program."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from execution_runner.devices.adb_client import DEADLINE, RECONNECT_SECONDS, TRIES, AdbClient
from execution_runner.devices.adb_keyboard import check_encodable, type_text
from execution_runner.devices.device import Observation
from execution_runner.devices.held_settings import hold_settings
from execution_runner.devices.screenshots import extract_png, is_protected, read_png_size
from execution_runner.devices.settling import are_different
from execution_runner.devices.text_fields import find_focused_fields
from execution_runner.devices.tree_dumps import DumpFiles
from execution_runner.devices.tree_tries import TreeTries
from execution_runner.devices.window_state import WindowState, is_asleep, read_window_state
from fingertip_dataset.errors import (
    AccessibilityTreeError,
    AppStartError,
    BlackFrameError,
    ConnectionDroppedError,
    DeviceError,
    DeviceLockedError,
    DeviceTimeoutError,
    EndlessOutputError,
    NoFocusError,
    NoTreeError,
    TruncatedScreenshotError,
)
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.dump_output import NO_TREE, find_reason, read_dump

PAUSE_SECONDS = 0.3
OBSERVE_SECONDS = 5.0
"""Time limit of one observation of a person's phone."""

TREE_SHARE = 0.8
"""Share of the time limit that a tree may take."""

_INTERNAL = re.compile(r"DisplayViewport\{type=INTERNAL[^}]*isActive=true[^}]*uniqueId='local:(\d+)'")
_LAUNCH = (
    "-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER", "-f", "0x10200000",
)  # fmt: skip
"""The intent of a launcher, with its flags NEW_TASK and RESET_TASK_IF_NEEDED."""
_INPUT_SHOWN = re.compile(r"\bmInputShown=(true|false)")
_PNG = b"\x89PNG"


class AdbDevice:
    """A `Device` on ADB.

    Args:
        client: The phone as adb knows it; see `AdbDevice.find`.
        observe_s: Time limit of one observation in seconds; None for that of each command. What a screen has
            no tree for within it is observed without.
    """

    def __init__(self, client: AdbClient, *, observe_s: float | None = None) -> None:
        self.client = client
        self._observe_s = observe_s
        self._size: tuple[int, int] | None = None
        self._display: str | None = None
        self._tries = TreeTries()
        self._dumps = DumpFiles()
        self._package = ""
        self._seen: Observation | None = None
        # the tree of the latest observation, until something is done on the phone
        self._tree: str | None = None

    @classmethod
    def find(
        cls,
        serial: str | None = None,
        *,
        adb: Path | None = None,
        server_port: int | None = None,
        observe_s: float | None = None,
        reconnect_s: float = RECONNECT_SECONDS,
    ) -> Self:
        """The phone of a serial; without a serial, the only phone.

        Args:
            serial: As `adb devices` lists it; a HOST:PORT is connected first.
            adb: The program; None for the one on the PATH or of the package adbutils.
            server_port: TCP port of the adb server; None for the default.
            observe_s: Time limit of one observation in seconds.
            reconnect_s: Seconds to wait for a lost phone.

        Raises:
            DeviceError: The phone is absent, not ready, or not the only one.
        """
        client = AdbClient.find(serial, adb=adb, server_port=server_port, reconnect_s=reconnect_s)
        return cls(client, observe_s=observe_s)

    # ---- observing

    def observe(self, *, wake: bool = True) -> Observation:
        """Screenshot, tree and package, taken concurrently; their problems are recorded, not raised.

        Concurrent calls reduce the time between the screenshot and the tree. A tree that does not fit the
        screenshot or the foreground app is of another screen, because the phone changed meanwhile. On a
        person's phone one that is as before on another picture may lag behind it. Then the phone is observed
        once more, if the time limit allows it.

        Args:
            wake: Whether a display that went off is turned on.

        Raises:
            DeviceLockedError: The display went off, and its lock needs a PIN or a pattern.
            DeviceError: The phone cannot be reached, or takes too long.
        """
        began = time.monotonic()
        observation, state = self._observe_once()
        if wake and (state.awake is False or state.locked):
            self.wake()
            observation, state = self._observe_once()
        taken = time.monotonic() - began
        may_lag = not fits(observation) or self._is_tree_of_another_picture(observation)
        if may_lag and (self._observe_s is None or 2 * taken < self._observe_s):
            observation, _ = self._observe_once()
        self._package, self._tree = observation.package, observation.tree
        self._seen = observation
        return observation

    def _is_tree_of_another_picture(self, observation: Observation) -> bool:
        """Whether the tree is that of the latest observation, and the picture another one."""
        seen = self._seen
        # the two pictures are decoded for it: much on a simulated phone, little on a real one
        if self._observe_s is None or seen is None or observation.tree is None:
            return False
        if observation.tree != seen.tree:
            return False
        return are_different(seen.screenshot, observation.screenshot)

    def _observe_once(self) -> tuple[Observation, WindowState]:
        """Observe once; on Wi-Fi again after a drop, which may be a phone that stays silent."""
        try:
            return self._observe_now()
        except (ConnectionDroppedError, DeviceTimeoutError):
            if self._observe_s is None or not self.client.wireless:
                raise
            self.client.connect_anew()
            return self._observe_now()

    def _observe_now(self) -> tuple[Observation, WindowState]:
        with ThreadPoolExecutor(3) as pool:
            tree = pool.submit(self._take_tree)
            picture = pool.submit(self.screenshot)
            window = pool.submit(self.window_state)
        png, state = picture.result(), window.result()
        problems: list[DeviceError] = []
        error = tree.exception()
        xml = None if isinstance(error, NoTreeError) else tree.result()
        if is_protected(png, xml, secure=state.secure):
            problems.append(BlackFrameError("the screenshot is black: the app protects this screen"))
        if isinstance(error, NoTreeError):
            problems.append(error)
        observation = Observation(
            screenshot=png,
            tree=xml,
            size=read_png_size(png),
            package=state.package,
            problems=tuple(problems),
        )
        return observation, state

    def _take_tree(self) -> str:
        """The tree; while none can be had it is tried only now and then.

        Raises:
            NoTreeError: There is none, or it was not tried.
        """
        if not self._tries.due(self._package):
            raise NoTreeError(self._tries.skipped())
        try:
            tree = self.dump()
        except NoTreeError:
            self._tries.count_failure(self._package)
            raise
        self._tries.forget_failures()
        return tree

    def screenshot(self) -> bytes:
        """The screen as a PNG file; of several displays the one that is driven.

        Raises:
            TruncatedScreenshotError: It arrives incomplete, also after retries.
            DeviceError: The phone cannot be reached.
        """
        for left in reversed(range(TRIES)):
            try:
                png = self._take_screenshot()
            except (TruncatedScreenshotError, ConnectionDroppedError):
                if not left:
                    raise
                self._display = None
                self.client.wait_until_ready()
            else:
                self._size = read_png_size(png)
                return png
        raise AssertionError("the last try returns or raises")

    def _take_screenshot(self) -> bytes:
        chosen = f" -d {self._display}" if self._display else ""
        # exec-out, because adb shell may rewrite the line ends within the PNG
        data = self.client.run("exec-out", f"screencap -p{chosen}", deadline=self._limit()).stdout
        # with several displays a phone warns before the PNG, which may be that of another one
        if not chosen and b"isplay" in data[: max(0, data.find(_PNG))]:
            self._display = self._find_active_display()
            if self._display:
                return self._take_screenshot()
        return extract_png(data)

    def _find_active_display(self) -> str | None:
        """Physical id of the display that is driven; None if the phone does not report it."""
        found = _INTERNAL.search(self.client.read("dumpsys", "display"))
        return found[1] if found else None

    def _limit(self, share: float = 1.0) -> float:
        return DEADLINE if self._observe_s is None else self._observe_s * share

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
        reason, limit = "", self._limit(TREE_SHARE)
        until = time.monotonic() + limit
        for number in range(TRIES):
            if number:
                time.sleep(PAUSE_SECONDS)
            left = until - time.monotonic()
            if left <= 0:
                break
            try:
                return self._dump_once(left)
            except AccessibilityTreeError as error:
                reason = error.message
            except ConnectionDroppedError:
                self.client.wait_until_ready()
                until = time.monotonic() + limit
                reason = "a dropped connection"
            except DeviceTimeoutError:
                reason = f"none within {limit:g} s"
                break
            except EndlessOutputError as error:
                reason = error.message
                break
        raise NoTreeError(f"expected an accessibility tree, got {reason or 'nothing'}")

    def _dump_once(self, deadline: float) -> str:
        done = self.client.run("shell", self._dumps.make_line(), deadline=deadline)
        self._dumps.forget()
        try:
            return read_dump(done.stdout)
        except AccessibilityTreeError as error:
            reason = find_reason(done.stdout, done.stderr) if error.message == NO_TREE else ""
            raise AccessibilityTreeError((reason or error.message)[:200]) from None

    def size(self) -> tuple[int, int]:
        """Width and height of the latest screenshot, px; takes one if there is none.

        `wm size` is not used, because it reports the size of the phone held upright.
        """
        if self._size is None:
            self._size = read_png_size(self.screenshot())
        return self._size

    def foreground(self) -> str:
        """Package of the window that has the focus; "" if the phone does not report it."""
        return self.window_state().package

    def window_state(self) -> WindowState:
        """The app in front, and whether the display is on and locked."""
        for number in range(TRIES):
            if number:
                time.sleep(PAUSE_SECONDS)
            state = read_window_state(self.client.read("dumpsys", "window", deadline=self._limit()))
            if state.package:
                break
        return state

    def locked(self) -> bool:
        """Whether the lock screen is shown, or would be with the display on."""
        return read_window_state(self.client.read("dumpsys", "window")).locked

    def keyboard_shown(self) -> bool | None:
        """Whether a keyboard is open on the screen; None if the phone does not report it."""
        found = _INPUT_SHOWN.search(self.client.read("dumpsys", "input_method"))
        return found[1] == "true" if found else None

    # ---- acting

    def _input(self, *argv: str) -> None:
        """Injects input; if the display had gone off, which loses it, turns it on and injects it again."""
        self._tree = None
        if is_asleep(self.client.run_lines([("dumpsys", "power"), ("input", *argv)])):
            self.wake()
            self.client.shell("input", *argv)

    def tap(self, x: int, y: int) -> None:
        """A short touch, px."""
        self._input("tap", str(x), str(y))

    def long_press(self, x: int, y: int, ms: int = 1000) -> None:
        """A touch held for `ms` milliseconds, sent as a swipe without movement."""
        self.swipe(x, y, x, y, ms)

    def swipe(self, x1: int, y1: int, x2: int, y2: int, ms: int = 300) -> None:
        """A swipe of `ms` milliseconds, px."""
        self._input("swipe", *map(str, (x1, y1, x2, y2, ms)))

    def type_text(self, text: str) -> str:
        """Types text into the focused field and reads it back; a newline is Enter.

        Returns:
            Why the text could not be read back; "" if it was.

        Raises:
            NoFocusError: No field has the focus; nothing was done.
            DeviceError: The phone has no keyboard for it, or the text did not arrive.
        """
        check_encodable(text)
        return type_text(self.client, text, tree=self._try_tree, before=self._read_focused_text())

    def _read_focused_text(self) -> str | None:
        """Text of the field that has the focus; None if a field has it that the tree does not show.

        Raises:
            NoFocusError: No field has the focus.
        """
        if is_asleep(self.client.read("dumpsys", "power")):
            self.wake()
        tree, self._tree = self._tree or self._try_tree(), None
        fields = find_focused_fields(tree)
        if not fields and self.keyboard_shown() is False:
            raise NoFocusError("no text field has the focus: nothing was typed")
        return "、".join(field.text for field in fields) if fields else None

    def _try_tree(self) -> str | None:
        """The tree, if trees can be had at present."""
        try:
            return self._take_tree()
        except NoTreeError:
            return None

    def press_key(self, code: str) -> None:
        """Presses a key by its Android name, such as "KEYCODE_BACK"."""
        self._input("keyevent", code)

    def start_app(self, package: str) -> None:
        """Brings an app to the front as its icon does: as it was left, or on its first page.

        Not by `monkey`, which leaves the rotation unlocked, and not with `-W`, which may wait for ever where
        the first activity ends itself.

        Raises:
            AppStartError: It is not installed, or has no activity to start.
            DeviceError: The phone cannot be reached.
        """
        self._tree = None
        component = self._find_launcher_activity(package)
        if component is None:
            raise AppStartError(f"{package} is not installed, or has no activity to start")
        # without action and category a second instance would be put over the open one
        output = self.client.read("am", "start", *_LAUNCH, "-n", component)
        # am start can exit with 0 after an error
        if "Error" in output:
            raise AppStartError(f"{component} did not start: {' '.join(output.split())[:200]!r}")

    def _find_launcher_activity(self, package: str) -> str | None:
        """The activity of an app's icon, `package/activity`; of several icons the default or first one."""
        output = ""
        for query in ("resolve-activity", "query-activities"):
            # a package alone stands for the intent of its icon; lines of priorities come before components
            output = self.client.read("cmd", "package", query, "--brief", package)
            found = next((word for word in output.split() if word.startswith(f"{package}/")), None)
            if found is not None:
                return found
        # "No activities found": a phone that says nothing, or something else, has not answered
        if package not in self.client.list_apps() or "No activit" in output or "/" in output:
            return None
        raise DeviceError(
            f"the phone did not name the activity of {package}, but said {output.strip()[:200]!r}"
        )

    def wake(self) -> None:
        """Turns the display on and dismisses a lock screen that needs no secret.

        Raises:
            DeviceLockedError: The lock needs a PIN or a pattern: only the person can open it.
            DeviceError: The phone cannot be reached.
        """
        self.client.run_lines([("input", "keyevent", "KEYCODE_WAKEUP"), ("wm", "dismiss-keyguard")])
        if not self._is_still_locked():
            return
        width, height = self.size()
        self.client.shell(
            "input", "swipe", *map(str, (width // 2, height * 4 // 5, width // 2, height // 5, 300))
        )
        if self._is_still_locked():
            raise DeviceLockedError(f"the screen of {self.client.serial} is locked: unlock it by hand")

    def _is_still_locked(self) -> bool:
        """Whether the lock screen is still shown after some time."""
        for _ in range(TRIES):
            if not self.locked():
                return False
            time.sleep(PAUSE_SECONDS)
        return True

    def stay_awake(self) -> AbstractContextManager[None]:
        """Keeps the display on; restores the person's settings at the end.

        What an earlier run that was killed left changed is restored first; see `hold_settings`.

        Raises:
            DeviceError: The phone cannot be reached, or refuses the setting.
        """
        return hold_settings(self.client)


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
