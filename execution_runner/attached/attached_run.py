"""A run of an attached agent: an ordinary run folder, to which each call may add tasks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from execution_runner.attached.attached_environment import AttachedAgent, AttachedEnvironment
from execution_runner.execution_log import read_run
from execution_runner.execution_run import ExecutionOutcome, run_execution
from fingertip_agents.registry import execution_agent_names
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.split_names import TEST_EXECUTION
from fingertip_runs.instructed_tasks import InstructedTasks
from fingertip_runs.run_folder import RUN

ATTACHED = "attached"
"""Default name of an attached agent."""


def check_agent_name(name: str) -> None:
    """Refuse the name of an agent that this project runs itself.

    Raises:
        UsageError: It is the name of one, or empty.
    """
    if name in execution_agent_names():
        raise UsageError(f"{name} is an agent that `fingertip execute` runs: give yours another --agent")
    if not name.strip() or not name.isprintable():
        raise UsageError(f"expected the name of your agent for --agent, got {name!r}")


def run_attached(
    dataset: Path,
    environments: Sequence[AttachedEnvironment],
    agent: AttachedAgent,
    out: Path,
    *,
    split: str = TEST_EXECUTION,
    limit: int | None = None,
    task_ids: Collection[str] | None = None,
    instructed: InstructedTasks | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> ExecutionOutcome:
    """Let an attached agent carry out tasks, and write them to a new run or one that it has begun.

    Args:
        dataset: A folder that `fingertip build` wrote.
        environments: The phones.
        agent: The agent on them.
        out: The run's folder.
        split: Name of the split.
        limit: Maximum number of tasks, spread over the split.
        task_ids: The tasks; None for all of the split.
        instructed: Instructions that the tasks show in place of the intents, as of `run_execution`.
        on_progress: Called with (finished tasks, tasks) at the start and after each task.

    Raises:
        As `run_execution`.
    """
    earlier = _read_earlier_tasks(out)
    return run_execution(
        dataset,
        agent,
        environments,
        out,
        split=split,
        limit=limit,
        task_ids=task_ids if task_ids is None else {*task_ids, *earlier},
        only=task_ids,
        view=environments[0].view,
        retries=0,
        resume=True,
        attached=True,
        instructed=instructed,
        on_progress=on_progress,
    )


def _read_earlier_tasks(out: Path) -> tuple[str, ...]:
    """Ids of the tasks of a run that this call adds to.

    Raises:
        RunError: The folder holds a run of `fingertip execute`.
    """
    if not (out / RUN).exists():
        return ()
    record = read_run(out)
    if not record.attached:
        raise RunError("a run of `fingertip execute` takes no attached agent: give another folder", file=out)
    return record.task_ids
