"""Analysis above the runners: reports, review, reasons of failures, statistics, user types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_analysis.csv_scores import CsvScores, score_csv
    from fingertip_analysis.report.execution_tables import breakdown_table, notes, score_tables
    from fingertip_analysis.report.report_page import write_report
    from fingertip_analysis.result_csv import ResultFile, read_result_csv
    from fingertip_analysis.statistics.figures import write_figures
    from fingertip_analysis.statistics.statistics import EpisodeFacts, read_facts
    from fingertip_analysis.user_types.type_scores import TypeScores, score_types

__all__ = [
    "CsvScores",
    "EpisodeFacts",
    "ResultFile",
    "TypeScores",
    "breakdown_table",
    "notes",
    "read_facts",
    "read_result_csv",
    "score_csv",
    "score_tables",
    "score_types",
    "write_figures",
    "write_report",
]


_MOVED = {
    "Experiment": "fingertip_studies",
    "get_experiment": "fingertip_studies",
    "run_experiment": "fingertip_studies",
}
"""Name -> the package above that has it now."""

if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__, moved=_MOVED)
