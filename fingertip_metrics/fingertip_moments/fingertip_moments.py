"""When to speak, as an `evaluate` module; the scores are `fingertip_metrics.moment_scores`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any, ClassVar

import fingertip_metrics  # From: fingertip-20k
import fingertip_metrics.evaluate_module as base  # From: fingertip-20k
from fingertip_metrics.judges import Judge, open_judge  # From: fingertip-20k
from fingertip_metrics.moment_scores import moment_scores  # From: fingertip-20k

DESCRIPTION = """
When to speak, on the moments of FingerTip 20K (track 1): at about half of them the person wants nothing, and
silence is the right answer. An offer where nothing is wanted is a false trigger.
"""

INPUTS = """
Args:
    predictions: list of str, the agent's offers; "" for silence.
    references: list of str, the people's intents; "" or None where nothing is wanted.
    confidences: list of float, 0 to 1, the agent's probability that something is wanted, for silence as well;
        None for an answer without one; optional.
    hits: list of bool, whether each offer is what was wanted, in place of a judge; None without a verdict.
    kinds: list of str, the kind of each moment, "intent" exactly where something is wanted; optional.
    users: list of str, the person of each moment, for intervals over people; optional.
    penalty: penalty of a false trigger in `utility`, in hits; 1 by default.
    judge, base_url, votes, language, cache, labels, dataset: as in fingertip_sr1; without a judge and without
        hits, scores of what was offered are None.
    embedder, device: as in fingertip_sim1; None, the default, for no Sim_1.
    protocol: protocol of Sim_1, "release" or "paper".
    per_item: whether to return the outcome of each moment.
    Keywords of the other metrics are accepted and not used, so that `evaluate.combine` can pass them on.
Returns:
    false_trigger_rate: share of the moments where nothing is wanted at which the agent spoke.
    missed_rate: share of the moments where something is wanted at which it was silent.
    precision, recall: share of the offers where something is wanted; 1 - missed_rate.
    sr1, sim1: SR_1 and Sim_1 of the offers where something is wanted.
    hit_rate: hits / moments where something is wanted.
    utility, utility_curve, penalty: (hits - penalty x false triggers) / moments; for penalties of 0 to 4.
    brier, calibration_error, auroc: the confidences against "something is wanted".
    risk_area, risk_curve: share of the covered moments without a hit, by confidence; its mean over coverages.
    reliability: bins of the confidences: n, mean confidence, share of moments where something is wanted.
    by_kind: share of the moments of each kind at which the agent spoke, if kinds are given.
    n, with_intent, without_intent, spoken, hits, other_offers, unscored, false_triggers, missed,
    without_confidence: counts.
    why_undefined: the reason for each score that is None.
    intervals: each score with its 95 % interval over people, if users are given.
    comparable, why_not_comparable: False, as the paper has no such moments.
    judge, embedder: names; None without one.
    per_item: one dict per moment, if requested.
Examples:
    >>> import evaluate
    >>> import fingertip_metrics
    >>> metric = evaluate.load(fingertip_metrics.path("fingertip_moments"))
    >>> texts = {"predictions": ["发消息", "打车", ""], "references": ["发消息", "", ""]}
    >>> found = metric.compute(**texts, confidences=[0.9, 0.6, 0.1], judge="lexical")
    >>> found["false_trigger_rate"], found["missed_rate"], found["sr1"], found["utility"]
    (0.5, 0.0, 1.0, 0.0)
"""


class FingertipMoments(base.MetricModule):
    """Offers and silence at moments as an `evaluate` metric."""

    DESCRIPTION = DESCRIPTION
    INPUTS = INPUTS
    COLUMNS: ClassVar = {"predictions": base.TEXTS, "references": base.TEXTS_OR_NONE}

    def _compute(
        self,
        predictions: list[str],
        references: list[str | None],
        confidences: list[float | None] | None = None,
        hits: list[bool | None] | None = None,
        kinds: list[str] | None = None,
        users: list[str] | None = None,
        penalty: float = 1.0,
        judge: str | Judge | None = None,
        base_url: str | None = None,
        votes: int = 1,
        language: Any = "zh",  # noqa: ANN401 - checked where it is used
        cache: str | None = None,
        labels: str | None = None,
        dataset: str | None = None,
        embedder: str | None = None,
        device: str = "cpu",
        protocol: str = "release",
        per_item: bool = False,
    ) -> dict[str, Any]:
        judging = (
            open_judge(
                judge,
                base_url=base_url,
                votes=votes,
                language=language,
                cache=Path(cache) if cache else None,
                labels=Path(labels) if labels else None,
                dataset=Path(dataset) if dataset else None,
            )
            if judge
            else nullcontext()
        )
        with judging as opened:
            result = moment_scores(
                predictions,
                [text or "" for text in references],
                confidences,
                hits=hits,
                judge=opened,
                embedder=fingertip_metrics.get_embedder(embedder, device=device) if embedder else None,
                protocol=protocol,
                kinds=kinds,
                users=users,
                penalty=penalty,
            )
        return result.to_dict(per_item=per_item)
