"""action.jsonl: one line a step, each a JSON pair of the screenshot's name and the action."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from fingertip_dataset.actions import Action, parse_action
from fingertip_dataset.errors import ActionSyntaxError, ReleaseError
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.spelling import plain_text
from fingertip_dataset.release.surveys import json_fault

ACTION_FILE = "action.jsonl"

MAX_ACTION_BYTES = 8 * 2**20
"""The longest recording known has some 10 KB; a larger file than this is refused unread."""

MAX_STEPS = 5_000
"""Lines that are read; the longest recording known has fewer than a hundred."""

MAX_LINE_BYTES = 64 * 2**10

KEPT_LINE = 2_000
"""Characters that are kept of a line that is no JSON."""

# objects become tuples of pairs, so that a name written twice is seen
_DECODER = json.JSONDecoder(object_pairs_hook=tuple)


class ActionLine(NamedTuple):
    """One line; a tuple, for a release has 200,000.

    Attributes:
        number: In the file, counted from 1.
        name: The screenshot's name; None where the line is no JSON pair.
        raw: The action as written, or the line where it is no JSON pair.
        action: The same, parsed; None where it does not follow the grammar.
    """

    number: int
    name: str | None
    raw: str
    action: Action | None


def read_action_lines(
    path: str, file: str, episode_id: str
) -> tuple[tuple[ActionLine, ...], tuple[Problem, ...]]:
    """The lines of a recording in their order, and what is wrong with them.

    Args:
        path: Absolute.
        file: The same, relative to the release.
        episode_id: For the problems.

    Raises:
        ReleaseError: The file cannot be read at all.
    """
    data = read_file(path, MAX_ACTION_BYTES).removeprefix(b"\xef\xbb\xbf")
    lines: list[ActionLine] = []
    problems = []
    for number, line in enumerate(data.splitlines(), 1):
        if not line:
            continue
        if len(lines) == MAX_STEPS:
            detail = f"expected at most {MAX_STEPS} lines, got more"
            problems.append((ProblemKind.LONG_ACTIONS, detail, number))
            break
        step, found = _read_line(number, line)
        lines.append(step)
        problems += [(kind, detail, number) for kind, detail in found]
    return tuple(lines), tuple(
        Problem(kind=kind, detail=detail, episode_id=episode_id, file=file, line=number)
        for kind, detail, number in problems
    )


def _read_line(number: int, line: bytes) -> tuple[ActionLine, list[tuple[ProblemKind, str]]]:
    problems = []
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        text = line.decode(errors="replace")
        problems.append(
            (ProblemKind.BROKEN_TEXT, f"expected UTF-8, got another encoding at byte {error.start}")
        )
    try:
        name, action_text = _pair(text, len(line))
    except ReleaseError as error:
        problems.append((ProblemKind.UNREADABLE_ACTION_LINE, error.message))
        return ActionLine(number, None, text[:KEPT_LINE], None), problems
    raw = plain_text(action_text)
    if raw != action_text:
        problems.append((ProblemKind.BROKEN_TEXT, "expected characters, got half of a surrogate pair"))
    try:
        return ActionLine(number, name, raw, parse_action(raw)), problems
    except ActionSyntaxError as error:
        problems.append((ProblemKind.UNPARSABLE_ACTION, error.message))
        return ActionLine(number, name, raw, None), problems


def _pair(text: str, size: int) -> tuple[str, str]:
    """The one pair of a line.

    Raises:
        ReleaseError: The line is something else.
    """
    if size > MAX_LINE_BYTES:
        raise ReleaseError(f"expected a line of at most {MAX_LINE_BYTES} bytes, got {size}")
    try:
        pairs: Any = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"expected JSON, got {json_fault(error)}") from error
    if not isinstance(pairs, tuple):
        raise ReleaseError(f"expected a JSON object, got {type(pairs).__name__}")
    if len(pairs) != 1:
        raise ReleaseError(f"expected one pair of name and action, got {len(pairs)}")
    name, action = pairs[0]
    if not isinstance(action, str):
        raise ReleaseError(f"expected the action as a string, got {type(action).__name__}")
    return name, action
