"""The ride app's goals: call and book cars, trips, places; some with chat and the clock."""

from __future__ import annotations

from typing import Any

from simulated_phone.goals.app_definition import Arguments, States, generator
from simulated_phone.goals.steps import SetWheel, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, by_ways, goal, in_turn
from ...builders.wheels import HOUR
from ..chat.data import PLACE_ASKED
from ..chat.goals import MESSAGE_WAYS, READ_CHAT, has_sent, people, requests
from ..clock.goals import NEW_ALARM, has_alarm
from ..maps.data import HOMES, OFFICES
from . import data
from .data import DESTINATIONS, LABEL, PACKAGE, SEARCH, fare, make_state

_ = messages(__name__)

RIDE = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)
_WHERE = {_("家"): HOMES, _("公司"): OFFICES}


def _list_place_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:places", seed)
    return [
        {
            "place": place,
            "kind": DESTINATIONS[place],
            "car": rng.choice(list(data.CARS)[1:]),
            "hour": rng.choice(data.HOURS),
        }
        for place in rng.sample(sorted(DESTINATIONS), 24)
    ]


def _list_trip_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:trips", seed)
    return [{"place": trip["place"], "stars": rng.choice(data.STARS)} for trip in RIDE.fresh(seed)["trips"]]


def _list_booking_cases(seed: int) -> list[Arguments]:
    return [
        {"place": one["place"], "hour": one["hour"], "minute": one["minute"], "time": data.booking_time(one)}
        for one in RIDE.fresh(seed)["bookings"]
    ]


def _list_told_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:told", seed)
    return [
        {**case, "contact": contact, "text": _("车约在{time}").format(time=case["time"])}
        for case in _list_booking_cases(seed)
        for contact in rng.sample(people(seed), 6)
    ]


def _list_own_cases(seed: int) -> list[Arguments]:
    fresh = RIDE.fresh(seed)
    return [
        {"where": where, "button": data.build_own_button(where), "place": data.own_place(fresh, seed, where)}
        for where in _WHERE
    ]


def _list_new_place_cases(seed: int) -> list[Arguments]:
    own = {case["place"] for case in _list_own_cases(seed)}
    return [
        {"where": where, "place": place}
        for where, kind in _WHERE.items()
        for place in DESTINATIONS
        if DESTINATIONS[place] == kind and place not in own
    ]


def _rides(states: States, arguments: Arguments, *, car: object = None) -> bool:
    ride: dict[str, Any] | None = states[PACKAGE]["ride"]
    return ride is not None and ride["place"] == arguments["place"] and ride["car"] == (car or ride["car"])


def _is_booked(states: States, arguments: Arguments) -> bool:
    wanted = {"place": arguments["place"], "hour": arguments["hour"], "minute": 0}
    return any(wanted.items() <= one.items() for one in states[PACKAGE]["bookings"])


_TO = (
    RIDE.search("{place}"),
    RIDE.way("category", SEARCH, "{kind}", "{place}"),
    RIDE.shortcut(_("输入目的地"), TypeText("{place}", into=SEARCH), "{place}"),
)
_TRIP = (RIDE.way("list", _("行程"), "{place}"), RIDE.shortcut(_("我的行程"), "{place}"))
_CALL = _("确认呼叫")

