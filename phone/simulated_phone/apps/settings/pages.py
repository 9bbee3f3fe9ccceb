"""The settings: the pages, the handlers of their taps, and the app."""

from __future__ import annotations

from collections.abc import Sequence

from simulated_phone.goals.app_definition import App, PageFunction, PageView, Shortcut, choose
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.machine.state import is_on, switch_value
from simulated_phone.screens.layouts.layout import ColumnLayout
from simulated_phone.screens.layouts.lists import Heading, ListRow, switch_row
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Switch, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import FIELD, GREY, WHITE

from ... import voice
from ...builders import dialogs, forms, tables
from ...builders.likes import flipping, put
from ...builders.list_parts import empty, panel
from ...builders.search import MICROPHONE, search_page, search_pill
from ...builders.taps import go, write
from . import data
from .data import CHOICES, DEVICE_NAME, SECTIONS, SWITCHES
from .goals import GOALS

_ = messages(__name__)

GROUPS = (
    ("wlan", "bluetooth", "network"),
    ("display", "sound", "notices"),
    ("location", "battery"),
    ("apps", "about"),
)
FACTS = {
    _("型号"): "SimPhone 1",
    _("安卓版本"): "13",
    _("处理器"): _("八核"),
    _("运行内存"): "12 GB",
    _("版本号"): "1.0.0",
}


def _is_on(view: PageView, name: str) -> bool:
    namespace, key, _unused, _unused = SWITCHES[name]
    return is_on(view.states["android"]["settings"], namespace, key)


def _find_value(view: PageView, what: str) -> str:
    namespace, key, _unused, values = CHOICES[what]
    wording = {value: words for words, value in values.items()}
    return wording.get(view.setting(namespace, key), _("自定义"))


def _list_cards(*cards: Sequence[Widget]) -> list[Widget]:
    return [panel(*rows, gap=4) for rows in cards if rows]


def _list_switches(view: PageView, page: str) -> list[Widget]:
    """Cards with the switches and choices of a page, below a space."""
    rows: list[Widget] = [
        switch_row(name, on=_is_on(view, name), tap=action_ref("flip", name=name), glyph=glyph)
        for name, (_unused, _unused, where, glyph) in SWITCHES.items()
        if where == page
    ]
    rows += [
        ListRow(what, trailing=f"{_find_value(view, what)}›", tap=go("choose", what=what))
        for what, (_space, _key, where, _values) in CHOICES.items()
        if where == page
    ]
    return [Space(4), *_list_cards(rows)]


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    hints = {
        "wlan": view.state["network"] if _is_on(view, "WLAN") else _("已关闭"),
        "bluetooth": _("已开启") if _is_on(view, _("蓝牙")) else _("已关闭"),
        "display": _find_value(view, _("亮度")),
        "about": view.setting("global", "device_name"),
    }
    cards = _list_cards(
        *([_build_section_row(page, hints.get(page, "")) for page in group] for group in GROUPS)
    )
    search = search_pill(data.SEARCH, go("search"), size=14, lead=24, room=24, color=FIELD, margin=12)
    body = [Space(4), *cards]
    return AppPage(title=data.LABEL, back=False, actions=[MICROPHONE], header=[search], body=body, gap=12)


def _build_section_row(page: str, hint: str) -> ListRow:
    title, glyph, color = SECTIONS[page]
    icon = Icon(glyph, size=18, color=WHITE, plate=color, room=36)
    return ListRow(title, leading=icon, lead=34, trailing=f"{hint}›", tap=go(page))


def _find(view: PageView, word: str) -> Sequence[Widget]:
    entries = {title: page for page, (title, *_rest) in SECTIONS.items()}
    entries |= {name: page for name, (_space, _key, page, _glyph) in SWITCHES.items()}
    entries |= {what: page for what, (_space, _key, page, _values) in CHOICES.items()} | {
        DEVICE_NAME: "about"
    }
    return [
        ListRow(name, _("设置 > {sections}").format(sections=SECTIONS[page][0]), trailing="›", tap=go(page))
        for name, page in entries.items()
        if word.casefold() in name.casefold()
    ]


