"""The language of prompts where no option states one: that of the command's dataset."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.kept_files import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fingertip_models.messages import Language

USUAL: Language = "zh"
"""Language of prompts of the published release, and of a command without a dataset."""


def dataset_language() -> Language:
    """Language of the dataset in the command's arguments, or of that of its first run.

    A dataset that cannot be read has the usual one: the command itself says what is wrong with it.
    """
    from fingertip_dataset.parquet.manifest import MANIFEST, Manifest

    context = click.get_current_context(silent=True)
    for dataset in _datasets(context.params if context is not None else {}):
        with suppress(FingerTipError):
            return Manifest.read(dataset / MANIFEST).settings.prompt_language
    return USUAL


def _datasets(params: dict[str, object]) -> Iterator[Path]:
    """Yield the paths of the dataset in the arguments, and of that of each run in them."""
    if isinstance(dataset := params.get("dataset"), Path):
        yield dataset
    runs = params.get("runs")
    for run in runs if isinstance(runs, tuple) else ():
        with suppress(OSError, ValueError, LookupError, TypeError):
            yield Path(json.loads(read_file(Path(run) / "run.json"))["dataset"]["path"])
