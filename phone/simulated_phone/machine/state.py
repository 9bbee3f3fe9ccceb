"""The phone's whole state as plain JSON values, so that a snapshot is a deep copy."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

from simulated_phone.goals.app_definition import App, State, generator
from simulated_phone.language.language import CHINESE, speak_language, tag
from simulated_phone.language.zones import BEIJING, CHINA
from simulated_phone.phone_errors import PhoneSetupError
from simulated_phone.screens.nodes import ActionValue
from simulated_phone.screens.skin import PLAIN

Data: TypeAlias = dict[str, Any]

SYSTEM = "android"
"""The package in whose place the system's settings stand."""

START = datetime(2025, 3, 10, 8, 30, tzinfo=BEIJING)
"""Time on the clock of a fresh phone, a Monday morning."""

MINUTE_MS = 60_000

PINYIN_IME = "com.android.inputmethod.pinyin/.PinyinIME"
ADB_IME = "com.android.adbkeyboard/.AdbIME"
IMES = (PINYIN_IME, ADB_IME)

_SETTINGS = {
    "system": {
        "accelerometer_rotation": "0",
        "flashlight": "0",
        "font_scale": "1.0",
        "screen_brightness": "128",
        "screen_off_timeout": "60000",
        "system_locales": "",
        "user_rotation": "0",
        "volume_alarm": "6",
        "volume_music": "7",
        "volume_ring": "5",
    },
    "secure": {
        "default_input_method": PINYIN_IME,
        "enabled_input_methods": ":".join(IMES),
        "location_mode": "3",
        "night_display_activated": "0",
        "ui_night_mode": "1",
    },
    "global": {
        "airplane_mode_on": "0",
        "auto_time": "1",
        "bluetooth_on": "0",
        "device_name": "Simulated Phone",
        "low_power": "0",
        "mobile_data": "1",
        "stay_on_while_plugged_in": "0",
        "tether_on": "0",
        "wifi_on": "1",
        "zen_mode": "0",
    },
}

TOOL_SETTINGS = frozenset(
    {
        "accessibility_enabled",
        "animator_duration_scale",
        "default_input_method",
        "enabled_accessibility_services",
        "enabled_input_methods",
        "hidden_api_policy",
        "hidden_api_policy_p_apps",
        "hidden_api_policy_pre_p_apps",
        "stay_on_while_plugged_in",
        "transition_animation_scale",
        "user_rotation",
        "window_animation_scale",
    }
)
"""Settings that tools change to do their work, and that no task is about."""

AUTO_ROTATION = "accelerometer_rotation"
"""A setting that tools change to do their work, and that some tasks are about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """An event: its app ("android" is the system), name, arguments and time."""

    app: str
    name: str
    arguments: Mapping[str, ActionValue]
    time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """State to which a phone can be restored; equal snapshots are equal phones."""

    seed: int
    data: Data
    facts: tuple[Fact, ...]
    faults: frozenset[str]
    locale: str = CHINESE
    design: str = PLAIN
    dark: bool = False
    zone: str = CHINA


NIGHT_MODE = ("secure", "ui_night_mode")
"""Namespace and key of the setting of dark mode."""
_ON, _OFF = {"location_mode": "3", "ui_night_mode": "2"}, {"ui_night_mode": "1"}
_VARIED = (("global", "bluetooth_on"), ("secure", "location_mode"), ("secure", "night_display_activated"))


def switch_value(key: str, on: bool) -> str:
    """The value of a system setting that is switched on or off.

    >>> switch_value("wifi_on", True), switch_value("ui_night_mode", False)
    ('1', '1')
    """
    return _ON.get(key, "1") if on else _OFF.get(key, "0")


def is_on(settings: Mapping[str, Mapping[str, str]], namespace: str, key: str) -> bool:
    """Whether a system setting is switched on."""
    return settings[namespace].get(key, "0") not in ("", switch_value(key, False))


def make_fresh_settings(seed: int, locale: str = CHINESE) -> dict[str, dict[str, str]]:
    """The system's settings on a fresh phone; some depend on the seed."""
    rng = generator("android", seed)
    settings: dict[str, dict[str, str]] = copy_json(_SETTINGS)
    settings["system"]["system_locales"] = tag(locale)
    for namespace, key in _VARIED:
        settings[namespace][key] = switch_value(key, rng.random() < 0.5)
    settings["system"]["font_scale"] = rng.choice(["1.0", "1.0", "1.15"])
    settings["system"]["screen_off_timeout"] = rng.choice(["30000", "60000", "120000"])
    settings["system"]["volume_music"] = rng.choice(["4", "8"])
    return settings


