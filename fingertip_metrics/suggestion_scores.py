"""All columns of the paper's table 3 (track 1): SR_1, Sim_1, time and tokens of an agent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from fingertip_dataset.errors import MetricInputError
from fingertip_metrics.check_arguments import check_lengths
from fingertip_metrics.embedders import Embedder
from fingertip_metrics.judges.verdicts import Judge, State
from fingertip_metrics.sim1_score import sim1
from fingertip_metrics.sr1_score import sr1


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionItem:
    """Scores of one episode; attributes as in `Sr1Item` and `Sim1Item`."""

    state: State
    reason: str
    sim1: float
    cosine: float
    levenshtein: float
    empty: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionScores:
    """A row of table 3; attributes not described here are as in `Sr1` and `Sim1`.

    Attributes:
        seconds: Mean seconds per query; None if not given.
        prompt_tokens: Mean prompt tokens per query; None if not given.
        completion_tokens: Mean output tokens per query; None if not given.
        comparable: Whether both scores are comparable with the paper's.
        why_not_comparable: Reasons why they are not; None if they are.
    """

    sr1: float | None
    sim1: float
    seconds: float | None
    prompt_tokens: float | None
    completion_tokens: float | None
    n: int
    empty: int
    unscored: int
    unparsable: int
    worst: float
    best: float
    cosine: float
    levenshtein: float
    judge: str
    embedder: str
    protocol: str
    similarity: str
    comparable: bool
    why_not_comparable: str | None
    remark: str | None
    per_item: tuple[SuggestionItem, ...]


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
    >>> scores.sr1, scores.sim1, scores.seconds, scores.prompt_tokens
    (1.0, 1.0, 1.5, None)
    """
    usage = {"seconds": seconds, "prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    means = {name: _mean(name, values, predictions) for name, values in usage.items()}
    near = sim1(predictions, references, embedder=embedder, protocol=protocol)
    same = sr1(predictions, references, judge=judge)
    return SuggestionScores(
        sr1=same.sr1,
        sim1=near.sim1,
        **means,
        n=same.n,
        empty=same.empty,
        unscored=same.unscored,
        unparsable=same.unparsable,
        worst=same.worst,
        best=same.best,
        cosine=near.cosine,
        levenshtein=near.levenshtein,
        judge=same.judge,
        embedder=near.embedder,
        protocol=near.protocol,
        similarity=near.similarity,
        comparable=same.comparable and near.comparable,
        why_not_comparable="; ".join(filter(None, (same.why_not_comparable, near.why_not_comparable)))
        or None,
        remark=same.remark,
        per_item=tuple(
            SuggestionItem(
                state=verdict.state,
                reason=verdict.reason,
                sim1=item.sim1,
                cosine=item.cosine,
                levenshtein=item.levenshtein,
                empty=item.empty,
            )
            for verdict, item in zip(same.per_item, near.per_item, strict=True)
        ),
    )


def _mean(name: str, values: Sequence[float] | None, predictions: Sequence[str]) -> float | None:
    if values is None:
        return None
    check_lengths(predictions=predictions, **{name: values})
    for row, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise MetricInputError(f"expected {name}[{row}] to be a number of 0 or more, got {value!r:.60}")
    return fmean(values)
