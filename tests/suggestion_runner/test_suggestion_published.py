"""Published rows shown with runs of track 1: those of the run's setting, with the comparable scores."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from fingertip_agents import HabitBaseline
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.judges.lexical import LexicalJudge
from suggestion_runner import SuggestionRunScores, run_suggestions, score_run, score_table
from suggestion_runner.suggestion_published import build_published_table, setting_of
from suggestion_runner.suggestion_records import HUMAN, SuggestionRun
from suggestion_runner.suggestion_tables import distribution_table


@pytest.fixture(scope="module")
def sample(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> SuggestionRunScores:
    run = tmp_path_factory.mktemp("runs") / "run"
    run_suggestions(small_dataset, HabitBaseline(), run)
    return score_run(run, embedder=get_embedder("lexical"), judge=LexicalJudge())


def as_on_the_papers_test(
    scores: SuggestionRunScores,
    *,
    comparable: bool = True,
    scored: int = 897,
    **changes: Any,  # noqa: ANN401 - fields of every type
) -> SuggestionRunScores:
    """The scores, changed as if over nearly all of the authors' test and by the official embedder."""
    record = scores.record.model_dump()
    record["dataset"] |= {"provenance": "recorded", "split_method": "official tables"}
    return replace(
        scores,
        record=SuggestionRun.model_validate(record | {"tasks": 996} | changes),
        result=replace(scores.result, comparable=comparable, n=scored),
    )


def published(*scores: SuggestionRunScores, **options: bool) -> list[list[str]]:
    file = StringIO()
    Console(file=file, width=200).print(score_table(scores, **options))
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in file.getvalue().splitlines()]
    return [row[1:] for row in rows if row and row[0] == "published"]


def test_a_run_on_other_data_has_no_published_rows(sample: SuggestionRunScores) -> None:
    assert published(sample) == []
    apart = build_published_table([sample])
    assert apart is not None
    file = StringIO()
    Console(file=file, width=200).print(apart)
    assert "Published by the paper, on its own test" in file.getvalue()
    assert "│ Human           │   30.3 │  0.57 │" in file.getvalue()


def test_table_3_is_shown_for_runs_of_its_setting(sample: SuggestionRunScores) -> None:
    rows = published(as_on_the_papers_test(sample))
    assert len(rows) == 7
    # the judge is not the paper's, so the published SR_1 is not shown
    assert rows[0] == ["GPT-4.1", "–", "0.35", "–", "–", "–", "–", "5.64", "796"]
    assert published(as_on_the_papers_test(sample), published=False) == []
    assert published(as_on_the_papers_test(sample, comparable=False)) == []


def test_a_partial_test_has_no_published_rows(sample: SuggestionRunScores) -> None:
    assert published(as_on_the_papers_test(sample, scored=896)) == []
    drawn = {"kind": "sample", "of": 996, "seed": 0}
    people = {"agent": {"name": HUMAN, "settings": {}}, "tasks": 400, "selection": drawn}
    assert len(published(as_on_the_papers_test(sample, scored=360, **people))) == 7
    assert published(as_on_the_papers_test(sample, scored=359, **people)) == []


def test_three_screenshots_show_the_row_of_table_10(sample: SuggestionRunScores) -> None:
    [row] = published(as_on_the_papers_test(sample, screenshots=3))
    assert row[:3] == ["GPT-4.1 (20 earlier intents, 3 screens)", "–", "0.53"]
    assert published(as_on_the_papers_test(sample, screenshots=1)) == []
    assert build_published_table([as_on_the_papers_test(sample, screenshots=1)]) is None


def test_a_distribution_has_a_separate_table_with_its_published_row(sample: SuggestionRunScores) -> None:
    several = as_on_the_papers_test(sample, distribution=True)
    assert published(several) == []
    assert distribution_table([several]) is None, "no scores of A.6.5 were taken"


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"model": "GPT-4.1", "history_model": {"model": "DeepSeek-V3"}}, "DeepSeek-V3"),
        ({"model": "GPT-4.1"}, "GPT-4.1"),
        ({}, None),
    ],
)
def test_the_history_model_is_part_of_the_setting(
    sample: SuggestionRunScores, settings: dict[str, Any], named: str | None
) -> None:
    changed = as_on_the_papers_test(
        sample,
        history="relevant",
        agent={"name": "model", "settings": settings | {"trained_on": ["suggestion"]}},
    )
    setting = setting_of(changed.record, papers_test=True)
    assert (setting.history_model, setting.trained_on) == (named, ("suggestion",))
    assert setting_of(sample.record, papers_test=True).history_model is None
