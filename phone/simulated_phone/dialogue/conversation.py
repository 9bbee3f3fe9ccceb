"""The conversation of an attempt: questions with their replies, and the person's consent to what is risky."""

from __future__ import annotations

from copy import deepcopy

from simulated_phone.dialogue.consent import Consent, find_risks, list_risky_places, may_need_consent
from simulated_phone.dialogue.reply import Answerer, PersonReply
from simulated_phone.goals.app_definition import State, States
from simulated_phone.machine.machine import Machine
from simulated_phone.people.goal_ways import goal_ways
from simulated_phone.people.simulation import Simulation
from simulated_phone.phone_errors import StrategyError


class Conversation:
    """The questions of one attempt, and what the person thinks of the changes between them.

    Args:
        answerer: Who answers.
        simulation: The phone's setup and the task's goal, whose own ways a yes covers.

    Attributes:
        replies: The replies so far.
        consent: Yes and no so far, and the risky changes.
    """

    def __init__(self, answerer: Answerer, simulation: Simulation) -> None:
        self.replies: list[PersonReply] = []
        self.consent = Consent(right=_list_right_changes(simulation))
        self._answerer = answerer
        self._kept: States = {}
        self._before: dict[str, State] = {}
        self._handled = 0

    def begin(self, phone: Machine) -> None:
        """Take the phone's state for the one before anything was done."""
        self._kept, self._before, self._handled = phone.state_copy(), {}, phone.handled

    def judge(self, phone: Machine) -> None:
        """Judge what was changed on the phone since it was last judged."""
        # most steps run no app's own handler, and so change no app
        if phone.handled == self._handled:
            return
        self._handled = phone.handled
        before: dict[str, State] = {}
        after: dict[str, State] = {}
        places = list_risky_places()
        # to compare all of a phone would take as long as some steps do
        for package, state in phone.used_states.items():
            if package not in places:
                continue
            known = self._before.get(package) or self._kept[package]
            changed = [key for key in places[package] if state.get(key) != known.get(key)]
            if not changed:
                continue
            new = {key: deepcopy(state.get(key)) for key in changed}
            self._before[package] = {**{key: known.get(key) for key in places[package]}, **new}
            if any(may_need_consent(package, key, known.get(key), new[key]) for key in changed):
                before[package], after[package] = {key: known.get(key) for key in changed}, new
        if after:
            self.consent.judge(find_risks(before, after, phone.apps))

    def reply(self, question: str) -> PersonReply:
        """Answer a question; what was changed before it is to be judged before."""
        found = self._answerer.answer(question)
        self.replies.append(found)
        if found.kind in ("yes", "no"):
            self.consent.hear(yes=found.kind == "yes")
        return found


def _list_right_changes(simulation: Simulation) -> frozenset[tuple[tuple[str, ...], str, str]]:
    """Keys of all changes that the goal's own ways make; empty if no way reaches it."""
    try:
        ways = goal_ways(simulation)
    except StrategyError:
        return frozenset()
    return frozenset(change.key for way in ways.ways for change in way)
