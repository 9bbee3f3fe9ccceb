"""Intents that name no app: which page of which app they open.

What no app of the phone does (web pages, calls, messages, camera) has no destination, as on a phone without
such an app.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from types import MappingProxyType
from urllib.parse import parse_qs, unquote_plus, urlsplit

from simulated_phone.language.zones import CHINA, find_zone
from simulated_phone.screens.nodes import ActionRef, ActionValue, action_ref

CALENDAR, CLOCK = "com.android.calendar", "com.android.deskclock"
MAPS, MUSIC, NOTES = "com.simulated.ditu", "com.netease.cloudmusic", "com.simulated.bianqian"
SETTINGS, WEATHER = "com.android.settings", "com.wangyun.weather"

_EXTRA = "android.intent.extra."
_ALARM = _EXTRA + "alarm."
_MAIN, _VIEW = "android.intent.action.MAIN", "android.intent.action.VIEW"
_GEO = re.compile(r"(?:geo:|google\.navigation:|baidumap:|androidamap:|amapuri:)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """A page of an app.

    Attributes:
        package: The app.
        page: Name of the page; None for the app as it was left.
        arguments: What the page is opened with.
        actions: What the app then does.
        fields: Text in fields of the page.
    """

    package: str
    page: str | None = None
    arguments: Mapping[str, ActionValue] = field(default_factory=dict)
    actions: tuple[ActionRef, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)


SETTINGS_PAGES: Mapping[str, str] = MappingProxyType(
    {
        "ACCESSIBILITY_SETTINGS": "home",
        "AIRPLANE_MODE_SETTINGS": "network",
        "ALL_APPS_NOTIFICATION_SETTINGS": "notices",
        "APPLICATION_DETAILS_SETTINGS": "apps",
        "APPLICATION_SETTINGS": "apps",
        "APP_NOTIFICATION_SETTINGS": "notices",
        "BATTERY_SAVER_SETTINGS": "battery",
        "BLUETOOTH_SETTINGS": "bluetooth",
        "DATA_ROAMING_SETTINGS": "network",
        "DATA_USAGE_SETTINGS": "network",
        "DATE_SETTINGS": "home",
        "DEVICE_INFO_SETTINGS": "about",
        "DISPLAY_SETTINGS": "display",
        "INPUT_METHOD_SETTINGS": "home",
        "LOCALE_SETTINGS": "home",
        "LOCATION_SOURCE_SETTINGS": "location",
        "MANAGE_ALL_APPLICATIONS_SETTINGS": "apps",
        "MANAGE_APPLICATIONS_SETTINGS": "apps",
        "NETWORK_OPERATOR_SETTINGS": "network",
        "NIGHT_DISPLAY_SETTINGS": "display",
        "NOTIFICATION_SETTINGS": "notices",
        "PRIVACY_SETTINGS": "home",
        "SECURITY_SETTINGS": "home",
        "SETTINGS": "home",
        "SOUND_SETTINGS": "sound",
        "WIFI_SETTINGS": "wlan",
        "WIRELESS_SETTINGS": "network",
        "ZEN_MODE_SETTINGS": "sound",
    }
)
"""Action after `android.settings.` -> page of the settings app."""

CATEGORY_APPS: Mapping[str, str] = MappingProxyType(
    {
        "android.intent.category.APP_CALENDAR": CALENDAR,
        "android.intent.category.APP_MAPS": MAPS,
        "android.intent.category.APP_MUSIC": MUSIC,
        "android.intent.category.APP_WEATHER": WEATHER,
    }
)
"""Category of a MAIN intent -> app."""


def find_destination(
    action: str,
    categories: Sequence[str],
    data: str,
    extras: Mapping[str, str],
    mime_type: str = "",
    zone: str = CHINA,
) -> Destination | None:
    """Where an intent without a component leads; None if no app of the phone takes it."""
    if action.startswith("android.settings."):
        return _find_settings_page(action.removeprefix("android.settings."), data)
    if action == _MAIN:
        return next(
            (Destination(package=CATEGORY_APPS[one]) for one in categories if one in CATEGORY_APPS), None
        )
    if action in _ACTIONS:
        return _ACTIONS[action](extras)
    if action == _VIEW:
        return _find_viewer(data)
    if action in ("android.intent.action.INSERT", "android.intent.action.EDIT"):
        events = "calendar" in data or "event" in mime_type
        return _make_new_event(extras, find_zone(zone)) if events else None
    return None


def _find_settings_page(name: str, data: str) -> Destination | None:
    page = SETTINGS_PAGES.get(name)
    if page is None:
        return None
    package = data.removeprefix("package:")
    if name == "APPLICATION_DETAILS_SETTINGS" and package != data:
        return Destination(package=SETTINGS, page="app", arguments={"package": package})
    return Destination(package=SETTINGS, page=page)


def _parse_number(extras: Mapping[str, str], name: str, limit: int) -> int | None:
    text = extras.get(_ALARM + name, "")
    return int(text) if text.isdecimal() and len(text) < 8 and int(text) < limit else None


def _skips_ui(extras: Mapping[str, str]) -> bool:
    return extras.get(_ALARM + "SKIP_UI", "").lower() in ("true", "1")


def _set_alarm(extras: Mapping[str, str]) -> Destination:
    """SET_ALARM: the page of a new alarm, filled in; with SKIP_UI it is saved."""
    hour, minute = _parse_number(extras, "HOUR", 24), _parse_number(extras, "MINUTES", 60) or 0
    if hour is None:
        return Destination(package=CLOCK, page="alarms", actions=(action_ref("edit"),))
    label = extras.get(_ALARM + "MESSAGE", "")
    # java.util.Calendar counts days from 1 = Sunday, the clock from 0 = Monday
    numbers = re.findall(r"[1-7]", extras.get(_ALARM + "DAYS", ""))
    days = "".join(sorted({str((int(day) + 5) % 7) for day in numbers}))
    arguments: dict[str, ActionValue] = {"alarm": None, "typing": False, "hour": hour, "minute": minute}
    arguments |= {"days": days, "label": label}
    saved = (action_ref("save"),) if _skips_ui(extras) else ()
    return Destination(package=CLOCK, page="edit", arguments=arguments, actions=saved)


def _set_timer(extras: Mapping[str, str]) -> Destination:
    """SET_TIMER: the page of the timer, with the minutes filled in; with SKIP_UI it is started."""
    seconds = _parse_number(extras, "LENGTH", 60_000)
    if seconds is None:
        return Destination(package=CLOCK, page="timer")
    minutes = max(1, round(seconds / 60))
    if _skips_ui(extras):
        return Destination(package=CLOCK, page="timer", actions=(action_ref("start_timer", minutes=minutes),))
    return Destination(package=CLOCK, page="timer", fields={"minutes": str(minutes)})


def _make_new_event(extras: Mapping[str, str], zone: tzinfo) -> Destination:
    """INSERT of an event: the page of a new one, with the title and the start filled in."""
    values: dict[str, ActionValue] = {"title": extras["title"]} if extras.get("title") else {}
    begin = extras.get("beginTime", "")
    # milliseconds; more digits are no date of this millennium
    if begin.isdecimal() and len(begin) <= 13:
        moment = datetime.fromtimestamp(int(begin) // 1000, zone)
        values |= {"day": moment.date().isoformat(), "hour": moment.hour, "minute": moment.minute}
    return Destination(package=CALENDAR, actions=(action_ref("edit", **values),))


_ACTIONS: Mapping[str, Callable[[Mapping[str, str]], Destination]] = MappingProxyType(
    {
        "android.intent.action.POWER_USAGE_SUMMARY": lambda _: Destination(package=SETTINGS, page="battery"),
        "android.intent.action.SET_ALARM": _set_alarm,
        "android.intent.action.SET_TIMER": _set_timer,
        "android.intent.action.SHOW_ALARMS": lambda _: Destination(package=CLOCK, page="alarms"),
        "android.intent.action.SHOW_TIMERS": lambda _: Destination(package=CLOCK, page="timer"),
    }
)

ACTIONS = (*_ACTIONS, _VIEW, _MAIN, "android.intent.action.INSERT", "android.settings.*")
"""Actions that some app of the phone takes."""


def _find_viewer(data: str) -> Destination | None:
    if _GEO.match(data):
        word = _place(data)
        return (
            Destination(package=MAPS, page="search", arguments={"word": word})
            if word
            else Destination(package=MAPS)
        )
    if data.startswith("content://com.android.calendar"):
        return Destination(package=CALENDAR, page="month")
    return None


def _place(uri: str) -> str:
    """The name that a map's URI searches for; "" if it gives coordinates alone."""
    parts = urlsplit(uri)
    query = parse_qs(parts.query or parts.path.removeprefix("?"))
    for name in ("q", "query", "keywords", "dname", "destination", "name"):
        if query.get(name):
            text = unquote_plus(query[name][0])
            # geo:0,0?q=39.9,116.4(a label)
            label = re.search(r"\(([^)]*)\)$", text)
            return label.group(1) if label else text
    return ""
