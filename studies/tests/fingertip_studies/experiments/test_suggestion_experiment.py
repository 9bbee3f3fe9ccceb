"""Experiments on a tiny dataset: their runs, resuming without repeated runs, and counted tasks."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from fingertip_agents import get_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.embedders import get_embedder
from fingertip_metrics.judges.lexical import LexicalJudge
from fingertip_metrics.published import published_rows
from fingertip_studies.experiments.catalogue import ExperimentCell, get_experiment
from fingertip_studies.experiments.suggestion_experiment import (
    ExperimentAgent,
    ExperimentResult,
    ExperimentRun,
    Scoring,
    run_experiment,
)
from suggestion_runner.prediction_log import read_predictions
from suggestion_runner.suggestion_run import run_suggestions
from tests.execution_runner.conftest import GOLDEN, DrawRun
from tests.shared_datasets import manifest_again

SCORING = Scoring(embedder=get_embedder("lexical"), judge=LexicalJudge())


def contestant(name: str) -> ExperimentAgent:
    def make(cell: ExperimentCell) -> SuggestionAgent:
        return get_agent(name, AgentSetup(distribution=cell.distribution))

    return ExperimentAgent(name=name, has_model=False, make=make)


BASELINES = tuple(map(contestant, ("habit", "recent")))


def asking(dataset: Path) -> Callable[[ExperimentRun], None]:
    def ask(run: ExperimentRun) -> None:
        cell = run.cell
        run_suggestions(
            dataset,
            run.contestant.make(cell),
            run.folder,
            screenshots=cell.screenshots,
            history=cell.history,
            protocol=cell.protocol,
            without=cell.without,
            distribution=cell.distribution,
        )

    return ask


def run(
    name: str, dataset: Path, out: Path, *contestants: ExperimentAgent, runs: Sequence[Path] = ()
) -> ExperimentResult:
    return run_experiment(
        get_experiment(name),
        dataset,
        contestants or BASELINES,
        out,
        ask=asking(dataset),
        scoring=SCORING,
        runs=runs,
    )


@pytest.fixture(scope="module")
def out(small_dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of experiments that several tests read."""
    folder = tmp_path_factory.mktemp("experiments")
    run("table-8", small_dataset, folder)
    return folder


