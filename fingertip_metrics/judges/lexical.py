"""Offline judge that compares characters; it does not consider meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from fingertip_dataset.errors import UsageError
from fingertip_metrics.judges.verdicts import IntentPair, JudgeInputs, RecordedVerdict, Verdict, VerdictCheck
from fingertip_metrics.similarity import text_similarity

THRESHOLD = 0.85
"""Minimum similarity at which two intents count as the same. Not validate_json against human raters."""


class LexicalJudge:
    """Judge by the `text_similarity` of the intents' letters and digits; no pair is unscored.

    Args:
        threshold: Minimum similarity for "same", 0-1.

    Raises:
        UsageError: A threshold outside 0-1.

    >>> judge = LexicalJudge()
    >>> [verdict.state for verdict in judge.judge([("用微信发消息。", "用微信 发消息"), ("听歌", "打车")])]
    ['same', 'different']
    """

    kind: ClassVar = "lexical"
    remark = None

    def __init__(self, threshold: float = THRESHOLD) -> None:
        if not 0 <= threshold <= 1:
            raise UsageError(f"expected a threshold of 0 to 1, got {threshold}")
        self._threshold = threshold

    @classmethod
    def open(cls, inputs: JudgeInputs) -> Self:
        """Make a judge with the default threshold; it reads nothing."""
        return cls()

    @classmethod
    def verdict_check(cls, settings: Mapping[str, object]) -> VerdictCheck:
        """Repeat the rule with the recorded threshold: this judge is deterministic."""
        threshold = settings.get("threshold")
        if not isinstance(threshold, float) or not 0 <= threshold <= 1:
            return lambda pair, recorded: f"expected a threshold of 0 to 1, got {threshold!r}"
        judge = cls(threshold)

        def check(pair: IntentPair, recorded: RecordedVerdict) -> str:
            (ours,) = judge.judge([pair])
            if ours.state == recorded.state:
                return ""
            return f"expected {ours.state} by the judge's rule, got {recorded.state}"

        return check

    @property
    def name(self) -> str:
        """Name with the threshold."""
        return f"lexical (similarity of {self._threshold:.2f} or more)"

    @property
    def settings(self) -> dict[str, object]:
        """The threshold and the similarity method."""
        return {"kind": self.kind, "threshold": self._threshold, "similarity": "release"}

    @property
    def why_not_comparable(self) -> str:
        """Always a reason: the paper's judge is a model."""
        return f"judge {self.name}: a rule on characters, the paper's judge is DeepSeek-V3"

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        """Return a verdict per pair, in order."""
        return tuple(self._judge(*pair) for pair in pairs)

    def _judge(self, predicted: str, intended: str) -> Verdict:
        similarity = text_similarity(_bare(intended), _bare(predicted))
        return Verdict(
            state="same" if similarity >= self._threshold else "different",
            reason=f"similarity {similarity:.2f}",
        )


def _bare(text: str) -> str:
    """The text's letters and digits; the text itself if it has neither."""
    return "".join(character for character in text.casefold() if character.isalnum()) or text
