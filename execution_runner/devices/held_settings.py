"""A person's settings while their phone is held: saved on the phone, changed, and restored.

The display has to stay on during a run. What the run changes is written to a file on the phone first, so that
the next start restores it if the run was killed (kill -9, a power cut), also from another computer.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from execution_runner.devices.adb_client import AdbClient
from fingertip_dataset.errors import DeviceError

RESTORE_FILE = "/data/local/tmp/fingertip_restore.json"
"""File on the phone with the person's own values; it exists only while a run holds the phone."""

SCREEN_OFF_MS = 1_800_000
"""Time without a touch after which the display goes off during a run: half an hour."""

STAY_ON = ("global", "stay_on_while_plugged_in")
SCREEN_OFF = ("system", "screen_off_timeout")
KEYBOARD = ("secure", "default_input_method")
_VALUE = re.compile(r"null|-?\d{1,10}|[\w.]+/[\w.$]+")
_MOST_CHARACTERS = 4096


@contextmanager
def hold_settings(client: AdbClient) -> Iterator[None]:
    """Keeps the display on, and restores the person's own settings at the end.

    `stay_on_while_plugged_in` works only on a phone that is charging, so the time until the display goes off
    is set, too, where the phone allows it.

    Raises:
        DeviceError: The phone cannot be reached, does not tell its settings, or refuses to stay on.
    """
    restore_left_settings(client)
    own = {"/".join(name): _read_setting(client, name) for name in (STAY_ON, SCREEN_OFF, KEYBOARD)}
    _write(client, own)
    try:
        client.shell("svc", "power", "stayon", "true")
        # some vendors let only their own settings app change it
        with suppress(DeviceError):
            client.shell("settings", "put", *SCREEN_OFF, str(SCREEN_OFF_MS))
        yield
    finally:
        client.wait_until_ready()
        _restore(client, own)


def restore_left_settings(client: AdbClient) -> bool:
    """Restores the settings that a killed run left changed; returns whether there were any.

    Raises:
        DeviceError: The phone cannot be reached, or refuses a setting.
    """
    # a file that is not there is no error
    own = _read(client.read("sh", "-c", f"cat {RESTORE_FILE} 2>/dev/null || true")[:_MOST_CHARACTERS])
    if not own:
        return False
    _restore(client, own)
    return True


def _read_setting(client: AdbClient, name: tuple[str, str]) -> str:
    """Return a value that can be put back: an answer of another form would change the setting for good."""
    value = client.read("settings", "get", *name).strip()
    if not _VALUE.fullmatch(value):
        raise DeviceError(f"{client.serial} did not tell its setting {name[1]}, but said {value[:80]!r}")
    return value


def _write(client: AdbClient, own: Mapping[str, str]) -> None:
    text = shlex.quote(json.dumps(own))
    # without the file a killed run leaves its settings; that is no reason not to run
    client.run("shell", f"echo {text} > {RESTORE_FILE}")


def _read(text: str) -> dict[str, str]:
    """Return the values by `namespace/key`; none for a broken file."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    values = found.items() if isinstance(found, dict) else ()
    return {name: value for name, value in values if isinstance(value, str)}


def _restore(client: AdbClient, own: Mapping[str, str]) -> None:
    for name in (STAY_ON, SCREEN_OFF):
        value = own.get("/".join(name))
        if not value or value == client.read("settings", "get", *name).strip():
            continue
        # a setting that was never set reads as "null"; putting that back would store the word
        change = ("delete", *name) if value == "null" else ("put", *name, value)
        client.shell("settings", *change)
    keyboard = own.get("/".join(KEYBOARD), "null")
    if keyboard not in ("", "null") and keyboard != client.read("settings", "get", *KEYBOARD).strip():
        client.shell("ime", "set", keyboard)
    client.run("shell", f"rm -f {RESTORE_FILE}")
