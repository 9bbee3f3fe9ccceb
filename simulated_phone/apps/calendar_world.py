"""The calendar's world: what stands in a fresh one, what a sentence names, what people want of it."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from simulated_phone import voice
from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText

PACKAGE = "com.android.calendar"
WEEKDAYS = "一二三四五六日"
HOURS = range(6, 24)
MINUTES = (0, 15, 30, 45)
MONTHS = 5
"""How many months the calendar shows from the current one."""
TITLES = (
    "牙医复诊", "年度体检", "家长会", "同学聚会", "项目评审", "部门周会",
    "面试候选人", "客户拜访", "交房租", "还信用卡", "接机", "看话剧",
    "瑜伽课", "游泳训练", "给车做保养", "取快递", "理发", "社区志愿活动",
    "驾照换证", "生日聚餐", "婚礼彩排", "钢琴课", "搬家", "疫苗接种",
    "读书会", "烘焙课", "复查视力", "羽毛球比赛", "签合同", "提交报告",
)  # fmt: skip
_FIRST, _LAST = date(2025, 4, 12), date(2025, 6, 30)
"""The days that goals are about: far enough ahead for a month of a phone's life to begin before them."""
NAMED = {"大后天": 3, "后天": 2, "明天": 1, "今天": 0}


def day_words(day: date) -> str:
    """A day as it is said: 4月15日."""
    return f"{day.month}月{day.day}日"


def time_words(event: Mapping[str, Any]) -> str:
    """When an event begins: 15:00."""
    return f"{event['hour']:02d}:{event['minute']:02d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenEvent:
    """What a sentence says: a day, an hour and a minute where named, and the rest of it."""

    day: date | None
    hour: int | None
    minute: int
    rest: str


def understood(sentence: str, today: date) -> SpokenEvent:
    """The day, time and title in a sentence.

    >>> understood("明天下午三点半开会", date(2025, 3, 10))
    SpokenEvent(day=datetime.date(2025, 3, 11), hour=15, minute=30, rest='开会')
    """
    words = voice.with_digits(sentence)
    day, words = _take_day(words, today)
    hour, minute = None, 0
    time = re.search(r"(上午|早上|中午|下午|晚上)?(\d{1,2})[点时:：](半|\d{1,2})?分?", words)
    if time:
        hour, minute = int(time[2]), 30 if time[3] == "半" else int(time[3] or 0)
        hour += 12 if time[1] in ("下午", "晚上") and hour < 12 else 0
        if hour > 23 or minute > 59:
            hour, minute = None, 0
        else:
            words = words.replace(time[0], "", 1)
    return SpokenEvent(day=day, hour=hour, minute=minute, rest=words.strip(" ，,。"))


def _take_day(words: str, today: date) -> tuple[date | None, str]:
    for name, ahead in NAMED.items():
        if name in words:
            return today + timedelta(days=ahead), words.replace(name, "", 1)
    named = re.search(r"(\d{1,2})月(\d{1,2})[日号]?", words)
    day = coming(int(named[1]), int(named[2]), today) if named else None
    return (day, words.replace(named[0], "", 1)) if named and day else (None, words)


def coming(month: int, day: int, today: date) -> date | None:
    """The next day of that month and number, today included; None where there is no such day."""
    for year in (today.year, today.year + 1):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= today:
            return found
    return None


def initial(rng: random.Random) -> State:
    """A few things to do this month, and some in the months to come."""
    titles = rng.sample(TITLES, 10)
    days = rng.sample(range(21), 4) + [33 + ahead for ahead in rng.sample(range(60), 6)]
    events = [
        {
            "id": number,
            "day": (date(2025, 3, 10) + timedelta(days=ahead)).isoformat(),
            "hour": rng.randint(8, 20),
            "minute": 0,
            "title": title,
        }
        for number, (title, ahead) in enumerate(zip(titles, days, strict=True), 1)
    ]
    return {"events": events, "next": 11, "viewed": ""}


def _fresh(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _days() -> list[date]:
    return [_FIRST + timedelta(days=ahead) for ahead in range((_LAST - _FIRST).days + 1)]


def _named(day: date) -> dict[str, Any]:
    return {"day": day_words(day), "date": day.isoformat(), "month": day.month, "number": day.day}


def _new_events(seed: int) -> list[Arguments]:
    taken = {event["title"] for event in _fresh(seed)["events"]}
    rng = generator(f"{PACKAGE}:new", seed)
    days = _days()
    return [
        {**_named(rng.choice(days)), "hour": rng.randint(8, 21), "title": title}
        for title in TITLES
        for _ in range(4)
        if title not in taken
    ]


def _own_events(seed: int) -> list[dict[str, Any]]:
    return [event for event in _fresh(seed)["events"] if event["day"] >= _FIRST.isoformat()]


def _kept_events(seed: int) -> list[Arguments]:
    return [
        {**_named(date.fromisoformat(event["day"])), "title": event["title"]} for event in _own_events(seed)
    ]


def _moved_events(seed: int) -> list[Arguments]:
    return [
        {**_named(date.fromisoformat(event["day"])), "title": event["title"], "hour": hour}
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


SENTENCE = "一句话新建日程"
"""The hint of the field that makes an event from a sentence."""


def _spoken(words: str) -> Strategy:
    return Strategy("voice", (Open(PACKAGE), Tap("语音"), TypeText(words, into=voice.LISTENS), Tap("完成")))


def _by_month(*then: Step) -> Strategy:
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
        cases=_new_events,
        rule=_is_added,
        ways=(
            _by_month(Tap("添加日程"), _TITLE, Tap("{hour}时"), Tap("保存")),
            Strategy("plus", (Open(PACKAGE), Tap("新建日程"), *_FILL)),
            Strategy(
                "sentence", (Open(PACKAGE), TypeText("{day}{hour}点{title}", into=SENTENCE), Tap("新建"))
            ),
            _spoken("{day}{hour}点{title}"),
            Strategy("shortcut", (Press("home"), Hold("日历"), Tap("新建日程"), *_FILL)),
            Strategy("widget", (Press("home"), Tap("新建日程"), *_FILL)),
        ),
    ),
    Goal(
        name="see_day",
        words=("{day}有什么安排", "看一下{day}的日程", "{day}那天有空吗", "{day}是星期几，有没有事"),
        cases=lambda seed: [_named(day) for day in _days()],
        rule=lambda states, arguments: states[PACKAGE]["viewed"] == arguments["date"],
        ways=(
            _by_month(),
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
            _spoken("{day}有什么安排"),
        ),
    ),
    Goal(
        name="delete_event",
        words=("{day}的{title}取消了，删掉吧", "把日历里的{title}删了", "删除{title}", "{title}不去了"),
        cases=_kept_events,
        rule=_is_gone,
        ways=(
            Strategy("held", (*_AGENDA, Hold("{title}"), Tap("删除日程"), Tap("删除"))),
            Strategy("search", (*_SEARCH, Tap("删除日程"), Tap("删除"))),
            _by_month(Tap("{title}"), Tap("删除日程"), Tap("删除")),
            _spoken("删除{title}"),
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
        cases=_moved_events,
        rule=lambda states, arguments: any(
            (event["title"], event["hour"], event["day"])
            == (arguments["title"], arguments["hour"], arguments["date"])
            for event in states[PACKAGE]["events"]
        ),
        ways=(
            Strategy("agenda", (*_AGENDA, Tap("{title}"), *_MOVE)),
            Strategy("search", (*_SEARCH, *_MOVE)),
            _by_month(Tap("{title}"), *_MOVE),
            _spoken("把{title}改到{hour}点"),
        ),
    ),
)
