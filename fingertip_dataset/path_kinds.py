"""Kind of file or folder at a path, for messages such as that of a run where a dataset is expected."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from fingertip_dataset.release.problems import printable
from fingertip_dataset.shell_line import quote_word, write_call
from fingertip_dataset.similar_names import find_similar_name

MARKS = {
    "run.json": "a run",
    "repeats.json": "a repeated run",
    "bundle.json": "a bundle",
    "manifest.json": "a built dataset",
    "training.json": "a trained adapter",
    "export.json": "an export",
    "report.json": "the report of a privacy scan",
    "benchmark.json": "a benchmark",
}
"""File -> what the folder is that has it."""

ADVICE = {
    ("a run", "a bundle"): "`fingertip submit RUN --out DIR` makes a bundle of it",
    ("a run", "a built dataset"): "give the dataset that the run is of",
    ("a run", "a CSV file"): "`fingertip score` scores runs",
    ("a run", "a folder of bundles"): "`fingertip submit` makes a bundle of it",
    ("a run", "a repeated run"): "give it as it is",
    ("a repeated run", "a run"): "give one of its tries, such as its folder try-1",
    ("a repeated run", "a bundle"): "`fingertip submit RUN --out DIR` makes a bundle of it",
    ("a repeated run", "a folder of bundles"): "`fingertip submit` makes a bundle of it",
    ("a benchmark", "a run"): "give one of its runs, its folder suggestion or execution",
    ("a benchmark", "a bundle"): "give one of its folder bundles",
    ("a benchmark", "a folder of bundles"): "give its folder bundles",
    ("a bundle", "a folder of bundles"): "give the folder that it is in",
    ("a folder of bundles", "a run"): "give a run that one was made of, or `fingertip verify` them",
    ("a bundle", "a run"): "give the run that it was made of, or `fingertip verify` it",
    ("a zip file", "a built dataset"): "unpack it, and give the folder",
    ("a zip file", "a raw release"): "unpack it, and give the folder",
    ("a zip file", "a run"): "unpack it, and give the folder",
    ("a built dataset", "a run"): "`fingertip suggest` or `fingertip execute` makes one of it",
    ("a built dataset", "a raw release"): "give the raw folders that it was built from",
    ("a raw release", "a built dataset"): "`fingertip build RAW --out DATASET` makes one of it",
    ("a raw release", "a run"): "`fingertip build` makes a dataset, and `fingertip suggest` a run of that",
}
"""What is there and what is wanted -> what to do."""

NOTHING = {
    "a built dataset": "no built dataset: `fingertip build` makes one",
    "a run": "no run: `fingertip suggest` or `fingertip execute` makes one",
    "a bundle": "no bundle: `fingertip submit RUN --out DIR` makes one",
    "a folder of bundles": "no bundles: `fingertip submit RUN --out DIR` makes them",
    "a raw release": "expected the folder of a raw release, got nothing",
}
"""Wanted kind -> the beginning of a message where nothing is that we know."""

FROM_HUB = ("a built dataset", "a raw release")
"""Wanted kinds for which people give names on the Hub."""

MOST_NAMES = 1000
"""Number of entries of a folder that are looked through for what was meant."""

_SHOWN = 3
"""Number of bundles that a message names."""

_HUB_NAME = re.compile(
    r"(?:(?:https?:/+(?:[\w.-]+/)?|hf:/+)datasets/)?([\w-][\w.-]*/[\w-][\w.-]*?)(?:/(?:tree|blob)/.*)?/?",
    re.ASCII,
)
"""A dataset's name on the Hub, also in an address, which a `Path` has left with a single slash."""


