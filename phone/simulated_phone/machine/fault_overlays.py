"""Pages of faults with their actions, the splash screen, and the notification at the top of the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from simulated_phone.goals.app_definition import App, generator
from simulated_phone.language.language import gettext as _
from simulated_phone.language.language import later
from simulated_phone.machine.faults import (
    ADVERTISEMENT,
    LOGIN,
    OVERLAYS,
    PERMISSION_DIALOG,
    SIGNED_IN,
    UPDATE_DIALOG,
)
from simulated_phone.machine.machine import Machine
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, RowLayout
from simulated_phone.screens.layouts.lists import Cover, ListRow
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import BACK, AppPage, Dialog, Surface
from simulated_phone.screens.skin import WHITE
from simulated_phone.screens.theme import FAINT, GREY, PAPER, PINK

_ADVERTISED = "android.advertised"
"""Name of the page behind an advertisement, and of the action that opens it."""

NOTIFIED = "heads_up_notification"
"""View id of the notification at the top of the screen."""
_MESSAGES_APP = "com.android.mms"
_MESSAGES = (
    (later("快递驿站"), later("您的包裹已到，请及时领取")),
    (later("运营商"), later("本月流量已使用80%")),
    (later("社区服务"), later("明天上午停水两小时，请提前储水")),
)
"""Senders and texts of notifications."""


def _build_advertisement(phone: Machine, entry: dict[str, Any]) -> Surface:
    skip = Button(
        _(OVERLAYS[ADVERTISEMENT].close_label), BACK, style="tonal", room=38, size=13, view_id="skip"
    )
    picture = Cover(_("年中大促 全场五折"), glyph="bag", room=420, radius=18, color=PINK)
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


def _build_advertised(phone: Machine, entry: dict[str, Any]) -> Surface:
    body = [
        Space(12),
        Cover(_("全场五折"), glyph="bag", room=220, radius=14, color=PINK),
        Text(_("年中大促，今日下单立减五十元。活动由第三方提供。"), color=GREY, lines=3),
    ]
    return AppPage(title=_("活动详情"), body=body, pad=16, gap=12)


def _build_permission(phone: Machine, entry: dict[str, Any]) -> Surface:
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


def _build_login(phone: Machine, entry: dict[str, Any]) -> Surface:
    app = phone.apps[phone.data["front"]]
    sign_in = action_ref("android.sign_in")
    code: Widget = Button(
        _("获取验证码"), action_ref("android.send_code"), style="plain", view_id="send_code"
    )
    if entry["arguments"].get("sent"):
        # as keyboards offer the code of a message that has just come
        words = _("来自短信：{code}").format(code=_code(phone))
        code = Button(words, action_ref("android.fill_code"), style="tonal", view_id="autofill")
    body = [
        Space(20),
        Cover(app.label, glyph=app.glyph, room=84, radius=18, color=app.color),
        Text(_("登录已过期，请重新登录"), align="center", color=GREY),
        Field("code", _("短信验证码"), submit=sign_in, enter=_("登录"), view_id="code"),
        code,
        Button(_("登录"), sign_in, view_id="sign_in"),
        Button(
            _(OVERLAYS[LOGIN].close_label),
            action_ref("android.use_password"),
            style="tonal",
            view_id="password",
        ),
    ]
    return AppPage(title=_("登录{app}").format(app=app.label), body=body, pad=18, gap=12, background=PAPER)


def _code(phone: Machine) -> str:
    """The code that a message brings to sign in to the app in front: six digits."""
    return f"{generator('login ' + phone.data['front'], phone.seed).randrange(10**6):06d}"


def _send_code(phone: Machine) -> None:
    phone.data["overlays"][-1]["arguments"]["sent"] = True
    phone.show_toast(_("验证码已发送"))


def _fill_code(phone: Machine) -> None:
    entry = phone.data["overlays"][-1]
    entry["fields"]["code"], entry["focus"] = _code(phone), None


def _sign_in(phone: Machine) -> None:
    if phone.data["overlays"][-1]["fields"].get("code", "").strip() == _code(phone):
        _use_password(phone)
    else:
        phone.show_toast(_("验证码不正确"))


def _use_password(phone: Machine) -> None:
    phone.data["asked"].append(f"{SIGNED_IN}{phone.data['front']}")
    phone.data["overlays"].pop()


def _update_now(phone: Machine) -> None:
    phone.tasks.back()
    phone.show_toast(_("正在后台下载更新"))


def _advertise_now(phone: Machine) -> None:
    phone.data["overlays"][-1]["page"] = _ADVERTISED


def build_splash(app: App, seconds: int) -> Surface:
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


def build_notification(phone: Machine) -> Card:
    """The message that covers the top of the screen; a tap opens the app of messages."""
    front: str = phone.data["front"]
    who, words = _message(phone, front)
    icon = Icon("chat", size=20, color=WHITE, plate="#3ba55c", square=True, room=40)
    texts = ColumnLayout([Text(_(who), size=15, bold=True), Text(_(words), size=14, color=GREY)])
    message = Card([RowLayout([icon, texts], [44, None])], pad=10)
    # an edge sets it off from a page of its own colour
    return Card([message], color=FAINT, pad=1.5, tap=_opens(front), view_id=NOTIFIED)


def _opens(package: str) -> ActionRef:
    return action_ref("android.notified", package=package)


def _message(phone: Machine, package: str) -> tuple[str, str]:
    """Sender and text of the message that comes over an app."""
    return generator(f"notification {package}", phone.seed).choice(_MESSAGES)


def build_shade(phone: Machine) -> list[Widget]:
    """Below the quick settings: the messages that came in, and a button that clears them."""
    cards: list[Widget] = []
    for package in phone.tasks.notices:
        who, words = _message(phone, package)
        icon = Icon("chat", size=20, color=WHITE, plate="#3ba55c", square=True, room=40)
        row = ListRow(_(who), _(words), leading=icon, pad=8)
        cards.append(Card([row], pad=2, tap=_opens(package), view_id="notification"))
    for title, text in reversed(phone.tasks.posted.values()):
        icon = Icon("chat", size=20, color=WHITE, plate=GREY, square=True, room=40)
        cards.append(
            Card(
                [ListRow(title or text, text if title else "", leading=icon, pad=8)],
                pad=2,
                view_id="notification",
            )
        )
    if not cards:
        return []
    clear = Button(_("全部清除"), action_ref("android.clear_notices"), style="tonal", view_id="dismiss_text")
    return [Space(12), ColumnLayout(cards, gap=8), Space(10), clear]


def _open_messages(phone: Machine, package: str) -> None:
    phone.tasks.dismiss_notification()
    phone.tasks.clear_notices(package)
    if _MESSAGES_APP in phone.apps:
        phone.tasks.open(_MESSAGES_APP)
        # the message that has been opened is not announced again
        phone.tasks.dismiss_notification()
        phone.tasks.clear_notices(_MESSAGES_APP)


def _clear_shade(phone: Machine) -> None:
    phone.tasks.clear_notices()
    phone.tasks.clear_posted()


PAGES: Mapping[str, Callable[[Machine, dict[str, Any]], Surface]] = MappingProxyType(
    {
        OVERLAYS[ADVERTISEMENT].page: _build_advertisement,
        OVERLAYS[PERMISSION_DIALOG].page: _build_permission,
        OVERLAYS[UPDATE_DIALOG].page: _update,
        OVERLAYS[LOGIN].page: _build_login,
        _ADVERTISED: _build_advertised,
    }
)
"""Name of a page -> its implementation; every overlay of a fault has one."""

ACTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "android.update": _update_now,
        "android.send_code": _send_code,
        "android.fill_code": _fill_code,
        "android.sign_in": _sign_in,
        "android.use_password": _use_password,
        "android.notified": _open_messages,
        "android.clear_notices": _clear_shade,
        _ADVERTISED: _advertise_now,
    }
)
"""Name of an action on these pages -> its implementation."""
