"""Sim_1 of FingerTip 20K as an `evaluate` module; the score itself is `fingertip_metrics.sim1`."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

import fingertip_metrics  # From: fingertip-20k

DESCRIPTION = """
Sim_1 of FingerTip 20K (proactive task suggestion): how near is the predicted intent to the person's? Mean
over episodes of (text similarity + cosine of sentence embeddings) / 2.
"""

INPUTS = """
Args:
    predictions: list of str, the agent's intents; may be empty strings.
    references: list of str, the people's intents.
    embedder: "official" (paraphrase-multilingual-MiniLM-L12-v2), "lexical" (character n-grams, offline), or
        the name or folder of another SentenceTransformer. Only "official" is comparable with the paper.
    device: of a SentenceTransformer, as torch names it; "auto" for the best there is.
    protocol: "release" (as the authors' script; comparable with the paper) or "paper" (true Levenshtein).
    similarity: "release", "levenshtein" or "fuzzywuzzy-difflib", in place of the protocol's own.
    per_item: whether to return the values behind the means.
Returns:
    sim1, cosine, levenshtein: means over episodes.
    n, empty: episodes, and those with an empty prediction.
    embedder, protocol, similarity: what was used.
    comparable, why_not_comparable: whether sim1 can stand next to the paper's, and the reason if not.
    per_item: one dict an episode, if asked for.
Examples:
    >>> metric = evaluate.load(fingertip_metrics.path("fingertip_sim1"))
    >>> metric.compute(predictions=["发消息"], references=["发消息"], embedder="lexical")["sim1"]
    1.0
"""


class FingertipSim1(evaluate.Metric):  # type: ignore[misc]  # evaluate has no types
    """Rows are checked when they are added: behind that, a number would become text in silence."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=fingertip_metrics.conventions.CITATION,
            inputs_description=INPUTS,
            features=datasets.Features(
                {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
            ),
        )

    def add_batch(self, *, predictions: object = None, references: object = None, **kwargs: object) -> None:
        """Add rows."""
        fingertip_metrics.check_arguments.check_texts("predictions", predictions)
        fingertip_metrics.check_arguments.check_texts("references", references)
        super().add_batch(predictions=predictions, references=references, **kwargs)

    def add(self, *, prediction: object = None, reference: object = None, **kwargs: object) -> None:
        """Add one row."""
        fingertip_metrics.check_arguments.check_texts("predictions", [prediction])
        fingertip_metrics.check_arguments.check_texts("references", [reference])
        super().add(prediction=prediction, reference=reference, **kwargs)

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
