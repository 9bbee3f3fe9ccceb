"""Identity of a local checkpoint, and the adapter that a fine-tuned model adds to it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable

ENDS = 1 << 20
"""Number of bytes hashed at the beginning and the end of each file to identify a checkpoint: hashing whole
weights takes minutes."""

TRAINING = "training.json"
"""Name of the file that `fingertip finetune` writes beside the weights."""

ADAPTER_CONFIG = "adapter_config.json"
"""Name of the file that makes a folder an adapter in PEFT's format."""

UNKNOWN = "not known"
"""Identity of a checkpoint without a folder and without a commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """A folder of adapter weights.

    Attributes:
        folder: The folder.
        base: Name of the base model, as the adapter states it.
        base_identity: `checkpoint_identity` of the base that it was trained on; None if not stated.
        identity: SHA-256 over the folder's files.
        trained_on: Tracks on whose training episodes it was trained; empty if not stated.
    """

    folder: Path
    base: str
    base_identity: str | None
    identity: str
    trained_on: tuple[str, ...]

    def check_base(self, model: str, identity: str) -> None:
        """Check that a base model is the adapter's own.

        Args:
            model: Name or folder of the base model.
            identity: Its `checkpoint_identity`.

        Raises:
            UsageError: It is another one.
        """
        known = self.base_identity not in (None, UNKNOWN) and identity != UNKNOWN
        if known and self.base_identity == identity:
            return
        if not _same_name(model, self.base):
            raise UsageError(
                f"the adapter belongs to the base {printable(self.base, 200)}, got --model "
                f"{printable(model, 200)}",
                file=self.folder,
            )
        if known:
            raise UsageError(
                f"the adapter was trained on other weights of {printable(self.base, 200)} than those loaded",
                file=self.folder,
            )


def read_adapter(folder: Path) -> Adapter:
    """Read what an adapter states about itself.

    Raises:
        UsageError: The folder is no adapter in PEFT's format.
    """
    file = folder / ADAPTER_CONFIG
    if not file.is_file():
        hint = "it is a whole model: give it as --model" if (folder / "config.json").is_file() else (
            "`fingertip finetune` writes one"
        )  # fmt: skip
        raise UsageError(f"this folder has no {ADAPTER_CONFIG}, so it is no adapter; {hint}", file=folder)
    config = _read_object(file)
    base = config.get("base_model_name_or_path")
    if not isinstance(base, str) or not base:
        raise UsageError("the adapter does not name its base model", file=file)
    trained = read_training(folder)
    facts = trained.get("base")
    identity = facts.get("identity") if isinstance(facts, dict) else None
    return Adapter(
        folder=folder,
        base=base,
        base_identity=identity if isinstance(identity, str) else None,
        identity=folder_identity(folder),
        trained_on=trained_on(trained),
    )


def read_training(folder: Path) -> dict[str, Any]:
    """Read a folder's training.json; empty without one.

    Raises:
        UsageError: The file cannot be read.
    """
    file = folder / TRAINING
    return _read_object(file) if file.is_file() else {}


def trained_on(training: dict[str, Any]) -> tuple[str, ...]:
    """The tracks that a training.json names.

    >>> trained_on({"trained_on": ["suggestion"]}), trained_on({})
    (('suggestion',), ())
    """
    tracks = training.get("trained_on")
    return tuple(track for track in tracks if isinstance(track, str)) if isinstance(tracks, list) else ()


def checkpoint_identity(name: str, config: Any) -> str:  # noqa: ANN401 - transformers is imported late
    """Return an identity of a checkpoint's content: the Hub's commit, or a hash of a folder's files.

    Args:
        name: The checkpoint's folder, or its name on the Hub.
        config: Its configuration, as transformers loads it.
    """
    folder = Path(name)
    return folder_identity(folder) if folder.is_dir() else str(getattr(config, "_commit_hash", 0) or UNKNOWN)


def folder_identity(folder: Path) -> str:
    """Return a SHA-256 over the names, the sizes, and both ends of the files of a folder."""
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        if file.is_file():
            size = file.stat().st_size
            # NUL ends a name, so two lists of files cannot give the same bytes
            digest.update(f"{file.name}\0{size}\0".encode())
            with file.open("rb") as data:
                digest.update(data.read(ENDS))
                data.seek(max(ENDS, size - ENDS))
                digest.update(data.read(ENDS))
    return digest.hexdigest()


def _same_name(one: str, other: str) -> bool:
    return one == other or (Path(one).is_dir() and Path(one).resolve() == Path(other).resolve())


def _read_object(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"the file cannot be read as JSON: {error}", file=file) from error
    if not isinstance(content, dict):
        raise UsageError("expected one JSON object", file=file)
    return content


def error_line(error: Exception) -> str:
    """Type and message of an error of a model's library, in one line of at most 200 characters."""
    return printable(" ".join(f"{type(error).__name__}: {error}".split()), 200)
