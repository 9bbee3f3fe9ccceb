"""Parsing of getevent lines into touches, and of touches into actions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.actions import Action, Click, LongClick, PressBack, PressHome, PressRecent, Scroll
from fingertip_dataset.errors import DeviceError
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_recorder.touch_to_action import infer_touch_action
from fingertip_recorder.touches import NavigationKey, Panel, RecordedTouch, TouchReader, parse_panel
from simulated_phone import Phone
from simulated_phone.adb.commands.keys.getevent import describe
from tests.examples import examples

REAL = """add device 1: /dev/input/event5
  name:     "gpio-keys"
  events:
    KEY (0001): KEY_VOLUMEUP
add device 2: /dev/input/event3
  name:     "stylus_pad"
  events:
    ABS (0003): ABS_MT_POSITION_X     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 99, fuzz 0, flat 0, resolution 0
add device 3: /dev/input/event4
  name:     "fts_ts"
  events:
    KEY (0001): BTN_TOUCH             BTN_TOOL_FINGER
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min 0, max 10799, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 23999, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
"""
PLAIN = Panel(path="/dev/input/event2", x=(0, 539), y=(0, 1199))
SIZE = (540, 1200)


def read(lines: list[str], panel: Panel = PLAIN) -> list[RecordedTouch | NavigationKey]:
    reader = TouchReader(panel)
    gestures = [reader.feed(line, number) for number, line in enumerate(lines)]
    assert not reader.down
    return [gesture for gesture in gestures if gesture is not None]


def line(code: str, value: str, time: float = 1.0, kind: str = "EV_ABS") -> str:
    return f"[{time:15.6f}] /dev/input/event2: {kind:<12} {code:<20} {value:<20}\r"


SYN = line("SYN_REPORT", "00000000", kind="EV_SYN")


def test_the_touch_panel_is_parsed_from_the_listing() -> None:
    assert parse_panel(REAL) == Panel(path="/dev/input/event4", x=(0, 10799), y=(0, 23999))
    with pytest.raises(DeviceError, match="reports no touch panel"):
        parse_panel(REAL.split("add device 2")[0])


@pytest.mark.parametrize("rotation", [0, 1, 2, 3])
@settings(deadline=None, max_examples=examples(20))
@given(data=st.data())
def test_a_fingers_gesture_is_read_back_as_its_action(rotation: int, data: st.DataObject) -> None:
    phone = Phone(size=SIZE, density=210)
    phone.settings["system"]["user_rotation"] = str(rotation)
    width, height = phone.size
    x, y = data.draw(st.integers(30, width - 31)), data.draw(st.integers(80, height - 81))
    lines: list[str] = []
    prefix = phone.finger.stream.device
    phone.finger.stream.subscribe(
        lambda events: lines.extend(
            f"[{event.time:15.6f}] {prefix}: {describe(event, labels=True)}" for event in events
        )
    )
    kind = data.draw(st.sampled_from(["tap", "hold", "down", "up", "left", "right"]))
    moves = {"down": (0, -60), "up": (0, 60), "right": (-25, 3), "left": (25, -3)}
    expected: Action = Click(x=x, y=y)
    if kind == "tap":
        phone.finger.tap(x, y)
    elif kind == "hold":
        phone.finger.long_press(x, y, 500)
        expected = LongClick(x=x, y=y)
    else:
        dx, dy = moves[kind]
        phone.finger.swipe(x, y, x + dx, y + dy)
        expected = Scroll(x=x, y=y, direction=kind)  # type: ignore[arg-type]
    (touch,) = read(lines)
    assert isinstance(touch, RecordedTouch)
    assert infer_touch_action(touch, PLAIN, size=phone.size, tree=None, rotation=rotation) == expected


def test_an_unchanged_position_is_kept_from_the_touch_before() -> None:
    down = line("ABS_MT_TRACKING_ID", "00000001")
    position = [line("ABS_MT_POSITION_X", "00000010"), line("ABS_MT_POSITION_Y", "00000020")]
    up = line("ABS_MT_TRACKING_ID", "ffffffff")
    first, second = read([down, *position, SYN, up, SYN, down, SYN, up, SYN])
    assert isinstance(first, RecordedTouch)
    assert isinstance(second, RecordedTouch)
    assert first.points == second.points == ((16, 32),)


def test_a_second_finger_is_counted_and_a_navigation_key_is_read() -> None:
    lines = [
        line("ABS_MT_TRACKING_ID", "00000001"),
        line("ABS_MT_POSITION_X", "00000010"),
        line("ABS_MT_POSITION_Y", "00000020"),
        SYN,
        line("ABS_MT_SLOT", "00000001"),
        line("ABS_MT_TRACKING_ID", "00000002"),
        line("ABS_MT_POSITION_X", "00000100"),
        line("ABS_MT_POSITION_Y", "00000100"),
        SYN,
        line("ABS_MT_TRACKING_ID", "ffffffff"),
        SYN,
        line("ABS_MT_SLOT", "00000000"),
        line("ABS_MT_TRACKING_ID", "ffffffff"),
        SYN,
        line("KEY_BACK", "DOWN", kind="EV_KEY"),
        line("KEY_BACK", "UP", kind="EV_KEY"),
    ]
    touch, key = read(lines)
    assert isinstance(touch, RecordedTouch)
    assert (touch.points, touch.fingers) == (((16, 32),), 2)
    assert isinstance(key, NavigationKey)
    assert key.name == "back"


@given(st.lists(st.text(max_size=40) | st.sampled_from([SYN, line("ABS_MT_TRACKING_ID", "zz")])))
@settings(deadline=None, max_examples=examples(50))
def test_any_line_is_accepted(lines: list[str]) -> None:
    reader = TouchReader(PLAIN)
    for text in lines:
        reader.feed(text, 0.0)


def recorded_touch(x: int, y: int, ms: int = 60, to: tuple[int, int] | None = None) -> RecordedTouch:
    return RecordedTouch(points=((x, y), to or (x, y)), ms=ms, fingers=1, seen=(0, 0))


def test_an_action_names_the_touched_element() -> None:
    phone = Phone(size=SIZE, density=210)
    phone.start("com.android.deskclock")
    tree = parse_tree(phone.tree())
    icon = next(element for element in tree.elements if element.text == "计时器")
    x, y = icon.box.center
    expected = Click(x=x, y=y, content="计时器")
    assert infer_touch_action(recorded_touch(x, y), PLAIN, size=SIZE, tree=tree, rotation=0) == expected
    touches = [recorded_touch(x, 1190) for x in (90, 270, 450)]
    tree = parse_tree(phone.tree("release"))
    actions = [infer_touch_action(touch, PLAIN, size=SIZE, tree=tree, rotation=0) for touch in touches]
    assert actions == [PressBack(), PressHome(), PressRecent()]


def test_edge_gestures_are_keys_on_phones_with_gesture_navigation() -> None:
    strokes = {
        (3, 500, 60, 200, 500): PressBack(),
        (538, 500, 60, 300, 500): PressBack(),
        (270, 1198, 60, 270, 800): PressHome(),
        (270, 1198, 700, 270, 800): PressRecent(),
    }
    for (x, y, ms, to_x, to_y), expected in strokes.items():
        touch = recorded_touch(x, y, ms, (to_x, to_y))
        assert infer_touch_action(touch, PLAIN, size=SIZE, tree=None, rotation=0, edges=True) == expected
        assert isinstance(infer_touch_action(touch, PLAIN, size=SIZE, tree=None, rotation=0), Scroll)
