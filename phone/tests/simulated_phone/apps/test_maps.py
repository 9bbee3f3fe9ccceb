"""The maps app: its rules, and taps outside any strategy."""

from __future__ import annotations

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from phone.tests.simulated_phone.random_use import visible_texts
from simulated_phone import GoalInstance, Phone
from simulated_phone.apps.maps.canvas import Canvas, Pin
from simulated_phone.apps.maps.data import PACKAGE, SEARCH, places
from simulated_phone.goals.steps import Press, Tap, TypeText
from simulated_phone.people.gestures import GesturePlayer
from simulated_phone.screens.nodes import PixelBox, action_ref
from simulated_phone.screens.theme import Theme

_STEPS = AppSteps(PACKAGE)
play, speak = _STEPS.play, _STEPS.speak


def test_neither_a_shown_route_nor_an_ended_navigation_counts(phone: Phone) -> None:
    place = places(4)[0]
    wanted = GoalInstance(
        package=PACKAGE, goal="navigate", arguments={"place": place.name, "kind": place.kind}
    )
    play(phone, Tap(place.kind), Tap(place.name), Tap("去这里"))
    assert not phone.achieved(wanted)
    GesturePlayer(phone).play([Tap("开始导航")])
    assert phone.achieved(wanted)
    assert phone.state[PACKAGE]["recent"][0] == place.name
    GesturePlayer(phone).play([Tap("结束导航")])
    assert not phone.achieved(wanted)
    assert [fact.name for fact in phone.facts][-2:] == ["navigation_started", "navigation_stopped"]


def test_navigation_continues_behind_the_home_page(phone: Phone) -> None:
    place = places(4)[3]
    speak(phone, f"骑行去{place.name}")
    GesturePlayer(phone).play([Tap("开始导航"), Press("back")])
    assert f"正在导航：{place.name}" in visible_texts(phone)
    GesturePlayer(phone).play([Tap(f"正在导航：{place.name}"), Tap("结束导航")])
    assert phone.state[PACKAGE]["navigation"] is None
    assert f"正在导航：{place.name}" not in visible_texts(phone)


def test_travel_time_depends_on_the_mode(phone: Phone) -> None:
    place = max(places(4), key=lambda place: place.metres)
    speak(phone, f"导航去{place.name}")
    assert f"{round(place.metres / 500)} 分钟" in visible_texts(phone)
    GesturePlayer(phone).play([Tap("步行")])
    assert f"{round(place.metres / 75)} 分钟" in visible_texts(phone)


def test_search_finds_kinds_and_addresses_and_reports_no_result(phone: Phone) -> None:
    place = places(4)[5]
    play(phone, Tap(SEARCH), TypeText(place.address, into=SEARCH), Tap(place.name), Tap("收藏"))
    assert place.name in phone.state[PACKAGE]["saved"]
    phone.stop(PACKAGE)
    speak(phone, "火星基地")
    assert "没有找到地点" in visible_texts(phone)


def test_a_place_on_the_map_can_be_tapped(phone: Phone) -> None:
    play(phone)
    pin = next(node for node in phone.screen().nodes() if node.view_id == "marker")
    phone.tap(*pin.box.centre)
    assert pin.description in visible_texts(phone)
    assert "去这里" in visible_texts(phone)


def test_pins_lie_inside_the_map_and_do_not_overlap() -> None:
    box = PixelBox(0, 100, 540, 500)
    for seed in range(8):
        pins = [
            Pin(name=one.name, x=one.x, y=one.y, tap=action_ref("show", place=one.name))
            for one in places(seed)
        ]
        node = Canvas(seed=seed, metres=5000, pins=pins, way=(900, -700)).place(box, Theme(density=210))
        assert all(mark.box.clip(box) == mark.box for mark in node.marks)
        drawn = [child.box for child in node.children]
        assert len(drawn) > 3
        assert all(one.clip(two).empty for number, one in enumerate(drawn) for two in drawn[:number])
