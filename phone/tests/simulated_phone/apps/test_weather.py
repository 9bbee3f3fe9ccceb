"""The weather app: its rules, and taps outside any strategy."""

from __future__ import annotations

from datetime import date

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import GoalInstance, Phone
from simulated_phone.apps.weather.data import CITIES, PACKAGE, find_day
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


def test_values_of_a_day_are_plausible() -> None:
    for number, city in enumerate(CITIES):
        day = find_day(city, date(2025, 1 + number % 12, 5), number)
        assert day.low < day.high
        assert day.low < 8 or day.sky != "小雪"


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


def test_a_search_without_result_is_reported(phone: Phone) -> None:
    GesturePlayer(phone).play([Open(PACKAGE), Tap("城市管理"), TypeText("火星", into="搜索城市")])
    assert "没有找到城市" in phone.tree()


def test_an_alert_is_switched_off_by_voice(phone: Phone) -> None:
    city = phone.state[PACKAGE]["cities"][2]
    name = f"{city} 大风提醒"
    on = name in phone.state[PACKAGE]["alerts"]
    GesturePlayer(phone).play(spoken_steps(f"打开{city}的大风提醒"))
    assert name in phone.state[PACKAGE]["alerts"]
    GesturePlayer(phone).play(spoken_steps(f"关闭{city}的大风提醒"))
    assert name not in phone.state[PACKAGE]["alerts"]
    switched = [fact.arguments["on"] for fact in phone.facts if fact.name == "alert_switched"]
    assert switched == ([False] if on else [True, False])
