"""Figures of experiments: distinct marks of published numbers, many agents, and any names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fingertip_analysis.statistics.plots import DPI
from fingertip_studies.experiments.catalogue import get_experiment
from fingertip_studies.experiments.experiment_plot import plot_experiment, spread
from fingertip_studies.experiments.experiment_table import (
    MEASURES,
    ExperimentRow,
    MeasuredValue,
    make_published_row,
)

SIM1 = MEASURES[1]


def drawn(tmp_path: Path, name: str, rows: list[ExperimentRow]) -> tuple[tuple[int, int], bytes]:
    file = tmp_path / "figure.png"
    plot_experiment(get_experiment(name), rows, SIM1, file, note="4 tasks")
    with Image.open(file) as image:
        return image.size, image.convert("RGB").tobytes()


def measured(cell: str, agent: str, mean: float) -> ExperimentRow:
    value = MeasuredValue(mean=mean, low=mean - 0.1, high=mean + 0.1)
    return ExperimentRow(kind="measured", cell=cell, agent=agent, values={"sim1": value}, n=4)


def test_published_values_are_drawn_with_measured_ones(tmp_path: Path) -> None:
    ours = [measured("no screenshot", f"agent {number}", 0.3) for number in range(5)]
    papers = [
        make_published_row(cell, row, of="table 3")
        for cell, row in get_experiment("table-3").published_rows()
    ]
    alone, _ = drawn(tmp_path, "table-3", ours)
    beside, _ = drawn(tmp_path, "table-3", ours + papers)
    assert beside[0] > alone[0]


def test_marks_are_drawn_at_their_values(tmp_path: Path) -> None:
    assert (
        drawn(tmp_path, "table-3", [measured("no screenshot", "habit", 0.3)])[1]
        != drawn(tmp_path, "table-3", [measured("no screenshot", "habit", 0.4)])[1]
    )


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 1)), max_size=30))
def test_labels_do_not_overlap_and_are_above_their_marks(points: list[tuple[float, float]]) -> None:
    ordered = sorted(points, key=lambda point: point[1])
    ys = spread(ordered, 0.3, 0.05)
    placed = [(x, y) for (x, _), y in zip(ordered, ys, strict=True)]
    assert all(y >= own for y, (_, own) in zip(ys, ordered, strict=True))
    for number, (x, y) in enumerate(placed):
        for other, height in placed[:number]:
            assert abs(x - other) >= 0.3 or abs(y - height) >= 0.0499


@pytest.mark.parametrize("name", ["$x^$", "\\frac{", "字" * 300, "\x1b[2J\n"])
def test_many_agents_with_any_names_can_be_drawn(name: str, tmp_path: Path) -> None:
    rows = [measured("online", f"{name}{number}", number / 12) for number in range(12)]
    (width, height), _ = drawn(tmp_path, "history-sources", rows)
    assert width == round(8.5 * DPI)
    assert height > 5 * DPI


def test_a_figure_without_measurements_states_that(tmp_path: Path) -> None:
    assert drawn(tmp_path, "table-12", [])[0][1] < 3 * DPI
