"""Sim_2 of FingerTip 20K as an `evaluate` module; the score itself is `fingertip_metrics.sim2`."""

from __future__ import annotations

from typing import Any, ClassVar

import fingertip_metrics  # From: fingertip-20k
import fingertip_metrics.evaluate_module as base  # From: fingertip-20k

DESCRIPTION = """
Sim_2 of FingerTip 20K (personalized task execution): does the agent act like this person? Mean over episodes
of S_I / S_II: similarity of the agent's action sequence with the person's, divided by its similarity with the
sequence of a person of another type for the most similar intent. Above 1, the agent acts more like this
person.
"""

INPUTS = """
Args:
    predictions: list of lists of str, the agent's action strings; an empty list if it did nothing.
    references: list of lists of str, the person's action strings, at least one per episode.
    others: list of lists of str, action strings of a person of another type; an empty list if there are none.
    protocol: "release" (the authors' script; comparable with the paper) or "paper" (true Levenshtein).
    similarity: "release", "levenshtein", "fuzzywuzzy-difflib" or "tokens", overrides the protocol's own.
    spelling: "written" (unchanged strings) or "canonical", overrides the protocol's own: protocol release
        compares the strings as written, protocol paper their canonical spelling.
    per_item: whether to return the values of each episode.
    Keywords of the other metrics are accepted and not used, so that `evaluate.combine` can pass them on.
Returns:
    sim2: mean of S_I / S_II where it is defined; None if it is defined for no episode.
    s_i, s_ii: means of the two similarities.
    undefined, replaced, no_other_type, empty, n: number of episodes without a quotient (protocol paper, no
        sequence of another type); with an S_II of 0 (protocol release: replaced by 0.4; protocol paper: sim2
        is 0); without a sequence of another type (protocol release: S_I / 0.4; protocol paper: undefined);
        with an agent that did nothing; in total.
    action_similarity, action_similarity_other: the two similarities over whole actions.
    protocol, similarity, spelling: settings used.
    comparable, why_not_comparable: whether sim2 is computed as the paper's (whatever it is of), and why not.
    per_item: one dict per episode, if requested.
Examples:
    >>> import evaluate
    >>> import fingertip_metrics
    >>> metric = evaluate.load(fingertip_metrics.path("fingertip_sim2"))
    >>> home, back, done = "press_home()", "press_back()", "finished()"
    >>> result = metric.compute(predictions=[[home, done]], references=[[home, done]], others=[[back, done]])
    >>> result["s_i"], result["s_ii"]
    (0.98, 0.81)
"""


class FingertipSim2(base.MetricModule):
    """Sim_2 as an `evaluate` metric."""

    DESCRIPTION = DESCRIPTION
    INPUTS = INPUTS
    COLUMNS: ClassVar = {"predictions": base.ACTIONS, "references": base.SOME_ACTIONS, "others": base.ACTIONS}

    def _compute(
        self,
        predictions: list[list[str]],
        references: list[list[str]],
        others: list[list[str]],
        protocol: str = "release",
        similarity: str | None = None,
        spelling: str | None = None,
        per_item: bool = False,
    ) -> dict[str, Any]:
        result = fingertip_metrics.sim2(
            predictions, references, others, protocol=protocol, similarity=similarity, spelling=spelling
        )
        return fingertip_metrics.result_dict(result, per_item=per_item)
