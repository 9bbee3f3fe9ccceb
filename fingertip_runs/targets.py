"""targets.jsonl: the recorded ground truth by which each task of a run is scored.

The run's log holds only inputs, outputs and timings, so that it can be published or submitted unchanged. Run
folders of version 1 have the targets within the lines of the log; `read_targets` reads both versions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import RunError
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_runs.line_log import read_lines, validate_json
from fingertip_runs.run_folder import write_text

TARGETS = "targets.jsonl"

OLD_LOGS = ("predictions.jsonl", "steps.jsonl")
"""Log files of version 1 that hold targets, one per track."""

_OLD_INTENT, _OLD_ACTIONS = "original_intent", "golden_actions"
"""Fields that only lines of version 1 have: track 1, track 2."""

_OLD_FIELDS = frozenset(
    {
        *("user_id", "app", "intent_category", "time", "intent", "golden"),
        *(_OLD_INTENT, _OLD_ACTIONS, "other_type_actions"),
    }
)
"""Every field of a line of version 1 that later versions lack."""

_OLD_MARKS = tuple(f'"{name}":'.encode() for name in (_OLD_INTENT, _OLD_ACTIONS, "golden"))
"""The fields as JSON keys; within a JSON string they cannot occur, since its quotes are escaped."""


def write_targets(folder: Path, targets: Iterable[TaskTarget]) -> None:
    """Writes targets.jsonl atomically if it is missing.

    Args:
        folder: Folder of the run.
        targets: Target of every task of the run; ignored if the file exists.

    Raises:
        RunError: The file cannot be written.
    """
    file = folder / TARGETS
    if not file.exists():
        write_text(file, "".join(f"{target.model_dump_json()}\n" for target in targets))


@accept_path_texts
def read_targets(folder: Path, task_ids: Iterable[str] = ()) -> dict[str, TaskTarget]:
    """Task id -> its target, from targets.jsonl or from a log of version 1.

    Args:
        folder: Folder of a run of either track and either version.
        task_ids: Ids of tasks that must have a target.

    Raises:
        RunError: A line is broken, or a task has no target.
    """
    file = folder / TARGETS
    lines = read_lines(file, _read) if file.exists() else tuple(_read_old_targets(folder))
    found = {target.task_id: target for target in lines}
    for task_id in task_ids:
        if task_id not in found:
            raise RunError(
                f"{TARGETS} has no line for this task: the command that made "
                "the run writes the file again if an unfinished run is continued without it",
                file=file,
                episode_id=task_id,
            )
    return found


def without_targets(text: bytes) -> bytes:
    """A line of a log without its target fields, which only lines of version 1 have."""
    # lines of later versions, nearly all, need no JSON parsing here
    if not any(mark in text for mark in _OLD_MARKS):
        return text
    fields = _parse_fields(text)
    if fields is None:
        return text
    return json.dumps({name: value for name, value in fields.items() if name not in _OLD_FIELDS}).encode()


def _read_old_targets(folder: Path) -> Iterator[TaskTarget]:
    """Targets within the complete lines of a log of version 1; lines of later versions have none."""
    for file in (folder / name for name in OLD_LOGS if (folder / name).exists()):
        for number, text in enumerate(read_file(file).split(b"\n")[:-1], start=1):
            fields = _parse_fields(text) or {}
            if _OLD_INTENT in fields:
                fields["intent"] = fields[_OLD_INTENT]
            elif _OLD_ACTIONS not in fields:
                continue
            fields.pop("kind", None)  # of the line, not of the task
            target = {name: fields[name] for name in TaskTarget.model_fields if name in fields}
            yield validate_json(TaskTarget, json.dumps(target).encode(), file, number)


def _read(text: bytes, file: Path, line: int) -> TaskTarget:
    return validate_json(TaskTarget, text, file, line)


def _parse_fields(text: bytes) -> dict[str, Any] | None:
    """A line's fields; None if it is no JSON object, which the reader of the log then reports."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
