"""Check of a judge by pairs whose answer is known, and warnings of a judge that is at chance.

Half of the pairs are surely the same (an intent with itself), half surely different (the intent of another
app, in other words). A judge that does not tell these apart says nothing about predictions either.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fingertip_metrics.agreement import Kappa, cohen_kappa
from fingertip_metrics.judges.human_agreement import JudgeAgreement
from fingertip_metrics.judges.verdicts import IntentPair, Judge, State
from fingertip_metrics.similarity import text_similarity

PAIRS = 10
"""Default number of pairs of each kind. A judge that tosses a coin has a kappa of `LEAST_SURE` or more on 20
pairs in 6 of 1,000 runs, and a model that can judge has 0.9 to 1."""

LEAST_SURE = 0.6
"""Minimum kappa on sure pairs: they are easier than any prediction."""

LEAST_KAPPA = 0.4
"""Minimum kappa with people or with a rule that knows the answer: below 0.4 agreement is at most "fair"
(Landis and Koch, 1977), and 0.4 of a hundred pairs has an interval of some 0.2 to 0.6."""

MOST_UNREADABLE = 0.1
"""Share of a judge's answers without a verdict above which SR_1 is bounded too loosely to rank agents: those
of the paper's table 3 lie within some 10 points."""

FEWEST_EQUAL = 20
"""Minimum number of equal verdicts that are suspicious. An agent that is right in one of ten tasks has 20
times "different" in one of eight runs: a reason to look, not a proof."""

FEWEST_COMPARED = 10
"""Minimum number of answers with both verdicts of which an agreement is warned of: fewer say nothing."""

