"""`uiautomator`: accessibility trees in files, with the messages of Android's own program."""

from __future__ import annotations

import asyncio
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from simulated_phone.adb.commands.device_call import DeviceCall
from simulated_phone.adb.commands.dump_faults import choose_place, print_noise, spoil_tree
from simulated_phone.machine.faults import MOVING_SCREEN
from simulated_phone.phone_errors import TreeUnavailableError
from simulated_phone.screens.screen import Window
from simulated_phone.screens.tree import ALL_WINDOWS

DUMP_PATH = "/sdcard/window_dump.xml"
"""Default path of a dump."""

_DECLARATION = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
_HELP = f"""Usage: uiautomator <subcommand> [options]

Available subcommands:

help: displays help message

dump: creates an XML dump of current UI hierarchy
    dump [--verbose][file]
      [--compressed]: dumps compressed layout information.
      [--windows]: dumps all windows instead of the active one.
      [file]: the location where the dumped XML should be stored, default is
      {DUMP_PATH}

"""
_IMPORTANT = ("clickable", "long-clickable", "focusable", "checkable", "scrollable")


async def uiautomator(call: DeviceCall) -> None:
    """`uiautomator dump [--compressed] [--windows] [FILE]`: the active window; all exit codes are 0."""
    if call.argument(0) != "dump":
        # as on a phone, also for what there is no subcommand of
        call.print_error(_HELP)
        return
    options = {arg for arg in call.args[1:] if arg.startswith("-")}
    paths = [arg for arg in call.args[1:] if not arg.startswith("-")]
    path = paths[-1] if paths else DUMP_PATH
    if MOVING_SCREEN in call.phone.faults and call.phone.foreground[0] != call.phone.launcher.package:
        await asyncio.sleep(call.phone.fault_seconds(MOVING_SCREEN))
        call.print_error("ERROR: could not get idle state.\n")
        return
    try:
        tree = _dump_windows(call) if "--windows" in options else call.phone.tree()
    except TreeUnavailableError as error:
        call.print_error(f"ERROR: {error}.\n")
        return
    if "--compressed" in options:
        tree = compress_tree(tree)
    tree, place = spoil_tree(call, tree), choose_place(call)
    print_noise(call, place, dumped=False)
    if path == "/dev/tty":
        call.print(tree)
    else:
        call.device.files.write(call.path(path), tree.encode())
    call.print(f"UI hierchary dumped to: {call.path(path)}\n")
    print_noise(call, place, dumped=True)


def compress_tree(tree: str) -> str:
    """The tree without nodes that accessibility services do not need: wrappers, and views that say nothing.

    Nodes with a text, a description or an action stay, and so do top nodes; the children of the others take
    their place.
    """
    root = fromstring(tree)  # noqa: S314 - the phone's own tree
    for parent in (root, *root.iter("hierarchy")):
        for top in parent.findall("node"):
            _keep_important(top)
    return _DECLARATION + tostring(root, encoding="unicode")


def _keep_important(node: Element) -> None:
    kept = list(_list_important(node))
    for place, child in enumerate(kept):
        child.set("index", str(place))
    node[:] = kept


def _list_important(node: Element) -> list[Element]:
    found: list[Element] = []
    for child in list(node):
        label = child.get("text") or child.get("content-desc")
        if label or any(child.get(name) == "true" for name in _IMPORTANT):
            _keep_important(child)
            found.append(child)
        else:
            found += _list_important(child)
    return found


def _dump_windows(call: DeviceCall) -> str:
    """All windows of the display, the topmost first, each with its own hierarchy."""
    screen = call.phone.screen()
    hierarchy = fromstring(call.phone.tree(ALL_WINDOWS))  # noqa: S314 - the phone's own tree
    shown = [window for window in screen.windows if not window.behind]
    displays = Element("displays")
    display = SubElement(displays, "display", {"id": "0"})
    layers = list(zip(shown, hierarchy, strict=False))
    for place, (window, node) in enumerate(reversed(layers)):
        layer = len(layers) - 1 - place
        attributes = _describe_window(window, node, active=window is screen.active)
        top = SubElement(
            display, "window", {"index": str(place), "id": str(layer + 1), **attributes, "layer": str(layer)}
        )
        SubElement(top, "hierarchy", {"rotation": hierarchy.get("rotation", "0")}).append(node)
    return _DECLARATION + tostring(displays, encoding="unicode")


def _describe_window(window: Window, node: Element, *, active: bool) -> dict[str, str]:
    system = window.package == "com.android.systemui"
    kind = "APPLICATION" if not window.chrome else "SYSTEM" if system else "INPUT_METHOD"
    return {
        "title": node.get("package", ""),
        "bounds": node.get("bounds", ""),
        "active": "true" if active else "false",
        "type": f"TYPE_{kind}",
    }
