"""Results in the authors' columns: the CSV file that their scripts write for a run of either track.

Track 1 has original_intent, predicted_intent, time, token; track 2 has success, origin_step, real_step,
step_ratio, up_sim (S_I), down_sim (S_II), similarity (Sim_2), time, token. Names may differ in case or lack
the underscore. An optional column `user_id` gives intervals over users.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fingertip_dataset.errors import InputError, ReleaseError
from fingertip_dataset.path_arguments import accept_path_texts
from fingertip_dataset.path_kinds import explain_wrong_path
from fingertip_dataset.release.spelling import normalize_time, normalize_user
from fingertip_dataset.release.tables.table_rows import TableRow, read_rows
from fingertip_dataset.track import Track

ENCODINGS = ("utf-8-sig", "gb18030")
"""Accepted encodings; GB 18030 includes GBK, which Chinese spreadsheet programs write."""

COLUMNS: Mapping[str, Sequence[str]] = {
    "user_id": ("userid",),
    "original_intent": ("originalintent", "intentdescription"),
    "predicted_intent": ("predictedintent",),
    "success": ("success",),
    "origin_step": ("originstep",),
    "real_step": ("realstep",),
    "up_sim": ("upsim",),
    "down_sim": ("downsim",),
    "similarity": ("similarity",),
    # pandas renames a second column "time" to "time.1"; the first one is then the episode's time
    "time": ("time.1", "time"),
    "token": ("token", "tokens"),
}
"""Column -> its spellings by `plain_key`; the first one found counts."""

NEEDED: Mapping[Track, Sequence[str]] = {
    "suggestion": ("original_intent", "predicted_intent"),
    "execution": ("success", "origin_step", "real_step"),
}

MOST_SECONDS = 1e6
"""Maximum seconds per query, eleven days; a larger value is not an agent's time."""

MOST_TOKENS = 1e9
"""Maximum tokens per query, a thousand times the longest context window."""

MOST_STEPS = 10_000
"""Maximum actions per episode; people's episodes have about ten."""

MOST_SIMILARITY = 1 + 1e-9
"""Maximum of S_I and S_II, which are 0 to 1 except for rounding of floating-point sums."""

MOST_RATIO = 1e6
"""Maximum of Sim_2 = S_I / S_II; a larger value implies an S_II that is no similarity."""

