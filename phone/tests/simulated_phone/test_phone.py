"""The phone: time, keys, back stack, typing, snapshots, and invariants under random use."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.random_use import node, random_actions, small, touch
from simulated_phone import Phone, PhoneSetupError
from simulated_phone.compose import compose
from simulated_phone.goals.app_definition import generator

CLOCK = "com.android.deskclock"
LAUNCHER = "com.android.launcher3"
SEEDS = [1, pytest.param(0, marks=pytest.mark.soak), pytest.param(2, marks=pytest.mark.soak)]


@pytest.fixture
def phone() -> Phone:
    return small()


@pytest.mark.parametrize(
    ("seed", "steps"),
    [(0, 150), (3, 100), *(pytest.param(seed, 500, marks=pytest.mark.soak) for seed in range(4))],
)
def test_a_tap_on_a_clickable_nodes_centre_hits_it(seed: int, steps: int) -> None:
    phone = small(seed)
    if seed == 3:
        phone.set_fault("rotation", True)
    rng = generator("test", seed)
    for _ in random_actions(phone, rng, steps):
        screen = phone.screen()
        for item in screen.nodes():
            assert not item.box.empty, item
            assert item.box.clip(screen.frame) == item.box, item
            if item.clickable:
                assert screen.touched(*item.box.centre) is item, item


def test_the_screen_after_a_wait_is_that_of_a_fresh_layout() -> None:
    phone = small(5)
    phone.set_fault("slow_loading", True)
    for _ in random_actions(phone, generator("test", 5), 60):
        phone.screen()
        phone.wait(0.9)
        assert phone.shown() == compose(phone)


@pytest.mark.parametrize(
    ("seed", "steps"),
    [(1, 15), *(pytest.param(seed, 40, marks=pytest.mark.soak) for seed in range(3))],
)
def test_a_tap_on_every_clickable_node_has_an_effect(seed: int, steps: int) -> None:
    phone = small(seed)
    rng = generator("test", seed + 50)
    idle: set[tuple[str, str, str]] = set()
    for _ in random_actions(phone, rng, steps):
        before = phone.snapshot()
        before.data["toast"] = None
        shown = phone.shown()
        windows = [window for window in phone.screen().windows if not window.chrome and not window.behind]
        nodes = [n for window in windows for n in window.root.walk()]
        for item in [n for n in nodes if n.clickable and not n.selected and not n.focused]:
            phone.tap(*item.box.centre)
            after = phone.snapshot()
            after.data["now"] = before.data["now"]
            if after == before:
                idle.add((shown.package, shown.entry["page"], item.label()))
            phone.restore(before)
    assert not idle


def test_equal_seeds_and_actions_give_equal_pixels_trees_and_facts() -> None:
    records = []
    for _ in range(2):
        phone = small(7)
        record = []
        for number, _kind in enumerate(random_actions(phone, generator("test", 9), 60)):
            record.append(
                (
                    phone.tree(),
                    phone.tree("release"),
                    phone.screenshot().tobytes() if number % 10 == 0 else b"",
                )
            )
        records.append((record, phone.facts, phone.snapshot()))
    assert records[0] == records[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_restored_phone_behaves_identically(seed: int) -> None:
    phone = small(seed)
    list(random_actions(phone, generator("test", seed), 80))
    snapshot = phone.snapshot()
    ends = []
    for _ in range(2):
        phone.restore(snapshot)
        assert phone.snapshot() == snapshot
        list(random_actions(phone, generator("test", 1000), 60))
        ends.append((phone.tree(), phone.snapshot(), phone.screenshot().tobytes()))
    assert ends[0] == ends[1]
    phone.reset()
    assert phone.snapshot() == small(seed).snapshot()


@pytest.mark.parametrize("seed", SEEDS)
def test_back_from_anywhere_reaches_home(seed: int) -> None:
    phone = small(seed)
    for _ in random_actions(phone, generator("test", seed + 5), 120):
        snapshot = phone.snapshot()
        for _ in range(20):
            if phone.foreground[0] == LAUNCHER and phone.tasks.depth == 1 and not phone.shown().focus:
                break
            phone.press_key("KEYCODE_BACK")
        assert phone.foreground == (LAUNCHER, ".Launcher")
        phone.restore(snapshot)


def test_an_app_comes_back_as_it_was_left(phone: Phone) -> None:
    phone.start(CLOCK)
    touch(phone, "添加闹钟")
    phone.press_key("KEYCODE_HOME")
    assert phone.foreground[0] == LAUNCHER
    phone.press_key("KEYCODE_APP_SWITCH")
    touch(phone, "时钟")
    assert node(phone, "保存").clickable
    phone.press_key("KEYCODE_BACK")
    assert phone.foreground[0] == CLOCK
    phone.press_key("KEYCODE_BACK")
    assert phone.foreground[0] == LAUNCHER


def test_typing_goes_where_the_focus_is(phone: Phone) -> None:
    phone.type_text("nowhere")
    phone.start(CLOCK)
    touch(phone, "添加闹钟")
    touch(phone, "闹钟名称")
    phone.type_text("吃药 & <休息>\x07")
    phone.press_key("KEYCODE_DEL")
    phone.press_key("KEYCODE_A")
    for key in ("切换中英文", "大写", "Q", "w"):
        touch(phone, key)
    assert phone.shown().focus is not None
    assert phone.shown().focus.text == "吃药 & <休息aQw"  # type: ignore[union-attr]
    assert 'text="吃药 &amp; &lt;休息aQw"' in phone.tree("release")
    phone.press_key("KEYCODE_BACK")
    assert phone.shown().focus is None
    assert node(phone, "保存").clickable


def test_a_deep_page_stack_drops_pages_above_the_first(phone: Phone) -> None:
    phone.start("com.netease.cloudmusic")
    touch(phone, "歌手")
    for _ in range(15):
        phone.tasks.push("artists", {})
    assert phone.tasks.depth == 12
    assert [phone.tasks.stack[0]["page"], phone.tasks.stack[1]["page"]] == ["home", "artists"]


def test_time_advances_with_actions_and_waits_only(phone: Phone) -> None:
    start = phone.now
    phone.screenshot()
    assert phone.now == start
    phone.tap(1, 1)
    assert phone.now > start
    phone.wait(90)
    assert (phone.now - start).total_seconds() > 90
    assert f"{phone.now:%H:%M}" in phone.tree("windows")


def test_a_long_press_on_a_node_without_long_press_action_is_a_tap(phone: Phone) -> None:
    phone.start(CLOCK)
    x, y = node(phone, "添加闹钟").box.centre
    phone.swipe(x, y, x, y, 800)
    assert node(phone, "保存").clickable


def test_scrolling_follows_the_finger_and_stops_at_the_ends(phone: Phone) -> None:
    phone.start(CLOCK)
    touch(phone, "世界时钟")
    touch(phone, "添加城市")
    first = [n.text for n in phone.screen().nodes() if n.view_id == "title"]
    phone.swipe(270, 800, 270, 700, 2000)
    area = next(n.scroll for n in phone.screen().nodes() if n.scroll)
    assert area.offset == 100
    phone.swipe(270, 800, 270, 100)
    phone.swipe(270, 800, 270, 100)
    area = next(n.scroll for n in phone.screen().nodes() if n.scroll)
    assert area.offset == area.extent
    assert [n.text for n in phone.screen().nodes() if n.view_id == "title"] != first
    for _ in range(4):
        phone.swipe(270, 400, 270, 1100)
    assert [n.text for n in phone.screen().nodes() if n.view_id == "title"] == first


def test_settings_change_the_status_bar_and_quick_settings(phone: Phone) -> None:
    assert "WLAN 已连接" in phone.tree("windows")
    phone.settings["global"]["wifi_on"] = "0"
    assert "WLAN 已连接" not in phone.tree("windows")
    phone.swipe(270, 5, 270, 500)
    touch(phone, "蓝牙")
    assert phone.settings["global"]["bluetooth_on"] == "1"
    phone.press_key("KEYCODE_BACK")
    assert phone.foreground[0] == LAUNCHER


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"size": (0, 0)}, "expected an upright display"),
        ({"size": (2400, 1080)}, "expected an upright display"),
        ({"density": 0}, "expected an upright display"),
        ({"faults": ["gremlins"]}, "expected a fault of advertisement"),
    ],
)
def test_invalid_arguments_raise_setup_errors(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(PhoneSetupError, match=message):
        Phone(**arguments)  # type: ignore[arg-type]


def test_an_unknown_dialect_is_refused(phone: Phone) -> None:
    with pytest.raises(ValueError, match="expected a dialect"):
        phone.tree("html")
