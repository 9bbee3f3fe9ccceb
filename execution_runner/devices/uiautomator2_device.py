"""A phone whose trees and typing go through uiautomator2, if plain adb has no tree or types no Chinese."""

from __future__ import annotations

import importlib
import os
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from execution_runner.devices.adb import TREE_SHARE, AdbDevice
from execution_runner.devices.adb_client import AdbClient
from execution_runner.devices.adb_keyboard import LINES, check_arrived, check_encodable
from fingertip_dataset.errors import AccessibilityTreeError, DeviceError, MissingExtraError, NoTreeError
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_dataset.ui_tree.tree_xml import mend_text

ADB_PORT = 5037
"""Default port of an adb server."""

_MAX_DEPTH = 50
"""Depth of a tree beyond which uiautomator2 leaves elements out, its own default."""

_ACTIVE_WINDOW = True
"""Whether the tree is that of the active window alone. Otherwise bars and keyboards have trees, too, which
the released trees and those over adb lack. The argument came with uiautomator2 3.7 (0.4 of its u2.jar).
"""

_Result = TypeVar("_Result")


class Uiautomator2Device(AdbDevice):
    """A `Device` on ADB that dumps its tree and types its text by uiautomator2.

    uiautomator2 pushes a small server to the phone and starts it; nothing is installed. Text is pasted from
    the phone's clipboard, whose content is restored afterwards; no keyboard is changed.

    Args:
        client: The phone as adb knows it; see `AdbDevice.find`.
        observe_s: Time limit of one observation in seconds; None for that of each command.

    Raises:
        MissingExtraError: uiautomator2 is not installed.
        DeviceError: Its server does not start on the phone.
    """

    def __init__(self, client: AdbClient, *, observe_s: float | None = None) -> None:
        super().__init__(client, observe_s=observe_s)
        self._automator: Any = self._call("start", lambda: _connect_u2(client.serial, client.server_port))

    def dump(self) -> str:
        """The tree of the active window, as `uiautomator dump` gives it; uiautomator2's own default is all.

        Raises:
            NoTreeError: The phone gives none, or an empty one.
        """
        try:
            arguments, limit = (False, _MAX_DEPTH, _ACTIVE_WINDOW), self._limit(TREE_SHARE)
            call = self._automator.jsonrpc_call
            found = self._call("dump the tree", lambda: call("dumpWindowHierarchy", arguments, timeout=limit))
            xml = mend_text(str(found))
            parse_tree(xml)
        except (DeviceError, AccessibilityTreeError) as error:
            raise NoTreeError(f"the accessibility tree could not be read: {error.message[:200]}") from None
        if "<node" not in xml:
            raise NoTreeError("the accessibility tree is empty")
        return xml

    def type_text(self, text: str) -> str:
        """Pastes text into the focused field and reads it back; each newline is the key Enter.

        A phone that refuses its clipboard gets the text as `AdbDevice.type_text` types it.

        Returns:
            Why the text could not be read back; "" if it was.

        Raises:
            NoFocusError: No field has the focus; nothing was done.
            DeviceError: The text is invalid, or pasting failed.
        """
        check_encodable(text)
        own = self._call("read the clipboard", lambda: self._automator.clipboard)
        # None: programs in the background may not read it, so it could not be restored either
        if own is None:
            return super().type_text(text)
        self._read_focused_text()
        note = ""
        try:
            for number, line in enumerate(LINES.split(text)):
                if number:
                    self.press_key("KEYCODE_ENTER")
                if line:
                    self._call("paste", lambda line=line: self._paste(line))  # type: ignore[misc]
                    note = check_arrived(self._try_tree, line) or note
        finally:
            self._call("write the clipboard", lambda: self._automator.set_clipboard(own))
        return note

    def _paste(self, line: str) -> None:
        self._automator.set_clipboard(line)
        self._automator.jsonrpc.pasteClipboard()

    def close(self) -> None:
        """Stops the server on the phone."""
        self._call("stop", self._automator.stop_uiautomator)

    def _call(self, what: str, work: Callable[[], _Result]) -> _Result:
        """Calls uiautomator2 and converts each of its errors to a DeviceError."""
        try:
            return work()
        except DeviceError:
            raise
        except MissingExtraError:
            raise
        except Exception as error:  # its errors, adbutils' and those of sockets share no base class
            message = " ".join(f"{type(error).__name__} {error}".split())[:200]
            raise DeviceError(f"uiautomator2 could not {what} on {self.client.serial}: {message}") from None


def _connect_u2(serial: str, server_port: int | None) -> Any:  # noqa: ANN401 - uiautomator2 has no types
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            # DeprecationWarnings of these imports are of no use to who runs the command
            uiautomator2 = importlib.import_module("uiautomator2")
            adbutils = importlib.import_module("adbutils")
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "uiautomator2", "uiautomator2") from None
    automator = uiautomator2.connect(adbutils.AdbClient(port=server_port or _find_port()).device(serial))
    automator.info  # noqa: B018 - starts the server
    return automator


def _find_port() -> int:
    """Port of the adb server that the adb program uses."""
    port = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
    return int(port) if port.isdecimal() and 0 < int(port) < 65536 else ADB_PORT
