"""The chat app's goals: send a message, transfer money, pin, mute, post a moment."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.apps.chat.data import (
    AMOUNT,
    AMOUNTS,
    MESSAGE,
    MESSAGES,
    MOMENT,
    MOMENTS,
    PACKAGE,
    SEARCH,
    contacts,
    initial,
)
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import voice_strategy


@lru_cache(maxsize=64)
def _fresh_state(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _message_cases(seed: int) -> list[Arguments]:
    rng = random.Random(seed)  # noqa: S311 - seeded data, not a secret
    return [{"contact": one.name, "text": text} for one in contacts(seed) for text in rng.sample(MESSAGES, 5)]


def _transfer_cases(seed: int) -> list[Arguments]:
    rng = random.Random(seed)  # noqa: S311 - seeded data, not a secret
    people = [one.name for one in contacts(seed) if not one.group]
    return [{"contact": name, "yuan": yuan} for name in people for yuan in rng.sample(AMOUNTS, 3)]


def _contacts_without(seed: int, mark: str) -> list[Arguments]:
    return [{"contact": talk["name"]} for talk in _fresh_state(seed)["talks"] if not talk[mark]]


def _conversation(states: States, arguments: Arguments) -> dict[str, Any]:
    talks: list[dict[str, Any]] = states[PACKAGE]["talks"]
    return next(talk for talk in talks if talk["name"] == arguments["contact"])


def _is_sent(states: States, arguments: Arguments) -> bool:
    return any(
        line["mine"] and not line["fen"] and line["text"] == arguments["text"]
        for line in _conversation(states, arguments)["said"]
    )


def _is_paid(states: States, arguments: Arguments) -> bool:
    fen = 100 * int(str(arguments["yuan"]))
    return any(line["mine"] and line["fen"] == fen for line in _conversation(states, arguments)["said"])


def _is_posted(states: States, arguments: Arguments) -> bool:
    return any(
        moment["name"] == "我" and moment["text"] == arguments["text"]
        for moment in states[PACKAGE]["moments"]
    )


_FROM_LIST: tuple[Step, ...] = (Open(PACKAGE), Tap("{contact}"))
_FROM_SEARCH: tuple[Step, ...] = (
    Open(PACKAGE),
    Tap("搜索"),
    TypeText("{contact}", into=SEARCH),
    Tap("{contact}"),
)
_FROM_CONTACTS: tuple[Step, ...] = (Open(PACKAGE), Tap("通讯录"), Tap("{contact}"))


def _mark_strategies(mark: str) -> tuple[Strategy, ...]:
    switch = (Tap("聊天信息"), Tap(mark))
    return (
        Strategy("held", (Open(PACKAGE), Hold("{contact}"), Tap(mark))),
        Strategy("opened", (*_FROM_LIST, *switch)),
        Strategy("search", (*_FROM_SEARCH, *switch)),
        Strategy("contacts", (*_FROM_CONTACTS, Tap("发消息"), *switch)),
    )


_SEND = (TypeText("{text}", into=MESSAGE), Tap("发送"))
_MORE = (Tap("更多功能"), Tap("转账"))
_GIVE = (TypeText("{yuan}", into=AMOUNT), Tap("下一步"), Tap("确认付款"))
_POST = (TypeText("{text}", into=MOMENT), Tap("发表"))

GOALS = (
    Goal(
        name="send_text",
        words=(
            "给{contact}发消息说{text}",
            "告诉{contact}{text}",
            "发给{contact}：{text}",
            "跟{contact}说一声{text}",
            "给{contact}发“{text}”",
        ),
        cases=_message_cases,
        rule=_is_sent,
        strategies=(
            Strategy("list", (*_FROM_LIST, *_SEND)),
            Strategy("search", (*_FROM_SEARCH, *_SEND)),
            Strategy("contacts", (*_FROM_CONTACTS, Tap("发消息"), *_SEND)),
            Strategy(
                "shortcut",
                (
                    Press("home"),
                    Hold("聊天"),
                    Tap("搜索"),
                    TypeText("{contact}", into=SEARCH),
                    Tap("{contact}"),
                    *_SEND,
                ),
            ),
            voice_strategy(PACKAGE, "给{contact}发{text}"),
        ),
    ),
    Goal(
        name="transfer",
        words=(
            "给{contact}转{yuan}块钱",
            "转{yuan}元给{contact}",
            "给{contact}转账{yuan}元",
            "把{yuan}块钱转给{contact}",
        ),
        cases=_transfer_cases,
        rule=_is_paid,
        strategies=(
            Strategy("list", (*_FROM_LIST, *_MORE, *_GIVE)),
            Strategy("search", (*_FROM_SEARCH, *_MORE, *_GIVE)),
            Strategy("contacts", (*_FROM_CONTACTS, Tap("转账"), *_GIVE)),
            voice_strategy(PACKAGE, "给{contact}转{yuan}元", Tap("确认付款")),
        ),
    ),
    Goal(
        name="pin_chat",
        words=(
            "把{contact}的聊天置顶",
            "置顶{contact}",
            "聊天里把{contact}放最上面",
            "{contact}设为置顶聊天",
        ),
        cases=lambda seed: _contacts_without(seed, "pinned"),
        rule=lambda states, arguments: bool(_conversation(states, arguments)["pinned"]),
        strategies=(*_mark_strategies("置顶聊天"), voice_strategy(PACKAGE, "置顶{contact}")),
    ),
    Goal(
        name="mute_chat",
        words=(
            "把{contact}设成免打扰",
            "{contact}的消息不要提醒",
            "屏蔽{contact}的消息提醒",
            "给{contact}开消息免打扰",
        ),
        cases=lambda seed: _contacts_without(seed, "muted"),
        rule=lambda states, arguments: bool(_conversation(states, arguments)["muted"]),
        strategies=(*_mark_strategies("消息免打扰"), voice_strategy(PACKAGE, "{contact}消息免打扰")),
    ),
    Goal(
        name="post_moment",
        words=("发条动态：{text}", "朋友圈发一条{text}", "发个朋友圈，内容是{text}", "在朋友圈说{text}"),
        cases=lambda seed: [{"text": text} for text in MOMENTS],
        rule=_is_posted,
        strategies=(
            Strategy("moments", (Open(PACKAGE), Tap("发现"), Tap("朋友圈"), Tap("发动态"), *_POST)),
            Strategy("shortcut", (Press("home"), Hold("聊天"), Tap("发动态"), *_POST)),
            voice_strategy(PACKAGE, "发朋友圈{text}"),
        ),
    ),
)