YES_NO = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestionRow:
    """A row of track 1; a number is None if its cell is blank or its column is missing.

    Attributes:
        line: Line number in the file, counted from 1.
        user_id: Id of the user; None without the column.
        original: The person's intent.
        predicted: The agent's answer; "" if it gave none.
        seconds: Seconds that the agent took.
        tokens: Prompt and completion tokens of the model.
    """

    line: int
    user_id: str | None
    original: str
    predicted: str
    seconds: float | None
    tokens: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionRow:
    """A row of track 2; see `SuggestionRow`.

    Attributes:
        success: Success as labelled by a person.
        golden_steps: Number of the person's steps, at least 1.
        steps: Number of the agent's steps.
        s_i: Similarity with the person's sequence.
        s_ii: Similarity with the sequence of a person of another type.
        sim2: Sim_2 as computed by the authors' script.
    """

    line: int
    user_id: str | None
    success: bool
    golden_steps: int
    steps: int
    s_i: float | None
    s_ii: float | None
    sim2: float | None
    seconds: float | None
    tokens: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRow:
    """A row that cannot be read: its line number, counted from 1, and the reason."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFile:
    """A file of results.

    Attributes:
        path: Path of the file.
        track: Track of the results.
        columns: Names of the columns of `COLUMNS` in the file.
        suggestions: Rows of track 1; empty for track 2.
        executions: Rows of track 2; empty for track 1.
        bad: Rows that are left out.
    """

    path: Path
    track: Track
    columns: tuple[str, ...]
    suggestions: tuple[SuggestionRow, ...]
    executions: tuple[ExecutionRow, ...]
    bad: tuple[BadRow, ...]


@accept_path_texts
def read_result_csv(path: Path, *, track: Track | None = None) -> ResultFile:
    """Reads a file of results in the authors' columns.

    Args:
        path: Path of the file.
        track: Track whose columns are read; None to infer it from the columns.

    Raises:
        InputError: The file cannot be read, has the columns of neither track, has those of both and no track
            is given, or has no valid row.
    """
    if path.is_dir():
        wrong = explain_wrong_path(path, "a CSV file") or "this is a folder, not a CSV file"
        raise InputError(wrong, file=path)
    try:
        columns, rows = read_rows(path, COLUMNS, (), encodings=ENCODINGS)
        track = _find_track(columns, track)
        bad: list[BadRow] = []
        read = _parse_suggestion if track == "suggestion" else _parse_execution
        found = list(_read(rows, read, bad))
    except ReleaseError as error:
        raise InputError(error.message, file=path) from error
    if not found:
        first = f", first line {bad[0].line}: {bad[0].reason}" if bad else ""
        raise InputError(f"no row can be scored, {len(bad)} cannot be read{first}", file=path)
    return ResultFile(
        path=path,
        track=track,
        columns=columns,
        suggestions=tuple(row for row in found if isinstance(row, SuggestionRow)),
        executions=tuple(row for row in found if isinstance(row, ExecutionRow)),
        bad=tuple(bad),
    )


def _find_track(columns: Sequence[str], named: Track | None) -> Track:
    wanted_tracks: Sequence[Track] = list(NEEDED) if named is None else [named]
    found = [track for track in wanted_tracks if set(NEEDED[track]) <= set(columns)]
    if len(found) == 1:
        return found[0]
    if found:
        of_each = " and ".join(f"{', '.join(NEEDED[track])} ({track})" for track in found)
        raise ReleaseError(
            f"expected the columns of one track, got {of_each}: give --track {' or '.join(found)}"
        )
    wanted = " or ".join(", ".join(NEEDED[track]) for track in wanted_tracks)
    raise ReleaseError(f"expected the columns {wanted}, got {', '.join(columns) or 'none of them'}")


def _read(
    rows: Iterator[TableRow],
    read: Callable[[int, Mapping[str, str]], SuggestionRow | ExecutionRow],
    bad: list[BadRow],
) -> Iterator[SuggestionRow | ExecutionRow]:
    for row in rows:
        try:
            if row.fault is not None:
                raise InputError(row.fault)
            yield read(row.line, row.values)
        except InputError as error:
            bad.append(BadRow(line=row.line, reason=error.message))


def _parse_suggestion(line: int, cells: Mapping[str, str]) -> SuggestionRow:
    if not cells["original_intent"].strip():
        raise InputError("original_intent, the person's intent, is empty")
    return SuggestionRow(
        line=line,
        user_id=_parse_user(cells),
        original=cells["original_intent"].strip(),
        predicted=cells["predicted_intent"].strip(),
        seconds=_parse_seconds(cells),
        tokens=_parse_number(cells, "token", most=MOST_TOKENS),
    )


def _parse_execution(line: int, cells: Mapping[str, str]) -> ExecutionRow:
    success = YES_NO.get(cells["success"].strip().lower())
    if success is None:
        raise InputError(f"expected 0 or 1 in success, got {cells['success'].strip()[:40]!r}")
    s_i = _parse_number(cells, "up_sim", most=MOST_SIMILARITY)
    s_ii = _parse_number(cells, "down_sim", most=MOST_SIMILARITY)
    if s_i and s_ii and s_i / s_ii > MOST_RATIO:
        raise InputError(f"expected up_sim / down_sim of at most {MOST_RATIO:,.0f}, got {s_i:g} / {s_ii:g}")
    return ExecutionRow(
        line=line,
        user_id=_parse_user(cells),
        success=success,
        golden_steps=_parse_steps(cells, "origin_step", least=1),
        steps=_parse_steps(cells, "real_step", least=0),
        s_i=s_i,
        s_ii=s_ii,
        sim2=_parse_number(cells, "similarity", most=MOST_RATIO),
        seconds=_parse_seconds(cells),
        tokens=_parse_number(cells, "token", most=MOST_TOKENS),
    )


def _parse_user(cells: Mapping[str, str]) -> str | None:
    if "user_id" not in cells:
        return None
    user = normalize_user(cells["user_id"])
    if user is None:
        raise InputError(f"expected a user id in user_id, got {cells['user_id'].strip()[:40]!r}")
    return user


def _parse_seconds(cells: Mapping[str, str]) -> float | None:
    """Seconds per query; None if the column holds the episodes' times, as in the index tables."""
    if normalize_time(cells.get("time", "")) is not None:
        return None
    return _parse_number(cells, "time", most=MOST_SECONDS)


def _parse_number(cells: Mapping[str, str], column: str, *, most: float) -> float | None:
    text = cells.get(column, "").strip()
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise InputError(f"expected a number of 0 or more in {column}, got {text[:40]!r}")
    if number > most:
        raise InputError(f"expected a number from 0 to {most:,.0f} in {column}, got {text[:40]!r}")
    return number


def _parse_steps(cells: Mapping[str, str], column: str, *, least: int) -> int:
    number = _parse_number(cells, column, most=MOST_STEPS)
    if number is None or number != int(number) or number < least:
        raise InputError(f"expected a whole number from {least} on in {column}, got {cells[column][:40]!r}")
    return int(number)
