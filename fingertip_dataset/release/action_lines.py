"""action.jsonl: one line per step, each a JSON pair of the screenshot's name and the action."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from fingertip_dataset.actions import Action, parse_action
from fingertip_dataset.errors import ActionSyntaxError, ReleaseError
from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.raw_folder import read_file
from fingertip_dataset.release.spelling import normalize_text
from fingertip_dataset.release.surveys import describe_json_fault

ACTION_FILE = "action.jsonl"

MAX_ACTION_BYTES = 8 * 2**20
"""Maximum size of the file; a larger one is refused unread. The longest known recording has about 10 KB."""

MAX_STEPS = 5_000
"""Maximum number of lines read; the longest known recording has fewer than a hundred."""

MAX_LINE_BYTES = 64 * 2**10
"""Maximum size of a line that is parsed."""

KEPT_LINE = 2_000
"""Number of characters kept of a line that is not JSON."""

_FULL_WIDTH_POINT = re.compile("coordinates\\s*[=＝]\\s*[(（][^)）]*[０-９]")

# objects become tuples of pairs, because a dict would hide a repeated name
_DECODER = json.JSONDecoder(object_pairs_hook=tuple)


class ActionLine(NamedTuple):
    """A line of action.jsonl; a tuple to save memory, because a release has 200,000.

    Attributes:
        number: Number of the line in the file, counted from 1.
        name: Name of the screenshot; None if the line is not a JSON pair.
        raw: The action as written; the whole line if it is not a JSON pair.
        action: The parsed action; None if `raw` does not follow the grammar.
    """

    number: int
    name: str | None
    raw: str
    action: Action | None


def read_action_lines(
    path: str, file: str, episode_id: str
) -> tuple[tuple[ActionLine, ...], tuple[Problem, ...]]:
    """Read the lines of a recording in order, and their problems.

    Args:
        path: Absolute path of the file.
        file: Path of the file relative to the release, for the problems.
        episode_id: Id of the episode, for the problems.

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
        step, line_problems = _read_line(number, line)
        lines.append(step)
        problems += [(kind, detail, number) for kind, detail in line_problems]
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
        name, action_text = _read_pair(text, len(line))
    except ReleaseError as error:
        problems.append((ProblemKind.UNREADABLE_ACTION_LINE, error.message))
        return ActionLine(number, None, text[:KEPT_LINE], None), problems
    raw = normalize_text(action_text)
    if raw != action_text:
        problems.append((ProblemKind.BROKEN_TEXT, "expected characters, got half of a surrogate pair"))
    try:
        action = parse_action(raw, can_ask=False)
        if _FULL_WIDTH_POINT.search(raw):
            detail = "expected coordinates in plain digits, got full-width ones"
            problems.append((ProblemKind.ACTION_SPELLING, detail))
        return ActionLine(number, name, raw, action), problems
    except ActionSyntaxError as error:
        problems.append((ProblemKind.UNPARSABLE_ACTION, error.message))
        return ActionLine(number, name, raw, None), problems


def _read_pair(text: str, size: int) -> tuple[str, str]:
    """Parse the one pair of a line.

    Raises:
        ReleaseError: The line is not one JSON pair of strings.
    """
    if size > MAX_LINE_BYTES:
        raise ReleaseError(f"expected a line of at most {MAX_LINE_BYTES} bytes, got {size}")
    try:
        pairs: Any = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"expected JSON, got {describe_json_fault(error)}") from error
    if not isinstance(pairs, tuple):
        raise ReleaseError(f"expected a JSON object, got {type(pairs).__name__}")
    if len(pairs) != 1:
        raise ReleaseError(f"expected one pair of name and action, got {len(pairs)}")
    name, action = pairs[0]
    if not isinstance(action, str):
        raise ReleaseError(f"expected the action as a string, got {type(action).__name__}")
    return name, action