def table(out: Path, name: str) -> list[dict[str, str]]:
    with (out / name / "table.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def folders(out: Path, name: str) -> set[str]:
    return {folder.name for folder in (out / name).iterdir() if folder.is_dir()}


def test_the_varied_setting_does_not_exclude_its_published_row(small_dataset: Path, tmp_path: Path) -> None:
    notes = run("table-11", small_dataset, tmp_path).notes
    against = [note for note in notes if note.startswith("Not comparable with the paper")]
    assert any("embedder lexical" in note for note in against)
    assert not any("without" in note or "history" in note for note in against)
    # the run's own scores are not comparable with table 3
    folder = tmp_path / "table-11" / "cell-without-time-habit"
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert any("without time" in caveat for caveat in scores["why_not_comparable"])


def test_a_repeated_call_runs_nothing_and_writes_the_same(small_dataset: Path, tmp_path: Path) -> None:
    first = run("history-sources", small_dataset, tmp_path)
    assert any("protocol strict" in note for note in first.notes)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.jsonl")}
    tables = [file.read_bytes() for file in first.files[:2]]
    assert len(before) == 8, "predictions and targets of four cells"
    second = run("history-sources", small_dataset, tmp_path)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*.jsonl")} == before
    assert [file.read_bytes() for file in second.files[:2]] == tables
    assert all(file.stat().st_size for file in second.files)


def test_subsets_share_a_run_and_count_their_own_tasks(small_dataset: Path, out: Path) -> None:
    assert folders(out, "table-8") == {"cell-all-tasks-habit", "cell-all-tasks-recent"}
    subset = BuiltDataset.open(small_dataset).subsets().subsets["unseen_users"].test_suggestion
    assert subset
    file = out / "table-8" / "cell-all-tasks-habit" / "scores.json"
    items = json.loads(file.read_text(encoding="utf-8"))["per_item"]
    values = [item["sim1"] for item in items if item["task_id"] in subset]
    (row,) = [
        row for row in table(out, "table-8") if (row["cell"], row["agent"]) == ("unseen users", "habit")
    ]
    assert float(row["sim1"]) == pytest.approx(sum(values) / len(values))
    assert (row["n"], row["tasks"]) == (str(len(values)), str(len(values)))


def test_subset_sizes_are_noted_with_the_papers(small_dataset: Path, out: Path) -> None:
    text = (out / "table-8" / "table.md").read_text(encoding="utf-8")
    subsets = BuiltDataset.open(small_dataset).subsets()
    assert f"Filtered training set: {len(subsets.train)} of 4 episodes. The paper: 14,706 of 16,000." in text
    for words in ("126 episodes of 3 users", "106 episodes of 7 apps", "99 episodes of 4 categories"):
        assert f"The paper: {words}" in text


def test_a_run_that_fits_no_cell_is_refused(small_dataset: Path, tmp_path: Path) -> None:
    run_suggestions(small_dataset, get_agent("nearest"), tmp_path / "own", screenshots=2)
    with pytest.raises(UsageError, match=r"none of table-3's cells: no screenshot"):
        run("table-3", small_dataset, tmp_path, BASELINES[1], runs=[tmp_path / "own"])


def test_a_subset_without_tasks_is_not_scored_as_zero(small_dataset: Path, out: Path) -> None:
    # all episodes of the small dataset have the same category, so none is held out
    assert not BuiltDataset.open(small_dataset).subsets().subsets["unseen_intent_categories"].held_out
    rows = [row for row in table(out, "table-8") if row["cell"] == "unseen intent categories"]
    ours = [row for row in rows if row["kind"] != "published"]
    assert {(row["kind"], row["sim1"], row["remark"]) for row in ours} == {
        ("not run", "", "no task of the split is in this subset")
    }


def test_cells_that_need_a_model_are_named_and_the_rest_run(small_dataset: Path, tmp_path: Path) -> None:
    result = run("table-10", small_dataset, tmp_path)
    missing = [row for row in result.rows if row.kind == "not run"]
    assert {row.cell for row in missing} == {"0 screenshots, all", "3 screenshots, all"}
    assert any("Not run, 3 screenshots, all" in note and "(habit, recent)" in note for note in result.notes)
    none = [row for row in result.rows if row.cell == "3 screenshots, none" and row.kind == "measured"]
    assert [row.unanswered for row in none] == [4, 4]


def test_one_intent_and_a_distribution_of_the_same_votes(small_dataset: Path, tmp_path: Path) -> None:
    run("table-12", small_dataset, tmp_path)
    assert folders(tmp_path, "table-12") == {
        "cell-one-intent-habit",
        "cell-a-distribution-of-intents-habit",
        "cell-one-intent-recent",
    }
    folder = tmp_path / "table-12" / "cell-a-distribution-of-intents-habit"
    assert any(len(prediction.alternatives) > 1 for prediction in read_predictions(folder))
    rows = {(row["cell"], row["agent"]): row for row in table(tmp_path, "table-12")}
    one, several = (rows[cell, "habit"] for cell in ("one intent", "a distribution of intents"))
    assert float(several["sr1"]) >= float(one["sr1"])
    # both scores of the row are the scores of A.6.5
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))["distribution"]
    assert float(several["sim1"]) == scores["sim1"]["mean"]
    assert float(several["sr1"]) == scores["top3_sr1"]["mean"]


