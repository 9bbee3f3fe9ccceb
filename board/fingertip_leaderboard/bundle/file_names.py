"""Check the file names of a bundle before any file is opened; only known names are allowed."""

from __future__ import annotations

import re

from fingertip_leaderboard.bundle.bundle_files import is_folder, size_limit
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_runs.run_folder import RUN
from fingertip_runs.targets import TARGETS

ARCHIVE_ENDINGS = (".zip", ".gz", ".bz2", ".xz", ".7z", ".rar", ".tar", ".tgz", ".zst")

RUN_FILES = (RUN, TARGETS)
"""Files that a run folder has and a bundle does not."""

_DRIVE = re.compile(r"[A-Za-z]:")


def check_name(name: str, found: Refusals) -> bool:
    """Whether a bundle may have a file of that name; otherwise `found` gets the reason.

    Args:
        name: Name as the folder or the archive spells it, with slashes between parts.
        found: Collects the refusal.
    """
    refusal = _find_refusal(name)
    if refusal is not None:
        found.refuse(*refusal, name)
    return refusal is None


def _find_refusal(name: str) -> tuple[RefusalKind, str] | None:
    parts = name.split("/")
    if "\0" in name:
        return RefusalKind.PATH_TRICK, "the name contains a NUL"
    if "\\" in name:
        return RefusalKind.PATH_TRICK, "the name contains a backslash: separate folders by slashes"
    # C:name is relative to another drive's folder on Windows
    if name.startswith("/") or _DRIVE.match(name):
        return RefusalKind.PATH_TRICK, "the name is absolute: it must be relative to the bundle"
    if {"..", "."} & set(parts):
        return RefusalKind.PATH_TRICK, "the name leads out of the bundle"
    if not (name.isascii() and name.isprintable()):
        return RefusalKind.BAD_NAME, "the name is not plain ASCII"
    if name.casefold().endswith(ARCHIVE_ENDINGS):
        return RefusalKind.NESTED_ARCHIVE, "the file is an archive within the bundle"
    if size_limit(name) is None and not is_folder(name) and not is_folder(f"{name}/"):
        lower = name.casefold()
        if lower != name and (size_limit(lower) is not None or is_folder(f"{lower}/")):
            return None  # in another case: refused later as a collision or as a missing file
        if name in RUN_FILES:
            return (
                RefusalKind.UNKNOWN_FILE,
                "this is a run, not a bundle: `fingertip submit` makes a bundle of it",
            )
        return RefusalKind.UNKNOWN_FILE, "the file is no part of a bundle"
    return None
