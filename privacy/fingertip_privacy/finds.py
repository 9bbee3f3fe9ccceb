"""Private parts that were found in a release or dataset: one line of finds.jsonl each, and the report folder.

A report quotes what it found, so it is as private as the data: its files are made for their owner only.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, BinaryIO, Literal

from pydantic import ValidationError

from fingertip_dataset.errors import InputError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.path_arguments import accept_path_texts

FINDS, REPORT = "finds.jsonl", "report.json"

LATEST = 1
"""Version of both files."""

PRIVATE_NOTE = "the report quotes what it found: keep it as private as the data itself"

_OWNER_ONLY = 0o600


class FindKind(StrEnum):
    """Kind of a private part."""

    PHONE = "phone"
    RESIDENT_ID = "resident_id"
    BANK_CARD = "bank_card"
    EMAIL = "email"
    ADDRESS = "address"
    NAME = "name"
    PLATE = "plate"
    CODE = "code"
    """A verification or pick-up code."""
    ACCOUNT = "account"
    """The id of an account, an order or a parcel."""
    AMOUNT = "amount"
    """An amount that a person sent, received or has."""
    QR_CODE = "qr_code"
    FACE = "face"


class FindPlace(StrEnum):
    """Where in the data a find lies."""

    SCREENSHOT = "screenshot"
    TREE = "tree"
    ACTION = "action"
    """Content of an action: the text of the element that was touched."""
    TYPED_TEXT = "typed_text"
    """Text that a person typed: the text of a `type` action."""
    INTENT = "intent"
    SURVEY = "survey"
    """A survey file's fields other than the intent; in a built dataset the profile and the scenario."""
    INDEX = "index"
    """The tables of a release; in a built dataset the columns made of other episodes and the simulations."""


class Find(FrozenModel):
    """Private part at a place.

    Attributes:
        id: First 16 hexadecimal digits of a sha256 over episode, step, place, file, field, characters, kind,
            text and box: the same find has the same id in every scan.
        kind: What it is.
        user: Id of the user; "" in files of all users.
        episode: Id of the episode or moment; None in files of all users.
        step: Index of the step, from 0; None outside of steps, and for screens of no step.
        place: Where in the data.
        file: Path relative to the release or dataset; in a built dataset the shard, whose row is the episode.
        field: Tree: path of the node from the root's children, each counted from 0 among the `node` elements
            of its parent, and the attribute ("0/3/1@text"). Action: "line 4@content", lines counted from 1.
            Survey and intent: the field of the file, or the column. Table: "line 12@intentDescription".
            List of moments: "line 4@scenario". Screenshot: "".
        start: First character of the find in the field's text; None for pixels.
        end: Character behind the last one; None for pixels.
        box: (left, top, right, bottom) in px of the stored screenshot, right and bottom exclusive; the
            bounds of the node for a find in a tree; None elsewhere, for a node without usable bounds, and for
            a find of a vision model that gave no place.
        text: What was found, as it stands there; for a face "".
        confidence: From 0 to 1.
        why: The rule or model with its version, in words.
    """

    id: str
    kind: FindKind
    user: str
    episode: str | None
    step: int | None
    place: FindPlace
    file: str
    field: str
    start: int | None
    end: int | None
    box: tuple[int, int, int, int] | None
    text: str
    confidence: float
    why: str


def report_of(source: Path) -> Path:
    """Folder of the report of a release or dataset where none is named: next to the source.

    >>> report_of(Path("data/raw/")).as_posix()
    'data/raw.privacy'
    """
    named = source if source.name not in ("", "..") else source.resolve()
    return named.with_name(f"{named.name}.privacy")


