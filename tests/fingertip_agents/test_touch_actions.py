"""A simulated hand's touches in the release's action space."""

from __future__ import annotations

import pytest

from fingertip_agents.touch_actions import convert_gesture
from fingertip_dataset.actions import Click, LongClick, PressRecent, Scroll, Type
from simulated_phone.people.gestures import Gesture


@pytest.mark.parametrize(
    ("touch", "action"),
    [
        (Gesture(kind="tap", x=3, y=4, label="播放"), Click(x=3, y=4, content="播放")),
        (Gesture(kind="tap", x=3, y=4), Click(x=3, y=4)),
        (Gesture(kind="hold", x=3, y=4, label="音乐"), LongClick(x=3, y=4, content="音乐")),
        (Gesture(kind="type", text="晴天"), Type(text="晴天")),
        (Gesture(kind="press", x=9, y=9, text="recents"), PressRecent()),
        (Gesture(kind="swipe", x=5, y=9, to=(5, 1)), Scroll(x=5, y=9, direction="down")),
        (Gesture(kind="swipe", x=5, y=2, to=(5, 9)), Scroll(x=5, y=2, direction="up")),
        (Gesture(kind="swipe", x=9, y=2, to=(1, 3)), Scroll(x=9, y=2, direction="right")),
        (Gesture(kind="swipe", x=1, y=2, to=(9, 3)), Scroll(x=1, y=2, direction="left")),
    ],
)
def test_a_touch_becomes_the_action_of_the_release(touch: Gesture, action: object) -> None:
    assert convert_gesture(touch) == action
