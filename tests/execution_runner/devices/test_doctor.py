"""The doctor's checks of phones with and without problems, through the real adb."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from execution_runner.devices.adb_client import AdbClient, find_adb
from execution_runner.devices.doctor import DeviceCheck, examine
from simulated_phone import SimulatedPhoneServer
from tests.phone_bench import Bench, small_phone

Start = Callable[..., Bench]


def ill(checks: list[DeviceCheck]) -> dict[str, str]:
    """Name of each failed check -> its finding and fix; checks that pass have no fix."""
    for check in checks:
        assert check.found
        assert "\n" not in check.found
        assert check.ok == (not check.mend)
    return {check.name: f"{check.found}. {check.mend}" for check in checks if not check.ok}


def test_a_complete_phone_passes_all_checks(bench: Start, adb_port: int) -> None:
    rig = bench()
    before = rig.server.do(lambda phone: phone.snapshot().data["settings"])
    checks = list(examine(rig.server.serial, ["com.android.deskclock"], server_port=adb_port))
    assert ill(checks) == {}
    # that of the platform tools, not of the protocol
    assert re.search(r" Version \d\d\.", checks[0].found)
    names = ["adb", "phone", "input", "lock", "screenshot", "tree", "keyboard", "wireless"]
    assert [check.name for check in checks] == [*names, "app com.android.deskclock"]
    assert rig.server.do(lambda phone: phone.snapshot().data["settings"]) == before


@pytest.mark.parametrize(
    ("fault", "name", "words"),
    [
        ("pin_lock", "lock", "Unlock the phone by hand"),
        ("no_input_injection", "input", "USB debugging (Security settings)"),
        ("no_adb_keyboard", "keyboard", "ADBKeyBoard is not installed"),
        ("no_tree", "tree", "could not get idle state"),
        ("truncated_screenshot", "screenshot", "cable"),
        ("rotation", "screenshot", "upright"),
    ],
)
def test_each_problem_is_named_with_its_fix(
    bench: Start, adb_port: int, fault: str, name: str, words: str
) -> None:
    missing = ill(list(examine(bench(faults=[fault]).server.serial, server_port=adb_port)))
    assert list(missing) == [name]
    assert words in missing[name]


@pytest.mark.parametrize("fault", ["dropped_connection", "screen_off"])
def test_a_dropped_connection_or_a_dark_locked_screen_is_no_problem(
    bench: Start, adb_port: int, fault: str
) -> None:
    rig = bench(faults=[fault])
    assert ill(list(examine(rig.server.serial, ["com.android.deskclock"], server_port=adb_port))) == {}
    assert rig.server.do(lambda phone: phone.screen_on and not phone.locked)


def test_a_disabled_keyboard_and_a_missing_app_are_reported(bench: Start, adb_port: int) -> None:
    rig = bench()
    rig.server.do(lambda phone: phone.settings["secure"].update(enabled_input_methods=phone.current_ime))
    missing = ill(list(examine(rig.server.serial, ["com.nobody"], server_port=adb_port)))
    assert list(missing) == ["keyboard", "app com.nobody"]
    assert "ime enable com.android.adbkeyboard/.AdbIME" in missing["keyboard"]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("pm list", ""),
        ("pm list", "Error: Is the system running?"),
        ("pm list", "cmd: Failure calling service package: Failed transaction (2147483646)"),
        ("pm list", None),
        ("settings get secure", ""),
        ("settings get secure", "Failure calling service settings: Broken pipe (32)"),
        ("dumpsys window", ""),
        ("dumpsys power", "garbage"),
    ],
)
def test_a_read_that_failed_is_not_told_as_a_fact_about_the_phone(
    bench: Start, adb_port: int, tmp_path: Path, command: str, answer: str | None
) -> None:
    rig = bench(faults=["no_adb_keyboard"])
    adb = tmp_path / "adb"
    cut = "exit 0" if answer is None else f"echo '{answer}'; echo fingertip-done0; exit 0"
    adb.write_text(
        f'#!/bin/sh\ncase "$*" in *\'{command}\'*) {cut};; esac\nexec {find_adb()} "$@"\n', encoding="utf-8"
    )
    adb.chmod(0o755)
    missing = ill(list(examine(rig.server.serial, ["com.nobody"], adb=adb, server_port=adb_port)))
    wanted = ["keyboard", "app com.nobody"]
    assert list(missing) == ["lock"] * command.startswith("dumpsys") + wanted
    named = [name for name in wanted if "not installed" in missing[name]]
    assert named == ([] if command == "pm list" else wanted if "dumpsys" in command else ["app com.nobody"])


def test_an_unauthorized_phone_is_reported(adb_port: int) -> None:
    with SimulatedPhoneServer(small_phone(faults=["unauthorized"])) as server:
        missing = ill(list(examine(server.serial, server_port=adb_port)))
        AdbClient(server.serial, server_port=adb_port).run("disconnect")
    assert list(missing) == ["phone"]
    assert "accept the dialog" in missing["phone"]


def test_an_unresponsive_phone_is_reported(bench: Start, adb_port: int) -> None:
    rig = bench()
    rig.server.do(lambda phone: phone.set_fault("offline", True))
    missing = ill(list(examine(rig.server.serial, server_port=adb_port)))
    assert list(missing) == ["phone"]
    serial = rig.server.serial
    assert f"`adb disconnect {serial}`, then `adb connect {serial}`" in missing["phone"]


@pytest.mark.parametrize(
    ("serial", "advised"),
    [("127.0.0.1:1", "`adb connect 127.0.0.1:1`"), ("127.0.0.1", "`adb connect 127.0.0.1:PORT`")],
)
def test_an_address_that_is_not_connected_is_advised_to_be_connected(
    adb_port: int, serial: str, advised: str
) -> None:
    (phone,) = ill(list(examine(serial, server_port=adb_port))).values()
    assert serial in phone
    assert advised in phone
    assert "cable that carries data" not in phone


def test_missing_adb_missing_phone_and_several_phones_are_reported(
    bench: Start, adb_port: int, tmp_path: Path
) -> None:
    assert list(ill(list(examine(adb=tmp_path / "adb")))) == ["adb"]
    assert "build number" in ill(list(examine("R58M123", server_port=adb_port)))["phone"]
    first, second = bench(), bench()
    missing = ill(list(examine(server_port=adb_port)))["phone"]
    for part in (first.server.serial, second.server.serial, "--device SERIAL"):
        assert part in missing


def test_the_command_exits_with_1_if_something_is_missing(bench: Start, adb_port: int) -> None:
    rig = bench(faults=["no_tree"])
    code = "import sys; from fingertip_cli.start.doctor import command; command(sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", code, "--device", f"adb:{rig.server.serial}"],
        env={**os.environ, "ANDROID_ADB_SERVER_PORT": str(adb_port)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "MISSING  tree: " in done.stdout
    assert "ok       screenshot: 540x1200, upright" in done.stdout
    assert done.stdout.endswith("1 missing\n")
