"""The goals of the messages app: write, answer, sort; take trains, appointments and codes to other apps."""

from __future__ import annotations

from typing import Any

from simulated_phone.goals.app_definition import Arguments, PageView, States, generator
from simulated_phone.goals.steps import Open, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, goal, in_turn
from ...builders.item_goals import ItemGoals
from ...builders.records import record
from ...goals.acquaintances import people
from ..calendar.goals import ADD_EVENT, day_arguments, has_event
from ..clock.goals import CLOCK, PICK_TIME
from ..contacts import data as contacts
from ..contacts.goals import NEW_CONTACT
from ..notes.goals import WRITE_NOTE, has_note
from ..phone.goals import KEYPAD, PHONE
from . import data
from .data import ITEMS, LABEL, PACKAGE, SEARCH, TEXT, make_state

_ = messages(__name__)

MESSAGES = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)
THREAD = ItemGoals(MESSAGES, ITEMS, "sender")


def _threads(seed: int) -> list[dict[str, Any]]:
    threads: list[dict[str, Any]] = MESSAGES.fresh(seed)["threads"]
    return threads


def _list_text_cases(seed: int) -> list[Arguments]:
    rng = generator(f"{PACKAGE}:text", seed)
    return [{"contact": one.name, "text": text} for one in people(seed) for text in rng.sample(data.TEXTS, 3)]


def _list_reply_cases(seed: int) -> list[Arguments]:
    names = {one.name for one in people(seed)}
    senders = [thread["sender"] for thread in _threads(seed) if thread["sender"] in names]
    return [{"sender": sender, "text": text} for sender in senders for text in data.REPLIES]


def _list_forward_cases(seed: int) -> list[Arguments]:
    known = {thread["sender"] for thread in _threads(seed)}
    return [
        {"sender": place, "contact": one.name}
        for place in data.PLACES
        for one in people(seed)
        if one.name not in known
    ]


def _messages_with(key: str, seed: int) -> list[dict[str, Any]]:
    """Messages of a fresh phone that are about something, such as a train, each with its sender."""
    return [
        {**line, "sender": thread["sender"]}
        for thread in _threads(seed)
        for line in thread["said"]
        if key in line
    ]


def _list_train_cases(seed: int) -> list[Arguments]:
    keys = ("sender", "train", "hour", "minute")
    return [
        {key: one[key] for key in keys} | {"time": f"{one['hour']:02d}:{one['minute']:02d}"}
        for one in _messages_with("train", seed)
    ]


def _list_event_cases(seed: int) -> list[Arguments]:
    events = [(one["sender"], one["event"]) for one in _messages_with("event", seed)]
    return [
        {"sender": sender, **day_arguments(event["day"]), "hour": event["hour"], "title": event["title"]}
        for sender, event in events
    ]


def _list_code_cases(seed: int) -> list[Arguments]:
    return [
        {
            "sender": one["sender"],
            "text": _("取件码 {code}").format(code=one["code"]),
            "code": one["code"],
            "phone": one["phone"],
        }
        for one in _messages_with("code", seed)
    ]


def _list_name_cases(seed: int) -> list[Arguments]:
    return [{key: one[key] for key in ("sender", "name", "phone")} for one in _messages_with("name", seed)]


def _code(view: PageView) -> str:
    thread = record(view.state["threads"], view.arguments["sender"], "sender")
    return next(str(line["code"]) for line in thread["said"] if "code" in line)


def _is_said(states: States, contact: object, text: str) -> bool:
    return any(
        thread["sender"] == contact and any(line["mine"] and line["text"] == text for line in thread["said"])
        for thread in states[PACKAGE]["threads"]
    )


def _is_forwarded(states: States, arguments: Arguments) -> bool:
    sent = [thread for thread in states[PACKAGE]["threads"] if thread["sender"] == arguments["sender"]]
    return any(_is_said(states, arguments["contact"], thread["said"][-1]["text"]) for thread in sent)


def _is_alarm_set(states: States, arguments: Arguments) -> bool:
    alarm = {"on": True, "hour": arguments["hour"], "minute": arguments["minute"]}
    return any(alarm.items() <= one.items() for one in states[CLOCK.package]["alarms"])


def _is_saved(states: States, arguments: Arguments) -> bool:
    person = {"name": arguments["name"], "phone": arguments["phone"]}
    return any(person.items() <= one.items() for one in states[contacts.PACKAGE]["people"])


READ = (MESSAGES.way("read", "{sender}"),)
_SEND = (TypeText("{text}", into=TEXT), _("发送"))
_SET_ALARM = (CLOCK.way("clock", _("添加闹钟"), *PICK_TIME, _("保存")), CLOCK.voice(_("{time}的闹钟")))

