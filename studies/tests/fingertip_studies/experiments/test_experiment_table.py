"""Experiment tables: published rows are marked, data is escaped, numbers can be read back."""

from __future__ import annotations

import csv
import io

from fingertip_metrics.aggregate import bootstrap_mean
from fingertip_metrics.published import published_rows
from fingertip_studies.experiments.experiment_table import (
    ExperimentRow,
    MeasuredValue,
    csv_text,
    make_published_row,
    markdown,
    measures_of,
    row_data,
    table_cells,
)

OURS = ExperimentRow(
    kind="measured",
    cell="0",
    agent="habit",
    values={"sr1": MeasuredValue(mean=0.125, low=0.1, high=0.2), "sim1": MeasuredValue(mean=0.5)},
    n=8,
    tasks=10,
    unanswered=1,
    unscored=2,
    seconds=0.25,
    queries=16,
    prompt_tokens=800,
    completion_tokens=80,
    judge="lexical",
    run="cell-0-habit",
    remark="another embedder",
)
PAPERS = make_published_row("0", published_rows("table 3")[0], of="table 3")


def test_printed_cells_have_intervals_and_units() -> None:
    header, cells = table_cells([OURS, PAPERS])
    assert header == (
        "cell", "agent", "SR_1 % [95 %]", "Sim_1 [95 %]", "n", "unscored", "unanswered", "s/query",
        "tokens/query",
    )  # fmt: skip
    assert cells[0] == ("0", "habit", "12.5 [10.0, 20.0]", "0.500", "8 of 10", "2", "1", "0.25", "55")
    assert cells[1] == ("0", "published: GPT-4.1", "7.2", "0.35", "–", "–", "–", "5.64", "796")


def test_the_reason_for_a_missing_interval_is_in_its_place() -> None:
    alone = MeasuredValue.of(bootstrap_mean([0.25, 0.75], ["1", "1"]))
    alike = MeasuredValue.of(bootstrap_mean([0.5, 0.5], ["1", "2"]))
    rows = [
        ExperimentRow(kind="measured", cell="0", agent="habit", values={"sim1": value}, n=2)
        for value in (alone, alike)
    ]
    assert [row[2] for row in table_cells(rows)[1]] == ["0.500 [one user]", "0.500 [same for all users]"]
    assert [row[2] for row in table_cells(rows, intervals=False)[1]] == ["0.500", "0.500"]


def test_empty_columns_are_left_out() -> None:
    quiet = ExperimentRow(
        kind="measured", cell="0", agent="habit", values={"sim1": MeasuredValue(mean=0.5)}, n=8, tasks=8
    )
    header, cells = table_cells([quiet])
    assert header == ("cell", "agent", "Sim_1 [95 %]", "n", "unanswered", "s/query")
    assert cells == [("0", "habit", "0.500", "8", "–", "–")]


def test_a_cell_without_a_run_reads_not_run() -> None:
    row = ExperimentRow(kind="not run", cell="relevant 20", agent="habit", values={}, remark="needs a model")
    assert table_cells([OURS, row])[1][1] == ("relevant 20", "habit", "–", "–", "not run", "–", "–", "–", "–")


def test_a_measure_that_is_only_published_has_no_column() -> None:
    unjudged = ExperimentRow(
        kind="measured", cell="0", agent="habit", values={"sim1": MeasuredValue(mean=0.5)}, n=8
    )
    assert [measure.name for measure in measures_of([unjudged, PAPERS])] == ["sim1"]


def test_machine_readable_rows_are_read_back_from_csv() -> None:
    found = list(csv.DictReader(io.StringIO(csv_text([row_data(OURS), row_data(PAPERS)]))))
    assert (found[0]["kind"], found[0]["sr1"], found[0]["sr1_high"], found[0]["sim1_low"]) == (
        "measured",
        "0.125",
        "0.2",
        "",
    )
    assert (found[1]["kind"], found[1]["sr1"], found[1]["run"]) == ("published", "0.072", "")
    assert "section 5.2" in found[1]["remark"]


def test_no_name_is_markup_or_ends_its_cell() -> None:
    evil = ExperimentRow(kind="measured", cell="a|b", agent="m\x1b[2J](http://x)<b>\nn", values={}, n=1)
    text = markdown("t", [evil], ["note *bold*"])
    assert "\x1b" not in text
    (line,) = [line for line in text.splitlines() if "http" in line]
    assert line.replace("\\|", "").count("|") == len(table_cells([evil])[0]) + 1
    assert "\\<b\\>" in line
    assert "- note \\*bold\\*" in text
