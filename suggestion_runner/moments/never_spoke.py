"""Reason why a run of moments has no offer at all: its agent saw nothing that the person did before."""

from __future__ import annotations

from collections.abc import Sequence

from suggestion_runner.suggestion_records import Prediction, SuggestionRun

SILENT_BY_CHOICE = "never"
"""Name of the agent that makes no offer whatever it sees."""


def explain_silence(record: SuggestionRun, predictions: Sequence[Prediction]) -> str:
    """Explain why a run has no offer, and what to do; "" if it has any, or another reason.

    Args:
        record: The run.
        predictions: Its answers.
    """
    if not record.of_moments or not predictions or record.agent.name == SILENT_BY_CHOICE:
        return ""
    if any(line.offer or line.shown_intents for line in predictions):
        return ""
    if record.memory is not None:
        hides, instead = f"--memory {record.memory.name}", "take --memory last-20"
    elif record.history == "none":
        hides, instead = "--history none", "leave it out"
    else:
        return ""
    return (
        f"no offer at any of {len(predictions):,} moments, and none showed an earlier intent, by {hides}. An "
        f"agent without a model offers what was done before: {instead}, with another --out"
    )
