"""Voice input: what is said to an app does what its words name, whatever the values in them."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from simulated_phone import App, Goal, GoalInstance, Phone
from simulated_phone.apps import APPS
from simulated_phone.goals.app_definition import Arguments, States
from simulated_phone.goals.steps import Tap, TypeText
from simulated_phone.language.language import speak_language
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.machine.state import Snapshot

SPOKEN = [
    (app.package, goal.name)
    for app in APPS
    for goal in app.goals
    if any(strategy.name == "voice" for strategy in goal.strategies)
]
CASES = 4
"""Maximum number of cases of a goal that are said; `make soak` says all, on more phones, in English, too."""


UNKNOWN = "?"
"""A phrase that no app understands."""


@cache
def fresh_phone(locale: str, seed: int) -> tuple[Phone, States, Snapshot]:
    phone = Phone(seed=seed, size=(360, 800), density=140, locale=locale)
    return phone, phone.state_copy(), phone.snapshot()


def say(phone: Phone, app: App, phrase: str) -> None:
    """Say a phrase to the app on its home page."""
    phone.tasks.open(app.package)
    phone.tasks.push("voice", {})
    with speak_language(phone.locale):
        app.handlers["say"](HandlerContext(phone, app.package, phone.tasks.stack[-1]), phrase=phrase)


def outcome(phone: Phone, fresh: States) -> str:
    """The states of apps that are no longer fresh, the pages, and the toast."""
    changed = [[name, state] for name, state in phone.state.items() if state != fresh[name]]
    return repr([changed, phone.tasks.stack, phone.data["toast"]])


def spoken(goal: Goal, case: Arguments) -> tuple[str, bool]:
    """The phrase of the goal's strategy "voice", and whether nothing has to be done after it."""
    strategy = next(one for one in goal.strategies if one.name == "voice")
    _open, _microphone, phrase, done, *then = strategy.steps(case)
    assert isinstance(phrase, TypeText)
    assert isinstance(done, Tap)
    return phrase.text, not then


@pytest.mark.parametrize(
    ("locale", "seed", "most"),
    [
        ("zh", 3, CASES),
        *(
            pytest.param(locale, seed, 10**6, marks=pytest.mark.soak)
            for locale in ("zh", "en")
            for seed in (3, 11)
        ),
    ],
)
@pytest.mark.parametrize(("package", "name"), SPOKEN)
def test_a_spoken_phrase_does_what_its_values_say(
    package: str, name: str, locale: str, seed: int, most: int
) -> None:
    """The goal is reached; other values, as an unknown phrase, lead to another page or state."""
    phone, fresh, start = fresh_phone(locale, seed)
    app = phone.apps[package]
    goal = app.goal(name)
    phone.restore(start)
    say(phone, app, UNKNOWN)
    results, cases = {UNKNOWN: outcome(phone, fresh)}, goal.cases(seed)
    for case in cases[:: -(-len(cases) // most)]:
        phone.restore(start)
        phrase, complete = spoken(goal, case)
        say(phone, app, phrase)
        results[phrase] = outcome(phone, fresh)
        if complete and goal.question is None:
            instance = GoalInstance(package=package, goal=name, arguments=case)
            assert phone.achieved(instance), phrase
    times = Counter(results.values())
    assert [phrase for phrase, result in results.items() if times[result] > 1] == []
