"""The health app: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language import formats
from simulated_phone.language.language import counted_messages, messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Chips, Heading, ListRow, ProgressBar
from simulated_phone.screens.layouts.widgets import Button, CheckMark, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import BLUE, GREY, ORANGE, PAPER, PINK, PURPLE, SEA, VIOLET, WHITE

from ... import voice
from ...builders import dialogs, forms, records, tables, wheels
from ...builders.account import build_account_page
from ...builders.list_parts import build_picks, empty, facts, panel, panel_or_empty, radio_rows, suggestions
from ...builders.search import search_page, wide_pill
from ...builders.tabs import bottom_tabs, tab_over
from ...builders.taps import go, tab, visit, write
from . import data
from .data import ACCENT, SPORTS, kilos, time_of
from .day_bars import DayBars
from .goals import GOALS

_ = messages(__name__)
_n = counted_messages(__name__)

TABS = bottom_tabs(
    ("home", _("健康"), "heart"),
    ("sports", _("运动"), "timer"),
    ("medicines", _("用药"), "add"),
    ("mine", _("我的"), "person"),
)
DUSK = "#3d2d78"
NEW_MEDICINE = action_ref("edit")

# ---- parts of pages


def _list_cards(view: PageView) -> dict[str, tuple[str, str, str, ActionRef]]:
    """List the cards of the first page and of the search: value, icon, colour and action by name."""
    state = view.state
    return {
        _("步数"): (
            _("{steps} 步").format(steps=formats.number(_, state["steps"][-1])),
            "flag",
            ORANGE,
            visit("steps"),
        ),
        _("体重"): (
            _("{kilos} 公斤").format(kilos=kilos(state["weights"][0]["grams"])),
            "person",
            BLUE,
            visit("weight"),
        ),
        _("喝水"): (
            _n("{water} 杯", state["water"]).format(water=state["water"]),
            "rain",
            SEA,
            visit("water"),
        ),
        _("睡眠"): (_("{bedtime} 就寝").format(bedtime=state["bedtime"]), "moon", PURPLE, visit("sleep")),
        _("急救卡"): (state["blood"] or _("未填写"), "heart", PINK, visit("card")),
    }


def _build_medicine_row(medicine: dict[str, Any]) -> ListRow:
    name, taken = medicine["name"], medicine["taken"]
    done = Button(
        _("已服用") if taken else _("已服{name}").format(name=name),
        action_ref("take", name=name),
        style="tonal",
        room=38,
        size=13,
        enabled=not taken,
    )
    return ListRow(
        name,
        _("每天 {time_of}").format(time_of=time_of(medicine)),
        leading=CheckMark(taken),
        lead=28,
        trailing=done,
        trail=124,
        tap=go("medicine", medicine=medicine["id"]),
        hold=go("menu", medicine=medicine["id"]),
    )


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    cards = _list_cards(view)
    steps, goal = view.state["steps"][-1], view.state["step_goal"]
    head = RowLayout(
        [
            Icon("flag", color=ORANGE, room=36),
            Text(_("步数"), size=17, bold=True),
            Text(_("目标 {goal}").format(goal=formats.number(_, goal)), size=13, color=GREY, align="right"),
        ],
        [30, None, 100],
    )
    walk = Card(
        [head, Text(formats.number(_, steps), size=38, bold=True), ProgressBar(steps / goal, pad=0)],
        margin=12,
        tap=go("steps"),
    )
    cells = []
    for name in list(cards)[1:4]:
        value, glyph, color, tap = cards[name]
        row = RowLayout([Icon(glyph, size=20, color=color, room=28), Text(name, bold=True)], [26, None])
        cells.append(Card([row, Space(4), Text(value, size=16)], tap=tap, pad=12))
    body: list[Widget] = [Space(2), walk, RowLayout([GridLayout(cells, 3, gap=8)], pad=12)]
    left = sum(not medicine["taken"] for medicine in view.state["medicines"])
    pills = ListRow(
        _("今日用药"),
        _("还有 {left} 种未服用").format(left=left),
        leading=Icon("add", size=18, color=WHITE, plate=ACCENT, room=44),
        trailing="›",
        tap=go("medicines"),
    )
    last = view.state["sports"][0]
    sport = ListRow(
        _("最近运动"),
        _("{sport} {minutes} 分钟").format(sport=last["sport"], minutes=last["minutes"]),
        leading=Icon("timer", size=18, color=WHITE, plate=ORANGE, room=44),
        trailing="›",
        tap=tab("sports"),
    )
    body += [panel(pills), panel(sport)]
    return AppPage(header=[Space(6), wide_pill(data.SEARCH, ACCENT)], body=body, gap=8, tabs=TABS("home"))


def _find(view: PageView, word: str) -> Sequence[Widget]:
    cards = [
        ListRow(name, value, leading=Icon(glyph, color=color, room=40), trailing="›", tap=tap)
        for name, (value, glyph, color, tap) in _list_cards(view).items()
        if word in name
    ]
    return [*cards, *(_build_sport_row(sport) for sport in SPORTS if word in sport)]


def _list_days(view: PageView) -> tuple[str, ...]:
    """The names of the last seven days."""
    before = [view.minute - timedelta(days=ago) for ago in range(6, 1, -1)]
    return (*(formats.short_weekday(_, day.weekday()) for day in before), _("昨天"), _("今天"))


def _build_steps_page(view: PageView) -> AppPage:
    goal = ListRow(
        _("步数目标"),
        trailing=_("{step_goal}步›").format(step_goal=formats.number(_, view.state["step_goal"])),
        tap=go("step_goal"),
    )
    today = Text(
        _("{steps} 步").format(steps=formats.number(_, view.state["steps"][-1])),
        size=34,
        bold=True,
        align="center",
    )
    chart = Card(
        [Text(_("最近七天"), bold=True), DayBars(tuple(view.state["steps"]), _list_days(view))], margin=12
    )
    return AppPage(title=_("步数"), body=[Space(8), today, chart, panel(goal)], gap=10)


def _build_step_goal_sheet(view: PageView) -> Sheet:
    goals = {_("{steps}步").format(steps=steps): steps for steps in data.STEP_GOALS}
    return _build_goal_sheet(view, "step_goal", _("每日步数目标"), goals)


def _build_goal_sheet(view: PageView, key: str, title: str, goals: Any) -> Sheet:  # noqa: ANN401
    return dialogs.choices(
        title, goals, view.state[key], lambda goal: action_ref("set_goal", key=key, value=goal)
    )


def _build_weight_page(view: PageView) -> AppPage:
    weights = view.state["weights"]
    now = Text(_("{kilos} 公斤").format(kilos=kilos(weights[0]["grams"])), size=34, bold=True, align="center")
    rows = [ListRow(weight["day"], trailing=f"{kilos(weight['grams'])} kg") for weight in weights]
    add = Button(_("记录体重"), write("weigh", "kg"))
    return AppPage(title=_("体重"), body=[Space(10), now, Heading(_("历史记录")), panel(*rows)], footer=[add])


def _build_weigh_dialog(view: PageView) -> Dialog:
    return dialogs.ask_text(_("记录体重"), "kg", data.WEIGHT, _("保存"), action_ref("weigh"))


def _build_water_page(view: PageView) -> AppPage:
    cups = view.state["water"]
    now = Text(_n("今天喝了 {cups} 杯", cups).format(cups=cups), size=28, bold=True, align="center")
    cells = [
        Button(
            _("{count}杯").format(count=count),
            action_ref("drink", cups=count),
            style="filled" if count <= cups else "tonal",
            room=52,
        )
        for count in data.CUPS
    ]
    grid = Card([GridLayout(cells, 4, gap=8)], margin=12)
    hint = Text(_("每杯 250 毫升，建议每天 8 杯"), size=13, color=GREY, align="center")
    return AppPage(
        title=_("喝水"),
        body=[Space(16), Icon("rain", size=48, color=SEA, room=70), now, ProgressBar(cups / 8), grid, hint],
        gap=10,
    )


def _build_sleep_page(view: PageView) -> AppPage:
    rows = [
        ListRow(_("就寝时间"), trailing=f"{view.state['bedtime']}›", tap=go("bedtime")),
        ListRow(_("起床时间"), trailing="07:00"),
    ]
    night = Card(
        [
            Text(_("昨晚睡眠"), color=WHITE),
            Text(_("7 小时 12 分"), size=28, bold=True, color=WHITE),
            Text(_("深睡 2 小时 5 分 · 浅睡 5 小时 7 分"), size=13, color=WHITE),
        ],
        color=VIOLET,
        to=DUSK,
        margin=12,
    )
    return AppPage(title=_("睡眠"), body=[Space(4), night, panel(*rows)], gap=10)


def _build_bedtime_sheet(view: PageView) -> Sheet:
    return _build_goal_sheet(view, "bedtime", _("就寝时间"), data.BEDTIMES)


def _build_sport_row(sport: str) -> ListRow:
    icon = Icon("timer", size=18, color=WHITE, plate=ORANGE, room=44)
    return ListRow(sport, _("点按记录"), leading=icon, trailing="›", tap=visit("sport", sport=sport))


def _build_sports_page(view: PageView) -> AppPage:
    done = [
        ListRow(one["sport"], trailing=_("{minutes} 分钟").format(minutes=one["minutes"]))
        for one in view.state["sports"]
    ]
    body = [
        Heading(_("添加运动")),
        panel(*map(_build_sport_row, SPORTS)),
        Heading(_("运动记录")),
        panel(*done),
    ]
    return AppPage(title=_("运动记录"), back=False, body=body, tabs=TABS("sports"))


def _build_sport_sheet(view: PageView) -> Sheet:
    chosen = view.arguments.get("minutes", 30)
    chips = build_picks(
        "minutes", {_("{minutes}分钟").format(minutes=minutes): minutes for minutes in data.MINUTES}, chosen
    )
    save = action_ref("sport", sport=view.arguments["sport"], minutes=chosen)
    return Sheet(title=view.arguments["sport"], body=[chips], footer=[Button(_("保存"), save)])


def _build_medicines_page(view: PageView) -> AppPage:
    rows = [_build_medicine_row(medicine) for medicine in sorted(view.state["medicines"], key=time_of)]
    body = panel_or_empty(rows, _("没有用药提醒"))
    add = Icon("add", _("添加用药"), NEW_MEDICINE)
    return AppPage(title=_("用药提醒"), back=False, actions=[add], body=body, tabs=TABS("medicines"))


def _build_edit_page(view: PageView) -> AppPage:
    draft = {**view.arguments, **wheels.chosen(view, wheels.TIME)}
    names = suggestions(data.MEDICINES, lambda name: action_ref("name", name=name))
    body = [
        Field("medicine", data.MEDICINE, start=draft["name"]),
        Chips(names.items, pad=0),
        Text(_("每天 {time_of}").format(time_of=time_of(draft)), size=22, bold=True, align="center"),
        wheels.build_time_picker(draft),
    ]
    return AppPage(
        title=_("添加用药提醒"),
        body=body,
        pad=16,
        gap=8,
        footer=[Button(_("保存"), action_ref("save"))],
        background=PAPER,
    )


def _build_medicine_page(view: PageView) -> AppPage:
    medicine = records.record(view.state["medicines"], view.arguments["medicine"])
    rows = facts(
        (_("时间"), _("每天 {time_of}").format(time_of=time_of(medicine))),
        (_("今天"), _("已服用") if medicine["taken"] else _("未服用")),
    )
    delete = Button(_("删除用药"), action_ref("delete", medicine=medicine["id"]), style="danger")
    return AppPage(title=medicine["name"], body=[Space(6), rows], footer=[delete])


def _build_menu_sheet(view: PageView) -> Sheet:
    medicine = records.record(view.state["medicines"], view.arguments["medicine"])
    return dialogs.menu(
        medicine["name"], (_("删除用药"), "delete", action_ref("delete", medicine=medicine["id"]))
    )


def _build_mine_page(view: PageView) -> AppPage:
    lines = [
        (_("急救卡"), "heart", (view.state["blood"] or _("未填写")) + "›", go("card")),
        (
            _("步数目标"),
            "flag",
            _("{step_goal}步›").format(step_goal=formats.number(_, view.state["step_goal"])),
            go("step_goal"),
        ),
        (_("就寝时间"), "moon", f"{view.state['bedtime']}›", go("bedtime")),
    ]
    return build_account_page(*lines, color=ACCENT, tabs=TABS("mine"))


def _build_card_page(view: PageView) -> AppPage:
    rows = radio_rows(data.BLOOD, view.state["blood"], lambda blood: action_ref("set_blood", blood=blood))
    hint = ListRow(
        _("锁屏时可查看"), _("急救人员无需解锁即可看到血型"), leading=Icon("heart", color=PINK, room=40)
    )
    return AppPage(title=_("急救卡"), body=[Space(6), panel(hint), Heading(_("血型")), panel(*rows)])


# ---- handlers of taps

_tab = tab_over("home")
_drink = dialogs.choosing("water", "cups", "water_logged")
_set_blood = dialogs.choosing("blood", "blood", "blood_set")


def _set_goal(context: HandlerContext, key: str, value: Any) -> None:  # noqa: ANN401
    context.close(key)
    context.state[key] = value
    context.fact("goal_set", key=key, value=value)
    context.toast(_("目标已更新"))


def _weigh(context: HandlerContext) -> None:
    grams = _read_grams(context.field("kg").strip())
    if grams is None:
        context.toast(_("请输入 20 到 300 之间的体重"))
        return
    context.back()
    _save_weight(context, grams)


def _read_grams(text: str) -> int | None:
    """The weight that a text writes in kg, 20 to 300, in grams."""
    if not re.fullmatch(r"[0-9]{2,3}(\.[0-9])?", text) or not 20 <= float(text) <= 300:
        return None
    return round(float(text) * 1000)


def _save_weight(context: HandlerContext, grams: int) -> None:
    context.state["weights"].insert(0, {"day": _("今天"), "grams": grams})
    context.fact("weight_logged", grams=grams)
    context.toast(_("体重已记录"))


def _sport(context: HandlerContext, sport: str, minutes: int) -> None:
    _tab(context, "sports")
    context.state["sports"].insert(0, {"sport": sport, "minutes": minutes})
    context.fact("sport_logged", sport=sport, minutes=minutes)
    context.toast(_("运动已记录"))


def _edit(context: HandlerContext) -> None:
    context.go("edit", name="", hour=8, minute=0)


def _name(context: HandlerContext, name: str) -> None:
    context.unfocus()
    context.fill("medicine", name)


def _save(context: HandlerContext) -> None:
    if name := forms.read_typed(context, "medicine", _("请填写药品名称"), start=context.arguments["name"]):
        _add_medicine(context, name, **wheels.picked(context, wheels.TIME))
        _tab(context, "medicines")


def _add_medicine(context: HandlerContext, name: str, hour: int, minute: int) -> None:
    values = {"name": name, "hour": hour, "minute": minute, "taken": False}
    records.save(context.state, "medicines", None, values)
    context.fact("medicine_added", name=name, hour=hour, minute=minute)
    context.toast(_("用药提醒已添加"))


def _take(context: HandlerContext, name: str) -> None:
    records.record(context.state["medicines"], name, "name")["taken"] = True
    context.fact("medicine_taken", name=name)


def _delete(context: HandlerContext, medicine: int) -> None:
    context.fact("medicine_deleted", name=records.record(context.state["medicines"], medicine)["name"])
    records.drop(context.state, "medicines", medicine)
    _tab(context, "medicines")
    context.toast(_("已删除"))


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: weight, water, sports, medicines, goals and the emergency card."""
    number, sport = voice.find_number(phrase), voice.find_name(phrase, SPORTS)
    known = {one["name"]: one["id"] for one in context.state["medicines"]}
    name, blood = voice.find_name(phrase, [*data.MEDICINES, *known]), voice.find_name(phrase, data.BLOOD)
    weight = re.search(_(r"体重([0-9.]+)"), phrase)
    time = re.search(_(r"(\d+)[点:：](半|\d+)?"), voice.write_digits(phrase))
    grams = _read_grams(weight[1]) if weight else None
    if grams is not None:
        _save_weight(context, grams)
    elif name and name in known and voice.says(phrase, _("删", "said")):
        _delete(context, known[name])
    elif name and name in known and voice.says(phrase, _("过", "said")):
        _take(context, name)
    elif name and time and int(time[1]) in data.HOURS:
        _add_medicine(context, name, int(time[1]), 30 if time[2] == _("半") else int(time[2] or 0) % 60)
    elif sport and number:
        _sport(context, sport, number)
    elif voice.says(phrase, _("目标", "said")) and number:
        _set_goal(context, "step_goal", max(100, number))
    elif voice.says(phrase, _("就寝", "said")) and time:
        _set_goal(context, "bedtime", f"{int(time[1]) % 24:02d}:{int(time[2] or 0) % 60:02d}")
    elif voice.says(phrase, _("水", "said")) and number:
        _drink(context, cups=min(number, data.CUPS[-1]))
    elif blood:
        _set_blood(context, blood=blood)
    else:
        return False
    return True


HEALTH = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Health",
    glyph="heart",
    color=ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        "search": search_page(data.SEARCH, _find, empty(_("没有找到"))),
        "voice": voice.page(_("体重62.5公斤"), _("跑步30分钟"), _("喝了六杯水")),
    },
    handlers={
        **tables.handlers(_set_goal, _weigh, _sport, _edit, _name, _save, _take, _delete),
        "drink": _drink,
        "set_blood": _set_blood,
        "tab": _tab,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("记体重"), glyph="person", tap=write("weigh", "kg")),
        Shortcut(text=_("记喝水"), glyph="rain", tap=go("water")),
        Shortcut(text=_("记运动"), glyph="timer", tap=tab("sports")),
        Shortcut(text=_("添加用药"), glyph="add", tap=NEW_MEDICINE),
    ),
    goals=GOALS,
    hours=(7, 12, 18, 21),
)
