"""Typing on a phone: plain ASCII by `input text`, other text by ADBKeyBoard's broadcast."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from execution_runner.devices.adb_client import AdbClient
from fingertip_dataset.errors import DeviceError
from fingertip_dataset.ui_tree.accessibility import parse_tree

ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
"""https://github.com/senzhk/ADBKeyBoard, the common keyboard that types the text of a broadcast."""

PIECE = 600
"""Maximum number of characters per command: 3,200 bytes as base64; old phones take lines of 4,096."""

BIND_TRIES, BIND_SECONDS = 10, 0.2
"""Number of checks, and seconds between them, for a new keyboard to be bound."""

_IME = ("secure", "default_input_method")
_ENABLED = ("secure", "enabled_input_methods")
LINES = re.compile("\r\n|\r|\n")
"""Ends of lines; each is the key Enter."""

PLAIN = re.compile(r"[A-Za-z0-9 .,:;!?@_+=/-]+")
"""Text that `input text` types unchanged on every version of Android (%s would become a space)."""


def type_text(client: AdbClient, text: str, *, tree: Callable[[], str | None]) -> None:
    """Types text into the focused field; each newline is the key Enter.

    Args:
        client: The phone.
        text: The text.
        tree: Takes the accessibility tree, to check that the text arrived; None if there is none.

    Raises:
        DeviceError: The phone lacks ADBKeyBoard and the text needs it, the text is invalid, or it did not
            arrive.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DeviceError(f"the text has half a surrogate pair at position {error.start}") from None
    for number, line in enumerate(LINES.split(text)):
        if number:
            client.shell("input", "keyevent", "KEYCODE_ENTER")
        if PLAIN.fullmatch(line):
            for piece in _pieces(line):
                client.shell("input", "text", piece.replace(" ", "%s"))
        elif line:
            _broadcast(client, line, tree)


def enabled_keyboards(client: AdbClient) -> tuple[str, ...]:
    """The enabled keyboards, `package/service`; read from the settings, as some phones deny `ime list`.

    Raises:
        DeviceError: The phone cannot be reached.
    """
    names = client.shell("settings", "get", *_ENABLED).strip().split(":")
    return tuple(name.partition(";")[0] for name in names if name and name != "null")


def _pieces(line: str) -> Iterator[str]:
    return (line[start : start + PIECE] for start in range(0, len(line), PIECE))


def _broadcast(client: AdbClient, text: str, tree: Callable[[], str | None]) -> None:
    """Types by ADBKeyBoard, and checks that the text arrived."""
    with _adb_keyboard(client, text):
        for piece in _pieces(text):
            words = base64.b64encode(piece.encode()).decode()
            client.shell("am", "broadcast", "-a", "ADB_INPUT_B64", "--es", "msg", words)
        check_typed(tree(), text)


@contextmanager
def _adb_keyboard(client: AdbClient, text: str) -> Iterator[None]:
    """Makes ADBKeyBoard the keyboard, and restores the person's own at the end, also after Ctrl-C."""
    enabled = enabled_keyboards(client)
    if ADB_KEYBOARD not in enabled:
        raise DeviceError(f"{text[:20]!r} needs the keyboard {ADB_KEYBOARD}; enabled: {', '.join(enabled)}")
    own = client.shell("settings", "get", *_IME).strip()
    if own == ADB_KEYBOARD:
        yield
        return
    try:
        client.shell("ime", "set", ADB_KEYBOARD)
        _await_keyboard(client)
        yield
    finally:
        client.wait_until_ready()
        client.shell("ime", "set", own)


def _await_keyboard(client: AdbClient) -> None:
    """Waits until the keyboard is bound, if the phone reports it: an earlier broadcast is lost."""
    for _ in range(BIND_TRIES):
        output = client.shell("dumpsys", "input_method")
        if f"mCurMethodId={ADB_KEYBOARD}" in output or "mCurMethodId" not in output:
            return
        time.sleep(BIND_SECONDS)


def check_typed(tree: str | None, text: str) -> None:
    """Checks by the tree, if any, that the text arrived: a broadcast succeeds even if nothing is typed.

    A field may group the text or add signs, so only letters and digits are compared; in a text without them,
    all characters but spaces.

    Raises:
        DeviceError: No focused field holds the text.
    """
    fields = [element for element in parse_tree(tree).elements if element.focused] if tree else []
    kept = str.isalnum if any(map(str.isalnum, text)) else _is_sign
    wanted = "".join(filter(kept, text))
    # a password field shows dots instead of the text
    if fields and not any(field.password or wanted in "".join(filter(kept, field.text)) for field in fields):
        shown = "、".join(field.text for field in fields)[:60]
        raise DeviceError(f"the focused field shows {shown!r} after typing {text[:20]!r}")


def _is_sign(letter: str) -> bool:
    return letter.isprintable() and not letter.isspace()
