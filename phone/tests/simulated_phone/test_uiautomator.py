"""`uiautomator dump`: which windows are in a tree, and what the command says."""

from __future__ import annotations

from typing import Any

import pytest
from lxml.etree import fromstring

from execution_runner.devices.in_process_device import InProcessDevice
from phone.tests.simulated_phone.conftest import LocalPhone
from simulated_phone.machine.faults import NO_TREE

SYSTEM_UI = "com.android.systemui"


def dump(local: LocalPhone, options: str = "") -> Any:  # noqa: ANN401 - an element of lxml
    assert (
        local.output(f"uiautomator dump {options} /sdcard/a.xml") == "UI hierchary dumped to: /sdcard/a.xml\n"
    )
    return fromstring(local.output("cat /sdcard/a.xml").encode())


def texts(root: Any) -> list[str]:  # noqa: ANN401 - an element of lxml
    return [text for node in root.iter("node") if (text := node.get("text") or node.get("content-desc"))]


def test_a_dump_has_the_active_window_alone(local: LocalPhone) -> None:
    root = dump(local)
    assert [node.get("package") for node in root] == [local.do(lambda phone: phone.foreground[0])]
    assert {
        node.get("package") for node in local.do(lambda phone: fromstring(phone.tree("windows").encode()))
    } == {
        root[0].get("package"),
        SYSTEM_UI,
    }


def test_a_panel_over_the_app_is_the_active_window(local: LocalPhone) -> None:
    local.do(lambda phone: phone.open_panel())
    assert [node.get("package") for node in dump(local)] == [SYSTEM_UI]


def test_both_devices_of_the_runner_get_the_same_tree(local: LocalPhone) -> None:
    assert InProcessDevice(local.phone).tree() == local.output("uiautomator dump /dev/tty").removesuffix(
        "UI hierchary dumped to: /dev/tty\n"
    )


def test_a_compressed_dump_says_and_offers_the_same_with_fewer_nodes(local: LocalPhone) -> None:
    whole, small = dump(local), dump(local, "--compressed")
    assert sorted(texts(whole)) == sorted(texts(small))
    assert len(list(small.iter("node"))) < len(list(whole.iter("node")))
    for name in ("clickable", "scrollable", "long-clickable"):
        bounds = [
            [node.get("bounds") for node in root.iter("node") if node.get(name) == "true"]
            for root in (whole, small)
        ]
        assert bounds[0] == bounds[1]
    for node in small.iter("node"):
        assert [child.get("index") for child in node] == [str(place) for place in range(len(node))]


def test_a_dump_of_all_windows_names_each(local: LocalPhone) -> None:
    display = dump(local, "--windows")[0]
    assert (display.tag, display.get("id")) == ("display", "0")
    assert [window.get("type") for window in display] == ["TYPE_SYSTEM", "TYPE_SYSTEM", "TYPE_APPLICATION"]
    assert [window.get("active") for window in display] == ["false", "false", "true"]
    assert all(len(window.findall("hierarchy/node")) == 1 for window in display)


@pytest.mark.parametrize(
    "line", ["uiautomator", "uiautomator nonsense", "uiautomator help", "uiautomator events"]
)
def test_without_a_subcommand_that_it_has_it_prints_its_help_and_ends_well(
    local: LocalPhone, line: str
) -> None:
    code, out, err = local.shell(line)
    assert (code, out) == (0, "")
    assert err.startswith("Usage: uiautomator <subcommand> [options]\n")


def test_a_screen_without_a_window_has_no_tree(local: LocalPhone) -> None:
    local.output("input keyevent SLEEP")
    assert local.shell("uiautomator dump") == (
        0,
        "",
        "ERROR: null root node returned by UiTestAutomationBridge.\n",
    )
    assert InProcessDevice(local.phone).tree() is None


def test_the_fault_without_trees_fails_as_a_phone_does(local: LocalPhone) -> None:
    local.do(lambda phone: phone.set_fault(NO_TREE, True))
    assert local.shell("uiautomator dump") == (0, "", "ERROR: could not get idle state.\n")
