"""Typing on a phone: plain ASCII by `input text`, other text by ADBKeyBoard's broadcast; it is read back."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from execution_runner.devices.adb_client import AdbClient
from execution_runner.devices.text_fields import TextCheck, check_text, surplus
from fingertip_dataset.errors import DeviceError

ADB_KEYBOARD = "com.android.adbkeyboard/.AdbIME"
"""https://github.com/senzhk/ADBKeyBoard, the common keyboard that types the text of a broadcast."""

_PACKAGE = ADB_KEYBOARD.partition("/")[0]

PIECE = 600
"""Maximum number of characters per command: 3,200 bytes as base64; old phones take lines of 4,096."""

_KEYS = 50
"""Maximum number of keys per command."""

BIND_TRIES, BIND_SECONDS = 10, 0.2
"""Number of checks, and seconds between them, for a new keyboard to be bound."""

_IME = ("secure", "default_input_method")
_ENABLED = ("secure", "enabled_input_methods")
_KEYBOARDS = re.compile(r"null|[\w.$/;:-]*/[\w.$/;:-]*")
LINES = re.compile("\r\n|\r|\n")
"""Ends of lines; each is the key Enter."""

PLAIN = re.compile(r"[A-Za-z0-9 .,:;!?@_+=/-]+")
"""Text that `input text` types unchanged on every version of Android (%s would become a space)."""


def type_text(
    client: AdbClient,
    text: str,
    *,
    tree: Callable[[], str | None],
    before: str | None = None,
) -> str:
    """Types text into the focused field and reads it back; each newline is the key Enter.

    Plain text goes through `input text`; where the person's keyboard changes or swallows it (pinyin), what
    arrived is deleted and ADBKeyBoard types it.

    Args:
        client: The phone.
        text: The text.
        tree: Takes the accessibility tree, to check that the text arrived; None if there is none.
        before: Text of the field before; None if unknown.

    Returns:
        Why the text could not be read back; "" if it was.

    Raises:
        DeviceError: The phone lacks ADBKeyBoard and the text needs it, the text is invalid, or it did not
            arrive.
    """
    check_encodable(text)
    note = ""
    for number, line in enumerate(LINES.split(text)):
        if number:
            client.shell("input", "keyevent", "KEYCODE_ENTER")
        if line:
            note = _type_line(client, line, tree, before if number == 0 else None) or note
    return note


def check_encodable(text: str) -> None:
    """Refuses text that no keyboard can type.

    Raises:
        DeviceError: It has half a surrogate pair.
    """
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise DeviceError(f"the text has half a surrogate pair at position {error.start}") from None


def _type_line(client: AdbClient, line: str, tree: Callable[[], str | None], before: str | None) -> str:
    if not PLAIN.fullmatch(line):
        with _use_adb_keyboard(client, f"{line[:20]!r} needs"):
            _broadcast_text(client, line)
            return check_arrived(tree, line)
    for piece in _pieces(line):
        client.shell("input", "text", piece.replace(" ", "%s"))
    check = _check_settled(tree, line)
    if check.arrived != "no":
        return check.note
    with _use_adb_keyboard(client, f"the keyboard of the phone changes {line[:20]!r}, so typing it needs"):
        # after the change of keyboards, which may leave half a word in the field
        now = _check_settled(tree, line)
        if before is not None and now.arrived == "no":
            _delete(client, surplus(before, now.shown))
            _broadcast_text(client, line)
        return check_arrived(tree, line)


def check_arrived(tree: Callable[[], str | None], line: str) -> str:
    """Checks that typed text is in the focused field; returns why this is unknown, or "".

    Raises:
        DeviceError: The focused field shows other text.
    """
    check = _check_settled(tree, line)
    if check.arrived == "no":
        raise DeviceError(f"the focused field shows {check.shown[:60]!r} after typing {line[:20]!r}")
    return check.note


def _check_settled(tree: Callable[[], str | None], line: str) -> TextCheck:
    check = check_text(tree(), line)
    if check.arrived == "no":
        # a keyboard may pass the text on with a delay
        time.sleep(BIND_SECONDS)
        check = check_text(tree(), line)
    return check


def _delete(client: AdbClient, count: int) -> None:
    """Deletes characters at the end of the focused field."""
    for start in range(0, count, _KEYS):
        keys = ["KEYCODE_DEL"] * min(_KEYS, count - start)
        client.shell("input", "keyevent", *([] if start else ["KEYCODE_MOVE_END"]), *keys)


def read_enabled_keyboards(client: AdbClient) -> tuple[str, ...]:
    """The enabled keyboards, `package/service`; read from the settings, as some phones deny `ime list`.

    Raises:
        DeviceError: The phone cannot be reached, or does not say.
    """
    value = client.read("settings", "get", *_ENABLED).strip()
    if not _KEYBOARDS.fullmatch(value):
        raise DeviceError(f"{client.serial} did not say which keyboards are enabled, but {value[:80]!r}")
    return tuple(name.partition(";")[0] for name in value.split(":") if name and name != "null")


def _pieces(line: str) -> Iterator[str]:
    return (line[start : start + PIECE] for start in range(0, len(line), PIECE))


def _broadcast_text(client: AdbClient, text: str) -> None:
    """Types by ADBKeyBoard."""
    for piece in _pieces(text):
        words = base64.b64encode(piece.encode()).decode()
        # without a package Android 14 and later deliver it to nobody (Open-AutoGLM 180)
        client.shell("am", "broadcast", "-p", _PACKAGE, "-a", "ADB_INPUT_B64", "--es", "msg", words)


@contextmanager
def _use_adb_keyboard(client: AdbClient, reason: str) -> Iterator[None]:
    """Makes ADBKeyBoard the keyboard, and restores the person's own at the end, also after Ctrl-C."""
    enabled = read_enabled_keyboards(client)
    if ADB_KEYBOARD not in enabled:
        raise DeviceError(f"{reason} the keyboard {ADB_KEYBOARD}; enabled: {', '.join(enabled)}")
    own = client.read("settings", "get", *_IME).strip()
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
        output = client.read("dumpsys", "input_method")
        if f"mCurMethodId={ADB_KEYBOARD}" in output or "mCurMethodId" not in output:
            return
        time.sleep(BIND_SECONDS)
