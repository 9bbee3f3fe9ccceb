"""The conversation of an attempt judges, at little cost, what a comparison of whole phones would find."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime

import pytest

from simulated_phone import GesturePlayer, GoalInstance, Phone
from simulated_phone.apps import list_apps
from simulated_phone.dialogue.consent import find_risks, list_risky_places
from simulated_phone.dialogue.conversation import Conversation
from simulated_phone.dialogue.reply import PersonReply
from simulated_phone.goals.app_definition import App, Goal
from simulated_phone.machine.state import BEIJING
from simulated_phone.people.life import PhoneSetup
from simulated_phone.people.simulation import Simulation

SEED, SIZE = 7, (360, 800)
EVERY = 1 if "FINGERTIP_SOAK" in os.environ else 9
"""One goal in so many of the apps in which something needs consent is played."""


class Agrees:
    """A person who says yes."""

    def answer(self, question: str) -> PersonReply:
        """Yes."""
        return PersonReply(kind="yes", text=question)


def list_goals() -> Iterator[tuple[App, Goal]]:
    for app in list_apps("en"):
        if app.package in list_risky_places():
            yield from ((app, goal) for goal in app.goals)


@pytest.mark.parametrize("place", range(len(list(list_goals())))[::EVERY])
def test_each_step_is_judged_as_by_a_comparison_of_whole_phones(place: int) -> None:
    app, goal = list(list_goals())[place]
    aim = GoalInstance(package=app.package, goal=goal.name, arguments=goal.cases(SEED)[0])
    setup = PhoneSetup(seed=SEED, moment=datetime(2025, 3, 10, 9, tzinfo=BEIJING), locale="en")
    phone = Phone(seed=SEED, size=SIZE, locale="en")
    conversation = Conversation(Agrees(), Simulation(setup=setup, goal_instance=aim, size=SIZE))
    setup.apply(phone)
    conversation.begin(phone)
    before, risks = phone.state_copy(), []
    for gesture in GesturePlayer(phone).gestures(goal.strategies[0].steps(aim.arguments)):
        gesture.perform(phone.finger)
        conversation.judge(phone)
        after = phone.state_copy()
        risks += find_risks(before, after, phone.apps)
        before = after
    assert conversation.consent.unasked == risks


def test_a_yes_covers_what_comes_after_it_and_a_cleared_app_is_judged() -> None:
    (app, goal) = next((app, goal) for app, goal in list_goals() if goal.name == "delete_note")
    aim = GoalInstance(package=app.package, goal=goal.name, arguments=goal.cases(SEED)[0])
    setup = PhoneSetup(seed=SEED, moment=datetime(2025, 3, 10, 9, tzinfo=BEIJING), locale="en")
    phone = Phone(seed=SEED, size=SIZE, locale="en")
    conversation = Conversation(Agrees(), Simulation(setup=setup, goal_instance=aim, size=SIZE))
    setup.apply(phone)
    conversation.begin(phone)
    conversation.reply("May I?")
    GesturePlayer(phone).play(goal.strategies[0].steps(aim.arguments))
    conversation.judge(phone)
    assert (conversation.consent.agreed, conversation.consent.unasked) == (1, [])
    # a host clears the app: the deleted note is there again, and nothing else is gone
    phone.clear_app(app.package)
    conversation.judge(phone)
    assert conversation.consent.agreed == 1
    phone.data["apps"][app.package]["notes"].clear()
    phone.clear_app("com.android.deskclock")
    conversation.judge(phone)
    assert conversation.consent.unasked
