"""The ticket app: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from simulated_phone import voice
from simulated_phone.app_definition import App, PageView, Shortcut
from simulated_phone.apps.calendar.data import day_words, parse_event
from simulated_phone.apps.tickets import data
from simulated_phone.apps.tickets.data import ACCENT, CINEMAS, CITIES, CLASSES, DAYS, FILMS, HOME, seat_name
from simulated_phone.apps.tickets.goals import GOALS
from simulated_phone.builders import checkout, dialogs, likes, records, tables
from simulated_phone.builders.checkout import money
from simulated_phone.builders.codes import SquareCode
from simulated_phone.builders.likes import heart
from simulated_phone.builders.list_parts import empty, panel, radio_row
from simulated_phone.builders.search import OPEN_SEARCH, search_page, wide_pill
from simulated_phone.builders.tabs import bottom_tabs, tab_over, top_tabs
from simulated_phone.builders.taps import change, go, tab, visit
from simulated_phone.formats import short_weekday
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, ColumnLayout, GridLayout, RowLayout
from simulated_phone.screens.lists import Chips, Cover, Heading, ListRow
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Dialog
from simulated_phone.screens.theme import GREY
from simulated_phone.screens.widgets import Button, Field, Icon, Space, Text, Widget

TABS = bottom_tabs(("home", "火车票", "train"), ("films", "电影演出", "film"), ("orders", "我的票", "ticket"))
HEADER = (Space(6), wide_pill(data.SEARCH, ACCENT))


def _day(iso: str) -> str:
    return day_words(date.fromisoformat(iso))


def _with_weekday(iso: str) -> str:
    return f"{_day(iso)} {short_weekday(str, date.fromisoformat(iso).weekday())}"


# ---- trains


def _home_page(view: PageView) -> AppPage:
    draft = view.state["draft"]
    ends = RowLayout(
        [
            Text(HOME, size=24, bold=True),
            Icon("next", size=18, color=ACCENT, room=40),
            Text(draft["city"], size=24, bold=True, align="right"),
        ],
        [None, 40, None],
        pad=14,
    )
    rows = [
        ListRow("目的地", trailing=f"{draft['city']}›", tap=go("cities")),
        ListRow("出发日期", trailing=f"{_with_weekday(draft['date'])}›", tap=go("dates", order=0)),
        ListRow("乘车人", trailing="、".join(view.state["passengers"][:3]) + "›", tap=go("passengers")),
    ]
    query = RowLayout([Button("查询车票", go("trains"))], pad=14)
    hot = Chips(
        [(f"{HOME} → {city}", action_ref("trains_to", city=city), False) for city in list(CITIES)[:6]]
    )
    body = [Space(2), Card([ends, *rows, query], pad=10, margin=12), Heading("热门线路"), hot]
    return AppPage(header=HEADER, body=body, gap=6, tabs=TABS("home"))


def _cities_page(view: PageView) -> AppPage:
    chips = Chips(
        [(city, action_ref("city", city=city), city == view.state["draft"]["city"]) for city in CITIES]
    )
    return AppPage(title="选择目的地", body=[Heading("热门城市"), chips])


def _dates_page(view: PageView) -> AppPage:
    """The days of sale; for the draft (`order` 0), or to change an order."""
    order = view.arguments["order"]
    chosen = records.record(view.state["orders"], order)["date"] if order else view.state["draft"]["date"]
    body: list[Widget] = []
    for month in sorted({day.month for day in DAYS}):
        cells = [
            Button(
                day_words(day),
                action_ref("date", order=order, day=day.isoformat()),
                style="filled" if day.isoformat() == chosen else "tonal",
                size=14,
            )
            for day in DAYS
            if day.month == month
        ]
        body += [Heading(f"{month}月", pad=4), GridLayout(cells, 4, gap=6)]
    return AppPage(title="选择日期", body=body, pad=12)


def _trains_page(view: PageView) -> AppPage:
    draft = view.state["draft"]
    rows = [
        ListRow(
            f"{train.leaves} — {train.arrives}",
            train.number,
            trailing=f"{money(_train_fen(draft['city'], '二等座'))}起›",
            bold=True,
            size=18,
            tap=go("train", number=train.number),
        )
        for train in data.trains(view.seed, draft["city"])
    ]
    day = ListRow("出发日期", trailing=f"{_with_weekday(draft['date'])}›", tap=go("dates", order=0))
    body = [Space(4), panel(day), *(panel(row) for row in rows)]
    return AppPage(title=f"{HOME} → {draft['city']}", body=body, gap=8)


def _train_fen(city: str, seat: str) -> int:
    return CITIES[city] * CLASSES[seat]


def _train_page(view: PageView) -> AppPage:
    draft, seat = view.state["draft"], view.arguments.get("seat", "二等座")
    train = next(
        one for one in data.trains(view.seed, draft["city"]) if one.number == view.arguments["number"]
    )
    head = Text(f"{train.leaves}  →  {train.arrives}", size=26, bold=True, align="center")
    about = Text(
        f"{train.number} · {_with_weekday(draft['date'])} · {HOME}—{draft['city']}",
        color=GREY,
        align="center",
    )
    rows = [
        radio_row(name, money(_train_fen(draft["city"], name)), on=name == seat, tap=change(seat=name))
        for name in CLASSES
    ]
    who = ListRow("乘客", trailing=view.state["passengers"][0])
    body = [Space(4), Card([head, about], margin=12), Heading("席别"), panel(*rows), Space(8), panel(who)]
    order = go(
        "pay",
        kind="train",
        name=draft["city"],
        date=draft["date"],
        time=train.leaves,
        detail=train.number,
        seat=seat,
    )
    footer = checkout.total_bar("合计", _train_fen(draft["city"], seat), Button(checkout.SUBMIT, order), 130)
    return AppPage(title="确认车票", body=body, footer=[footer])


def _passengers_page(view: PageView) -> AppPage:
    rows = [
        ListRow(name, "成人票 · 身份证", leading=Cover(name, room=40)) for name in view.state["passengers"]
    ]
    add = action_ref("add_passenger")
    field = RowLayout(
        [Field("name", data.PASSENGER, submit=add, enter="添加"), Button("添加", add)], [None, 84]
    )
    return AppPage(title="乘车人", body=[Space(6), panel(*rows)], footer=[field])


# ---- films


def _films_page(view: PageView) -> AppPage:
    cinemas = ListRow("影院列表", f"附近 {len(CINEMAS)} 家影院", trailing="›", tap=go("cinemas"))
    rows = [panel(_film_row(film)) for film in FILMS]
    return AppPage(
        header=HEADER, body=[panel(cinemas), Heading("正在热映"), *rows], gap=6, tabs=TABS("films")
    )


def _film_row(film: str) -> ListRow:
    kind, score, minutes, _ = FILMS[film]
    cover = Cover(film, glyph="film", room=64, radius=6)
    return ListRow(
        film,
        f"{kind} · {minutes}分钟 · {score}分",
        leading=cover,
        lead=48,
        trailing="›",
        bold=True,
        tap=visit("film", film=film),
    )


def _film_page(view: PageView) -> AppPage:
    film = view.arguments["film"]
    kind, score, minutes, plot = FILMS[film]
    facts = ColumnLayout(
        [
            Text(film, size=22, bold=True),
            Text(f"{kind} · {minutes}分钟", color=GREY),
            Space(8),
            Text(f"{score} 分", size=20, bold=True, color="#e8890c"),
        ],
        gap=2,
    )
    head = RowLayout([Cover(film, glyph="film", room=150), facts], [110, None], gap=14)
    want = heart(film in view.state["wanted"], action_ref("want", film=film), "想看", color=ACCENT)
    story = Card([Text(plot, size=16, lines=4)], margin=12)
    buy = Button("选座购票", go("shows", film=film))
    return AppPage(
        title="影片详情",
        actions=[want],
        body=[Space(6), Card([head], margin=12), Heading("剧情简介"), story],
        footer=[buy],
    )


def _shows_page(view: PageView) -> AppPage:
    film, day = view.arguments["film"], view.arguments.get("day", DAYS[0].isoformat())
    days = top_tabs({day_words(one): one.isoformat() for one in DAYS[:3]}, day, lambda one: change(day=one))
    cards = [
        Card(
            [
                Text(cinema, size=17, bold=True),
                Text(f"{money(data.FILM_FEN)}起", size=13, color=GREY),
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


def _seats_page(view: PageView) -> AppPage:
    film, cinema, day, time = (view.arguments[key] for key in ("film", "cinema", "day", "time"))
    chosen, taken = view.arguments.get("seat", ""), data.taken_seats(view.seed, film, cinema, day, time)
    cells: list[Widget] = []
    for row in range(1, data.ROWS + 1):
        for seat in range(1, data.SEATS + 1):
            name = seat_name(row, seat)
            color = "#c3c7cf" if name in taken else ACCENT if name == chosen else "#9fdbe2"
            tap = None if name in taken else change(seat=name)
            cells.append(Icon("seat", "已售" if name in taken else name, tap, size=22, color=color, room=40))
    screen = Card([Text("银幕方向", size=13, color=GREY, align="center")], color="#dfe3ea", pad=3, margin=60)
    words = Text(f"{_with_weekday(day)} {time} · {chosen or '请选择座位'}", color=GREY, align="center")
    order = go("pay", kind="film", name=film, date=day, time=time, detail=cinema, seat=chosen)
    submit = Button(checkout.SUBMIT, order, enabled=bool(chosen))
    footer = checkout.total_bar("合计", data.FILM_FEN if chosen else 0, submit, 130)
    body = [Space(6), screen, Space(10), GridLayout(cells, data.SEATS, gap=2, pad=16), Space(10), words]
    return AppPage(title=f"{film} · {cinema}", body=body, footer=[footer])


def _cinemas_page(view: PageView) -> AppPage:
    return AppPage(title="影院", body=[Space(6), *(panel(_cinema_row(cinema)) for cinema in CINEMAS)], gap=8)


def _cinema_row(cinema: str) -> ListRow:
    words = f"{money(data.FILM_FEN)}起 · 可改签 · 可停车"
    return ListRow(
        cinema, words, leading=Cover(cinema, room=44), trailing="›", tap=visit("cinema", cinema=cinema)
    )


def _cinema_page(view: PageView) -> AppPage:
    cinema = view.arguments["cinema"]
    save = heart(cinema in view.state["cinemas"], action_ref("save_cinema", cinema=cinema))
    rows = [panel(_film_row(film)) for film in FILMS]
    return AppPage(
        title=cinema,
        actions=[save],
        body=[Cover(cinema, room=110, radius=0), Heading("今日排片"), *rows],
        gap=6,
    )


# ---- search, orders


def _found(view: PageView, word: str) -> Sequence[Widget]:
    cities = [
        ListRow(
            city,
            f"{HOME}到{city}的火车票",
            leading=Icon("train", size=20, color=ACCENT, room=40),
            trailing="›",
            tap=action_ref("trains_to", city=city),
        )
        for city in CITIES
        if word in city
    ]
    return [
        *cities,
        *(_film_row(film) for film in FILMS if word in film),
        *(_cinema_row(cinema) for cinema in CINEMAS if word in cinema),
    ]


def _orders_page(view: PageView) -> AppPage:
    cards = []
    for order in view.state["orders"]:
        train = order["kind"] == "train"
        icon = Icon(
            "train" if train else "film",
            size=22,
            color="#ffffff",
            plate=ACCENT if train else "#8e5bd0",
            room=48,
        )
        words = f"{_day(order['date'])} {order['time']} · {order['detail']}"
        cards.append(
            panel(
                ListRow(
                    order["name"],
                    words,
                    leading=icon,
                    trailing="待使用›",
                    bold=True,
                    tap=go("order", order=order["id"]),
                )
            )
        )
    who = ListRow("乘车人", trailing="管理›", tap=go("passengers"))
    return AppPage(
        title="我的票",
        back=False,
        body=[panel(who), *(cards or empty("没有待使用的票"))],
        gap=8,
        tabs=TABS("orders"),
    )


def _order_page(view: PageView) -> AppPage:
    order = records.record(view.state["orders"], view.arguments["order"])
    train = order["kind"] == "train"
    rows = [
        ("日期", _with_weekday(order["date"])),
        ("时间", order["time"]),
        ("车次" if train else "影院", order["detail"]),
        ("座位", order["seat"]),
    ]
    name = f"{HOME} → {order['name']}" if train else order["name"]
    buttons: list[Widget] = [Button("退票", go("ask_refund", order=order["id"]), style="outline")]
    if train:
        buttons.append(Button("改签", go("dates", order=order["id"])))
    code = Card(
        [Text(name, size=20, bold=True, align="center"), SquareCode(f"{name}取票码", room=150)],
        margin=12,
        gap=10,
    )
    return AppPage(
        title="电子票",
        body=[Space(4), code, panel(*(ListRow(a, trailing=b) for a, b in rows))],
        gap=8,
        footer=[RowLayout(buttons)],
    )


def _ask_refund_dialog(view: PageView) -> Dialog:
    tap = action_ref("refund", order=view.arguments["order"])
    return dialogs.ask("退票", "确定退票", tap, message="票款原路退回，1 到 3 个工作日到账。", style="danger")


def _ask_change_dialog(view: PageView) -> Dialog:
    day = view.arguments["day"]
    tap = action_ref("change_date", order=view.arguments["order"], day=day)
    return dialogs.ask("改签", "确定改签", tap, message=f"改签到{_with_weekday(day)}同一车次。")


def _fen(order: Any) -> int:  # noqa: ANN401
    return _train_fen(order["name"], order["seat"]) if order["kind"] == "train" else data.FILM_FEN


def _pay_page(view: PageView) -> AppPage:
    return checkout.pay_page(
        view, fen=_fen(view.arguments), payee=f"{view.arguments['name']} · {view.arguments['detail']}"
    )


def _paid_page(view: PageView) -> AppPage:
    order = view.state["orders"][0]
    return checkout.paid_page(fen=_fen(order), payee=f"{order['name']} · {order['detail']}")


# ---- handlers of taps


def _city(context: HandlerContext, city: str) -> None:
    context.state["draft"]["city"] = city
    context.back()


def _date(context: HandlerContext, order: int, day: str) -> None:
    if order:
        context.go("ask_change", order=order, day=day)
    else:
        context.state["draft"]["date"] = day
        context.back()


def _trains_to(context: HandlerContext, city: str) -> None:
    context.unfocus()
    context.state["draft"]["city"] = city
    context.go("trains")


def _add_passenger(context: HandlerContext) -> None:
    if name := context.field("name").strip():
        context.fill("name", "")
        likes.put(context, "passengers", "passenger_added", name=name)
    else:
        context.toast("请输入姓名")


def _refund(context: HandlerContext, order: int) -> None:
    context.fact("refunded", name=records.record(context.state["orders"], order)["name"])
    records.drop(context.state, "orders", order)
    context.root("orders")
    context.toast("已退票")


def _change_date(context: HandlerContext, order: int, day: str) -> None:
    found = records.record(context.state["orders"], order)
    found["date"] = day
    context.fact("train_changed", name=found["name"], date=day)
    context.root("orders")
    context.go("order", order=order)
    context.toast("改签成功")


def _pay(context: HandlerContext) -> None:
    order = {key: context.arguments[key] for key in ("kind", "name", "date", "time", "detail", "seat")}
    context.fact("ticket_bought", **order)
    checkout.place_order(context, **order)


def _done(context: HandlerContext) -> None:
    context.root("orders")


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: trains, films, cinemas, passengers, changes and refunds."""
    city, film = voice.named_in(phrase, list(CITIES)), voice.named_in(phrase, list(FILMS))
    cinema, day = voice.named_in(phrase, CINEMAS), parse_event(phrase, context.now.date()).day
    order = next((one for one in context.state["orders"] if one["name"] in (city, film)), None)
    passenger = re.search("乘车人(?:加上|添加|加)?(.+)", phrase)
    if passenger:
        likes.put(context, "passengers", "passenger_added", name=passenger[1])
    elif order and "退" in phrase:
        context.go("ask_refund", order=order["id"])
    elif order and day and "改签" in phrase:
        context.go("ask_change", order=order["id"], day=day.isoformat())
    elif city:
        if day in DAYS:
            context.state["draft"]["date"] = day.isoformat()
        _trains_to(context, city)
    elif film and "想看" in phrase:
        likes.put(context, "wanted", "film_wanted", film=film)
    elif film:
        context.go("shows" if "票" in phrase else "film", film=film)
    elif cinema and "收藏" in phrase:
        likes.put(context, "cinemas", "cinema_saved", cinema=cinema)
    elif cinema:
        context.go("cinema", cinema=cinema)
    else:
        return False
    return True


TICKETS = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Tickets",
    glyph="ticket",
    color=ACCENT,
    initial=data.initial,
    pages={
        **tables.pages(_home_page, _cities_page, _dates_page, _trains_page, _train_page, _passengers_page),
        **tables.pages(_films_page, _film_page, _shows_page, _seats_page, _cinemas_page, _cinema_page),
        **tables.pages(
            _orders_page, _order_page, _ask_refund_dialog, _ask_change_dialog, _pay_page, _paid_page
        ),
        "search": search_page(data.SEARCH, _found, empty("没有找到")),
        "voice": voice.page("4月20日去上海的火车票", "想看星际快递员"),
    },
    handlers={
        **tables.handlers(_city, _date, _trains_to, _add_passenger, _refund, _change_date, _pay, _done),
        "want": likes.flipping("wanted", "film", "film_wanted", on="已标记想看", off="已取消想看"),
        "save_cinema": likes.flipping("cinemas", "cinema", "cinema_saved"),
        "tab": tab_over("home"),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text="搜车票影票", glyph="search", tap=OPEN_SEARCH),
        Shortcut(text="我的票", glyph="ticket", tap=tab("orders")),
    ),
    goals=GOALS,
    hours=(10, 14, 20, 21),
)
