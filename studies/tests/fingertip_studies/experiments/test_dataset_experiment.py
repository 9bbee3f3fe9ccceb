"""Figure 4, figure 5 and table 7, compared with an independent count of the rows."""

from __future__ import annotations

import csv
import json
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from fingertip_analysis.statistics.action_similarity import (
    PAPER_POOLS,
    find_matches,
    one_of_each_category,
)
from fingertip_analysis.statistics.statistics import COLUMNS, EpisodeFacts, read_facts
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import SPLITS
from fingertip_metrics import published_rows
from fingertip_studies.commands.experiment import command
from fingertip_studies.experiments.catalogue import get_experiment
from fingertip_studies.experiments.dataset_experiment import (
    DatasetResult,
    check_countable,
    list_normalised,
    run_dataset_experiment,
)
from tests.fixtures.drawn_sample import sample_release


@pytest.fixture(scope="module")
def facts(sample: Path) -> tuple[EpisodeFacts, ...]:
    built = BuiltDataset.open(sample)
    return read_facts((split, row) for split in SPLITS for row in built.rows(split, columns=COLUMNS))


def run(name: str, dataset: Path, out: Path, seed: int = 0) -> DatasetResult:
    return run_dataset_experiment(get_experiment(name), dataset, out, seed=seed)


