"""The calendar's data: events of a fresh phone, wording of days and times, and parsing of spoken events."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from simulated_phone.goals.app_definition import State
from simulated_phone.language.formats import day_of_month, find_month
from simulated_phone.language.language import messages

from ... import voice

_ = messages(__name__)

PACKAGE, LABEL = "com.android.calendar", _("日历")
MONTHS = 5
"""Number of months that the calendar shows, from the current one."""
TITLES = (
    _("牙医复诊"), _("年度体检"), _("家长会"), _("同学聚会"), _("项目评审"), _("部门周会"),
    _("面试候选人"), _("客户拜访"), _("交房租"), _("还信用卡"), _("接机"), _("看话剧"),
    _("瑜伽课"), _("游泳训练"), _("给车做保养"), _("取快递"), _("理发"), _("社区志愿活动"),
    _("驾照换证"), _("生日聚餐"), _("婚礼彩排"), _("钢琴课"), _("搬家"), _("疫苗接种"),
    _("读书会"), _("烘焙课"), _("复查视力"), _("羽毛球比赛"), _("签合同"), _("提交报告"),
)  # fmt: skip
FIRST_DAY, LAST_DAY = date(2025, 4, 12), date(2025, 6, 30)
"""First and last day of events in goals: later than the month in which simulated people use their phones."""
SENTENCE, SEARCH = _("一句话新建日程"), _("搜索日程")
"""Hints of the fields that add an event from a sentence, and that search events."""
NAMED_DAYS = {_("大后天"): 3, _("后天"): 2, _("明天"): 1, _("今天"): 0}


def day_words(day: date) -> str:
    """A day in words: 4月15日."""
    return day_of_month(_, day)


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
    words = voice.write_digits(sentence)
    day, words = _split_off_day(words, today)
    hour, minute = None, 0
    time = re.search(_(r"(上午|早上|中午|下午|晚上)?(\d{1,2})[点时:：](半|\d{1,2})?分?"), words)
    if time:
        hour, minute = int(time[2]), 30 if time[3] == _("半") else int(time[3] or 0)
        hour += 12 if time[1] in (_("下午"), _("晚上")) and hour < 12 else 0
        if hour > 23 or minute > 59:
            hour, minute = None, 0
        else:
            words = words.replace(time[0], "", 1)
    return SpokenEvent(day=day, hour=hour, minute=minute, rest=words.strip(_(" ，,。")))


def _split_off_day(words: str, today: date) -> tuple[date | None, str]:
    for name, ahead in NAMED_DAYS.items():
        if found := re.search(re.escape(name), words, re.IGNORECASE):
            return today + timedelta(days=ahead), words.replace(found[0], "", 1)
    named = re.search(_(r"(\d{1,2}月)(\d{1,2})[日号]?"), words)
    month = find_month(_, named[1]) if named else None
    day = find_next_date(month, int(named[2]), today) if named and month else None
    return (day, words.replace(named[0], "", 1)) if named and day else (None, words)


def find_next_date(month: int, day: int, today: date) -> date | None:
    """The next date with that month and day, today included; None if the day does not exist."""
    for year in (today.year, today.year + 1):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found >= today:
            return found
    return None


def make_state(rng: random.Random) -> State:
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
