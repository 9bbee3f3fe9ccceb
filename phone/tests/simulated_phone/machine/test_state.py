"""The phone's state: the apps' parts are drawn when they are looked at, and are the same whenever that is."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from random import Random

import pytest

from simulated_phone import APPS, GoalInstance, Phone, PhoneSetupError
from simulated_phone.goals.app_definition import App, State
from simulated_phone.machine.state import AppStates, KeptState, copy_json

DRAWN: list[str] = []


def noted(app: App) -> App:
    """The app, with a note of each drawing of its world."""

    def initial(rng: Random) -> State:
        DRAWN.append(app.package)
        return app.initial(rng)

    return replace(app, initial=initial)


def test_a_reset_draws_only_what_is_looked_at() -> None:
    apps = [noted(app) for app in APPS]
    phone = Phone(seed=3, size=(540, 1200), density=210, apps=apps)
    DRAWN.clear()
    phone.reset(4)
    phone.screen()
    shown = set(DRAWN)
    assert 0 < len(shown) < len(apps) / 2
    before = phone.state_copy()
    assert set(DRAWN) == shown
    assert before == Phone(seed=4, size=(540, 1200), density=210).state_copy()
    assert set(DRAWN) == {app.package for app in apps}


def test_states_behave_as_the_dictionary_of_all() -> None:
    apps = {app.package: app for app in APPS}
    states = AppStates(apps, 5)
    drawn = {package: app.fresh(5) for package, app in apps.items()}
    assert (list(states), len(states)) == (list(drawn), len(drawn))
    assert states == drawn
    with pytest.raises(KeyError):
        states["com.example.none"]
    del states[APPS[0].package]
    assert APPS[0].package not in states


def test_a_copy_shares_nothing() -> None:
    apps = {app.package: app for app in APPS}
    first, package = AppStates(apps, 5), APPS[0].package
    first[package]["new"] = [1]
    second = copy_json({"apps": first})["apps"]
    second[package]["new"].append(2)
    second[APPS[1].package].clear()
    assert first[package]["new"] == [1]
    assert first[APPS[1].package] == APPS[1].fresh(5)
    assert json.loads(first.write_canonical())[package]["new"] == [1]


def test_a_copy_of_the_state_is_not_reached_by_later_changes() -> None:
    phone = Phone(seed=6, size=(540, 1200), density=210)
    package, other = APPS[0].package, APPS[1].package
    phone.state[package]["new"] = [1]
    before, drawn = phone.state_copy(), copy_json(phone.state[other])
    phone.state[package]["new"].append(2)
    phone.state[other].clear()
    after = phone.state_copy()
    assert (before[package]["new"], before[other]) == ([1], drawn)
    assert (after[package]["new"], after[other]) == ([1, 2], {})
    assert [app.package for app in APPS if not before.shares(after, app.package)] == [package, other]
    assert {*before} == {*after} == {*phone.state}


def test_the_hash_is_that_of_the_whole_state_as_json() -> None:
    phone = Phone(seed=6, size=(540, 1200), density=210)

    def whole() -> str:
        data = {**phone.data, "apps": dict(copy_json(phone.data["apps"]))}
        state = {"seed": 6, "size": (540, 1200), "density": 210, "data": data, "facts": [], "faults": []}
        return hashlib.sha256(json.dumps(state, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    fresh = phone.state_sha256()
    assert fresh == whole()
    start = phone.snapshot()
    phone.state[APPS[2].package]["größe"] = [{"b": None, "a": "是"}]
    assert phone.state_sha256() == whole() != fresh
    phone.restore(start)
    assert phone.state_sha256() == whole() == fresh


def test_a_kept_state_is_drawn_once() -> None:
    drawn: list[int] = []

    def draw() -> State:
        drawn.append(1)
        return {"a": 1}

    kept = KeptState(draw)
    assert not drawn
    assert (kept.text, kept.state, kept.text, drawn) == ('{"a":1}', {"a": 1}, '{"a":1}', [1])


def test_an_unknown_app_or_goal_is_one_line_with_what_there_is() -> None:
    phone = Phone(seed=1)
    for package, goal, words in (
        ("com.example.none", "set_alarm", "the phone has no app 'com.example.none'; apps with goals are "),
        ("com.android.deskclock", "fly", "the app com.android.deskclock has no goal 'fly'; its goals are "),
    ):
        with pytest.raises(PhoneSetupError) as raised:
            phone.achieved(GoalInstance(package=package, goal=goal, arguments={}))
        assert str(raised.value).startswith(words)
        assert "\n" not in str(raised.value)
        assert str(raised.value) > words


def test_a_goal_without_its_arguments_is_one_line() -> None:
    phone = Phone(seed=1)
    with pytest.raises(PhoneSetupError, match=r"'set_alarm' .* needs the arguments .*time.*: .*time missing"):
        phone.achieved(GoalInstance(package="com.android.deskclock", goal="set_alarm", arguments={}))