def read(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def slow_levenshtein(a: str, b: str) -> float:
    """Levenshtein similarity, 0-100, by the textbook table."""
    line = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous, line = line, [i]
        for j, y in enumerate(b, 1):
            line.append(min(line[-1] + 1, previous[j] + 1, previous[j - 1] + (x != y)))
    return 100 * (1 - line[-1] / max(len(a), len(b)))


def slow_indel(a: str, b: str) -> float:
    """Twice the longest common subsequence over the sum of both lengths."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return 2 * table[-1][-1] / (len(a) + len(b))


def slow_match(query: EpisodeFacts, facts: Sequence[EpisodeFacts], pool: str) -> EpisodeFacts:
    def inside(other: EpisodeFacts) -> bool:
        if other.episode_id == query.episode_id or not other.actions:
            return False
        if pool == PAPER_POOLS[0]:
            return other.user_id == query.user_id
        same_type = other.user_type == query.user_type
        return other.user_id != query.user_id and same_type is (pool == PAPER_POOLS[1])

    pooled = [other for other in facts if inside(other)]
    return max(pooled, key=lambda o: (round(slow_indel(query.intent, o.intent), 6), o.time, o.episode_id))


def test_figure_5_matches_a_slow_oracle_with_one_episode_per_category(
    sample: Path, facts: tuple[EpisodeFacts, ...], tmp_path: Path
) -> None:
    result = run("figure-5", sample, tmp_path, seed=3)
    by_id = {fact.episode_id: fact for fact in facts}
    matches = read(tmp_path / "figure-5" / "matches.csv")
    queries = {row["intent_category"]: row["episode_id"] for row in matches}
    assert set(queries) == {fact.category for fact in facts if fact.category}
    assert all(by_id[episode].category == category for category, episode in queries.items())
    assert Counter(row["pool"] for row in matches) == dict.fromkeys(PAPER_POOLS, len(queries))
    values: dict[str, list[float]] = {}
    for row in matches:
        query, reference = by_id[row["episode_id"]], by_id[row["reference"]]
        assert reference == slow_match(query, facts, row["pool"])
        value = slow_levenshtein("，".join(query.actions), "，".join(reference.actions))
        assert float(row["levenshtein"]) == pytest.approx(value, abs=0.006)
        values.setdefault(row["pool"], []).append(value)
    for row in result.data[:3]:
        mean = sum(values[row["pool"]]) / len(queries)
        assert row["mean"] == pytest.approx(mean, abs=0.01)
        assert row["low_95"] <= row["mean"] <= row["high_95"]
        assert (row["queries"], row["without_match"]) == (len(queries), 0)
    difference = result.data[3]
    assert difference["pool"] == "same user less another type"
    assert difference["mean"] == pytest.approx(result.data[0]["mean"] - result.data[2]["mean"], abs=0.02)
    assert "much less alike" in result.notes[0]
    assert not any(row["pool"].startswith("published") for row in result.data)


def test_figure_5_names_what_it_normalizes_with_the_count(
    sample: Path, facts: tuple[EpisodeFacts, ...]
) -> None:
    one, two, three = (replace(fact, user_id=facts[0].user_id) for fact in facts[:3])
    answered = replace(one, actions=("press_home()", "finished(content='24')"))
    plain = replace(two, actions=("press_home()", "finished()"))
    spelled = replace(three, actions=plain.actions, respelled=2)

    def note(*compared: EpisodeFacts) -> list[str]:
        return list_normalised(find_matches(compared, compared, {}, pools=PAPER_POOLS))

    assert note(plain, replace(plain, episode_id="other")) == []
    assert note(answered, plain) == [
        "Normalized in 2 of 2 comparisons: finished(content='...') counts as finished(), as the paper's last "
        "action has no answer."
    ]
    assert note(spelled, plain)[0].startswith("Normalized in 2 of 2 comparisons: spaces and quotes")
    row = next(BuiltDataset.open(sample).rows("train", columns=COLUMNS))
    actions = [action | {"raw": action["raw"].replace("(", "( ")} for action in row["actions"]]
    (respelled,) = read_facts([("train", row | {"actions": actions})])
    assert respelled.respelled == len(actions)
    assert respelled.actions == read_facts([("train", row)])[0].actions


def test_the_draw_is_seeded_and_independent_per_category(facts: tuple[EpisodeFacts, ...]) -> None:
    first = one_of_each_category(facts, seed=1)
    assert first == one_of_each_category(tuple(reversed(facts)), seed=1)
    assert {one_of_each_category(facts, seed=seed).episodes for seed in range(5)} != {first.episodes}
    category = first.episodes[0].category
    fewer = one_of_each_category([fact for fact in facts if fact.category != category], seed=1)
    assert fewer.episodes == first.episodes[1:]


def test_a_later_episode_of_the_same_user_counts_and_the_query_does_not(
    facts: tuple[EpisodeFacts, ...],
) -> None:
    own = [fact for fact in facts if fact.user_id == facts[0].user_id][:2]
    found = find_matches(own, own[:1], {}, pools=PAPER_POOLS)
    assert [(match.pool, match.reference) for match in found] == [(PAPER_POOLS[0], own[1])]


def test_table_7_has_counts_per_split_and_the_papers(sample: Path, tmp_path: Path) -> None:
    result = run("table-7", sample, tmp_path)
    built = BuiltDataset.open(sample)
    rows = {(row["split"], row["whose"]): row for row in result.data}
    everything = {}
    for split in SPLITS:
        own = list(built.rows(split, config="default"))
        screens = {row["episode_id"]: sum(map(bool, row["screenshots"])) for row in own}
        everything |= screens
        here = rows[split, "here"]
        assert here["episodes"] == len(own)
        assert here["screens"] == sum(screens.values()) == built.manifest.splits[split].screenshots
        assert here["apps"] == len({row["app"] for row in own})
        assert here["categories"] == len({row["intent_category"] for row in own} - {None})
    assert rows["all", "here"]["screens"] == sum(everything.values())
    for published in published_rows("table 7"):
        (split,) = published.setting["splits"]
        assert {name: rows[split, "paper"][name] for name in published.values} == dict(published.values)
    assert rows["all", "paper"]["screens"] is None
    # the paper has no such column, so its rows are empty there
    assert {row["screens_an_episode"] for row in result.data if row["whose"] == "paper"} == {None}
    assert all(row["screens_an_episode"] for row in result.data if row["whose"] == "here" and row["screens"])
    assert "174" not in " ".join([*result.notes, *(" ".join(cells) for cells in result.cells)]).replace(
        "177,674", ""
    )
    assert any("does not look like a random remainder" in note for note in result.notes)
    people = {row["what"]: (row["here"], row["paper"]) for row in read(tmp_path / "table-7" / "people.csv")}
    assert people["sex male"] == ("2", "54")
    assert people["age in years"] == ("20 to 66", "18 to 60")
    assert people["mean age"] == ("41.2", "25.9")
    assert people["occupation undergraduate"] == ("0", "a third")
    assert people["occupation not employed"] == ("1", "")


def test_figure_4_is_one_picture_with_its_tables(
    sample: Path, facts: tuple[EpisodeFacts, ...], tmp_path: Path
) -> None:
    result = run("figure-4", sample, tmp_path)
    rows = {row["what"]: (row["here"], row["paper"]) for row in result.data}
    assert rows["episodes"] == (len(facts), 21_437)
    assert rows["apps"] == (len({fact.app for fact in facts}), 506)
    assert rows["actions"] == (sum(len(fact.actions) for fact in facts), None)
    for name in ("episodes_per_app", "hours", "actions_per_episode"):
        assert sum(int(row["episodes"]) for row in read(tmp_path / "figure-4" / f"{name}.csv")) == len(facts)
    assert all(file.is_file() for file in result.files)
    with Image.open(tmp_path / "figure-4" / "figure-4.png") as image:
        image.load()


def test_figures_are_drawn_for_a_single_episode(tmp_path: Path) -> None:
    """A dataset with one episode, without a category, a profile, or another episode to compare with."""
    one = next(iter(sorted((sample_release() / "raw" / "101").iterdir())))
    shutil.copytree(one, tmp_path / "raw" / "101" / one.name)
    build(tmp_path / "raw", tmp_path / "data")
    for name in ("figure-4", "table-7"):
        result = run(name, tmp_path / "data", tmp_path / "out")
        assert all(file.is_file() for file in result.files)
    with pytest.raises(UsageError, match="figure-5 draws an episode of each intent category"):
        run("figure-5", tmp_path / "data", tmp_path / "out")
    assert not (tmp_path / "out" / "figure-5").exists()


def test_figure_5_requires_actions_and_a_second_episode(
    facts: tuple[EpisodeFacts, ...], tmp_path: Path
) -> None:
    one = next(fact for fact in facts if fact.category and fact.actions)
    for few, words in (
        ((replace(one, actions=()),), "figure-5 needs an episode with an intent category and an action"),
        (
            (one, replace(facts[1], actions=())),
            "figure-5 compares two episodes with actions; the dataset has one",
        ),
        ((), "the dataset has no episode for figure-5"),
    ):
        with pytest.raises(UsageError, match=words):
            check_countable("figure-5", few, tmp_path)
    for name in ("figure-4", "table-7"):
        with pytest.raises(UsageError, match=f"the dataset has no episode for {name}: build it again"):
            check_countable(name, (), tmp_path)
        check_countable(name, (replace(one, category=None),), tmp_path)


def test_the_command_prints_one_object(sample: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["table-7", str(sample), "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    shown_text = json.loads(done.stdout)
    assert shown_text["experiment"] == "table-7"
    assert {row["whose"] for row in shown_text["rows"]} == {"here", "paper"}
    assert shown_text["people"][0] == {"what": "users", "here": 4, "paper": 95}
    assert all(Path(file).is_file() for file in shown_text["files"])


def test_an_experiment_of_a_track_is_refused(sample: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="expected one of figure-4, figure-5, table-7, got table-3"):
        run("table-3", sample, tmp_path)
