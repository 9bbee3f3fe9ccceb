"""Films: what is on, cinemas, the shows of a day, and the choice of a seat."""

from __future__ import annotations

from datetime import date

from simulated_phone.goals.app_definition import PageView
from simulated_phone.language.formats import short_weekday
from simulated_phone.language.language import messages
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Banner, Chips, Cover, Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage
from simulated_phone.screens.theme import AMBER, CHIP, FAINT, GREY

from ...builders import checkout, tables
from ...builders.checkout import money
from ...builders.likes import heart
from ...builders.list_parts import panel
from ...builders.search import wide_pill
from ...builders.tabs import bottom_tabs, top_tabs
from ...builders.taps import change, go, visit
from ..calendar.data import day_words
from . import data
from .data import ACCENT, CINEMAS, DAYS, FILMS, seat_name

_ = messages(__name__)

TABS = bottom_tabs(
    ("home", _("火车票"), "train"), ("films", _("电影演出"), "film"), ("orders", _("我的票"), "ticket")
)
SEAT = "#9fdbe2"
"""Hue of a free seat."""
HEADER = (Space(6), wide_pill(data.SEARCH, ACCENT))


def day_of(iso: str) -> str:
    """A day, given as ISO date, in words."""
    return day_words(date.fromisoformat(iso))


def add_weekday(iso: str) -> str:
    """A day, given as ISO date, in words and with its weekday."""
    day = short_weekday(_, date.fromisoformat(iso).weekday())
    return _("{date} {weekday}").format(date=day_of(iso), weekday=day)


def _build_films_page(view: PageView) -> AppPage:
    cinemas = ListRow(
        _("影院列表"), _("附近 {count} 家影院").format(count=len(CINEMAS)), trailing="›", tap=go("cinemas")
    )
    rows = [panel(build_film_row(film)) for film in FILMS]
    offers = [(film, visit("film", film=film)) for film in list(FILMS)[:3]]
    banner = Banner(offers, "poster", view.minute.minute, pad=12)
    body = [banner, panel(cinemas), Heading(_("正在热映")), *rows]
    return AppPage(header=HEADER, body=body, gap=6, tabs=TABS("films"))


def build_film_row(film: str) -> ListRow:
    """A film: kind, length and score."""
    kind, score, minutes, _unused = FILMS[film]
    cover = Cover(film, glyph="film", room=64, radius=6, subject="poster")
    return ListRow(
        film,
        _("{kind} · {minutes}分钟 · {score}分").format(kind=kind, minutes=minutes, score=score),
        leading=cover,
        lead=48,
        trailing="›",
        bold=True,
        tap=visit("film", film=film),
    )


def _build_film_page(view: PageView) -> AppPage:
    film = view.arguments["film"]
    kind, score, minutes, plot = FILMS[film]
    facts = ColumnLayout(
        [
            Text(film, size=22, bold=True),
            Text(_("{kind} · {minutes}分钟").format(kind=kind, minutes=minutes), color=GREY),
            Space(8),
            Text(_("{score} 分").format(score=score), size=20, bold=True, color=AMBER),
        ],
        gap=2,
    )
    head = RowLayout([Cover(film, glyph="film", room=150, subject="poster"), facts], [110, None], gap=14)
    want = heart(film in view.state["wanted"], action_ref("want", film=film), _("想看"), color=ACCENT)
    story = Card([Text(plot, size=16, lines=4)], margin=12)
    buy = Button(_("选座购票"), go("shows", film=film))
    return AppPage(
        title=_("影片详情"),
        actions=[want],
        body=[Space(6), Card([head], margin=12), Heading(_("剧情简介")), story],
        footer=[buy],
    )


def _build_shows_page(view: PageView) -> AppPage:
    film, day = view.arguments["film"], view.arguments.get("day", DAYS[0].isoformat())
    days = top_tabs({day_words(one): one.isoformat() for one in DAYS[:3]}, day, lambda one: change(day=one))
    cards = [
        Card(
            [
                Text(cinema, size=17, bold=True),
                Text(_("{money}起").format(money=money(data.FILM_FEN)), size=13, color=GREY),
                Chips(
                    [
                        (time, go("seats", film=film, cinema=cinema, day=day, time=time), False)
                        for time in data.show_times(view.seed, film, cinema, day)
                    ],
                    pad=0,
                ),
            ],
            margin=12,
        )
        for cinema in CINEMAS
    ]
    return AppPage(title=film, header=[days], body=[Space(2), *cards], gap=8)


def _build_seats_page(view: PageView) -> AppPage:
    film, cinema, day, time = (view.arguments[key] for key in ("film", "cinema", "day", "time"))
    chosen, taken = view.arguments.get("seat", ""), data.draw_taken_seats(view.seed, film, cinema, day, time)
    cells: list[Widget] = []
    for row in range(1, data.ROWS + 1):
        for seat in range(1, data.SEATS + 1):
            name = seat_name(row, seat)
            color = FAINT if name in taken else ACCENT if name == chosen else SEAT
            tap = None if name in taken else change(seat=name)
            cells.append(
                Icon("seat", _("已售") if name in taken else name, tap, size=22, color=color, room=40)
            )
    screen = Card([Text(_("银幕方向"), size=13, color=GREY, align="center")], color=CHIP, pad=3, margin=60)
    seats = chosen or _("请选择座位")
    words = Text(f"{add_weekday(day)} {time} · {seats}", color=GREY, align="center")
    order = go("pay", kind="film", name=film, date=day, time=time, detail=cinema, seat=chosen)
    submit = Button(checkout.SUBMIT, order, enabled=bool(chosen))
    footer = checkout.total_bar(_("合计"), data.FILM_FEN if chosen else 0, submit, 130)
    body = [Space(6), screen, Space(10), GridLayout(cells, data.SEATS, gap=2, pad=16), Space(10), words]
    return AppPage(title=f"{film} · {cinema}", body=body, footer=[footer])


def _build_cinemas_page(view: PageView) -> AppPage:
    return AppPage(
        title=_("影院"), body=[Space(6), *(panel(build_cinema_row(cinema)) for cinema in CINEMAS)], gap=8
    )


def build_cinema_row(cinema: str) -> ListRow:
    """A cinema, with its prices."""
    words = _("{money}起 · 可改签 · 可停车").format(money=money(data.FILM_FEN))
    return ListRow(
        cinema,
        words,
        leading=Cover(cinema, room=44, subject="shop"),
        trailing="›",
        tap=visit("cinema", cinema=cinema),
    )


def _build_cinema_page(view: PageView) -> AppPage:
    cinema = view.arguments["cinema"]
    save = heart(cinema in view.state["cinemas"], action_ref("save_cinema", cinema=cinema))
    rows = [panel(build_film_row(film)) for film in FILMS]
    return AppPage(
        title=cinema,
        actions=[save],
        body=[Cover(cinema, room=110, radius=0, subject="shop"), Heading(_("今日排片")), *rows],
        gap=6,
    )


PAGES = tables.pages_of(__name__)
