"""Folder of an unfinished export, `OUT.partial`: a call that is killed leaves it, and the same call goes on.

It holds plan.json, the finished chunks, and the folder that gets the name of the export when it is complete.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import JsonValue, ValidationError

from fingertip_dataset.errors import DatasetError, RunError, UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.manifest import BuildSource
from fingertip_dataset.parquet.staging_lock import build_lock
from fingertip_runs.run_record import AgentRecord
from fingertip_training.export_chunks import CHUNKS, EXPORT
from fingertip_training.export_record import PairRun

PLAN = "plan.json"


class ExportPlan(FrozenModel):
    """Plan of an export: all that decides its bytes. An unfinished one is only continued with the same.

    Attributes:
        options: The order.
        manifest_sha256: Sha256 of the dataset's manifest.
        agents: Track -> its agent, with all settings.
        runs: Month runs of preference pairs.
        decoder: Name and version of the decoder of pictures.
        source: Version of the code.
    """

    options: dict[str, JsonValue]
    manifest_sha256: str
    agents: dict[str, AgentRecord]
    runs: tuple[PairRun, ...]
    decoder: str
    source: BuildSource

    @property
    def fingerprint(self) -> str:
        """Sha256 of the plan."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


@contextmanager
def stage_export(out: Path, plan: ExportPlan) -> Iterator[Path]:
    """Open the folder of an unfinished export, and give its content the name `out` when the block ends.

    An order that cannot be filled leaves nothing; whatever else ends the block leaves the finished chunks.

    Args:
        out: Folder of the export, which must not exist.
        plan: What decides its bytes.

    Raises:
        UsageError: The folder exists or cannot be written, another process writes it, or `OUT.partial` is no
            unfinished export.
        RunError: `OUT.partial` is the unfinished export of another plan.
    """
    partial = out.with_name(f"{out.name}.partial")
    if out.exists() or out.is_symlink():
        _remove_leftover(partial)
        raise UsageError("the folder exists: give another --out, or remove it", file=out)
    try:
        _refuse_other(partial)
        with build_lock(partial, shared=False, what="export"):
            try:
                _prepare(partial, plan)
                yield partial
                # refuses a folder that appeared meanwhile, unless it is empty
                (partial / EXPORT).rename(out)
                _remove(partial)
            except UsageError:
                _remove(partial)
                raise
    except OSError as error:
        raise UsageError(f"the folder cannot be written: {error.strerror or error}", file=out) from error


def _refuse_other(partial: Path) -> None:
    """Refuse a folder that no export has left."""
    if partial.is_symlink() or (partial.exists() and not partial.is_dir()):
        raise UsageError("the name is taken: remove it, or give another --out", file=partial)
    if partial.is_dir() and any(partial.iterdir()) and not (partial / PLAN).is_file():
        raise UsageError("the folder is no unfinished export: remove it, or give another --out", file=partial)


def _prepare(partial: Path, plan: ExportPlan) -> None:
    """Make the folders, and compare the plan with that of an earlier call."""
    file = partial / PLAN
    if file.exists():
        _compare(plan, file)
    else:
        unfinished = partial / f".{PLAN}"
        unfinished.write_text(plan.model_dump_json(indent=2) + "\n", encoding="utf-8")
        unfinished.replace(file)
    for name in (CHUNKS, EXPORT):
        (partial / name).mkdir(exist_ok=True)


def _compare(plan: ExportPlan, file: Path) -> None:
    try:
        earlier = ExportPlan.model_validate_json(file.read_bytes())
    except ValidationError:
        raise DatasetError(f"{PLAN} is damaged: remove the folder", file=file.parent) from None
    changed = []
    for name, what in _PARTS.items():
        there, here = getattr(earlier, name), getattr(plan, name)
        if there != here:
            shown = f" ({there} there, {here} here)" if name == "decoder" else ""
            changed.append(f"{what}{shown}")
    # a dataset has a language, which options take from it
    first = changed[:1] if earlier.manifest_sha256 != plan.manifest_sha256 else []
    options = [
        f"{name} is {earlier.options.get(name)!r} there, {plan.options.get(name)!r} here"
        for name in sorted({*plan.options, *earlier.options})
        if earlier.options.get(name) != plan.options.get(name)
    ]
    changed = [*first, *options, *changed]
    if changed:
        raise RunError(
            f"the unfinished export is of another call: {changed[0]}; repeat that call, remove the folder, "
            "or give another --out",
            file=file.parent,
        )


_PARTS = {
    "manifest_sha256": "the dataset is another, or has changed",
    "agents": "the prompt has changed",
    "runs": "a month run has other suggestions",
    "decoder": "another decoder reads the pictures",
    "source": "the code has changed",
}
"""Part of a plan beside its options -> what is said of a difference."""


def _remove_leftover(partial: Path) -> None:
    """Remove what is left of an export that was killed after it had got its name."""
    if partial.is_symlink() or not (partial / PLAN).is_file() or (partial / EXPORT).exists():
        return
    with suppress(OSError, UsageError), build_lock(partial, shared=False, what="export"):
        _remove(partial)


def _remove(partial: Path) -> None:
    """Remove what an export has written into its folder; `build_lock` removes the folder."""
    for name in (CHUNKS, EXPORT):
        shutil.rmtree(partial / name, ignore_errors=True)
    for file in partial.glob(".*"):
        with suppress(OSError):
            file.unlink()
    with suppress(OSError):
        (partial / PLAN).unlink()
