"""Faults of a phone (advertisements, slow loading, dropped connections, ...): one record for each.

A record holds what switching the fault changes in the phone's state and which overlay it puts over an app.
Every other effect is where the phone does what the fault breaks: `place` names that file, which refers to
the fault by its constant in this module. The pages of overlays are in `fault_overlays.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from simulated_phone.state import ADB_IME, IMES, Data

ADVERTISEMENT = "advertisement"
PERMISSION_DIALOG = "permission_dialog"
UPDATE_DIALOG = "update_dialog"
SLOW_LOADING = "slow_loading"
BLACK_PAYMENT_SCREEN = "black_payment_screen"
ROTATION = "rotation"
NO_TREE = "no_tree"
SCREEN_OFF = "screen_off"
PIN_LOCK = "pin_lock"
NO_INPUT_INJECTION = "no_input_injection"
NO_ADB_KEYBOARD = "no_adb_keyboard"
DROPPED_CONNECTION = "dropped_connection"
TRUNCATED_SCREENSHOT = "truncated_screenshot"
UNAUTHORIZED = "unauthorized"
OFFLINE = "offline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """A page that a fault puts over an app when it is opened.

    Attributes:
        page: Name of the page, a key of `fault_overlays.PAGES`.
        close_label: Label of the button by which a person closes it.
        permission: Whether it belongs to the system's permission controller and is shown once per app.
    """

    page: str
    close_label: str
    permission: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault that can be switched on.

    Attributes:
        name: Name in commands, setups and run records.
        description: Effect, for people.
        place: File of `simulated_phone` in which the fault takes effect.
        switch: Changes the phone's state when the fault is switched on (True) or off; None for no change.
        overlay: Page shown over an app; None for none.
        blocks_host: Whether no service of the phone can be opened over adb while it is on.
    """

    name: str
    description: str
    place: str
    switch: Callable[[Data, bool], None] | None = None
    overlay: Overlay | None = None
    blocks_host: bool = False


def _rotate(data: Data, on: bool) -> None:
    data["settings"]["system"]["user_rotation"] = "1" if on else "0"


def _turn_off(data: Data, on: bool) -> None:
    data["screen_on"], data["locked"] = not on, on


def _lock(data: Data, on: bool) -> None:
    data["locked"] = on


def _remove_adb_keyboard(data: Data, on: bool) -> None:
    installed = [name for name in IMES if name != ADB_IME or not on]
    data["settings"]["secure"]["enabled_input_methods"] = ":".join(installed)


_FAULTS = (
    Fault(
        name=ADVERTISEMENT,
        description="an app opens with a full-screen advertisement: 跳过 closes it, a tap leads astray",
        place="app_stacks.py",
        overlay=Overlay(page="android.advertisement", close_label="跳过 5"),
    ),
    Fault(
        name=PERMISSION_DIALOG,
        description="an app asks for a permission the first time it is opened",
        place="app_stacks.py",
        overlay=Overlay(page="android.permission", close_label="仅在使用中允许", permission=True),
    ),
    Fault(
        name=UPDATE_DIALOG,
        description="an app offers an update when it is opened",
        place="app_stacks.py",
        overlay=Overlay(page="android.update", close_label="以后再说"),
    ),
    Fault(
        name=SLOW_LOADING,
        description="a page shows that it is loading for three seconds",
        place="app_stacks.py",
    ),
    Fault(
        name=BLACK_PAYMENT_SCREEN,
        description="pages for paying are black in screenshots; their tree works",
        place="screens/compose.py",
    ),
    Fault(
        name=ROTATION,
        description="the phone lies on its side (landscape)",
        place="faults.py",
        switch=_rotate,
    ),
    Fault(
        name=NO_TREE,
        description="the accessibility tree cannot be had (could not get idle state)",
        place="phone.py",
    ),
    Fault(
        name=SCREEN_OFF,
        description="the screen is off and locked until it is woken and swiped up",
        place="faults.py",
        switch=_turn_off,
    ),
    Fault(
        name=PIN_LOCK,
        description="the lock screen is on and asks for a PIN that nobody tells",
        place="machine.py",
        switch=_lock,
    ),
    Fault(
        name=NO_INPUT_INJECTION,
        description="touches, keys and text from a host are refused (MIUI's own switch is off)",
        place="adb/commands/input.py",
    ),
    Fault(
        name=NO_ADB_KEYBOARD,
        description="the keyboard that takes text from a broadcast is not installed",
        place="machine.py",
        switch=_remove_adb_keyboard,
    ),
    Fault(
        name=DROPPED_CONNECTION,
        description="the connection to the host drops now and then",
        place="adb/services.py",
    ),
    Fault(
        name=TRUNCATED_SCREENSHOT,
        description="screenshots arrive cut off",
        place="adb/commands/screen.py",
    ),
    Fault(
        name=UNAUTHORIZED,
        description="the phone does not accept the host's key",
        place="adb/endpoint.py",
        blocks_host=True,
    ),
    Fault(
        name=OFFLINE,
        description="the phone accepts the connection of a host and says nothing on it",
        place="adb/endpoint.py",
        blocks_host=True,
    ),
)

FAULT_RECORDS: Mapping[str, Fault] = MappingProxyType({fault.name: fault for fault in _FAULTS})
"""Name of a fault -> record."""

FAULTS: Mapping[str, str] = MappingProxyType({fault.name: fault.description for fault in _FAULTS})
"""Name of a fault -> description. The last four act on the host's connection, the others on the phone."""

OVERLAYS: Mapping[str, Overlay] = MappingProxyType(
    {fault.name: fault.overlay for fault in _FAULTS if fault.overlay}
)
"""Name of a fault -> overlay. If several are on, the first of these is on top."""

CLOSE_LABELS: Mapping[str, str] = MappingProxyType(
    {overlay.page: overlay.close_label for overlay in OVERLAYS.values()}
)
"""Page of an overlay -> label of the button by which a person closes it."""

BLOCKING_FAULTS = frozenset(fault.name for fault in _FAULTS if fault.blocks_host)
"""Names of the faults that keep a host from opening any service."""
