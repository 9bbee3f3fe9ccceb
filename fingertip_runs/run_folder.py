"""Run folders: create, resume and read them. A folder never mixes two runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import BaseModel

from fingertip_dataset.errors import RunError
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.path_kinds import explain_missing, find_path_kind
from fingertip_dataset.release.problems import printable
from fingertip_dataset.track import TRACK_NUMBER
from fingertip_runs.line_log import validate_json
from fingertip_runs.run_record import RunRecord

RUN, SCORES = "run.json", "scores.json"

RECORD = f"the record of a run ({RUN})"

MOST_DIFFERENCES = 3
"""Maximum number of differing fields that a message lists."""

OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "agent.name": "--agent",
        "split": "--split",
        "device": "--device",
        "reference": "--reference",
        "more": "--with",
        "without": "--without",
        "retries": "--retries",
        "between_tasks": "--between-tasks",
        "settle_s": "--set settle_s",
        "dry_run": "--dry-run",
        "screenshots": "--screenshots",
        "history": "--history",
        "distribution": "--distribution",
        "model": "--model",
        "max_tokens": "--max-tokens",
        "temperature": "--temperature",
        "seed": "--seed",
    }
)
"""Field of a run's identity, or setting of its agent -> the option that sets it, for messages."""

_TASKS = ("tasks", "task_ids", "selection")
"""Fields that follow from the first of them, and all of them from the split and the dataset."""

_AGENT, _SETTINGS = "agent.name", "agent.settings"

_MISSING = object()

AnyRunRecord = TypeVar("AnyRunRecord", bound=RunRecord)


