"""Care for a person's phone between two tasks: it cannot be reset, but apps can be left or closed."""

from __future__ import annotations

from typing import Literal

from execution_runner.devices.adb import AdbDevice
from fingertip_dataset.ui_tree.accessibility import Element, parse_tree

BetweenTasks = Literal["home", "stop-app", "clear-recents"]
"""The home screen only; or the task's app is stopped first; or all apps are removed from the recent ones."""

_CLEAR_LABELS = ("全部清除", "清除全部", "全部清理", "一键清理", "关闭全部", "clear all", "close all")
_CLEAR_IDS = ("clear_all", "clearall", "clearanimview", "close_all", "button_dismiss_all")


def leave_task(device: AdbDevice, how: BetweenTasks, app: str) -> None:
    """Leaves the previous task and shows the home screen.

    Args:
        device: The phone, awake.
        how: What is done before the home screen is shown.
        app: Package of the next task's app, with or without an activity; "" if unknown.

    Raises:
        DeviceError: The phone cannot be reached.
    """
    package = app.partition("/")[0]
    if how == "clear-recents":
        _clear_recents(device)
    if how != "home" and package:
        device.client.shell("am", "force-stop", package)
    device.press_key("KEYCODE_HOME")


def _clear_recents(device: AdbDevice) -> None:
    """Touches the button of the recent apps that removes all; a launcher without one keeps them."""
    device.press_key("KEYCODE_HOME")
    device.press_key("KEYCODE_APP_SWITCH")
    tree = device.tree()
    button = next(filter(_must_clear, parse_tree(tree).elements), None) if tree else None
    if button is not None and button.box is not None:
        device.tap(*button.box.center)


def _must_clear(element: Element) -> bool:
    name = element.view_id.rpartition("/")[2].casefold()
    labels = (element.text.strip().casefold(), element.description.strip().casefold())
    return name in _CLEAR_IDS or any(label in _CLEAR_LABELS for label in labels)
