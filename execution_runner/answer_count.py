"""Count the answers in the steps of a run of track 2, and which of its tasks had none that could be read."""

from __future__ import annotations

from execution_runner.attempt import AttemptLog
from execution_runner.execution_log import ExecutionLog
from execution_runner.execution_records import ERRORS, ExecutionRun, StepRecord
from fingertip_runs.unreadable_answers import AnswerCounter


class CountedLog:
    """An `AttemptLog` that counts the answers of the steps that are written to another one.

    Args:
        log: The other one.
        counter: Counter.
    """

    def __init__(self, log: AttemptLog, counter: AnswerCounter) -> None:
        self._log, self._counter = log, counter

    def save(self, file: str, content: bytes) -> None:
        """Write a screenshot or a tree."""
        self._log.save(file, content)

    def step(self, line: StepRecord) -> None:
        """Write a step, and count its answer if it begins one."""
        self._log.step(line)
        if line.is_answer:
            self._counter.add(line.task_id, problem=line.problem, notes=line.notes)


def make_answer_counter(log: ExecutionLog, record: ExecutionRun, *, keep_going: bool) -> AnswerCounter:
    """Make the counter of a call, which knows what earlier calls of the run have read.

    Args:
        log: The run's log as the call begins.
        record: The run.
        keep_going: As for `AnswerCounter`.
    """
    steps = [line for line in log.lines if isinstance(line, StepRecord) and line.is_answer]
    if record.attached:
        steps = []
    queried = {step.task_id for step in steps}
    return AnswerCounter(
        keep_going=keep_going,
        readable_before=any(step.problem is None for step in steps),
        unreadable_before=[
            task_id for task_id, end in log.ends.items() if task_id in queried and end.outcome not in ERRORS
        ],
    )
