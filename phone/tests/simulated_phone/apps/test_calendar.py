"""The calendar app: sentences, dates, and taps outside any strategy."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import GoalInstance, Phone
from simulated_phone.apps.calendar.data import (
    PACKAGE,
    SENTENCE,
    SpokenEvent,
    day_words,
    parse_event,
)
from simulated_phone.goals.steps import Open, Press, SetWheel, Step, Tap, TypeText
from simulated_phone.people.gestures import GesturePlayer

spoken_steps = AppSteps(PACKAGE).spoken

TODAY = date(2025, 3, 10)


def events(phone: Phone) -> list[dict[str, Any]]:
    return list(phone.state[PACKAGE]["events"])


@pytest.mark.parametrize(
    ("sentence", "day", "hour", "minute", "rest"),
    [
        ("明天下午三点半开会", date(2025, 3, 11), 15, 30, "开会"),
        ("4月15日9点牙医复诊", date(2025, 4, 15), 9, 0, "牙医复诊"),
        ("大后天晚上8点看电影", date(2025, 3, 13), 20, 0, "看电影"),
        ("三月九号扫墓", date(2026, 3, 9), None, 0, "扫墓"),
        ("今天30点睡觉", TODAY, None, 0, "30点睡觉"),
        ("2月30日交作业", None, None, 0, "2月30日交作业"),
        ("8:45出门", None, 8, 45, "出门"),
    ],
)
def test_parse_event_reads_day_time_and_title(
    sentence: str, day: date | None, hour: int | None, minute: int, rest: str
) -> None:
    assert parse_event(sentence, TODAY) == SpokenEvent(day=day, hour=hour, minute=minute, rest=rest)


def test_an_event_without_a_title_is_not_saved(phone: Phone) -> None:
    before = events(phone)
    GesturePlayer(phone).play([Open(PACKAGE), Tap("新建日程"), SetWheel("小时", "10"), Tap("保存")])
    assert events(phone) == before
    assert phone.toast == "请输入标题"
    GesturePlayer(phone).play([TypeText("  ", into="标题"), Tap("保存")])
    assert events(phone) == before


def test_typed_text_stays_while_the_day_is_picked(phone: Phone) -> None:
    GesturePlayer(phone).play(
        [
            Open(PACKAGE),
            Tap("新建日程"),
            TypeText("钓鱼", into="标题"),
            Tap("日期"),
            Tap("5月3日"),
            Tap("保存"),
        ]
    )
    assert events(phone)[-1] == {"id": 11, "day": "2025-05-03", "hour": 9, "minute": 0, "title": "钓鱼"}


def test_editing_changes_only_the_edited_event(phone: Phone) -> None:
    event = events(phone)[0]
    day = day_words(date.fromisoformat(event["day"]))
    steps: list[Step] = [Open(PACKAGE), Tap(day), Tap(event["title"]), Tap("编辑")]
    GesturePlayer(phone).play([*steps, TypeText("新名字", into="标题", clear=True), Tap("保存")])
    assert len(events(phone)) == 10
    assert next(e for e in events(phone) if e["id"] == event["id"]) == event | {"title": "新名字"}
    assert "新名字" in phone.tree()


def test_deleting_an_event_can_be_cancelled(phone: Phone) -> None:
    event = events(phone)[5]
    steps: list[Step] = [Open(PACKAGE), Tap("日程"), Tap(event["title"]), Tap("删除日程"), Tap("取消")]
    GesturePlayer(phone).play(steps)
    assert len(events(phone)) == 10
    GesturePlayer(phone).play([Tap("删除日程"), Tap("删除")])
    assert event not in events(phone)
    assert event["title"] not in phone.tree()


@pytest.mark.parametrize("typed", ["", "开会", "明天", "2月30日开会"])
def test_a_sentence_without_day_or_title_adds_no_event(phone: Phone, typed: str) -> None:
    GesturePlayer(phone).play([Open(PACKAGE), TypeText(typed, into=SENTENCE), Tap("新建")])
    assert len(events(phone)) == 10
    assert phone.toast.startswith("请写明日期和事情")


@pytest.mark.parametrize(
    ("month", "number", "viewed"),
    [
        ("", "", "2025-03-10"),
        ("四", "5", "2026-03-05"),
        ("13", "1", "2026-03-01"),
        ("4月", "31", "2025-04-10"),
        ("2", "29", ""),
    ],
)
def test_a_typed_date_is_shown_and_what_is_no_value_of_a_wheel_is_not_taken(
    phone: Phone, month: str, number: str, viewed: str
) -> None:
    steps: list[Step] = [
        Open(PACKAGE),
        Tap("跳转到日期"),
        TypeText(month, into="月份"),
        TypeText(number, into="日期"),
    ]
    GesturePlayer(phone).play([*steps, Tap("确定")])
    assert phone.state[PACKAGE]["viewed"] == viewed
    assert (phone.toast == "没有这一天") == (viewed == "")


def test_scrolling_past_a_day_does_not_view_it(phone: Phone) -> None:
    aim = GoalInstance(package=PACKAGE, goal="see_day", arguments={"date": "2025-05-20"})
    GesturePlayer(phone).play([Open(PACKAGE), Tap("5月19日"), Press("back")])
    assert not phone.achieved(aim)
    GesturePlayer(phone).play([Tap("5月20日")])
    assert phone.achieved(aim)
