"""Sim_1 of track 1, proactive task suggestion: similarity of the predicted intent with the person's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from fingertip_metrics.check_arguments import check_intents
from fingertip_metrics.conventions import cosine_in_range, get_protocol, why_not_comparable
from fingertip_metrics.embedders import Embedder, cosines, describe_embedder
from fingertip_metrics.embedders.embedder import AlikeTeller
from fingertip_metrics.embedders.unknown_tokens import UnknownTokens, check_unknown, measure_unknown
from fingertip_metrics.plain_values import make_plain
from fingertip_metrics.similarity import text_similarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Sim1Item:
    """Sim_1 of one episode; attributes as in `Sim1`."""

    sim1: float
    cosine: float
    levenshtein: float
    empty: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sim1:
    """Sim_1 of the paper's section 5.1, over episodes.

    Attributes:
        sim1: Mean of (text similarity + cosine) / 2: 0-1 by protocol "paper", -0.5 to 1 by "release".
        cosine: Mean cosine of the sentence embeddings: clipped to 0-1 by "paper", -1 to 1 by "release"; 0 for
            a text without any feature.
        levenshtein: Mean text similarity, 0-1, by the method in `similarity`.
        n: Number of episodes.
        empty: Number of episodes with an empty prediction, which is scored like any other.
        embedder: Name of the embedder.
        protocol: "release" or "paper".
        similarity: Method of `text_similarity`.
        comparable: Whether they are computed as the paper's are, whatever data and agent they are of.
        why_not_comparable: Reason why they are not; None if they are.
        per_item: Values of each episode, in input order.
        embedder_settings: What identifies the embedder beyond its name; {} if its name says all.
        unknown: Tokens of the texts that the embedder does not know; None if it cannot tell.
        alike: Note on different texts with one vector; None if they are told apart, or nobody looked.
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
    embedder_settings: Mapping[str, object] = field(default_factory=dict)
    unknown: UnknownTokens | None = None
    alike: str | None = None

    def list_notes(self) -> list[str]:
        """Caveats of the values, one sentence each, without a full stop."""
        notes = (self.unknown.describe(self.embedder) if self.unknown else None, self.alike)
        return [note for note in notes if note]


def sim1(
    predictions: Sequence[str],
    references: Sequence[str],
    *,
    embedder: Embedder,
    protocol: str = "release",
    similarity: str | None = None,
    check_tokens: bool = True,
) -> Sim1:
    """Sim_1: mean of text similarity and cosine of sentence embeddings.

    Args:
        predictions: The agent's intents; may be empty strings.
        references: The people's intents.
        embedder: Embedder, from `get_embedder`.
        protocol: "release" rounds Sim_1 of an episode to two decimals and uses the raw cosine; "paper" does
            not round, and clips the cosine at 0.
        similarity: Method of `text_similarity`; None for the protocol's own.
        check_tokens: Whether an embedder is refused that does not know most tokens of the references. False
            for one episode of many, which may be an exception.

    Raises:
        MetricInputError: No episode, unequal lengths, or a row that is no string.
        UsageError: Unknown protocol or similarity, or an embedder that cannot read the references.
        ModelError: The embedder returned invalid vectors.

    >>> from fingertip_metrics.embedders import get_embedder
    >>> result = sim1(["用微信发消息"], ["用微信发消息"], embedder=get_embedder("lexical"))
    >>> result.sim1, result.comparable
    (1.0, False)
    """
    rules = get_protocol(protocol)
    method = similarity or rules.similarity
    predictions, references = make_plain(predictions), make_plain(references)
    check_intents(predictions, references)
    unknown = measure_unknown(embedder, predictions, references)
    if check_tokens:
        check_unknown(unknown, embedder.name)
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
        embedder_settings=describe_embedder(embedder),
        unknown=unknown,
        alike=embedder.describe_alike([*predictions, *references])
        if isinstance(embedder, AlikeTeller)
        else None,
    )


def _rounded(value: float, decimals: int | None) -> float:
    return value if decimals is None else round(value, decimals)
