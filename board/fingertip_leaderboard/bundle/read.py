"""Read a whole bundle: check every file against bundle.json and every record against the schema."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from pydantic import BaseModel

from execution_runner.execution_log import Attempt
from execution_runner.execution_records import STEPS, EndRecord, ExecutionRun, StepRecord
from execution_runner.scoring.success_labels import LABELS, LabelRecord
from fingertip_leaderboard.bundle.attempts import check_screens, group_attempts
from fingertip_leaderboard.bundle.bundle_files import (
    BUNDLE,
    LIMITS,
    LOG_OF_TRACK,
    VERDICTS,
    is_of_version_1,
    is_screen,
    split_try,
)
from fingertip_leaderboard.bundle.check_secrets import find_secrets_of_file
from fingertip_leaderboard.bundle.contents import Contents, is_archive
from fingertip_leaderboard.bundle.input_logs import InputLog, group_inputs
from fingertip_leaderboard.bundle.lines import ATTEMPT_LINES, INPUT_LINES, PREDICTION
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.bundle.schema import Bundle, VerdictLine, limit_head, measure_head
from fingertip_leaderboard.bundle.strict_json import read_record, read_records
from fingertip_runs.input_lines import INPUTS, InputLine, InputsEndLine
from fingertip_runs.try_names import name_tries
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.suggestion_records import Prediction

AnyRecord = TypeVar("AnyRecord")
AnyModel = TypeVar("AnyModel", bound=BaseModel)

BEGINNINGS = {".png": (b"\x89PNG\r\n\x1a\n",), ".jpg": (b"\xff\xd8\xff",), ".xml": (b"<", b"\xef\xbb\xbf<")}
"""Suffix of a screen file -> allowed first bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbered(Generic[AnyRecord]):
    """A record with its line number, counted from 1; an attempt has the line number of its end."""

    line: int
    record: AnyRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBundle:
    """The records of a bundle; `suggestions` is empty on track 2, `executions` on track 1.

    Attributes:
        bundle: Content of bundle.json.
        suggestions: Lines of predictions.jsonl, on track 1.
        executions: Final attempt of each task from steps.jsonl, on track 2.
        inputs: Task id -> log of the inputs, if an attached agent drove the phone.
        verdicts: Lines of verdicts.jsonl.
        labels: Lines of labels.jsonl.
        sha256: sha256 of bundle.json, which names that of every other file.
        folder: Folder of a further try; "" for the bundle itself.
        tries: Records of the further tries of a repeated run, each with the bundle that it would be on its
            own.
    """

    bundle: Bundle
    suggestions: tuple[Numbered[Prediction], ...] = ()
    executions: tuple[Numbered[Attempt], ...] = ()
    inputs: Mapping[str, InputLog] = field(default_factory=dict)
    verdicts: tuple[Numbered[VerdictLine], ...] = ()
    labels: tuple[Numbered[LabelRecord], ...] = ()
    sha256: str
    folder: str = ""
    tries: tuple[ReadBundle, ...] = ()

    @property
    def log(self) -> str:
        """Name of the file with the answers."""
        return LOG_OF_TRACK[self.bundle.track]


def read_bundle(contents: Contents, found: Refusals) -> ReadBundle | None:
    """Read the records of a bundle; None if a file or a line is invalid.

    Args:
        contents: Files with valid names and sizes.
        found: Collects the refusals.
    """
    before = len(found.refusals)
    head = _read(contents, BUNDLE, found)
    bundle = None if head is None else read_record(Bundle, head, found, BUNDLE)
    if head is None or bundle is None:
        return None
    size, most = measure_head(bundle), limit_head(bundle)
    if size > most:
        reason = f"expected at most {most:,} bytes besides the list of files, got {size:,}"
        found.refuse(RefusalKind.TOO_LARGE, reason, BUNDLE)
        return None
    for track in (bundle.run.track, *(one.run.track for one in bundle.tries)):
        if bundle.track != track:
            reason = f"expected a run of track {bundle.track}, got {track}"
            found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
            return None
    names = tuple(one.name for one in bundle.tries)
    if names != name_tries(len(names) + 1)[1:]:
        reason = f"expected the tries {', '.join(name_tries(len(names) + 1)[1:])}, got {', '.join(names)}"
        found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
        return None
    texts = _check_hashes(contents, bundle, found)
    if len(found.refusals) > before:
        return None
    sha256 = hashlib.sha256(head).hexdigest()
    first = _read_try(bundle.first, texts, found, sha256)
    tries = []
    for one in bundle.tries:
        found.move_to(one.name)
        tries.append(_read_try(bundle.of_try(one), texts, found, sha256, folder=one.name))
    found.move_to("")
    read = replace(first, bundle=bundle, tries=tuple(tries))
    return read if len(found.refusals) == before else None


def _read_try(
    bundle: Bundle, texts: Mapping[str, bytes], found: Refusals, sha256: str, *, folder: str = ""
) -> ReadBundle:
    """Read the records of a try; `bundle` is that of the try on its own, `texts` those of all tries."""
    suggestion = bundle.track == "suggestion"
    own = {rest: text for name, text in texts.items() for at, rest in [split_try(name)] if at == folder}
    return ReadBundle(
        bundle=bundle,
        suggestions=_read_records(PREDICTION, own[PREDICTIONS], found, PREDICTIONS) if suggestion else (),
        executions=() if suggestion else _read_attempts(own[STEPS], bundle, found),
        inputs=_read_inputs(own.get(INPUTS, b""), found),
        verdicts=_read_records(VerdictLine, own.get(VERDICTS, b""), found, VERDICTS),
        labels=_read_records(LabelRecord, own.get(LABELS, b""), found, LABELS),
        sha256=sha256,
        folder=folder,
    )


