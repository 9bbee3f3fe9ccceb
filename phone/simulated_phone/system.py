"""The system's own pages and actions: lock screen, recents, quick settings, what gets in the way, keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from simulated_phone.goals.app_definition import App
from simulated_phone.language.formats import day_of_month, weekday
from simulated_phone.language.language import gettext as _
from simulated_phone.language.language import later
from simulated_phone.machine import fault_overlays
from simulated_phone.machine.faults import PIN_LOCK
from simulated_phone.machine.kept_pages import build_app_page
from simulated_phone.machine.machine import Machine
from simulated_phone.machine.state import is_on, switch_value
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import ListRow
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import BACK, AppPage, Surface
from simulated_phone.screens.theme import BLUE, GREY, PALE, WHITE, Exact
from simulated_phone.touch import composing

SETTINGS = "com.android.settings"

NIGHT, TILE = (Exact("#27364f"), Exact("#0f1726")), Exact("#33435d")

QUICK = (
    ("wifi", "WLAN", "global", "wifi_on", "wlan"),
    ("bluetooth", later("蓝牙"), "global", "bluetooth_on", "bluetooth"),
    ("data", later("移动数据"), "global", "mobile_data", "network"),
    ("airplane", later("飞行模式"), "global", "airplane_mode_on", "network"),
    ("bell", later("静音"), "global", "zen_mode", "sound"),
    ("flashlight", later("手电筒"), "system", "flashlight", ""),
    ("location", later("位置信息"), "secure", "location_mode", "location"),
    ("eye", later("护眼模式"), "secure", "night_display_activated", "display"),
    ("moon", later("深色模式"), "secure", "ui_night_mode", "display"),
    ("battery", later("省电模式"), "global", "low_power", "battery"),
    ("refresh", later("自动旋转"), "system", "accelerometer_rotation", "display"),
    ("share", later("个人热点"), "global", "tether_on", "network"),
)
"""The tiles of quick settings: icon, words, namespace and key, the page in the settings app."""


def surface(phone: Machine, package: str, entry: dict[str, Any]) -> Surface:
    """The face that an entry of the phone's state shows: a system's page, or the app's."""
    if entry["page"] in _PAGES:
        return _PAGES[entry["page"]](phone, entry)
    if phone.tasks.splash_seconds and package == phone.data["front"] and entry is phone.tasks.stack[-1]:
        return fault_overlays.build_splash(phone.apps[package], phone.tasks.splash_seconds)
    shown = build_app_page(phone, package, entry)
    if phone.tasks.loading and entry is phone.tasks.stack[-1]:
        return _build_loading(shown)
    return shown


def _build_loading(shown: Surface) -> AppPage:
    page = shown if isinstance(shown, AppPage) else AppPage()
    wheel = Icon("refresh", _("正在加载"), size=36, color=GREY, room=80)
    body = [Space(160), wheel, Text(_("加载中…"), color=GREY, align="center")]
    return AppPage(title=page.title or "", back=page.back, body=body)


def _word_day(now: datetime) -> str:
    date = day_of_month(_, now)
    return _("{date} {weekday}").format(date=date, weekday=weekday(_, now.weekday()))


def _lock(phone: Machine, entry: dict[str, Any]) -> Surface:
    now = phone.now
    day = _word_day(now)
    way = _("请输入 PIN 码") if PIN_LOCK in phone.faults else _("向上滑动解锁")
    body = [
        Space(60),
        Text(f"{now:%H:%M}", size=72, color=WHITE, align="center", bold=True),
        Text(day, size=17, color=WHITE, align="center"),
        Space(160),
        Icon("lock", _("已锁定"), size=26, color=WHITE),
        Text(way, size=15, color=WHITE, align="center"),
    ]
    return AppPage(body=body, background=NIGHT, dark=True, swipes={"up": action_ref("android.unlock")})


def _build_recents(phone: Machine, entry: dict[str, Any]) -> Surface:
    tasks: list[tuple[App, str]] = []
    for task in phone.data["tasks"]:
        app = phone.apps[task["package"]]
        surface = build_app_page(phone, app.package, task["stack"][-1])
        tasks.append((app, getattr(surface, "title", None) or app.label))
    return _build_recents_page(tuple(tasks), phone.locale)


