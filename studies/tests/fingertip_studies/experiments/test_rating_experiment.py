"""Table 13: means and correlations from ratings on disk, compared with scipy, and excluded runs."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from execution_runner.scoring.run_scores import score_run
from fingertip_dataset.errors import UsageError
from fingertip_studies.experiments.catalogue import get_experiment
from fingertip_studies.experiments.rating_experiment import RatingResult, compare_ratings
from tests.execution_runner.conftest import GOLDEN, OTHER, DrawRun

MIXED = ("click(coordinates=(60, 90), content='开始')", "press_home()", "finished()")
"""A trajectory between the person's own and that of another type."""

WAYS = {"own": GOLDEN, "mixed": MIXED, "other": OTHER}
RATINGS = {"own": (5, 4, 5, 4), "mixed": (3, 4, 2, 3), "other": (1, 2, 2, 3)}
"""Agent -> the ratings of four tasks of two users."""


def task_id(number: int) -> str:
    return f"{number}__20250301_080000"


def rated_run(draw_run: DrawRun, agent: str, ratings: tuple[int, ...] = (), **changes: Any) -> Path:  # noqa: ANN401
    """A run of four tasks, each rated by the given rater."""
    tasks = [{"actions": list(WAYS[agent]), "user_id": str(1 + number // 2)} for number in range(4)]
    run = draw_run(tasks, agent={"name": agent, "settings": {}}, **changes)
    rate(run, ratings)
    return run


def rate(run: Path, ratings: tuple[int, ...], rater: str = "anna", **fields: object) -> None:
    with (run / "ratings.jsonl").open("a", encoding="utf-8") as file:
        for number, rating in enumerate(ratings):
            line = {"task_id": task_id(number), "attempt": 1, "rater": rater, "rating": rating, "at": "now"}
            file.write(json.dumps({"version": 1, **line, **fields}) + "\n")


def compare(runs: list[Path], out: Path) -> RatingResult:
    return compare_ratings(get_experiment("table-13"), runs, out, protocol="release")


def test_means_and_correlations_of_three_agents(draw_run: DrawRun, tmp_path: Path) -> None:
    from scipy import stats  # takes seconds, and every worker imports this file

    runs = [rated_run(draw_run, agent, ratings) for agent, ratings in RATINGS.items()]
    result = compare(runs, tmp_path / "out")
    assert [(row.agent, row.rating.mean, row.attempts, row.ratings) for row in result.agents] == [
        (agent, fmean(ratings), 4, 4) for agent, ratings in RATINGS.items()
    ]
    sim2s = [[task.sim2.sim2 for task in score_run(run).tasks if task.sim2] for run in runs]
    assert [row.sim2.mean for row in result.agents if row.sim2] == [fmean(map(float, own)) for own in sim2s]
    by_agent, by_task, within = result.correlations
    assert by_agent.found is not None
    assert (by_agent.found.spearman.value, by_agent.found.kendall.n) == (1, 3)
    assert by_task.found is not None
    xs, ys = [value for own in sim2s for value in own], [value for own in RATINGS.values() for value in own]
    assert by_task.found.spearman.value == pytest.approx(stats.spearmanr(xs, ys).statistic)
    assert by_task.found.kendall.value == pytest.approx(stats.kendalltau(xs, ys).statistic)
    assert by_task.found.kendall.low is not None
    assert within.found is not None
    each = [
        stats.kendalltau([own[task] for own in sim2s], [own[task] for own in RATINGS.values()]).statistic
        for task in range(4)
    ]
    assert within.found.kendall.value == pytest.approx(fmean(each))
    assert [file.name for file in result.files] == ["table.csv", "correlations.csv", "table.md", "rating.png"]
    assert all(file.stat().st_size for file in result.files)
    with result.files[1].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["name"] for row in rows] == ["by agent", "by task", "within tasks"]
    assert float(rows[1]["kendall"]) == by_task.found.kendall.value


def test_several_raters_are_averaged_and_the_users_counted(draw_run: DrawRun, tmp_path: Path) -> None:
    run = rated_run(draw_run, "own", (5, 5, 5, 5))
    rate(run, (1, 3, 5, 3), rater="user one", rater_user_id="1")
    result = compare([run], tmp_path / "out")
    (row,) = result.agents
    assert (row.rating.mean, row.attempts, row.ratings, row.by_user) == (4.0, 4, 8, 2)
    assert any(note.startswith("8 ratings of 4 of 4 attempts at 4 tasks; 2 by") for note in result.notes)
    assert result.correlations[0].why_none == "fewer than three agents: nothing to correlate"


def test_published_rows_are_shown_for_real_phones_only(draw_run: DrawRun, tmp_path: Path) -> None:
    simulated = compare([rated_run(draw_run, "own", (5, 4, 4, 4))], tmp_path / "simulated")
    assert simulated.published == ()
    assert any(note.startswith("The published rows of table 13 are not shown:") for note in simulated.notes)
    tasks = [{"actions": list(GOLDEN), "user_id": str(number % 9)} for number in range(200)]
    run = draw_run(tasks, device="adb")
    rate(run, (5, 4, 4, 4))
    real = compare([run], tmp_path / "real")
    assert [(row.agent, row.values["rating"], row.values["sim2"]) for row in real.published][:2] == [
        ("Qwen-2.5-VL-7B", 2.42, 0.95),
        ("Qwen-2.5-VL-7B-FT", 3.35, 1.21),
    ]
    assert "| published: UI-TARS-1.5-7B | 2.72 | 1.06 |" in real.files[2].read_text("utf-8")


def test_unrated_runs_are_left_out_or_name_the_review_command(draw_run: DrawRun, tmp_path: Path) -> None:
    rated, not_rated = rated_run(draw_run, "own", (5, 4, 4, 4)), rated_run(draw_run, "other")
    rate(rated, (1,), rater="ben", attempt=2)
    result = compare([rated, not_rated], tmp_path / "out")
    assert [row.agent for row in result.agents] == ["own"]
    assert f"{not_rated.name} is left out: nobody has rated it" in result.notes
    assert f"{rated.name}: 1 ratings of an attempt that was made again are ignored" in result.notes
    with pytest.raises(UsageError, match=f"fingertip review {not_rated} --rate"):
        compare([not_rated], tmp_path / "out")
