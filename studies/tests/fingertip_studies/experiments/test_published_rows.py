"""Published rows are in an experiment's table only with runs of their setting, data and scoring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fingertip_agents import HabitBaseline
from fingertip_metrics.embedders import get_embedder
from fingertip_studies.experiments.catalogue import get_experiment
from fingertip_studies.experiments.published_rows import apart_cells, place_rows
from suggestion_runner import SuggestionRunScores, run_suggestions, score_run
from suggestion_runner.suggestion_records import SuggestionRun


@pytest.fixture(scope="module")
def sample(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> SuggestionRunScores:
    run = tmp_path_factory.mktemp("runs") / "run"
    run_suggestions(small_dataset, HabitBaseline(), run)
    return score_run(run, embedder=get_embedder("lexical"))


def papers(scores: SuggestionRunScores, *, comparable: bool = True, **changes: Any) -> SuggestionRunScores:  # noqa: ANN401
    """The scores, changed as if over the authors' test and by the official embedder."""
    record = scores.record.model_dump()
    record["dataset"] |= {"provenance": "recorded", "split_method": "official tables"}
    return replace(
        scores,
        record=SuggestionRun.model_validate(record | {"tasks": 996} | changes),
        result=replace(scores.result, comparable=comparable, n=996),
    )


def test_table_3_is_shown_for_its_setting_with_comparable_scores(
    sample: SuggestionRunScores,
) -> None:
    placed = place_rows(get_experiment("table-3"), {"no screenshot": [papers(sample)]})
    assert len(placed.beside) == 7
    assert (placed.apart, placed.notes) == ((), ())
    # without a judge, the published SR_1 is not shown
    assert {tuple(row.values) for row in placed.beside} == {("sim1",)}
    assert (placed.beside[0].agent, placed.beside[0].values["sim1"].mean) == ("GPT-4.1", 0.35)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (None, "the authors' own test episodes"),
        ({"comparable": False}, "scored by the paper's embedder and judge"),
        ({"screenshots": 1}, "in another setting"),
    ],
)
def test_rows_of_other_settings_are_in_a_separate_table(
    sample: SuggestionRunScores, changes: dict[str, Any] | None, words: str
) -> None:
    run = sample if changes is None else papers(sample, **changes)
    experiment = get_experiment("table-3")
    placed = place_rows(experiment, {"no screenshot": [run]})
    assert placed.beside == ()
    [note] = placed.notes
    assert words in note
    title, header, cells = apart_cells(experiment, placed.apart)
    assert "in another setting" in title
    assert header == ("cell", "published", "SR_1 %", "Sim_1", "s/query", "tokens/query")
    assert cells[0] == ("no screenshot", "GPT-4.1", "7.2", "0.35", "5.64", "796")


def test_a_subset_has_its_published_row_for_models_trained_alike(sample: SuggestionRunScores) -> None:
    trained = papers(sample, agent={"name": "model", "settings": {"trained_on": ["suggestion"]}})
    experiment = get_experiment("table-8")
    placed = place_rows(experiment, {cell.name: [trained] for cell in experiment.cells})
    assert [row.values["sim1"].mean for row in placed.beside] == [0.51, 0.5, 0.49, 0.51]
    untrained = place_rows(experiment, {cell.name: [papers(sample)] for cell in experiment.cells})
    assert untrained.beside == ()
