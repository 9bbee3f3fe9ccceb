"""Analysis above the runners: statistics of a dataset, the paper's experiments, results in CSV files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_analysis.csv_scores import CsvScores, score_csv
    from fingertip_analysis.experiments.catalogue import Experiment, get_experiment
    from fingertip_analysis.experiments.suggestion_experiment import run_experiment
    from fingertip_analysis.result_csv import ResultFile, read_result_csv
    from fingertip_analysis.statistics.figures import write_figures
    from fingertip_analysis.statistics.statistics import EpisodeFacts, read_facts

__all__ = [
    "CsvScores",
    "EpisodeFacts",
    "Experiment",
    "ResultFile",
    "get_experiment",
    "read_facts",
    "read_result_csv",
    "run_experiment",
    "score_csv",
    "write_figures",
]

_MODULES = {
    "CsvScores": "csv_scores",
    "EpisodeFacts": "statistics.statistics",
    "Experiment": "experiments.catalogue",
    "ResultFile": "result_csv",
    "get_experiment": "experiments.catalogue",
    "read_facts": "statistics.statistics",
    "read_result_csv": "result_csv",
    "run_experiment": "experiments.suggestion_experiment",
    "score_csv": "csv_scores",
    "write_figures": "statistics.figures",
}

if not TYPE_CHECKING:  # a type checker would take every name for one of the package's
    __getattr__, __dir__ = lazy_names(__name__, _MODULES)
