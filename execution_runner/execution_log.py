"""The log of a run of track 2: run.json, steps.jsonl (a line a step, a line an end), targets.jsonl, screens.

An interrupted run, even a killed one, can be continued: tasks that have their final end are not repeated. The
lines of an attempt that was cut off stay and count for nothing; its task starts again under the next number.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeGuard

from pydantic import BaseModel

from execution_runner.execution_records import ERRORS, SCREENS, STEPS, EndRecord, ExecutionRun, StepRecord
from fingertip_dataset.errors import RunError
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.tasks.task import TaskTarget
from fingertip_runs import run_folder
from fingertip_runs.line_log import ReadLine, read_lines, validate_json
from fingertip_runs.run_log import RunLog
from fingertip_runs.targets import TARGETS, without_targets

LogLine = StepRecord | EndRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """The attempt at a task that counts.

    Attributes:
        end: How it ended.
        steps: From the first one on.
    """

    end: EndRecord
    steps: tuple[StepRecord, ...]


class ExecutionLog(RunLog[LogLine]):
    """A run's folder, open for writing by one process at a time, from several threads. A context manager.

    Args:
        folder: Created if it is missing; otherwise empty, or of a run of the same identity.
        record: The run, with the session that starts now.
        targets: Target of every task; consumed only if targets.jsonl has to be written.
        resume: Whether a run that is in the folder is continued; one without a line yet is started again
            without it.

    Attributes:
        ends: Task id -> its final end, of the tasks that are over.
        reopened: Ids of the tasks whose final end was taken back, because no answer could be read.
        errors: Task id -> number of its attempts that ended in an error and are tried again.

    Raises:
        RunError: As for `RunLog`.
    """

    def __init__(
        self, folder: Path, record: ExecutionRun, targets: Iterable[TaskTarget] = (), *, resume: bool = False
    ) -> None:
        if record.attached and resume:
            _add_tasks(folder, record)
        super().__init__(
            folder,
            record,
            targets,
            file=STEPS,
            read=_make_line_reader(),
            finished_task=lambda line: line.task_id if _is_final(line) else None,
            reopened_task=lambda line: line.task_id if _reopens(line) else None,
            is_result=_is_result,
            screens=SCREENS,
            resume=resume,
            sync=True,
        )
        self.ends = _find_final_ends(self.lines)
        self.reopened = {line.task_id for line in self.lines if _reopens(line)}
        self.errors = Counter(
            line.task_id
            for line in self.lines
            if isinstance(line, EndRecord) and not line.final and not line.reopens
        )
        self._attempts: defaultdict[str, int] = defaultdict(int)
        self._keeps_steps = record.dry_run
        self._steps: defaultdict[tuple[str, int], list[StepRecord]] = defaultdict(list)
        for line in self.lines:
            self._keep(line)

    def attempts(self, task_id: str) -> int:
        """Number of attempts at a task so far, interrupted ones included."""
        return self._attempts[task_id]

    def next_attempt(self, task_id: str) -> int:
        """The number, from 1, of a new attempt at a task: after the last one that has a line."""
        return self._attempts[task_id] + 1

    def save(self, file: str, content: bytes) -> None:
        """Write a screenshot or a tree; it is on the disk when this returns.

        Args:
            file: Path relative to the run's folder.
            content: Content of the file.

        Raises:
            RunError: The file could not be written (for example, disk full).
        """
        path = self.folder / file
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as stream:
                stream.write(content)
                stream.flush()
                # the step's line names this file, so it must be on the disk first
                os.fsync(stream.fileno())
        except OSError as error:
            raise RunError(
                f"the screen could not be written: {error.strerror or error}; {self._advice}",
                file=path,
            ) from error

    def step(self, line: StepRecord) -> None:
        """Append a step; it is on the disk when this returns.

        Raises:
            RunError: The line could not be written (for example, disk full).
        """
        self.append(line)
        self._keep(line)

    def steps_of(self, task_id: str) -> tuple[StepRecord, ...]:
        """The steps of a task's final attempt in a dry run; empty in any other run."""
        return tuple(self._steps.get((task_id, self.ends[task_id].attempt), ()))

    def _keep(self, line: LogLine) -> None:
        self._attempts[line.task_id] = max(self._attempts[line.task_id], line.attempt)
        # a dry run has one decision a task, which is printed at its end; a real run could be too long
        if self._keeps_steps and isinstance(line, StepRecord):
            self._steps[line.task_id, line.attempt].append(line)

    def end(self, line: EndRecord) -> None:
        """Append the end of an attempt; it is on the disk when this returns, and in `ends` if it is final.

        Raises:
            RunError: The line could not be written (for example, disk full).
        """
        self.append(line)
        self._keep(line)
        if line.final:
            self.ends[line.task_id] = line
        else:
            self.errors[line.task_id] += 1

    def reopen(self, task_ids: Iterable[str], reason: str) -> None:
        """Take the final ends of tasks back, so that the next call carries the tasks out again.

        Args:
            task_ids: Ids of the tasks; those without a final end have nothing to be taken back.
            reason: Reason in words.

        Raises:
            RunError: A line could not be written (for example, disk full).
        """
        for task_id in task_ids:
            end = self.ends.pop(task_id, None)
            if end is not None:
                self.append(end.model_copy(update={"final": False, "reason": reason}))
                self.reopened.add(task_id)


