"""Rule of preference pairs: which of two answers to a moment is better, by what the person said and did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fingertip_dataset.tasks.feedback import Feedback

PairKind = Literal["false trigger", "wrong offer", "missed", "accepted"]
"""What the agent did at the moment."""

MISSED: PairKind = "missed"
"""Kind of a pair to which the person gave no answer."""

NOTHING = ""
"""The answer that suggests nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPair:
    """Two answers to a moment.

    Attributes:
        kind: What the agent did.
        better: The better answer; "" for nothing.
        worse: The worse answer; "" for nothing.
    """

    kind: PairKind
    better: str
    worse: str


def pair_answers(
    *, offered: str, wanted: str, feedback: Feedback | Literal[""], refused: str = NOTHING
) -> AnswerPair | None:
    """Pair the answer of an agent with another one, or return None where nothing can be learned.

    | offered | wanted | better | worse |
    |---|---|---|---|
    | something | nothing | nothing | the offer |
    | something, rejected | something | what was wanted | the offer |
    | something, accepted | something | the offer | an offer that the person never wants, or nothing |
    | nothing | something | what was wanted | nothing |

    An offer that nobody looked at, at a moment with an intent, may have been right: it gives no pair.

    Args:
        offered: The suggestion; "" for nothing.
        wanted: The person's intent; "" for nothing.
        feedback: The person's answer; "" if nothing was offered.
        refused: The latest offer to which the person said "never" before; "" if there is none.

    >>> pair_answers(offered="open maps", wanted="", feedback="not_now")
    AnswerPair(kind='false trigger', better='', worse='open maps')
    >>> pair_answers(offered="open maps", wanted="open maps", feedback="accepted", refused="call a cab")
    AnswerPair(kind='accepted', better='open maps', worse='call a cab')
    >>> pair_answers(offered="open maps", wanted="call Ann", feedback="ignored") is None
    True
    """
    offered, wanted, refused = (text.strip() for text in (offered, wanted, refused))
    if not offered:
        return AnswerPair(kind="missed", better=wanted, worse=NOTHING) if wanted else None
    if not wanted:
        return AnswerPair(kind="false trigger", better=NOTHING, worse=offered)
    if feedback == "accepted":
        return AnswerPair(kind="accepted", better=offered, worse=NOTHING if refused == offered else refused)
    if feedback == "ignored" or offered == wanted:
        return None
    return AnswerPair(kind="wrong offer", better=wanted, worse=offered)
