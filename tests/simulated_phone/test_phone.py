"""A phone in use: time, keys, back stack, typing, snapshots, and walks at random."""

from __future__ import annotations

import time

import pytest

from simulated_phone import Phone, PhoneSetupError, TreeUnavailableError
from simulated_phone.app_definition import generator
from tests.simulated_phone.walks import node, small, touch, walk

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
def test_every_clickable_node_is_what_a_tap_on_its_centre_acts_on(seed: int, steps: int) -> None:
    phone = small(seed)
    if seed == 3:
        phone.set_fault("rotation", True)
    rng = generator("test", seed)
    for _ in walk(phone, rng, steps):
        screen = phone.screen()
        for found in screen.nodes():
            assert not found.box.empty, found
            assert found.box.clip(screen.frame) == found.box, found
            if found.clickable:
                assert screen.touched(*found.box.centre) is found, found


@pytest.mark.parametrize(
    ("seed", "steps"),
    [(1, 15), *(pytest.param(seed, 40, marks=pytest.mark.soak) for seed in range(3))],
)
def test_every_clickable_node_acts(seed: int, steps: int) -> None:
    phone = small(seed)
    rng = generator("test", seed + 50)
    idle: set[tuple[str, str, str]] = set()
    for _ in walk(phone, rng, steps):
        before = phone.snapshot()
        before.data["toast"] = None
        shown = phone.shown()
        windows = [window for window in phone.screen().windows if not window.chrome and not window.behind]
        nodes = [n for window in windows for n in window.root.walk()]
        for found in [n for n in nodes if n.clickable and not n.selected and not n.focused]:
            phone.tap(*found.box.centre)
            after = phone.snapshot()
            after.data["now"] = before.data["now"]
            if after == before:
                idle.add((shown.package, shown.entry["page"], found.label()))
            phone.restore(before)
    assert not idle


def test_pixels_trees_and_facts_follow_from_seed_and_actions() -> None:
    records = []
    for _ in range(2):
        phone = small(7)
        record = []
        for number, _kind in enumerate(walk(phone, generator("test", 9), 60)):
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
def test_restore_brings_everything_back_and_the_same_future(seed: int) -> None:
    phone = small(seed)
    list(walk(phone, generator("test", seed), 80))
    kept = phone.snapshot()
    ends = []
    for _ in range(2):
        phone.restore(kept)
        assert phone.snapshot() == kept
        list(walk(phone, generator("test", 1000), 60))
        ends.append((phone.tree(), phone.snapshot(), phone.screenshot().tobytes()))
    assert ends[0] == ends[1]
    phone.reset()
    assert phone.snapshot() == small(seed).snapshot()


@pytest.mark.parametrize("seed", SEEDS)
def test_back_from_anywhere_reaches_home(seed: int) -> None:
    phone = small(seed)
    for _ in walk(phone, generator("test", seed + 5), 120):
        kept = phone.snapshot()
        for _ in range(20):
            if phone.foreground[0] == LAUNCHER and phone.tasks.depth == 1 and not phone.shown().focus:
                break
            phone.press_key("KEYCODE_BACK")
        assert phone.foreground == (LAUNCHER, ".Launcher")
        phone.restore(kept)


def test_reset_takes_under_five_milliseconds(phone: Phone) -> None:
    list(walk(phone, generator("test", 1), 50))
    took = []
    for _ in range(10):
        begun = time.process_time()
        phone.reset()
        took.append(time.process_time() - begun)
    assert min(took) < 0.005


def test_the_same_screen_is_the_same_picture_and_a_callers_copy_is_its_own(phone: Phone) -> None:
    first = phone.screenshot()
    first.putpixel((5, 5), (1, 2, 3))
    assert phone.screenshot().getpixel((5, 5)) != (1, 2, 3)
    assert phone.screenshot_png() is phone.screenshot_png()


