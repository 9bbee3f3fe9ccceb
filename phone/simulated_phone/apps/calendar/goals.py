"""The calendar's goals: add, delete and move events."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from simulated_phone.goals.app_definition import Arguments, States, generator
from simulated_phone.goals.steps import Hold, SetWheel, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, goal
from ...builders.records import record
from ...builders.wheels import DAY, HOUR, MONTH
from . import data
from .data import LABEL, PACKAGE, SEARCH, make_state, time_words

_ = messages(__name__)

CALENDAR = GoalBuilder(PACKAGE, LABEL, make_state)
GOAL_DAYS = [
    data.FIRST_DAY + timedelta(days=ahead) for ahead in range((data.LAST_DAY - data.FIRST_DAY).days + 1)
]


def day_arguments(day: date | str) -> dict[str, Any]:
    """A day, or an ISO date, in words and as ISO date, its month and its number."""
    day = date.fromisoformat(day) if isinstance(day, str) else day
    return {"day": data.day_words(day), "date": day.isoformat(), "month": day.month, "number": day.day}


def _list_new_event_cases(seed: int) -> list[Arguments]:
    taken = {event["title"] for event in CALENDAR.fresh(seed)["events"]}
    rng = generator(f"{PACKAGE}:new", seed)
    return [
        {**day_arguments(rng.choice(GOAL_DAYS)), "hour": rng.randint(8, 21), "title": title}
        for title in data.TITLES
        for _unused in range(4)
        if title not in taken
    ]


def own_events(seed: int) -> list[dict[str, Any]]:
    """The events that lie after the month in which simulated people use their phones."""
    return [event for event in CALENDAR.fresh(seed)["events"] if event["day"] >= data.FIRST_DAY.isoformat()]


def _event_arguments(event: dict[str, Any]) -> dict[str, Any]:
    return {**day_arguments(event["day"]), "title": event["title"]}


def _list_moved_event_cases(seed: int) -> list[Arguments]:
    return [
        {**_event_arguments(event), "hour": hour}
        for event in own_events(seed)
        for hour in range(8, 22)
        if hour != event["hour"]
    ]


def has_event(states: States, **values: object) -> bool:
    """Whether an event has these values."""
    return any(values.items() <= event.items() for event in states[PACKAGE]["events"])


def _is_at(states: States, arguments: Arguments, **more: object) -> bool:
    title, hour, day = (arguments[key] for key in ("title", "hour", "date"))
    return has_event(states, title=title, hour=hour, day=day, **more)


_TITLE = TypeText("{title}", into=_("标题"))
_HOUR = SetWheel(HOUR, "{hour}")
_FILL = (_TITLE, _("日期"), "{day}", _HOUR, _("保存"))
_SEARCH = (_("日程"), TypeText("{title}", into=SEARCH), "{title}")
SEE_EVENT = (CALENDAR.way("agenda", _("日程"), "{title}"), CALENDAR.way("search", *_SEARCH))
"""Ways to the event with the argument `title`."""
ADD_EVENT = (
    CALENDAR.way("sentence", TypeText(_("{day}{hour}点{title}"), into=data.SENTENCE), _("新建")),
    CALENDAR.voice(_("{day}{hour}点{title}")),
    CALENDAR.shortcut(_("新建日程"), *_FILL),
)
"""Ways to a new event with the arguments `day`, `hour` and `title`."""
_MOVE = (_("编辑"), _HOUR, _("保存"))

GOALS = (
    goal(
        "add_event",
        _("{day}{hour}点{title}，记到日历里"),
        _("提醒我{day}{hour}点{title}"),
        _("日历加一个{day}{hour}点的{title}"),
        _("{day}{hour}点要{title}，帮我建个日程"),
        CALENDAR.way("month", "{day}", _("添加日程"), _TITLE, _HOUR, _("保存")),
        CALENDAR.way("plus", _("新建日程"), *_FILL),
        *ADD_EVENT,
        CALENDAR.widget(_("新建日程"), *_FILL),
        cases=_list_new_event_cases,
        rule=lambda states, arguments: _is_at(states, arguments, minute=0),
    ),
    goal(
        "see_day",
        _("{day}有什么安排"),
        _("看一下{day}的日程"),
        _("{day}那天有空吗"),
        _("{day}是星期几，有没有事"),
        CALENDAR.way("month", "{day}"),
        CALENDAR.way(
            "jump", _("跳转到日期"), SetWheel(MONTH, "{month}"), SetWheel(DAY, "{number}"), _("确定")
        ),
        CALENDAR.voice(_("{day}有什么安排")),
        **CALENDAR.chosen("viewed", "date", lambda seed: [day_arguments(day) for day in GOAL_DAYS]),
    ),
    goal(
        "delete_event",
        _("{day}的{title}取消了，删掉吧"),
        _("把日历里的{title}删了"),
        _("删除{title}"),
        _("{title}不去了"),
        CALENDAR.way("held", _("日程"), Hold("{title}"), _("删除日程"), _("删除")),
        CALENDAR.way("search", *_SEARCH, _("删除日程"), _("删除")),
        CALENDAR.way("month", "{day}", "{title}", _("删除日程"), _("删除")),
        CALENDAR.voice(_("删除{title}")),
        cases=lambda seed: [_event_arguments(event) for event in own_events(seed)],
        rule=lambda states, arguments: not has_event(states, title=arguments["title"]),
    ),
    goal(
        "move_event",
        _("{title}改到{hour}点"),
        _("把{day}的{title}挪到{hour}点"),
        _("{title}时间变了，{hour}点开始"),
        _("{title}调到{hour}点"),
        CALENDAR.way("agenda", _("日程"), "{title}", *_MOVE),
        CALENDAR.way("search", *_SEARCH, *_MOVE),
        CALENDAR.way("month", "{day}", "{title}", *_MOVE),
        CALENDAR.voice(_("把{title}改到{hour}点")),
        cases=_list_moved_event_cases,
        rule=_is_at,
    ),
    goal(
        "ask_hour",
        _("{day}的{title}几点开始"),
        _("{title}定在几点"),
        _("查一下日历里{title}是几点"),
        _("我{day}几点{title}"),
        *SEE_EVENT,
        CALENDAR.way("month", "{day}"),
        cases=lambda seed: [_event_arguments(event) for event in own_events(seed)],
        question=asks(
            "time",
            lambda view: time_words(record(view.state["events"], view.arguments["title"], "title")),
        ),
    ),
)
