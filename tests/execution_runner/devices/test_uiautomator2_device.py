"""The phone through uiautomator2's own client; the simulated phone implements its server."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from benchmarks.soak_typing import focus_a_field, in_field
from execution_runner.devices.uiautomator2_device import Uiautomator2Device
from fingertip_dataset.errors import (
    DeviceError,
    DeviceNotFoundError,
    MissingExtraError,
    NoFocusError,
    NoTreeError,
)
from tests.phone_bench import Bench

Start = Callable[..., Bench]


@pytest.fixture
def opened(adb_port: int) -> Iterator[Callable[[Bench], Uiautomator2Device]]:
    devices: list[Uiautomator2Device] = []

    def start(rig: Bench) -> Uiautomator2Device:
        devices.append(Uiautomator2Device.find(rig.server.serial, server_port=adb_port))
        return devices[-1]

    yield start
    for device in devices:
        device.close()


Opened = Callable[[Bench], Uiautomator2Device]


def test_it_observes_types_and_restores_the_clipboard(bench: Start, opened: Opened) -> None:
    rig = bench()
    device = opened(rig)
    seen = device.observe()
    # the active window, as over adb; uiautomator2's own clients get all by default
    assert seen == rig.device.observe()
    assert device._automator.dump_hierarchy() == rig.phone.tree("windows") != seen.tree
    assert device._automator.dump_hierarchy(root_in_active=True) == seen.tree
    focus_a_field(rig.server, device)
    own = rig.phone.current_ime
    device._automator.set_clipboard("von vorher")
    device.type_text("晴天 %s $HOME '😀\"")
    assert rig.server.do(in_field) == "晴天 %s $HOME '😀\""
    assert device._automator.clipboard == "von vorher"
    assert rig.phone.current_ime == own
    with pytest.raises(DeviceError, match="half a surrogate pair"):
        device.type_text("\ud83d")
    device.type_text("\n")
    assert rig.server.do(lambda phone: phone.shown().focus) is None


def test_client_errors_become_device_errors(bench: Start, opened: Opened, adb_port: int) -> None:
    rig = bench()
    device = opened(rig)
    rig.server.do(lambda phone: phone.set_fault("no_tree", True))
    with pytest.raises(NoTreeError) as caught:
        device.dump()
    assert "\n" not in str(caught.value)
    assert [type(problem) for problem in device.observe().problems] == [NoTreeError]
    with pytest.raises(DeviceNotFoundError):
        Uiautomator2Device.find("R58M123", server_port=adb_port)


def test_a_refused_clipboard_is_left_alone_and_the_text_is_typed(bench: Start, opened: Opened) -> None:
    rig = bench()
    device = opened(rig)
    focus_a_field(rig.server, device)
    device._automator.set_clipboard("von vorher")
    rig.server.do(lambda phone: phone.set_fault("no_clipboard", True))
    assert device.type_text("Paris 晴天") == ""
    assert rig.server.do(in_field) == "Paris 晴天"
    rig.server.do(lambda phone: phone.set_fault("no_clipboard", False))
    assert device._automator.clipboard == "von vorher"


def test_text_without_a_focused_field_is_not_pasted(bench: Start, opened: Opened) -> None:
    device = opened(bench())
    device._automator.set_clipboard("von vorher")
    with pytest.raises(NoFocusError):
        device.type_text("Paris")
    assert device._automator.clipboard == "von vorher"


def test_the_adb_server_is_that_of_the_environment(
    bench: Start, adb_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb_port))
    device = Uiautomator2Device.find(bench().server.serial)
    assert device.observe().problems == ()
    device.close()


def test_a_missing_package_names_the_extra(
    monkeypatch: pytest.MonkeyPatch, bench: Start, adb_port: int
) -> None:
    monkeypatch.setitem(sys.modules, "uiautomator2", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'fingertip-20k\[uiautomator2\]'"):
        Uiautomator2Device.find(bench().server.serial, server_port=adb_port)
