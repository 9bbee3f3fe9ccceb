"""Read and write verified results. They are an output: none is ever read from a folder of submissions."""

from __future__ import annotations

from pathlib import Path
from zipfile import BadZipFile, ZipFile

from pydantic import BaseModel

from fingertip_dataset.errors import FingerTipError, RunError, UsageError
from fingertip_leaderboard.bundle.bundle_files import BUNDLE
from fingertip_leaderboard.hub.repo_names import SUBMISSIONS
from fingertip_leaderboard.verified_records import VerifiedResults
from fingertip_runs.line_log import validate_json
from fingertip_runs.run_folder import write_json

RESULTS = "verified.json"
"""Name of the results in the folder of a Space."""

AGAIN = "`fingertip leaderboard FOLDER --dataset DATASET` verifies a folder of bundles"


class _ResultsHead(BaseModel):
    version: int


def read_results(file: Path) -> VerifiedResults:
    """Read verified results that the caller names.

    Args:
        file: verified.json, outside of every folder of bundles.

    Raises:
        UsageError: The file lies among bundles, where anybody may have put it.
        RunError: It is missing or broken, or of another version.
    """
    check_outside(file)
    try:
        text = file.read_bytes()
    except OSError as error:
        raise RunError(
            f"verified results cannot be read: {error.strerror or error}: {AGAIN}", file=file
        ) from error
    version = validate_json(_ResultsHead, text, file).version
    if version > VerifiedResults.LATEST:
        raise RunError(f"expected results of version {VerifiedResults.LATEST}, got {version}", file=file)
    if version < VerifiedResults.LATEST:
        raise RunError(
            f"the results are of version {version}, which does not say what each score rests on: verify the "
            f"bundles again, {AGAIN}",
            file=file,
        )
    return validate_json(VerifiedResults, text, file)


def write_results(results: VerifiedResults, file: Path) -> None:
    """Write verified results; the file's folder must exist.

    Raises:
        UsageError: The file would lie among bundles.
        RunError: It cannot be written.
    """
    check_outside(file)
    write_json(file, results.model_dump(mode="json"))


def read_bounded(file: Path, most: int, what: str, *, kind: type[FingerTipError]) -> bytes:
    """Content of a file of limited size.

    Args:
        file: The file.
        most: Maximum size in bytes.
        what: What the file holds, for messages, such as "the list".
        kind: Class of the errors.

    Raises:
        FingerTipError: The file cannot be read or is larger; of the class `kind`.
    """
    try:
        with file.open("rb") as stream:
            content = stream.read(most + 1)
    except OSError as error:
        raise kind(f"{what} cannot be read: {error.strerror or error}", file=file) from error
    if len(content) > most:
        raise kind(f"{what} has over {most:,} bytes", file=file)
    return content


def check_outside(file: Path) -> None:
    """Check that a file of results lies in no bundle, folder of bundles or copy of a submissions repo.

    Raises:
        UsageError: It does.
    """
    folder = file.resolve().parent
    try:
        bundles = [path for path in folder.iterdir() if is_bundle(path)] if folder.is_dir() else []
    except OSError as error:
        raise UsageError(f"the folder cannot be read: {error.strerror or error}", file=folder) from error
    inside = any((above / BUNDLE).exists() for above in (folder, *folder.parents))
    below = any(_has_bundles(above) or _is_repo(above) for above in folder.parents)
    if bundles or inside or below or (folder / SUBMISSIONS).is_dir():
        raise UsageError(
            "results must not lie among bundles, where a submitter may have put them: name a file elsewhere",
            file=file,
        )


def _has_bundles(folder: Path) -> bool:
    """Whether a folder above the file holds bundles. Any .zip would be too much: a home folder has some."""
    try:
        return any(
            (path / BUNDLE).is_file() or (path.suffix.casefold() == ".zip" and _is_zipped_bundle(path))
            for path in folder.iterdir()
        )
    except OSError:
        return False


def _is_repo(folder: Path) -> bool:
    """Whether a folder is a copy of a submissions repo: everything below may be a submitter's."""
    marks = (".git", ".gitattributes", ".cache/huggingface")
    return (folder / SUBMISSIONS).is_dir() and any((folder / mark).exists() for mark in marks)


def _is_zipped_bundle(path: Path) -> bool:
    try:
        with ZipFile(path) as opened:
            return any(name.rpartition("/")[2] == BUNDLE for name in opened.namelist())
    except (OSError, BadZipFile, ValueError, NotImplementedError):
        return False


def is_bundle(path: Path) -> bool:
    """Whether a path is a folder with a bundle.json, or a .zip."""
    return path.suffix.casefold() == ".zip" or (path / BUNDLE).is_file()
