"""The ticket app's goals: trains, films, changes, refunds; some with calendar and chat."""

from __future__ import annotations

from typing import Any

from simulated_phone.goals.app_definition import Arguments, States, generator
from simulated_phone.goals.steps import SetWheel, Tap, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, by_ways, goal, in_turn
from ...builders.records import record
from ...builders.wheels import DAY, MONTH
from ..calendar.goals import ADD_EVENT, SEE_EVENT, day_arguments, has_event, own_events
from ..chat.goals import MESSAGE_WAYS, has_sent, people
from . import data
from .data import CITIES, DAYS, LABEL, PACKAGE, SEARCH, make_state, trains

_ = messages(__name__)

TICKETS = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


def _order(seed: int, kind: str) -> dict[str, Any]:
    return next(order for order in TICKETS.fresh(seed)["orders"] if order["kind"] == kind)


def _list_train_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:trains", seed)
    return [
        {
            "city": city,
            "train": rng.choice(trains(seed, city)).number,
            **day_arguments(rng.choice(DAYS[:30])),
        }
        for city in CITIES
        for _unused in range(3)
    ]


def _list_first_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:first", seed)
    days = {city: rng.choice(DAYS[:30]) for city in CITIES}
    return [
        {"city": city, "train": trains(seed, city)[0].number, "seat": seat, **day_arguments(days[city])}
        for city in CITIES
        for seat in (_("一等座"), _("商务座"))
    ]


def _list_film_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:films", seed)
    cases: list[Arguments] = []
    for film in data.FILMS:
        for cinema in rng.sample(data.CINEMAS, 3):
            day = rng.choice(DAYS[:3])
            time = rng.choice(data.show_times(seed, film, cinema, day.isoformat()))
            taken = data.draw_taken_seats(seed, film, cinema, day.isoformat(), time)
            every = [
                data.seat_name(row, seat)
                for row in range(1, data.ROWS + 1)
                for seat in range(1, data.SEATS + 1)
            ]
            seat = rng.choice([name for name in every if name not in taken])
            cases.append({"film": film, "cinema": cinema, "time": time, "seat": seat, **day_arguments(day)})
    return cases


def _list_changed_cases(seed: int) -> list[Arguments]:
    order = _order(seed, "train")
    days = [day for day in DAYS[:30] if day.isoformat() != order["date"]]
    return [{"city": order["name"], **day_arguments(day)} for day in days]


def _list_held_cases(seed: int) -> list[Arguments]:
    return [{"name": order["name"]} for order in TICKETS.fresh(seed)["orders"]]


def _list_event_cases(seed: int) -> list[Arguments]:
    rng, fresh = generator(f"{PACKAGE}:events", seed), {PACKAGE: TICKETS.fresh(seed)}
    cases: list[Arguments] = [
        {"title": event["title"], "city": city, "train": trains(seed, city)[0].number}
        | day_arguments(event["day"])
        for event in own_events(seed)
        for city in rng.sample(sorted(CITIES), 3)
    ]
    return [case for case in cases if not _has_any_train(fresh, case)]


def _list_shown_cases(seed: int) -> list[Arguments]:
    order = _order(seed, "film")
    day, hour = day_arguments(order["date"]), int(order["time"][:2])
    return [{"name": order["name"], "title": order["name"], "hour": hour, **day}]


def _list_told_cases(seed: int) -> list[Arguments]:
    order = _order(seed, "train")
    text = _("车次{detail}，{time}发车").format(detail=order["detail"], time=order["time"])
    return [
        {"name": order["name"], "contact": contact, "text": text, "train": order["detail"]}
        for contact in people(seed)
    ]


def _has_train(states: States, arguments: Arguments) -> bool:
    """Whether there is a ticket to the city on the date, in this train and class if the case names them."""
    wanted = {"kind": "train", "name": arguments["city"], "date": arguments["date"]}
    named = {"train": "detail", "seat": "seat"}
    wanted |= {key: arguments[name] for name, key in named.items() if name in arguments}
    return any(wanted.items() <= order.items() for order in states[PACKAGE]["orders"])


