"""Values that no real phone expects: answered, and the phone goes on."""

from __future__ import annotations

import asyncio
import json

import pytest

from phone.tests.simulated_phone.conftest import run_line
from simulated_phone.adb.commands.dump.dumpsys_services import DUMPED_SERVICES
from simulated_phone.adb.device_state import DeviceState
from simulated_phone.adb.phone_device import make_device
from simulated_phone.device_servers.http_server import HttpRequest
from simulated_phone.device_servers.uiautomator2.uiautomator2_http import _response
from simulated_phone.device_servers.uiautomator2.uiautomator2_rpc import Uiautomator2Calls
from simulated_phone.goals.app_definition import GoalInstance
from simulated_phone.phone import Phone


@pytest.fixture
def device() -> DeviceState:
    return make_device(Phone(size=(540, 1200), density=210))


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


def test_a_phone_without_any_stored_setting_is_a_fresh_one(device: DeviceState) -> None:
    fresh = device.phone.state_copy()
    for namespace, rows in device.phone.setting_rows.items():
        listed = run_line(f"settings list {namespace}", device)[1]
        for key in (*rows, *(row.partition("=")[0] for row in listed.splitlines())):
            run_line(f"settings delete {namespace} {key}", device)
        assert (
            run_line(f"content query --uri content://settings/{namespace}", device)[1] == "No result found.\n"
        )
    assert device.phone.state_copy() == fresh
    for name in DUMPED_SERVICES:
        assert run_line(f"dumpsys {name}", device)[0] == 0
    app = device.phone.apps["com.android.settings"]
    for goal in app.goals:
        for arguments in goal.cases(device.phone.seed):
            aim = GoalInstance(package=app.package, goal=goal.name, arguments=arguments)
            assert not device.phone.achieved(aim)
    assert works(device)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[" * 100_000,
        b'{"method": "click", "params": 3}',
        *(
            json.dumps({"method": method, "params": params}).encode()
            for method, params in (
                ("exist", ["no selector"]),
                ("swipe", [float("-inf"), 1, 2, 3]),
                ("swipe", [1, 2, 300, 400, 1e300]),
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
