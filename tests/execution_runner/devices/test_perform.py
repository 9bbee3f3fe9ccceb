"""Each action has the same effect on the phone as in the authors' script."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from execution_runner.devices.perform import perform
from fingertip_dataset.actions import (
    Action,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
)


class Hand:
    """A device that records its calls, with a screen of 1080 x 2400 px."""

    def __init__(self) -> None:
        self.done: list[tuple[object, ...]] = []

    def size(self) -> tuple[int, int]:
        return 1080, 2400

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *values: self.done.append((name, *values))


@pytest.mark.parametrize(
    ("action", "done"),
    [
        (Click(x=336, y=1267, content="加"), ("tap", 336, 1267)),
        (Click(x=336.4, y=1267.6), ("tap", 336, 1268)),
        (Click(x=-5, y=9999), ("tap", 0, 2399)),
        (LongClick(x=1, y=2), ("long_press", 1, 2, 1000)),
        (Scroll(x=540, y=1200, direction="down"), ("swipe", 540, 1200, 540, 700, 300)),
        (Scroll(x=540, y=1200, direction="up"), ("swipe", 540, 1200, 540, 1700, 300)),
        (Scroll(x=540, y=1200, direction="right"), ("swipe", 540, 1200, 40, 1200, 300)),
        (Scroll(x=540, y=1200, direction="left"), ("swipe", 540, 1200, 1040, 1200, 300)),
        (Scroll(x=540, y=300, direction="down"), ("swipe", 540, 300, 540, 0, 300)),
        (Type(text="晴天"), ("type_text", "晴天")),
        (PressBack(), ("press_key", "KEYCODE_BACK")),
        (PressHome(), ("press_key", "KEYCODE_HOME")),
        (PressRecent(), ("press_key", "KEYCODE_APP_SWITCH")),
        (Wait(), ("pause", 2.0)),
        (Finished(), None),
    ],
    ids=str,
)
def test_an_action_becomes_one_call(action: Action, done: tuple[object, ...] | None) -> None:
    hand = Hand()
    perform(hand, action, pause=lambda seconds: hand.done.append(("pause", seconds)))  # type: ignore[arg-type]
    assert hand.done == ([done] if done else [])