def _add_tasks(folder: Path, record: ExecutionRun) -> None:
    """Adds the tasks of `record` to an attached agent's run in the folder; any other run is refused."""
    if not (folder / run_folder.RUN).exists():
        return
    earlier = read_run(folder)
    grown = earlier.model_copy(update={"tasks": record.tasks, "task_ids": record.task_ids})
    if set(earlier.task_ids) < set(record.task_ids):
        # compared with the tasks added: another agent or dataset is the cause, and not more tasks
        run_folder.check_identity(folder, grown, record)
        # written again for all tasks when the log is opened
        (folder / TARGETS).unlink(missing_ok=True)
        run_folder.write_json(folder / run_folder.RUN, grown.model_dump(mode="json"))


def read_run(folder: Path) -> ExecutionRun:
    """run.json of a run's folder.

    Raises:
        RunError: There is none, or it is broken, of the other track, or of a newer version.
    """
    return run_folder.read_run(folder, ExecutionRun)


@accept_path_texts
def read_attempts(folder: Path) -> tuple[Attempt, ...]:
    """The attempts that count, one a task that is over, in the order of the run's tasks.

    Raises:
        RunError: The run or a line is broken, a task has two final ends, or an attempt lacks a step.
    """
    lines = read_lines(folder / STEPS, _make_line_reader())
    steps: defaultdict[tuple[str, int], list[StepRecord]] = defaultdict(list)
    for line in lines:
        if isinstance(line, StepRecord):
            steps[line.task_id, line.attempt].append(line)
    ends = _find_final_ends(lines)
    found = []
    for task_id in read_run(folder).task_ids:
        if task_id in ends:
            end = ends[task_id]
            own = tuple(steps[task_id, end.attempt])
            _check_steps(folder, end, own)
            found.append(Attempt(end=end, steps=own))
    return tuple(found)


def _check_steps(folder: Path, end: EndRecord, steps: tuple[StepRecord, ...]) -> None:
    if [step.step for step in steps] != list(range(1, end.steps + 1)):
        raise RunError(
            f"expected the steps 1 to {end.steps} of attempt {end.attempt}, got {len(steps)} lines",
            file=folder / STEPS,
            episode_id=end.task_id,
        )


def _is_final(line: LogLine) -> TypeGuard[EndRecord]:
    return isinstance(line, EndRecord) and line.final


def _reopens(line: LogLine) -> bool:
    return isinstance(line, EndRecord) and line.reopens


def _is_result(line: LogLine) -> bool:
    """Whether a line holds something that an agent did; an answer that cannot be read is nothing yet."""
    if isinstance(line, StepRecord):
        return line.problem is None
    return line.final and line.outcome not in ERRORS


def _find_final_ends(lines: Iterable[LogLine]) -> dict[str, EndRecord]:
    """The final end of each task that has one and whose end was not taken back later."""
    ends: dict[str, EndRecord] = {}
    for line in lines:
        if _is_final(line):
            ends[line.task_id] = line
        elif _reopens(line):
            ends.pop(line.task_id, None)
    return ends


class _LineKind(BaseModel):
    kind: Literal["step", "end"]


def _make_line_reader() -> ReadLine[LogLine]:
    over: set[str] = set()

    def read(text: bytes, file: Path, line: int) -> LogLine:
        # lines of version 1 contain targets
        text = without_targets(text)
        if validate_json(_LineKind, text, file, line).kind == "step":
            return validate_json(StepRecord, text, file, line)
        end = validate_json(EndRecord, text, file, line)
        if end.final and end.task_id in over:
            raise RunError(
                "this task ends twice in the file: remove one of the two lines",
                file=file,
                line=line,
                episode_id=end.task_id,
            )
        if end.final:
            over.add(end.task_id)
        elif end.reopens:
            over.discard(end.task_id)
        return end

    return read
