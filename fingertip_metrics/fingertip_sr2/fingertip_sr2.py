"""SR_2 and step ratio of FingerTip 20K as an `evaluate` module; the score is `fingertip_metrics.sr2`."""

from __future__ import annotations

from typing import Any, ClassVar

import fingertip_metrics  # From: fingertip-20k
import fingertip_metrics.evaluate_module as base  # From: fingertip-20k

DESCRIPTION = """
SR_2 and step ratio of FingerTip 20K (personalized task execution): is the task done, and in how many steps?
An agent is stopped at 2.5 x the person's steps; a success beyond this limit does not count.
"""

INPUTS = """
Args:
    predictions: list of lists of str, the agent's action strings; an empty list if it did nothing.
    references: list of lists of str, the person's action strings (lines of action.jsonl, finished()
        included).
    success: list of bool, whether the task was done, decided by a rule on the final state, a person or a
        named judge; finished() alone is no success. None where nobody decided: it counts as not done.
    per_item: whether to return the values of each episode.
    protocol: "release" or "paper"; the two do not differ here.
    Keywords of the other metrics are accepted and not used, so that `evaluate.combine` can pass them on.
Returns:
    sr2: share of episodes with success, over all episodes.
    undecided: number of episodes within the step limit without a decision.
    worst, best: sr2 if no undecided episode was a success (equal to sr2), or if each was.
    step_ratio: mean of the agent's steps / the person's over the successes (paper); None without a success.
    step_ratio_all: mean of the agent's steps / the person's over all episodes.
    over_limit, n: number of episodes with more than step_limit x the person's steps, and in total.
    step_limit: step limit as a multiple of the person's steps, 2.5.
    per_item: one dict per episode, if requested.
Examples:
    >>> import evaluate
    >>> import fingertip_metrics
    >>> metric = evaluate.load(fingertip_metrics.path("fingertip_sr2"))
    >>> done = ["finished()"]
    >>> metric.compute(predictions=[done * 2], references=[done], success=[True])["step_ratio"]
    2.0
"""


class FingertipSr2(base.MetricModule):
    """SR_2 and step ratio as an `evaluate` metric."""

    DESCRIPTION = DESCRIPTION
    INPUTS = INPUTS
    COLUMNS: ClassVar = {
        "predictions": base.ACTIONS,
        "references": base.SOME_ACTIONS,
        "success": base.DECISIONS,
    }

    def _compute(
        self,
        predictions: list[list[str]],
        references: list[list[str]],
        success: list[bool | None],
        per_item: bool = False,
        protocol: str = "release",
    ) -> dict[str, Any]:
        fingertip_metrics.get_protocol(protocol)
        result = fingertip_metrics.sr2(predictions, references, success)
        return fingertip_metrics.result_dict(result, per_item=per_item)
