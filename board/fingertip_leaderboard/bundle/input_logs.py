"""Logs of attached agents' inputs in a bundle: lines of inputs.jsonl, grouped by task."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pydantic import BaseModel

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import SCREENS
from fingertip_dataset.errors import RunError
from fingertip_leaderboard.bundle.lines import INPUT_LINES
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.strict_json import read_record
from fingertip_runs.input_lines import INPUTS, MOST_INPUTS, InputLine, InputsEndLine
from simulated_phone.logged_input import LoggedInput


@dataclass(frozen=True, slots=True, kw_only=True)
class InputLog:
    """The log of a task's final attempt.

    Attributes:
        line: Line number of its first line.
        inputs: The inputs.
        end: When the agent ended; None if the phone failed before.
    """

    line: int
    inputs: tuple[LoggedInput, ...]
    end: InputsEndLine | None


def collect_inputs(run: Path, attempts: Iterable[Attempt]) -> Iterator[BaseModel]:
    """Lines of the logs of a run's final attempts, within the bounds of a bundle.

    Raises:
        RunError: A log is missing, or a line is not one.
    """
    for attempt in attempts:
        end = attempt.end
        place = run / SCREENS / end.task_id / str(end.attempt) / INPUTS
        if not place.exists() and not attempt.steps:
            continue  # the phone failed before the agent began
        yield from _read_log(place, end.task_id)


def _read_log(place: Path, task_id: str) -> Iterator[BaseModel]:
    try:
        lines = place.read_bytes().splitlines()
    except OSError as error:
        raise RunError(
            f"the log of the inputs cannot be read: {error.strerror or error}; no board can replay "
            "the run, and runs of earlier versions have none; run it again with `fingertip phone`",
            file=place,
            episode_id=task_id,
        ) from None
    found = Refusals()
    for number, line in enumerate(lines, start=1):
        record = read_record(INPUT_LINES, line, found, place.name, number)
        if record is None:
            raise RunError(
                f"the log of the inputs does not fit into a bundle: {found.refusals[0].reason}",
                file=place,
                line=number,
                episode_id=task_id,
            )
        yield record


def group_inputs(
    lines: Sequence[tuple[int, InputLine | InputsEndLine]], found: Refusals
) -> Mapping[str, InputLog]:
    """Group the lines of inputs.jsonl by task: the inputs from 1 on, then their end.

    Args:
        lines: Records with their line numbers, from 1.
        found: Collects the refusals: lines in another order, logs that are too long, and two of one task.
    """
    logs: dict[str, InputLog] = {}
    for task_id, members in groupby(lines, key=lambda member: member[1].task_id):
        own = list(members)
        if task_id in logs:
            reason = f"{task_id}: the task has a log of inputs already"
            found.refuse(RefusalKind.DUPLICATE_TASK, reason, INPUTS, own[0][0])
            continue
        if len(own) > MOST_INPUTS:
            reason = f"{task_id}: expected at most {MOST_INPUTS:,} inputs, got {len(own):,}"
            found.refuse(RefusalKind.TOO_LARGE, reason, INPUTS, own[0][0])
            continue
        if disorder := _find_disorder(own):
            number, reason = disorder
            found.refuse(RefusalKind.WRONG_INPUT, f"{task_id}: {reason}", INPUTS, number)
            continue
        last = own[-1][1]
        logs[task_id] = InputLog(
            line=own[0][0],
            inputs=tuple(one.to_logged() for _, one in own if isinstance(one, InputLine)),
            end=last if isinstance(last, InputsEndLine) else None,
        )
    return logs


def _find_disorder(own: Sequence[tuple[int, InputLine | InputsEndLine]]) -> tuple[int, str] | None:
    """Line and reason of the first line of a log that does not follow the one before it; None without one."""
    for place, (number, one) in enumerate(own, start=1):
        if isinstance(one, InputsEndLine):
            if place < len(own):
                return own[place][0], f"input {place} comes after the end of the log"
            if one.inputs != place - 1:
                return number, f"input {place}: the end names {one.inputs} inputs, but there are {place - 1}"
        elif one.input != place:
            return number, f"expected input {place}, got input {one.input}"
    return None
