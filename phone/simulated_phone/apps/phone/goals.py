"""The goals of the phone app: call, call back, block, save a caller, be reminded to call back."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, States, Strategy, generator
from simulated_phone.goals.steps import Hold, Open, SetWheel, Step, Tap, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, goal
from ...builders.item_goals import ItemGoals
from ...builders.records import record
from ...builders.wheels import HOUR
from ...goals.acquaintances import people, spaced, unknown_number
from ..clock.goals import CLOCK
from ..contacts import data as contacts
from ..contacts.goals import NEW_CONTACT
from . import data
from .data import ITEMS, LABEL, MISSED, PACKAGE, SEARCH, make_state

_ = messages(__name__)

PHONE = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)
CALL = ItemGoals(PHONE, ITEMS, "caller")


def _list_person_cases(seed: int) -> list[Arguments]:
    return [{"contact": one.name, "phone": one.phone} for one in people(seed)]


def _list_number_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:number", seed)
    return [{"phone": unknown_number(rng)} for _unused in range(12)]


def _list_blocked_cases(seed: int) -> list[Arguments]:
    return [{"phone": number, "shown": spaced(number)} for number in PHONE.fresh(seed)["blocked"]]


def _list_key_cases(seed: int) -> list[Arguments]:
    speed = PHONE.fresh(seed)["speed"]
    return [{"key": key, "contact": one.name} for key in data.KEYS for one in people(seed) if not speed[key]]


def _list_new_caller_cases(seed: int) -> list[Arguments]:
    return [
        {"caller": call["who"], "phone": call["number"], "name": name}
        for call in PHONE.fresh(seed)["calls"]
        for name in contacts.STRANGERS
        if call["who"][0].isdecimal()
    ]


def _list_reminder_cases(seed: int) -> list[Arguments]:
    taken = {(alarm["hour"], alarm["minute"]) for alarm in CLOCK.fresh(seed)["alarms"]}
    return [
        {"caller": call["who"], "hour": hour}
        for call in PHONE.fresh(seed)["calls"]
        for hour in data.HOURS
        if call["kind"] == MISSED and (hour, 0) not in taken
    ]


def _is_reminded(states: States, arguments: Arguments) -> bool:
    alarm = {"on": True, "hour": arguments["hour"], "minute": 0}
    return any(alarm.items() <= one.items() for one in states[CLOCK.package]["alarms"])


def _is_saved(states: States, arguments: Arguments) -> bool:
    person = {"name": arguments["name"], "phone": arguments["phone"]}
    return any(person.items() <= one.items() for one in states[contacts.PACKAGE]["people"])


def _on_call(spoken: str, *finish: Step | str) -> tuple[Strategy, ...]:
    return (
        PHONE.way("held", Hold("{caller}"), *finish),
        PHONE.way("details", Tap(_("详情"), within="{caller}"), *finish),
        PHONE.way(
            "search", SEARCH, TypeText("{caller}", into=SEARCH), Tap(_("详情"), within="{caller}"), *finish
        ),
        PHONE.voice(spoken),
    )


_DIGITS = tuple(f"{{phone[{place}]}}" for place in range(11))
KEYPAD = PHONE.way("keypad", _("键盘"), *_DIGITS, _("呼叫"))
"""The way to a call to the number in the argument `phone`."""
_STRANGER = CALL.each(lambda one: one["who"][0].isdecimal(), phone="number")
_NAME = (TypeText("{name}", into=contacts.NAME), _("保存"))

GOALS = (
    goal(
        "call_contact",
        _("给{contact}打电话"),
        _("打个电话给{contact}"),
        _("呼叫{contact}"),
        _("帮我拨{contact}的电话"),
        PHONE.way("people", _("通讯录"), "{contact}"),
        PHONE.search("{contact}"),
        PHONE.voice(_("打电话给{contact}")),
        PHONE.outside("contacts", Open(contacts.PACKAGE), "{contact}", _("打电话")),
        **PHONE.added("dialed", "phone", _list_person_cases),
    ),
    goal(
        "call_number",
        _("拨打{phone}"),
        _("给{phone}打个电话"),
        _("打这个号码：{phone}"),
        _("用手机拨{phone}"),
        KEYPAD,
        PHONE.shortcut(_("数字键盘"), *_DIGITS, _("呼叫")),
        PHONE.voice(_("拨打{phone}")),
        **PHONE.added("dialed", "phone", _list_number_cases),
    ),
    goal(
        "call_back",
        _("给{caller}回个电话"),
        _("回拨{caller}"),
        _("{caller}的未接来电，打回去"),
        _("刚才没接到{caller}的电话，回过去"),
        PHONE.way("list", "{caller}"),
        PHONE.way("missed", MISSED, "{caller}"),
        PHONE.way("details", Tap(_("详情"), within="{caller}"), _("呼叫")),
        PHONE.voice(_("回拨{caller}")),
        **PHONE.added("dialed", "phone", CALL.each(lambda one: one["kind"] == MISSED, phone="number")),
    ),
    goal(
        "delete_call",
        _("删除{caller}的通话记录"),
        _("把{caller}那条通话记录删掉"),
        _("通话里不要留{caller}的记录"),
        _("清掉{caller}的来电记录"),
        *_on_call(_("删除{caller}的记录"), _("删除记录"), _("删除")),
        **CALL.deleted(),
    ),
    goal(
        "block_caller",
        _("拦截{caller}"),
        _("把{caller}这个骚扰电话拉黑"),
        _("不再接{caller}的来电"),
        _("将号码{caller}加入拦截名单"),
        *_on_call(_("拦截{caller}"), _("加入黑名单")),
        PHONE.way("typed", _("电话设置"), _("黑名单"), TypeText("{phone}", into=data.BLOCK), _("拦截")),
        **PHONE.added("blocked", "phone", _STRANGER),
    ),
    goal(
        "unblock",
        _("取消拦截{phone}"),
        _("把{phone}移出电话黑名单"),
        _("解除对{phone}的拦截"),
        _("让{phone}可以打进来"),
        PHONE.way("settings", _("电话设置"), _("黑名单"), Tap(_("移除"), within="{shown}")),
        PHONE.shortcut(_("黑名单"), Tap(_("移除"), within="{shown}")),
        PHONE.voice(_("取消拦截{phone}")),
        **PHONE.removed("blocked", "phone", _list_blocked_cases),
    ),
    goal(
        "set_speed_dial",
        _("把{key}键设成快速拨打{contact}"),
        _("长按{key}就打给{contact}"),
        _("快速拨号{key}设为{contact}"),
        _("给{contact}设个快捷拨号键{key}"),
        PHONE.way("settings", _("电话设置"), _("按键速拨"), _("{key} 键"), "{contact}"),
        PHONE.way("keypad", _("键盘"), Hold("{key}"), "{contact}"),
        PHONE.voice(_("{key}键设为{contact}")),
        cases=_list_key_cases,
        rule=lambda states, arguments: bool(
            states[PACKAGE]["speed"][str(arguments["key"])] == arguments["contact"]
        ),
    ),
    goal(
        "switch_on",
        _("打开{setting}"),
        _("电话里开启{setting}"),
        _("把{setting}打开"),
        _("通话设置里启用{setting}"),
        PHONE.way("settings", _("电话设置"), "{setting}"),
        PHONE.shortcut(_("电话设置"), "{setting}"),
        PHONE.voice(_("打开{setting}")),
        **PHONE.added("on", "setting", [{"setting": setting} for setting in data.SWITCHES]),
    ),
    goal(
        "save_caller",
        _("{caller}是{name}，存到联系人"),
        _("把来电{caller}存成{name}"),
        _("给{caller}新建联系人{name}"),
        _("刚才打来的{caller}是{name}，存一下"),
        PHONE.way("held", Hold("{caller}"), _("新建联系人"), *_NAME),
        PHONE.way("details", Tap(_("详情"), within="{caller}"), _("新建联系人"), *_NAME),
        PHONE.way("copied", Open(contacts.PACKAGE), *NEW_CONTACT),
        PHONE.voice(_("把{caller}存成{name}")),
        cases=_list_new_caller_cases,
        rule=_is_saved,
    ),
    goal(
        "remind_to_call_back",
        _("{hour}点提醒我给{caller}回电话"),
        _("定个{hour}点的闹钟，给{caller}回电"),
        _("{caller}的电话{hour}点再回，提醒我"),
        _("没接到{caller}，{hour}点闹钟提醒我回拨"),
        *_on_call(_("{hour}点提醒我给{caller}回电"), _("提醒回电"), _("{hour}点")),
        PHONE.outside("clock", Open(CLOCK.package), _("添加闹钟"), SetWheel(HOUR, "{hour}"), _("保存")),
        cases=_list_reminder_cases,
        rule=_is_reminded,
    ),
    goal(
        "ask_missed",
        _("最近一个未接来电是谁打的"),
        _("刚才没接到的电话是谁打来的"),
        _("查一下最后一个未接来电是谁"),
        _("最近谁打过我电话我没接到"),
        PHONE.way("glance"),
        PHONE.way("missed", MISSED),
        PHONE.way("details", MISSED, _("详情")),
        cases=lambda seed: [{}],
        question=asks("caller", lambda view: record(view.state["calls"], MISSED, "kind")["who"]),
    ),
)
