"""Maps: the pages, except that of a route, the handlers of their taps, and the app."""

from __future__ import annotations

from collections.abc import Sequence

from simulated_phone.goals.app_definition import App, PageView, Shortcut, choose
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import AMBER, INK

from ... import voice
from ...builders import dialogs, tables
from ...builders.likes import flipping
from ...builders.list_parts import empty, panel, suggestions
from ...builders.records import named
from ...builders.search import OPEN_SEARCH, search_page
from ...builders.shop_front import build_kind_grid, build_saved_page, search_header
from ...builders.tabs import bottom_tabs
from ...builders.taps import go
from . import data, route
from .canvas import Canvas, Pin
from .data import ACCENT, KINDS, SPEEDS, Place, places
from .goals import GOALS
from .route import distance_words

_ = messages(__name__)

KNOWN = ((_("家"), _("回家"), "home"), (_("公司"), _("去公司"), "shop"))
TABS = bottom_tabs(("home", _("首页"), "map"), ("saved", _("收藏夹"), "star"), ("mine", _("我的"), "person"))


def _show_place(name: str) -> ActionRef:
    return action_ref("show", place=name)


def _kind(kind: str) -> ActionRef:
    return go("kind", kind=kind)


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    pins = [Pin(name=one.name, x=one.x, y=one.y, tap=_show_place(one.name)) for one in places(view.seed)]
    known = [
        Button(words, action_ref("to_known", where=where), style="tonal", glyph=glyph)
        for where, words, glyph in KNOWN
    ]
    body: list[Widget] = [Canvas(seed=view.seed, metres=4200, pins=pins, room=390)]
    if navigation := view.state["navigation"]:
        words = _("正在导航：{to}").format(to=navigation["to"])
        row = ListRow(words, navigation["mode"], trailing="›", pad=4, tap=go("driving"))
        body.append(RowLayout([Card([row], pad=4)], pad=12))
    kinds = build_kind_grid(KINDS, _kind, columns=5, gap=2, room=40, radius=20, size=12)
    body += [RowLayout(known, pad=12), Card([kinds], pad=6, margin=12)]
    return AppPage(header=search_header(data.SEARCH, ACCENT), body=body, gap=10, tabs=TABS("home"))


def _build_row(place: Place) -> Card:
    to = Button(_("去这里"), go("route", place=place.name), style="tonal", room=40, size=14)
    row = ListRow(
        place.name,
        _("{distance_words} · 评分 {rating}\n{address}").format(
            distance_words=distance_words(place.metres), rating=place.rating, address=place.address
        ),
        leading=Cover(place.name, glyph="location", room=44, subject="shop"),
        lines=2,
        trailing=to,
        trail=78,
        pad=8,
        tap=_show_place(place.name),
    )
    return panel(row)


def _build_kind_page(view: PageView) -> AppPage:
    kind = view.arguments["kind"]
    found = [place for place in places(view.seed) if place.kind == kind]
    return AppPage(title=_("附近的{kind}").format(kind=kind), body=[Space(4), *map(_build_row, found)], gap=8)


def _find(view: PageView, word: str) -> Sequence[Widget]:
    return [
        _build_row(place)
        for place in places(view.seed)
        if word in place.name or word in place.address or word == place.kind
    ]


def _list_recent_and_near(view: PageView) -> Sequence[Widget]:
    recent = suggestions(view.state["recent"], _show_place)
    return [Heading(_("最近去过")), recent, Heading(_("找附近")), suggestions(KINDS, _kind)]


def _build_place_page(view: PageView) -> AppPage:
    place = named(places(view.seed), view.arguments["place"])
    name = place.name
    words, color = (_("取消收藏"), AMBER) if name in view.state["saved"] else (_("收藏"), INK)
    star = Icon("star", words, action_ref("save", place=name), color=color)
    pin = Pin(name=name, x=place.x, y=place.y, chosen=True)
    facts = panel(
        ListRow(name, place.kind, bold=True, size=18),
        ListRow(_("地址"), trailing=place.address),
        ListRow(_("距离"), trailing=distance_words(place.metres)),
        ListRow(_("评分"), trailing=place.rating),
    )
    return AppPage(
        title=name,
        actions=[star, Icon("more", _("更多"), go("menu", place=name))],
        body=[Canvas(seed=view.seed, x=place.x, y=place.y, metres=2600, pins=[pin], room=360), facts],
        gap=12,
        footer=[Button(_("去这里"), go("route", place=name), glyph="send")],
    )


