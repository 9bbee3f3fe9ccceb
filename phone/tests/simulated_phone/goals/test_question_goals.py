"""Questions of goals: the answer depends on the phone, and goals may want a state as well."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

import pytest

from simulated_phone import App, Goal, GoalInstance, Phone
from simulated_phone.answer_on_screen import answer_on_screen
from simulated_phone.apps import APPS
from simulated_phone.goals.app_definition import any_state
from simulated_phone.people.gestures import GesturePlayer

QUESTIONS = [(app, goal) for app in APPS for goal in app.goals if goal.question]
JOINT = [(app, goal) for app, goal in QUESTIONS if goal.rule is not any_state]
SEEDS, CASES = range(50), 40
"""Phones, and about how many instances of a goal on each, spread over all."""
MOST, MOST_YES = 0.25, 0.6
"""Maximum share of instances in which a guess without a look at the phone is right; that of yes or no."""


def goal_id(value: object) -> str:
    return str(getattr(value, "english", "") or getattr(value, "name", ""))


@pytest.fixture(scope="module")
def phone() -> Phone:
    return Phone(seed=0, size=(360, 800), density=140)


@dataclass(frozen=True, slots=True)
class QuestionInstance:
    """A question on a phone: the arguments that its words name, and the value of the right answer."""

    seed: int
    named: Mapping[str, object]
    right: object


@cache
def question_instances(app: App, name: str) -> list[QuestionInstance]:
    """Instances of a goal on each of the phones."""
    phone, goal = Phone(seed=0, size=(360, 800), density=140), app.goal(name)
    assert goal.question is not None
    found = []
    for seed in SEEDS:
        phone.reset(seed)
        cases = goal.cases(seed)
        for case in cases[:: len(cases) // CASES + 1]:
            right = phone.right_answer(GoalInstance(package=app.package, goal=name, arguments=case))
            named = {key: case[key] for key in case if any(f"{{{key}" in words for words in goal.words)}
            found.append(QuestionInstance(seed, named, goal.question.form.read(right)))
    assert None not in {one.right for one in found}
    return found


def clues(named: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], int]]:
    """What a guess may go by: names of arguments, and the number of last characters that it takes of each.

    Nothing, all, each one, and how it ends: 青禾保温杯 is a 保温杯.
    """
    yield (), 0
    yield tuple(named), 99
    for name in named:
        yield from (((name,), length) for length in (99, 2, 3))


def share_guessed(instances: list[QuestionInstance], names: tuple[str, ...], length: int) -> float:
    """Share in which the answer most frequent with that clue, on the other half of the phones, is right."""
    seen = [
        (one.seed % 2, tuple(str(one.named[name])[-length:] for name in names), one.right)
        for one in instances
    ]
    frequent: dict[object, Counter[object]] = defaultdict(Counter)
    for half, clue, right in seen:
        frequent[half, clue][right] += 1
    guesses = {key: counted.most_common(1)[0][0] for key, counted in frequent.items()}
    return sum(guesses.get((1 - half, clue)) == right for half, clue, right in seen) / len(seen)


@pytest.mark.parametrize(("app", "goal"), QUESTIONS, ids=goal_id)
def test_no_guess_from_the_words_of_the_question_is_right_most_of_the_time(app: App, goal: Goal) -> None:
    assert goal.question is not None
    instances = question_instances(app, goal.name)
    most = MOST_YES if goal.question.form.kind == "yes_no" else MOST
    shares = {clue: share_guessed(instances, *clue) for clue in clues(instances[0].named)}
    assert max(shares.values()) <= most, shares


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