def find_path_kind(path: Path) -> str | None:
    """Return the kind of file or folder at a path, with its article; None if it is missing or unknown.

    >>> find_path_kind(Path("/nowhere/at/all")) is None
    True
    """
    try:
        if path.is_file():
            return _find_file_kind(path)
        known = next((kind for mark, kind in MARKS.items() if (path / mark).is_file()), None)
        if known is None and next(path.glob("[0-9]*/*/action.jsonl"), None) is not None:
            known = "a raw release"
        if known is None and next(_iterate_bundles(path), None) is not None:
            known = "a folder of bundles"
    except OSError:
        return None
    return known


def list_bundles_in(path: Path) -> list[Path]:
    """The bundles in a folder, sorted by name: folders with the mark of one, and zip files of one."""
    try:
        return sorted(_iterate_bundles(path))
    except OSError:
        return []


def _iterate_bundles(path: Path) -> Iterator[Path]:
    for one in islice(path.iterdir(), MOST_NAMES) if path.is_dir() else ():
        if one.name.startswith("."):
            continue
        if _holds_bundle(one) or (one / "bundle.json").is_file():
            yield one


def _holds_bundle(path: Path) -> bool:
    """Whether a file is surely the zip file of a bundle."""
    if path.suffix.casefold() != ".zip" or not path.is_file():
        return False
    try:
        with zipfile.ZipFile(path) as packed:
            return any(name.rpartition("/")[2] == "bundle.json" for name in packed.namelist())
    except (zipfile.BadZipFile, NotImplementedError, OSError):
        return False


def _find_file_kind(path: Path) -> str:
    """Kind of a file: only a zip file that lacks the mark of a bundle is surely none."""
    if path.suffix.casefold() != ".zip":
        return "a file"
    try:
        with zipfile.ZipFile(path) as packed:
            names = packed.namelist()
    except (zipfile.BadZipFile, NotImplementedError, OSError):
        return "a bundle"  # a broken one: whoever reads it says what is wrong
    marked = not names or any(name.rpartition("/")[2] == "bundle.json" for name in names)
    return "a bundle" if marked else "a zip file"


def explain_wrong_path(path: Path, wanted: str) -> str | None:
    """A message about a path that is something else than what is wanted; None if that is not known.

    Args:
        path: The path.
        wanted: What should be there, with its article, such as "a built dataset".
    """
    kind = find_path_kind(path)
    if kind is None and wanted != "a raw release" and find_path_kind(path / "raw") == "a raw release":
        raw, tables = path / "raw", path / "tables"
        return (
            f"this folder holds a raw release, not {wanted}: "
            f"`{write_call('build', raw, '--tables', tables, '--out', 'DATASET')}` makes a dataset of it"
        )
    if kind in (None, "a benchmark") and wanted == "a bundle" and list_bundles_in(path / "bundles"):
        return _explain_several(path / "bundles", "its folder bundles is")
    if kind is None or kind == wanted:
        return None
    if (kind, wanted) == ("a run", "a built dataset") and (dataset := _read_dataset(path)):
        return f"this is a run, not a built dataset: it is of the dataset {printable(dataset)}"
    if (kind, wanted) == ("a folder of bundles", "a bundle"):
        return _explain_several(path, "this is")
    if kind == "a file" and find_path_kind(path.parent) == wanted:
        return f"this is a file of {wanted}: give its folder, {path.parent}"
    return f"this is {kind}, not {wanted}: {ADVICE.get((kind, wanted), f'give {wanted}')}"


def _explain_several(path: Path, subject: str) -> str:
    """A message about a folder of bundles where one is wanted: which there are, and the call for all."""
    names = list_bundles_in(path)
    shown = ", ".join(quote_word(one.name) for one in names[:_SHOWN])
    rest = len(names) - _SHOWN
    more = f" and {rest} other{'s' if rest > 1 else ''}" if rest > 0 else ""
    if len(names) == 1:
        return f"this folder has one bundle in it: give {quote_word(names[0])}"
    folder = quote_word(path)
    zips = all(one.suffix.casefold() == ".zip" for one in names)
    return (
        f"{subject} a folder of {len(names)} bundles, {shown}{more}: give each, `fingertip verify "
        f"{folder}/*{'.zip' if zips else ''}`, or `fingertip leaderboard {folder}` for a board of all"
    )