def _build_menu_sheet(view: PageView) -> Sheet:
    name = view.arguments["place"]
    lines = [
        (_("设为{where}").format(where=where), glyph, action_ref("set_known", where=where, place=name))
        for where, _unused, glyph in KNOWN
    ]
    return dialogs.menu(name, *lines)


def _build_saved_page(view: PageView) -> AppPage:
    cards = [_build_row(named(places(view.seed), name)) for name in view.state["saved"]]
    return build_saved_page(_("收藏夹"), cards, tabs=TABS("saved"))


def _build_mine_page(view: PageView) -> AppPage:
    known = [
        ListRow(
            where,
            view.state[where],
            leading=Icon(glyph, size=22, color=ACCENT, room=40),
            lead=36,
            trailing="›",
            tap=_show_place(view.state[where]),
        )
        for where, _unused, glyph in KNOWN
    ]
    recent = [
        ListRow(name, named(places(view.seed), name).address, trailing="›", tap=_show_place(name))
        for name in view.state["recent"]
    ]
    body = [Heading(_("常用地点")), panel(*known), Heading(_("最近去过")), panel(*recent)]
    return AppPage(title=_("我的"), back=False, body=body, tabs=TABS("mine"))


# ---- handlers of taps

_save = flipping("saved", "place", "saved_changed")


def _show(context: HandlerContext, place: str) -> None:
    context.unfocus()
    context.fact("place_seen", place=place)
    context.go("place", place=place)


def _to_known(context: HandlerContext, where: str) -> None:
    context.go("route", place=context.state[where])


def _set_known(context: HandlerContext, where: str, place: str) -> None:
    context.close("menu")
    context.state[where] = place
    context.fact("known_set", where=where, place=place)
    context.toast(_("已设为{where}").format(where=where))


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: save a place, set it as home or office, or navigate to it."""
    name = voice.find_name(phrase, [place.name for place in places(context.seed)])
    kind = choose(phrase, KINDS)
    where = next((where for where, words, _unused in KNOWN if words in phrase), None)
    if name is None:
        name = context.state[where] if where else None
    if name is None and kind and voice.says(phrase, _("最近", "said")):
        name = next(place.name for place in places(context.seed) if place.kind == kind)
    if name is None:
        context.go("search", word=kind or phrase)
    elif voice.says(phrase, _("收藏", "said")):
        if name not in context.state["saved"]:
            _save(context, place=name)
    elif voice.says(phrase.replace(name, ""), _("设", "said")):
        _set_known(context, _("公司") if voice.says(phrase, _("公司", "said")) else _("家"), name)
    else:
        mode = choose(phrase.replace(name, ""), list(SPEEDS))
        context.go("route", place=name, mode=mode or next(iter(SPEEDS)))
    return True


MAPS = App(
    package=data.PACKAGE,
    activity=".MapActivity",
    label=data.LABEL,
    english="Maps",
    glyph="map",
    color=ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **route.PAGES,
        "search": search_page(data.SEARCH, _find, empty(_("没有找到地点")), _list_recent_and_near, gap=8),
        "voice": voice.page(_("导航回家"), _("最近的加油站"), _("步行去人民公园")),
    },
    handlers={
        **tables.handlers(_show, _to_known, _set_known),
        **route.HANDLERS,
        "save": _save,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("搜地点"), glyph="search", tap=OPEN_SEARCH),
        Shortcut(text=_("回家"), glyph="home", tap=action_ref("to_known", where=_("家"))),
        Shortcut(text=_("去公司"), glyph="shop", tap=action_ref("to_known", where=_("公司"))),
    ),
    goals=GOALS,
    position=12,
    hours=(8, 10, 18, 19),
    seen=("recent",),
)
