"""A route to a place: its page for each mode of travel, navigation, and the handlers of their taps."""

from __future__ import annotations

from simulated_phone.goals.app_definition import PageView
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import ListRow
from simulated_phone.screens.layouts.widgets import Button, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import GREY, WHITE

from ...builders import tables
from ...builders.list_parts import empty, panel
from ...builders.records import latest, named
from ...builders.tabs import top_tabs
from ...builders.taps import change
from .canvas import find_way
from .data import SPEEDS, Place, minutes_to, places

_ = messages(__name__)

ROAD_SIGN = "#1f4f86"
RECENT = 8
"""Number of recent destinations that are kept."""


def distance_words(metres: int) -> str:
    """A distance in words.

    >>> distance_words(850), distance_words(2140)
    ('850 米', '2.1 公里')
    """
    return (
        _("{metres} 米").format(metres=metres)
        if metres < 1000
        else _("{metres:.1f} 公里").format(metres=metres / 1000)
    )


def _sides(place: Place) -> tuple[str, str]:
    return _("东") if place.x > 0 else _("西"), _("南") if place.y > 0 else _("北")


# ---- pages


def _build_route_page(view: PageView) -> AppPage:
    place = named(places(view.seed), view.arguments["place"])
    mode = view.arguments.get("mode", next(iter(SPEEDS)))
    first, then = _sides(place)
    steps = [
        ListRow(
            _("向{first}{value} {distance_words}").format(
                first=first,
                value=_("行驶") if mode == _("驾车") else _("走"),
                distance_words=distance_words(abs(place.x)),
            )
        ),
        ListRow(
            _("转向{then}，{distance_words}").format(then=then, distance_words=distance_words(abs(place.y)))
        ),
        ListRow(_("到达 {name}").format(name=place.name), place.address),
    ]
    words = Text(_("{minutes} 分钟").format(minutes=minutes_to(place, mode)), size=26, bold=True)
    distance = Text(f"{distance_words(place.metres)} · {mode}", color=GREY, align="right")
    return AppPage(
        title=_("去 {name}").format(name=place.name),
        header=[top_tabs(list(SPEEDS), mode, lambda value: change(mode=value))],
        body=[find_way(view.seed, place, 330), RowLayout([words, distance], pad=20), panel(*steps)],
        gap=10,
        footer=[Button(_("开始导航"), action_ref("start", place=place.name, mode=mode), glyph="send")],
    )


def _build_driving_page(view: PageView) -> AppPage:
    navigation = view.state["navigation"]
    if navigation is None:
        return AppPage(title=_("导航"), body=empty(_("导航已结束"), space=100))
    place, mode = named(places(view.seed), navigation["to"]), navigation["mode"]
    ahead = _("向{sides}直行 {distance_words}").format(
        sides=_sides(place)[0], distance_words=distance_words(abs(place.x))
    )
    words = Text(_("前往 {name} · {mode}").format(name=place.name, mode=mode), color=WHITE)
    plate = Card([Text(ahead, size=22, bold=True, color=WHITE), words], color=ROAD_SIGN, margin=12)
    left = _("剩余 {minutes} 分钟 · {distance_words}").format(
        minutes=minutes_to(place, mode), distance_words=distance_words(place.metres)
    )
    stop = Button(_("结束导航"), action_ref("stop"), style="danger")
    body: list[Widget] = [plate, find_way(view.seed, place, 520)]
    footer = [RowLayout([Text(left, size=17, bold=True), stop], [None, 120])]
    return AppPage(title=_("正在导航"), body=body, gap=10, footer=footer)


# ---- handlers of taps


def _start(context: HandlerContext, place: str, mode: str) -> None:
    context.state["navigation"] = {"to": place, "mode": mode}
    context.state["recent"] = latest(place, context.state["recent"], RECENT)
    context.fact("navigation_started", place=place, mode=mode)
    context.root("home")
    context.go("driving")


def _stop(context: HandlerContext) -> None:
    context.state["navigation"] = None
    context.fact("navigation_stopped")
    context.root("home")


PAGES, HANDLERS = tables.pages_of(__name__), tables.handlers(_start, _stop)