def _build_switch_page(page: str, note: str) -> PageFunction:
    words = ColumnLayout([Text(note, size=13, color=GREY, lines=3)], pad=26)
    return lambda view: AppPage(title=SECTIONS[page][0], body=[*_list_switches(view, page), words], gap=12)


def _build_near_row(glyph: str, name: str, words: str, tap: ActionRef, *, here: bool = False) -> ListRow:
    """A network or a device nearby, ticked if the phone is connected to it."""
    icon, tick = Icon(glyph, size=20, color=GREY, room=36), Icon("check", words, size=20)
    return ListRow(name, words, leading=icon, lead=30, trailing=tick if here else None, trail=30, tap=tap)


def _build_wlan_page(view: PageView) -> AppPage:
    body = _list_switches(view, "wlan")
    if _is_on(view, "WLAN"):
        now = view.state["network"]
        near = [
            _build_near_row(
                "wifi",
                name,
                _("已连接") if name == now else _("已保存"),
                action_ref("join", name=name),
                here=name == now,
            )
            for name in sorted(view.state["networks"], key=lambda name: name != now)
        ]
        body += [Heading(_("附近的网络")), *_list_cards(near)]
    return AppPage(title="WLAN", body=body, gap=12)


def _build_bluetooth_page(view: PageView) -> AppPage:
    paired = view.state["paired"]
    near = [
        _build_near_row(
            "bluetooth", name, _("已配对") if name in paired else _("可配对"), action_ref("pair", device=name)
        )
        for name in view.state["devices"]
    ]
    body = [
        *_list_switches(view, "bluetooth"),
        *_list_cards([_build_name_row(view)]),
        Heading(_("附近的设备")),
        *_list_cards(near),
    ]
    return AppPage(title=_("蓝牙"), body=body, gap=12)


def _build_name_row(view: PageView) -> ListRow:
    return ListRow(
        DEVICE_NAME, trailing=f"{view.setting('global', 'device_name')}›", tap=write("rename", "name")
    )


def _build_app_icon(app: App) -> Icon:
    return Icon(app.glyph, size=20, color=WHITE, plate=app.color, square=True, room=40)


def _apps(view: PageView) -> list[App]:
    return sorted((app for app in view.apps if app.goals), key=lambda app: app.label.encode("gbk", "replace"))


def _build_notices_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            app.label,
            leading=_build_app_icon(app),
            lead=38,
            trailing=Switch(
                app.package not in view.state["muted"], description=_("{label}通知").format(label=app.label)
            ),
            tap=action_ref("mute", package=app.package),
        )
        for app in _apps(view)
    ]
    return AppPage(title=_("通知管理"), body=[Space(4), *_list_cards(rows)])


def _build_apps_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            app.label,
            app.package,
            leading=_build_app_icon(app),
            lead=38,
            trailing="›",
            tap=go("app", package=app.package),
        )
        for app in _apps(view)
    ]
    return AppPage(title=_("应用管理"), body=[Space(4), *_list_cards(rows)])


def _build_app_page(view: PageView) -> AppPage:
    app = next(app for app in view.apps if app.package == view.arguments["package"])
    on = app.package not in view.state["muted"]
    head = ListRow(app.label, app.package, leading=_build_app_icon(app), lead=44, bold=True, size=19)
    notice = switch_row(_("允许通知"), on=on, tap=action_ref("mute", package=app.package), glyph="bell")
    facts = [ListRow(_("存储占用"), trailing="128 MB"), ListRow(_("版本"), trailing="1.0.0")]
    start = Button(_("打开应用"), action_ref("android.open", package=app.package), style="tonal")
    body = [Space(4), *_list_cards([head], [notice], facts)]
    return AppPage(title=_("应用信息"), body=body, gap=12, footer=[start])


