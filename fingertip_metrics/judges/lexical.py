"""A rule on characters in place of a judge, for use offline; it does not know what words mean."""

from __future__ import annotations

from collections.abc import Sequence

from fingertip_dataset.errors import UsageError
from fingertip_metrics.judges.verdicts import IntentPair, Verdict
from fingertip_metrics.similarity import text_similarity

THRESHOLD = 0.85
"""Similarity from which two intents are taken for the same; ours, not measured against people."""


class LexicalJudge:
    """The same where the letters and digits are similar enough, by `text_similarity`; never unscored.

    Args:
        threshold: 0-1.

    Raises:
        UsageError: It is outside.

    >>> judge = LexicalJudge()
    >>> [verdict.state for verdict in judge.judge([("用微信发消息。", "用微信 发消息"), ("听歌", "打车")])]
    ['same', 'different']
    """

    remark = None

    def __init__(self, threshold: float = THRESHOLD) -> None:
        if not 0 <= threshold <= 1:
            raise UsageError(f"expected a threshold of 0 to 1, got {threshold}")
        self._threshold = threshold

    @property
    def name(self) -> str:
        """With the threshold."""
        return f"lexical (similarity of {self._threshold:.2f} or more)"

    @property
    def settings(self) -> dict[str, object]:
        """The threshold, and on what."""
        return {"kind": "lexical", "threshold": self._threshold, "similarity": "release"}

    @property
    def why_not_comparable(self) -> str:
        """No judge at all."""
        return f"judge {self.name}: a rule on characters, the paper's judge is DeepSeek-V3"

    def judge(self, pairs: Sequence[IntentPair]) -> tuple[Verdict, ...]:
        """A verdict a pair, in their order."""
        return tuple(self._judge(*pair) for pair in pairs)

    def _judge(self, predicted: str, intended: str) -> Verdict:
        similarity = text_similarity(_bare(intended), _bare(predicted))
        return Verdict(
            state="same" if similarity >= self._threshold else "different",
            reason=f"similarity {similarity:.2f}",
        )


def _bare(text: str) -> str:
    """Letters and digits alone; the text itself where it has none."""
    return "".join(character for character in text.casefold() if character.isalnum()) or text