def _has_any_train(states: States, arguments: Arguments) -> bool:
    return _has_train(states, {key: arguments[key] for key in ("city", "date")})


def _has_film(states: States, arguments: Arguments) -> bool:
    wanted = (arguments["film"], arguments["cinema"], arguments["date"], arguments["time"], arguments["seat"])
    return any(
        (order["name"], order["detail"], order["date"], order["time"], order["seat"]) == wanted
        for order in states[PACKAGE]["orders"]
    )


_PAY = (_("提交订单"), _("确认付款"))
_PICK_DAY = (SetWheel(MONTH, "{month}"), SetWheel(DAY, "{number}"), _("确定"))
_TRAINS = (
    TICKETS.way("form", _("目的地"), "{city}", _("出发日期"), *_PICK_DAY, _("查询车票")),
    TICKETS.search("{city}", _("出发日期"), *_PICK_DAY),
    TICKETS.voice(_("{day}去{city}的火车票")),
    TICKETS.shortcut(_("搜车票影票"), TypeText("{city}", into=SEARCH), "{city}", _("出发日期"), *_PICK_DAY),
)
_FILM = (
    TICKETS.way("browse", _("电影演出"), "{film}"),
    TICKETS.search("{film}"),
    TICKETS.shortcut(_("搜车票影票"), TypeText("{film}", into=SEARCH), "{film}"),
)
_CINEMA = (
    TICKETS.way("browse", _("电影演出"), _("影院列表"), "{cinema}"),
    TICKETS.search("{cinema}"),
)
_HELD = (TICKETS.way("list", _("我的票"), "{name}"), TICKETS.shortcut(_("我的票"), "{name}"))

