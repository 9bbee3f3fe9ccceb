"""Touches of the finger: their raw events and their effects."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.random_use import node, small, touch
from simulated_phone.touch.touch_stream import (
    ABS_MT_POSITION_X,
    ABS_MT_POSITION_Y,
    ABS_MT_TRACKING_ID,
    BTN_TOUCH,
    EV_ABS,
    EV_KEY,
    EV_SYN,
    RELEASED,
    TouchEvent,
)


def test_a_tap_sends_down_and_up_events_and_acts() -> None:
    phone = small()
    events: list[TouchEvent] = []
    unsubscribe = phone.finger.stream.subscribe(events.extend)
    x, y = node(phone, "时钟").box.centre
    phone.finger.tap(x, y)
    assert phone.foreground[0] == "com.android.deskclock"
    assert (EV_ABS, ABS_MT_POSITION_X, x) in [(e.type, e.code, e.value) for e in events]
    assert (EV_ABS, ABS_MT_POSITION_Y, y) in [(e.type, e.code, e.value) for e in events]
    assert [e.value for e in events if (e.type, e.code) == (EV_KEY, BTN_TOUCH)] == [1, 0]
    assert [e.value for e in events if e.code == ABS_MT_TRACKING_ID] == [1, RELEASED]
    assert events[-1].type == EV_SYN
    unsubscribe()
    phone.finger.tap(x, y)
    assert len([e for e in events if e.type == EV_SYN]) == 2


def test_event_times_increase_and_a_swipe_has_intermediate_points() -> None:
    phone = small()
    events: list[TouchEvent] = []
    phone.finger.stream.subscribe(events.extend)
    phone.start("com.android.deskclock")
    touch(phone, "世界时钟")
    touch(phone, "添加城市")
    phone.finger.swipe(270, 900, 270, 500, 320)
    phone.finger.tap(*node(phone, "搜索城市").box.centre)
    phone.finger.type("巴黎")
    phone.finger.long_press(270, 300)
    times = [event.time for event in events]
    assert times == sorted(times)
    heights = [e.value for e in events if e.code == ABS_MT_POSITION_Y][:21]
    assert heights[0] == 900
    assert heights[-1] == 500
    assert heights == sorted(heights, reverse=True)


def test_typing_touches_the_keyboard_and_enters_the_text() -> None:
    phone = small()
    phone.start("com.netease.cloudmusic")
    touch(phone, "搜索歌曲、歌手、歌单")
    touch(phone, "搜索歌曲、歌手")
    top = node(phone, "q").box.top - 60
    events: list[TouchEvent] = []
    phone.finger.stream.subscribe(events.extend)
    phone.finger.type("晴天")
    assert phone.shown().focus is not None
    assert phone.shown().focus.text == "晴天"  # type: ignore[union-attr]
    heights = [e.value for e in events if e.code == ABS_MT_POSITION_Y]
    assert len(heights) == 2
    assert min(heights) >= top


@pytest.mark.parametrize(
    ("rotation", "panel"), [("0", (30, 100)), ("1", (439, 30)), ("2", (509, 1099)), ("3", (100, 1169))]
)
def test_events_have_unrotated_coordinates(rotation: str, panel: tuple[int, int]) -> None:
    phone = small()
    phone.settings["system"]["user_rotation"] = rotation
    events: list[TouchEvent] = []
    phone.finger.stream.subscribe(events.extend)
    phone.finger.tap(30, 100)
    values = {e.code: e.value for e in events}
    assert (values[ABS_MT_POSITION_X], values[ABS_MT_POSITION_Y]) == panel
