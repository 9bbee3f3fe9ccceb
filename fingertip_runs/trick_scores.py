"""Scores of answers that need no look at the task: chance and tricks, which stand beside a run's own scores.

They are no agents and never ranked. A run whose scores are not above theirs has shown nothing yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from fingertip_metrics.aggregate import Interval

LABEL = "chance and tricks"
"""Name of the rows in every table."""

TRICKS: Mapping[str, str] = {
    "constant": "constant answer",
    "last_intent": "last intent",
    "frequent_intent": "frequent intent",
    "finished": "finished() alone",
    "half": "half the person's way",
}
"""Name in JSON -> words in a table."""

NOTE = (
    "Chance and tricks are no agents and have no rank: they are what one gets without a look at the task. A "
    "run that is not clearly above them has shown nothing yet"
)

SAME, FEWEST = 0.9, 3
"""Smallest share of equal answers, and of how many, that is warned of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickScore:
    """The scores of one trick on the tasks of a run.

    Attributes:
        name: Name from `TRICKS`.
        n: Number of tasks.
        means: Name of a score, as in the run's own -> its mean with its interval over users.
    """

    name: str
    n: int
    means: Mapping[str, Interval]

    @property
    def words(self) -> str:
        """The trick in words."""
        return TRICKS[self.name]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickScores:
    """The scores of all tricks on the tasks of a run.

    Attributes:
        rows: A row per trick; empty if they are not known.
        remarks: What is left out and why, a sentence each without a full stop.
    """

    rows: tuple[TrickScore, ...] = ()
    remarks: tuple[str, ...] = ()

    def list_notes(self) -> list[str]:
        """List the lines for below a table."""
        return [f"{line}." for line in (*((NOTE,) if self.rows else ()), *self.remarks)]

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as JSON."""
        rows = [
            {"name": row.name, "words": row.words, "n": row.n, **{k: asdict(v) for k, v in row.means.items()}}
            for row in self.rows
        ]
        return {"agents": False, "rows": rows, "remarks": list(self.remarks)}


NO_TRICKS = TrickScores()
"""Nothing: no trick was scored."""


def merge_tricks(found: Sequence[TrickScores]) -> TrickScores:
    """Merge the scores of several runs: equal rows of runs with the same tasks become one."""
    rows: list[TrickScore] = []
    for row in (row for tricks in found for row in tricks.rows):
        if row not in rows:
            rows.append(row)
    return TrickScores(
        rows=tuple(rows),
        remarks=tuple(dict.fromkeys(remark for tricks in found for remark in tricks.remarks)),
    )


def warn_of_same(answers: Sequence[str], noun: str) -> str:
    """Warn of a run that gives (nearly) all tasks the same answer; "" if it does not.

    Args:
        answers: The answer to each task; empty ones are no answers.
        noun: Noun phrase for the answers.

    >>> warn_of_same(["听歌"] * 97 + ["打车", "点外卖", ""], "answers")
    'WARNING: 97 of 100 answers are the same'
    >>> warn_of_same(["听歌"] * 8 + ["打车"] * 2, "answers"), warn_of_same([""] * 9, "answers")
    ('', '')
    """
    counts = Counter(text for answer in answers if (text := " ".join(answer.split())))
    most = max(counts.values(), default=0)
    if len(answers) < FEWEST or most < SAME * len(answers):
        return ""
    return f"WARNING: {most:,} of {len(answers):,} {noun} are the same"