def _build_about_page(view: PageView) -> AppPage:
    rows = [_build_name_row(view), *(ListRow(name, trailing=value) for name, value in FACTS.items())]
    return AppPage(
        title=_("关于手机"), body=[Icon("phone", size=56, color=GREY, room=110), *_list_cards(rows)]
    )


def _build_rename_dialog(view: PageView) -> Dialog:
    return dialogs.ask_text(DEVICE_NAME, "name", _("新的名称"), _("保存"), action_ref("save_name"))


def _build_choose_sheet(view: PageView) -> Sheet:
    what = view.arguments["what"]
    words = tuple(CHOICES[what][3])
    return dialogs.choices(
        what, words, _find_value(view, what), lambda one: action_ref("choose", what=what, words=one)
    )


# ---- handlers of taps


def _flip(context: HandlerContext, name: str, on: bool | None = None) -> None:
    namespace, key, _unused, _unused = SWITCHES[name]
    if on is None:
        on = not is_on(context.states["android"]["settings"], namespace, key)
    context.change_setting(namespace, key, switch_value(key, on))
    context.fact("switched", name=name, on=on)


def _choose(context: HandlerContext, what: str, words: str) -> None:
    namespace, key, _unused, values = CHOICES[what]
    context.change_setting(namespace, key, values[words])
    context.fact("chosen", what=what, value=words)
    context.close("choose")


def _join(context: HandlerContext, name: str) -> None:
    context.state["network"] = name
    context.fact("joined", network=name)
    context.toast(_("已连接到 {name}").format(name=name))


def _pair(context: HandlerContext, device: str) -> None:
    put(context, "paired", "paired", device=device)
    context.toast(_("已连接 {device}").format(device=device))


def _save_name(context: HandlerContext) -> None:
    if name := forms.read_typed(context, "name", _("名称不能为空")):
        context.change_setting("global", "device_name", name)
        context.fact("renamed", name=name)
        context.back()


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: connect a device, flip a switch ("打开蓝牙"), choose a value ("字体大小调到大")."""
    if device := voice.find_name(phrase, context.state["devices"]):
        _pair(context, device)
        return True
    what, name = choose(phrase, list(CHOICES)), choose(phrase, list(SWITCHES))
    if what and what in phrase:
        rest = phrase.replace(what, "")
        words = choose(rest, list(CHOICES[what][3]))
        if words is None or words not in rest:
            return False
        _choose(context, what, words)
        context.toast(_("{what}已设为{words}").format(what=what, words=words))
        return True
    if name and name in phrase:
        on = not voice.says(phrase, _("关", "said"))
        _flip(context, name, on)
        context.toast(
            _("已{value}{name}").format(value=_("打开", "switch") if on else _("关闭", "switch"), name=name)
        )
        return True
    return False


SETTINGS = App(
    package=data.PACKAGE,
    activity=".Settings",
    label=data.LABEL,
    english="Settings",
    glyph="gear",
    color="#5f6b7d",
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        "network": _build_switch_page("network", _("移动网络可能产生流量费用。")),
        "display": _build_switch_page("display", _("较暗的屏幕更省电。")),
        "sound": _build_switch_page("sound", _("静音后来电和通知不再响铃，闹钟仍会响。")),
        "location": _build_switch_page("location", _("打开后，获得允许的应用可以得知您的位置。")),
        "battery": _build_switch_page("battery", _("省电模式会减少后台活动。")),
        "search": search_page(
            data.SEARCH, _find, empty(_("没有找到设置项")), lambda view: [Space(8)], mic=False
        ),
        "voice": voice.page(_("打开蓝牙"), _("关闭WLAN"), _("字体大小调到大")),
    },
    handlers={
        **tables.handlers(_flip, _choose, _join, _pair, _save_name),
        "mute": flipping("muted", "package", "muted", on=""),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text="WLAN", glyph="wifi", tap=go("wlan")),
        Shortcut(text=_("蓝牙"), glyph="bluetooth", tap=go("bluetooth")),
        Shortcut(text=_("电池"), glyph="battery", tap=go("battery")),
    ),
    goals=GOALS,
    position=7,
    hours=(9, 22, 23),
)