@lru_cache(maxsize=64)
def _build_recents_page(tasks: tuple[tuple[App, str], ...], locale: str) -> Surface:
    """The recent apps with the titles of their pages; the locale is that of the texts."""
    cards: list[Widget] = []
    for app, title in tasks:
        package = app.package
        close = Icon(
            "close",
            _("移除{app}").format(app=app.label),
            action_ref("android.close", package=package),
            size=18,
            color=GREY,
        )
        icon = Icon(app.glyph, size=19, color=WHITE, plate=app.color, square=True, room=36)
        head = ListRow(app.label, title, leading=icon, lead=36, trailing=close, trail=44, pad=4)
        cards.append(
            Card(
                [head],
                margin=24,
                pad=8,
                tap=action_ref("android.open", package=package),
                description=app.label,
            )
        )
    if not cards:
        return AppPage(
            body=[Space(220), Text(_("没有最近打开的应用"), color=WHITE, align="center")],
            background=NIGHT,
            dark=True,
        )
    clear = Button(_("全部清除"), action_ref("android.close_all"), style="tonal")
    body = [Space(24), Text(_("最近任务"), size=18, color=WHITE, align="center"), *cards]
    return AppPage(body=body, footer=[clear], gap=14, background=NIGHT, dark=True)


def _build_quick(phone: Machine, entry: dict[str, Any]) -> Surface:
    tiles: list[Widget] = []
    for glyph, name, namespace, key, page in QUICK:
        words = _(name)
        on = is_on(phone.settings, namespace, key)
        tap = action_ref("android.flip", namespace=namespace, key=key)
        icon = Icon(glyph, size=22, color=WHITE if on else PALE, room=34)
        line = Text(words, size=13, color=WHITE, align="center")
        state = Text(_("已开启") if on else _("已关闭"), size=11, color=PALE, align="center")
        plate = BLUE if on else TILE
        hold = (
            action_ref("android.open", package=SETTINGS, page=page)
            if page and SETTINGS in phone.apps
            else None
        )
        tiles.append(
            Card([icon, line, state], color=plate, pad=8, gap=0, tap=tap, hold=hold, description=words)
        )
    now = phone.now
    clock = Text(f"{now:%H:%M}", size=34, color=WHITE, bold=True)
    day = Text(_word_day(now), size=14, color=PALE)
    settings = Icon("gear", _("设置"), action_ref("android.open", package=SETTINGS), color=WHITE)
    body = [
        Space(12),
        RowLayout([ColumnLayout([clock, day]), settings], [None, 48]),
        Space(16),
        GridLayout(tiles, 4),
        *fault_overlays.build_shade(phone),
    ]
    if SETTINGS not in phone.apps:
        body[1] = ColumnLayout([clock, day])
    return AppPage(body=body, pad=18, background=NIGHT, dark=True, swipes={"up": BACK})


_PAGES: Mapping[str, Callable[[Machine, dict[str, Any]], Surface]] = MappingProxyType(
    {
        "android.lock": _lock,
        "android.recents": _build_recents,
        "android.quick": _build_quick,
        **fault_overlays.PAGES,
    }
)


def _flip(phone: Machine, namespace: str, key: str) -> None:
    phone.settings[namespace][key] = switch_value(key, not is_on(phone.settings, namespace, key))


def _type(phone: Machine, text: str) -> None:
    composing.type_character(phone, text)
    phone.data["shift"] = False


def _shift(phone: Machine) -> None:
    phone.data["shift"] = not phone.data["shift"]


ACTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "android.back": lambda phone: phone.tasks.back(),
        "android.home": lambda phone: phone.tasks.home(),
        "android.recents": lambda phone: phone.tasks.show_panel("recents"),
        "android.open": lambda phone, package, page=None: phone.tasks.open(package, page),
        "android.close": lambda phone, package: phone.tasks.close(package),
        "android.close_all": lambda phone: phone.tasks.close_all(),
        "android.unlock": lambda phone: phone.unlock(),
        "android.flip": _flip,
        **fault_overlays.ACTIONS,
        "android.type": _type,
        "android.shift_key": _shift,
        "android.hide_key": lambda phone: phone.tasks.back(),
        **composing.ACTIONS,
    }
)
"""Name of a system action -> its implementation."""
