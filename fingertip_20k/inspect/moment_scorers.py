"""Scorer of moments for Inspect: when an answer spoke, whether its offer was wanted, and its confidence."""

from __future__ import annotations

import math
from pathlib import Path

import anyio
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from fingertip_20k.inspect.suggestion_scorers import read_prediction
from fingertip_20k.inspect.user_metrics import user_metrics
from fingertip_metrics.judges import open_judge
from fingertip_metrics.moment_columns import SHARES
from fingertip_metrics.moment_scores import moment_scores

MEANS = (*SHARES, "utility", "brier")
"""Scores that are means over moments, which Inspect can compute; `fingertip score` has the others, too."""


@scorer(metrics={name: user_metrics(share=name in SHARES) for name in MEANS})
def moment_values(
    judge: str = "simulated", judge_base_url: str | None = None, dataset: str | None = None
) -> Scorer:
    """Values of a moment, as `fingertip score` computes them; a score that it does not count in is NaN.

    Args:
        judge: Judge of offers: "simulated", "lexical" or the name of a model.
        judge_base_url: URL of the model's server.
        dataset: Folder of the built dataset, for the judge "simulated".
    """

    def compute(offer: str, target: str, confidence: float | None) -> dict[str, float]:
        folder = Path(dataset) if dataset else None
        # as in `fingertip score`: the decision of an answer without a confidence
        given = float(bool(offer)) if confidence is None else confidence
        with open_judge(judge, base_url=judge_base_url, dataset=folder) as opened:
            values = moment_scores([offer], [target], [given], judge=opened).values
        known = {name: column[0] for name, column in values.items()}
        return {name: math.nan if (value := known.get(name)) is None else value for name in MEANS}

    async def score(state: TaskState, target: Target) -> Score:
        line = read_prediction(state, distribution=False, moments=True)
        offer = line.offer
        values = await anyio.to_thread.run_sync(compute, offer, target.text, line.confidence)
        return Score(
            value=values,
            answer=offer,
            explanation=line.reason or None,
            metadata={"prediction": line.model_dump(mode="json")},
        )

    return score
