"""Track 1, proactive task suggestion: how near is the predicted intent to the person's?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from fingertip_metrics.check_arguments import check_lengths, check_texts
from fingertip_metrics.conventions import cosine_in_range, get_protocol, why_not_comparable
from fingertip_metrics.embedders import Embedder, cosines
from fingertip_metrics.similarity import text_similarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Sim1Item:
    """One episode; the attributes are those of `Sim1`."""

    sim1: float
    cosine: float
    levenshtein: float
    empty: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sim1:
    """Sim_1 of the paper's section 5.1, over episodes.

    Attributes:
        sim1: Mean of (text similarity + cosine) / 2: 0-1 by protocol "paper", -0.5 to 1 by "release".
        cosine: Mean cosine of the sentence embeddings, as the protocol takes it: 0-1 by "paper", which clips
            it, -1 to 1 by "release"; 0 for a text without any feature.
        levenshtein: Mean text similarity, 0-1, by the method that `similarity` names.
        n: Episodes.
        empty: Episodes whose prediction is empty; scored like any other.
        embedder: Its name.
        protocol: "release" or "paper".
        similarity: Method of `text_similarity`.
        comparable: Whether the numbers can stand next to the paper's.
        why_not_comparable: The reason in words; None where they can.
        per_item: The values behind the means, in the order given.
    """

    sim1: float
    cosine: float
    levenshtein: float
    n: int
    empty: int
    embedder: str
    protocol: str
    similarity: str
    comparable: bool
    why_not_comparable: str | None
    per_item: tuple[Sim1Item, ...]


def sim1(
    predictions: Sequence[str],
    references: Sequence[str],
    *,
    embedder: Embedder,
    protocol: str = "release",
    similarity: str | None = None,
) -> Sim1:
    """Sim_1: half text similarity, half cosine of sentence embeddings.

    Args:
        predictions: The agent's intents; may be empty strings.
        references: The people's.
        embedder: From `get_embedder`.
        protocol: "release" rounds Sim_1 of an episode to two decimals and takes the cosine as it is; "paper"
            does not round, and clips the cosine at 0.
        similarity: Method of `text_similarity` in place of the protocol's own.

    Raises:
        MetricInputError: Nothing to score, unequal lengths, or something that is no string.
        UsageError: There is no such protocol or similarity.
        ModelError: The embedder returned what is no vector.

    >>> from fingertip_metrics.embedders import get_embedder
    >>> result = sim1(["用微信发消息"], ["用微信发消息"], embedder=get_embedder("lexical"))
    >>> result.sim1, result.comparable
    (1.0, False)
    """
    rules = get_protocol(protocol)
    method = similarity or rules.similarity
    check_texts("predictions", predictions)
    check_texts("references", references)
    check_lengths(predictions=predictions, references=references)
    ratios = [text_similarity(ref, pred, method) for pred, ref in zip(predictions, references, strict=True)]
    near = [cosine_in_range(one, rules.cosine) for one in cosines(embedder, predictions, references)]
    items = tuple(
        Sim1Item(
            sim1=_rounded((ratio + cosine) / 2, rules.sim1_decimals),
            cosine=cosine,
            levenshtein=ratio,
            empty=not prediction.strip(),
        )
        for ratio, cosine, prediction in zip(ratios, near, predictions, strict=True)
    )
    reasons = (embedder.why_not_comparable, why_not_comparable(rules, method))
    reason = "; ".join(filter(None, reasons)) or None
    return Sim1(
        sim1=fmean(item.sim1 for item in items),
        cosine=fmean(item.cosine for item in items),
        levenshtein=fmean(item.levenshtein for item in items),
        n=len(items),
        empty=sum(item.empty for item in items),
        embedder=embedder.name,
        protocol=rules.name,
        similarity=method,
        comparable=reason is None,
        why_not_comparable=reason,
        per_item=items,
    )


def _rounded(value: float, decimals: int | None) -> float:
    return value if decimals is None else round(value, decimals)
