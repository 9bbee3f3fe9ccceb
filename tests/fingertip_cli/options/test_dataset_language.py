"""Language of prompts and of a judge's reasons, by the dataset of a command."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from fingertip_cli.options import model_options, shared_options
from fingertip_cli.options.dataset_language import dataset_language, reason_language
from fingertip_dataset.parquet.manifest import MANIFEST, Manifest
from fingertip_dataset.release.settings import ReleaseSettings


@click.command
@click.argument("dataset", type=click.Path(path_type=Path))
def shown(dataset: Path) -> None:
    """A command that prints both, and asks for the first twice."""
    click.echo(f"{dataset_language()} {dataset_language()} {reason_language()!r}")


def ask(dataset: Path) -> Any:  # noqa: ANN401 - click's result
    return CliRunner().invoke(shown, [str(dataset)])


@pytest.mark.parametrize(
    ("language", "expected"),
    [("zh", "zh zh ''"), ("zh-TW", "zh zh ''"), ("en", "en en ''"), ("pt-BR", "en en 'pt-BR'")],
)
def test_a_language_without_wording_is_named_in_english_prompts(
    sample: Path, tmp_path: Path, language: str, expected: str
) -> None:
    state(sample, tmp_path, ReleaseSettings(language=language))
    assert ask(tmp_path).output == f"{expected}\n"


def test_a_language_without_a_name_is_one_line(sample: Path, tmp_path: Path) -> None:
    state(sample, tmp_path, ReleaseSettings(language="en", languages={"3": "tlh"}))
    assert ask(tmp_path).stderr == (
        "note: no name is known for the language tlh: prompts ask for it by its code\n"
    )
    assert ask(tmp_path / "nowhere").output == "zh zh ''\n"


def state(dataset: Path, folder: Path, settings: ReleaseSettings) -> None:
    """Write the manifest of a dataset with other settings into a folder."""
    shutil.copy(dataset / MANIFEST, folder / MANIFEST)
    manifest = Manifest.read(folder / MANIFEST)
    manifest.model_copy(update={"release": settings}).write(folder / MANIFEST)


@click.command
@click.argument("dataset", type=click.Path(path_type=Path))
@shared_options.only_users
@click.option("--task", "task_ids", multiple=True)
@model_options.language
def asking(dataset: Path, users: tuple[str, ...] | None, task_ids: tuple[str, ...], language: str) -> None:
    """A command that may ask some people only."""
    click.echo(language)


@pytest.mark.parametrize(
    ("chosen", "language"),
    [
        ([], "zh"),
        (["--only-users", "3,4"], "en"),
        (["--only-users", "1,3"], "zh"),
        (["--users", "3"], "en"),
        (["--task", "3__20250301_080000", "--task", "4__20250301_080000"], "en"),
        (["--task", "1__20250301_080000"], "zh"),
        (["--only-users", "3", "--language", "zh"], "zh"),
    ],
)
def test_people_who_are_asked_alone_are_asked_in_their_language(
    sample: Path, tmp_path: Path, chosen: list[str], language: str
) -> None:
    state(sample, tmp_path, ReleaseSettings(languages={"3": "en", "4": "de"}))
    assert CliRunner().invoke(asking, [str(tmp_path), *chosen]).stdout == f"{language}\n"
    # options may stand before the dataset
    assert CliRunner().invoke(asking, [*chosen, str(tmp_path)]).stdout == f"{language}\n"
