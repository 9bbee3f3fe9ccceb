"""Description of an error that an agent's own code raised."""

from __future__ import annotations

import traceback
from pathlib import Path

from fingertip_dataset.release.problems import printable

MOST_MESSAGE = 300
"""Maximum number of characters of an error's own message."""


def describe_crash(error: BaseException, agent: object) -> str:
    """Describe an error with the line of the agent's code at which it was raised.

    A folder is left out: the text is kept in a run's folder, which others may read.

    Args:
        error: An error that was caught.
        agent: The agent that raised it.

    Returns:
        Kind and message of the error, and file and line: the last line in the file of the agent's class,
        or the last of all if the error has none there.

    >>> describe_crash(ValueError("no such hour"), object())
    'ValueError: no such hour'
    """
    message = printable(" ".join(str(error).split()), MOST_MESSAGE)
    what = f"{type(error).__name__}: {message}" if message else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == _find_file(agent)]
    # the first frame is the caller's, so an error raised by the call itself has no line
    last = own[-1] if own else frames[-1] if len(frames) > 1 else None
    return what if last is None else f"{what} ({Path(last.filename).name}, line {last.lineno})"


def _find_file(agent: object) -> str | None:
    """Return the path of the file that defines the agent's class; None for a class of C code."""
    code = getattr(
        getattr(type(agent), "act", None) or getattr(type(agent), "suggest", None), "__code__", None
    )
    return None if code is None else code.co_filename
