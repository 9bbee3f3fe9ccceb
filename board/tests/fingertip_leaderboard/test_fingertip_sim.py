from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.baselines_page import BASELINES_PAGE
from fingertip_leaderboard.fingertip_sim import BASELINES, build_fingertip_sim
from fingertip_leaderboard.ranking import make_tables
from fingertip_leaderboard.results_file import RESULTS, read_results
from fingertip_leaderboard.verified_records import KNOWN_FROM, SHORTEST, VerifiedResults
from fingertip_recorder.published_sample import NAME, PUBLISHED, Size

SMALL = Size(users=4, episodes=4, screen=(270, 600), locales=("zh", "en"))
CHOSEN = ("habit", "imitate", "random", "ask-all")
MEASURED = {"sha256", "file", "made", "seconds", "checked", "given", "settings", "source"}
"""Fields of verified.json with a time, or with a hash of one."""

pytestmark = pytest.mark.install


def build_small(out: Path, workers: int) -> list[str]:
    output: list[str] = []
    chosen = [baseline for baseline in BASELINES if baseline.name in CHOSEN]
    build_fingertip_sim(out, size=SMALL, baselines=chosen, workers=workers, notify=output.append)
    return output


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small fingertip-sim with baselines of both tracks."""
    out = tmp_path_factory.mktemp("sim") / "made"
    assert build_small(out, 1) == [
        "4 simulated people (zh and en by turns), 4 episodes each, phones of 270x600, seed 20",
        "the dataset",
        *("habit", "random", "imitate", "random", "ask-all", "habit"),
        "everything verified",
    ]
    return out


def test_baselines_are_verified_like_any_submission(made: Path) -> None:
    results = read_results(made / "results" / RESULTS)
    assert sorted(one.card.name for one in results.submissions) == sorted([*CHOSEN, "random", "habit"])
    assert results.refused == ()
    assert [benchmark.name for benchmark in results.benchmarks] == [NAME]
    found = {one.card.name: one for one in results.submissions}
    assert found["imitate"].conditions[0].device == "simulated"
    assert found["imitate"].conditions[0].decided_by == "rule"
    assert found["imitate"].conditions[0].evidence == "success by rule, re-run"
    assert all(one.caveats for one in results.submissions), "simulated people are not the paper's"
    assert not any(
        table.published for table in make_tables(results, ("sim1", "execution")) if table.conditions
    )


def test_scores_are_split_by_language_trouble_and_shortest_path(made: Path) -> None:
    simulations = BuiltDataset.open(made / NAME).simulations()
    for one in read_results(made / "results" / RESULTS).submissions:
        track = one.conditions[0].task_list
        tasks = len(next(iter(one.values.values())))
        of_phones = {
            "execution": ["trouble", SHORTEST], "asking": ["trouble", KNOWN_FROM], "suggestion": ["trouble"],
            "moments": ["kind"],
        }  # fmt: skip
        if track == "asking":  # some tasks have no instruction of this level
            tasks = sum(value is not None for value in one.values["sr2"])
        for split in ("language", *of_phones[track]):
            assert sum(row.tasks for row in one.by[split]) == tasks
        assert [row.group for row in one.by["language"]] == ["en", "zh"]
        assert (SHORTEST in one.by) == (track == "execution")
    assert {record.get("locale", "zh") for record in simulations.values()} == {"zh", "en"}


def without_measured(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        return {key: without_measured(one) for key, one in value.items() if key not in MEASURED}
    return [without_measured(one) for one in value] if isinstance(value, list) else value


def unmeasured(results: VerifiedResults) -> object:
    content = without_measured(json.loads(results.model_dump_json()))
    content["submissions"].sort(key=lambda one: (one["conditions"][0]["measure"], one["card"]["name"]))
    return content


@pytest.mark.soak
def test_two_builds_differ_in_nothing_but_what_was_measured(made: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    assert len(build_small(again, 2)) == 9
    page, other = ((out / "results" / BASELINES_PAGE).read_bytes() for out in (made, again))
    assert page == other
    first, second = (read_results(out / "results" / RESULTS) for out in (made, again))
    assert first.benchmarks == second.benchmarks
    assert unmeasured(first) == unmeasured(second)
    shards = [
        {file.name: file.read_bytes() for file in sorted((out / NAME).rglob("*.parquet"))}
        for out in (made, again)
    ]
    assert shards[0]
    assert shards[0] == shards[1]


def test_the_page_has_a_table_of_each_split(made: Path) -> None:
    page = (made / "results" / BASELINES_PAGE).read_text(encoding="utf-8")
    titles = [line for line in page.splitlines() if line.startswith("#")]
    scores = ("SR_2", "identified")
    assert titles == [
        "# Baselines of fingertip-sim",
        "## Track 2: carry out an intent",
        *(f"### {score} by {split}" for split in (SHORTEST, "language", "trouble") for score in scores),
        *(f"### Differences in {score}" for score in scores),
        "## Track 2, ask or know: the need alone, and a person who answers",
        *(f"### {score} by {split}" for split in (KNOWN_FROM, "language", "trouble") for score in scores),
        "## Track 1: suggest an intent",
        "### Sim_1 by language",
        "### Sim_1 by trouble",
        "### Differences in Sim_1",
        "## Track 1, moments: when to speak",
        "### utility by kind",
        "### utility by language",
    ]
    assert "4 tasks of 4 people." in page
    found = {one.card.name: one for one in read_results(made / "results" / RESULTS).submissions}
    score = found["imitate"].scores["sr2"]
    assert score.mean is not None
    assert f"| imitate | {score.mean * 100:.1f} [" in page


def test_the_published_people_are_a_hundred_of_two_languages_with_a_task_each() -> None:
    assert PUBLISHED.users >= 100
    assert set(PUBLISHED.locales) == {"zh", "en"}


def test_an_existing_folder_with_files_is_refused(made: Path) -> None:
    with pytest.raises(UsageError, match="the folder is not empty: give a new or an empty one"):
        build_fingertip_sim(made, size=SMALL)
