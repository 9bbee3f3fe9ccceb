"""Track 1, proactive task suggestion: one query and one log line per task, and the scores of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from suggestion_runner.prediction_log import read_predictions, read_run
    from suggestion_runner.report import write_report
    from suggestion_runner.run_outcome import RunOutcome
    from suggestion_runner.scoring import SuggestionRunScores, score_run, write_scores
    from suggestion_runner.suggestion_records import Prediction, SuggestionRun
    from suggestion_runner.suggestion_run import run_suggestions
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

_MODULES = {
    "Prediction": "suggestion_records",
    "RunOutcome": "run_outcome",
    "SuggestionRun": "suggestion_records",
    "SuggestionRunScores": "scoring",
    "breakdown_table": "suggestion_tables",
    "notes": "suggestion_tables",
    "read_predictions": "prediction_log",
    "read_run": "prediction_log",
    "run_suggestions": "suggestion_run",
    "score_run": "scoring",
    "score_table": "suggestion_tables",
    "write_report": "report",
    "write_scores": "scoring",
}
_ALIASES = {"RunScores": "SuggestionRunScores"}
"""Names of earlier versions."""

if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__, _MODULES, _ALIASES)
