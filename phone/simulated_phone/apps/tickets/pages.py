"""The ticket app: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import Chips, Cover, Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Dialog
from simulated_phone.screens.theme import GREY, PAPER, PURPLE, WHITE

from ... import voice
from ...builders import checkout, dialogs, forms, likes, records, tables, wheels
from ...builders.checkout import money
from ...builders.codes import SquareCode
from ...builders.list_parts import empty, facts, panel, radio_row
from ...builders.search import OPEN_SEARCH, search_page
from ...builders.tabs import tab_over
from ...builders.taps import change, go, tab
from ..calendar.data import day_words, parse_event
from . import data, films
from .data import ACCENT, CINEMAS, CITIES, CLASSES, DAYS, FILMS, HOME
from .films import HEADER, TABS, add_weekday, build_cinema_row, build_film_row, day_of
from .goals import GOALS

_ = messages(__name__)

# ---- trains


def _build_home_page(view: PageView) -> AppPage:
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
        ListRow(_("目的地"), trailing=f"{draft['city']}›", tap=go("cities")),
        ListRow(_("出发日期"), trailing=f"{add_weekday(draft['date'])}›", tap=go("dates", order=0)),
        ListRow(_("乘车人"), trailing=_("、").join(view.state["passengers"][:3]) + "›", tap=go("passengers")),
    ]
    query = RowLayout([Button(_("查询车票"), go("trains"))], pad=14)
    hot = Chips(
        [(f"{HOME} → {city}", action_ref("trains_to", city=city), False) for city in list(CITIES)[:6]]
    )
    body = [Space(2), Card([ends, *rows, query], pad=10, margin=12), Heading(_("热门线路")), hot]
    return AppPage(header=HEADER, body=body, gap=6, tabs=TABS("home"))


def _build_cities_page(view: PageView) -> AppPage:
    chips = Chips(
        [(city, action_ref("city", city=city), city == view.state["draft"]["city"]) for city in CITIES]
    )
    return AppPage(title=_("选择目的地"), body=[Heading(_("热门城市")), chips])


def _build_dates_page(view: PageView) -> AppPage:
    """The days of sale; for the draft (`order` 0), or to change an order."""
    picker = wheels.build_date_picker(wheels.chosen_date(view, _day_now(view.state, view.arguments["order"])))
    sold = _("{first} 至 {last} 的车票在售").format(first=day_words(DAYS[0]), last=day_words(DAYS[-1]))
    body = [Space(8), Text(sold, color=GREY, align="center"), Space(8), picker]
    confirm = Button(_("确定"), action_ref("date", order=view.arguments["order"]))
    return AppPage(title=_("选择日期"), body=body, pad=12, footer=[confirm], background=PAPER)


def _day_now(state: Any, order: int) -> date:  # noqa: ANN401 - JSON
    """The day of an order, or that of the draft (`order` 0)."""
    return date.fromisoformat((records.record(state["orders"], order) if order else state["draft"])["date"])


def _build_trains_page(view: PageView) -> AppPage:
    draft = view.state["draft"]
    rows = [
        ListRow(
            f"{train.leaves} — {train.arrives}",
            train.number,
            trailing=_("{money}起›").format(money=money(_train_fen(draft["city"], _("二等座")))),
            bold=True,
            size=18,
            tap=go("train", number=train.number),
        )
        for train in data.trains(view.seed, draft["city"])
    ]
    day = ListRow(_("出发日期"), trailing=f"{add_weekday(draft['date'])}›", tap=go("dates", order=0))
    body = [Space(4), panel(day), *(panel(row) for row in rows)]
    return AppPage(title=f"{HOME} → {draft['city']}", body=body, gap=8)


def _train_fen(city: str, seat: str) -> int:
    return CITIES[city] * CLASSES[seat]


def _build_train_page(view: PageView) -> AppPage:
    draft, seat = view.state["draft"], view.arguments.get("seat", _("二等座"))
    train = next(
        one for one in data.trains(view.seed, draft["city"]) if one.number == view.arguments["number"]
    )
    head = Text(f"{train.leaves}  →  {train.arrives}", size=26, bold=True, align="center")
    about = Text(
        f"{train.number} · {add_weekday(draft['date'])} · {HOME}—{draft['city']}", color=GREY, align="center"
    )
    rows = [
        radio_row(name, money(_train_fen(draft["city"], name)), on=name == seat, tap=change(seat=name))
        for name in CLASSES
    ]
    who = ListRow(_("乘客"), trailing=view.state["passengers"][0])
    body = [Space(4), Card([head, about], margin=12), Heading(_("席别")), panel(*rows), Space(8), panel(who)]
    order = go(
        "pay",
        kind="train",
        name=draft["city"],
        date=draft["date"],
        time=train.leaves,
        detail=train.number,
        seat=seat,
    )
    footer = checkout.total_bar(
        _("合计"), _train_fen(draft["city"], seat), Button(checkout.SUBMIT, order), 130
    )
    return AppPage(title=_("确认车票"), body=body, footer=[footer])


def _build_passengers_page(view: PageView) -> AppPage:
    rows = [
        ListRow(name, _("成人票 · 身份证"), leading=Cover(name, room=40, subject="face"))
        for name in view.state["passengers"]
    ]
    add = action_ref("add_passenger")
    field = RowLayout(
        [Field("name", data.PASSENGER, submit=add, enter=_("添加")), Button(_("添加"), add)], [None, 84]
    )
    return AppPage(title=_("乘车人"), body=[Space(6), panel(*rows)], footer=[field])


# ---- search, orders


def _find(view: PageView, word: str) -> Sequence[Widget]:
    cities = [
        ListRow(
            city,
            _("{home}到{city}的火车票").format(home=HOME, city=city),
            leading=Icon("train", size=20, color=ACCENT, room=40),
            trailing="›",
            tap=action_ref("trains_to", city=city),
        )
        for city in CITIES
        if word in city
    ]
    return [
        *cities,
        *(build_film_row(film) for film in FILMS if word in film),
        *(build_cinema_row(cinema) for cinema in CINEMAS if word in cinema),
    ]


def _build_orders_page(view: PageView) -> AppPage:
    cards = []
    for order in view.state["orders"]:
        train = order["kind"] == "train"
        icon = Icon(
            "train" if train else "film", size=22, color=WHITE, plate=ACCENT if train else PURPLE, room=48
        )
        words = f"{day_of(order['date'])} {order['time']} · {order['detail']}"
        cards.append(
            panel(
                ListRow(
                    order["name"],
                    words,
                    leading=icon,
                    trailing=_("待使用›"),
                    bold=True,
                    tap=go("order", order=order["id"]),
                )
            )
        )
    who = ListRow(_("乘车人"), trailing=_("管理›"), tap=go("passengers"))
    return AppPage(
        title=_("我的票"),
        back=False,
        body=[panel(who), *(cards or empty(_("没有待使用的票")))],
        gap=8,
        tabs=TABS("orders"),
    )


def _build_order_page(view: PageView) -> AppPage:
    order = records.record(view.state["orders"], view.arguments["order"])
    train = order["kind"] == "train"
    rows = [
        (_("日期"), add_weekday(order["date"])),
        (_("时间"), order["time"]),
        (_("车次") if train else _("影院"), order["detail"]),
        (_("座位"), order["seat"]),
    ]
    name = f"{HOME} → {order['name']}" if train else order["name"]
    buttons: list[Widget] = [Button(_("退票"), go("ask_refund", order=order["id"]), style="outline")]
    if train:
        buttons.append(Button(_("改签"), go("dates", order=order["id"])))
    code = Card(
        [
            Text(name, size=20, bold=True, align="center"),
            SquareCode(_("{name}取票码").format(name=name), room=150),
        ],
        margin=12,
        gap=10,
    )
    return AppPage(title=_("电子票"), body=[Space(4), code, facts(*rows)], gap=8, footer=[RowLayout(buttons)])


def _build_ask_refund_dialog(view: PageView) -> Dialog:
    tap = action_ref("refund", order=view.arguments["order"])
    return dialogs.ask(
        _("退票"), _("确定退票"), tap, message=_("票款原路退回，1 到 3 个工作日到账。"), style="danger"
    )


def _build_ask_change_dialog(view: PageView) -> Dialog:
    day = view.arguments["day"]
    tap = action_ref("change_date", order=view.arguments["order"], day=day)
    return dialogs.ask(
        _("改签"),
        _("确定改签"),
        tap,
        message=_("改签到{with_weekday}同一车次。").format(with_weekday=add_weekday(day)),
    )


def _fen(order: Any) -> int:  # noqa: ANN401
    return _train_fen(order["name"], order["seat"]) if order["kind"] == "train" else data.FILM_FEN


def _build_pay_page(view: PageView) -> AppPage:
    return checkout.build_pay_page(
        view, fen=_fen(view.arguments), payee=f"{view.arguments['name']} · {view.arguments['detail']}"
    )


def _build_paid_page(view: PageView) -> AppPage:
    order = view.state["orders"][0]
    return checkout.build_paid_page(fen=_fen(order), payee=f"{order['name']} · {order['detail']}")


# ---- handlers of taps

_tab = tab_over("home")


def _city(context: HandlerContext, city: str) -> None:
    context.state["draft"]["city"] = city
    context.back()


def _date(context: HandlerContext, order: int) -> None:
    wanted = wheels.picked_date(context, _day_now(context.state, order))
    day = next((day for day in DAYS if (day.month, day.day) == (wanted["month"], wanted["day"])), None)
    if day is None:
        context.toast(_("这一天的车票不在售"))
    elif order:
        context.go("ask_change", order=order, day=day.isoformat())
    else:
        context.state["draft"]["date"] = day.isoformat()
        context.back()


def _trains_to(context: HandlerContext, city: str) -> None:
    context.unfocus()
    context.state["draft"]["city"] = city
    context.go("trains")


def _add_passenger(context: HandlerContext) -> None:
    if name := forms.read_typed(context, "name", _("请输入姓名")):
        context.fill("name", "")
        likes.put(context, "passengers", "passenger_added", name=name)


def _refund(context: HandlerContext, order: int) -> None:
    context.fact("refunded", name=records.record(context.state["orders"], order)["name"])
    records.drop(context.state, "orders", order)
    _tab(context, "orders")
    context.toast(_("已退票"))


def _change_date(context: HandlerContext, order: int, day: str) -> None:
    found = records.record(context.state["orders"], order)
    found["date"] = day
    context.fact("train_changed", name=found["name"], date=day)
    _tab(context, "orders")
    context.go("order", order=order)
    context.toast(_("改签成功"))


def _pay(context: HandlerContext) -> None:
    order = {key: context.arguments[key] for key in ("kind", "name", "date", "time", "detail", "seat")}
    context.fact("ticket_bought", **order)
    checkout.place_order(context, **order)


def _done(context: HandlerContext) -> None:
    _tab(context, "orders")


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: trains, films, cinemas, passengers, changes and refunds."""
    city, film = voice.find_name(phrase, list(CITIES)), voice.find_name(phrase, list(FILMS))
    cinema, day = voice.find_name(phrase, CINEMAS), parse_event(phrase, context.now.date()).day
    order = next((one for one in context.state["orders"] if one["name"] in (city, film)), None)
    passenger = re.search(_("乘车人(?:加上|添加|加)?(.+)"), phrase)
    if passenger:
        likes.put(context, "passengers", "passenger_added", name=passenger[1])
    elif order and voice.says(phrase, _("退", "said")):
        context.go("ask_refund", order=order["id"])
    elif order and day and voice.says(phrase, _("改签", "said")):
        context.go("ask_change", order=order["id"], day=day.isoformat())
    elif city:
        if day in DAYS:
            context.state["draft"]["date"] = day.isoformat()
        _trains_to(context, city)
    elif film and voice.says(phrase, _("想看", "said")):
        likes.put(context, "wanted", "film_wanted", film=film)
    elif film:
        context.go("shows" if voice.says(phrase, _("票", "said")) else "film", film=film)
    elif cinema and voice.says(phrase, _("收藏", "said")):
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
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **films.PAGES,
        "search": search_page(data.SEARCH, _find, empty(_("没有找到"))),
        "voice": voice.page(_("4月20日去上海的火车票"), _("想看星际快递员")),
    },
    handlers={
        **tables.handlers(_city, _date, _trains_to, _add_passenger, _refund, _change_date, _pay, _done),
        "want": likes.flipping("wanted", "film", "film_wanted", on=_("已标记想看"), off=_("已取消想看")),
        "save_cinema": likes.flipping("cinemas", "cinema", "cinema_saved"),
        "tab": _tab,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("搜车票影票"), glyph="search", tap=OPEN_SEARCH),
        Shortcut(text=_("我的票"), glyph="ticket", tap=tab("orders")),
    ),
    goals=GOALS,
    hours=(10, 14, 20, 21),
    seen=("draft",),
)
