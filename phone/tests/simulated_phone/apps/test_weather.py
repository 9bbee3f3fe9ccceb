"""The weather app: its rules, and taps outside any strategy."""

from __future__ import annotations

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import GoalInstance, Phone
from simulated_phone.apps.weather.data import PACKAGE, find_day
from simulated_phone.goals.steps import Open, Press, Tap, TypeText
from simulated_phone.people.gestures import GesturePlayer

spoken_steps = AppSteps(PACKAGE).spoken


def test_all_pages_show_the_same_weather_of_a_day(phone: Phone) -> None:
    city = phone.state[PACKAGE]["cities"][0]
    day = find_day(city, phone.now.date(), phone.seed)
    shown = f"{day.low}° / {day.high}°"
    GesturePlayer(phone).play([Open(PACKAGE)])
    assert shown in phone.tree()
    GesturePlayer(phone).play([Tap("15天预报")])
    assert shown in phone.tree()


def test_the_home_city_cannot_be_removed(phone: Phone) -> None:
    cities = list(phone.state[PACKAGE]["cities"])
    GesturePlayer(phone).play(spoken_steps(f"删除{cities[0]}"))
    assert phone.state[PACKAGE]["cities"] == cities
    assert phone.toast == "不能删除"
    GesturePlayer(phone).play([Open(PACKAGE), Tap("城市管理"), Tap("编辑")])
    assert f"删除{cities[0]}" not in phone.tree()
    assert f"删除{cities[1]}" in phone.tree()


def test_removing_a_city_removes_its_alerts(phone: Phone) -> None:
    city = phone.state[PACKAGE]["cities"][1]
    assert any(alert.startswith(city) for alert in phone.state[PACKAGE]["alerts"])
    GesturePlayer(phone).play(spoken_steps(f"删除{city}"))
    assert not any(alert.startswith(city) for alert in phone.state[PACKAGE]["alerts"])


def test_adding_twice_adds_once(phone: Phone) -> None:
    GesturePlayer(phone).play([*spoken_steps("添加拉萨"), *spoken_steps("关注拉萨")])
    assert phone.state[PACKAGE]["cities"].count("拉萨") == 1
    assert [fact.name for fact in phone.facts if fact.app == PACKAGE] == ["said", "city_added", "said"]


def test_a_search_alone_views_no_city(phone: Phone) -> None:
    before = phone.state[PACKAGE]["viewed"]
    GesturePlayer(phone).play([Open(PACKAGE), Tap("城市管理"), Tap("按省份查找"), Tap("西藏"), Press("back")])
    assert phone.state[PACKAGE]["viewed"] == before
    GesturePlayer(phone).play([Tap("西藏"), Tap("拉萨")])
    assert phone.achieved(GoalInstance(package=PACKAGE, goal="see_city", arguments={"city": "拉萨"}))


def test_enter_opens_the_only_city_found(phone: Phone) -> None:
    GesturePlayer(phone).play([Open(PACKAGE), Tap("城市管理"), TypeText("江", into="搜索城市")])
    phone.press_key("KEYCODE_ENTER")
    assert phone.state[PACKAGE]["viewed"] != "丽江"
    GesturePlayer(phone).play([TypeText("丽江", into="搜索城市", clear=True)])
    phone.press_key("KEYCODE_ENTER")
    assert phone.state[PACKAGE]["viewed"] == "丽江"
