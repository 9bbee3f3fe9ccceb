"""Identification of FingerTip 20K as an `evaluate` module: `fingertip_metrics.score_identification`."""

from __future__ import annotations

from typing import Any, ClassVar

import fingertip_metrics  # From: fingertip-20k
import fingertip_metrics.evaluate_module as base  # From: fingertip-20k

DESCRIPTION = """
Identification on FingerTip 20K (personalized task execution): whose way was it? Tasks are put in groups of
people with the most similar intents; the share of attempts whose actions are nearest to those of the task's
own person. Bounded by 0 and 1, with a chance level of 1 / size, which an agent that ignores the task has. It
is ours, beside the paper's Sim_2.
"""

INPUTS = """
Args:
    predictions: list of lists of str, the agent's action strings; an empty list if it did nothing.
    references: list of lists of str, the person's action strings, at least one per task.
    users: list of str, id of each task's person; nobody is in a group twice.
    intents: list of str, intent of each task.
    apps: list of str, package name of each task's app; optional.
    size: number of people in a group, 2 or more; 3 by default.
    protocol: "release" (the authors' script) or "paper" (true Levenshtein): how S_I is computed.
    similarity: "release", "levenshtein", "fuzzywuzzy-difflib" or "tokens", overrides the protocol's own.
    spelling: "written" or "canonical", overrides the protocol's own.
    per_item: whether to return the values of each task.
    Keywords of the other metrics are accepted and not used, so that `evaluate.combine` can pass them on.
Returns:
    identification: share of the tasks in groups whose own person is the nearest, 1/m where m people tie; None
        without a group.
    chance: 1 / size.
    groups, same_app, left_out, n: number of groups; of groups whose people used one app; of tasks without a
        group; of tasks in groups.
    size, protocol, similarity, spelling: settings used.
    per_item: one dict per task, if requested.
Examples:
    >>> import evaluate
    >>> import fingertip_metrics
    >>> metric = evaluate.load(fingertip_metrics.path("fingertip_identification"))
    >>> ways = [["press_home()", "finished()"], ["press_back()", "finished()"]]
    >>> people = {"users": ["7", "8"], "intents": ["see the weather", "the weather"], "size": 2}
    >>> metric.compute(predictions=ways, references=ways, **people)["identification"]
    1.0
    >>> metric.compute(predictions=[["finished()"]] * 2, references=ways, **people)["identification"]
    0.5
"""


class FingertipIdentification(base.MetricModule):
    """Identification as an `evaluate` metric."""

    DESCRIPTION = DESCRIPTION
    INPUTS = INPUTS
    COLUMNS: ClassVar = {
        "predictions": base.ACTIONS,
        "references": base.SOME_ACTIONS,
        "users": base.TEXTS,
        "intents": base.TEXTS,
    }

    def _compute(
        self,
        predictions: list[list[str]],
        references: list[list[str]],
        users: list[str],
        intents: list[str],
        apps: list[str] | None = None,
        size: int = 3,
        protocol: str = "release",
        similarity: str | None = None,
        spelling: str | None = None,
        per_item: bool = False,
    ) -> dict[str, Any]:
        result = fingertip_metrics.score_identification(
            predictions,
            references,
            users=users,
            intents=intents,
            apps=apps,
            size=size,
            protocol=protocol,
            similarity=similarity,
            spelling=spelling,
        )
        return fingertip_metrics.result_dict(result, per_item=per_item)
