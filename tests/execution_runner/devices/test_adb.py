"""AdbDevice over the real adb, on working and on faulty phones."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from benchmarks.soak_typing import focus_a_field, in_field
from execution_runner.devices.adb import AdbDevice, fits
from execution_runner.devices.adb_client import AdbClient
from execution_runner.devices.screenshots import extract_png, read_png_size
from fingertip_dataset.errors import (
    BlackFrameError,
    ConnectionDroppedError,
    DeviceError,
    DeviceLockedError,
    DeviceNotFoundError,
    DeviceOfflineError,
    DeviceTimeoutError,
    DeviceUnauthorizedError,
    InputRefusedError,
    NoTreeError,
    SeveralDevicesError,
    TruncatedScreenshotError,
)
from simulated_phone import App, Phone, SimulatedPhoneServer
from simulated_phone.screens.layouts.widgets import Text
from simulated_phone.screens.pages import AppPage
from tests.phone_bench import Bench, small_phone
from tests.stored_pictures import StoredPicture

Start = Callable[..., Bench]


def one_line(error: DeviceError) -> str:
    text = str(error)
    assert "\n" not in text
    return text


def test_a_phone_is_found_and_observed(bench: Start) -> None:
    rig = bench()
    seen = rig.device.observe()
    assert seen.size == (540, 1200) == rig.device.size()
    assert seen.package == "com.android.launcher3" == rig.device.foreground()
    assert seen.problems == ()
    assert seen.tree == rig.phone.tree() == rig.device.tree()
    assert seen.screenshot == rig.phone.screenshot_png()


def test_a_phone_carries_out_each_input(bench: Start) -> None:
    rig = bench()
    rig.device.start_app("com.android.deskclock")
    assert rig.device.foreground() == "com.android.deskclock"
    rig.device.press_key("KEYCODE_HOME")
    assert rig.device.foreground() == "com.android.launcher3"
    rig.device.swipe(270, 2, 270, 600)
    assert rig.device.foreground() != "com.android.launcher3"
    rig.device.press_key("KEYCODE_BACK")
    with pytest.raises(DeviceError, match="has no activity to start"):
        rig.device.start_app("com.nobody")


def test_text_that_a_full_field_rejects_is_an_error_and_the_keyboard_is_restored(bench: Start) -> None:
    rig = bench()
    own = rig.phone.current_ime
    focus_a_field(rig.server, rig.device)
    rig.server.do(lambda phone: phone.edit(lambda old: "x" * 2000))  # the field is full
    with pytest.raises(DeviceError, match=r"the focused field shows .* after typing '晴天'"):
        rig.device.type_text("晴天")
    assert rig.phone.current_ime == own


def test_without_adb_keyboard_chinese_is_refused_and_ascii_is_typed(bench: Start) -> None:
    rig = bench()
    focus_a_field(rig.server, rig.device)
    rig.server.do(lambda phone: phone.settings["secure"].update(enabled_input_methods=phone.current_ime))
    rig.device.type_text("Paris 7")
    assert rig.server.do(in_field) == "Paris 7"
    with pytest.raises(DeviceError, match="needs the keyboard com"):
        rig.device.type_text("晴天")


def test_the_frame_is_that_of_the_screenshot(bench: Start) -> None:
    rig = bench(faults=["rotation"])
    assert rig.device.observe().size == (1200, 540) == rig.device.size()


def test_a_dark_locked_phone_is_woken_without_a_secret(bench: Start) -> None:
    rig = bench(faults=["screen_off"])
    seen = rig.device.observe(wake=False)
    assert [type(problem) for problem in seen.problems] == [BlackFrameError, NoTreeError]
    assert rig.device.locked()
    rig.device.wake()
    assert not rig.device.locked()
    assert rig.device.observe().problems == ()
    rig.device.wake()  # a second call has no effect


@pytest.mark.parametrize("own", ["0", "3", None])
def test_the_display_stays_on_and_the_setting_is_restored(bench: Start, own: str | None) -> None:
    rig = bench()
    key = "stay_on_while_plugged_in"

    def prepare(phone: Phone) -> None:
        rows = phone.setting_rows["global"]
        rows.pop(key)
        rows.update({} if own is None else {key: own})

    rig.server.do(prepare)
    with rig.device.stay_awake():
        assert rig.phone.settings["global"][key] == "7"
    assert rig.phone.setting_rows["global"].get(key) == own


# ---- errors


def test_a_lock_with_a_secret_is_left_to_the_person(bench: Start) -> None:
    with pytest.raises(DeviceLockedError, match="unlock it by hand") as caught:
        bench(faults=["pin_lock"]).device.wake()
    one_line(caught.value)


def test_refused_input_names_the_switch(bench: Start) -> None:
    rig = bench()
    focus_a_field(rig.server, rig.device)
    rig.server.do(lambda phone: phone.set_fault("no_input_injection", True))
    for act in (
        lambda: rig.device.tap(1, 1),
        lambda: rig.device.swipe(1, 1, 9, 900),
        lambda: rig.device.type_text("a"),
        lambda: rig.device.press_key("KEYCODE_HOME"),
    ):
        with pytest.raises(InputRefusedError, match="Security settings") as caught:
            act()
        one_line(caught.value)


def test_a_tree_of_another_screen_is_refused(bench: Start) -> None:
    seen = bench().device.observe()
    assert fits(seen)
    assert fits(replace(seen, tree=None))
    assert not fits(replace(seen, package="com.android.deskclock"))
    assert not fits(replace(seen, size=(1200, 540)))
    assert fits(replace(seen, package=""))


def test_an_unauthorized_phone_is_a_one_line_error(adb_port: int) -> None:
    with SimulatedPhoneServer(small_phone(faults=["unauthorized"])) as server:
        for _ in range(2):
            with pytest.raises(DeviceUnauthorizedError) as caught:
                AdbDevice.find(server.serial, server_port=adb_port)
            assert server.serial in one_line(caught.value)
        with pytest.raises(DeviceUnauthorizedError):
            AdbClient(server.serial, server_port=adb_port).shell("true")
        AdbClient(server.serial, server_port=adb_port).run("disconnect")


def test_an_offline_phone_is_a_one_line_error(bench: Start) -> None:
    rig = bench(reconnect_s=1.5)
    rig.server.__exit__(None, None, None)

    def tap() -> None:
        with suppress(ConnectionDroppedError):  # adb had not noticed yet
            return rig.device.tap(1, 1)
        return rig.device.tap(1, 1)

    with pytest.raises(DeviceOfflineError) as caught:
        tap()
    assert rig.server.serial in one_line(caught.value)
    rig.server.__enter__()
    rig.device.tap(1, 1)


def test_a_missing_serial_and_several_phones_are_one_line_errors(bench: Start, adb_port: int) -> None:
    with pytest.raises(DeviceNotFoundError) as caught:
        AdbDevice.find("127.0.0.1:9", server_port=adb_port)
    assert "127.0.0.1:9" in one_line(caught.value)
    with pytest.raises(DeviceNotFoundError):
        AdbDevice.find("R58M123", server_port=adb_port)
    first = bench()
    assert AdbDevice.find(server_port=adb_port).client.serial == first.server.serial
    second = bench()
    with pytest.raises(SeveralDevicesError) as several:
        AdbDevice.find(server_port=adb_port)
    assert first.server.serial in one_line(several.value)
    assert second.server.serial in one_line(several.value)


@pytest.mark.parametrize(
    "serial",
    ["$(touch made)", "`touch made`", "; touch made", "| touch made", "a\ntouch made", "host:kill", "-P 1"],
)
def test_a_serial_with_shell_words_is_only_a_name(
    adb_port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, serial: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # the second finds the adb server still running
        with pytest.raises(DeviceNotFoundError) as caught:
            AdbDevice.find(serial, server_port=adb_port)
        one_line(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_tree_is_an_error(bench: Start) -> None:
    rig = bench(faults=["no_tree"])
    with pytest.raises(NoTreeError, match="could not get idle state") as caught:
        rig.device.dump()
    one_line(caught.value)
    assert rig.device.tree() is None
    seen = rig.device.observe()
    assert seen.tree is None
    assert [type(problem) for problem in seen.problems] == [NoTreeError]


def test_an_old_tree_is_never_taken_for_a_new_one(bench: Start) -> None:
    rig = bench()
    rig.device.dump()
    rig.server.do(lambda phone: phone.set_fault("no_tree", True))
    assert rig.device.tree() is None


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("exec yes", "got `shell uiautomator dump .* printed more than 64 MB"),
        ("head -c 41943040 /dev/zero; echo fingertip-done0", "got one of more than 16777216 bytes"),
        ("exec sleep 60", "got none within 0.8 s"),
        ("head -c 1000 /dev/urandom >&2; exit 137", "expected an accessibility tree, got "),
    ],
)
def test_a_dump_without_end_or_sense_is_no_tree_in_time(tmp_path: Path, program: str, why: str) -> None:
    adb = tmp_path / "adb"
    adb.write_text(
        f'#!/bin/sh\ncase "$*" in *get-state) echo device;; *) {program};; esac\n', encoding="utf-8"
    )
    adb.chmod(0o755)
    begin = time.monotonic()
    with pytest.raises(NoTreeError, match=why) as caught:
        AdbDevice(AdbClient("R58", adb=adb), observe_s=1).dump()
    one_line(caught.value)
    assert time.monotonic() - begin < 5


def test_reads_survive_dropped_connections_and_inputs_report_them(bench: Start) -> None:
    rig = bench(faults=["dropped_connection"])
    for _ in range(4):
        assert rig.device.observe().size == (540, 1200)
    caught: list[ConnectionDroppedError] = []
    for _ in range(12):
        try:
            rig.device.tap(1, 1)
        except ConnectionDroppedError as error:
            caught.append(error)
    assert caught
    one_line(caught[0])


def test_a_command_that_does_not_end_times_out(bench: Start) -> None:
    begin = time.monotonic()
    with pytest.raises(DeviceTimeoutError) as caught:
        bench().device.client.shell("sleep", "5", deadline=0.3)
    assert time.monotonic() - begin < 4
    one_line(caught.value)


def test_a_failing_command_is_an_error(bench: Start) -> None:
    with pytest.raises(DeviceError, match="`cat /sdcard/none` failed") as caught:
        bench().device.client.shell("cat", "/sdcard/none")
    one_line(caught.value)


# ---- screenshots


def png(color: str, size: tuple[int, int] = (540, 1200)) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", size, color).save(stream, "PNG", compress_level=1)
    return stream.getvalue()


def test_a_warning_before_the_png_is_stripped() -> None:
    whole = png("#123456")
    assert extract_png(b"[Warning] Multiple displays were found\n" + whole + b"\n") == whole
    assert read_png_size(whole) == (540, 1200)
    assert read_png_size(StoredPicture(format="PNG", orientation=6, size=(54, 120)).write()) == (54, 120)
    for cut in (b"", b"error: closed\n", whole[:-1], whole[len(whole) // 2 :]):
        with pytest.raises(TruncatedScreenshotError):
            extract_png(cut)


def test_a_black_frame_is_reported(bench: Start) -> None:
    till = App(
        package="com.example.till",
        activity=".Till",
        label="收银",
        english="Till",
        glyph="wallet",
        color="#123456",
        initial=lambda rng: {},
        pages={"pay": lambda view: AppPage(title="付款", body=[Text("¥18.5")], secure=True)},
        home="pay",
    )
    rig = bench(apps=[till], faults=["black_payment_screen"])
    assert rig.device.observe().problems == ()
    rig.device.start_app(till.package)
    seen = rig.device.observe()
    assert [type(problem) for problem in seen.problems] == [BlackFrameError]
    one_line(seen.problems[0])
    assert "¥18.5" in (seen.tree or "")
