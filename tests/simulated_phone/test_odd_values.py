"""Values that no real phone expects: answered, and the phone goes on."""

from __future__ import annotations

import asyncio
import json

import pytest

from simulated_phone.adb.device_state import DeviceState
from simulated_phone.adb.http_server import HttpRequest
from simulated_phone.adb.uiautomator2_http import _response
from simulated_phone.adb.uiautomator2_rpc import Uiautomator2Calls
from simulated_phone.phone import Phone
from tests.simulated_phone.conftest import run_line


@pytest.fixture
def device() -> DeviceState:
    return DeviceState(phone=Phone(size=(540, 1200), density=210))


def works(device: DeviceState) -> bool:
    before = device.phone.now
    device.phone.tap(5, 9)
    return device.phone.now > before and bool(device.phone.tree())


@pytest.mark.parametrize("ms", ["99999999999999999999", "-99999999999999", "9" * 15])
def test_a_touch_of_any_duration_keeps_the_clock(device: DeviceState, ms: str) -> None:
    before = device.phone.now
    run_line(f"input swipe 1 1 300 300 {ms}; input swipe 5 5 5 5 {ms}", device)
    assert 0 <= (device.phone.now - before).total_seconds() <= 2 * 3600
    assert works(device)


@pytest.mark.parametrize("name", ["global wifi_on", "global airplane_mode_on", "system user_rotation"])
def test_a_deleted_setting_has_its_first_value(device: DeviceState, name: str) -> None:
    _, first, _ = run_line(f"settings get {name}", device)
    assert run_line(f"settings put {name} 1; settings delete {name}", device)[1] == "Deleted 1 rows\n"
    assert run_line(f"settings get {name}", device)[1] == first
    assert works(device)
    assert run_line("settings delete global of_an_app", device)[1] == "Deleted 0 rows\n"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[" * 100_000,
        b'"x"',
        b'{"method": "click", "params": 3}',
        *(
            json.dumps({"method": method, "params": params}).encode()
            for method, params in (
                ("exist", ["no selector"]),
                ("swipe", [float("-inf"), 1, 2, 3]),
                ("swipe", [1, 2, 300, 400, 1e300]),
                ("pressKey", [False]),
                ("childByText", [None, None]),
            )
        ),
    ],
)
def test_uiautomator2_answers_wrong_calls(device: DeviceState, body: bytes) -> None:
    request = HttpRequest(method="POST", path="/jsonrpc/0", body=body)
    record = json.loads(asyncio.run(_response(Uiautomator2Calls(device), request)))
    assert record.keys() in ({"jsonrpc", "id", "error"}, {"jsonrpc", "id", "result"})
    assert works(device)