def new_entry(page: str, arguments: Mapping[str, ActionValue] | None = None) -> Data:
    """A new entry of a back stack: page, arguments, typed fields, scroll offsets and focused field."""
    return {"page": page, "arguments": dict(arguments or {}), "fields": {}, "scroll": {}, "focus": None}


class KeptState:
    """State of an app that nobody changes; it is drawn, and written as JSON, when it is first asked for.

    Args:
        draw: Gives the state.
    """

    __slots__ = ("_draw", "_state", "_text")

    def __init__(self, draw: Callable[[], State]) -> None:
        self._draw = draw
        self._state: State | None = None
        self._text: str | None = None

    @property
    def state(self) -> State:
        """The state: not to be changed."""
        if self._state is None:
            self._state = self._draw()
        return self._state

    @property
    def text(self) -> str:
        """The state as canonical JSON."""
        if self._text is None:
            self._text = write_canonical(self.state)
        return self._text


class KeptStates(Mapping[str, State]):
    """States of a phone at one moment by package: not to be changed.

    Args:
        kept: The apps' states.
        system: Further states, such as that of the system's settings.
    """

    __slots__ = ("_kept", "_system")

    def __init__(self, kept: Mapping[str, KeptState], system: Mapping[str, State]) -> None:
        self._kept, self._system = kept, system

    def __getitem__(self, package: str) -> State:
        return self._system[package] if package in self._system else self._kept[package].state

    def __contains__(self, package: object) -> bool:
        return package in self._system or package in self._kept

    def __iter__(self) -> Iterator[str]:
        yield from self._kept
        yield from self._system

    def __len__(self) -> int:
        return len(self._kept) + len(self._system)

    def shares(self, other: KeptStates, package: str) -> bool:
        """Whether both have one and the same state of an app, so that nothing in it changed between them."""
        kept = self._kept.get(package)
        return kept is not None and kept is other._kept.get(package)


class AppStates(MutableMapping[str, State]):
    """The apps' states by package, in the order of installation; each is made when it is first asked for.

    A person uses few of the installed apps. So copies share the states that nobody has asked for since, and a
    reset draws and copies nothing until it is looked at.

    Args:
        apps: The installed apps by package.
        seed: What a fresh state follows from.
    """

    __slots__ = ("_kept", "_own")

    def __init__(self, apps: Mapping[str, App], seed: int) -> None:
        self._kept = {package: KeptState(partial(_draw_state, app, seed)) for package, app in apps.items()}
        self._own: dict[str, State] = {}

    def __getitem__(self, package: str) -> State:
        # whoever asks for a state may change it
        if package not in self._own:
            self._own[package] = copy_json(self._kept[package].state)
        return self._own[package]

    def __setitem__(self, package: str, state: State) -> None:
        self._own[package] = state
        self._kept.setdefault(package, KeptState(lambda: state))

    def __delitem__(self, package: str) -> None:
        del self._kept[package]
        self._own.pop(package, None)

    def __contains__(self, package: object) -> bool:
        return package in self._kept

    def __iter__(self) -> Iterator[str]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def keep(self) -> dict[str, KeptState]:
        """The states as they are now, which later changes do not reach."""
        return {package: self._keep_one(package) for package in self._kept}

    @property
    def used(self) -> Mapping[str, State]:
        """The states that somebody has asked for, and so may have changed: not to be changed."""
        return self._own

    def _keep_one(self, package: str) -> KeptState:
        if package not in self._own:
            return self._kept[package]
        state = copy_json(self._own[package])
        return KeptState(lambda: state)

    def copy(self) -> AppStates:
        """A deep copy, in which the same states are still to be drawn."""
        made = AppStates.__new__(AppStates)
        made._kept, made._own = self.keep(), {}
        return made

    def write_canonical(self) -> str:
        """The states as canonical JSON; what was not asked for is written once for all copies."""
        texts = {
            package: write_canonical(self._own[package]) if package in self._own else kept.text
            for package, kept in self._kept.items()
        }
        return _join_members(texts)