def test_the_transport_variant_has_separate_columns(small_dataset: Path, tmp_path: Path) -> None:
    run("intent-transport", small_dataset, tmp_path)
    rows = {(row["cell"], row["agent"]): row for row in table(tmp_path, "intent-transport")}
    # the agent recent has no distribution, so both rows show one run
    assert rows["a distribution of intents", "recent"] == rows["one intent", "recent"] | {
        "cell": "a distribution of intents"
    }
    assert rows["one intent", "habit"]["top3_sr1"] == rows["one intent", "habit"]["sr1"]
    values = rows["a distribution of intents", "habit"]
    assert values["transport_sim1"] != values["distribution_sim1"] != values["sim1"]


def test_other_data_get_no_published_rows_and_a_reason(small_dataset: Path, tmp_path: Path) -> None:
    result = run("table-3", small_dataset, tmp_path)
    assert not any(row["kind"] == "published" for row in table(tmp_path, "table-3"))
    assert [row.name for _, row in result.apart] == [row.name for row in published_rows("table 3")]
    text = (tmp_path / "table-3" / "table.md").read_text(encoding="utf-8")
    assert "published: " not in text
    for words in (
        "7 of 7 published rows of table 3 are not in this table: they are of the authors' own test episodes",
        'fingertip paper "table 3" prints them',
        "embedder lexical",
        "judge lexical",
        "the data were not recorded from people",
    ):
        assert any(words in note for note in result.notes)
    assert {file.name for file in result.files} == {"table.csv", "table.md", "sr1.png", "sim1.png"}


def test_runs_of_track_2_share_the_table_of_subsets(
    small_dataset: Path, tmp_path: Path, draw_run: DrawRun
) -> None:
    dataset = tmp_path / "dataset"
    shutil.copytree(small_dataset, dataset)
    held_out = json.loads((dataset / "subsets.json").read_text(encoding="utf-8"))
    held_out["subsets"]["unseen_users"]["test_execution"] = ["0__20250301_080000"]
    (dataset / "subsets.json").write_text(json.dumps(held_out), encoding="utf-8")
    manifest_again(dataset)
    data = {"data_sha256": BuiltDataset.open(dataset).manifest.data_sha256}
    done = {"actions": list(GOLDEN), "user_id": "1", "success": True, "success_by": "rule"}
    drawn = draw_run([done, {**done, "success": False, "user_id": "2"}], dataset=data)
    run("table-8", dataset, tmp_path, runs=[drawn])
    rows = {row["cell"]: row for row in table(tmp_path, "table-8") if "(track 2)" in row["agent"]}
    assert (rows["all tasks"]["sr2"], rows["all tasks"]["n"], rows["all tasks"]["sim1"]) == ("0.5", "2", "")
    assert (rows["unseen users"]["sr2"], rows["unseen users"]["n"]) == ("1.0", "1")
    assert float(rows["unseen users"]["step_ratio"]) == 1
    assert rows["unseen apps"]["remark"] == "no task of the run is in this subset"
    assert (tmp_path / "table-8" / "sr2.png").exists()
    other = draw_run([done], dataset={"data_sha256": "e" * 64})
    with pytest.raises(UsageError, match="split test_execution of this dataset"):
        run("table-8", dataset, tmp_path, runs=[other])


@pytest.mark.parametrize("contestants", [(), (BASELINES[0], BASELINES[0])])
def test_agents_with_equal_names_are_refused(
    contestants: tuple[ExperimentAgent, ...], small_dataset: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="agents of different names"):
        run_experiment(
            get_experiment("table-3"),
            small_dataset,
            contestants,
            tmp_path,
            ask=asking(small_dataset),
            scoring=SCORING,
        )


def test_invalid_folder_names_get_distinct_slugs(small_dataset: Path, tmp_path: Path) -> None:
    names = ("/models/qwen", "models qwen", "通义", "千问", "../..")
    made = [ExperimentAgent(name=name, has_model=False, make=BASELINES[1].make) for name in names]
    run_experiment(
        get_experiment("table-3"),
        small_dataset,
        made,
        tmp_path,
        ask=asking(small_dataset),
        scoring=SCORING,
    )
    assert len(folders(tmp_path, "table-3")) == len(names)
    assert {path.name for path in tmp_path.iterdir()} == {"table-3"}
