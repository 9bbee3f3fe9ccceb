"""Facts of a run's tasks from the dataset, to group scores by: scenario, user profile, state of the phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.run_record import DatasetRecord

FACTS = ("scenario", "sex", "age", "occupation", "phone_brand", "language", "trouble")
"""Names of the groupings, for both tracks. Only tasks of simulated people have a language, and a trouble that
the phone was in (faults that were on, or "none")."""

AGE_GROUPS = ((19, "0-19"), (29, "20-29"), (39, "30-39"), (49, "40-49"))
"""Upper bound (years, inclusive) and name of each age group. Our choice: the paper (4.4) forms user types by
age groups without printing their boundaries; its users are 18 to 60 years old (A.3)."""

OLDEST = "50+"

COLUMNS = ("episode_id", "scenario", "user_profile")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFacts:
    """Facts of tasks from the dataset.

    Attributes:
        of_task: Task id -> name from `FACTS` -> group of the task; None if the dataset lacks the value.
        why_none: Why there are no facts, in words; None if the dataset was read.
    """

    of_task: Mapping[str, Mapping[str, str | None]]
    why_none: str | None = None

    def groups(self, fact: str, task_ids: Sequence[str]) -> list[str | None]:
        """The group of each task."""
        return [self.of_task.get(task_id, {}).get(fact) for task_id in task_ids]


def read_task_facts(dataset: DatasetRecord, split: str) -> TaskFacts:
    """The facts of a split's tasks; empty, with the reason, if the run's dataset is missing.

    Args:
        dataset: The run's dataset, read from its path and checked by its data_sha256.
        split: Name of the run's split.
    """
    path = Path(dataset.path)
    try:
        if not dataset.path:
            raise DatasetError("the run's record has no path of its dataset")
        built = BuiltDataset.open(path)
        if built.manifest.data_sha256 != dataset.data_sha256:
            raise DatasetError(
                "this is another dataset than the run was made on, or it was built again since: bring "
                "that one back to this path",
                file=path,
            )
        found = facts_of(built, split)
    except (DatasetError, UsageError) as error:
        return TaskFacts(of_task={}, why_none=f"scores by {', '.join(FACTS)} need the run's dataset: {error}")
    return TaskFacts(of_task=found)


def facts_of(built: BuiltDataset, split: str) -> dict[str, dict[str, str | None]]:
    """Task id -> name from `FACTS` -> group of the task; None if the dataset lacks the value.

    Raises:
        DatasetError: The dataset has changed since it was built.
    """
    simulations = built.simulations()
    return {
        row["episode_id"]: collect_facts(row, simulations.get(row["episode_id"]))
        for row in built.rows(split, columns=COLUMNS)
    }


def age_group(age: int | None) -> str | None:
    """The name of an age group; None if the age is unknown.

    >>> [age_group(age) for age in (18, 20, 29, 60, None)]
    ['0-19', '20-29', '20-29', '50+', None]
    """
    if age is None:
        return None
    return next((name for last, name in AGE_GROUPS if age <= last), OLDEST)


def collect_facts(row: Mapping[str, Any], simulation: Mapping[str, Any] | None) -> dict[str, str | None]:
    """Collect the facts of a task: name from `FACTS` -> its group, or None if the dataset lacks the value.

    Args:
        row: Row of the dataset with `COLUMNS`.
        simulation: Set-up of the task's phone; None for a task without one.
    """
    profile = row["user_profile"] or {}
    phone = simulation or {}
    return {
        "scenario": _text(row["scenario"]),
        "sex": _text(profile.get("sex")),
        "age": age_group(profile.get("age")),
        "occupation": _text(profile.get("occupation")),
        "phone_brand": _text(profile.get("phone_brand")),
        "language": phone.get("locale", "zh") if phone else None,
        "trouble": ", ".join(phone.get("faults", ())) or "none" if phone else None,
    }


def _text(value: str | None) -> str | None:
    """The text without outer spaces; None for a blank one."""
    return value.strip() or None if value else None
