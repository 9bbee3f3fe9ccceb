"""Sim_2 of FingerTip 20K as an `evaluate` module; the score itself is `fingertip_metrics.sim2`."""

from __future__ import annotations

from typing import Any, ClassVar

import fingertip_metrics  # From: fingertip-20k
import fingertip_metrics.evaluate_module as base  # From: fingertip-20k

DESCRIPTION = """
Sim_2 of FingerTip 20K (personalized task execution): does the agent act like this person? Mean over episodes
of S_I / S_II: similarity of the agent's action sequence with the person's, over its similarity with the
sequence of a person of another type with the most similar intent. Above 1, the agent acts more like this one.
"""

INPUTS = """
Args:
    predictions: list of lists of str, the agent's action strings; an empty list where it did nothing.
    references: list of lists of str, the person's, at least one action an episode.
    others: list of lists of str, those of a person of another type; an empty list where there is none.
    protocol: "release" (as the authors' script; comparable with the paper) or "paper" (true Levenshtein).
    similarity: "release", "levenshtein", "fuzzywuzzy-difflib" or "tokens", in place of the protocol's own.
    spelling: "written" (the strings as they are) or "canonical", in place of the protocol's own: the release
        compares what is written, the paper's protocol the canonical spelling.
    per_item: whether to return the values behind the means.
    success: not used; taken so that `evaluate.combine` can pass it on to fingertip_sr2.
Returns:
    sim2: mean of S_I / S_II where it is defined; None where it is nowhere.
    s_i, s_ii: means of the two similarities.
    undefined, replaced, no_other_type, empty, n: episodes without a quotient (protocol paper); with an S_II
        of 0 replaced by 0.4 (protocol release); without a sequence of another type (protocol release: S_I /
        0.4; protocol paper: undefined); with an agent that did nothing; all.
    action_similarity, action_similarity_other: the two similarities over whole actions.
    protocol, similarity, spelling: what was used.
    comparable, why_not_comparable: whether sim2 can stand next to the paper's, and the reason if not.
    per_item: one dict an episode, if asked for.
Examples:
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
        success: object = None,
    ) -> dict[str, Any]:
        result = fingertip_metrics.sim2(
            predictions, references, others, protocol=protocol, similarity=similarity, spelling=spelling
        )
        return fingertip_metrics.result_dict(result, per_item=per_item)
