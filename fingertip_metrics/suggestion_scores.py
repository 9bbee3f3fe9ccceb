"""All columns of the paper's table 3 (track 1): SR_1, Sim_1, time and tokens of an agent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from fingertip_dataset.errors import MetricInputError
from fingertip_metrics.check_arguments import check_lengths
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.verdicts import Judge
from fingertip_metrics.plain_values import make_plain
from fingertip_metrics.sim1_score import Sim1, sim1
from fingertip_metrics.sr1_score import Sr1, sr1


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionScores:
    """A row of table 3: both scores, and what a query took.

    Attributes:
        sr1: SR_1 with its counts, and a verdict per episode.
        sim1: Sim_1 with its parts, and the values per episode.
        seconds: Mean seconds per query; None if not given.
        prompt_tokens: Mean prompt tokens per query; None if not given.
        completion_tokens: Mean output tokens per query; None if not given.
    """

    sr1: Sr1
    sim1: Sim1
    seconds: float | None
    prompt_tokens: float | None
    completion_tokens: float | None

    @property
    def why_not_comparable(self) -> str | None:
        """Why the scores cannot stand next to the paper's, in words; None if both can."""
        reasons = (self.sr1.why_not_comparable, self.sim1.why_not_comparable)
        return "; ".join(filter(None, reasons)) or None

    def to_dict(self, *, per_item: bool) -> dict[str, Any]:
        """The row as the `evaluate` module returns it: the names are those of `Sr1` and `Sim1`.

        Args:
            per_item: Whether to keep the values behind the means, a list of dicts, one an episode.
        """
        same, near = self.sr1, self.sim1
        row: dict[str, Any] = {
            "sr1": same.sr1,
            "sim1": near.sim1,
            "seconds": self.seconds,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            **{
                name: getattr(same, name)
                for name in ("n", "empty", "unscored", "unparsable", "worst", "best")
            },
            "cosine": near.cosine,
            "levenshtein": near.levenshtein,
            "judge": same.judge,
            "embedder": near.embedder,
            "protocol": near.protocol,
            "similarity": near.similarity,
            "embedder_settings": dict(near.embedder_settings),
            "unknown": asdict(near.unknown) if near.unknown else None,
            "alike": near.alike,
            "comparable": same.comparable and near.comparable,
            "why_not_comparable": self.why_not_comparable,
            "remark": same.remark,
        }
        if per_item:
            row["per_item"] = [
                {"state": verdict.state, "reason": verdict.reason, **asdict(item)}
                for verdict, item in zip(same.per_item, near.per_item, strict=True)
            ]
        return row


def suggestion_scores(
    predictions: Sequence[str],
    references: Sequence[str],
    *,
    judge: Judge,
    embedder: Embedder,
    protocol: str = "release",
    seconds: Sequence[float] | None = None,
    prompt_tokens: Sequence[int] | None = None,
    completion_tokens: Sequence[int] | None = None,
) -> SuggestionScores:
    """Compute all columns of the paper's table 3.

    Args:
        predictions: The agent's intents; may be empty strings.
        references: The people's intents.
        judge: Judge, from `fingertip_metrics.judges`.
        embedder: Embedder, from `get_embedder`.
        protocol: Protocol of Sim_1.
        seconds: Duration of the agent's query, seconds, one value per episode.
        prompt_tokens: Prompt tokens of the agent's query, one value per episode.
        completion_tokens: Output tokens of the agent's query, one value per episode.

    Raises:
        MetricInputError: No episode, unequal lengths, or a row of another type.
        UsageError: Unknown protocol.
        ModelError: The judge or the embedder failed.

    >>> from fingertip_metrics import get_embedder
    >>> from fingertip_metrics.judges import LexicalJudge
    >>> lexical = {"judge": LexicalJudge(), "embedder": get_embedder("lexical")}
    >>> scores = suggestion_scores(["听歌"], ["听歌"], seconds=[1.5], **lexical)
    >>> scores.sr1.sr1, scores.sim1.sim1, scores.seconds, scores.prompt_tokens
    (1.0, 1.0, 1.5, None)
    """
    usage = {"seconds": seconds, "prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    predictions, references = make_plain(predictions), make_plain(references)
    means = {name: _mean(name, make_plain(values), predictions) for name, values in usage.items()}
    return SuggestionScores(
        # Sim_1 first: it refuses an unknown protocol before the judge is queried
        sim1=sim1(predictions, references, embedder=embedder, protocol=protocol),
        sr1=sr1(predictions, references, judge=judge),
        **means,
    )


def _mean(name: str, values: Sequence[float] | None, predictions: Sequence[str]) -> float | None:
    if values is None:
        return None
    check_lengths(predictions=predictions, **{name: values})
    for row, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise MetricInputError(f"expected {name}[{row}] to be a number of 0 or more, got {value!r:.60}")
    return fmean(values)