def test_starting_and_stopping_apps(phone: Phone) -> None:
    assert phone.start(f"{CLOCK}/.DeskClock")
    assert phone.foreground == (CLOCK, ".DeskClock")
    assert phone.start(f"{CLOCK}/{CLOCK}.DeskClock")
    assert not phone.start("com.example.none")
    assert not phone.start(f"{CLOCK}/.Other")
    phone.stop(CLOCK)
    assert phone.foreground[0] == LAUNCHER
    assert phone.activity_of(CLOCK) == ".DeskClock"
    assert phone.activity_of("com.example.none") is None
    assert CLOCK in phone.packages()


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
    for key in ("大写", "Q", "w"):
        touch(phone, key)
    assert phone.shown().focus is not None
    assert phone.shown().focus.text == "吃药 & <休息aQw"  # type: ignore[union-attr]
    assert 'text="吃药 &amp; &lt;休息aQw"' in phone.tree("release")
    phone.press_key("KEYCODE_BACK")
    assert phone.shown().focus is None
    assert node(phone, "保存").clickable


def test_a_chain_of_pages_is_forgotten_from_below_but_not_its_first(phone: Phone) -> None:
    phone.start("com.netease.cloudmusic")
    touch(phone, "歌手")
    for _ in range(15):
        phone.tasks.push("artists", {})
    assert phone.tasks.depth == 12
    assert [phone.tasks.stack[0]["page"], phone.tasks.stack[1]["page"]] == ["home", "artists"]


def test_time_passes_with_actions_and_waiting_only(phone: Phone) -> None:
    begun = phone.now
    phone.screenshot()
    assert phone.now == begun
    phone.tap(1, 1)
    assert phone.now > begun
    phone.wait(90)
    assert (phone.now - begun).total_seconds() > 90
    assert f"{phone.now:%H:%M}" in phone.tree()


def test_a_long_press_without_an_answer_is_a_tap(phone: Phone) -> None:
    phone.start(CLOCK)
    x, y = node(phone, "添加闹钟").box.centre
    phone.swipe(x, y, x, y, 800)
    assert node(phone, "保存").clickable


def test_scrolling_moves_by_the_fingers_way_and_stops_at_the_ends(phone: Phone) -> None:
    phone.start(CLOCK)
    touch(phone, "世界时钟")
    touch(phone, "添加城市")
    first = [n.text for n in phone.screen().nodes() if n.view_id == "title"]
    phone.swipe(270, 800, 270, 700)
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


def test_settings_reach_the_status_bar_and_quick_settings(phone: Phone) -> None:
    assert "WLAN 已连接" in phone.tree()
    phone.settings["global"]["wifi_on"] = "0"
    assert "WLAN 已连接" not in phone.tree()
    phone.swipe(270, 5, 270, 500)
    touch(phone, "蓝牙")
    assert phone.settings["global"]["bluetooth_on"] == "1"
    phone.press_key("KEYCODE_BACK")
    assert phone.foreground[0] == LAUNCHER


def test_rotation_turns_the_frame(phone: Phone) -> None:
    phone.settings["system"]["user_rotation"] = "1"
    assert phone.size == (1200, 540)
    assert phone.screenshot().size == (1200, 540)
    assert 'rotation="1"' in phone.tree()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"size": (0, 0)}, "expected an upright display"),
        ({"size": (2400, 1080)}, "expected an upright display"),
        ({"density": 0}, "expected an upright display"),
        ({"faults": ["gremlins"]}, "expected a fault of advertisement"),
    ],
)
def test_an_impossible_phone_is_refused_in_words(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(PhoneSetupError, match=words):
        Phone(**arguments)  # type: ignore[arg-type]


def test_an_unknown_dialect_is_refused(phone: Phone) -> None:
    with pytest.raises(ValueError, match="expected a dialect"):
        phone.tree("html")


def test_no_tree(phone: Phone) -> None:
    phone.set_fault("no_tree", True)
    with pytest.raises(TreeUnavailableError, match="could not get idle state"):
        phone.tree()
    phone.set_fault("no_tree", False)
    assert phone.tree().startswith("<?xml")
