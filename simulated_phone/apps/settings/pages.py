"""The settings app's pages and the handlers of their taps."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from simulated_phone import voice
from simulated_phone.app_definition import App, Handler, PageFunction, PageView, choose
from simulated_phone.apps.settings.data import CHOICES, SECTIONS, SWITCHES
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, ColumnLayout
from simulated_phone.screens.lists import Heading, ListRow, SearchBar, switch_row
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import BACK, AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY, PAPER
from simulated_phone.screens.widgets import Button, CheckMark, Field, Icon, Space, Switch, Text, Widget
from simulated_phone.state import is_on, switch_value

GROUPS = (
    ("wlan", "bluetooth", "network"),
    ("display", "sound", "notices"),
    ("location", "battery"),
    ("apps", "about"),
)


def _is_on(view: PageView, name: str) -> bool:
    namespace, key, _, _ = SWITCHES[name]
    return is_on(view.states["android"]["settings"], namespace, key)


def _value(view: PageView, what: str) -> str:
    namespace, key, _, values = CHOICES[what]
    wording = {value: words for words, value in values.items()}
    return wording.get(view.setting(namespace, key), "自定义")


def _switches(view: PageView, page: str) -> list[Widget]:
    """Cards with the switches and choices of a page."""
    rows: list[Widget] = [
        switch_row(name, on=_is_on(view, name), tap=action_ref("flip", name=name), glyph=glyph)
        for name, (_, _, where, glyph) in SWITCHES.items()
        if where == page
    ]
    rows += [
        ListRow(what, trailing=f"{_value(view, what)}›", tap=action_ref("go", page="choose", what=what))
        for what, (_, _, where, _) in CHOICES.items()
        if where == page
    ]
    return [Card(rows, pad=2, margin=12)] if rows else []


# ---- pages


def _home_page(view: PageView) -> AppPage:
    hints = {
        "wlan": view.state["network"] if _is_on(view, "WLAN") else "已关闭",
        "bluetooth": "已开启" if _is_on(view, "蓝牙") else "已关闭",
        "display": _value(view, "亮度"),
        "about": view.setting("global", "device_name"),
    }
    body: list[Widget] = []
    for group in GROUPS:
        rows = []
        for page in group:
            title, glyph, color = SECTIONS[page]
            icon = Icon(glyph, size=18, color=PAPER, plate=color, room=36)
            rows.append(
                ListRow(
                    title,
                    leading=icon,
                    lead=34,
                    trailing=f"{hints.get(page, '')}›",
                    tap=action_ref("go", page=page),
                )
            )
        body.append(Card(rows, pad=2, margin=12))
    pill = ListRow(
        "搜索设置项",
        leading=Icon("search", size=18, color=GREY, room=24),
        lead=24,
        color=GREY,
        size=14,
        pad=8,
    )
    search = Card([pill], color="#e6e8ee", pad=0, radius=26, margin=12, tap=action_ref("go", page="search"))
    icons = [Icon("mic", "语音", voice.LISTEN)]
    return AppPage(title="设置", back=False, actions=icons, header=[search], body=[Space(4), *body], gap=12)


def _search_page(view: PageView) -> AppPage:
    word = view.fields.get("query", "").strip().casefold()
    entries = {title: page for page, (title, _, _) in SECTIONS.items()}
    entries |= {name: page for name, (_, _, page, _) in SWITCHES.items()}
    entries |= {what: page for what, (_, _, page, _) in CHOICES.items()} | {"设备名称": "about"}
    rows: list[Widget] = [
        ListRow(name, f"设置 > {SECTIONS[page][0]}", trailing="›", tap=action_ref("go", page=page))
        for name, page in entries.items()
        if word and word in name.casefold()
    ]
    if word and not rows:
        rows = [Space(80), Text("没有找到设置项", color=GREY, align="center")]
    bar = SearchBar(Field("query", "搜索设置项", glyph="search", enter="搜索"))
    return AppPage(title="搜索", header=[bar], body=rows or [Space(8)], background=PAPER)


def _switch_page(page: str, note: str) -> PageFunction:
    def shown(view: PageView) -> AppPage:
        words = ColumnLayout([Text(note, size=13, color=GREY, lines=3)], pad=26)
        return AppPage(title=SECTIONS[page][0], body=[Space(4), *_switches(view, page), words], gap=12)

    return shown


def _wlan_page(view: PageView) -> AppPage:
    body = [Space(4), *_switches(view, "wlan")]
    if _is_on(view, "WLAN"):
        joined = view.state["network"]
        rows: list[Widget] = [
            ListRow(
                name,
                "已连接" if name == joined else "已保存",
                leading=Icon("wifi", size=20, color=GREY, room=36),
                lead=30,
                trailing=Icon("check", "已连接", size=20) if name == joined else None,
                trail=30,
                tap=action_ref("join", name=name),
            )
            for name in sorted(view.state["networks"], key=lambda name: name != joined)
        ]
        body += [Heading("附近的网络"), Card(rows, pad=2, margin=12)]
    return AppPage(title="WLAN", body=body, gap=12)


def _bluetooth_page(view: PageView) -> AppPage:
    body = [Space(4), *_switches(view, "bluetooth"), Card([_name_row(view)], pad=2, margin=12)]
    rows: list[Widget] = [
        ListRow(
            name,
            "已配对" if name in view.state["paired"] else "可配对",
            leading=Icon("bluetooth", size=20, color=GREY, room=36),
            lead=30,
            tap=action_ref("pair", name=name),
        )
        for name in view.state["devices"]
    ]
    return AppPage(title="蓝牙", body=[*body, Heading("附近的设备"), Card(rows, pad=2, margin=12)], gap=12)


def _name_row(view: PageView) -> ListRow:
    return ListRow("设备名称", trailing=f"{view.setting('global', 'device_name')}›", tap=action_ref("rename"))


def _app_icon(app: App) -> Icon:
    return Icon(app.glyph, size=20, color=PAPER, plate=app.color, square=True, room=40)


def _apps(view: PageView) -> list[App]:
    return sorted((app for app in view.apps if app.goals), key=lambda app: app.label.encode("gbk", "replace"))


def _notices_page(view: PageView) -> AppPage:
    rows: list[Widget] = [
        ListRow(
            app.label,
            leading=_app_icon(app),
            lead=38,
            trailing=Switch(app.package not in view.state["muted"], description=f"{app.label}通知"),
            tap=action_ref("mute", package=app.package),
        )
        for app in _apps(view)
    ]
    return AppPage(title="通知管理", body=[Space(4), Card(rows, pad=2, margin=12)])


def _apps_page(view: PageView) -> AppPage:
    rows: list[Widget] = [
        ListRow(
            app.label,
            app.package,
            leading=_app_icon(app),
            lead=38,
            trailing="›",
            tap=action_ref("app", package=app.package),
        )
        for app in _apps(view)
    ]
    return AppPage(title="应用管理", body=[Space(4), Card(rows, pad=2, margin=12)])


def _app_page(view: PageView) -> AppPage:
    app = next(app for app in view.apps if app.package == view.arguments["package"])
    on = app.package not in view.state["muted"]
    head = ListRow(app.label, app.package, leading=_app_icon(app), lead=44, bold=True, size=19)
    notice = switch_row("允许通知", on=on, tap=action_ref("mute", package=app.package), glyph="bell")
    rows = [ListRow("存储占用", trailing="128 MB"), ListRow("版本", trailing="1.0.0")]
    start = Button("打开应用", action_ref("android.open", package=app.package), style="tonal")
    cards = [Card([head], pad=2, margin=12), Card([notice], pad=2, margin=12), Card(rows, pad=2, margin=12)]
    return AppPage(title="应用信息", body=[Space(4), *cards], gap=12, footer=[start])


def _about_page(view: PageView) -> AppPage:
    facts = (
        ("型号", "SimPhone 1"),
        ("安卓版本", "13"),
        ("处理器", "八核"),
        ("运行内存", "12 GB"),
        ("版本号", "1.0.0"),
    )
    rows: list[Widget] = [_name_row(view), *(ListRow(name, trailing=value) for name, value in facts)]
    icon = Icon("phone", size=56, color=GREY, room=110)
    return AppPage(title="关于手机", body=[icon, Card(rows, pad=2, margin=12)])


def _rename_dialog(view: PageView) -> Dialog:
    field = Field("name", "新的名称", submit=action_ref("save_name"))
    return Dialog(
        title="设备名称",
        body=[field],
        buttons=[Button("取消", BACK, style="tonal"), Button("保存", action_ref("save_name"))],
    )


def _choose_sheet(view: PageView) -> Sheet:
    what = view.arguments["what"]
    now = _value(view, what)
    rows = [
        ListRow(
            words,
            trailing=CheckMark(words == now),
            trail=32,
            tap=action_ref("choose", what=what, words=words),
        )
        for words in CHOICES[what][3]
    ]
    return Sheet(title=what, body=rows)


# ---- handlers of taps


def _flip(context: HandlerContext, name: str, on: bool | None = None) -> None:
    namespace, key, _, _ = SWITCHES[name]
    now = is_on(context.states["android"]["settings"], namespace, key)
    context.change_setting(namespace, key, switch_value(key, not now if on is None else on))
    context.fact("switched", name=name, on=not now if on is None else on)


def _choose(context: HandlerContext, what: str, words: str) -> None:
    namespace, key, _, values = CHOICES[what]
    context.change_setting(namespace, key, values[words])
    context.fact("chosen", what=what, value=words)
    if context.page == "choose":
        context.back()


def _join(context: HandlerContext, name: str) -> None:
    context.state["network"] = name
    context.fact("joined", network=name)
    context.toast(f"已连接到 {name}")


def _pair(context: HandlerContext, name: str) -> None:
    if name not in context.state["paired"]:
        context.state["paired"].append(name)
        context.fact("paired", device=name)
    context.toast(f"已连接 {name}")


def _mute(context: HandlerContext, package: str) -> None:
    muted: list[str] = context.state["muted"]
    if package in muted:
        muted.remove(package)
    else:
        muted.append(package)
    context.fact("muted", package=package, on=package in muted)


def _rename(context: HandlerContext) -> None:
    context.go("rename")
    context.focus("name")


def _save_name(context: HandlerContext) -> None:
    name = context.field("name").strip()
    if not name:
        context.toast("名称不能为空")
        return
    context.change_setting("global", "device_name", name)
    context.fact("renamed", name=name)
    context.back()


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: flip a switch ("打开蓝牙") or choose a value ("字体大小调到大")."""
    what, name = choose(phrase, list(CHOICES)), choose(phrase, list(SWITCHES))
    if what and what in phrase:
        rest = phrase.replace(what, "")
        words = choose(rest, list(CHOICES[what][3]))
        if words is None or words not in rest:
            return False
        _choose(context, what, words)
        context.toast(f"{what}已设为{words}")
        return True
    if name and name in phrase:
        on = "关" not in phrase
        _flip(context, name, on)
        context.toast(f"已{'打开' if on else '关闭'}{name}")
        return True
    return False


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "home": _home_page,
        "search": _search_page,
        "wlan": _wlan_page,
        "bluetooth": _bluetooth_page,
        "network": _switch_page("network", "移动网络可能产生流量费用。"),
        "display": _switch_page("display", "较暗的屏幕更省电。"),
        "sound": _switch_page("sound", "静音后来电和通知不再响铃，闹钟仍会响。"),
        "location": _switch_page("location", "打开后，获得允许的应用可以得知您的位置。"),
        "notices": _notices_page,
        "battery": _switch_page("battery", "省电模式会减少后台活动。"),
        "apps": _apps_page,
        "app": _app_page,
        "about": _about_page,
        "rename": _rename_dialog,
        "choose": _choose_sheet,
        "voice": voice.page("打开蓝牙", "关闭WLAN", "字体大小调到大"),
    }
)

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "flip": _flip,
        "choose": _choose,
        "join": _join,
        "pair": _pair,
        "mute": _mute,
        "app": lambda context, package: context.go("app", package=package),
        "rename": _rename,
        "save_name": _save_name,
        **voice.handlers(_understand),
    }
)
