"""Analysis above the runners: reports and review of track 2, statistics, the paper's experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_analysis.csv_scores import CsvScores, score_csv
    from fingertip_analysis.experiments.catalogue import Experiment, get_experiment
    from fingertip_analysis.experiments.suggestion_experiment import run_experiment
    from fingertip_analysis.report.execution_tables import breakdown_table, notes, score_tables
    from fingertip_analysis.report.report_page import write_report
    from fingertip_analysis.result_csv import ResultFile, read_result_csv
    from fingertip_analysis.statistics.figures import write_figures
    from fingertip_analysis.statistics.statistics import EpisodeFacts, read_facts

__all__ = [
    "CsvScores",
    "EpisodeFacts",
    "Experiment",
    "ResultFile",
    "breakdown_table",
    "get_experiment",
    "notes",
    "read_facts",
    "read_result_csv",
    "run_experiment",
    "score_csv",
    "score_tables",
    "write_figures",
    "write_report",
]

_MODULES = {
    "CsvScores": "csv_scores",
    "EpisodeFacts": "statistics.statistics",
    "Experiment": "experiments.catalogue",
    "ResultFile": "result_csv",
    "breakdown_table": "report.execution_tables",
    "get_experiment": "experiments.catalogue",
    "notes": "report.execution_tables",
    "read_facts": "statistics.statistics",
    "read_result_csv": "result_csv",
    "run_experiment": "experiments.suggestion_experiment",
    "score_csv": "csv_scores",
    "score_tables": "report.execution_tables",
    "write_figures": "statistics.figures",
    "write_report": "report.report_page",
}

if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
