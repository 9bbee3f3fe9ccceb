"""Wheel pickers: in both languages, their tree, typed values, and people who turn them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulated_phone import Phone
from simulated_phone.goals.steps import Open, SetWheel, Step, Tap, TypeText
from simulated_phone.language.language import translate
from simulated_phone.people.gestures import Gesture, GestureHabits, GesturePlayer
from simulated_phone.people.wheel_turns import find_next_move, find_wheel
from simulated_phone.phone_errors import StrategyError

CLOCK, CALENDAR = "com.android.deskclock", "com.android.calendar"
DENSITY = 210
ROW = 63


def new_alarm(locale: str = "zh", hour: int = 7, minute: int = 0) -> Phone:
    phone = Phone(seed=4, size=(540, 1200), density=DENSITY, locale=locale)
    draft = {"hour": hour, "minute": minute, "days": "", "label": "", "alarm": None, "typing": False}
    phone.open_page(CLOCK, "edit", draft, {})
    return phone


@pytest.fixture(scope="module")
def shared() -> Phone:
    return new_alarm()


def time_of(phone: Phone) -> tuple[int, int]:
    arguments = phone.shown().entry["arguments"]
    return arguments["hour"], arguments["minute"]


def middle(phone: Phone, title: str = "小时") -> tuple[int, int]:
    node = find_wheel(phone, title)
    assert node is not None
    return node.box.centre


def test_the_tree_is_that_of_a_number_picker() -> None:
    root = ElementTree.fromstring(new_alarm().tree())  # noqa: S314
    pickers = [node for node in root.iter("node") if node.get("class") == "android.widget.NumberPicker"]
    assert [node.get("resource-id") for node in pickers] == ["android:id/hour", "android:id/minute"]
    assert all(node.get("scrollable") == "true" for node in pickers)
    parts = [
        (node.get("class"), node.get("text"), node.get("resource-id"), node.get("clickable"))
        for node in pickers[0]
    ]
    assert parts == [
        ("android.widget.Button", "06", "", "true"),
        ("android.widget.EditText", "07", "android:id/numberpicker_input", "true"),
        ("android.widget.Button", "08", "", "true"),
    ]
    release = new_alarm().tree("release")
    assert 'view_id="android:id/numberpicker_input"' in release


def test_a_clock_of_twelve_hours_has_a_wheel_for_the_half_of_the_day() -> None:
    phone = new_alarm("en", hour=11)
    shown = [node.text for node in phone.screen().nodes() if node.kind.endswith(("Button", "EditText"))]
    assert [text for text in shown if text.isdecimal() or text in ("AM", "PM")] == [
        "10",
        "11",
        "12",
        "59",
        "00",
        "01",
        "AM",
        "PM",
    ]
    # as on Android, the hour takes the half of the day with it
    x, y = middle(phone, "Hour")
    phone.tap(x, y + ROW)
    assert time_of(phone) == (12, 0)
    half = middle(phone, "AM/PM")
    phone.tap(half[0], half[1] - ROW)
    assert time_of(phone) == (0, 0)
    phone.swipe(*half, half[0], half[1] + 60, 2000)
    assert time_of(phone) == (0, 0)
    phone.swipe(*half, half[0], half[1] - 60, 2000)
    assert time_of(phone) == (12, 0)
    GesturePlayer(phone).play([TypeText("9", into="Hour"), Tap(translate("en", "保存"))])
    assert phone.state[CLOCK]["alarms"][-1]["hour"] == 21


@pytest.mark.parametrize(
    ("typed", "wanted"), [("9", 9), ("09", 9), ("0", 0), ("", 7), ("24", 7), ("x", 7), (" 12 ", 12)]
)
def test_a_typed_value_takes_the_place_of_the_old_one(shared: Phone, typed: str, wanted: int) -> None:
    shared.restore(new_alarm().snapshot())
    GesturePlayer(shared).play([TypeText(typed, into="小时"), Tap("保存")])
    assert shared.state[CLOCK]["alarms"][-1]["hour"] == wanted


def test_a_shorter_month_has_its_last_day() -> None:
    phone = Phone(seed=4, size=(540, 1200), density=DENSITY)
    steps: list[Step] = [Open(CALENDAR), Tap("跳转到日期"), SetWheel("日期", "31"), SetWheel("月份", "4")]
    GesturePlayer(phone).play([*steps, Tap("确定")])
    assert phone.state[CALENDAR]["viewed"] == "2025-04-30"


def turns(phone: Phone, habits: GestureHabits, *steps: Step) -> list[Gesture]:
    performed = []
    for gesture in GesturePlayer(phone, habits).gestures(steps):
        performed.append(gesture)
        gesture.perform(phone.finger)
    return performed


@given(
    start=st.integers(0, 1439),
    end=st.integers(0, 1439),
    english=st.booleans(),
    taps=st.booleans(),
)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_people_turn_wheels_to_any_time(start: int, end: int, english: bool, taps: bool) -> None:
    phone = new_alarm("en" if english else "zh", *divmod(start, 60))
    titles = ("Hour", "Minute") if english else ("小时", "分钟")
    habits = GestureHabits(turning="taps" if taps else "swipes")
    for title, value in zip(titles, divmod(end, 60), strict=True):
        assert len(turns(phone, habits, SetWheel(title, str(value)))) <= 12
    assert time_of(phone) == divmod(end, 60)


def test_who_likes_to_tap_taps_where_it_is_near() -> None:
    near = SetWheel("小时", "3")
    tapped = turns(new_alarm(), GestureHabits(turning="taps"), near)
    assert [(gesture.kind, gesture.label) for gesture in tapped] == [("tap", f"0{n}") for n in (6, 5, 4, 3)]
    far = turns(new_alarm(), GestureHabits(turning="taps"), SetWheel("分钟", "30"))
    assert {gesture.kind for gesture in far} >= {"swipe"}
    # whoever swipes makes the fewest gestures, over the wheel's end where that is shorter
    assert len(turns(new_alarm(), GestureHabits(), near)) <= 4
    assert len(turns(new_alarm(minute=58), GestureHabits(), SetWheel("分钟", "0"))) == 2


def test_a_value_that_a_wheel_lacks_is_an_error(shared: Phone) -> None:
    shared.restore(new_alarm().snapshot())
    node = find_wheel(shared, "小时")
    assert node is not None
    with pytest.raises(StrategyError, match="has no value '24'"):
        find_next_move(shared, node, "24", "swipes")
    with pytest.raises(StrategyError, match="no wheel '秒'"):
        GesturePlayer(shared).play([SetWheel("秒", "1")])


def test_a_swipe_beside_the_wheels_moves_the_page() -> None:
    phone = Phone(seed=4, size=(540, 960), density=260)
    draft = {"hour": 7, "minute": 0, "days": "", "label": "", "alarm": 1, "typing": False}
    phone.open_page(CLOCK, "edit", draft, {})
    GesturePlayer(phone, GestureHabits()).play([Tap("删除闹钟")])
    assert phone.shown().entry["page"] == "ask_delete"
    assert phone.tasks.stack[-2]["arguments"]["hour"] == 7
