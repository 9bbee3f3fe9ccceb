"""Faults of a phone (advertisements, slow loading, dropped connections, ...): one record for each.

A record holds what switching the fault changes in the phone's state and which overlay it puts over an app.
Every other effect is where the phone does what the fault breaks: `place` names that file, which refers to
the fault by its constant in this module. The pages of overlays are in `fault_overlays.py`.

A fault that lasts some time has a number of seconds, which "NAME=SECONDS" changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from simulated_phone.language.language import later
from simulated_phone.machine.state import ADB_IME, IMES, Data
from simulated_phone.phone_errors import UnknownFaultError

ADVERTISEMENT = "advertisement"
PERMISSION_DIALOG = "permission_dialog"
UPDATE_DIALOG = "update_dialog"
LOGIN = "login"
NOTIFICATION = "notification"
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
MOVING_SCREEN = "moving_screen"
PINYIN_KEYBOARD = "pinyin_keyboard"
SCREEN_TIMEOUT = "screen_timeout"
SECOND_DISPLAY = "second_display"
POPUP_WINDOW = "popup_window"
WIFI_OUTAGE = "wifi_outage"
NO_CLIPBOARD = "no_clipboard"
SLOW_SPLASH = "slow_splash"
UNFOCUSED_FIELDS = "unfocused_fields"
APPS_LEFT_OPEN = "apps_left_open"
SLOW_LONG_PRESS = "slow_long_press"
VENDOR_NOISE = "vendor_noise"
EMOJI_REFERENCES = "emoji_references"
LAGGING_TREE = "lagging_tree"
HUGE_TREE = "huge_tree"


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """A page that a fault puts over an app when it is opened.

    Attributes:
        page: Name of the page, a key of `fault_overlays.PAGES`.
        close_label: Label of the button by which a person closes it.
        permission: Whether it belongs to the system's permission controller and is shown once per app.
        required: Whether it comes back at each start until its app has been signed in to; the back key leaves
            the app.
    """

    page: str
    close_label: str
    permission: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault that can be switched on.

    Attributes:
        name: Name in commands, setups and run records.
        description: Effect, for people.
        place: File of `simulated_phone` in which the fault takes effect.
        seconds: Its duration or time limit unless "NAME=SECONDS" gives another; None for a fault without one.
        switch: Changes the phone's state when the fault is switched on (True) or off; its last argument is
            the number of seconds. None for no change.
        overlay: Page shown over an app; None for none.
        blocks_host: Whether no service of the phone can be opened over adb while it is on.
    """

    name: str
    description: str
    place: str
    seconds: float | None = None
    switch: Callable[[Data, bool, float], None] | None = None
    overlay: Overlay | None = None
    blocks_host: bool = False


def _rotate(data: Data, on: bool, _seconds: float) -> None:
    data["settings"]["system"]["user_rotation"] = "1" if on else "0"


def _turn_off(data: Data, on: bool, _seconds: float) -> None:
    data["screen_on"], data["locked"] = not on, on


def _lock(data: Data, on: bool, _seconds: float) -> None:
    data["locked"] = on


def _remove_adb_keyboard(data: Data, on: bool, _seconds: float) -> None:
    installed = [name for name in IMES if name != ADB_IME or not on]
    data["settings"]["secure"]["enabled_input_methods"] = ":".join(installed)


def _shorten_timeout(data: Data, on: bool, seconds: float) -> None:
    data["settings"]["system"]["screen_off_timeout"] = str(round(seconds * 1000)) if on else "60000"


