"""What the report pages of both tracks share: the check of their runs, the dataset's rows, the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.page_parts import template
from fingertip_runs.run_record import RunRecord


def check_one_split(records: Sequence[RunRecord]) -> None:
    """Refuses runs that cannot stand on one page.

    Raises:
        UsageError: The runs are of different data or splits.
    """
    if len({(record.dataset.data_sha256, record.split) for record in records}) != 1:
        raise UsageError("expected runs of one split of one dataset on a page, got several")


def task_rows(record: RunRecord, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The rows of a run's split, read from where the run found its dataset.

    Args:
        record: The run's run.json.
        columns: Columns to read, screens included.

    Raises:
        DatasetError: The dataset is gone.
        UsageError: It is not the dataset that the run was made on.
    """
    built = BuiltDataset.open(Path(record.dataset.path))
    if built.manifest.data_sha256 != record.dataset.data_sha256:
        raise UsageError(
            "expected the dataset that the run was made on, got another one", file=record.dataset.path
        )
    return built.rows(record.split, columns=columns, config="default")


def write_page(out: Path, package: str, name: str, **content: object) -> Path:
    """Renders a report into one HTML file and returns its path.

    Args:
        out: The file.
        package: Import name of the package with the template, which extends report_base.html.j2.
        name: File name of the template.
        content: Variables of the template; `record` is the first run's.

    Raises:
        RunError: The file cannot be written.
    """
    page = template(package, name, base=__package__).render(**content)
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise RunError(f"expected a file that can be written, got {error.strerror}", file=out) from error
    return out
