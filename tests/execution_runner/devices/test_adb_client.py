"""AdbClient on the recorded words and exit codes of adb 29 (Debian 12) and of adb 36 (adbutils)."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from execution_runner.devices.adb_client import AdbClient
from fingertip_dataset.errors import (
    ConnectionDroppedError,
    DeviceError,
    DeviceNotFoundError,
    DeviceOfflineError,
    DeviceUnauthorizedError,
    SeveralDevicesError,
)

KEYS = (
    "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' if that "
    "seems wrong.\nOtherwise check for a confirmation dialog on your device.\n"
)
DAEMON = "* daemon not running; starting now at tcp:5037\n* daemon started successfully\n"
WORDS = {
    "device 'R58' not found\n": DeviceNotFoundError,
    "no devices/emulators found\n": DeviceNotFoundError,
    "more than one device/emulator\n": SeveralDevicesError,
    "device offline\n": DeviceOfflineError,
    "device still connecting\n": DeviceOfflineError,
    "device still authorizing\n": DeviceUnauthorizedError,
    KEYS: DeviceUnauthorizedError,
    "closed\n": ConnectionDroppedError,
    "protocol fault (couldn't read status): Connection reset by peer\n": ConnectionDroppedError,
    "insufficient permissions for device: user in plugdev group\n": DeviceError,
}


def play(folder: Path, *, code: int, out: str = "", err: str = "") -> AdbClient:
    """A client whose adb gives one answer to every call."""
    program = folder / "adb"
    lines = f"printf %s {shlex.quote(out)}\nprintf %s {shlex.quote(err)} >&2\nexit {code}\n"
    program.write_text(f"#!/bin/sh\n{lines}", encoding="utf-8")
    program.chmod(0o755)
    return AdbClient("R58", adb=program, reconnect_s=0)


# adb 29 begins with "error: "; adb 30 to 36 begin with "adb: " for shell, and with "error: " for exec-out
@pytest.mark.parametrize(
    ("args", "start", "code"),
    [
        ("shell", "error: ", 1),
        ("shell", "adb: ", 1),
        ("exec-out", "error: ", 255),
        ("shell", f"{DAEMON}adb: ", 1),
    ],
)
@pytest.mark.parametrize(("words", "kind"), WORDS.items())
def test_the_words_of_adb_are_told_from_those_of_the_phone(
    tmp_path: Path, args: str, start: str, code: int, words: str, kind: type[DeviceError]
) -> None:
    with pytest.raises(DeviceError) as caught:
        play(tmp_path, code=code, err=start + words).run(args, "true")
    assert type(caught.value) is kind
    assert "\n" not in str(caught.value)
    assert "R58" in str(caught.value)
    assert "fingertip-done" not in str(caught.value)


NOISE = "WARNING: linker: /system/lib64/libx.so has text relocations\n"


@pytest.mark.parametrize("start", ["error: ", "adb: "])
@pytest.mark.parametrize(
    "before", ["", DAEMON, NOISE, "adb server version (39) doesn't match this client (41); killing...\n"]
)
@pytest.mark.parametrize("stream", ["out", "err"])
@pytest.mark.parametrize("args", ["shell", "exec-out"])
def test_adb_may_speak_on_either_stream_after_other_words(
    tmp_path: Path, args: str, stream: str, before: str, start: str
) -> None:
    for words, kind in WORDS.items():
        printed = {stream: before + start + words}
        with pytest.raises(DeviceError) as caught:
            play(tmp_path, code=1, **printed).run(args, "true")  # type: ignore[arg-type]
        assert type(caught.value) is kind
    if args == "exec-out" and stream == "err":
        with pytest.raises(DeviceOfflineError):
            play(tmp_path, code=0, err=f"{before}{start}device offline\n").run(args, "true")


@pytest.mark.parametrize("stream", ["out", "err"])
@pytest.mark.parametrize("before", ["", DAEMON])
@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("device\n", "device"),
        ("offline\n", "offline"),
        ("unauthorized\n", "unauthorized"),
        ("error: device offline\n", "offline"),
        ("adb: device unauthorized.\nThis adb server\n", "unauthorized"),
        ("error: device 'R58' not found\n", ""),
    ],
)
def test_the_state_of_a_phone_is_read_from_either_stream(
    tmp_path: Path, words: str, state: str, before: str, stream: str
) -> None:
    code = 1 if ":" in words else 0
    assert play(tmp_path, code=code, **{stream: before + words}).state() == state  # type: ignore[arg-type]


@pytest.mark.parametrize("stream", ["out", "err"])
@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("connected to 10.0.0.7:5555\n", None),
        ("already connected to 10.0.0.7:5555\n", None),
        ("failed to connect to '10.0.0.7:5555': Connection refused\n", DeviceNotFoundError),
        ("cannot connect to 10.0.0.7:5555: No route to host\n", DeviceNotFoundError),
        ("failed to authenticate to 10.0.0.7:5555\n", DeviceUnauthorizedError),
    ],
)
def test_the_words_of_connect_are_read_from_either_stream(
    tmp_path: Path, words: str, kind: type[DeviceError] | None, stream: str
) -> None:
    client = play(tmp_path, code=0, **{stream: DAEMON + words})  # type: ignore[arg-type]
    client.serial = "10.0.0.7:5555"
    if kind is None:
        client._connect()
        return
    with pytest.raises(kind):
        client._connect()


@pytest.mark.parametrize(
    "out", ["", "\n", "Error: Could not access the Package Manager. Is the system running?\n"]
)
def test_a_phone_that_lists_no_apps_has_not_answered(tmp_path: Path, out: str) -> None:
    with pytest.raises(DeviceError, match="did not list its apps"):
        play(tmp_path, code=0, out=f"{out}fingertip-done0\n").list_apps()
    listed = play(
        tmp_path, code=0, out="WARNING: x\npackage:android\npackage:com.a\nfingertip-done0\n"
    ).list_apps()
    assert listed == {"android", "com.a"}


@pytest.mark.parametrize(("code", "out"), [(0, ""), (0, "package:com."), (255, ""), (255, "package:com.")])
def test_a_connection_that_ends_within_a_command_is_no_answer(tmp_path: Path, code: int, out: str) -> None:
    """adb 29 exits with 0 then, adb 36 with 255; both print what had arrived."""
    with pytest.raises(ConnectionDroppedError, match=r"to R58 dropped during `shell pm list`"):
        play(tmp_path, code=code, out=out).run("shell", "pm list")


@pytest.mark.parametrize("out", ["", "package:com.a\n", "no line end", "fingertip-done\n"])
@pytest.mark.parametrize(
    "mark", ["fingertip-done\n", "fingertip-done0\n", "fingertip-done0\r\nW/noise behind: 7\n"]
)
def test_the_output_of_a_whole_answer_is_unchanged(tmp_path: Path, out: str, mark: str) -> None:
    client = play(tmp_path, code=0, out=f"{out}{mark}")
    assert client.run("shell", "pm list").stdout.decode() == out
    assert client.shell("pm", "list") == out


def test_the_words_of_a_failed_command_are_the_phones(tmp_path: Path) -> None:
    done = play(tmp_path, code=1, err="cat: /none: No such file or directory\n").run("shell", "cat /none")
    assert (done.returncode, done.stderr) == (1, b"cat: /none: No such file or directory\n")


@pytest.mark.parametrize("status", [1, 137, 255])
def test_the_status_of_a_command_stands_behind_its_output(tmp_path: Path, status: int) -> None:
    done = play(tmp_path, code=0, out=f"some\nfingertip-done{status}\n").run("shell", "false")
    assert (done.returncode, done.stdout) == (status, b"some\n")
    with pytest.raises(DeviceError, match="`false` failed on R58"):
        play(tmp_path, code=0, out=f"some\nfingertip-done{status}\n").shell("false")
