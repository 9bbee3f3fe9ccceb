"""The maps app's pages, except that of a route, and the handlers of their taps."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView, choose
from simulated_phone.apps.maps import route
from simulated_phone.apps.maps.canvas import Canvas, Pin
from simulated_phone.apps.maps.data import KINDS, SEARCH, SPEEDS, Place, places
from simulated_phone.apps.maps.route import distance_words, find_place
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.lists import Chips, Cover, Heading, ListRow, SearchBar, Tab
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, INK
from simulated_phone.screens.widgets import Button, Field, Icon, Space, Text, Widget

ACCENT = "#1677c9"
KNOWN = (("家", "回家", "home"), ("公司", "去公司", "shop"))


def _tabs(chosen: str) -> list[Tab]:
    tabs = (("home", "首页", "map"), ("saved", "收藏夹", "star"), ("mine", "我的", "person"))
    return [
        Tab(text=text, glyph=glyph, tap=action_ref("tab", page=page), chosen=page == chosen)
        for page, text, glyph in tabs
    ]


# ---- pages


def _home_page(view: PageView) -> AppPage:
    lens = Icon("search", size=18, color=GREY, room=28)
    pill = ListRow(SEARCH, leading=lens, lead=20, color=GREY, size=15, pad=8)
    search = Card([pill], pad=0, radius=26, color="#eceef2", tap=action_ref("open_search"))
    pins = [
        Pin(name=one.name, x=one.x, y=one.y, tap=action_ref("show", place=one.name))
        for one in places(view.seed)
    ]
    known = [
        Button(words, action_ref("to_known", where=where), style="tonal", glyph=glyph)
        for where, words, glyph in KNOWN
    ]
    body: list[Widget] = [Canvas(seed=view.seed, metres=4200, pins=pins, room=390)]
    if navigation := view.state["navigation"]:
        row = ListRow(
            f"正在导航：{navigation['to']}",
            navigation["mode"],
            trailing="›",
            pad=4,
            tap=action_ref("go", page="driving"),
        )
        body.append(RowLayout([Card([row], pad=4)], pad=12))
    body += [
        RowLayout(known, pad=12),
        Card([GridLayout([_kind_button(kind) for kind in KINDS], 5, gap=2)], pad=6, margin=12),
    ]
    return AppPage(
        header=[
            Space(6),
            RowLayout([search, Icon("mic", "语音", voice.LISTEN, color=ACCENT)], [None, 48], pad=12),
            Space(6),
        ],
        body=body,
        gap=10,
        tabs=_tabs("home"),
    )


def _kind_button(kind: str) -> Card:
    cover = RowLayout([Space(1), Cover(kind, room=40, radius=20), Space(1)], [None, 40, None], gap=0)
    return Card(
        [cover, Text(kind, size=12, align="center")], pad=4, tap=action_ref("go", page="kind", kind=kind)
    )


def _row(place: Place) -> Card:
    go = Button("去这里", action_ref("go", page="route", place=place.name), style="tonal", room=40, size=14)
    row = ListRow(
        place.name,
        f"{distance_words(place.metres)} · 评分 {place.rating}\n{place.address}",
        leading=Cover(place.name, glyph="location", room=44),
        lead=44,
        lines=2,
        trailing=go,
        trail=78,
        pad=8,
        tap=action_ref("show", place=place.name),
    )
    return Card([row], pad=2, margin=12)


def _kind_page(view: PageView) -> AppPage:
    kind = view.arguments["kind"]
    found = [place for place in places(view.seed) if place.kind == kind]
    return AppPage(title=f"附近的{kind}", body=[Space(4), *map(_row, found)], gap=8)


def _search_page(view: PageView) -> AppPage:
    word = view.fields.get("query", view.arguments.get("word", "")).strip()
    found = [place for place in places(view.seed) if word and _matches(place, word)]
    body: list[Widget] = [_row(place) for place in found]
    if not word:
        recent = [(name, action_ref("show", place=name), False) for name in view.state["recent"]]
        kinds = [(kind, action_ref("go", page="kind", kind=kind), False) for kind in KINDS]
        body = [Heading("最近去过"), Chips(recent), Heading("找附近"), Chips(kinds)]
    elif not body:
        body = [Space(80), Text("没有找到地点", color=GREY, align="center")]
    field = Field("query", SEARCH, glyph="search", enter="搜索", start=view.arguments.get("word", ""))
    return AppPage(title="搜索", header=[SearchBar(field, voice.LISTEN)], body=[Space(4), *body], gap=8)


def _matches(place: Place, word: str) -> bool:
    return word in place.name or word in place.address or word == place.kind


def _place_page(view: PageView) -> AppPage:
    place = find_place(view.seed, view.arguments["place"])
    saved = place.name in view.state["saved"]
    star = Icon(
        "star",
        "取消收藏" if saved else "收藏",
        action_ref("save", place=place.name),
        color="#f0a020" if saved else INK,
    )
    pin = Pin(name=place.name, x=place.x, y=place.y, chosen=True)
    facts = [
        ListRow("地址", trailing=place.address),
        ListRow("距离", trailing=distance_words(place.metres)),
        ListRow("评分", trailing=place.rating),
    ]
    return AppPage(
        title=place.name,
        actions=[star, Icon("more", "更多", action_ref("go", page="menu", place=place.name))],
        body=[
            Canvas(seed=view.seed, x=place.x, y=place.y, metres=2600, pins=[pin], room=360),
            Card([ListRow(place.name, place.kind, bold=True, size=18), *facts], pad=2, margin=12, gap=0),
        ],
        gap=12,
        footer=[Button("去这里", action_ref("go", page="route", place=place.name), glyph="send")],
    )


def _menu_sheet(view: PageView) -> Sheet:
    name = view.arguments["place"]
    rows = [
        ListRow(
            f"设为{where}",
            leading=Icon(glyph, size=20, room=40),
            lead=36,
            tap=action_ref("set_known", where=where, place=name),
        )
        for where, _, glyph in KNOWN
    ]
    return Sheet(title=name, body=rows)


def _saved_page(view: PageView) -> AppPage:
    cards = [_row(find_place(view.seed, name)) for name in view.state["saved"]]
    body: list[Widget] = [Space(2), *cards]
    if not cards:
        body = [Space(90), Text("还没有收藏", color=GREY, align="center")]
    return AppPage(title="收藏夹", back=False, body=body, gap=8, tabs=_tabs("saved"))


def _mine_page(view: PageView) -> AppPage:
    rows = [
        ListRow(
            where,
            view.state[where],
            leading=Icon(glyph, size=22, color=ACCENT, room=40),
            lead=36,
            trailing="›",
            tap=action_ref("show", place=view.state[where]),
        )
        for where, _, glyph in KNOWN
    ]
    recent = [
        ListRow(name, find_place(view.seed, name).address, trailing="›", tap=action_ref("show", place=name))
        for name in view.state["recent"]
    ]
    body: list[Widget] = [Heading("常用地点"), Card(rows, pad=2, margin=12, gap=0), Heading("最近去过")]
    return AppPage(
        title="我的", back=False, body=[*body, Card(recent, pad=2, margin=12, gap=0)], tabs=_tabs("mine")
    )


# ---- handlers of taps


def _open_search(context: HandlerContext) -> None:
    context.go("search")
    context.focus("query")


def _show(context: HandlerContext, place: str) -> None:
    context.unfocus()
    context.fact("place_seen", place=place)
    context.go("place", place=place)


def _to_known(context: HandlerContext, where: str) -> None:
    context.go("route", place=context.state[where])


def _save(context: HandlerContext, place: str) -> None:
    saved = context.state["saved"]
    keep = place not in saved
    (saved.append if keep else saved.remove)(place)
    context.fact("saved_changed", place=place, on=keep)
    context.toast("收藏成功" if keep else "已取消收藏")


def _set_known(context: HandlerContext, where: str, place: str) -> None:
    context.back()
    _save_known(context, where, place)


def _save_known(context: HandlerContext, where: str, place: str) -> None:
    context.state[where] = place
    context.fact("known_set", where=where, place=place)
    context.toast(f"已设为{where}")


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: save a place, set it as home or office, or navigate to it."""
    name = choose(phrase, [place.name for place in places(context.seed)])
    kind = choose(phrase, KINDS)
    where = next((where for where, words, _ in KNOWN if words in phrase), None)
    if name is None or name not in phrase:
        name = context.state[where] if where else None
    if name is None and kind in KINDS and "最近" in phrase:
        name = next(place.name for place in places(context.seed) if place.kind == kind)
    if name is None:
        context.go("search", word=kind if kind in KINDS else phrase)
    elif "收藏" in phrase:
        if name not in context.state["saved"]:
            _save(context, name)
    elif "设" in phrase.replace(name, ""):
        _save_known(context, "公司" if "公司" in phrase else "家", name)
    else:
        mode = choose(phrase.replace(name, ""), list(SPEEDS))
        context.go("route", place=name, mode=mode or next(iter(SPEEDS)))
    return True


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "home": _home_page,
        "kind": _kind_page,
        "search": _search_page,
        "place": _place_page,
        "menu": _menu_sheet,
        **route.PAGES,
        "saved": _saved_page,
        "mine": _mine_page,
        "voice": voice.page("导航回家", "最近的加油站", "步行去人民公园"),
    }
)

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "open_search": _open_search,
        "show": _show,
        "to_known": _to_known,
        **route.HANDLERS,
        "save": _save,
        "set_known": _set_known,
        **voice.handlers(_understand),
    }
)
