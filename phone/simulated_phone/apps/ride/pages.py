"""The ride app: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import Cover, Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import BLUE, GREEN, GREY, PAPER, WELL, WHITE

from ... import voice
from ...builders import dialogs, likes, records, tables, tabs, wheels
from ...builders.account import build_account_page
from ...builders.checkout import money
from ...builders.list_parts import empty, facts, panel, radio_row, suggestions
from ...builders.search import MICROPHONE, OPEN_SEARCH, search_bar, search_page, search_pill
from ...builders.tabs import top_tabs
from ...builders.taps import change, go, visit
from ..chat.goals import people
from ..maps.canvas import Canvas, find_way
from ..maps.data import HOMES, OFFICES
from . import data
from .data import (
    ACCENT,
    CARS,
    DESTINATIONS,
    booking_time,
    build_own_button,
    fare,
    find_destination,
    own_place,
)
from .goals import GOALS

_ = messages(__name__)

HOURS = (wheels.make_hour_wheel(data.HOURS),)
"""The wheel of a booking."""
TABS = tabs.bottom_tabs(
    ("home", _("首页"), "car"), ("trips", _("行程"), "list"), ("mine", _("我的"), "person")
)
OWN = {_("家"): HOMES, _("公司"): OFFICES}
GLYPHS = {_("家"): "home", _("公司"): "bag"}


# ---- parts of pages


def _build_place_row(seed: int, name: str, tap: ActionRef) -> ListRow:
    place = find_destination(seed, name)
    icon = Icon("location", size=20, color=GREY, room=36)
    words = _("{metres:.1f}公里 · {address}").format(metres=place.metres / 1000, address=place.address)
    return ListRow(name, words, leading=icon, lead=28, tap=tap)


def _list_own_buttons(view: PageView) -> RowLayout:
    buttons: list[Widget] = []
    for where, glyph in GLYPHS.items():
        place = own_place(view.state, view.seed, where)
        row = ListRow(
            build_own_button(where),
            place,
            leading=Icon(glyph, size=18, color=ACCENT, room=32),
            lead=22,
            pad=10,
        )
        buttons.append(Card([row], color=WELL, pad=0, tap=visit("confirm", place=place)))
    return RowLayout(buttons)


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    here = ListRow(
        _("当前位置上车"),
        _("定位准确"),
        leading=Icon("location", size=18, color=GREEN, room=32),
        lead=22,
        pad=4,
    )
    where = Card(
        [here, search_pill(data.SEARCH, description=data.SEARCH), _list_own_buttons(view)], margin=12, gap=8
    )
    body: list[Widget] = [Canvas(seed=view.seed, metres=3000, room=270), where]
    if ride := view.state["ride"]:
        icon = Icon("car", size=20, color=WHITE, plate=ACCENT, room=44)
        row = ListRow(
            _("前往 {place}").format(place=ride["place"]),
            _("{car} · 司机正在赶来").format(car=ride["car"]),
            leading=icon,
            trailing="›",
        )
        body.append(Card([row], pad=2, margin=12, tap=go("ride")))
    safety = Icon("lock", size=20, color=BLUE, room=40)
    row = ListRow(
        _("安全中心"), _("紧急联系人、行程录音"), leading=safety, lead=28, trailing="›", tap=go("safety")
    )
    body.append(panel(row))
    return AppPage(title=data.LABEL, back=False, actions=[MICROPHONE], body=body, gap=8, tabs=TABS("home"))


def _build_idle(view: PageView) -> Sequence[Widget]:
    recent = [trip["place"] for trip in view.state["trips"]][:4]
    kinds = suggestions(dict.fromkeys(DESTINATIONS.values()), lambda kind: visit("kind", kind=kind))
    rows = [_build_place_row(view.seed, name, visit("confirm", place=name)) for name in recent]
    return [Card([_list_own_buttons(view)], pad=12), Heading(_("分类")), kinds, Heading(_("最近去过")), *rows]


def _find(view: PageView, word: str) -> Sequence[Widget]:
    names = [name for name in DESTINATIONS if word in name]
    return [_build_place_row(view.seed, name, visit("confirm", place=name)) for name in names]


def _build_kind_page(view: PageView) -> AppPage:
    kind = view.arguments["kind"]
    names = sorted(
        (name for name in DESTINATIONS if DESTINATIONS[name] == kind),
        key=lambda name: find_destination(view.seed, name).metres,
    )
    rows = [_build_place_row(view.seed, name, go("confirm", place=name)) for name in names]
    return AppPage(title=kind, body=rows, background=PAPER)


def _build_confirm_page(view: PageView) -> AppPage:
    name, car = view.arguments["place"], view.arguments.get("car", _("快车"))
    hour = view.arguments.get("hour", 0)
    when = top_tabs(
        {_("现在出发"): "now", _("预约用车"): "later"},
        "later" if hour else "now",
        lambda one: change(hour=9 * (one == "later")),
    )
    body: list[Widget] = [find_way(view.seed, find_destination(view.seed, name), 220, tall=2.8), when]
    if hour:
        hour = wheels.chosen(view, HOURS)["hour"]
        body.append(Card([wheels.build_time_picker({"hour": hour}, HOURS)], pad=8, margin=12))
    rows = [
        radio_row(
            kind,
            _("约 {value} 分钟接驾 · 预估 {money}").format(
                value=3 + number, money=money(fare(view.seed, name, kind))
            ),
            on=kind == car,
            tap=change(car=kind),
        )
        for number, kind in enumerate(CARS)
    ]
    body += [Space(8), panel(*rows)]
    call = action_ref("call", place=name, car=car, hour=hour)
    footer = [Button(_("确认预约") if hour else _("确认呼叫"), call)]
    return AppPage(title=_("去 {name}").format(name=name), body=body, footer=footer)


def _build_ride_page(view: PageView) -> AppPage:
    ride = view.state["ride"]
    if ride is None:
        return AppPage(title=_("行程"), body=empty(_("行程已取消")))
    driver = ListRow(
        _("陈师傅 · 4.9 分"),
        _("{car} · 白色轿车 · 尾号 {id:03d}").format(car=ride["car"], id=ride["id"]),
        leading=Cover(_("陈师傅"), glyph="person", room=48, radius=24, subject="face"),
    )
    body = [find_way(view.seed, find_destination(view.seed, ride["place"]), 330, tall=2.8), panel(driver)]
    cancel = Button(_("取消订单"), go("ask_cancel"), style="tonal")
    return AppPage(title=_("前往 {place}").format(place=ride["place"]), body=body, gap=10, footer=[cancel])


def _build_trips_page(view: PageView) -> AppPage:
    icon = Icon("clock", size=18, color=WHITE, plate=ACCENT, room=44)
    bookings = [
        ListRow(
            one["place"],
            f"{data.BOOKED_DAY} {booking_time(one)} · {one['car']}",
            leading=icon,
            trailing=_("待出发›"),
            tap=go("booking", booking=one["id"]),
        )
        for one in view.state["bookings"]
    ]
    trips = [
        ListRow(
            trip["place"],
            f"{trip['day']} · {trip['car']}",
            leading=Cover(trip["place"], glyph="car", room=40, radius=20),
            trailing=f"{money(fare(view.seed, trip['place'], trip['car']))}›",
            tap=go("trip", place=trip["place"]),
        )
        for trip in view.state["trips"]
    ]
    body: list[Widget] = [Heading(_("预约中")), panel(*bookings)] if bookings else []
    body += [Heading(_("已完成")), panel(*trips)]
    return AppPage(title=_("我的行程"), back=False, body=body, tabs=TABS("trips"))


def _build_booking_page(view: PageView) -> AppPage:
    one = records.record(view.state["bookings"], view.arguments["booking"])
    rows = [
        (_("出发时间"), f"{data.BOOKED_DAY} {booking_time(one)}"),
        (_("车型"), one["car"]),
        (_("预估费用"), money(fare(view.seed, one["place"], one["car"]))),
    ]
    body = [find_way(view.seed, find_destination(view.seed, one["place"]), 260, tall=2.8), facts(*rows)]
    cancel = Button(_("取消预约"), go("ask_cancel", booking=one["id"]), style="tonal")
    return AppPage(title=_("预约 · {place}").format(place=one["place"]), body=body, gap=10, footer=[cancel])


def _build_ask_cancel_dialog(view: PageView) -> Dialog:
    tap = action_ref("cancel", booking=view.arguments.get("booking", 0))
    return dialogs.ask(
        _("取消用车"),
        _("确定取消"),
        tap,
        message=_("司机接单前取消不收费用。"),
        style="danger",
        no=_("再想想"),
    )


def _build_trip_page(view: PageView) -> AppPage:
    trip = records.record(view.state["trips"], view.arguments["place"], "place")
    name, car = trip["place"], trip["car"]
    total = Text(money(fare(view.seed, name, car)), size=32, bold=True, align="center")
    given = trip["stars"]
    stars = likes.stars(
        data.STARS, given, lambda count: action_ref("rate", place=name, stars=count), color=ACCENT, size=26
    )
    rate = Card([Text(_("给司机评价"), bold=True, align="center"), stars], margin=12, gap=8)
    words = _("已开票") if name in view.state["invoices"] else "›"
    invoice = ListRow(_("开发票"), trailing=words, tap=go("invoice", place=name))
    body = [
        find_way(view.seed, find_destination(view.seed, name), 180, tall=2.8),
        total,
        Text(f"{trip['day']} · {car}", color=GREY, align="center"),
        rate,
        panel(invoice),
    ]
    return AppPage(title=_("去 {name}").format(name=name), body=body, gap=8)


def _build_invoice_dialog(view: PageView) -> Dialog:
    name = view.arguments["place"]
    message = _("去{name}的行程将开具电子普通发票，抬头为个人。").format(name=name)
    return dialogs.ask(_("电子发票"), _("确认开票"), action_ref("invoice", place=name), message=message)


def _build_invoices_page(view: PageView) -> AppPage:
    done = view.state["invoices"]
    rows = [
        ListRow(
            trip["place"],
            trip["day"],
            trailing=_("已开票") if trip["place"] in done else _("去开票›"),
            tap=go("invoice", place=trip["place"]),
        )
        for trip in view.state["trips"]
    ]
    return AppPage(title=_("电子发票"), body=[Space(6), panel(*rows)])


def _build_mine_page(view: PageView) -> AppPage:
    lines = [
        (
            _("{where}的地址").format(where=where),
            GLYPHS[where],
            f"{own_place(view.state, view.seed, where)}›",
            go("own", where=where),
        )
        for where in OWN
    ]
    lines.append(
        (_("紧急联系人"), "person", _("{count}人›").format(count=len(view.state["emergency"])), go("safety"))
    )
    lines.append((_("电子发票"), "note", "›", go("invoices")))
    return build_account_page(*lines, color=ACCENT, tabs=TABS("mine"))


def _build_own_page(view: PageView) -> AppPage:
    where, word = view.arguments["where"], view.fields.get("query", "").strip()
    names = [name for name, kind in DESTINATIONS.items() if word in name and (word or kind == OWN[where])]
    rows = [_build_place_row(view.seed, name, action_ref("own", where=where, place=name)) for name in names]
    bar = search_bar(data.SEARCH, mic=False)
    return AppPage(
        title=_("{where}的地址").format(where=where),
        header=[bar],
        body=rows or empty(_("没有找到")),
        background=PAPER,
    )


def _build_safety_page(view: PageView) -> AppPage:
    rows = [
        ListRow(name, _("行程异常时通知"), leading=Cover(name, room=40, subject="face"))
        for name in view.state["emergency"]
    ]
    shield = Icon("lock", size=44, color=WHITE, plate=BLUE, room=100)
    body = [
        Space(10),
        shield,
        Text(_("行程全程保护中"), size=18, bold=True, align="center"),
        Heading(_("紧急联系人")),
    ]
    body += [panel(*rows)] if rows else empty(_("还没有紧急联系人"), space=20)
    return AppPage(title=_("安全中心"), body=body, footer=[Button(_("添加紧急联系人"), go("people"))])


def _build_people_sheet(view: PageView) -> Sheet:
    rows = [
        ListRow(name, leading=Cover(name, room=40, subject="face"), tap=action_ref("protect", contact=name))
        for name in people(view.seed)
    ]
    return Sheet(title=_("选择联系人"), body=rows)


# ---- handlers of taps


def _call(context: HandlerContext, place: str, car: str, hour: int = 0) -> None:
    """Call a car now, or book it for an hour."""
    number = context.state["next"]
    context.state["next"] += 1
    wanted: dict[str, Any] = {"id": number, "place": place, "car": car}
    context.fact("ride_called", place=place, car=car, hour=hour)
    context.root("home")
    if hour:
        context.state["bookings"].append({**wanted, "hour": hour, "minute": 0})
        context.go("booking", booking=number)
        context.toast(_("预约成功"))
    else:
        context.state["ride"] = wanted
        context.go("ride")


def _cancel(context: HandlerContext, booking: int = 0) -> None:
    if booking:
        records.drop(context.state, "bookings", booking)
    else:
        context.state["ride"] = None
    context.fact("ride_cancelled", booking=booking)
    context.root("home")
    context.toast(_("已取消"))


def _rate(context: HandlerContext, place: str, stars: int) -> None:
    records.record(context.state["trips"], place, "place")["stars"] = stars
    context.fact("trip_rated", place=place, stars=stars)
    context.toast(_("感谢评价"))


def _invoice(context: HandlerContext, place: str) -> None:
    context.back()
    likes.put(context, "invoices", "invoice_made", place=place)
    context.toast(_("发票已开具"))


def _own(context: HandlerContext, where: str, place: str) -> None:
    context.close("own")
    context.state["places"][where] = place
    context.fact("own_place_set", where=where, place=place)
    context.toast(_("{where}的地址已更新").format(where=where))


def _protect(context: HandlerContext, contact: str) -> None:
    context.back()
    likes.put(context, "emergency", "emergency_added", contact=contact)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: call, book or cancel a car, rate a trip, set places and contacts."""
    place, person = voice.find_name(phrase, list(DESTINATIONS)), voice.find_name(phrase, people(context.seed))
    car, where = voice.find_name(phrase, list(CARS)) or _("快车"), voice.find_name(phrase, list(OWN))
    number = voice.find_number(phrase)
    trip = next((trip for trip in context.state["trips"] if trip["place"] == place), None)
    booking = next((one for one in context.state["bookings"] if one["place"] == place), None)
    if person and voice.says(phrase, _("联系人", "said")):
        likes.put(context, "emergency", "emergency_added", contact=person)
    elif place and where and voice.says(phrase, _("地址", "said")):
        _own(context, where, place)
    elif booking and voice.says(phrase, _("取消", "said")):
        _cancel(context, booking["id"])
    elif trip and voice.says(phrase, _("星", "said")) and number in data.STARS:
        _rate(context, trip["place"], number)
    elif trip and voice.says(phrase, _("发票", "said")):
        context.go("trip", place=place)
        context.go("invoice", place=place)
    elif place or where:
        place = place or own_place(context.state, context.seed, where or _("家"))
        hour = number if number in data.HOURS and voice.says(phrase, _("约", "said")) else 0
        context.go("confirm", place=place, car=car, hour=hour or 0)
    else:
        return False
    return True


RIDE = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Ride",
    glyph="car",
    color=ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        "search": search_page(data.SEARCH, _find, empty(_("没有找到这个地点")), _build_idle),
        "voice": voice.page(_("去人民公园"), _("预约八点去植物园"), _("回家")),
    },
    handlers={
        **tables.handlers(_call, _cancel, _rate, _invoice, _own, _protect),
        "tab": tabs.tab_over("home"),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("输入目的地"), glyph="search", tap=OPEN_SEARCH),
        Shortcut(text=_("我的行程"), glyph="list", tap=go("trips")),
    ),
    goals=GOALS,
    hours=(8, 9, 18, 22),
)
