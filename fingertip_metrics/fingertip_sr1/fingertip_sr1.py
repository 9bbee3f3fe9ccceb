"""SR_1 of FingerTip 20K as an `evaluate` module; the score itself is `fingertip_metrics.sr1`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import fingertip_metrics  # From: fingertip-20k
import fingertip_metrics.evaluate_module as base  # From: fingertip-20k
from fingertip_metrics.judges import Judge, open_judge  # From: fingertip-20k
from fingertip_metrics.sr1_score import sr1  # From: fingertip-20k

DESCRIPTION = """
SR_1 of FingerTip 20K (proactive task suggestion): the share of predicted intents that a judge considers the
same as the person's intent.
"""

INPUTS = """
Args:
    predictions: list of str, the agent's intents; an empty one counts as different without a query.
    references: list of str, the people's intents.
    judge: name of a model on its OpenAI-compatible server ("DeepSeek-V3" in the paper), "human" (labels),
        "lexical" (a rule on characters, offline), "simulated" (a rule for simulated people: goal and case) or
        "simulated-goal" (the goal alone), or an object of fingertip_metrics.judges.
    base_url: URL of the model's server; the key comes from the environment.
    votes: number of queries per pair; the strict majority decides.
    language: language of the judge's prompt, "zh" or "en".
    cache: file with the model's answers, so that no query is repeated.
    labels: file of the raters' labels, for "human".
    dataset: folder of the built dataset of the references, for "simulated" and "simulated-goal".
    per_item: whether to return the verdicts.
    Keywords of the other metrics are accepted and not used, so that `evaluate.combine` can pass them on.
Returns:
    sr1: share of "same" among all episodes, 0-1; an episode without a verdict counts as not done.
    n, empty: number of episodes, and number with an empty prediction.
    unscored, unparsable: number of episodes without a verdict; number with an unparsable answer.
    worst, best: sr1 if all unscored episodes were different (equal to sr1), or the same.
    judge, judge_settings, prompt_tokens, completion_tokens: the judge, its settings and its tokens.
    comparable, why_not_comparable, remark: whether sr1 is computed as the paper's (of whatever), and why not.
    per_item: one dict per episode, if requested.
Examples:
    >>> import evaluate
    >>> import fingertip_metrics
    >>> metric = evaluate.load(fingertip_metrics.path("fingertip_sr1"))
    >>> metric.compute(predictions=["发消息"], references=["发消息"], judge="lexical")["sr1"]
    1.0
"""


class FingertipSr1(base.MetricModule):
    """SR_1 as an `evaluate` metric."""

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
            result = sr1(predictions, references, judge=opened)
        return fingertip_metrics.result_dict(result, per_item=per_item)
