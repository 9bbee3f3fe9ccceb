"""The table of an experiment: one row per cell and agent, and published rows, marked as such."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fingertip_dataset.errors import RunError
from fingertip_dataset.markdown_table import markdown_table
from fingertip_dataset.release.problems import printable
from fingertip_metrics.aggregate import Interval
from fingertip_metrics.published import PublishedRow
from fingertip_runs.cells import NONE, format_number, format_seconds
from suggestion_runner.suggestion_tables import OTHER_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMeasure:
    """A score that a table may have.

    Attributes:
        name: Machine-readable name.
        heading: Heading of its column.
        percent: Whether it is printed as a percentage.
        minor: Whether it accompanies another score: printed as its mean alone, without a figure.
    """

    name: str
    heading: str
    percent: bool
    minor: bool = False

    @property
    def factor(self) -> int:
        """Factor from the score, 0-1, to the printed number."""
        return 100 if self.percent else 1

    @property
    def decimals(self) -> int:
        """Number of printed decimals."""
        return 1 if self.percent else 3


MEASURES = (
    TableMeasure(name="sr1", heading="SR_1 %", percent=True),
    TableMeasure(name="sim1", heading="Sim_1", percent=False),
    TableMeasure(name="other_sim1", heading=OTHER_TEXT, percent=False, minor=True),
    TableMeasure(name="top3_sr1", heading="SR_1 % top 3", percent=True),
    TableMeasure(name="distribution_sim1", heading="Sim_1 distr.", percent=False),
    TableMeasure(name="transport_sim1", heading="Sim_1 transport", percent=False),
    TableMeasure(name="sr2", heading="SR_2 %", percent=True),
    TableMeasure(name="sim2", heading="Sim_2", percent=False),
    TableMeasure(name="step_ratio", heading="steps x", percent=False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredValue:
    """A mean, 0-1 for SR_1, with the ends of its interval over users, or the reason why they are missing.

    Attributes:
        mean: The score.
        low: Lower end; None without an interval.
        high: Upper end; None without an interval.
        why_no_interval: Reason, short enough for a table's cell; "" with an interval, or if none is expected.
    """

    mean: float
    low: float | None = None
    high: float | None = None
    why_no_interval: str = ""

    @classmethod
    def of(cls, interval: Interval) -> MeasuredValue:
        """The value of a mean over users."""
        return cls(
            mean=interval.mean,
            low=interval.low,
            high=interval.high,
            why_no_interval=interval.short_reason,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentRow:
    """A row of the table.

    Attributes:
        kind: Whether the row is measured here, published, or not run.
        cell: Name of the experiment's cell.
        agent: Name of the agent or model.
        values: Name in `MEASURES` -> value; unknown values are missing.
        n: Number of tasks in the means.
        tasks: Number of tasks of the test, or of its subset.
        unanswered: Number of unanswered tasks in the means.
        unscored: Tasks without a verdict of the judge; None without a judge.
        seconds: Mean per query.
        queries: Number of queries in the means; a task of an agent without a model counts as one.
        prompt_tokens: Sum over the tasks in the means; None if a task has no count.
        completion_tokens: Sum over the tasks in the means; None if a task has no count.
        published_tokens: Published mean per query.
        judge: Its name; "" without one.
        run: Name of the run's folder; "" without a run.
        remark: Source of the numbers, why they are not comparable, or why there are none.
    """

    kind: Literal["measured", "published", "not run"]
    cell: str
    agent: str
    values: Mapping[str, MeasuredValue]
    n: int | None = None
    tasks: int | None = None
    unanswered: int | None = None
    unscored: int | None = None
    seconds: float | None = None
    queries: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    published_tokens: float | None = None
    judge: str = ""
    run: str = ""
    remark: str = ""


def make_published_row(cell: str, row: PublishedRow, *, of: str | None) -> ExperimentRow:
    """A row of the paper, its percentages as shares.

    Args:
        cell: Name of the experiment's cell.
        row: Published row.
        of: The table that the experiment reproduces; rows of other tables are marked beside their name.
    """
    values = {}
    for measure in MEASURES:
        value = row.values.get(measure.name)
        if value is not None:
            values[measure.name] = MeasuredValue(mean=round(value / measure.factor, 6))
    return ExperimentRow(
        kind="published",
        cell=cell,
        agent=_name_published_agent(row)
        if row.table == of
        else f"{_name_published_agent(row)} ({row.table})",
        values=values,
        seconds=row.values.get("seconds"),
        published_tokens=row.values.get("tokens"),
        remark=row.source,
    )


def _name_published_agent(row: PublishedRow) -> str:
    base = row.setting.get("base_model")
    return f"{base} FT" if base and row.setting.get("fine_tuned") else row.agent


def measures_of(rows: Sequence[ExperimentRow]) -> tuple[TableMeasure, ...]:
    """Scores that a measured row has; Sim_1 always."""
    known = {name for row in rows if row.kind == "measured" for name in row.values} | {"sim1"}
    return tuple(measure for measure in MEASURES if measure.name in known)


TOLD = ("n", "unscored", "unanswered", "s/query", "tokens/query")
"""Columns beside the scores; unscored and tokens are omitted if no row has any."""


def table_cells(
    rows: Sequence[ExperimentRow], *, intervals: bool = True
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and cells of the printed table; published rows have "published" before their name."""
    measures = measures_of(rows)
    interval = " [95 %]" if intervals else ""
    heads = [f"{one.heading}{'' if one.minor else interval}" for one in measures]
    header = ["cell", "agent", *heads, *TOLD]
    cells = [tuple(map(printable, _format_cells(row, measures, intervals=intervals))) for row in rows]
    quiet = [
        number
        for number, name in enumerate(header)
        if name in ("unscored", "tokens/query") and all(row[number] in ("0", NONE) for row in cells)
    ]
    kept = [number for number in range(len(header)) if number not in quiet]
    return tuple(header[number] for number in kept), [tuple(row[n] for n in kept) for row in cells]


