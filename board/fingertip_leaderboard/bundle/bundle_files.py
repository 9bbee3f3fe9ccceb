"""Names and size limits of a bundle's files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from execution_runner.execution_records import SCREENS, STEPS
from execution_runner.scoring.success_labels import LABELS
from fingertip_dataset.track import Track
from fingertip_runs.input_lines import INPUTS
from suggestion_runner.prediction_log import PREDICTIONS

BUNDLE = "bundle.json"
VERDICTS = "verdicts.jsonl"

LOG_OF_TRACK: Mapping[Track, str] = MappingProxyType({"suggestion": PREDICTIONS, "execution": STEPS})
"""Track -> name of the file with the answers, the same as in a run's folder."""

MB = 1 << 20
LIMITS = {
    BUNDLE: 4 * MB,
    PREDICTIONS: 256 * MB,
    STEPS: 256 * MB,
    INPUTS: 64 * MB,
    VERDICTS: 128 * MB,
    LABELS: 32 * MB,
}
"""File name -> maximum bytes."""

HEAD_LIMIT = MB // 4
"""Maximum bytes of bundle.json without its list of files: the card, the run with its settings, the scores."""

SCREEN_LIMIT = 8 * MB
"""Maximum bytes of a screenshot or a tree."""

TOTAL_LIMIT = 4 << 30
"""Maximum bytes of all files together, uncompressed."""

MOST_FILES = 50_000

_ATTEMPT = rf"{SCREENS}/[0-9A-Za-z_-]{{1,60}}/[0-9]{{1,5}}"
_SCREEN = re.compile(rf"{_ATTEMPT}/([0-9]{{3,5}}\.(png|jpg|xml)|final\.(png|jpg))", re.ASCII)
_FOLDER = re.compile(
    rf"{SCREENS}/([0-9A-Za-z_-]{{1,60}}/([0-9]{{1,5}}/)?)?|trajectories/([0-9]{{5}}/)?", re.ASCII
)
_TRY = re.compile(r"(try-(?:[2-9]|[1-9][0-9]{1,2}))/(.*)", re.ASCII | re.DOTALL)
_VERSION_1 = re.compile(r"tasks\.jsonl|trajectories/[0-9]{5}/([0-9]{3,5}|final)\.(png|jpg|xml)", re.ASCII)


def split_try(name: str) -> tuple[str, str]:
    """Folder of a further try that a file is in, "" for none, and the file's name within it.

    >>> split_try("try-2/steps.jsonl"), split_try("steps.jsonl")
    (('try-2', 'steps.jsonl'), ('', 'steps.jsonl'))
    """
    found = _TRY.fullmatch(name)
    return (found[1], found[2]) if found else ("", name)


def size_limit(name: str) -> int | None:
    """Maximum bytes of a file of that name; None if a bundle has no such file.

    >>> size_limit("screens/101__20250306_222323/1/003.png"), size_limit("setup.py")
    (8388608, None)
    """
    if is_of_version_1(name):
        return LIMITS[STEPS] if name.endswith(".jsonl") else SCREEN_LIMIT
    folder, own = split_try(name)
    if folder and own == BUNDLE:
        return None
    return LIMITS.get(own, SCREEN_LIMIT if is_screen(name) else None)


def is_screen(name: str) -> bool:
    """Whether a file of that name is a screenshot or a tree."""
    return _SCREEN.fullmatch(split_try(name)[1]) is not None


def is_of_version_1(name: str) -> bool:
    """Whether the file belongs to version 1; its name is allowed so that the bundle is refused by version."""
    return _VERSION_1.fullmatch(name) is not None


def is_folder(name: str) -> bool:
    """Whether a bundle may have a folder of that name, which ends in a slash."""
    folder, own = split_try(name)
    return bool(folder and not own) or _FOLDER.fullmatch(own) is not None
