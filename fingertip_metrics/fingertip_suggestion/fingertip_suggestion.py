"""Track 1 of FingerTip 20K as an `evaluate` module; the scores are `fingertip_metrics.suggestion_scores`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import fingertip_metrics  # From: fingertip-20k
import fingertip_metrics.evaluate_module as base  # From: fingertip-20k
from fingertip_metrics.judges import Judge, open_judge  # From: fingertip-20k
from fingertip_metrics.suggestion_scores import suggestion_scores  # From: fingertip-20k

DESCRIPTION = """
Track 1 of FingerTip 20K (proactive task suggestion), all columns of the paper's table 3: SR_1 by a judge,
Sim_1, seconds and tokens per query.
"""

INPUTS = """
Args:
    predictions: list of str, the agent's intents; may be empty strings.
    references: list of str, the people's intents.
    judge, base_url, votes, language, cache, labels, dataset: as in fingertip_sr1.
    embedder, device: as in fingertip_sim1.
    protocol: "release" (the authors' script; comparable with the paper) or "paper" (true Levenshtein).
    seconds: list of float, seconds the agent took per query; optional.
    prompt_tokens, completion_tokens: lists of int, prompt and output tokens per query; optional.
    per_item: whether to return the values of each episode.
    Keywords of the other metrics are accepted and not used, so that `evaluate.combine` can pass them on.
Returns:
    sr1, worst, best, unscored, unparsable, judge, remark: as in fingertip_sr1.
    sim1, cosine, levenshtein, embedder, protocol, similarity: as in fingertip_sim1.
    seconds, prompt_tokens, completion_tokens: means per query; None if not given.
    n, empty: number of episodes, and number with an empty prediction.
    comparable, why_not_comparable: whether both are computed as the paper's, and why not.
    per_item: one dict per episode, if requested.
Examples:
    >>> import evaluate
    >>> import fingertip_metrics
    >>> metric = evaluate.load(fingertip_metrics.path("fingertip_suggestion"))
    >>> lexical = {"judge": "lexical", "embedder": "lexical"}
    >>> metric.compute(predictions=["发消息"], references=["发消息"], seconds=[1.5], **lexical)["sr1"]
    1.0
"""


class FingertipSuggestion(base.MetricModule):
    """Both scores of track 1 as one `evaluate` metric."""

    DESCRIPTION = DESCRIPTION
    INPUTS = INPUTS
    COLUMNS: ClassVar = {"predictions": base.TEXTS, "references": base.TEXTS}

    def _compute(
        self,
        predictions: list[str],
        references: list[str],
        judge: str | Judge | None = None,
        base_url: str | None = None,
        votes: int = 1,
        language: Any = "zh",  # noqa: ANN401 - checked where it is used
        cache: str | None = None,
        labels: str | None = None,
        dataset: str | None = None,
        embedder: str = "official",
        device: str = "cpu",
        protocol: str = "release",
        seconds: list[float] | None = None,
        prompt_tokens: list[int] | None = None,
        completion_tokens: list[int] | None = None,
        per_item: bool = False,
    ) -> dict[str, Any]:
        with open_judge(
            judge,
            base_url=base_url,
            votes=votes,
            language=language,
            cache=Path(cache) if cache else None,
            labels=Path(labels) if labels else None,
            dataset=Path(dataset) if dataset else None,
        ) as opened:
            result = suggestion_scores(
                predictions,
                references,
                judge=opened,
                embedder=fingertip_metrics.get_embedder(embedder, device=device),
                protocol=protocol,
                seconds=seconds,
                prompt_tokens=prompt_tokens,
                completion_tokens=completion_tokens,
            )
        return result.to_dict(per_item=per_item)
