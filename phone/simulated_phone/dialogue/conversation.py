"""The conversation of an attempt: questions with their replies, and the person's consent to what is risky."""

from __future__ import annotations

from simulated_phone.dialogue.consent import Consent, find_risks
from simulated_phone.dialogue.reply import Answerer, PersonReply
from simulated_phone.goals.app_definition import States
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
        self._before: States = {}

    def begin(self, phone: Machine) -> None:
        """Take the phone's state for the one before anything was done."""
        self._before = phone.state_copy()

    def judge(self, phone: Machine) -> None:
        """Judge what was changed on the phone since it was last judged."""
        after: States = phone.state_copy()
        self.consent.judge(find_risks(self._before, after, phone.apps))
        self._before = after

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