GOALS = (
    goal(
        "buy_train",
        _("买{day}去{city}的{train}次火车票"),
        _("订一张{train}，{day}到{city}"),
        _("{day}坐{train}去{city}，帮我买票"),
        _("{city}，{day}，{train}次，买一张车票"),
        *by_ways(_TRAINS, "{train}", *_PAY),
        cases=_list_train_cases,
        rule=_has_train,
    ),
    goal(
        "first_train",
        _("买{day}去{city}最早一班的{seat}"),
        _("{day}最早去{city}的火车，{seat}一张"),
        _("订{day}头一班到{city}的火车，坐{seat}"),
        _("{day}第一趟去{city}的车，要{seat}"),
        *by_ways(_TRAINS[:3], "{train}", "{seat}", *_PAY),
        cases=_list_first_cases,
        rule=_has_train,
    ),
    goal(
        "buy_film",
        _("买{day}{time}在{cinema}看{film}的票，{seat}"),
        _("{film}，{cinema}{day}{time}那场，{seat}，买一张"),
        _("订{cinema}{day}{time}的{film}，坐{seat}"),
        _("{day}{time}去{cinema}看{film}，选{seat}"),
        *by_ways(_FILM, _("选座购票"), "{day}", Tap("{time}", within="{cinema}"), "{seat}", *_PAY),
        TICKETS.voice(_("买{film}的票"), "{day}", Tap("{time}", within="{cinema}"), "{seat}", *_PAY),
        cases=_list_film_cases,
        rule=_has_film,
    ),
    goal(
        "want_film",
        _("把{film}标成想看"),
        _("{film}想看，先标记上"),
        _("想看电影{film}，加到想看"),
        _("{film}加进想看的片单"),
        *by_ways(_FILM, _("想看")),
        TICKETS.voice(_("想看{film}")),
        **TICKETS.added("wanted", "film", [{"film": film} for film in data.FILMS]),
    ),
    goal(
        "save_cinema",
        _("收藏电影院{cinema}"),
        _("把{cinema}加到常去影院"),
        _("关注影院{cinema}"),
        _("{cinema}设成常去的影院"),
        *by_ways(_CINEMA, _("收藏")),
        TICKETS.voice(_("收藏{cinema}")),
        **TICKETS.added("cinemas", "cinema", [{"cinema": cinema} for cinema in data.CINEMAS]),
    ),
    goal(
        "refund",
        _("把{name}的票退了"),
        _("退掉{name}的票"),
        _("{name}去不成了，退票"),
        _("{name}那张票退掉"),
        *by_ways(_HELD, _("退票"), _("确定退票")),
        TICKETS.voice(_("退{name}的票"), _("确定退票")),
        cases=_list_held_cases,
        rule=TICKETS.gone("orders", "name", "name"),
    ),
    goal(
        "change_train",
        _("去{city}的火车票改签到{day}"),
        _("把{city}的车票改到{day}"),
        _("{city}那趟火车改签，{day}走"),
        _("改签去{city}的票，换成{day}"),
        TICKETS.way("list", _("我的票"), "{city}", _("改签"), *_PICK_DAY, _("确定改签")),
        TICKETS.shortcut(_("我的票"), "{city}", _("改签"), *_PICK_DAY, _("确定改签")),
        TICKETS.voice(_("去{city}的票改签到{day}"), _("确定改签")),
        cases=_list_changed_cases,
        rule=_has_any_train,
    ),
    goal(
        "add_passenger",
        _("添加乘车人{name}"),
        _("火车票的常用乘车人加上{name}"),
        _("乘车人里加一个{name}"),
        _("给{name}买票用，先加成乘车人"),
        TICKETS.way("mine", _("我的票"), _("乘车人"), TypeText("{name}", into=data.PASSENGER), _("添加")),
        TICKETS.way("form", _("乘车人"), TypeText("{name}", into=data.PASSENGER), _("添加")),
        TICKETS.voice(_("乘车人加上{name}")),
        **TICKETS.added("passengers", "name", lambda seed: [{"name": name} for name in people(seed)]),
    ),
    goal(
        "train_for_event",
        _("{title}要去{city}，买那天的火车票"),
        _("日历里{title}是哪天，订那天去{city}的火车票"),
        _("按日程上{title}的日期买去{city}的车票"),
        _("{title}那天坐火车去{city}，日期看日历，帮我订票"),
        *by_ways(in_turn(SEE_EVENT, _TRAINS[:2]), "{train}", *_PAY),
        cases=_list_event_cases,
        rule=_has_any_train,
    ),
    goal(
        "film_into_calendar",
        _("把我买的{name}的观影时间记到日历"),
        _("{name}的电影票是几点的，加进日历"),
        _("日历上记一下我买的{name}是哪天几点"),
        _("按电影票把{name}写进日程"),
        *in_turn(_HELD, ADD_EVENT[:2]),
        cases=_list_shown_cases,
        rule=lambda states, arguments: has_event(
            states, title=arguments["title"], day=arguments["date"], hour=arguments["hour"]
        ),
    ),
    goal(
        "tell_train",
        _("把我去{name}的车次发给{contact}"),
        _("聊天告诉{contact}我坐哪趟车去{name}"),
        _("跟{contact}说我去{name}的车次和发车时间"),
        _("我的火车票去{name}，车次发给{contact}看看"),
        *in_turn(_HELD, MESSAGE_WAYS[:2]),
        cases=_list_told_cases,
        rule=lambda states, arguments: has_sent(states, arguments["contact"], str(arguments["train"])),
    ),
    goal(
        "ask_departure",
        _("我去{name}的火车几点开"),
        _("看看我那张去{name}的火车票是几点的"),
        _("我的车票，去{name}的，几点发车"),
        _("去{name}那趟车我买的是几点的"),
        *_HELD,
        TICKETS.way("glance", _("我的票")),
        cases=lambda seed: [{"name": _order(seed, "train")["name"]}],
        question=asks("time", lambda view: record(view.state["orders"], "train", "kind")["time"]),
    ),
    goal(
        "ask_first_train",
        _("{day}去{city}最早的火车几点"),
        _("查一下{day}到{city}的头班车是几点"),
        _("{day}最早一趟去{city}的车几点开"),
        _("{city}，{day}，第一班火车几点发车"),
        *_TRAINS,
        cases=lambda seed: [
            {key: case[key] for key in case if key not in ("train", "seat")}
            for case in _list_first_cases(seed)[::2]
        ],
        question=asks("time", lambda view: trains(view.seed, view.arguments["city"])[0].leaves),
    ),
)
