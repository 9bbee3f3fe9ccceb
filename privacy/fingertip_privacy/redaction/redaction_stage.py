"""An unfinished redaction: `OUT.partial`, whose finished parts are kept until it becomes `OUT` by one rename.

The random key of an unfinished redaction lies in it, readable by its owner only, so that a killed call can go
on with the same pseudonyms; it is removed before `OUT` gets its name.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import shutil
from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from pydantic import ValidationError

from fingertip_dataset.errors import UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.manifest import Shard
from fingertip_dataset.parquet.staging_lock import staging_lock

if TYPE_CHECKING:
    from fingertip_privacy.finds import FindKind
    from fingertip_privacy.redaction.redacted_screens import RedactedPicture

KEY_BYTES = 32
LEAST_KEY_BYTES = 16
"""Smallest size of a key in a file of the user."""

_KEY = ".key"


class RedactionChange(FrozenModel):
    """Count of the parts replaced in a place; it quotes nothing.

    Attributes:
        file: Path relative to the release or dataset.
        episode: Id of the episode or moment; "" for tables.
        place: "screenshot", "tree", "action", "survey", "moments", "table", "columns" or "metadata".
        kind: Kind of the replaced values; "" where it is not known.
        count: Number of replaced values or painted boxes.
        boxes: Painted boxes as "left top right bottom", in px of the screenshot.
    """

    file: str
    episode: str
    place: str
    kind: str
    count: int
    boxes: tuple[str, ...] = ()


class UnitRecord(FrozenModel):
    """Result of the redaction of one unit: an episode, a person's moments, a shard, or the tables.

    Attributes:
        inputs: Hash over sizes and times of the files that were read.
        changes: What was replaced.
        screenshots: Number of screenshots with painted boxes.
        reencoded: Number of those that were compressed again in whole.
        simulations_removed: Ids of episodes whose set-up of a simulated phone is left out.
        left_out: Number of files that are left out.
        shards: The Parquet files of a shard.
    """

    inputs: str
    changes: tuple[RedactionChange, ...] = ()
    screenshots: int = 0
    reencoded: int = 0
    simulations_removed: tuple[str, ...] = ()
    left_out: int = 0
    shards: tuple[Shard, ...] = ()


@dataclass(kw_only=True)
class RedactionNotes:
    """Changes and counts of the redaction of a unit, while it goes on."""

    changes: list[RedactionChange] = field(default_factory=list)
    screenshots: int = 0
    reencoded: int = 0
    left_out: int = 0

    def note_values(self, file: str, episode: str, place: str, kinds: Counter[FindKind]) -> None:
        """Note the values that were replaced in a text, by kind."""
        for kind in sorted(kinds):
            self.changes.append(
                RedactionChange(file=file, episode=episode, place=place, kind=kind.value, count=kinds[kind])
            )

    def note_picture(
        self, file: str, episode: str, picture: RedactedPicture, old: bytes, kinds: Iterable[FindKind]
    ) -> None:
        """Note the boxes that were painted in a screenshot, or that its metadata are gone."""
        self.screenshots += bool(picture.boxes)
        self.reencoded += picture.reencoded
        if not picture.boxes and picture.data == old:
            return
        boxes = tuple(" ".join(map(str, box)) for box in picture.boxes)
        self.changes.append(
            RedactionChange(
                file=file,
                episode=episode,
                place="screenshot" if boxes else "metadata",
                kind=",".join(sorted({kind.value for kind in kinds})),
                count=len(boxes) or 1,
                boxes=boxes,
            )
        )

    def make_record(
        self, inputs: str, simulations: Iterable[str], shards: tuple[Shard, ...] = ()
    ) -> UnitRecord:
        """Return the record of the unit."""
        return UnitRecord(
            inputs=inputs,
            changes=tuple(self.changes),
            screenshots=self.screenshots,
            reencoded=self.reencoded,
            simulations_removed=tuple(simulations),
            left_out=self.left_out,
            shards=shards,
        )


class RedactionStage:
    """Folder next to `OUT` in which a redaction is made.

    Args:
        out: Path of the finished release or dataset.
    """

    def __init__(self, out: Path) -> None:
        self.out = Path(os.path.abspath(out))  # noqa: PTH100 - "." and ".." have names of their own
        self.folder = self.out.with_name(f"{self.out.name}.partial")
        self._name = ""

    def key(self, key_file: Path | None) -> bytes:
        """The secret key: of the user's file, or a random one that an unfinished redaction keeps.

        Raises:
            UsageError: The file cannot be read, or is shorter than `LEAST_KEY_BYTES`.
        """
        if key_file is not None:
            return read_key(key_file)
        with self.locked():
            file = self.folder / _KEY
            if not file.exists():
                temporary = self.folder / f".{uuid4().hex}.tmp"
                with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as new:
                    new.write(secrets.token_bytes(KEY_BYTES))
                temporary.replace(file)
            return file.read_bytes()

    def begin(self, key: bytes, *parts: str) -> None:
        """Choose the folder of a redaction with this key and these inputs; others keep theirs."""
        text = "\n".join(parts).encode()
        self._name = hmac.new(key, text, hashlib.sha256).hexdigest()[:24]
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self._redaction / "records").mkdir(exist_ok=True)

    @property
    def _redaction(self) -> Path:
        # hidden, so that nothing takes it for a dataset
        return self.folder / f".redaction-{self._name}"

    @property
    def root(self) -> Path:
        """The folder that becomes `OUT`."""
        return self._redaction / "out"

    def locked(self) -> AbstractContextManager[None]:
        """Lock that lets one job at a time finish."""
        return staging_lock(self.folder)

    def done(self, unit: str, inputs: str | None = None) -> UnitRecord | None:
        """Record of a finished unit made of the same inputs; None if there is none."""
        try:
            record = UnitRecord.model_validate_json(self._record(unit).read_bytes())
        except (OSError, ValidationError):
            return None
        return record if inputs is None or record.inputs == inputs else None

    def forget(self, unit: str) -> None:
        """Remove the record of a unit that is made again."""
        self._record(unit).unlink(missing_ok=True)

    def finished(self, unit: str, record: UnitRecord) -> None:
        """Keep the record of a unit, all of whose files have their names."""
        file = self._record(unit)
        temporary = file.with_name(f".{uuid4().hex}.tmp")
        temporary.write_text(record.model_dump_json(), encoding="utf-8")
        temporary.replace(file)

    def publish(self) -> None:
        """Give the finished folder its name; the lock must be held.

        Raises:
            UsageError: `OUT` exists meanwhile.
        """
        refuse_existing(self.out)
        if self.out.exists():
            self.out.rmdir()
        (self.folder / _KEY).unlink(missing_ok=True)
        # the last step: a reader never sees half a release
        self.root.rename(self.out)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _record(self, unit: str) -> Path:
        return self._redaction / "records" / f"{hashlib.sha256(unit.encode()).hexdigest()[:32]}.json"


def read_key(file: Path) -> bytes:
    """Read a key file.

    Raises:
        UsageError: It cannot be read, or is shorter than `LEAST_KEY_BYTES`.
    """
    try:
        key = file.read_bytes().strip()
    except OSError as error:
        raise UsageError(f"the key file cannot be read: {error.strerror or error}", file=file) from None
    if len(key) < LEAST_KEY_BYTES:
        raise UsageError(
            f"expected a key of at least {LEAST_KEY_BYTES} bytes, got {len(key)}: "
            "`head -c 32 /dev/urandom | base64` makes one",
            file=file,
        )
    return key


def refuse_existing(out: Path) -> None:
    """Refuse an output folder with content: a redaction replaces nothing.

    Raises:
        UsageError: It exists, and is not an empty folder.
    """
    if out.is_symlink() or (out.exists() and not (out.is_dir() and not any(out.iterdir()))):
        raise UsageError("the output exists: a redaction replaces nothing, give a new folder", file=out)


def state_of(files: Iterable[Path]) -> str:
    """Hash over the sizes and modification times of files."""
    digest = hashlib.sha256()
    for file in files:
        try:
            status = file.stat()
            digest.update(f"{file.name} {status.st_size} {status.st_mtime_ns}\n".encode())
        except OSError as error:
            digest.update(f"{file.name} error {error.errno}\n".encode())
    return digest.hexdigest()