def check_folder(folder: Path, *, lines: str, track: str) -> None:
    """Creates the folder of a run if it is missing, and refuses a folder with other content.

    Args:
        folder: Folder that is missing, empty, or of a run (also one killed before its first line).
        lines: Name of the run's log file.
        track: Track of the run.

    Raises:
        RunError: The folder holds something else or a run of the other track, or cannot be created.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / RUN).exists():
            # before the log is opened, which creates its file
            _check_track(folder, track_of(folder), track)
            return
        leftovers = {f".{RUN}.tmp"} | ({lines} if not _size(folder / lines) else set())
        others = sorted({path.name for path in folder.iterdir()} - leftovers)
    except FileExistsError as error:
        raise RunError("a file is there, and a run is a folder: give another --out", file=folder) from error
    except OSError as error:
        raise RunError(f"the run folder cannot be written: {error.strerror or error}", file=folder) from error
    if others and (kind := find_path_kind(folder)):
        raise RunError(f"this is {kind}, not a run: give another --out", file=folder)
    if others:
        raise RunError(f"the folder is no run: it holds {others[0]} and no {RUN}", file=folder)


def start_run(folder: Path, record: AnyRunRecord, *, finished: bool = False) -> AnyRunRecord:
    """Writes run.json, with the session that starts now appended to the earlier ones.

    Args:
        folder: Folder of the run, locked by its `LineLog` against other processes.
        record: Record of the run, with the new session only.
        finished: Whether no task is left; then nothing is written.

    Raises:
        RunError: The folder holds another run; the message names what differs.
    """
    earlier = read_run(folder, type(record)) if (folder / RUN).exists() else None
    if earlier is not None:
        if earlier.versions is None:
            # parts of it were made by an unknown version, so the whole stays of none
            record = record.model_copy(update={"versions": None})
        check_identity(folder, earlier, record)
        record = record.model_copy(update={"sessions": (*earlier.sessions, *record.sessions)})
    if not finished:
        write_json(folder / RUN, record.model_dump(mode="json"))
    return record


def read_run(folder: Path, model: type[AnyRunRecord]) -> AnyRunRecord:
    """The record of a run, from its run.json.

    Args:
        folder: Folder of the run.
        model: Class of the record.

    Raises:
        RunError: The record is missing, broken, of the other track, or of a newer version.
    """
    file = folder / RUN
    head, text = _read_header(file)
    if head.version > model.LATEST:
        raise RunError(
            f"expected a run of version {model.LATEST} or older, got version {head.version}: "
            "a newer fingertip-20k reads it",
            file=file,
        )
    _check_track(file, head.track, model.model_fields["track"].default)
    return validate_json(model, text, file, expected=RECORD)


def track_of(folder: Path) -> str:
    """The track of a run: "suggestion" or "execution".

    Raises:
        RunError: The record is missing or broken.
    """
    return _read_header(folder / RUN)[0].track


def write_json(file: Path, content: Mapping[str, Any]) -> None:
    """Writes an object as an indented JSON file; atomic, errors as `write_text`."""
    write_text(file, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def write_text(file: Path, content: str) -> None:
    """Writes a file atomically, by renaming a temporary file.

    Raises:
        RunError: The file cannot be written.
    """
    temporary = file.with_name(f".{file.name}.tmp")
    try:
        temporary.write_text(content, encoding="utf-8")
        temporary.replace(file)
    except OSError as error:
        raise RunError(f"the file could not be written: {error.strerror or error}", file=file) from error


class _RecordHeader(BaseModel):
    version: int
    # early versions, which had track 1 only, name no track
    track: str = "suggestion"


def _read_header(file: Path) -> tuple[_RecordHeader, bytes]:
    try:
        text = read_file(file)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise RunError(explain_missing(file.parent, "a run"), file=file.parent) from error
    except OSError as error:
        raise RunError(f"{RUN} of the run cannot be read: {error.strerror or error}", file=file) from error
    return validate_json(_RecordHeader, text, file, expected=RECORD), text


def _check_track(place: Path, found: str, wanted: object) -> None:
    if found in TRACK_NUMBER and wanted in TRACK_NUMBER and found != wanted:
        raise RunError(
            f"this is a run of track {TRACK_NUMBER[found]}, not of track {TRACK_NUMBER[str(wanted)]}: "
            "give another folder",
            file=place,
        )


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def check_identity(folder: Path, earlier: RunRecord, record: RunRecord) -> None:
    """Refuse the record of another run than the one in a folder.

    Raises:
        RunError: They differ; the message names the causes, and not what follows from them.
    """
    if (reason := record.explain_difference(earlier)) is not None:
        raise RunError(reason, file=folder)
    ours, theirs = record.identity(), earlier.identity()
    differing = differing_fields(earlier, record)
    # a dict: an agent's setting may repeat a field of the run; the message lists fields in their own order
    problems = {
        shown: f"{shown}: {values}"
        for name in _find_causes(differing)
        for shown, values in _list_differences(name, theirs.get(name), ours.get(name))
    }
    found = list(problems.values())
    if found:
        left = len(found) - MOST_DIFFERENCES
        more = f"; and {left} more" if left > 0 else ""
        raise RunError(
            f"the run in the folder differs in {'; '.join(found[:MOST_DIFFERENCES])}{more}; "
            "another run needs another folder",
            file=folder,
        )


def differing_fields(earlier: RunRecord, record: RunRecord) -> list[str]:
    """The fields by which two records are of different runs; empty if they are of the same run."""
    ours, theirs = record.identity(), earlier.identity()
    return [name for name in {**theirs, **ours} if theirs.get(name) != ours.get(name)]


def _find_causes(names: Sequence[str]) -> list[str]:
    """The differing fields that do not follow from another one."""
    roots = {name.partition(".")[0] for name in names}
    if roots & {"split", "dataset"}:
        follow: tuple[str, ...] = _TASKS
    else:
        follow = _TASKS[1:] if _TASKS[0] in roots else ()
    # another agent has other settings
    settings = {_SETTINGS} if _AGENT in names else set()
    return [name for name in names if name.partition(".")[0] not in follow and name not in settings]


def _list_differences(name: str, theirs: object, ours: object) -> Iterator[tuple[str, str]]:
    """Name and both values of each differing value, at any depth."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in {**theirs, **ours}:
            yield from _list_differences(f"{name}.{key}", theirs.get(key, _MISSING), ours.get(key, _MISSING))
    elif theirs != ours:
        values = f"{_value_text(theirs)} in the folder, {_value_text(ours)} in this call"
        yield _name_field(name), values


def _name_field(name: str) -> str:
    """The option that sets a field, or the field itself with its full name."""
    option = name.removeprefix("agent.settings.")
    return OPTIONS.get(option, name)


def _value_text(value: object) -> str:
    if isinstance(value, list | tuple):
        value = ",".join(map(str, value)) or "nothing"
    return "none" if value is _MISSING else printable(str(value), 80)
