"""The chat app's goals: send a message, transfer money, pin, mute, post a moment."""

from __future__ import annotations

import random
from typing import Any

from simulated_phone.goals.app_definition import Arguments, States, Strategy
from simulated_phone.goals.steps import Hold, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, goal, list_each
from ...builders.records import record
from ...goals.acquaintances import contacts
from . import data
from .data import LABEL, PACKAGE, SEARCH, make_state

_ = messages(__name__)

CHAT = GoalBuilder(PACKAGE, LABEL, make_state)


def people(seed: int) -> list[str]:
    """The names of the contacts that are persons."""
    return [one.name for one in contacts(seed) if not one.group]


def requests(seed: int, wording: str) -> list[tuple[str, str]]:
    """Friends whose last message asks for something in this wording, and what it asks for."""
    before, after = wording.split("{}")
    last = [(talk["name"], talk["said"][-1]["text"]) for talk in CHAT.fresh(seed)["talks"]]
    return [
        (name, text.removeprefix(before).removesuffix(after))
        for name, text in last
        if text.startswith(before) and text.endswith(after)
    ]


def _list_message_cases(seed: int) -> list[Arguments]:
    rng = random.Random(seed)  # noqa: S311 - seeded data, not a secret
    return [
        {"contact": one.name, "text": text} for one in contacts(seed) for text in rng.sample(data.MESSAGES, 5)
    ]


def _list_transfer_cases(seed: int) -> list[Arguments]:
    rng = random.Random(seed)  # noqa: S311 - seeded data, not a secret
    return [{"contact": name, "yuan": yuan} for name in people(seed) for yuan in rng.sample(data.AMOUNTS, 3)]


def _contacts_without(seed: int, mark: str) -> list[Arguments]:
    return [{"contact": talk["name"]} for talk in CHAT.fresh(seed)["talks"] if not talk[mark]]


def _conversation(states: States, arguments: Arguments) -> dict[str, Any]:
    return record(states[PACKAGE]["talks"], arguments["contact"], "name")


def _is_sent(states: States, arguments: Arguments) -> bool:
    return any(
        line["mine"] and not line["fen"] and line["text"] == arguments["text"]
        for line in _conversation(states, arguments)["said"]
    )


def has_sent(states: States, contact: object, words: str) -> bool:
    """Whether a message to the contact holds the words."""
    talk = _conversation(states, {"contact": str(contact)})
    return any(line["mine"] and words in line["text"] for line in talk["said"])


def _is_paid(states: States, arguments: Arguments) -> bool:
    fen = 100 * int(str(arguments["yuan"]))
    return any(line["mine"] and line["fen"] == fen for line in _conversation(states, arguments)["said"])


def _is_posted(states: States, arguments: Arguments) -> bool:
    return any(
        moment["name"] == _("我") and moment["text"] == arguments["text"]
        for moment in states[PACKAGE]["moments"]
    )


_TYPED = TypeText("{contact}", into=SEARCH)
_SEARCH, _BOOK = (_("搜索"), _TYPED, "{contact}"), (_("通讯录"), "{contact}")
READ_CHAT = (CHAT.way("list", "{contact}"), CHAT.way("search", *_SEARCH))
"""Ways to what a contact said."""
_SEND = (TypeText("{text}", into=data.MESSAGE), _("发送"))
MESSAGE_WAYS = (
    CHAT.way("list", "{contact}", *_SEND),
    CHAT.way("search", *_SEARCH, *_SEND),
    CHAT.way("contacts", *_BOOK, _("发消息"), *_SEND),
    CHAT.shortcut(*_SEARCH, *_SEND),
    CHAT.voice(_("给{contact}发{text}")),
)
"""Ways to a message with the arguments `contact` and `text`."""
_GIVE = (_("转账"), TypeText("{yuan}", into=data.AMOUNT), _("下一步"), _("确认付款"))
_POST = (TypeText("{text}", into=data.MOMENT), _("发表"))


def _mark_strategies(mark: str, spoken: str) -> tuple[Strategy, ...]:
    return (
        CHAT.way("held", Hold("{contact}"), mark),
        CHAT.way("opened", "{contact}", _("聊天信息"), mark),
        CHAT.way("search", *_SEARCH, _("聊天信息"), mark),
        CHAT.way("contacts", *_BOOK, _("发消息"), _("聊天信息"), mark),
        CHAT.voice(spoken),
    )


GOALS = (
    goal(
        "send_text",
        _("给{contact}发消息说{text}"),
        _("告诉{contact}{text}"),
        _("发给{contact}：{text}"),
        _("跟{contact}说一声{text}"),
        _("给{contact}发“{text}”"),
        *MESSAGE_WAYS,
        cases=_list_message_cases,
        rule=_is_sent,
    ),
    goal(
        "transfer",
        _("给{contact}转{yuan}块钱"),
        _("转{yuan}元给{contact}"),
        _("给{contact}转账{yuan}元"),
        _("把{yuan}块钱转给{contact}"),
        CHAT.way("list", "{contact}", _("更多功能"), *_GIVE),
        CHAT.way("search", *_SEARCH, _("更多功能"), *_GIVE),
        CHAT.way("contacts", *_BOOK, *_GIVE),
        CHAT.voice(_("给{contact}转{yuan}元"), _("确认付款")),
        cases=_list_transfer_cases,
        rule=_is_paid,
    ),
    goal(
        "pin_chat",
        _("把{contact}的聊天置顶"),
        _("置顶{contact}"),
        _("聊天里把{contact}放最上面"),
        _("{contact}设为置顶聊天"),
        *_mark_strategies(_("置顶聊天"), _("置顶{contact}")),
        cases=lambda seed: _contacts_without(seed, "pinned"),
        rule=lambda states, arguments: bool(_conversation(states, arguments)["pinned"]),
    ),
    goal(
        "mute_chat",
        _("把{contact}设成免打扰"),
        _("{contact}的消息不要提醒"),
        _("屏蔽{contact}的消息提醒"),
        _("给{contact}开消息免打扰"),
        *_mark_strategies(_("消息免打扰"), _("{contact}消息免打扰")),
        cases=lambda seed: _contacts_without(seed, "muted"),
        rule=lambda states, arguments: bool(_conversation(states, arguments)["muted"]),
    ),
    goal(
        "post_moment",
        _("发条动态：{text}"),
        _("朋友圈发一条{text}"),
        _("发个朋友圈，内容是{text}"),
        _("在朋友圈说{text}"),
        CHAT.way("moments", _("发现"), _("朋友圈"), _("发动态"), *_POST),
        CHAT.shortcut(_("发动态"), *_POST),
        CHAT.voice(_("发朋友圈{text}")),
        cases=list_each("text", data.MOMENTS),
        rule=_is_posted,
    ),
)