def find_id(parts: Mapping[str, Any]) -> str:
    """Id of a find with these fields; `confidence`, `why` and `id` do not count."""
    names = ("user", "episode", "step", "place", "file", "field", "start", "end", "kind", "text", "box")
    # a tuple and a list are the same in JSON, so the id outlives writing and reading
    text = json.dumps([parts[name] for name in names], ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def make_find(**parts: Any) -> Find:  # noqa: ANN401 - the fields of a find, which pydantic checks
    """Make a find from all of its fields but the id."""
    return Find(id=find_id(parts), **parts)


class ScanProblem(FrozenModel):
    """Something that could not be scanned.

    Attributes:
        detail: What is wrong, in one line.
        file: Path relative to the release or dataset.
        episode: Id of the episode, if it is one's.
    """

    detail: str
    file: str
    episode: str | None = None


class Inspection(FrozenModel):
    """Screens that a vision model looked at, and its answers (A.3 of the paper), a part of report.json.

    Attributes:
        settings: Settings of the model; "model" is its name.
        prompt: Version and sha256 of the prompt.
        episodes: Number of episodes with a screenshot to look at.
        screenshots: Number of screenshots that the model was shown.
        flagged: Number of episodes in which the model found something.
        finds: Number of its finds.
        malformed: Number of answers that are not exactly what was asked for; they bring no find.
        failed: Number of queries that the server refused, or pictures that cannot be read; without an answer.
        cached: Number of answers that came from an earlier call.
        prompt_tokens: Prompt tokens of all answers; None if the server counts none.
        completion_tokens: Completion tokens of all answers; None if the server counts none.
        cost: Cost of all answers, in `currency`; None without prices or tokens.
        currency: Currency of the cost; None without prices.
    """

    settings: dict[str, Any]
    prompt: dict[str, str]
    episodes: int
    screenshots: int
    flagged: int
    finds: int
    malformed: int
    failed: int
    cached: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    currency: str | None


class ScanReport(FrozenModel):
    """report.json: what was scanned, how, and how much was found.

    Attributes:
        version: Version of the report's files.
        source: Folder that was scanned, as given.
        source_kind: "raw" for a raw release, "dataset" for a built dataset.
        fingerprint: Hash over names, sizes and modification times of a release's files, or the dataset's
            `data_sha256`.
        settings: Settings of the scan.
        packages: Distribution or model -> version.
        episodes: Number of scanned episodes.
        moments: Number of scanned moments of simulated people.
        screenshots: Number of scanned screenshots.
        trees: Number of scanned trees.
        counts: Kind -> place -> number of finds.
        problems: What could not be scanned.
        seconds: Duration of the latest call, in s.
        inspection: What a vision model looked at; None without one.
    """

    version: Literal[1] = 1
    source: str
    source_kind: Literal["raw", "dataset"]
    fingerprint: str
    settings: dict[str, Any]
    packages: dict[str, str]
    episodes: int
    moments: int = 0
    screenshots: int
    trees: int
    counts: dict[FindKind, dict[FindPlace, int]]
    problems: tuple[ScanProblem, ...]
    seconds: float
    inspection: Inspection | None = None


def count_finds(finds: Iterable[Find]) -> dict[FindKind, dict[FindPlace, int]]:
    """Count finds by kind and place, in the order of the enums, without zeros."""
    counts: dict[FindKind, dict[FindPlace, int]] = {}
    for find in finds:
        places = counts.setdefault(find.kind, {})
        places[find.place] = places.get(find.place, 0) + 1
    return {
        kind: {place: counts[kind][place] for place in FindPlace if place in counts[kind]}
        for kind in FindKind
        if kind in counts
    }


def write_finds(report: Path, finds: Iterable[Find]) -> int:
    """Write finds.jsonl into a report's folder, readable by its owner only.

    Args:
        report: The folder; made if it is missing.
        finds: Taken one at a time.

    Returns:
        Number of finds.

    Raises:
        OSError: The file could not be written (for example, disk full).
    """
    count = 0
    report.mkdir(mode=0o700, parents=True, exist_ok=True)
    with private_file(report / FINDS) as stream:
        for find in finds:
            stream.write(f"{find.model_dump_json()}\n".encode())
            count += 1
    return count


def write_report(report: Path, record: ScanReport) -> None:
    """Write report.json into a report's folder, readable by its owner only.

    Raises:
        OSError: The file could not be written (for example, disk full).
    """
    report.mkdir(mode=0o700, parents=True, exist_ok=True)
    with private_file(report / REPORT) as stream:
        stream.write(f"{record.model_dump_json(indent=2)}\n".encode())


@accept_path_texts
def read_finds(report: Path) -> Iterator[Find]:
    """Read finds.jsonl of a report's folder, one line at a time.

    Raises:
        InputError: The file is missing, or a line of it is no find.
    """
    file = report / FINDS
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    yield Find.model_validate_json(line)
                except ValidationError as error:
                    raise InputError(
                        f"expected a find of `fingertip privacy scan`, got: {_first(error)}",
                        file=file,
                        line=number,
                    ) from None
    except (OSError, UnicodeError) as error:
        raise InputError(f"the finds cannot be read ({_reason(error)}): {_SCAN}", file=file) from None


def read_report(report: Path) -> ScanReport:
    """Read report.json of a report's folder.

    Raises:
        InputError: The file is missing, or no report of this version.
    """
    file = report / REPORT
    try:
        return ScanReport.model_validate_json(file.read_bytes())
    except OSError as error:
        raise InputError(f"the report cannot be read ({_reason(error)}): {_SCAN}", file=file) from None
    except ValidationError as error:
        raise InputError(f"expected a report of version {LATEST}, got: {_first(error)}", file=file) from None


@contextmanager
def private_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that only its owner can read; it gets its name when it is complete.

    Raises:
        OSError: The file could not be written (for example, disk full).
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    try:
        with os.fdopen(os.open(temporary, flags, _OWNER_ONLY), "wb") as stream:
            os.fchmod(stream.fileno(), _OWNER_ONLY)
            yield stream
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def make_private(file: Path) -> None:
    """Make a file that others append to, if it is missing, and let its owner alone read it.

    Raises:
        InputError: The file cannot be written.
    """
    try:
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, _OWNER_ONLY)
        try:
            os.fchmod(opened, _OWNER_ONLY)
        finally:
            os.close(opened)
    except OSError as error:
        raise InputError(f"the file cannot be written: {error.strerror}", file=file) from None


_SCAN = "`fingertip privacy scan` makes a report"


def _first(error: ValidationError) -> str:
    """The first fault of a record, in one line, without its values."""
    fault = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"


def _reason(error: OSError | UnicodeError) -> str:
    return (getattr(error, "strerror", None) or "not UTF-8").lower()
