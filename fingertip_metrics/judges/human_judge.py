"""Human raters as the judge: the majority label of a pair."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Self

from fingertip_dataset.errors import UsageError
from fingertip_metrics.judges.pair_labels import PairLabel, by_pair, latest, read_pair_labels
from fingertip_metrics.judges.verdicts import IntentPair, JudgeInputs, State, Verdict, VerdictCheck, majority

STATES: dict[str, State] = {"yes": "same", "no": "different", "unsure": "unscored"}


class HumanJudge:
    """Judge from the raters' labels; an unlabelled pair is unscored.

    An "unsure" label counts as a vote without an answer: one yes and one unsure are no majority.

    Args:
        labels: Labels of pairs; the last label of each rater for a pair counts.

    >>> label = PairLabel(predicted="听歌", intended="放音乐", rater="A", same="yes")
    >>> [(v.state, v.problem) for v in HumanJudge([label]).judge([("听歌", "放音乐"), ("听歌", "打车")])]
    [('same', ''), ('unscored', 'no label')]
    """

    kind: ClassVar = "human"
    remark = None

    def __init__(self, labels: Sequence[PairLabel]) -> None:
        counted = latest(labels)
        self._pairs = by_pair(counted)
        self._raters = tuple(sorted({label.rater for label in counted}))
        lines = sorted(label.model_dump_json() for label in counted)
        self._sha256 = hashlib.sha256("\n".join(lines).encode()).hexdigest()

    @classmethod
    def read(cls, file: Path) -> Self:
        """Read the labels from a file; raises the errors of `read_pair_labels`."""
        return cls(read_pair_labels(file))

    @classmethod
    def open(cls, inputs: JudgeInputs) -> Self:
        """Make a judge from a file of labels.

        Raises:
            UsageError: No file is given.
            InputError: The labels cannot be read.
        """
        if inputs.labels is None:
            raise UsageError("judge human needs a file of labels: `fingertip review RUN` writes one")
        return cls.read(inputs.labels)

    @classmethod
    def verdict_check(cls, settings: Mapping[str, object]) -> VerdictCheck | None:
        """No check: what people think follows from nothing that is recorded."""
        return None

    @property
    def name(self) -> str:
        """Name with the number of raters."""
        persons = "person" if len(self._raters) == 1 else "persons"
        return f"human ({len(self._raters)} {persons})"

    @property
    def settings(self) -> dict[str, object]:
        """The raters' names, and the hash of all their labels."""
        return {"kind": self.kind, "raters": list(self._raters), "labels_sha256": self._sha256}

    @property
    def why_not_comparable(self) -> str:
        """Always a reason: the paper's judge is a model."""
        return f"judge {self.name}: the paper's judge is DeepSeek-V3"

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        """Return a verdict per pair, in order."""
        return tuple(self._judge(pair) for pair in pairs)

    def _judge(self, pair: IntentPair) -> Verdict:
        labels = self._pairs.get(pair, [])
        if not labels:
            return Verdict(state="unscored", problem="no label", reason="no rater has labelled it")
        votes = tuple(STATES[label.same] for label in labels)
        state = majority(votes)
        reason = "; ".join(label.why for label in labels if STATES[label.same] == state and label.why)
        if state != "unscored":
            return Verdict(state=state, reason=reason, votes=votes)
        unsure = set(votes) == {"unscored"}
        return Verdict(
            state=state,
            problem="unsure" if unsure else "no majority",
            reason=reason if unsure else f"no majority: {', '.join(label.same for label in labels)}",
            votes=votes,
        )
