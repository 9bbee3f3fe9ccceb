"""Track 1, proactive task suggestion: one question a task, a line an answer, and the scores of a run."""

from __future__ import annotations

from suggestion_runner.prediction_log import read_predictions, read_run
from suggestion_runner.report import write_report
from suggestion_runner.run_counts import RunOutcome
from suggestion_runner.run_suggestions import run_suggestions
from suggestion_runner.scoring import SuggestionRunScores, score_run, write_scores
from suggestion_runner.suggestion_records import Prediction, SuggestionRun
from suggestion_runner.suggestion_tables import breakdown_table, notes, score_table

__all__ = [
    "Prediction",
    "RunOutcome",
    "SuggestionRun",
    "SuggestionRunScores",
    "breakdown_table",
    "notes",
    "read_predictions",
    "read_run",
    "run_suggestions",
    "score_run",
    "score_table",
    "write_report",
    "write_scores",
]
