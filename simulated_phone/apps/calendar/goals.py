"""The calendar's goals: add, delete and move events."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.apps.calendar.data import (
    FIRST_DAY,
    LAST_DAY,
    PACKAGE,
    SENTENCE,
    TITLES,
    day_words,
    initial,
)
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import voice_strategy


def _fresh_state(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _goal_days() -> list[date]:
    return [FIRST_DAY + timedelta(days=ahead) for ahead in range((LAST_DAY - FIRST_DAY).days + 1)]


def _day_arguments(day: date) -> dict[str, Any]:
    return {"day": day_words(day), "date": day.isoformat(), "month": day.month, "number": day.day}


def _new_event_cases(seed: int) -> list[Arguments]:
    taken = {event["title"] for event in _fresh_state(seed)["events"]}
    rng = generator(f"{PACKAGE}:new", seed)
    days = _goal_days()
    return [
        {**_day_arguments(rng.choice(days)), "hour": rng.randint(8, 21), "title": title}
        for title in TITLES
        for _ in range(4)
        if title not in taken
    ]


def _own_events(seed: int) -> list[dict[str, Any]]:
    return [event for event in _fresh_state(seed)["events"] if event["day"] >= FIRST_DAY.isoformat()]


def _event_cases(seed: int) -> list[Arguments]:
    return [
        {**_day_arguments(date.fromisoformat(event["day"])), "title": event["title"]}
        for event in _own_events(seed)
    ]


def _moved_event_cases(seed: int) -> list[Arguments]:
    return [
        {**_day_arguments(date.fromisoformat(event["day"])), "title": event["title"], "hour": hour}
        for event in _own_events(seed)
        for hour in range(8, 22)
        if hour != event["hour"]
    ]


def _is_added(states: States, arguments: Arguments) -> bool:
    wanted = (arguments["date"], arguments["hour"], 0, arguments["title"])
    return any(
        (event["day"], event["hour"], event["minute"], event["title"]) == wanted
        for event in states[PACKAGE]["events"]
    )


def _is_gone(states: States, arguments: Arguments) -> bool:
    return arguments["title"] not in [event["title"] for event in states[PACKAGE]["events"]]


def _month_strategy(*then: Step) -> Strategy:
    return Strategy("month", (Open(PACKAGE), Tap("{day}"), *then))


_TITLE = TypeText("{title}", into="标题")
_FILL = (_TITLE, Tap("日期"), Tap("{day}"), Tap("{hour}时"), Tap("保存"))
_AGENDA = (Open(PACKAGE), Tap("日程"))
_SEARCH = (*_AGENDA, TypeText("{title}", into="搜索日程"), Tap("{title}"))
_MOVE = (Tap("编辑"), Tap("{hour}时"), Tap("保存"))

GOALS = (
    Goal(
        name="add_event",
        words=(
            "{day}{hour}点{title}，记到日历里",
            "提醒我{day}{hour}点{title}",
            "日历加一个{day}{hour}点的{title}",
            "{day}{hour}点要{title}，帮我建个日程",
        ),
        cases=_new_event_cases,
        rule=_is_added,
        strategies=(
            _month_strategy(Tap("添加日程"), _TITLE, Tap("{hour}时"), Tap("保存")),
            Strategy("plus", (Open(PACKAGE), Tap("新建日程"), *_FILL)),
            Strategy(
                "sentence", (Open(PACKAGE), TypeText("{day}{hour}点{title}", into=SENTENCE), Tap("新建"))
            ),
            voice_strategy(PACKAGE, "{day}{hour}点{title}"),
            Strategy("shortcut", (Press("home"), Hold("日历"), Tap("新建日程"), *_FILL)),
            Strategy("widget", (Press("home"), Tap("新建日程"), *_FILL)),
        ),
    ),
    Goal(
        name="see_day",
        words=("{day}有什么安排", "看一下{day}的日程", "{day}那天有空吗", "{day}是星期几，有没有事"),
        cases=lambda seed: [_day_arguments(day) for day in _goal_days()],
        rule=lambda states, arguments: states[PACKAGE]["viewed"] == arguments["date"],
        strategies=(
            _month_strategy(),
            Strategy(
                "jump",
                (
                    Open(PACKAGE),
                    Tap("跳转到日期"),
                    TypeText("{month}", into="月份"),
                    TypeText("{number}", into="日期"),
                    Tap("确定"),
                ),
            ),
            voice_strategy(PACKAGE, "{day}有什么安排"),
        ),
    ),
    Goal(
        name="delete_event",
        words=("{day}的{title}取消了，删掉吧", "把日历里的{title}删了", "删除{title}", "{title}不去了"),
        cases=_event_cases,
        rule=_is_gone,
        strategies=(
            Strategy("held", (*_AGENDA, Hold("{title}"), Tap("删除日程"), Tap("删除"))),
            Strategy("search", (*_SEARCH, Tap("删除日程"), Tap("删除"))),
            _month_strategy(Tap("{title}"), Tap("删除日程"), Tap("删除")),
            voice_strategy(PACKAGE, "删除{title}"),
        ),
    ),
    Goal(
        name="move_event",
        words=(
            "{title}改到{hour}点",
            "把{day}的{title}挪到{hour}点",
            "{title}时间变了，{hour}点开始",
            "{title}调到{hour}点",
        ),
        cases=_moved_event_cases,
        rule=lambda states, arguments: any(
            (event["title"], event["hour"], event["day"])
            == (arguments["title"], arguments["hour"], arguments["date"])
            for event in states[PACKAGE]["events"]
        ),
        strategies=(
            Strategy("agenda", (*_AGENDA, Tap("{title}"), *_MOVE)),
            Strategy("search", (*_SEARCH, *_MOVE)),
            _month_strategy(Tap("{title}"), *_MOVE),
            voice_strategy(PACKAGE, "把{title}改到{hour}点"),
        ),
    ),
)