def markdown(heading: str, rows: Sequence[ExperimentRow], notes: Sequence[str]) -> str:
    """The table as Markdown, with its caveats below."""
    return table_page(heading, *table_cells(rows), notes)


def table_page(
    heading: str, header: Sequence[str], cells: Sequence[Sequence[str]], notes: Sequence[str]
) -> str:
    """Any table as Markdown, two columns left-aligned and the others right-aligned."""
    rows = [[_plain(cell) for cell in row] for row in cells]
    lines = [f"# {_plain(heading)}", "", markdown_table(header, rows, left=2)]
    return "\n".join([*lines, "", *(f"- {_plain(printable(note))}" for note in notes)]) + "\n"


FIELDS = (
    "n", "tasks", "unanswered", "unscored", "seconds", "queries", "prompt_tokens", "completion_tokens",
    "published_tokens", "judge", "run", "remark",
)  # fmt: skip
"""Fields of a machine-readable row after the scores."""


def row_data(
    row: ExperimentRow,
    measures: Sequence[TableMeasure] = MEASURES,
    *,
    means: Collection[str] = (),
    fields: Sequence[str] = FIELDS,
) -> dict[str, str | float | int | None]:
    """A row in machine-readable form: shares are 0-1, unknown values are None.

    Args:
        row: Row of the table; `kind` distinguishes measured from published.
        measures: Scores with the ends of their intervals.
        means: Names of values without an interval.
        fields: Attributes of the row that follow the scores.
    """
    data: dict[str, str | float | int | None] = {"kind": row.kind, "cell": row.cell, "agent": row.agent}
    for measure in measures:
        value = row.values.get(measure.name)
        data[measure.name] = value.mean if value else None
        data[f"{measure.name}_low"] = value.low if value else None
        data[f"{measure.name}_high"] = value.high if value else None
    for name in means:
        value = row.values.get(name)
        data[name] = value.mean if value else None
    return data | {name: getattr(row, name) for name in fields}


def csv_text(data: Sequence[Mapping[str, str | float | int | None]]) -> str:
    """Rows of `row_data` as CSV, with an empty cell for None."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(data[0]) if data else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(data)
    return out.getvalue()


@contextmanager
def write_table(folder: Path, texts: Mapping[str, str]) -> Iterator[list[Path]]:
    """Write the texts of a table, and give the list of files, to which the block adds its figures.

    Args:
        folder: Folder of the experiment; created if it is missing.
        texts: File name -> content.

    Raises:
        RunError: A text or a figure cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        yield [folder / name for name in texts]
    except OSError as error:
        raise RunError(f"the folder cannot be written: {error.strerror or error}", file=folder) from error


def _format_cells(row: ExperimentRow, measures: Sequence[TableMeasure], *, intervals: bool) -> list[str]:
    agent = f"published: {row.agent}" if row.kind == "published" else row.agent
    cells = [row.cell, agent, *(value_cell(row, measure, intervals=intervals) for measure in measures)]
    if row.kind == "not run":
        return [*cells, "not run", *[NONE] * (len(TOLD) - 1)]
    seconds = format_number(row.seconds, "g") if row.kind == "published" else format_seconds(row.seconds)
    unscored, unanswered = format_number(row.unscored, ","), format_number(row.unanswered, ",")
    return [
        *cells,
        format_counted(row),
        unscored,
        unanswered,
        seconds,
        _format_tokens(row),
    ]


def value_cell(row: ExperimentRow, measure: TableMeasure, *, intervals: bool = True) -> str:
    """A score of a row with its interval, or as published; a dash without a score."""
    value = row.values.get(measure.name)
    if value is None:
        return NONE
    if row.kind == "published":
        return published_text(value, measure)
    form = f".{measure.decimals}f"
    mean = format(value.mean * measure.factor, form)
    if not intervals or measure.minor:
        return mean
    if value.low is None or value.high is None:
        return f"{mean} [{value.why_no_interval}]" if value.why_no_interval else mean
    return f"{mean} [{value.low * measure.factor:{form}}, {value.high * measure.factor:{form}}]"


def published_text(value: MeasuredValue, measure: TableMeasure) -> str:
    """A published number with the decimals of the paper's tables: 19.9, 0.50."""
    return f"{value.mean * measure.factor:.{1 if measure.percent else 2}f}"


def format_counted(row: ExperimentRow) -> str:
    """Number of tasks in the means, and of how many if not all; a dash if unknown."""
    if row.n is None:
        return NONE
    return f"{row.n:,}" if row.n == row.tasks or row.tasks is None else f"{row.n:,} of {row.tasks:,}"


def _format_tokens(row: ExperimentRow) -> str:
    if row.published_tokens is not None:
        return f"{row.published_tokens:,.0f}"
    if row.prompt_tokens is None or row.completion_tokens is None or not row.queries:
        return NONE
    return f"{(row.prompt_tokens + row.completion_tokens) / row.queries:,.0f}"


def _plain(cell: str) -> str:
    """Escape a cell so that data can neither end it nor act as markup."""
    return "".join(f"\\{letter}" if letter in "\\|<>`*[]#" else letter for letter in cell)
