"""The judge interface and its verdicts on predicted intents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

State = Literal["same", "different", "unscored"]
"""Unscored: there is no verdict. It counts neither as a success nor as a failure, and it is counted."""

JudgeProblem = Literal["", "unparsable", "no majority", "no label", "unsure", "failed"]
"""Why there is no verdict: the answer could not be read, the votes or the persons do not agree, nobody has
looked, all who looked are unsure, or the model did not answer."""

IntentPair = tuple[str, str]
"""A predicted intent, and what the person wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A judge's verdict on one pair.

    Attributes:
        state: Whether the two are one and the same intent.
        reason: In the judge's words; "" where it gives none.
        problem: Why it is unscored; "" where it is not.
        output: What the model wrote, as it came, in the first vote for this state; "" of other judges.
        votes: One per voter, in order.
        prompt_tokens: Prompt tokens of all votes; None if any vote does not report them.
        completion_tokens: Output tokens of all votes; None if any vote does not report them.
    """

    state: State
    reason: str = ""
    problem: JudgeProblem = ""
    output: str = ""
    votes: tuple[State, ...] = ()
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Judge(Protocol):
    """Decides whether two intents are the same."""

    @property
    def name(self) -> str:
        """Its name in results, with everything that distinguishes it from other judges."""

    @property
    def settings(self) -> Mapping[str, object]:
        """What its verdicts depend on, as JSON holds it."""

    @property
    def why_not_comparable(self) -> str | None:
        """Why its SR_1 cannot stand next to the paper's, in words; None where it can."""

    @property
    def remark(self) -> str | None:
        """What is to be known of it all the same, in words; None where nothing is."""

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        """A verdict a pair, in their order.

        Raises:
            ModelError: A model does not answer.
        """


def majority(votes: Sequence[State]) -> State:
    """The verdict of more than half of all votes; unscored without such a majority.

    >>> majority(["same", "same", "different"]), majority(["same", "unscored"])
    ('same', 'unscored')
    """
    for state in ("same", "different"):
        if 2 * votes.count(state) > len(votes):
            return state
    return "unscored"
