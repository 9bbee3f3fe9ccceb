"""Shared parts of the report pages of both tracks: check of the runs, rows of the dataset, HTML file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.page_parts import template
from fingertip_runs.page_policy import file_policy
from fingertip_runs.run_record import RunRecord


def check_one_split(records: Sequence[RunRecord]) -> None:
    """Refuses runs of different datasets or splits.

    Raises:
        UsageError: The runs have different datasets or splits.
    """
    if len({(record.dataset.data_sha256, record.split) for record in records}) != 1:
        raise UsageError("the runs of a page must be of one split of one dataset")


def task_rows(record: RunRecord, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of a run's split, read from the dataset path in its record.

    Args:
        record: Record of the run (run.json).
        columns: Names of the columns to read, which may include the screens.

    Raises:
        DatasetError: The dataset is missing.
        UsageError: The path holds another dataset than the run's.
    """
    built = BuiltDataset.open(Path(record.dataset.path))
    if built.manifest.data_sha256 != record.dataset.data_sha256:
        raise UsageError("the dataset is not the one that the run was made on", file=record.dataset.path)
    return built.rows(record.split, columns=columns, config="default")


def write_page(out: Path, package: str, name: str, *, script: str, **content: object) -> Path:
    """Renders a report into one HTML file and returns its path.

    Args:
        out: Path of the HTML file.
        package: Import name of the template's package; the template extends report_base.html.j2.
        name: File name of the template.
        script: The only JavaScript of the page that may run; a Content Security Policy forbids all other.
        content: Variables of the template; `record` is the record of the first run.

    Raises:
        RunError: The file cannot be written.
    """
    from markupsafe import Markup

    page = template(package, name, base=__package__).render(
        **content,
        policy=file_policy([script]),
        script=Markup(script),  # noqa: S704 - a file of ours, without a closing tag
    )
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise RunError(f"the file cannot be written: {error.strerror}", file=out) from error
    return out
