"""Description of an error that an agent's own code raised."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import FrameType

from fingertip_dataset.release.problems import printable

MOST_MESSAGE = 300
"""Maximum number of characters of an error's own message."""

RUNNERS = ("execution_runner", "suggestion_runner")
"""Packages that call agents; those of agents, models and the board begin with `fingertip_`."""


def describe_crash(error: BaseException) -> str:
    """Describe an error with the line of the agent's code at which it was raised.

    A folder is left out: the text is kept in a run's folder, which others may read.

    Args:
        error: An error that was caught where an agent was called.

    Returns:
        Kind and message of the error, then file and line: the last line in the first file that is not of this
        project, which is the agent's; without such a file no line.

    >>> describe_crash(ValueError("no such hour"))
    'ValueError: no such hour'
    """
    message = printable(" ".join(str(error).split()), MOST_MESSAGE)
    described = f"{type(error).__name__}: {message}" if message else type(error).__name__
    frames = [*traceback.walk_tb(error.__traceback__)]
    file = next((frame.f_code.co_filename for frame, _ in frames if not _is_ours(frame)), None)
    lines = [line for frame, line in frames if frame.f_code.co_filename == file]
    return f"{described} ({Path(file).name}, line {lines[-1]})" if file else described


def _is_ours(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", "")).split(".")[0]
    return module.startswith("fingertip_") or module in RUNNERS