def _draw_state(app: App, seed: int) -> State:
    # whoever asks first, an app's world is the same
    with speak_language(CHINESE):
        return app.pristine(seed)


class WatchedStates(Mapping[str, State]):
    """Apps' states by package, each taken when it is asked for.

    Args:
        take: Gives the state of a package.
        packages: The packages that there are.

    Attributes:
        reads: The packages that were asked for.
    """

    __slots__ = ("_packages", "_take", "reads")

    def __init__(self, take: Callable[[str], State], packages: Sequence[str]) -> None:
        self._take, self._packages = take, packages
        self.reads: set[str] = set()

    def __getitem__(self, package: str) -> State:
        state = self._take(package)
        self.reads.add(package)
        return state

    def __contains__(self, package: object) -> bool:
        return package in self._packages

    def __iter__(self) -> Iterator[str]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)


def make_fresh_data(apps: Mapping[str, App], launcher: App, seed: int, locale: str = CHINESE) -> Data:
    """The state of a fresh phone with the seed."""
    start = round(START.timestamp() * 1000)
    return {
        "now": start,
        "booted": start - 3_600_000,
        "apps": AppStates(apps, seed),
        "settings": make_fresh_settings(seed, locale),
        "home": [new_entry(launcher.home)],
        "tasks": [],
        "front": launcher.package,
        "panel": None,
        "overlays": [],
        "asked": [],
        "toast": None,
        "loading_until": 0,
        "screen_on": True,
        "locked": False,
        "shift": False,
    }


def hash_state(parts: Mapping[str, Any], data: Data) -> str:
    """SHA-256, in hex, of a phone's whole state as canonical JSON.

    Equal states have equal hashes on every platform and version of Python. Most apps' states stay as they
    were, so that their texts are kept and not written again.

    Args:
        parts: What the state has beside the data.
        data: The data, a member "data" of the JSON object.
    """
    texts = {
        key: inner.write_canonical() if isinstance(inner, AppStates) else write_canonical(inner)
        for key, inner in data.items()
    }
    whole = {key: write_canonical(part) for key, part in parts.items()} | {"data": _join_members(texts)}
    return hashlib.sha256(_join_members(whole).encode("ascii")).hexdigest()


def write_canonical(value: Any) -> str:  # noqa: ANN401 - JSON
    """A JSON value as canonical JSON: ASCII, sorted keys, no spaces.

    >>> write_canonical({"b": 1, "a": [2]})
    '{"a":[2],"b":1}'
    """
    return _CANONICAL.encode(value)


def _join_members(texts: Mapping[str, str]) -> str:
    """A JSON object of values that are written already."""
    return "{" + ",".join(f"{write_canonical(key)}:{texts[key]}" for key in sorted(texts)) + "}"


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)

_PLAIN = frozenset({str, int, float, bool, type(None)})


def copy_json(value: Any) -> Any:  # noqa: ANN401
    """A deep copy of JSON values."""
    # most values are plain: a call for each would take most of a reset
    if isinstance(value, dict):
        return {key: inner if inner.__class__ in _PLAIN else copy_json(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [inner if inner.__class__ in _PLAIN else copy_json(inner) for inner in value]
    return value.copy() if isinstance(value, AppStates) else value


def check_display(size: tuple[int, int], density: int) -> None:
    """Check the size of an upright display, px, and its dots per inch.

    Raises:
        PhoneSetupError: A side has less than 320 or more than 1400 dp, or it is not upright.
    """
    dp = [side * 160 / density for side in size] if density > 0 else [0.0]
    if min(dp) < 320 or max(dp) > 1400 or size[0] > size[1]:
        raise PhoneSetupError(
            f"expected an upright display of 320 to 1400 dp a side, got {size[0]}x{size[1]} at {density} dpi"
        )
