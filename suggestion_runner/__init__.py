"""Track 1, proactive task suggestion: one query and one log line per task, and the scores of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from suggestion_runner.month.month_replay import LivedMoment, replay_month
    from suggestion_runner.month.month_run import run_month
    from suggestion_runner.prediction_log import read_predictions, read_run
    from suggestion_runner.report import write_report
    from suggestion_runner.run_outcome import RunOutcome
    from suggestion_runner.scoring import SuggestionRunScores, score_run, write_scores
    from suggestion_runner.suggestion_records import Prediction, SuggestionRun
    from suggestion_runner.suggestion_run import run_suggestions
    from suggestion_runner.suggestion_tables import breakdown_table, notes, score_table
    from suggestion_runner.task_view import TaskView

__all__ = [
    "LivedMoment",
    "Prediction",
    "RunOutcome",
    "SuggestionRun",
    "SuggestionRunScores",
    "TaskView",
    "breakdown_table",
    "notes",
    "read_predictions",
    "read_run",
    "replay_month",
    "run_month",
    "run_suggestions",
    "score_run",
    "score_table",
    "write_report",
    "write_scores",
]

_ALIASES = {"RunScores": "SuggestionRunScores"}
"""Names of earlier versions."""

if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__, aliases=_ALIASES)
