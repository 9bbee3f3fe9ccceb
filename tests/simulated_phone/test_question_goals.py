"""Questions of goals: the answer depends on the phone, and goals may want a state as well."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from simulated_phone import App, Goal, GoalInstance, Phone
from simulated_phone.answer_on_screen import answer_on_screen
from simulated_phone.app_definition import any_state, generator
from simulated_phone.apps import APPS
from simulated_phone.people.gestures import GesturePlayer

QUESTIONS = [(app, goal) for app in APPS for goal in app.goals if goal.question]
JOINT = [(app, goal) for app, goal in QUESTIONS if goal.rule is not any_state]
SEEDS, DRAWS = range(50), 3
MOST = 0.25
"""Maximum share of drawn instances in which one answer, given blindly, is right; 0.55 for yes or no."""
KNOWN = 0.6
"""Maximum share in which the most frequent answer to a question in the same words is right."""


def goal_id(value: object) -> str:
    return str(getattr(value, "english", "") or getattr(value, "name", ""))


@pytest.fixture(scope="module")
def phone() -> Phone:
    return Phone(seed=0, size=(360, 800), density=140)


@cache
def answers(app: App, goal: str) -> list[tuple[str, str]]:
    """(case, right answer) of `DRAWS` instances on each of the phones."""
    return list(_answers(app, next(one for one in app.goals if one.name == goal)))


def _answers(app: App, goal: Goal) -> Iterator[tuple[str, str]]:
    phone = Phone(seed=0, size=(360, 800), density=140)
    for seed in SEEDS:
        phone.reset(seed)
        cases = list(goal.cases(seed))
        for case in generator(f"blind {goal.name}", seed).sample(cases, min(DRAWS, len(cases))):
            right = phone.right_answer(GoalInstance(package=app.package, goal=goal.name, arguments=case))
            yield json.dumps(dict(case), sort_keys=True, default=str), right


def most_common(goal: Goal, found: list[str]) -> float:
    assert goal.question is not None
    values = [goal.question.form.read(one) for one in found]
    assert None not in values
    return Counter(values).most_common(1)[0][1] / len(values)


@pytest.mark.parametrize(("app", "goal"), QUESTIONS, ids=goal_id)
def test_no_answer_given_blindly_is_right_most_of_the_time(app: App, goal: Goal) -> None:
    right = [right for _, right in answers(app, goal.name)]
    assert goal.question is not None
    assert most_common(goal, right) <= (0.55 if goal.question.form.kind == "yes_no" else MOST)


@pytest.mark.parametrize(
    ("app", "goal"),
    # of two answers one is always frequent among a few phones
    [(app, goal) for app, goal in QUESTIONS if goal.question and goal.question.form.kind != "yes_no"],
    ids=goal_id,
)
def test_the_answer_does_not_follow_from_the_words_of_the_question(app: App, goal: Goal) -> None:
    by_case = defaultdict(list)
    for case, right in answers(app, goal.name):
        by_case[case].append(right)
    often = [found for found in by_case.values() if len(found) >= 5]
    known = sum(most_common(goal, found) * len(found) for found in often)
    assert known <= KNOWN * sum(map(len, often)) or not often


@pytest.mark.parametrize(("app", "goal"), JOINT, ids=goal_id)
def test_a_joint_goal_needs_the_state_and_the_answer(phone: Phone, app: App, goal: Goal) -> None:
    phone.reset(3)
    goal_instance = GoalInstance(package=app.package, goal=goal.name, arguments=goal.cases(3)[0])
    right = phone.right_answer(goal_instance)
    assert not phone.achieved(goal_instance, answered=True)
    GesturePlayer(phone).play(goal.strategies[0].steps(goal_instance.arguments))
    assert phone.is_right(goal_instance, right, right)
    assert phone.achieved(goal_instance, answered=True)
    assert not phone.achieved(goal_instance, answered=False)


@pytest.mark.parametrize(("app", "goal"), QUESTIONS, ids=goal_id)
def test_only_a_page_that_names_what_is_asked_about_shows_the_answer(
    phone: Phone, app: App, goal: Goal
) -> None:
    """`test_strategies.py` plays all strategies, of which each shows it."""
    phone.reset(5)
    goal_instance = GoalInstance(package=app.package, goal=goal.name, arguments=goal.cases(5)[0])
    answer = answer_on_screen(phone, goal_instance)
    assert answer is not None
    assert not answer.is_on(phone.screen())
    GesturePlayer(phone).play(goal.strategies[0].steps(goal_instance.arguments))
    assert answer.is_on(phone.screen())
    assert not replace(answer, subjects=("nobody",)).is_on(phone.screen())
    assert not replace(answer, package="com.example.other").is_on(phone.screen())


@pytest.mark.soak
@pytest.mark.parametrize(("app", "goal"), QUESTIONS, ids=goal_id)
def test_each_strategy_shows_the_answer_in_english(app: App, goal: Goal) -> None:
    phone = Phone(seed=5, size=(360, 800), density=140, locale="en")
    goal = phone.apps[app.package].goal(goal.name)
    goal_instance = GoalInstance(package=app.package, goal=goal.name, arguments=goal.cases(5)[0])
    answer, start = answer_on_screen(phone, goal_instance), phone.snapshot()
    assert answer is not None
    for strategy in goal.strategies:
        phone.restore(start)
        GesturePlayer(phone).play(strategy.steps(goal_instance.arguments))
        assert answer.is_on(phone.screen()), strategy.name


def test_goals_that_ask_nothing_have_no_answer_to_see(phone: Phone) -> None:
    app, goal = next((app, goal) for app in APPS for goal in app.goals if goal.question is None)
    aim = GoalInstance(package=app.package, goal=goal.name, arguments=goal.cases(phone.seed)[0])
    assert answer_on_screen(phone, aim) is None


def test_several_goals_want_a_state_and_ask_a_question() -> None:
    assert len({app.package for app, _ in JOINT}) >= 2
