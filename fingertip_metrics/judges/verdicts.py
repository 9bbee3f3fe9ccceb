"""The judge interface and its verdicts on predicted intents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

State = Literal["same", "different", "unscored"]
"""State of a verdict. "unscored" means no verdict: neither success nor failure, reported as its own count."""

JudgeProblem = Literal["", "unparsable", "no majority", "no label", "unsure", "failed"]
"""Reason for a missing verdict: the answer could not be parsed, votes or raters have no majority, no rater
has labelled the pair, all raters are unsure, or the model did not answer. "" if there is a verdict."""

IntentPair = tuple[str, str]
"""(predicted intent, the person's intent)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A judge's verdict on one pair.

    Attributes:
        state: Whether the two texts are the same intent.
        reason: The judge's reason; "" if it gives none.
        problem: Reason for an unscored state; "" otherwise.
        output: Raw model output of the first vote for this state; "" for judges without a model.
        votes: States of the votes, one per voter, in order.
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


class RecordedVerdict(Protocol):
    """The part of a verdict that a run or a bundle records and a verifier checks."""

    @property
    def state(self) -> State:
        """The verdict."""

    @property
    def problem(self) -> JudgeProblem:
        """Why it is unscored."""

    @property
    def output(self) -> str:
        """Raw output of the model; "" of other judges."""


VerdictCheck = Callable[[IntentPair, RecordedVerdict], str]
"""Check of a recorded verdict on a pair: the reason why it is wrong, or ""."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeInputs:
    """Files that a judge without a model may read.

    Attributes:
        labels: File of the raters' labels; None without one.
        dataset: Folder of the built dataset of the judged intents; None if unknown.
    """

    labels: Path | None = None
    dataset: Path | None = None


class Judge(Protocol):
    """Decides whether two intents are the same."""

    @property
    def name(self) -> str:
        """Name in results, with everything that distinguishes it from other judges."""

    @property
    def settings(self) -> Mapping[str, object]:
        """Settings that its verdicts depend on, JSON-serializable."""

    @property
    def why_not_comparable(self) -> str | None:
        """Reason why its SR_1 is not comparable with the paper's; None if it is."""

    @property
    def remark(self) -> str | None:
        """Caveat that applies even to comparable scores; None without one."""

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        """Return a verdict per pair, in order.

        Raises:
            ModelError: A model does not answer.
        """


def majority(votes: Sequence[State]) -> State:
    """State of more than half of all votes; unscored without a majority.

    >>> majority(["same", "same", "different"]), majority(["same", "unscored"])
    ('same', 'unscored')
    """
    for state in ("same", "different"):
        if 2 * votes.count(state) > len(votes):
            return state
    return "unscored"
