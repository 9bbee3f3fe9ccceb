"""People's own ways: how they sign in, begin and end, and what stands on their first home page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulated_phone import Phone
from simulated_phone.apps import APPS
from simulated_phone.goals.app_definition import GoalInstance, generator
from simulated_phone.goals.steps import Open, Tap, TypeText
from simulated_phone.people.gestures import SIGN_INS, GestureHabits, GesturePlayer
from simulated_phone.people.life import Life
from simulated_phone.people.person import make_person
from simulated_phone.people.simulation import Simulation
from simulated_phone.people.user_style import ENDINGS, STAYS, draw_user_style

CLOCK, WEATHER = "com.android.deskclock", "com.wangyun.weather"


@pytest.fixture(scope="module")
def phone() -> Phone:
    return Phone(seed=3, size=(360, 800), density=140)


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("sign_in", SIGN_INS)
def test_every_way_to_sign_in_opens_the_app(sign_in: str, locale: str) -> None:
    phone = Phone(seed=3, size=(360, 800), density=140, locale=locale)
    phone.set_fault("login", True)
    player = GesturePlayer(phone, GestureHabits(sign_in=sign_in))
    kinds = []
    for gesture in player.gestures([Open(CLOCK)]):
        kinds.append(gesture.kind)
        gesture.perform(phone.finger)
    assert phone.foreground[0] == CLOCK
    assert not phone.data["overlays"]
    assert ("type" in kinds) == (sign_in == "typed code")


@pytest.mark.parametrize("ending", [name for name in ENDINGS["young"] if name != STAYS])
def test_every_ending_leaves_the_app_and_keeps_the_goal(phone: Phone, ending: str) -> None:
    style = replace(draw_user_style(make_person(0, 20)), ending=ending)
    rng = generator("ending", 1)
    goal = next(goal for app in APPS if app.package == WEATHER for goal in app.goals)
    case = goal.cases(3)[0]
    phone.reset(3)
    GesturePlayer(phone).play((*goal.strategies[0].steps(case), *style.ending_steps("zh", rng)))
    assert phone.foreground[0] == phone.launcher.package
    assert phone.achieved(GoalInstance(package=WEATHER, goal=goal.name, arguments=case))


def test_a_keyboard_is_closed_after_typing_only_by_who_does_that(phone: Phone) -> None:
    for away in (True, False):
        phone.reset(3)
        steps = [Open(WEATHER), Tap("城市管理"), TypeText("三亚", into="搜索城市")]
        GesturePlayer(phone, GestureHabits(keyboard_away=away)).play(steps)
        assert (phone.shown().focus is None) == away


def test_who_looks_around_scrolls_an_app_to_its_end_and_back(phone: Phone) -> None:
    phone.reset(3)
    player = GesturePlayer(phone, GestureHabits(looks_around=True))
    swipes = []
    for gesture in player.gestures([Open("com.simulated.gouwu")]):
        gesture.perform(phone.finger)
        swipes += [gesture.text] if gesture.kind == "swipe" and gesture.text in ("up", "down") else []
    assert swipes == ["up", "down"]


def test_the_apps_that_a_person_uses_most_stand_on_the_first_home_page(phone: Phone) -> None:
    seen = 0
    for number in range(3):
        person = make_person(number, 20)
        episode = next(Life(person, Phone(seed=person.seed, size=(360, 800), density=140)).month(2))
        setup = episode.setup
        assert 3 <= len(setup.icons) <= 8
        setup.apply(phone, launch=False)
        labels = {node.text for node in phone.screen().nodes()}
        assert {phone.apps[package].label for package in setup.icons} <= labels
        simulation = Simulation(setup=setup, goal_instance=episode.goal_instance, size=(360, 800))
        assert Simulation.from_json(simulation.to_json()) == simulation
        seen += episode.goal_instance.package in setup.icons
    assert seen
