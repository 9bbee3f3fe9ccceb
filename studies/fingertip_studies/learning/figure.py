"""Figure of a table: the share of tasks with the person's goal, beside SR_1 of the paper's table 5."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fingertip_metrics import published_rows
from fingertip_studies.learning.learning_cells import LearnedScores

SCORE = "same goal"
BASE = "Qwen-2.5-VL-7B"


def draw(cells: Sequence[LearnedScores], tasks: Sequence[str], file: Path) -> None:
    """Write the figure as PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (ours, paper) = pyplot.subplots(1, 2, figsize=(10, 3.6))
    intervals = [cell.interval(SCORE, tasks) for cell in cells]
    means = [100 * interval.mean for interval in intervals]
    errors = [
        [100 * (interval.mean - (interval.low or 0)) for interval in intervals],
        [100 * ((interval.high or 0) - interval.mean) for interval in intervals],
    ]
    ours.barh([cell.cell.name for cell in cells], means, xerr=errors, color="tab:blue", ecolor="black")
    ours.set_title(f"Small model, simulated people, {len(tasks)} tasks")
    ours.set_xlabel("tasks with the person's goal, %")
    rows = [row for row in published_rows("table 5") if row.name.startswith(BASE)]
    paper.barh([row.name for row in rows], [row.values["sr1"] or 0 for row in rows], color="tab:gray")
    paper.set_title("Published: table 5, real people")
    paper.set_xlabel("SR_1, %")
    for axes in (ours, paper):
        axes.invert_yaxis()
    figure.tight_layout()
    figure.savefig(file, dpi=110)
    pyplot.close(figure)
