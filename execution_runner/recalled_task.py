"""Recollections of a memory for tasks of track 2, in addition to equation (2) of the paper."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING

from execution_runner.execution_view import ExecutionView
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_runs.memory_record import MemoryRecord

if TYPE_CHECKING:
    from fingertip_agents.memory.keeper import MemoryKeeper

_ONE_AT_A_TIME = Lock()


def recall_task(memory: MemoryKeeper, view: ExecutionView, task: ExecutionTask) -> ExecutionTask:
    """Return a task with what the memory of its person recalls. Thread-safe.

    The memory is given what is strictly earlier than the task, and sees the task as the agent does: where the
    view hides time and place, it recalls without them.

    Raises:
        ModelError: The memory failed, or recalled more than its budget allows.
    """
    target = task.target
    with _ONE_AT_A_TIME:
        shown = memory.recall(target.user_id, datetime.fromisoformat(target.time), view.show_task(task.input))
    return replace(task, input=replace(task.input, memory=shown.memory))


def record_memory(memory: MemoryKeeper) -> MemoryRecord:
    """Make the record of a run's memory.

    Raises:
        ModelError: Its settings are not JSON.
    """
    return MemoryRecord.of(memory.name, memory.settings, memory.budget)
