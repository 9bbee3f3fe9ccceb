"""Repeated runs: a folder with several tries, each the folder of an ordinary run with a seed of its own.

The folder holds repeats.json and try-1/ ... try-K/. The seed of a try is that of the first plus its number
less one; a sample of tasks is drawn by the seed of the first in all. Whatever takes the folder of a run and
knows of tries reads it here.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Self

from pydantic import BaseModel, Field, model_validator

from fingertip_dataset.errors import RunError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.path_kinds import explain_wrong_path, find_path_kind
from fingertip_dataset.track import TRACK_NUMBER, Track
from fingertip_runs.line_log import validate_json
from fingertip_runs.run_folder import RUN, write_json
from fingertip_runs.try_names import MOST_REPEATS, list_seeds, name_tries

REPEATS = "repeats.json"


class RepeatedRun(FrozenModel):
    """Content of repeats.json.

    Attributes:
        LATEST: Version that is written; a newer one is refused.
        version: Version of the folder's format.
        track: Track of the tries.
        repeats: Number of tries.
        seeds: Seed of each try.
        tries: Name of each try's folder.
    """

    LATEST: ClassVar[int] = 1

    version: int = 1
    track: Track
    repeats: int = Field(ge=2, le=MOST_REPEATS)
    seeds: tuple[int, ...]
    tries: tuple[str, ...]

    @model_validator(mode="after")
    def _check_tries(self) -> Self:
        first = self.seeds[0] if self.seeds else 0
        if self.seeds != list_seeds(first, self.repeats) or self.tries != name_tries(self.repeats):
            raise ValueError("seeds and tries are not those of so many tries")
        return self

    @classmethod
    def of(cls, track: Track, repeats: int, seed: int) -> Self:
        """The record of `repeats` tries, the first with the seed `seed`."""
        return cls(track=track, repeats=repeats, seeds=list_seeds(seed, repeats), tries=name_tries(repeats))


class _RepeatsHeader(BaseModel):
    version: int


def is_repeated(folder: Path) -> bool:
    """Whether a folder is that of a repeated run."""
    return (folder / REPEATS).is_file()


def read_repeats(folder: Path) -> RepeatedRun:
    """repeats.json of a repeated run's folder.

    Raises:
        RunError: It is missing, broken, or of a newer version.
    """
    file = folder / REPEATS
    try:
        text = read_file(file)
    except (FileNotFoundError, NotADirectoryError) as error:
        wrong = explain_wrong_path(folder, "a repeated run")
        words = "no repeated run: `--repeats K` of `fingertip suggest` or `fingertip execute` makes one"
        raise RunError(wrong or words, file=folder) from error
    except OSError as error:
        raise RunError(f"{REPEATS} cannot be read: {error.strerror or error}", file=file) from error
    expected = f"the record of a repeated run ({REPEATS})"
    version = validate_json(_RepeatsHeader, text, file, expected=expected).version
    if version > RepeatedRun.LATEST:
        raise RunError(
            f"expected a repeated run of version {RepeatedRun.LATEST} or older, got version {version}: "
            "a newer fingertip-20k reads it",
            file=file,
        )
    return validate_json(RepeatedRun, text, file, expected=expected)


def list_tries(folder: Path) -> tuple[Path, ...]:
    """Folders of the tries of a repeated run; of any other folder itself alone.

    Raises:
        RunError: repeats.json is broken, or a try has no run.
    """
    if not is_repeated(folder):
        return (folder,)
    record = read_repeats(folder)
    tries = tuple(folder / name for name in record.tries)
    for number, one in enumerate(tries, start=1):
        if not (one / RUN).is_file():
            raise RunError(
                f"try {number} of {record.repeats} has no run in {one.name}: the same call makes it again",
                file=folder,
            )
    return tries


def expand_runs(runs: Sequence[Path]) -> tuple[Path, ...]:
    """Runs with the tries of each repeated run in its place; errors are those of `list_tries`."""
    return tuple(one for run in runs for one in list_tries(run))


def begin_repeats(folder: Path, *, track: Track, repeats: int, seed: int | None) -> RepeatedRun:
    """Writes repeats.json for a repeated run that starts or goes on, and returns it.

    Args:
        folder: Folder that is missing, empty, or of the same repeated run with at most as many tries.
        track: Track of the tries.
        repeats: Number of tries, at least 2.
        seed: Seed of the first try; None for 0.

    Raises:
        RunError: The folder holds something else, another repeated run or one with more tries, or cannot be
            written.
    """
    record = RepeatedRun.of(track, repeats, seed or 0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = sorted({path.name for path in folder.iterdir()} - {f".{REPEATS}.tmp"})
    except FileExistsError as error:
        raise RunError("a file is there, and a run is a folder: give another --out", file=folder) from error
    except OSError as error:
        raise RunError(f"the run folder cannot be written: {error.strerror or error}", file=folder) from error
    if RUN in names:
        raise RunError(
            "the folder holds a run of one try, and --repeats makes a folder of several: give another --out",
            file=folder,
        )
    if REPEATS in names:
        _check_same(folder, read_repeats(folder), record)
    elif names:
        kind = find_path_kind(folder)
        words = f"this is {kind}, not a run" if kind else f"the folder is no run: it holds {names[0]}"
        raise RunError(f"{words}: give another --out", file=folder)
    write_json(folder / REPEATS, record.model_dump(mode="json"))
    return record


def _check_same(folder: Path, earlier: RepeatedRun, record: RepeatedRun) -> None:
    """Refuse another repeated run than the one in a folder, and fewer tries than it has begun."""
    if not any((folder / name / RUN).exists() for name in earlier.tries):
        return  # its call was refused before the first try, and may be corrected
    if earlier.track != record.track:
        found, wanted = TRACK_NUMBER[earlier.track], TRACK_NUMBER[record.track]
        raise RunError(
            f"this is a repeated run of track {found}, not of track {wanted}: give another folder",
            file=folder,
        )
    if earlier.seeds[0] != record.seeds[0]:
        raise RunError(
            f"the repeated run in the folder differs in --seed: {earlier.seeds[0]} in the folder, "
            f"{record.seeds[0]} in this call; another run needs another folder",
            file=folder,
        )
    if earlier.repeats > record.repeats:
        raise RunError(
            f"the folder holds {earlier.repeats} tries, and tries are not taken away: give --repeats "
            f"{earlier.repeats} or more, or another --out",
            file=folder,
        )
