"""Cache of accepted bundles in the user's own cache folder, never in a folder of submissions."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from fingertip_dataset.errors import RunError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.parquet.source import source
from fingertip_leaderboard.bundle.content_hash import OVER_LIMITS, hash_content
from fingertip_leaderboard.verify.verify_report import PLACE, CheckedBundle, checked_bundle_adapter
from fingertip_runs.run_folder import write_text

VARIABLE = "FINGERTIP_CACHE"
"""Environment variable that names the cache folder in place of the system's."""


class VerifyCache:
    """Checked bundles by the hash of their content, of the datasets and of the verifying code.

    Only accepted bundles are kept: a refusal may depend on the time. Code with uncommitted changes has no
    version, so that it neither reads nor writes entries.

    Args:
        folder: Folder of the entries; None for the user's.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = (folder or user_cache()) / "verified"
        self._code = None if source().dirty else source().model_dump_json()

    def key(self, path: Path, datasets: Sequence[BuiltDataset]) -> str | None:
        """Key of a bundle on datasets; None if nothing may be read or kept."""
        if self._code is None or not self._is_own():
            return None
        content = hash_content(path)
        if content == OVER_LIMITS:
            return None
        data = [
            # moments have a hash of their own: those of a dataset can change while its episodes stay
            (manifest.data_sha256, manifest.moments.data_sha256 if manifest.moments else "")
            for manifest in (built.manifest for built in datasets)
        ]
        parts = json.dumps([content, data, self._code, sys.version_info[:2]])
        return hashlib.sha256(parts.encode()).hexdigest()

    def get(self, key: str, path: Path) -> CheckedBundle | None:
        """Return the entry of a key for a bundle at this path, or None if it has no valid entry."""
        try:
            found = checked_bundle_adapter().validate_json((self._folder / f"{key}.json").read_bytes())
        except (OSError, ValidationError):
            return None
        if not found.report.accepted or found.answers is None:
            return None
        return found.move_to(path)

    def put(self, key: str, checked: CheckedBundle) -> None:
        """Keep an accepted bundle; what cannot be written is verified again the next time."""
        if not checked.report.accepted:
            return
        try:
            write_text(
                self._folder / f"{key}.json",
                checked_bundle_adapter().dump_json(checked.move_to(PLACE)).decode(),
            )
        except RunError:
            return

    def _is_own(self) -> bool:
        """Whether the folder is the user's, and nobody else may write into it; a missing one is made."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            found = self._folder.lstat()
        except OSError:
            return False
        if not stat.S_ISDIR(found.st_mode):
            return False
        return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def user_cache() -> Path:
    """The user's cache folder of this project: FINGERTIP_CACHE, else the system's own place."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    if sys.platform == "darwin":
        return Path("~/Library/Caches/fingertip-20k").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "fingertip-20k"
