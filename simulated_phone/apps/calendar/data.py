"""The calendar's data: events of a fresh phone, wording of days and times, and parsing of spoken events."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from simulated_phone import voice
from simulated_phone.app_definition import State

PACKAGE, LABEL = "com.android.calendar", "日历"
WEEKDAYS = "一二三四五六日"
HOURS = range(6, 24)
MINUTES = (0, 15, 30, 45)
MONTHS = 5
"""Number of months that the calendar shows, from the current one."""
TITLES = (
    "牙医复诊", "年度体检", "家长会", "同学聚会", "项目评审", "部门周会",
    "面试候选人", "客户拜访", "交房租", "还信用卡", "接机", "看话剧",
    "瑜伽课", "游泳训练", "给车做保养", "取快递", "理发", "社区志愿活动",
    "驾照换证", "生日聚餐", "婚礼彩排", "钢琴课", "搬家", "疫苗接种",
    "读书会", "烘焙课", "复查视力", "羽毛球比赛", "签合同", "提交报告",
)  # fmt: skip
FIRST_DAY, LAST_DAY = date(2025, 4, 12), date(2025, 6, 30)
"""First and last day of events in goals: later than the month in which simulated people use their phones."""
SENTENCE, SEARCH = "一句话新建日程", "搜索日程"
"""Hints of the fields that add an event from a sentence, and that search events."""
NAMED_DAYS = {"大后天": 3, "后天": 2, "明天": 1, "今天": 0}


def day_words(day: date) -> str:
    """A day in words: 4月15日."""
    return f"{day.month}月{day.day}日"


def time_words(event: Mapping[str, Any]) -> str:
    """The start of an event: 15:00."""
    return f"{event['hour']:02d}:{event['minute']:02d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenEvent:
    """Day, hour and minute that a sentence names, and the rest of the sentence."""

    day: date | None
    hour: int | None
    minute: int
    rest: str


def parse_event(sentence: str, today: date) -> SpokenEvent:
    """Parse the day, time and title in a sentence.

    >>> parse_event("明天下午三点半开会", date(2025, 3, 10))
    SpokenEvent(day=datetime.date(2025, 3, 11), hour=15, minute=30, rest='开会')
    """
    words = voice.with_digits(sentence)
    day, words = _split_off_day(words, today)
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


def _split_off_day(words: str, today: date) -> tuple[date | None, str]:
    for name, ahead in NAMED_DAYS.items():
        if name in words:
            return today + timedelta(days=ahead), words.replace(name, "", 1)
    named = re.search(r"(\d{1,2})月(\d{1,2})[日号]?", words)
    day = next_date(int(named[1]), int(named[2]), today) if named else None
    return (day, words.replace(named[0], "", 1)) if named and day else (None, words)


def next_date(month: int, day: int, today: date) -> date | None:
    """The next date with that month and day, today included; None if the day does not exist."""
    for year in (today.year, today.year + 1):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= today:
            return found
    return None


def initial(rng: random.Random) -> State:
    """Draw events of this month and of the following months."""
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
