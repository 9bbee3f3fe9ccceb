"""Runs of all people who write one language: accepted, and ranked in a table of their own."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import BASELINE_CARD
from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_records import ExecutionRun
from execution_runner.execution_run import run_execution
from fingertip_agents.registry import get_agent, get_execution_agent
from fingertip_cli.execution.chosen_people import list_tasks_of
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.benchmark.quick_people import list_people_of
from fingertip_leaderboard.bundle.make import make_bundle
from fingertip_leaderboard.ranking import make_tables
from fingertip_leaderboard.space.render import title_of
from fingertip_leaderboard.verify.checks.samples import find_language
from fingertip_leaderboard.verify_folder import verify_folder
from fingertip_metrics.embedders import get_embedder
from suggestion_runner.suggestion_records import Selection, SuggestionRun
from suggestion_runner.suggestion_run import run_suggestions
from tests.shared_datasets import built_sample, manifest_again, simulated_people


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of which all people but the first write English."""
    folder = tmp_path_factory.mktemp("mixed") / "dataset"
    shutil.copytree(built_sample(tmp_path_factory), folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    _, *others = list_people(folder)
    settings = BuiltDataset.open(folder).manifest.settings.model_dump(mode="json")
    manifest["release"] = settings | {"languages": dict.fromkeys(others, "en")}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    manifest_again(folder)
    return folder


@pytest.fixture(scope="module")
def mixed_phones(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of four simulated people, of whom two write English."""
    return simulated_people(tmp_path_factory, users=4, episodes=4, locales=("zh", "en")) / "dataset"


def carry_out(dataset: Path, place: Path, name: str, task_ids: list[str]) -> None:
    run, built = place / "runs" / name, BuiltDataset.open(dataset)
    run.parent.mkdir(parents=True, exist_ok=True)
    with open_environments(["teacher-forced"], built) as environments:
        run_execution(dataset, get_execution_agent("random"), environments, run, task_ids=task_ids)
    (place / "bundles").mkdir(exist_ok=True)
    make_bundle(run, place / "bundles", BASELINE_CARD)


def test_track_2_has_a_table_of_the_people_of_a_language_too(mixed_phones: Path, tmp_path: Path) -> None:
    built = BuiltDataset.open(mixed_phones)
    english = list_tasks_of(built, "test_execution", list_people_of(built, "en"))
    others = list_tasks_of(built, "test_execution", list_people_of(built, "zh"))
    carry_out(mixed_phones, tmp_path, "english", english)
    results = verify_folder(tmp_path / "bundles", [mixed_phones])
    assert [one.conditions[0].people for one in results.submissions] == ["en"]
    titles = [title_of(results, table) for table in make_tables(results, ("execution",))]
    assert sum("people who write English" in title for title in titles) == 1
    for tasks in (english[1:], [*english, *others[:1]], [*english, *others], [*english, "9999"], []):
        run = ExecutionRun.model_construct(split="test_execution", tasks=len(tasks), task_ids=tuple(tasks))
        assert find_language(run, built) is None


def list_people(dataset: Path) -> list[str]:
    rows = BuiltDataset.open(dataset).rows("test_suggestion", columns=["user_id"])
    return sorted({row["user_id"] for row in rows})


def bundle(dataset: Path, place: Path, name: str, **view: object) -> None:
    run = place / "runs" / name
    run.parent.mkdir(parents=True, exist_ok=True)
    run_suggestions(dataset, get_agent("habit"), run, **view)  # type: ignore[arg-type]
    (place / "bundles").mkdir(exist_ok=True)
    make_bundle(run, place / "bundles", BASELINE_CARD, embedder=("lexical", get_embedder("lexical")))


def test_the_people_of_a_language_have_a_table_of_their_own(mixed: Path, tmp_path: Path) -> None:
    _, *english = list_people(mixed)
    bundle(mixed, tmp_path, "whole")
    bundle(mixed, tmp_path, "english", users=english)
    results = verify_folder(tmp_path / "bundles", [mixed])
    assert not results.refused
    assert sorted(one.conditions[0].people for one in results.submissions) == ["", "en"]
    assert not any(one.conditions[0].sample for one in results.submissions)
    titles = [title_of(results, table) for table in make_tables(results, ("sim1",))]
    assert sum("people who write English" in title for title in titles) == 1


@pytest.mark.parametrize("view", [{"users": 1}, {"users": 2, "limit": 1}, {"limit": 1}], ids=str)
def test_any_other_part_is_refused(mixed: Path, tmp_path: Path, view: dict[str, int]) -> None:
    _, *english = list_people(mixed)
    shown: dict[str, object] = dict(view)
    if "users" in view:
        # one of them alone, or all of them with a limit
        shown["users"] = english[:1] if view["users"] == 1 else english
    bundle(mixed, tmp_path, "part", **shown)
    (refused,) = verify_folder(tmp_path / "bundles", [mixed]).refused
    assert [reason.kind for reason in refused.reasons] == ["not_a_test"]
    assert "all those of the people who write one language" in refused.reasons[0].reason


@pytest.mark.parametrize(
    ("chosen", "found"),
    [([0, 1], "en"), ([2], "zh"), ([0], None), ([1], None), ([2, "9999"], None), ([0, 1, 2], None)],
    ids=str,
)
def test_a_language_has_all_its_regions_and_no_strangers(
    mixed: Path, chosen: list[int | str], found: str | None
) -> None:
    """One region is a choice of people, and an id that the test does not have is nobody."""
    built, people = BuiltDataset.open(mixed), list_people(mixed)
    languages = dict(zip(people, ("en", "en-GB"), strict=False)) | dict.fromkeys(people[2:], "zh")
    release = built.manifest.settings.model_copy(update={"languages": languages})
    of_regions = replace(built, manifest=built.manifest.model_copy(update={"release": release}))
    groups: dict[int | str, list[str]] = {0: people[:1], 1: people[1:2], 2: people[2:], "9999": ["9999"]}
    users = [user for one in chosen for user in groups[one]]
    rows = [row for row in built.rows("test_suggestion", columns=["user_id"]) if row["user_id"] in users]
    assert _find(of_regions, users, len(rows)) == found


def _find(built: BuiltDataset, users: list[str], tasks: int) -> str | None:
    of = built.manifest.splits["test_suggestion"].episodes
    selection = Selection(kind="first", of=of, users=tuple(users))
    run = SuggestionRun.model_construct(split="test_suggestion", tasks=tasks, selection=selection)
    return find_language(run, built)
