"""Goals and their strategies: cases, wordings, and that each strategy reaches its goal."""

from __future__ import annotations

from functools import cache

import pytest

from simulated_phone import App, Goal, GoalInstance, Phone, Strategy
from simulated_phone.answer_on_screen import answer_on_screen
from simulated_phone.apps import APPS
from simulated_phone.goals.app_definition import States, generator
from simulated_phone.goals.steps import Press, Tap, TypeText
from simulated_phone.people.gestures import GesturePlayer
from simulated_phone.phone_errors import StrategyError

pytestmark = pytest.mark.early

GOALS = [(app, goal) for app in APPS for goal in app.goals]
STRATEGIES = [(app, goal, strategy) for app, goal in GOALS for strategy in goal.strategies]


def goal_id(value: object) -> str:
    return str(getattr(value, "name", "") or getattr(value, "english", "") or value)


@pytest.fixture(scope="module")
def phone() -> Phone:
    return Phone(seed=3, size=(540, 1200), density=210)


@cache
def fresh_states(seed: int) -> States:
    return Phone(seed=seed).state


def sample(goal: Goal, seed: int, count: int) -> list[dict[str, object]]:
    cases = list(goal.cases(seed))
    return [dict(case) for case in generator(f"{goal.name}{seed}", 0).sample(cases, min(count, len(cases)))]


PLAYS = [
    # a goal without a question: `test_state_changes` plays every strategy once, for what else it changes
    *((*one, ((3, 1),)) for one in STRATEGIES if one[1].question is not None),
    *(pytest.param(*one, ((3, 2), (11, 1)), marks=pytest.mark.soak) for one in STRATEGIES),
]
"""App, goal, strategy, and the seeds with the number of cases that are drawn."""


@pytest.mark.parametrize(("app", "goal", "strategy", "draws"), PLAYS, ids=goal_id)
def test_every_strategy_reaches_its_goal(
    phone: Phone, app: App, goal: Goal, strategy: Strategy, draws: tuple[tuple[int, int], ...]
) -> None:
    for seed, count in draws:
        for case in sample(goal, seed, count):
            phone.reset(seed)
            goal_instance = GoalInstance(
                package=app.package,
                goal=goal.name,
                arguments=case,  # type: ignore[arg-type]
            )
            assert not phone.achieved(goal_instance), case
            answer = answer_on_screen(phone, goal_instance)
            GesturePlayer(phone).play(strategy.steps(case))  # type: ignore[arg-type]
            assert phone.achieved(goal_instance, answered=goal.question is not None), case
            assert answer is None or answer.is_on(phone.screen()), (case, answer)


@pytest.mark.parametrize("seeds", [2, pytest.param(20, marks=pytest.mark.soak)])
@pytest.mark.parametrize(("app", "goal"), GOALS, ids=goal_id)
def test_a_goal_has_three_strategies_four_wordings_and_unreached_cases(
    app: App, goal: Goal, seeds: int
) -> None:
    assert len({strategy.name for strategy in goal.strategies}) == len(goal.strategies) >= 3
    assert len(set(goal.words)) == len(goal.words) >= 4
    for seed in range(seeds):
        cases = goal.cases(seed)
        assert cases, seed
        for case in cases:
            assert goal.question or not goal.rule(fresh_states(seed), case), (seed, case)
            for words in goal.words:
                assert words.format(**case)


def test_a_missing_element_raises_an_error_with_the_visible_texts(phone: Phone) -> None:
    phone.reset(0)
    with pytest.raises(StrategyError, match=r"no '火箭' on the screen: it shows (○ )+●"):
        GesturePlayer(phone).play([Tap("火箭")])
    with pytest.raises(StrategyError, match="no text field has the focus"):
        GesturePlayer(phone).play([Press("home"), TypeText("火箭")])