def explain_missing(path: Path, wanted: str) -> str:
    """Return a message about a path at which there is not what is wanted: what is there, and what was meant.

    Args:
        path: The path, which may be of another kind, empty or absent.
        wanted: What should be there, with its article; one of `NOTHING`.
    """
    return explain_wrong_path(path, wanted) or f"{NOTHING[wanted]}; {_describe_place(path, wanted)}"


def _describe_place(path: Path, wanted: str) -> str:
    """Say what is at a path of no known kind: no folder, an empty one, or one without the mark."""
    try:
        if not path.exists():
            return _describe_absent(path, wanted)
        names = _list_folders(path)
        inner = [one for one in names if find_path_kind(one) == wanted]
        if inner:
            others = f" or {len(inner) - 1} others" if len(inner) > 1 else ""
            return f"this folder has one in it: give {quote_word(inner[0])}{others}"
        if find_path_kind(path.absolute().parent) == wanted:
            return f"this is a part of one: give its folder, {quote_word(path.absolute().parent)}"
        if next(path.iterdir(), None) is None:
            return "this folder is empty"
    except OSError as error:
        return f"the folder cannot be read: {error.strerror or error}"
    mark = next((mark for mark, kind in MARKS.items() if kind == wanted), None)
    return f"this folder has no {mark}" if mark else "this folder has none"


def _describe_absent(path: Path, wanted: str) -> str:
    """Say in which folder a path was looked for, and which name there was meant."""
    there = path.absolute()
    while not there.parent.is_dir():
        there = there.parent
    where = f"there is no folder {printable(there.name)} in {printable(str(there.parent))}"
    near = _find_near(there, path.name, wanted)
    if near is not None:
        shown = near if path.is_absolute() else Path(*_relative(near))
        return f"{where}: did you mean {quote_word(shown)}?"
    on_hub = _HUB_NAME.fullmatch(path.as_posix())
    if wanted in FROM_HUB and on_hub and not path.parent.exists():
        text = on_hub[1]
        name = text.partition("/")[2]
        build = write_call("build", name, "--out", "DATASET")
        return (
            f"{where}. For a name on the Hub, `hf download {text} --repo-type dataset --local-dir {name}` "
            f"brings the files, and `{build}` makes a dataset of a raw release"
        )
    return where


def _find_near(absent: Path, name: str, wanted: str) -> Path | None:
    """Find what was meant by an absent path: a similar name, or the same name one folder further in."""
    folders = {one.name: one for one in _list_folders(absent.parent)}
    right = [title for title, one in folders.items() if find_path_kind(one) == wanted]
    meant = find_similar_name(absent.name, right)
    if meant is None:
        # a folder of another kind is meant only by the same letters
        meant = next((title for title in folders if title.casefold() == absent.name.casefold()), None)
    if meant is not None:
        inner = folders[meant] / name
        return inner if absent.name != name and inner.exists() else folders[meant]
    return next((one / name for one in folders.values() if find_path_kind(one / name) == wanted), None)


def _relative(path: Path) -> tuple[str, ...]:
    try:
        return path.relative_to(Path.cwd()).parts
    except ValueError:
        return path.parts


def _list_folders(path: Path) -> list[Path]:
    """Folders in a folder, the hidden ones left out; none if it cannot be read."""
    return sorted(islice(_iterate_folders(path), MOST_NAMES))


def _iterate_folders(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (one for one in path.iterdir() if not one.name.startswith(".") and one.is_dir())


def _read_dataset(run: Path) -> str | None:
    """Path of the dataset that a run is of; None if the record does not say one that is there."""
    try:
        record = json.loads((run / "run.json").read_text("utf-8"))
        path = str(record["dataset"]["path"])
        return path if Path(path).is_dir() else None
    except (OSError, ValueError, TypeError, KeyError):
        return None
