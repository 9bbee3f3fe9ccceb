"""The catalogue of experiments: their cells can be run, and published numbers are only the paper's."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.out_of_domain import VALUES
from fingertip_dataset.track import Track
from fingertip_metrics.published import published_rows
from fingertip_studies.experiments.catalogue import Experiment, experiments, get_experiment
from fingertip_studies.experiments.training_plan import PAPER_EPISODES

NAMES = [
    "figure-4", "figure-5", "figure-6a", "figure-6b", "table-3", "table-4", "table-5", "table-7", "table-8",
    "table-9", "table-10", "table-11", "table-12", "table-13", "table-14", "history-sources",
    "intent-transport",
]  # fmt: skip
TRACKS: tuple[Track, ...] = ("suggestion", "execution")
SUGGESTION = [experiment for experiment in experiments() if experiment.track == "suggestion"]


def test_all_experiments_are_listed() -> None:
    assert [experiment.name for experiment in experiments()] == NAMES
    with pytest.raises(UsageError, match=r"one of figure-4, .*, got 'table-6'"):
        get_experiment("table-6")


def test_experiments_have_the_papers_names() -> None:
    for experiment in experiments():
        if experiment.name in ("history-sources", "intent-transport"):
            assert experiment.of is None
            assert "not of the paper" in experiment.heading
        else:
            assert experiment.of == experiment.name.replace("-", " ")
            assert f"({experiment.of} of the paper, section " in experiment.heading


def test_out_of_domain_has_every_subset() -> None:
    subsets = [cell.subset for cell in get_experiment("table-8").cells]
    assert subsets == [None, *VALUES]


@pytest.mark.parametrize("name", ["table-5", "table-8", "table-9"])
def test_trained_cells_have_the_setting_of_their_published_row(name: str) -> None:
    experiment = get_experiment(name)
    rows = {row.name: row.setting for row in published_rows(str(experiment.of))}
    for cell in experiment.trained:
        setting = rows[cell.published_row]
        trained_on = {track for track in TRACKS if cell.training_track(track)}
        assert bool(setting["fine_tuned"]) == bool(trained_on)
        if cell.trained_on == "joint":
            assert setting["trained_on"] == TRACKS
        elif trained_on:
            assert setting["trained_on"] == (cell.trained_on,)
        if setting["lora_rank"]:
            assert cell.rank == setting["lora_rank"]
            papers = None if cell.exclude_unseen else cell.episodes or PAPER_EPISODES
            assert papers in (None, setting["training_episodes"])
        assert setting["subset"] == cell.subset


@pytest.mark.parametrize("experiment", SUGGESTION, ids=lambda experiment: experiment.name)
def test_every_published_row_belongs_to_exactly_one_cell(experiment: Experiment) -> None:
    cells = {cell.name for cell in experiment.cells}
    assert len(cells) == len(experiment.cells)
    placed = experiment.published_rows()
    assert [row for _, row in placed] == [
        row for table in experiment.published for row in published_rows(table)
    ]
    if len(placed) > 1 and experiment.name != "table-3":
        assert {cell for cell, _ in placed} == cells


def test_table_12_has_two_published_rows() -> None:
    found = [
        (cell, row.values["sr1"], row.values["sim1"])
        for cell, row in get_experiment("table-12").published_rows()
    ]
    assert found == [("one intent", 7.2, 0.35), ("a distribution of intents", 11.1, 0.42)]


def test_experiments_json_contains_no_scores() -> None:
    def numbers(part: object) -> list[float]:
        if isinstance(part, dict):
            return [number for value in part.values() for number in numbers(value)]
        if isinstance(part, list):
            return [number for value in part for number in numbers(value)]
        return [part] if isinstance(part, int | float) and not isinstance(part, bool) else []

    text = files("fingertip_studies.experiments").joinpath("experiments.json").read_text(encoding="utf-8")
    # published numbers are in another file with their source; the numbers here are counts of screenshots,
    # and ranks and counts of episodes of training
    trained = [4, 64, 4, 64, 1000, 1000, *(4, 1000) * 4]
    assert sorted(numbers(json.loads(text))) == sorted([0, 1, 2, 3, 3, 3, 3, *trained])


def test_a_table_names_the_source_of_published_numbers() -> None:
    assert get_experiment("table-3").what_is_published() == "Published: numbers of table 3"
    assert get_experiment("figure-6a").what_is_published().startswith("Published without numbers: SR_1 rises")
    assert get_experiment("history-sources").what_is_published().startswith("Published: nothing")


def test_cells_with_equal_tasks_share_a_run() -> None:
    everything, *subsets = get_experiment("table-8").cells
    assert all(cell.same_queries_as(everything, distributes=True) for cell in subsets)
    one, several = get_experiment("table-12").cells
    assert one.same_queries_as(several, distributes=False)
    assert not one.same_queries_as(several, distributes=True)
    for name in ("figure-6a", "table-10", "table-11", "history-sources"):
        cells = get_experiment(name).cells
        assert not any(cell.same_queries_as(cells[0], distributes=True) for cell in cells[1:])
