"""Pages of faults: advertisement, permission and update dialog with their actions, and the splash screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulated_phone.app_definition import App
from simulated_phone.faults import ADVERTISEMENT, OVERLAYS, PERMISSION_DIALOG, UPDATE_DIALOG
from simulated_phone.language import gettext as _
from simulated_phone.machine import Machine
from simulated_phone.screens.layout import Card, RowLayout
from simulated_phone.screens.lists import Cover
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import BACK, AppPage, Dialog, Surface
from simulated_phone.screens.theme import GREY
from simulated_phone.screens.widgets import Button, Space, Text

_ADVERTISED = "android.advertised"
"""Name of the page behind an advertisement, and of the action that opens it."""


def _advertisement(phone: Machine, entry: dict[str, Any]) -> Surface:
    skip = Button(
        _(OVERLAYS[ADVERTISEMENT].close_label), BACK, style="tonal", room=38, size=13, view_id="skip"
    )
    picture = Cover(_("年中大促 全场五折"), glyph="bag", room=420, radius=18, color="#d6336c")
    more = action_ref(_ADVERTISED)
    body = [
        Space(8),
        RowLayout([Text(_("广告"), size=12, color=GREY), skip], [None, 86]),
        Space(8),
        Card(
            [picture, Text(_("年中大促 全场五折"), size=24, bold=True, align="center")],
            tap=more,
            view_id="advert",
        ),
        Space(8),
        Button(_("立即查看"), more),
    ]
    return AppPage(body=body, pad=18)


def _advertised(phone: Machine, entry: dict[str, Any]) -> Surface:
    body = [
        Space(12),
        Cover(_("全场五折"), glyph="bag", room=220, radius=14, color="#d6336c"),
        Text(_("年中大促，今日下单立减五十元。活动由第三方提供。"), color=GREY, lines=3),
    ]
    return AppPage(title=_("活动详情"), body=body, pad=16, gap=12)


def _permission(phone: Machine, entry: dict[str, Any]) -> Surface:
    app = phone.apps[phone.data["front"]]
    return Dialog(
        title=_("要允许“{app}”获取此设备的位置信息吗？").format(app=app.label),
        message=_("您可以随时在设置中更改。"),
        buttons=[
            Button(
                _(OVERLAYS[PERMISSION_DIALOG].close_label),
                BACK,
                style="tonal",
                view_id="permission_allow_foreground_only_button",
            ),
            Button(_("仅限这一次"), BACK, style="tonal", view_id="permission_allow_one_time_button"),
            Button(_("不允许"), BACK, style="tonal", view_id="permission_deny_button"),
        ],
    )


def _update(phone: Machine, entry: dict[str, Any]) -> Surface:
    return Dialog(
        title=_("发现新版本"),
        message=_("1. 修复已知问题\n2. 优化使用体验"),
        buttons=[
            Button(_(OVERLAYS[UPDATE_DIALOG].close_label), BACK, style="tonal", view_id="later"),
            Button(_("立即更新"), action_ref("android.update"), view_id="update"),
        ],
    )


def _update_now(phone: Machine) -> None:
    phone.tasks.back()
    phone.show_toast(_("正在后台下载更新"))


def _advertised_now(phone: Machine) -> None:
    phone.data["overlays"][-1]["page"] = _ADVERTISED


def splash(app: App, seconds: int) -> Surface:
    """The splash screen of an app, with the seconds that it is still shown; nothing on it can be touched."""
    # a picture that shrinks every second, as such screens move
    picture = Cover(app.label, glyph=app.glyph, room=120 + 40 * seconds, radius=18, color=app.color)
    return AppPage(
        body=[
            Space(120),
            picture,
            Text(_("{seconds} 秒后进入").format(seconds=seconds), color=GREY, align="center"),
        ],
        pad=18,
    )


PAGES: Mapping[str, Callable[[Machine, dict[str, Any]], Surface]] = MappingProxyType(
    {
        OVERLAYS[ADVERTISEMENT].page: _advertisement,
        OVERLAYS[PERMISSION_DIALOG].page: _permission,
        OVERLAYS[UPDATE_DIALOG].page: _update,
        _ADVERTISED: _advertised,
    }
)
"""Name of a page -> its implementation; every overlay of a fault has one."""

ACTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"android.update": _update_now, _ADVERTISED: _advertised_now}
)
"""Name of an action on these pages -> its implementation."""
