"""Every way of every goal of every app, played on a fresh phone, reaches the goal by its rule."""

from __future__ import annotations

from functools import cache

import pytest

from simulated_phone import App, Goal, GoalInstance, Phone, Strategy
from simulated_phone.app_definition import generator
from simulated_phone.apps import APPS
from simulated_phone.people.gestures import OPENINGS, GestureHabits, Hand
from simulated_phone.people.steps import Open, Press, Tap, TypeText
from simulated_phone.phone_errors import StrategyError

pytestmark = pytest.mark.early

GOALS = [(app, goal) for app in APPS for goal in app.goals]
WAYS = [(app, goal, way) for app, goal in GOALS for way in goal.ways]


def goal_id(value: object) -> str:
    return str(getattr(value, "name", "") or getattr(value, "english", ""))


@pytest.fixture(scope="module")
def phone() -> Phone:
    return Phone(seed=3, size=(540, 1200), density=210)


@cache
def android_state(seed: int) -> dict[str, object]:
    return Phone(seed=seed).state["android"]  # type: ignore[return-value]


def sample(goal: Goal, seed: int, count: int) -> list[dict[str, object]]:
    cases = list(goal.cases(seed))
    return [dict(case) for case in generator(f"{goal.name}{seed}", 0).sample(cases, min(count, len(cases)))]


@pytest.mark.parametrize("draws", [((3, 1),), pytest.param(((3, 2), (11, 1)), marks=pytest.mark.soak)])
@pytest.mark.parametrize(("app", "goal", "way"), WAYS, ids=goal_id)
def test_every_way_reaches_its_goal(
    phone: Phone, app: App, goal: Goal, way: Strategy, draws: tuple[tuple[int, int], ...]
) -> None:
    for seed, count in draws:
        for case in sample(goal, seed, count):
            phone.reset(seed)
            aim = GoalInstance(package=app.package, goal=goal.name, arguments=case)  # type: ignore[arg-type]
            assert not phone.achieved(aim), case
            Hand(phone).play(way.steps(case))  # type: ignore[arg-type]
            assert phone.achieved(aim), case


@pytest.mark.parametrize(("app", "goal"), GOALS, ids=goal_id)
def test_a_goal_has_two_ways_four_wordings_and_cases_not_reached_at_the_start(app: App, goal: Goal) -> None:
    assert len({way.name for way in goal.ways}) == len(goal.ways) >= 2
    assert len(set(goal.words)) == len(goal.words) >= 4
    for seed in range(20):
        states = {"android": android_state(seed), app.package: app.fresh(seed)}
        cases = goal.cases(seed)
        assert cases, seed
        for case in cases:
            assert not goal.rule(states, case), (seed, case)
            for words in goal.words:
                assert words.format(**case)


@pytest.mark.parametrize("opening", OPENINGS)
@pytest.mark.parametrize("app", [app for app in APPS if app.goals], ids=goal_id)
def test_every_opening_works_for_every_app(phone: Phone, app: App, opening: str) -> None:
    phone.reset(5)
    goal = app.goals[0]
    way = next(way for way in goal.ways if isinstance(way.steps(goal.cases(5)[0])[0], Open))
    phone.start(app.package)
    phone.press_key("KEYCODE_HOME")
    hand = Hand(phone, GestureHabits(opening=opening, scroll=0.4, spread=0.5), generator("test", 1))
    hand.play(way.steps(goal.cases(5)[0]))
    assert phone.achieved(GoalInstance(package=app.package, goal=goal.name, arguments=goal.cases(5)[0]))


@pytest.mark.parametrize(
    "fault", ["advertisement", "permission_dialog", "update_dialog", "slow_loading", "rotation"]
)
@pytest.mark.parametrize("app", [app for app in APPS if app.goals], ids=goal_id)
def test_a_hand_gets_past_what_is_in_the_way(app: App, fault: str) -> None:
    phone = Phone(seed=2, size=(540, 1200), density=210, faults=[fault])
    goal = app.goals[0]
    case = goal.cases(2)[0]
    Hand(phone).play(goal.ways[0].steps(case))
    assert phone.achieved(GoalInstance(package=app.package, goal=goal.name, arguments=case))


def test_what_is_not_there_is_said(phone: Phone) -> None:
    phone.reset(0)
    with pytest.raises(StrategyError, match="expected '火箭' on the screen, got ○ ●"):
        Hand(phone).play([Tap("火箭")])
    with pytest.raises(StrategyError, match="expected a text field"):
        Hand(phone).play([Press("home"), TypeText("火箭")])
