"""A route to a place: its page for each mode of travel, navigation, and the handlers of their taps."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from simulated_phone.app_definition import Handler, PageFunction, PageView
from simulated_phone.apps.maps.canvas import Canvas, Pin
from simulated_phone.apps.maps.data import SPEEDS, Place, places
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, RowLayout
from simulated_phone.screens.lists import ListRow, Tab, Tabs
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import GREY, PAPER
from simulated_phone.screens.widgets import Button, Space, Text

RECENT = 8
"""Number of recent destinations that are kept."""


def find_place(seed: int, name: str) -> Place:
    """The place of that name."""
    return next(place for place in places(seed) if place.name == name)


def distance_words(metres: int) -> str:
    """A distance in words.

    >>> distance_words(850), distance_words(2140)
    ('850 米', '2.1 公里')
    """
    return f"{metres} 米" if metres < 1000 else f"{metres / 1000:.1f} 公里"


def _minutes(place: Place, mode: str) -> int:
    return max(1, round(place.metres / SPEEDS[mode]))


# ---- pages


def _route_page(view: PageView) -> AppPage:
    place = find_place(view.seed, view.arguments["place"])
    chosen = view.arguments.get("mode", next(iter(SPEEDS)))
    tabs = [Tab(text=mode, tap=action_ref("set", mode=mode), chosen=mode == chosen) for mode in SPEEDS]
    context = "东" if place.x > 0 else "西"
    then = "南" if place.y > 0 else "北"
    steps = [
        ListRow(f"向{context}{'行驶' if chosen == '驾车' else '走'} {distance_words(abs(place.x))}"),
        ListRow(f"转向{then}，{distance_words(abs(place.y))}"),
        ListRow(f"到达 {place.name}", place.address),
    ]
    words = Text(f"{_minutes(place, chosen)} 分钟", size=26, bold=True)
    distance = Text(f"{distance_words(place.metres)} · {chosen}", color=GREY, align="right")
    return AppPage(
        title=f"去 {place.name}",
        header=[Tabs(tabs)],
        body=[
            _route_canvas(view.seed, place, 330),
            RowLayout([words, distance], pad=20),
            Card(steps, pad=2, margin=12, gap=0),
        ],
        gap=10,
        footer=[Button("开始导航", action_ref("start", place=place.name, mode=chosen), glyph="send")],
    )


def _route_canvas(seed: int, place: Place, room: float) -> Canvas:
    metres = round(max(abs(place.x) * 1.7, abs(place.y) * 2.6, 1200))
    pin = Pin(name=place.name, x=place.x, y=place.y, chosen=True)
    way = (place.x, place.y)
    return Canvas(seed=seed, x=place.x // 2, y=place.y // 2, metres=metres, pins=[pin], way=way, room=room)


def _driving_page(view: PageView) -> AppPage:
    navigation = view.state["navigation"]
    if navigation is None:
        return AppPage(title="导航", body=[Space(100), Text("导航已结束", color=GREY, align="center")])
    place = find_place(view.seed, navigation["to"])
    first = "东" if place.x > 0 else "西"
    plate = Card(
        [
            Text(f"向{first}直行 {distance_words(abs(place.x))}", size=22, bold=True, color=PAPER),
            Text(f"前往 {place.name} · {navigation['mode']}", color="#dbe7f7"),
        ],
        color="#1f4f86",
        margin=12,
    )
    left = Text(
        f"剩余 {_minutes(place, navigation['mode'])} 分钟 · {distance_words(place.metres)}",
        size=17,
        bold=True,
    )
    stop = Button("结束导航", action_ref("stop"), style="danger")
    return AppPage(
        title="正在导航",
        body=[plate, _route_canvas(view.seed, place, 520)],
        gap=10,
        footer=[RowLayout([left, stop], [None, 120])],
    )


# ---- handlers of taps


def _start(context: HandlerContext, place: str, mode: str) -> None:
    context.state["navigation"] = {"to": place, "mode": mode}
    context.state["recent"] = [place, *(name for name in context.state["recent"] if name != place)][:RECENT]
    context.fact("navigation_started", place=place, mode=mode)
    context.root("home")
    context.go("driving")


def _stop(context: HandlerContext) -> None:
    context.state["navigation"] = None
    context.fact("navigation_stopped")
    context.root("home")


PAGES: Mapping[str, PageFunction] = MappingProxyType({"route": _route_page, "driving": _driving_page})
HANDLERS: Mapping[str, Handler] = MappingProxyType({"start": _start, "stop": _stop})
