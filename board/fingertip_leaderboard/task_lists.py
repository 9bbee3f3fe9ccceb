"""The lists of tasks that a board has: each track's test, test moments, tasks with questions, long tasks.

Which list a run is of decides its table, its claims and its checks: it is decided here alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from execution_runner.execution_records import ExecutionRun
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.provenance import SIMULATED
from fingertip_dataset.split_names import TEST_EXECUTION, TEST_LONG, TEST_MOMENTS, TEST_SUGGESTION
from suggestion_runner.suggestion_records import SuggestionRun

TaskList = Literal["suggestion", "execution", "moments", "asking", "long"]
"""Which tasks of a dataset were run: those of a track's test, its test moments, those of track 2 that say
less than people wrote, or whose person answers questions, or those over several apps."""

SPLIT_OF: Mapping[TaskList, str] = MappingProxyType(
    {
        "suggestion": TEST_SUGGESTION,
        "execution": TEST_EXECUTION,
        "moments": TEST_MOMENTS,
        "asking": TEST_EXECUTION,
        "long": TEST_LONG,
    }
)
"""List of tasks -> its split."""


def find_task_list(run: SuggestionRun | ExecutionRun) -> TaskList:
    """Find the list that a run's tasks are of, whatever its split is."""
    if isinstance(run, SuggestionRun):
        return "moments" if run.of_moments else "suggestion"
    if run.of_dialogue:
        return "asking"
    return "long" if run.split == TEST_LONG else "execution"


def list_tests(built: BuiltDataset) -> dict[TaskList, str]:
    """List the lists of tasks that a dataset has, with their splits."""
    simulated = SIMULATED in built.manifest.provenance.split("+")
    has = {
        "moments": built.has_moments,
        "asking": simulated,
        "long": TEST_LONG in built.manifest.splits,
    }
    return {name: split for name, split in SPLIT_OF.items() if has.get(name, True)}


def describe_section(run: SuggestionRun | ExecutionRun) -> str:
    """Describe what has to be equal for two runs to be of one section of a board.

    Runs of different sections are expected to be by the same agents, with the same names.
    """
    name = find_task_list(run)
    if isinstance(run, SuggestionRun) or not run.of_dialogue:
        return name
    return f"{name}, {run.instructions}, answered by {run.answered_by or 'nobody'}"
