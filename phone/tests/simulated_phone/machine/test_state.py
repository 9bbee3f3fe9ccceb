"""The phone's state: the apps' parts are drawn when they are looked at, and are the same whenever that is."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from simulated_phone import APPS, GoalInstance, Phone, PhoneSetupError
from simulated_phone.goals.app_definition import App, State
from simulated_phone.machine.state import AppStates, copy_json, plain

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
    assert set(DRAWN) == {app.package for app in apps}
    assert json.dumps(before, sort_keys=True) == json.dumps(
        Phone(seed=4, size=(540, 1200), density=210).state_copy(), sort_keys=True
    )


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
    assert json.loads(json.dumps(plain({"apps": first})))["apps"][package]["new"] == [1]


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
