"""Frames of the navigation bar and the keyboard, as Android 9 to 16 print them, and the order of keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fingertip_dataset.ui_tree.accessibility import Box
from fingertip_recorder.system_windows import (
    USUAL_ORDER,
    SystemWindows,
    parse_key_order,
    parse_system_windows,
    read_key_order,
    read_system_windows,
)
from simulated_phone.goals.steps import Open, Tap
from simulated_phone.people.gestures import GesturePlayer
from tests.phone_bench import Bench

APP = "  Window #0 Window{1a u0 com.app/com.app.Main}:\n    mFrame=[0,0][1080,2400]\n    isVisible=true\n"
BAR = Box(left=0, top=2274, right=1080, bottom=2400)


def bar_of(lines: str, name: str = "NavigationBar0") -> str:
    return f"{APP}  Window #1 Window{{2b u0 {name}}}:\n{lines}"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            bar_of(
                "    mViewVisibility=0x0 mHaveFrame=true\n    mFrame=[0,2274][1080,2400] last=[0,0][0,0]\n",
                "NavigationBar",
            ),
            BAR,
            id="Android 9",
        ),
        pytest.param(
            bar_of(
                "    Frames: containing=[0,0][1080,2400] parent=[0,2274][1080,2400]\n"
                "        frame=[0,2274][1080,2400] last=[0,2274][1080,2400]\n    isVisible=true\n"
            ),
            BAR,
            id="Android 12",
        ),
        pytest.param(
            bar_of(
                "    Frames: parent=[0,0][1080,2400] display=[0,0][1080,2400] frame=[0,2274][1080,2400]\n"
                "    isVisible=false\n"
            ),
            None,
            id="hidden by a video",
        ),
        pytest.param(bar_of("    mViewVisibility=0x8\n    mFrame=[0,2274][1080,2400]\n"), None, id="gone"),
        pytest.param(bar_of("    mFrame=[0,0][0,0]\n"), None, id="empty"),
        pytest.param(APP, None, id="no bar"),
        pytest.param("Failure while dumping service window\n", None, id="nothing"),
    ],
)
def test_the_frame_of_the_navigation_bar(text: str, found: Box | None) -> None:
    assert parse_system_windows(text).navigation == found


@pytest.mark.parametrize(
    ("text", "top"),
    [
        ("  Window #1 Window{2b u0 InputMethod}:\n    Frames: frame=[0,1395][1080,2400]\n", 1395),
        (
            "  Window #1 Window{2b u0 InputMethod}:\n    mFrame=[0,63][1080,2400] last=[0,63][1080,2400]\n"
            "    mGivenContentInsets=[0,1332][0,0] mGivenVisibleInsets=[0,1332][0,0]\n",
            1395,
        ),
        ("      InsetsSource id=3 type=ime frame=[0,1395][1080,2400] visible=true flags=\n", 1395),
        ("      InsetsSource type=ITYPE_IME frame=[0,1395][1080,2400] visible=true\n", 1395),
        ("  Window #1 Window{2b u0 InputMethod}:\n    mFrame=[0,0][1080,2400]\n", None),
    ],
)
def test_the_frame_of_an_open_keyboard(text: str, top: int | None) -> None:
    found = parse_system_windows(f"  mInputShown=true\n{text}")
    assert found.typing
    assert (found.keyboard and found.keyboard.top) == top
    assert parse_system_windows(f"  mInputShown=false\n{text}") == SystemWindows()


def test_a_bar_at_a_side_has_its_keys_at_the_phones_lower_end() -> None:
    """A phone turned to the left has its lower end at the right, with its left edge below."""
    right = SystemWindows(navigation=Box(left=2274, top=0, right=2400, bottom=1080))
    left = SystemWindows(navigation=Box(left=0, top=0, right=126, bottom=1080))
    assert [right.find_key(2300, y, 1, USUAL_ORDER) for y in (1000, 540, 80)] == ["back", "home", "recent"]
    assert [left.find_key(60, y, 3, USUAL_ORDER) for y in (80, 540, 1000)] == ["back", "home", "recent"]


def test_the_windows_and_the_order_of_keys_of_a_phone(bench: Callable[..., Bench]) -> None:
    rig = bench(seed=3)
    client = rig.device.client
    bar = Box(left=0, top=1142, right=540, bottom=1200)
    assert read_system_windows(client) == SystemWindows(navigation=bar)
    assert read_key_order(client) == USUAL_ORDER
    script = (Open("com.android.deskclock"), Tap("世界时钟"), Tap("添加城市"), Tap("搜索城市"))

    def perform(phone: object) -> None:
        for gesture in GesturePlayer(rig.phone).gestures(script):
            gesture.perform(rig.phone.finger)

    rig.server.do(perform)
    keyboard = Box(left=0, top=816, right=540, bottom=1142)
    assert read_system_windows(client) == SystemWindows(navigation=bar, keyboard=keyboard, typing=True)


def test_a_tree_without_all_keys_tells_no_order() -> None:
    key = '<node resource-id="com.android.systemui:id/back" bounds="[0,0][9,9]" />'
    assert parse_key_order(key) is None
    assert parse_key_order("") is None