def _read_records(
    model: type[AnyModel], content: bytes, found: Refusals, file: str
) -> tuple[Numbered[AnyModel], ...]:
    lines = read_records(model, content, found, file)
    return tuple(Numbered(line=number, record=record) for number, record in lines)


def _read_attempts(content: bytes, bundle: Bundle, found: Refusals) -> tuple[Numbered[Attempt], ...]:
    before = len(found.refusals)
    lines: list[tuple[int, StepRecord | EndRecord]] = []
    for number, record in read_records(ATTEMPT_LINES, content, found, STEPS):
        if isinstance(record, StepRecord | EndRecord):
            lines.append((number, record))
    if len(found.refusals) > before:
        return ()  # an invalid line is left out, so its neighbours would be refused as well
    attempts = list(group_attempts(lines, found))
    check_screens(attempts, filter(is_screen, bundle.files), found)
    return tuple(Numbered(line=number, record=attempt) for number, attempt in attempts)


def _read_inputs(content: bytes, found: Refusals) -> Mapping[str, InputLog]:
    before = len(found.refusals)
    lines = [
        (number, record)
        for number, record in read_records(INPUT_LINES, content, found, INPUTS)
        if isinstance(record, InputLine | InputsEndLine)
    ]
    # an invalid line is left out, so its neighbours would be refused as well
    return {} if len(found.refusals) > before else group_inputs(lines, found)


def _check_hashes(contents: Contents, bundle: Bundle, found: Refusals) -> dict[str, bytes]:
    """Content of the JSON lines files, after checking the names, sizes and sha256 of all files."""
    texts = {}
    outdated = set(filter(is_of_version_1, contents.sizes.keys() | bundle.files.keys()))
    for name in sorted(outdated):
        found.refuse(RefusalKind.UNKNOWN_FILE, "the file is one of a bundle of version 1", name)
    for name in contents.sizes.keys() - bundle.files.keys() - {BUNDLE} - outdated:
        found.refuse(RefusalKind.UNLISTED_FILE, f"{BUNDLE} does not list this file", name)
    folders = {"", *(one.name for one in bundle.tries)}
    for name in sorted(bundle.files):
        if split_try(name)[0] not in folders:
            found.refuse(RefusalKind.UNKNOWN_FILE, f"{BUNDLE} has no such try", name)
    log = LOG_OF_TRACK[bundle.track]
    for folder in sorted(folders):
        prefix = f"{folder}/" if folder else ""
        needed = {f"{prefix}{log}"} | ({f"{prefix}{VERDICTS}"} if bundle.judge else set())
        for name in sorted(needed - bundle.files.keys()):
            found.refuse(RefusalKind.MISSING_FILE, f"the file {name} is missing", BUNDLE)
        run = bundle.run if not folder else next(one.run for one in bundle.tries if one.name == folder)
        attached = isinstance(run, ExecutionRun) and run.attached
        if attached != (f"{prefix}{INPUTS}" in bundle.files):
            needs = "needs" if attached else "is of no attached agent and has no"
            reason = f"the run {needs} log of inputs, {prefix}{INPUTS}"
            found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
        others = {f"{prefix}{other}" for other in LOG_OF_TRACK.values() if other != log}
        for name in sorted(bundle.files.keys() & others):
            reason = f"expected {prefix}{log} on track {bundle.track}, got {name}"
            found.refuse(RefusalKind.CONTRADICTION, reason, BUNDLE)
    if bundle.track == "suggestion" and any(map(is_screen, bundle.files)):
        found.refuse(RefusalKind.CONTRADICTION, "screens are for track 2 only", BUNDLE)
    for name, claimed in bundle.files.items():
        content = _read(contents, name, found)
        if content is None:
            continue
        if hashlib.sha256(content).hexdigest() != claimed.sha256 or len(content) != claimed.bytes:
            found.refuse(RefusalKind.HASH_MISMATCH, f"size or sha256 differ from those in {BUNDLE}", name)
        _check_beginning(name, content, found)
        for line, kind in find_secrets_of_file(name, content):
            found.refuse(RefusalKind.SECRET, f"the file contains what looks like {kind}", name, line)
        if split_try(name)[1] in LIMITS:
            texts[name] = content
    return texts


def _check_beginning(name: str, content: bytes, found: Refusals) -> None:
    if is_archive(content):
        found.refuse(RefusalKind.NESTED_ARCHIVE, "the file is an archive", name)
        return
    beginnings = BEGINNINGS.get(f".{name.rpartition('.')[2]}")
    if beginnings and not content.startswith(beginnings):
        found.refuse(RefusalKind.NO_PICTURE, "the content is not of the kind that the file's name says", name)


def _read(contents: Contents, name: str, found: Refusals) -> bytes | None:
    if name not in contents.sizes:
        found.refuse(RefusalKind.MISSING_FILE, "the file is missing", name)
        return None
    try:
        return contents.read(name)
    except OSError as error:
        found.refuse(RefusalKind.BROKEN_ZIP, f"the file cannot be read: {error}", name)
        return None
