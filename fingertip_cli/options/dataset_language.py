"""The language of prompts where no option states one: that of the chosen people, else of the dataset."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.kept_files import read_file
from fingertip_dataset.release.language_names import has_name
from fingertip_dataset.release.settings import PUBLISHED, ReleaseSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fingertip_models.messages import Language


def dataset_language(run: Path | None = None) -> Language:
    """Language of prompts for the dataset in the command's arguments, or for that of its first run.

    Where the command is about some people or tasks only, and the people share a language, it is theirs. A
    dataset that cannot be read has the usual one: the command itself says what is wrong with it. A language
    that has no name in our prompts is noted once.

    Args:
        run: Folder of the run whose dataset is meant, of several in the arguments; None as said.
    """
    settings = _find_settings(run)
    _note_nameless(settings)
    return settings.choose_prompt_language(_find_people() if run is None else ())


def reason_language(run: Path | None = None) -> str:
    """Language in which a judge of that dataset is asked for its reasons; see `ReleaseSettings`."""
    return _find_settings(run).reason_language


def _find_settings(run: Path | None) -> ReleaseSettings:
    """Settings of the dataset in the command's arguments; those of the published release without one."""
    from fingertip_dataset.parquet.manifest import MANIFEST, Manifest

    context = click.get_current_context(silent=True)
    params = context.params if context is not None else {}
    for dataset in _datasets(params if run is None else {"runs": (run,)}):
        with suppress(FingerTipError):
            return Manifest.read(dataset / MANIFEST).settings
    return PUBLISHED


def _find_people() -> frozenset[str]:
    """Ids of the people whom the command's options choose, by themselves or by their tasks; empty for all."""
    context = click.get_current_context(silent=True)
    params = context.params if context is not None else {}
    users, task_ids, task = params.get("users"), params.get("task_ids"), params.get("task")
    tasks = [*(task_ids or ()), *(task[1:] if isinstance(task, tuple) else ())]
    # `users` of other commands is a number of simulated people
    chosen = users if isinstance(users, tuple) else ()
    return frozenset(chosen) or frozenset(str(task_id).partition("__")[0] for task_id in tasks)


def _note_nameless(settings: ReleaseSettings) -> None:
    """Print a line on standard error for each language that prompts cannot name; once a command."""
    context = click.get_current_context(silent=True)
    for code in sorted({settings.language, *settings.languages.values()}):
        if has_name(code) or (context is not None and context.meta.setdefault(f"{__name__}.{code}", False)):
            continue
        if context is not None:
            context.meta[f"{__name__}.{code}"] = True
        click.echo(
            f"note: no name is known for the language {code}: prompts ask for it by its code", err=True
        )


def _datasets(params: dict[str, object]) -> Iterator[Path]:
    """Yield the paths of the dataset in the arguments, those of its tasks, and that of each run in them."""
    task = params.get("task")
    for dataset in (params.get("dataset"), params.get("tasks"), task[0] if isinstance(task, tuple) else None):
        if isinstance(dataset, Path):
            yield dataset
    runs = params.get("runs")
    for run in runs if isinstance(runs, tuple) else ():
        with suppress(OSError, ValueError, LookupError, TypeError):
            yield Path(json.loads(read_file(Path(run) / "run.json"))["dataset"]["path"])
