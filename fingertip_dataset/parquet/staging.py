"""Atomic creation of a dataset: it is made in `OUT.partial`, then renamed to `OUT`.

Nothing in `OUT.partial` can be loaded: its shards have no Parquet suffix. To finish, they are renamed into a
hidden subfolder, which `load_dataset` ignores, and that subfolder becomes `OUT` by one rename. If a job is
killed while finishing, the next build moves the shards in the hidden folder back.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from uuid import uuid4

from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.parquet.features import Config
from fingertip_dataset.parquet.manifest import MANIFEST, Manifest, Shard
from fingertip_dataset.parquet.shards import FOLDERS, staged_name
from fingertip_dataset.parquet.staging_lock import staging_lock


class Staging:
    """The folder next to `OUT` in which its shards are made.

    Args:
        out: Path of the finished dataset.
        fingerprint: Fingerprint of the plan.
    """

    def __init__(self, out: Path, fingerprint: str) -> None:
        self.out = Path(os.path.abspath(out))  # noqa: PTH100 - "." and ".." have names of their own
        self.folder = self.out.with_name(f"{self.out.name}.partial")
        self._fingerprint = fingerprint
        self._hidden = self.folder / f".finished-{fingerprint[:16]}"

    def find_finished(self) -> Manifest | None:
        """Return the manifest at `OUT` if another job has finished the same plan; None otherwise."""
        try:
            manifest = Manifest.read(self.out / MANIFEST)
        except DatasetError:
            return None
        return manifest if manifest.plan == self._fingerprint else None

    def locked(self) -> AbstractContextManager[None]:
        """Lock that lets one job at a time finish or publish a shard."""
        return staging_lock(self.folder)

    def recover(self) -> None:
        """Move back the shards that a job of this plan had renamed when it was killed."""
        if not self._hidden.is_dir():
            return
        with self.locked():
            for config, name in FOLDERS.items():
                for file in (self._hidden / name).glob("*.parquet"):
                    # a rename within one file system is atomic: a shard is in one place or the other
                    file.replace(self._staged(config, file.stem))
            shutil.rmtree(self._hidden, ignore_errors=True)

    def finish(self, manifest: Manifest, texts: Mapping[str, str], *, overwrite: bool) -> None:
        """Turn all shards into the dataset at `OUT`; the lock must be held.

        Args:
            manifest: Manifest, written next to the shards.
            texts: Name -> content of each other file.
            overwrite: Whether an existing dataset is replaced.

        Raises:
            UsageError: `OUT` exists and must not be replaced.
        """
        self._hidden.mkdir(exist_ok=True)
        shards = manifest.all_shards
        for folder in {Path(name).parent for name in (*(shard.file for shard in shards), *texts)}:
            (self._hidden / folder).mkdir(exist_ok=True)
        manifest.write(self._hidden / MANIFEST)
        for name, text in texts.items():
            (self._hidden / name).write_text(text, encoding="utf-8", newline="")
        self._rename(shards)
        # again, because another job may have written it during the build
        refuse_occupied(self.out, overwrite=overwrite, redacted=manifest.redacted is not None)
        if self.out.exists():
            self.out.rename(self.folder / f".replaced-{uuid4().hex}")
        # the last step: a reader never sees half a dataset
        self._hidden.rename(self.out)
        self.discard()

    def discard(self) -> None:
        """Remove the staging folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _rename(self, shards: Iterable[Shard]) -> None:
        for shard in shards:
            self._staged(shard.config, Path(shard.file).stem).replace(self._hidden / shard.file)

    def _staged(self, config: Config, stem: str) -> Path:
        return self.folder / staged_name(stem, config, self._fingerprint)


def refuse_occupied(out: Path, *, overwrite: bool, redacted: bool = False) -> None:
    """Refuse an output path whose content must not be replaced.

    Args:
        out: Path of the finished dataset.
        overwrite: Whether an existing dataset may be replaced; anything else never is.
        redacted: Whether the new dataset is redacted; another one never replaces a redacted dataset.

    Raises:
        UsageError: `out` is a file, a link, a folder that is no built dataset, a dataset without
            `overwrite`, or a redacted dataset that an unredacted one would replace.
    """
    if out.is_symlink():
        raise UsageError("the output folder is a link: give a new folder", file=out)
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    if not (out / MANIFEST).is_file():
        raise UsageError("the folder exists and is not a built dataset: give a new folder", file=out)
    if not overwrite:
        raise UsageError("the folder holds a built dataset: --overwrite replaces it", file=out)
    if not redacted and _states_redaction(out / MANIFEST):
        raise UsageError(
            "the folder holds a redacted dataset, which unredacted data never replace: give a new folder",
            file=out,
        )


def _states_redaction(manifest: Path) -> bool:
    try:
        return Manifest.read(manifest).redacted is not None
    except DatasetError:
        # damaged: what is left of it decides
        try:
            return b'"redacted"' in manifest.read_bytes()
        except OSError:
            return True