_FAULTS = (
    Fault(
        name=ADVERTISEMENT,
        description="an app opens with a full-screen advertisement: 跳过 closes it, a tap leads astray",
        place="machine/app_stacks.py",
        overlay=Overlay(page="android.advertisement", close_label=later("跳过 5")),
    ),
    Fault(
        name=PERMISSION_DIALOG,
        description="an app asks for a permission the first time it is opened",
        place="machine/app_stacks.py",
        overlay=Overlay(page="android.permission", close_label=later("仅在使用中允许"), permission=True),
    ),
    Fault(
        name=UPDATE_DIALOG,
        description="an app offers an update when it is opened",
        place="machine/app_stacks.py",
        overlay=Overlay(page="android.update", close_label=later("以后再说")),
    ),
    Fault(
        name=LOGIN,
        description="an app asks to sign in again, with the stored password or the code of a message",
        place="machine/app_stacks.py",
        overlay=Overlay(page="android.login", close_label=later("使用已保存的密码登录"), required=True),
    ),
    Fault(
        name=NOTIFICATION,
        description="an app opens, and a message covers its top until it is swiped away or time is up",
        place="machine/app_stacks.py",
        seconds=8,
    ),
    Fault(
        name=SLOW_LOADING,
        description="a page shows that it is loading for three seconds",
        place="machine/app_stacks.py",
    ),
    Fault(
        name=BLACK_PAYMENT_SCREEN,
        description="pages for paying are black in screenshots, but for the bars; their tree works",
        place="compose.py",
    ),
    Fault(
        name=ROTATION,
        description="the phone lies on its side (landscape)",
        place="machine/faults.py",
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
        place="machine/faults.py",
        switch=_turn_off,
    ),
    Fault(
        name=PIN_LOCK,
        description="the lock screen is on and asks for a PIN that nobody tells",
        place="machine/machine.py",
        switch=_lock,
    ),
    Fault(
        name=NO_INPUT_INJECTION,
        description="touches, keys and text from a host are refused (MIUI's own switch is off)",
        place="adb/commands/keys/input.py",
    ),
    Fault(
        name=NO_ADB_KEYBOARD,
        description="the keyboard that takes text from a broadcast is not installed",
        place="machine/machine.py",
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
        name=MOVING_SCREEN,
        description="a video plays in every app: a tree waits ten seconds for an idle screen, in vain",
        place="adb/commands/uiautomator.py",
        seconds=10,
    ),
    Fault(
        name=PINYIN_KEYBOARD,
        description="the keyboard takes the letters of `input text` as pinyin: they do not reach the field",
        place="touch/composing.py",
    ),
    Fault(
        name=SCREEN_TIMEOUT,
        description="the phone is not charging: 30 seconds after a touch its screen goes off and locks",
        place="adb/device_state.py",
        seconds=30,
        switch=_shorten_timeout,
    ),
    Fault(
        name=SECOND_DISPLAY,
        description="the phone has a second display, which screenshots show unless a display is named",
        place="adb/commands/screen.py",
    ),
    Fault(
        name=POPUP_WINDOW,
        description="an app's popup has the focus: its window is named without the app's package",
        place="adb/commands/dump/dumpsys.py",
    ),
    Fault(
        name=WIFI_OUTAGE,
        description="the connection drops now and then, and the phone refuses connections for 20 seconds",
        place="adb/services.py",
        seconds=20,
    ),
    Fault(
        name=NO_CLIPBOARD,
        description="programs in the background can neither read nor write the clipboard (uiautomator2)",
        place="device_servers/uiautomator2/uiautomator2_rpc.py",
    ),
    Fault(
        name=SLOW_SPLASH,
        description="an app that is started shows a splash screen for five seconds",
        place="machine/app_stacks.py",
        seconds=5,
    ),
    Fault(
        name=UNFOCUSED_FIELDS,
        description="the first tap on a text field does not give it the focus, the second does",
        place="phone.py",
    ),
    Fault(
        name=APPS_LEFT_OPEN,
        description="the phone starts in an app that was left open, with all others among the recent ones",
        place="machine/machine.py",
    ),
    Fault(
        name=SLOW_LONG_PRESS,
        description="a touch has to be held for 0.8 seconds to be a long press",
        place="phone.py",
        seconds=0.8,
    ),
    Fault(
        name=VENDOR_NOISE,
        description="a Java trace before or behind the words of a dump, on stderr, or with exit status 1",
        place="adb/commands/dump_faults.py",
    ),
    Fault(
        name=EMOJI_REFERENCES,
        description="trees hold emoji as two references, half of one, and characters that XML refuses",
        place="adb/commands/dump_faults.py",
    ),
    Fault(
        name=LAGGING_TREE,
        description="the first dump after a change of the screen is of the screen before",
        place="adb/commands/dump_faults.py",
    ),
    Fault(
        name=HUGE_TREE,
        description="a tree has 40 MB",
        place="adb/commands/dump_faults.py",
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
"""Name of a fault -> description."""

OVERLAYS: Mapping[str, Overlay] = MappingProxyType(
    {fault.name: fault.overlay for fault in _FAULTS if fault.overlay}
)
"""Name of a fault -> overlay. If several are on, the first of these is on top."""

CLOSE_LABELS: Mapping[str, str] = MappingProxyType(
    {overlay.page: overlay.close_label for overlay in OVERLAYS.values()}
)
"""Page of an overlay -> label of the button by which a person closes it."""

SIGNED_IN = "signed_in:"
"""What the state's list "asked" marks with it, and a package, is an app that has been signed in to."""

PERMISSION = "permission:"
"""What the state's list "asked" marks with it, and a package, is an app that has its permission."""

BLOCKING_FAULTS = frozenset(fault.name for fault in _FAULTS if fault.blocks_host)
"""Names of the faults that keep a host from opening any service."""


MOST_SECONDS = 86_400
"""Largest number of seconds of a fault: a day."""


def parse_fault(text: str) -> tuple[str, float | None]:
    """The name of a fault and its seconds, from "NAME" or "NAME=SECONDS"; None for a fault without seconds.

    Raises:
        UnknownFaultError: There is no such fault.
        ValueError: The seconds do not fit; the message says what is expected.

    >>> parse_fault("moving_screen"), parse_fault("wifi_outage=1.5"), parse_fault("no_tree")
    (('moving_screen', 10), ('wifi_outage', 1.5), ('no_tree', None))
    """
    name, given, number = text.partition("=")
    fault = FAULT_RECORDS.get(name)
    if fault is None:
        raise UnknownFaultError(
            f"expected a fault of {', '.join(FAULTS)}, got {text!r}", name=name, names=FAULTS
        )
    if not given:
        return name, fault.seconds
    if fault.seconds is None:
        raise ValueError(f"the fault {name} takes no seconds, got {text!r}")
    try:
        seconds = float(number)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise ValueError(f"expected {name}=SECONDS with a number up to {MOST_SECONDS}, got {text!r}")
    return name, seconds


def fault_text(name: str, seconds: float | None) -> str:
    """The text that `parse_fault` reads; only the name if the seconds are the fault's own.

    >>> fault_text("wifi_outage", 1.5), fault_text("wifi_outage", 20)
    ('wifi_outage=1.5', 'wifi_outage')
    """
    return name if seconds is None or seconds == FAULT_RECORDS[name].seconds else f"{name}={seconds:g}"
