"""Sim_1 of FingerTip 20K as an `evaluate` module; the score itself is `fingertip_metrics.sim1`."""

from __future__ import annotations

from typing import Any, ClassVar

import fingertip_metrics  # From: fingertip-20k
import fingertip_metrics.evaluate_module as base  # From: fingertip-20k

DESCRIPTION = """
Sim_1 of FingerTip 20K (proactive task suggestion): similarity of the predicted intent with the person's. Mean
over episodes of (text similarity + cosine of sentence embeddings) / 2.
"""

INPUTS = """
Args:
    predictions: list of str, the agent's intents; may be empty strings.
    references: list of str, the people's intents.
    embedder: "official" (paraphrase-multilingual-MiniLM-L12-v2), "lexical" (character n-grams, offline), or
        the name or folder of another SentenceTransformer. Only "official" is comparable with the paper.
    device: device of a SentenceTransformer, as torch names it; "auto" for the best available one.
    protocol: "release" (the authors' script; comparable with the paper) or "paper" (true Levenshtein).
    similarity: "release", "levenshtein" or "fuzzywuzzy-difflib", overrides the protocol's own.
    per_item: whether to return the values of each episode.
    Keywords of the other metrics are accepted and not used, so that `evaluate.combine` can pass them on.
Returns:
    sim1, cosine, levenshtein: means over episodes.
    n, empty: number of episodes, and number with an empty prediction.
    embedder, protocol, similarity: settings used.
    comparable, why_not_comparable: whether sim1 is computed as the paper's (whatever it is of), and why not.
    per_item: one dict per episode, if requested.
Examples:
    >>> import evaluate
    >>> import fingertip_metrics
    >>> metric = evaluate.load(fingertip_metrics.path("fingertip_sim1"))
    >>> metric.compute(predictions=["发消息"], references=["发消息"], embedder="lexical")["sim1"]
    1.0
"""


class FingertipSim1(base.MetricModule):
    """Sim_1 as an `evaluate` metric."""

    DESCRIPTION = DESCRIPTION
    INPUTS = INPUTS
    COLUMNS: ClassVar = {"predictions": base.TEXTS, "references": base.TEXTS}

    def _compute(
        self,
        predictions: list[str],
        references: list[str],
        embedder: str = "official",
        device: str = "cpu",
        protocol: str = "release",
        similarity: str | None = None,
        per_item: bool = False,
    ) -> dict[str, Any]:
        result = fingertip_metrics.sim1(
            predictions,
            references,
            embedder=fingertip_metrics.get_embedder(embedder, device=device),
            protocol=protocol,
            similarity=similarity,
        )
        return fingertip_metrics.result_dict(result, per_item=per_item)