UNLIKE = 0.5
"""Maximum text similarity of intents that are taken for different."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurePair:
    """A pair whose answer is known."""

    predicted: str
    intended: str
    same: bool

    @property
    def texts(self) -> IntentPair:
        """The pair as a judge gets it."""
        return self.predicted, self.intended


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCheck:
    """Answers of a judge to sure pairs.

    Attributes:
        same: Number of pairs that are the same.
        different: Number of pairs that are different.
        right_same: Number of the former that it calls the same.
        right_different: Number of the latter that it calls different.
        unscored: Number of pairs without a verdict, of both kinds.
        kappa: Its agreement with the truth, over the pairs with a verdict; None without one.
    """

    same: int
    different: int
    right_same: int
    right_different: int
    unscored: int
    kappa: Kappa | None

    @property
    def is_passed(self) -> bool:
        """Whether the judge tells the pairs apart, and gives verdicts."""
        readable = self.unscored <= MOST_UNREADABLE * (self.same + self.different)
        return readable and self.kappa is not None and not is_at_chance(self.kappa, LEAST_SURE)

    def describe(self) -> str:
        """Return the counts, as a sentence without a full stop."""
        unread = f", {self.unscored:,} without a verdict" if self.unscored else ""
        return (
            f"pairs with a known answer: {self.right_same:,} of {self.same:,} equal ones called the same, "
            f"{self.right_different:,} of {self.different:,} unlike ones called different{unread}"
        )


def is_at_chance(kappa: Kappa, least: float = LEAST_KAPPA) -> bool:
    """Whether an agreement is no better than chance, or too weak to rest a score on.

    It is if its interval includes 0, as of a rater who gives one answer to all, or if it is below `least`.
    """
    if kappa.kappa is None:
        # both give one and the same answer to all items: no sign of chance, nor of anything else
        return False
    return kappa.kappa < least or (kappa.low is not None and kappa.low <= 0)


def choose_sure_pairs(intents: Mapping[str, str], number: int) -> list[SurePair]:
    """Choose pairs with a known answer from a run's intents; the same intents give the same pairs.

    Args:
        intents: Intent -> its app.
        number: Number of pairs of each kind; fewer if the intents are of one app, or too alike.
    """
    texts = sorted((text for text in intents if text.strip()), key=_hash)
    found = [SurePair(predicted=text, intended=text, same=True) for text in texts[:number]]
    different: list[SurePair] = []
    for text in texts:
        if len(different) == number:
            break
        others = (
            other
            for other in texts
            if intents[other] != intents[text]
            and _are_unlike(text, other)
            and all(pair.predicted != other for pair in different)
        )
        if (other := next(others, None)) is not None:
            different.append(SurePair(predicted=other, intended=text, same=False))
    return found + different


def check_judge(judge: Judge, pairs: Sequence[SurePair]) -> JudgeCheck | None:
    """Ask a judge about pairs with a known answer; None without a pair.

    Raises:
        ModelError: The judge does not answer.
    """
    if not pairs:
        return None
    states = [verdict.state for verdict in judge.judge([pair.texts for pair in pairs])]
    known = [
        (state == "same", pair.same) for state, pair in zip(states, pairs, strict=True) if state != "unscored"
    ]
    return JudgeCheck(
        same=sum(pair.same for pair in pairs),
        different=sum(not pair.same for pair in pairs),
        right_same=sum(given and true for given, true in known),
        right_different=sum(not given and not true for given, true in known),
        unscored=states.count("unscored"),
        kappa=cohen_kappa([given for given, _ in known], [true for _, true in known]) if known else None,
    )


def list_judge_warnings(
    states: Sequence[State],
    *,
    check: JudgeCheck | None = None,
    agreements: Mapping[str, JudgeAgreement | None],
) -> list[str]:
    """List why a judge's SR_1 must not be trusted, one sentence each, without a full stop; [] for no reason.

    Args:
        states: Its verdicts on the predictions that it was asked about.
        check: Its answers to sure pairs; None if it was not asked.
        agreements: Who else has judged the pairs, in words -> the agreement with them; None without one.
    """
    return [
        *_warn_of_check(check),
        *(
            warning
            for whom, agreement in agreements.items()
            if agreement is not None and agreement.kappa is not None
            for warning in _warn_of_agreement(whom, agreement.kappa)
        ),
        *_warn_of_verdicts(states, check),
    ]


def _warn_of_check(check: JudgeCheck | None) -> Iterator[str]:
    if check is None or check.is_passed:
        return
    kappa = check.kappa.kappa if check.kappa else None
    value = "" if kappa is None else f", kappa {kappa:.2f}"
    yield f"this judge cannot tell apart {check.describe()}{value}: do not use its SR_1"


def _warn_of_agreement(whom: str, kappa: Kappa) -> Iterator[str]:
    if kappa.n < FEWEST_COMPARED or not is_at_chance(kappa):
        return
    ends = "" if kappa.low is None or kappa.high is None else f" [{kappa.low:.2f}, {kappa.high:.2f}]"
    chance = "includes chance" if kappa.low is not None and kappa.low <= 0 else f"is below {LEAST_KAPPA}"
    yield (
        f"this judge hardly agrees with {whom}: kappa {kappa.kappa:.2f}{ends} of {kappa.n:,} answers "
        f"{chance}, so do not rank agents by its SR_1"
    )


def _warn_of_verdicts(states: Sequence[State], check: JudgeCheck | None) -> Iterator[str]:
    unscored = states.count("unscored")
    if states and unscored > MOST_UNREADABLE * len(states):
        yield (
            f"{unscored:,} of the judge's {len(states):,} verdicts are missing: take a judge that answers as "
            "it is asked to"
        )
    given = {state for state in states if state != "unscored"}
    # pairs of one kind are passed by a judge that gives their answer to all
    cleared = check is not None and check.is_passed and check.same and check.different
    if len(given) == 1 and len(states) - unscored >= FEWEST_EQUAL and not cleared:
        (only,) = given
        hint = "" if check else "; --judge-check 10 asks it about pairs with a known answer"
        yield f"the judge says {only} of all {len(states) - unscored:,} answers, whatever they are{hint}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _are_unlike(one: str, other: str) -> bool:
    return text_similarity(one, other) <= UNLIKE
