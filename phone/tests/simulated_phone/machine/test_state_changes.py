"""Changes between two states, and what the ways to a goal say about them: progress and side effects."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simulated_phone import App, Goal, GoalInstance, Phone
from simulated_phone.apps import APPS
from simulated_phone.apps.clock import CLOCK
from simulated_phone.apps.notes.data import WRITE
from simulated_phone.goals.app_definition import generator
from simulated_phone.goals.steps import Hold, Open, Press, Step, Swipe, Tap, TypeText
from simulated_phone.machine.state import BEIJING, copy_json
from simulated_phone.machine.state_changes import canonical, list_state_changes, remove_added
from simulated_phone.people.gestures import GesturePlayer
from simulated_phone.people.goal_ways import GoalWays, StateOutcome, goal_ways, judge_state
from simulated_phone.people.life import Life, PhoneSetup
from simulated_phone.people.person import make_person
from simulated_phone.people.simulation import Simulation

SEED, SIZE = 3, (540, 1200)
SOAK = "FINGERTIP_SOAK" in os.environ
PACKAGES = {app.package: app for app in APPS}
GOALS = [(app, goal) for app in APPS for goal in app.goals]
ALARM = {"id": 1, "hour": 7, "minute": 0, "on": True}


def goal_id(value: object) -> str:
    return str(getattr(value, "name", "") or getattr(value, "english", "") or value)


def words(before: Any, after: Any) -> list[str]:  # noqa: ANN401 - JSON
    """The changes of a state of the clock."""
    package = CLOCK.package
    return [
        change.words(PACKAGES) for change in list_state_changes({package: before}, {package: after}, PACKAGES)
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, ["时钟 a: 1 -> 2"]),
        ({"a": False}, {"a": 0}, ["时钟 a: false -> 0"]),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": "x"}}, ['时钟 a.c: null -> "x"']),
        ({"a": None}, {"a": {"b": 1}}, ["时钟 a.b: null -> 1"]),
        ({}, {"a": []}, ["时钟 a: null -> []"]),
        ({"a": []}, {"a": None}, ["时钟 a: [] -> null"]),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}, []),
        ({"a": ["x"]}, {"a": ["x", "x"]}, ['时钟 a: added "x"']),
        ({"a": ["x"]}, {"a": ["y"]}, ['时钟 a: removed "x"', '时钟 a: added "y"']),
        ({"a": [ALARM]}, {"a": [{**ALARM, "on": False}]}, ["时钟 a[1].on: true -> false"]),
        ({"a": []}, {"a": [ALARM]}, ['时钟 a: added {"hour": 7, "minute": 0, "on": true}']),
        (
            {"a": [{"name": "表哥", "said": []}]},
            {"a": [{"name": "表哥", "said": [{"mine": True, "text": "好"}]}]},
            ['时钟 a[表哥].said: added {"mine": true, "text": "好"}'],
        ),
        # counters and moments
        ({"next": 5}, {"next": 6}, []),
        ({"ride": None}, {"ride": {"id": 9, "to": "家"}}, ['时钟 ride.to: null -> "家"']),
        ({"timer": {"seconds": 0, "until": 0}}, {"timer": {"seconds": 0, "until": 9}}, []),
        (
            {"timer": {"seconds": 0, "until": 0}},
            {"timer": {"seconds": 60, "until": 9}},
            ["时钟 timer.seconds: 0 -> 60"],
        ),
    ],
)
def test_each_change_is_named_once(before: Any, after: Any, expected: list[str]) -> None:  # noqa: ANN401
    assert words(before, after) == expected


def test_a_new_record_counts_by_its_content_whatever_its_number() -> None:
    (one,) = list_state_changes({"x": {"a": []}}, {"x": {"a": [ALARM]}}, PACKAGES)
    (other,) = list_state_changes({"x": {"a": []}}, {"x": {"a": [{**ALARM, "id": 8}]}}, PACKAGES)
    assert one.key == other.key


def test_the_moment_of_a_call_is_not_compared() -> None:
    package = "com.android.dialer"
    after = {package: {"calls": [{"who": "妈妈", "when": "今天 10:03"}]}}
    (change,) = list_state_changes({package: {"calls": []}}, after, PACKAGES)
    assert change.after == {"who": "妈妈"}


def test_settings_that_tools_change_do_not_count() -> None:
    phone = Phone(size=SIZE, density=210)
    before = phone.state_copy()
    phone.settings["secure"]["default_input_method"] = "com.android.adbkeyboard/.AdbIME"
    phone.settings["global"]["wifi_on"] = "0"
    changes = list_state_changes(before, phone.state, phone.apps)
    assert [change.words(phone.apps) for change in changes] == ['系统 global.wifi_on: "1" -> "0"']


values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from("xy"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


def as_bags(value: Any) -> Any:  # noqa: ANN401 - JSON
    """A state with its lists in one order, and no key without a value."""
    if isinstance(value, dict):
        return {key: as_bags(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return sorted((as_bags(inner) for inner in value), key=canonical)
    return value


@given(before=values, after=values)
def test_states_without_a_change_are_equal_and_equal_states_have_none(before: Any, after: Any) -> None:  # noqa: ANN401
    assert list_state_changes({"x": before}, {"x": copy_json(before)}, {}) == ()
    if not list_state_changes({"x": before}, {"x": after}, {}):
        assert as_bags(before) == as_bags(after)


# ---- the ways to a goal


class Attempt:
    """A phone on which a goal is tried, and the ways to that goal."""

    def __init__(self, app: App, goal: Goal, case: int = 0) -> None:
        arguments = goal.cases(SEED)[case]
        self.goal_instance = GoalInstance(package=app.package, goal=goal.name, arguments=arguments)
        setup = PhoneSetup(seed=SEED, moment=datetime(2025, 3, 12, 10, tzinfo=BEIJING))
        self.ways: GoalWays = goal_ways(Simulation(setup=setup, goal_instance=self.goal_instance, size=SIZE))
        self.phone = Phone(size=SIZE, density=210)
        setup.apply(self.phone)
        self.before = self.phone.state_copy()

    def play(self, *steps: Step) -> StateOutcome:
        GesturePlayer(self.phone).play(steps)
        return self.outcome()

    def outcome(self, *, success: bool | None = None) -> StateOutcome:
        done = self.phone.achieved(self.goal_instance, answered=True) if success is None else success
        return self.ways.outcome(self.before, self.phone.state, success=done)


def alarm(case: int = 0) -> Attempt:
    """Case 1 is an alarm at 05:15."""
    return Attempt(CLOCK, CLOCK.goal("set_alarm"), case)


# each goal's strategies reach it: test_strategies.py
@pytest.mark.parametrize(("app", "goal"), GOALS if SOAK else GOALS[::5], ids=goal_id)
def test_each_way_meets_all_conditions_without_a_side_effect(app: App, goal: Goal) -> None:
    drawn = generator(goal.name, SEED)
    tried = Attempt(app, goal, drawn.randrange(len(goal.cases(SEED))))
    start = tried.phone.snapshot()
    assert tried.outcome(success=False).met == 0
    assert tried.outcome(success=False).side_effects == ()
    # they were played to tell what they change: every one reaches the goal
    assert len(tried.ways.ways) == len(goal.strategies)
    for strategy in goal.strategies if SOAK else [drawn.choice(goal.strategies)]:
        tried.phone.restore(start)
        done = tried.play(*strategy.steps(tried.goal_instance.arguments))
        # a question has one condition, its answer, and what looking for it changes
        assert done.met == done.conditions > (goal.question is None)
        assert done.side_effects == (), strategy.name
        # the changes alone say so, too: only the rule's own word is missing
        assert tried.outcome(success=False).met == done.conditions - 1, strategy.name


@pytest.mark.parametrize("app", [app for app in APPS if app.goals], ids=goal_id)
def test_an_app_that_is_only_looked_at_changes_nothing(app: App) -> None:
    other = next((one, one.goals[0]) for one in APPS if one.goals and one is not app)
    tried = Attempt(*other)
    steps: tuple[Step, ...] = (Open(app.package), Swipe("up"), Swipe("down"), Press("back"), Press("home"))
    done = tried.play(
        *steps, Press("recents"), Press("home"), Hold("时钟"), Press("back"), Press("quick"), Press("back")
    )
    assert (done.met, done.side_effects) == (0, ())


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("com.wangyun.weather", "see_city"),
        ("com.wangyun.weather", "see_forecast"),
        ("com.android.calendar", "see_day"),
        ("com.liuguang.video", "play_video"),
        ("com.moxiang.reader", "read_book"),
    ],
)
def test_what_somebody_looked_at_is_no_side_effect_of_another_goal(package: str, name: str) -> None:
    tried, goal = alarm(), PACKAGES[package].goal(name)
    start = tried.phone.snapshot()
    for strategy in goal.strategies:
        tried.phone.restore(start)
        assert tried.play(*strategy.steps(goal.cases(SEED)[0])).side_effects == ()


def test_a_typed_text_that_is_not_saved_changes_nothing() -> None:
    tried = alarm()
    steps = [
        Open("com.simulated.bianqian"),
        Tap("新建便签"),
        TypeText("买牛奶", into=WRITE),
        Press("home"),
    ]
    assert tried.play(*steps).side_effects == ()


def set_alarm(attempt: Attempt, number: int) -> StateOutcome:
    """Set the alarm of a case of the goal."""
    goal = CLOCK.goal("set_alarm")
    return attempt.play(*goal.strategies[0].steps(goal.cases(SEED)[number]))


def test_an_alarm_at_another_minute_is_part_of_the_way_and_a_side_effect() -> None:
    """Hour, days, label and switch agree; the minute and the rule do not."""
    tried = alarm(1)
    done = set_alarm(tried, 0)
    assert (done.met, done.conditions) == (4, 6)
    (effect,) = done.side_effects
    assert effect.startswith('时钟 alarms: added {"hour": 5, "minute": 0, ')


def test_other_words_that_the_rule_accepts_are_no_side_effect() -> None:
    """The rule asks for the balance in a note; another one, and the same once more, are side effects."""
    bank = PACKAGES["com.simulated.yinhang"]
    tried = Attempt(bank, bank.goal("note_balance"))
    notes = PACKAGES["com.simulated.bianqian"].goal("write_note").strategies[0]
    balance = str(tried.goal_instance.arguments["text"])[2:-1]
    assert len(tried.play(*notes.steps({"text": "我的储蓄卡"})).side_effects) == 1
    done = tried.play(*notes.steps({"text": f"还有{balance}"}))
    assert (done.met, len(done.side_effects)) == (done.conditions, 1)
    assert "我的储蓄卡" in done.side_effects[0]
    assert len(tried.play(*notes.steps({"text": f"还有{balance}"})).side_effects) == 2


elements = st.sampled_from(["x", "y", 1, ALARM, {**ALARM, "on": False}, {"id": 2, "hour": 9}, {"name": "x"}])


@given(before=st.lists(elements, max_size=4), after=st.lists(elements, max_size=4))
def test_a_state_without_what_was_added_has_nothing_added(before: list[Any], after: list[Any]) -> None:
    # no app has two records of one id in a list
    ids = [item["id"] for item in after if isinstance(item, dict) and "id" in item]
    assume(len(set(ids)) == len(ids))
    one, other = {"x": {"a": [{"name": "y", "said": before}]}}, {"x": {"a": [{"name": "y", "said": after}]}}
    for change in list_state_changes(one, other, {}):
        rest = remove_added(other, change)
        assert (rest is None) == (change.kind != "added")
        other = other if rest is None else rest  # type: ignore[assignment]
    assert "added" not in {change.kind for change in list_state_changes(one, other, {})}


def test_what_all_records_of_a_list_have_is_no_condition() -> None:
    """An order of food has shop, items, address and total; all earlier ones went to the same address."""
    food = PACKAGES["com.simulated.waimai"]
    tried = Attempt(food, food.goal("order_dish"))
    (order,) = tried.ways.common
    earlier = tried.before[food.package]["orders"]
    assert {one["address"] for one in earlier} == {"家"}
    assert set(order.after) == {"shop", "items", "total"}


def test_the_same_alarm_once_more_is_a_side_effect() -> None:
    tried = alarm(1)
    assert set_alarm(tried, 1).side_effects == ()
    done = set_alarm(tried, 1)
    assert done.met == done.conditions
    assert len(done.side_effects) == 1


def test_what_is_changed_and_changed_back_is_no_side_effect() -> None:
    tried = alarm()
    flip: tuple[Step, ...] = (Press("quick"), Tap("手电筒"), Press("back"))
    assert tried.play(*flip).side_effects == ('系统 system.flashlight: "0" -> "1"',)
    assert tried.play(*flip).side_effects == ()


def test_what_one_way_changes_is_no_side_effect_on_another() -> None:
    """One of the ways to like a song plays it."""
    music = PACKAGES["com.netease.cloudmusic"]
    tried = Attempt(music, music.goal("like_song"))
    played, case = music.goal("play_song"), tried.goal_instance.arguments
    done = tried.play(*played.strategies[0].steps(case))
    assert (done.met, done.conditions, done.side_effects) == (0, 2, ())


Change = Callable[[dict[str, Any]], None]


@pytest.mark.parametrize(
    ("change", "effect"),
    [
        (lambda state: state["alarms"].pop(0), "时钟 alarms: removed "),
        (lambda state: state["alarms"][0].update(on=not state["alarms"][0]["on"]), "时钟 alarms[1].on: "),
        (lambda state: state["cities"].append("东京"), '时钟 cities: added "东京"'),
        (lambda state: state["timer"].update(seconds=5, until=7), "时钟 timer.seconds: 0 -> 5"),
    ],
)
def test_every_other_change_is_a_side_effect(change: Change, effect: str) -> None:
    tried = alarm()
    change(tried.phone.data["apps"][CLOCK.package])
    (found,) = tried.outcome().side_effects
    assert found.startswith(effect)


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_what_simulated_people_do_with_their_slips_has_no_side_effect(number: int) -> None:
    """At other times of the day, by other openings, with recent apps and wrong taps that are taken back."""
    person = make_person(number, 7)
    phone = Phone(seed=person.seed, size=SIZE, density=210)
    for episode in Life(person, phone).month(30 if SOAK else 6):
        end = phone.state_copy()
        episode.setup.apply(phone)
        simulation = Simulation(setup=episode.setup, goal_instance=episode.goal_instance, size=SIZE)
        done = judge_state(simulation, phone.state_copy(), end, success=False)
        assert done is not None
        assert (done.met, done.side_effects) == (done.conditions - 1, ()), episode.goal_instance


def test_equal_simulations_are_played_once() -> None:
    assert alarm().ways is alarm().ways
    assert alarm().ways is not alarm(1).ways