GOALS = (
    goal(
        "call_ride",
        _("打车去{place}"),
        _("叫个车去{place}"),
        _("帮我叫辆车，到{place}"),
        _("打个车，目的地{place}"),
        *by_ways(_TO, _CALL),
        RIDE.voice(_("去{place}"), _CALL),
        cases=_list_place_cases,
        rule=_rides,
    ),
    goal(
        "call_car",
        _("叫一辆{car}去{place}"),
        _("打{car}到{place}"),
        _("要一辆{car}，去{place}"),
        _("叫{car}，送我去{place}"),
        *by_ways(_TO, "{car}", _CALL),
        RIDE.voice(_("叫{car}去{place}"), _CALL),
        cases=_list_place_cases,
        rule=lambda states, arguments: _rides(states, arguments, car=arguments["car"]),
    ),
    goal(
        "ride_to_own_place",
        _("打车回{where}"),
        _("叫个车回{where}"),
        _("叫辆车送我回{where}"),
        _("打车，回{where}"),
        RIDE.way("button", "{button}", _CALL),
        RIDE.way("search", SEARCH, "{button}", _CALL),
        RIDE.shortcut(_("输入目的地"), "{button}", _CALL),
        RIDE.voice(_("回{where}"), _CALL),
        cases=_list_own_cases,
        rule=_rides,
    ),
    goal(
        "book_ride",
        _("约一辆{hour}点去{place}的车"),
        _("预约{hour}点打车去{place}"),
        _("{hour}点要用车，去{place}，先预约上"),
        _("约车，{hour}点，去{place}"),
        *by_ways(_TO, _("预约用车"), SetWheel(HOUR, "{hour}"), _("确认预约")),
        RIDE.voice(_("预约{hour}点去{place}"), _("确认预约")),
        cases=_list_place_cases,
        rule=_is_booked,
    ),
    goal(
        "cancel_booking",
        _("取消去{place}的预约用车"),
        _("去{place}的车不约了"),
        _("约好去{place}的那辆车取消掉"),
        _("不用车去{place}了，取消预约"),
        *by_ways(_TRIP, _("取消预约"), _("确定取消")),
        RIDE.voice(_("取消去{place}的预约")),
        cases=_list_booking_cases,
        rule=lambda states, arguments: (
            arguments["place"] not in [one["place"] for one in states[PACKAGE]["bookings"]]
        ),
    ),
    goal(
        "set_own_place",
        _("打车软件里{where}的地址改成{place}"),
        _("打车的{where}地址换成{place}"),
        _("打车时{where}设为{place}"),
        _("叫车用的{where}改到{place}"),
        RIDE.way("mine", _("我的"), _("{where}的地址"), TypeText("{place}", into=SEARCH), "{place}"),
        RIDE.way("list", _("我的"), _("{where}的地址"), "{place}"),
        RIDE.voice(_("{where}的地址改成{place}")),
        cases=_list_new_place_cases,
        rule=lambda states, arguments: bool(
            states[PACKAGE]["places"].get(arguments["where"]) == arguments["place"]
        ),
    ),
    goal(
        "rate_trip",
        _("给去{place}那趟车打{stars}星"),
        _("评价去{place}的行程，{stars}星"),
        _("去{place}的司机给{stars}颗星"),
        _("打车去{place}那次打分{stars}星"),
        *by_ways(_TRIP, _("{stars}星")),
        RIDE.voice(_("去{place}的行程评{stars}星")),
        cases=_list_trip_cases,
        rule=lambda states, arguments: any(
            (trip["place"], trip["stars"]) == (arguments["place"], arguments["stars"])
            for trip in states[PACKAGE]["trips"]
        ),
    ),
    goal(
        "trip_invoice",
        _("去{place}的车费开张发票"),
        _("给去{place}那趟行程开发票"),
        _("打车去{place}的发票开一下"),
        _("要去{place}那次打车的电子发票"),
        *by_ways(_TRIP, _("开发票"), _("确认开票")),
        RIDE.way("mine", _("我的"), _("电子发票"), "{place}", _("确认开票")),
        RIDE.voice(_("去{place}的行程开发票"), _("确认开票")),
        **RIDE.added("invoices", "place", _list_trip_cases),
    ),
    goal(
        "emergency_contact",
        _("打车的紧急联系人加上{contact}"),
        _("把{contact}设成打车紧急联系人"),
        _("叫车软件里添加紧急联系人{contact}"),
        _("打车出事要通知{contact}，加到紧急联系人"),
        RIDE.way("safety", _("安全中心"), _("添加紧急联系人"), "{contact}"),
        RIDE.way("mine", _("我的"), _("紧急联系人"), _("添加紧急联系人"), "{contact}"),
        RIDE.voice(_("紧急联系人加上{contact}")),
        **RIDE.added("emergency", "contact", lambda seed: [{"contact": name} for name in people(seed)]),
    ),
    goal(
        "ride_to_friend",
        _("{contact}在聊天里说了在哪等我，打车过去"),
        _("打车去{contact}发给我的地方"),
        _("看看{contact}聊天里说的地点，叫辆车过去"),
        _("{contact}让我打车过去找人，叫车到聊天里那个地方"),
        *by_ways(in_turn(READ_CHAT, _TO[:2]), _CALL),
        cases=lambda seed: [
            {"contact": name, "place": place, "kind": DESTINATIONS[place]}
            for name, place in requests(seed, PLACE_ASKED)
        ],
        rule=_rides,
    ),
    goal(
        "tell_booking",
        _("我约了去{place}的车，告诉{contact}是几点的"),
        _("把去{place}的用车时间发给{contact}"),
        _("跟{contact}说一下我几点坐车去{place}，时间看打车预约"),
        _("聊天告诉{contact}去{place}的车约在几点"),
        *in_turn(_TRIP, MESSAGE_WAYS[:2]),
        cases=_list_told_cases,
        rule=lambda states, arguments: has_sent(states, arguments["contact"], str(arguments["time"])),
    ),
    goal(
        "wake_for_booking",
        _("按去{place}的预约用车时间定个闹钟"),
        _("约好的车几点去{place}，闹钟就定几点"),
        _("看看去{place}的车约在几点，设个同样时间的闹钟"),
        _("定个闹钟，时间和去{place}的约车一样"),
        *in_turn(_TRIP, NEW_ALARM[:2]),
        cases=_list_booking_cases,
        rule=has_alarm,
    ),
    goal(
        "ask_fare",
        _("打车去{place}，{car}大概多少钱"),
        _("坐{car}到{place}要花多少钱"),
        _("查一下去{place}打{car}的预估价"),
        _("{car}去{place}预估多少钱"),
        *_TO,
        RIDE.voice(_("去{place}")),
        cases=_list_place_cases,
        question=asks(
            "amount",
            lambda view: f"{fare(view.seed, view.arguments['place'], view.arguments['car']) / 100:.2f}",
        ),
    ),
)
