"""Printed tables of track 1: every score, and the notes on comparability."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from fingertip_agents import HabitBaseline, RecentBaseline
from fingertip_metrics.embedders import get_embedder
from suggestion_runner import (
    SuggestionRunScores,
    breakdown_table,
    notes,
    run_suggestions,
    score_run,
    score_table,
)
from suggestion_runner.scoring import GROUPINGS


@pytest.fixture(scope="module")
def scores(
    small_dataset: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[SuggestionRunScores, SuggestionRunScores]:
    folder = tmp_path_factory.mktemp("runs")
    run_suggestions(small_dataset, HabitBaseline(), folder / "[bold]一")
    run_suggestions(small_dataset, RecentBaseline(), folder / "two", protocol="strict")
    lexical = get_embedder("lexical")
    return score_run(folder / "[bold]一", embedder=lexical), score_run(folder / "two", embedder=lexical)


def printed(table: RenderableType, width: int = 140) -> list[list[str]]:
    """The cells of a table as printed."""
    file = StringIO()
    Console(file=file, width=width).print(table)
    lines = [line for line in file.getvalue().splitlines() if line[:1] in "┃│"]
    return [[cell.strip() for cell in line.replace("┃", "│").split("│")[1:-1]] for line in lines]


def test_each_run_has_a_row(scores: tuple[SuggestionRunScores, SuggestionRunScores]) -> None:
    header, habit, recent = printed(score_table(scores))
    assert header[:3] == ["run", "agent", "Sim_1 [95 %]"]
    first = scores[0]
    interval = first.intervals["sim1"]
    assert habit[:2] == ["[bold]一", "habit"]
    assert habit[2] == f"{first.result.sim1:.3f} [{interval.low:.3f}, {interval.high:.3f}]"
    assert habit[3:7] == [f"{first.result.cosine:.3f}", f"{first.result.levenshtein:.3f}", "4", "1"]
    assert recent[1] == "recent"
    assert "data, split" not in header


def test_caveats_name_their_run(
    scores: tuple[SuggestionRunScores, SuggestionRunScores],
) -> None:
    lines = notes(scores)
    assert lines[0].startswith(
        "Sim_1 by protocol release: the mean of a text similarity (release) and the cosine of lexical"
    )
    assert any("the data were not recorded from people (sample)" in line for line in lines)
    assert next(line for line in lines if "protocol strict" in line).endswith("(two).")


def test_runs_of_different_data_are_distinguished(
    scores: tuple[SuggestionRunScores, SuggestionRunScores], small_dataset: Path, tmp_path: Path
) -> None:
    run_suggestions(small_dataset, HabitBaseline(), tmp_path / "train", split="train")
    third = score_run(tmp_path / "train", embedder=get_embedder("lexical"))
    rows = printed(score_table([scores[0], third]))
    digest = json.loads((small_dataset / "manifest.json").read_text(encoding="utf-8"))["data_sha256"][:8]
    assert [row[-1] for row in rows] == ["data, split", f"{digest}, test_suggestion", f"{digest}, train"]
    assert any("do not compare their rows" in line for line in notes([scores[0], third]))


@pytest.mark.parametrize("by", GROUPINGS)
def test_breakdown_has_every_group(scores: tuple[SuggestionRunScores, SuggestionRunScores], by: str) -> None:
    header, *rows = printed(breakdown_table(scores[0], by))
    assert header == [by, "Sim_1 [95 %]", "users", "n"]
    assert [[row[0], row[3]] for row in rows] == [
        [group.group or "not known", str(group.n)] for group in scores[0].breakdowns[by]
    ]
