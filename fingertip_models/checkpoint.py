"""Place and identity of a local checkpoint, and the adapter that a fine-tuned model adds to it."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import ModelError, UsageError
from fingertip_dataset.release.problems import printable

ENDS = 1 << 20
"""Number of bytes hashed at the beginning and the end of each file to identify a checkpoint: hashing whole
weights takes minutes."""

TRAINING = "training.json"
"""Name of the file that `fingertip finetune` writes beside the weights."""

WORK = "work"
"""Name of the folder of samples, checkpoints and scoring within the folder of a training."""

SAMPLES = "samples"
"""Name of the folder of the training's export, in the work folder."""

CALL = "finetune.json"
"""Name of the file of what was asked for, in the work folder."""

CONFIG = "config.json"
"""Name of the file that makes a folder or a repo a checkpoint of transformers."""

ADAPTER_CONFIG = "adapter_config.json"
"""Name of the file that makes a folder an adapter in PEFT's format."""

UNKNOWN = "not known"
"""Identity of a checkpoint without a folder and without a commit."""

_WANTED = "give the folder of a model, or its name on the Hub such as Qwen/Qwen2.5-VL-7B-Instruct"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """A folder of adapter weights.

    Attributes:
        folder: The folder.
        base: Name of the base model, as the adapter states it.
        base_identity: `identify_checkpoint` of the base that it was trained on; None if not stated.
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
            identity: Its `identify_checkpoint`.

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


def check_checkpoint(name: str, what: str = "model") -> None:
    """Check that a name is that of a checkpoint, before anything of it is loaded.

    The Hub is asked once, and only about names that a repo can have and that are not in its cache.

    Args:
        name: The checkpoint's folder, or its name on the Hub.
        what: What the checkpoint is for the caller, such as "base".

    Raises:
        UsageError: It is neither a folder with a model nor a repo of the Hub, or its training is unfinished.
        ModelError: The Hub cannot be asked, or lets only those in who accepted the model's terms.
    """
    folder, shown = Path(name), printable(name, 200)
    if folder.is_dir():
        _check_finished(folder)
        if not any((folder / file).is_file() for file in (CONFIG, ADAPTER_CONFIG)):
            raise UsageError(f"the {what} is a folder without {CONFIG}: {_WANTED}", file=folder)
        return
    if folder.exists():
        raise UsageError(f"the {what} is a file, but a model is a folder: {_WANTED}", file=folder)
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        cached = try_to_load_from_cache(name, CONFIG)
    except HFValidationError:
        raise UsageError(f"the {what} {shown} is no folder, and no name on the Hub: {_WANTED}") from None
    if not isinstance(cached, str):
        _ask_hub(name, what)


def _ask_hub(name: str, what: str) -> None:
    """Ask the Hub once, without retries, whether it has the checkpoint."""
    from huggingface_hub import constants, get_hf_file_metadata, hf_hub_url
    from huggingface_hub.errors import EntryNotFoundError, GatedRepoError, RepositoryNotFoundError

    shown = printable(name, 200)
    try:
        with _silence_hub():
            get_hf_file_metadata(hf_hub_url(name, CONFIG))
    except GatedRepoError:
        raise ModelError(
            f"the {what} {shown} has terms: accept them at {constants.ENDPOINT}/{shown}, then `hf auth login`"
        ) from None
    except RepositoryNotFoundError:
        raise UsageError(
            f"the {what} {shown} is no folder here, and {constants.ENDPOINT} has no such model that you may "
            f"see: {_WANTED}; for a private one `hf auth login`"
        ) from None
    except EntryNotFoundError:
        return  # the repo may be an adapter that names its base, which transformers loads too
    except Exception as error:  # httpx, json and the system have no common base
        raise ModelError(
            f"the {what} {shown} is no folder here, and {constants.ENDPOINT} cannot be asked for it: "
            f"{error_line(error)}; give the folder of a model, or try again with a connection"
        ) from error


@contextmanager
def _silence_hub() -> Iterator[None]:
    """Silence the notes of huggingface_hub: its error becomes a line of ours."""
    logger = logging.getLogger("huggingface_hub")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


def _check_finished(folder: Path) -> None:
    """Refuse the folder of a training that goes on."""
    begun = any((folder / WORK / part).exists() for part in (CALL, SAMPLES))
    if begun and not (folder / TRAINING).is_file():
        raise UsageError(
            "the training in this folder is not finished: repeat the `fingertip finetune` call that has it "
            "as --out, which goes on where it stopped",
            file=folder,
        )


def read_adapter(folder: Path) -> Adapter:
    """Read what an adapter states about itself.

    Raises:
        UsageError: The folder is no adapter in PEFT's format, or its training is not finished.
    """
    if not folder.is_dir():
        raise UsageError(
            "there is no such folder: an adapter is a folder that `fingertip finetune` wrote, or that `hf "
            "download NAME --local-dir FOLDER` brought from the Hub",
            file=folder,
        )
    _check_finished(folder)
    file = folder / ADAPTER_CONFIG
    if not file.is_file():
        hint = "it is a whole model: give it as --model" if (folder / CONFIG).is_file() else (
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
        identity=hash_folder(folder),
        trained_on=read_tracks(trained),
    )


def read_training(folder: Path) -> dict[str, Any]:
    """Read a folder's training.json; empty without one.

    Raises:
        UsageError: The file cannot be read.
    """
    file = folder / TRAINING
    return _read_object(file) if file.is_file() else {}


def read_tracks(training: dict[str, Any]) -> tuple[str, ...]:
    """The tracks that a training.json names.

    >>> read_tracks({"trained_on": ["suggestion"]}), read_tracks({})
    (('suggestion',), ())
    """
    tracks = training.get("trained_on")
    return tuple(track for track in tracks if isinstance(track, str)) if isinstance(tracks, list) else ()


def identify_checkpoint(name: str, config: Any) -> str:  # noqa: ANN401 - transformers is imported late
    """Return an identity of a checkpoint's content: the Hub's commit, or a hash of a folder's files.

    Args:
        name: The checkpoint's folder, or its name on the Hub.
        config: Its configuration, as transformers loads it.
    """
    folder = Path(name)
    return hash_folder(folder) if folder.is_dir() else str(getattr(config, "_commit_hash", 0) or UNKNOWN)


def find_identity(name: str) -> str:
    """Return the `identify_checkpoint` of a checkpoint on this machine; "not known" for any other name.

    Nothing is loaded, and the Hub is not asked: its commit is that in the cache.

    >>> find_identity("nobody/has-this-model")
    'not known'
    """
    folder = Path(name)
    if folder.is_dir():
        return hash_folder(folder)
    if find_spec("huggingface_hub") is None:
        return UNKNOWN
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        cached = try_to_load_from_cache(name, CONFIG)
    except HFValidationError:
        return UNKNOWN
    # .../snapshots/COMMIT/config.json
    return Path(cached).parent.name if isinstance(cached, str) else UNKNOWN


def hash_folder(folder: Path) -> str:
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