GOALS = (
    goal(
        "send_sms",
        _("给{contact}发短信说{text}"),
        _("发条短信给{contact}：{text}"),
        _("短信告诉{contact}{text}"),
        _("用短信跟{contact}说{text}"),
        MESSAGES.way("new", _("新建短信"), "{contact}", *_SEND),
        MESSAGES.shortcut(_("新建短信"), "{contact}", *_SEND),
        MESSAGES.voice(_("给{contact}发短信说{text}")),
        MESSAGES.outside("contacts", Open(contacts.PACKAGE), "{contact}", _("发短信"), *_SEND),
        cases=_list_text_cases,
        rule=lambda states, arguments: _is_said(states, arguments["contact"], str(arguments["text"])),
    ),
    goal(
        "reply",
        _("回复{sender}的短信：{text}"),
        _("给{sender}回短信{text}"),
        _("{sender}的短信回{text}"),
        _("短信回{sender}一句{text}"),
        MESSAGES.way("quick", "{sender}", _("快捷回复"), "{text}"),
        MESSAGES.way("typed", "{sender}", *_SEND),
        MESSAGES.search("{sender}", _("快捷回复"), "{text}"),
        MESSAGES.voice(_("回复{sender}{text}")),
        cases=_list_reply_cases,
        rule=lambda states, arguments: _is_said(states, arguments["sender"], str(arguments["text"])),
    ),
    goal(
        "forward",
        _("把{sender}的短信转发给{contact}"),
        _("{sender}发来的短信转给{contact}"),
        _("转发{sender}那条短信给{contact}"),
        _("让{contact}也看看{sender}的短信，转过去"),
        *THREAD.menu_ways(_("转发{sender}的短信给{contact}"), _("转发"), "{contact}"),
        cases=_list_forward_cases,
        rule=_is_forwarded,
    ),
    goal(
        "mark_read",
        _("把{sender}的短信标为已读"),
        _("看一下{sender}的短信"),
        _("{sender}的未读短信点掉"),
        _("读一下{sender}发来的短信"),
        MESSAGES.way("opened", "{sender}"),
        MESSAGES.search("{sender}"),
        MESSAGES.way("all", _("全部已读")),
        MESSAGES.voice(_("看{sender}的短信")),
        **THREAD.marked(read=True),
    ),
    goal(
        "pin_thread",
        _("置顶{sender}的短信"),
        _("把{sender}的短信放最上面"),
        _("短信里{sender}设为置顶"),
        _("将{sender}的短信会话置顶"),
        *THREAD.menu_ways(_("置顶{sender}"), _("置顶", "messages")),
        **THREAD.marked(pinned=True),
    ),
    goal(
        "delete_thread",
        _("删除{sender}的短信"),
        _("把{sender}的短信都删了"),
        _("{sender}的短信会话不要了"),
        _("短信里删掉{sender}"),
        *THREAD.menu_ways(_("删除{sender}的短信"), _("删除会话"), _("删除")),
        **THREAD.deleted(),
    ),
    goal(
        "block_sender",
        _("屏蔽{sender}的短信"),
        _("把{sender}的广告短信拦掉"),
        _("不想再收{sender}的短信"),
        _("将{sender}加入短信黑名单"),
        *THREAD.menu_ways(_("屏蔽{sender}"), _("加入黑名单")),
        **THREAD.marked(lambda one: one["sender"] in data.ADVERTISERS, blocked=True),
    ),
    goal(
        "train_alarm",
        _("短信里{train}次几点开，定个闹钟"),
        _("按{sender}短信给{train}设发车时间的闹钟"),
        _("看看短信，{train}次列车发车时提醒我"),
        _("给{train}次列车定发车时间的闹钟"),
        *THREAD.page_ways("button", _("给{sender}的{train}设闹钟"), _("{train} 设闹钟")),
        *in_turn(READ, _SET_ALARM),
        cases=_list_train_cases,
        rule=_is_alarm_set,
    ),
    goal(
        "event_to_calendar",
        _("把{sender}短信里的{title}记到日历"),
        _("{sender}发来的预约加进日历"),
        _("看{sender}的短信，把{title}建成日程"),
        _("日历里添加短信通知的{title}"),
        *THREAD.page_ways("button", _("{sender}的预约加到日历"), _("加到日历")),
        *in_turn(READ, ADD_EVENT),
        cases=_list_event_cases,
        rule=lambda states, arguments: has_event(
            states, title=arguments["title"], day=arguments["date"], hour=arguments["hour"]
        ),
    ),
    goal(
        "code_to_note",
        _("把{sender}的取件码记到便签"),
        _("{sender}短信里的取件码写进便签"),
        _("便签里记一下{sender}发来的取件码"),
        _("看{sender}的短信，把取件码存到便签"),
        *THREAD.page_ways("button", _("{sender}的取件码记到便签"), _("记到便签")),
        *in_turn(READ, WRITE_NOTE[:2]),
        cases=_list_code_cases,
        rule=lambda states, arguments: has_note(states, str(arguments["code"])),
    ),
    goal(
        "call_courier",
        _("给{sender}短信里的号码打电话"),
        _("拨打{sender}短信中留的电话"),
        _("{sender}短信里有个电话，打过去"),
        _("按{sender}短信上的号码打电话问问"),
        *THREAD.page_ways("button", _("拨打{sender}短信里的电话"), _("拨打电话")),
        *in_turn(READ, [KEYPAD, PHONE.voice(_("拨打{phone}"))]),
        **PHONE.added("dialed", "phone", _list_code_cases),
    ),
    goal(
        "save_sender",
        _("把{name}的新号码存到联系人"),
        _("{name}发短信说换号了，存一下"),
        _("短信里{name}的号码加到通讯录"),
        _("把{sender}存成{name}"),
        *THREAD.page_ways("button", _("保存{sender}的号码"), _("保存到联系人")),
        MESSAGES.way("copied", "{sender}", Open(contacts.PACKAGE), *NEW_CONTACT),
        cases=_list_name_cases,
        rule=_is_saved,
    ),
    goal(
        "ask_code",
        _("{sender}的取件码是多少"),
        _("看看短信里{sender}的取件码"),
        _("{sender}发来的短信，取件码是几"),
        _("我要取快递，{sender}短信里的取件码告诉我"),
        *THREAD.page_ways("list", _("看看{sender}")),
        cases=_list_code_cases,
        question=asks("code", _code),
    ),
)
