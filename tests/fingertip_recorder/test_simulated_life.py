"""A release of simulated people: its layout, equal bytes for equal seeds, replayable actions."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
from collections import defaultdict
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fingertip_dataset.actions import Click, Finished, LongClick, parse_action
from fingertip_dataset.english_names import english_category
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.read_release import read_release
from fingertip_dataset.tasks.splits import split_release
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_recorder.simulated_life import SampleOrder, name_category, write_sample
from fingertip_recorder.unfinished_sample import is_finished
from simulated_phone.apps import APPS

pytestmark = pytest.mark.early

USERS, EPISODES, SIZE = (4, 10, (360, 800)) if "FINGERTIP_SOAK" in os.environ else (2, 5, (270, 600))


def make_release(out: Path, *, workers: int = 1, **changes: Any) -> Path:  # noqa: ANN401
    order: dict[str, Any] = {
        "out": out,
        "users": USERS,
        "episodes": EPISODES,
        "seed": 5,
        "size": SIZE,
    } | changes
    write_sample(SampleOrder(**order), workers=workers)
    return out


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_release(tmp_path_factory.mktemp("sample") / "release")


def table(release: Path, name: str) -> list[dict[str, str]]:
    text = (release / "tables" / name).read_text(encoding="utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def actions(folder: Path) -> list[tuple[str, str]]:
    lines = (folder / "action.jsonl").read_text(encoding="utf-8").splitlines()
    return [next(iter(json.loads(line).items())) for line in lines]


def read_survey(folder: Path) -> dict[str, Any]:
    survey: dict[str, Any] = json.loads((folder / "survey_result.json").read_text(encoding="utf-8"))
    return survey


def digests(release: Path) -> dict[str, str]:
    files = sorted(path for path in release.rglob("*") if path.is_file())
    return {str(path.relative_to(release)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_layout_is_that_of_the_raw_release(release: Path) -> None:
    folders = sorted((release / "raw").glob("*/2*"))
    assert len(folders) == USERS * EPISODES
    assert not [path for path in (release / "raw").iterdir() if not path.name.isdecimal()]
    for folder in folders:
        survey = read_survey(folder)
        assert survey["provenance"] == "simulated"
        assert (survey["user_id"], survey["time"]) == (folder.parent.name, folder.name)
        assert datetime.strptime(survey["time"], "%Y%m%d_%H%M%S").month == 3
        assert survey["scenario"]
        assert survey["intentDescription"]
        steps = actions(folder)
        stems = [int(Path(name).stem) for name, _ in steps]
        assert stems == sorted(set(stems))
        assert isinstance(parse_action(steps[-1][1]), Finished)
        files = {path.name for path in (folder / "Screenshots").iterdir()}
        assert files == {name for stem in stems for name in (f"{stem}.jpg", f"tree_{stem}.xml")}


def test_a_tap_hits_an_element_and_has_its_content(release: Path) -> None:
    for folder in sorted((release / "raw").glob("*/2*")):
        for name, raw in actions(folder):
            screens = folder / "Screenshots"
            with Image.open(screens / name) as picture:
                assert picture.size == SIZE
                assert picture.format == "JPEG"
            action = parse_action(raw)
            if isinstance(action, Click | LongClick):
                tree = parse_tree((screens / f"tree_{Path(name).stem}.xml").read_bytes())
                assert tree.hit(action.x, action.y) is not None, (folder, raw)
                assert action.content


def test_the_tables_follow_rule_a5(release: Path) -> None:
    total = table(release, "total.csv")
    assert len(total) == USERS * EPISODES
    names = {(row["user_id"], row["time"]) for row in total}
    assert names == {(path.parent.name, path.name) for path in (release / "raw").glob("*/2*")}
    times: dict[str, list[str]] = defaultdict(list)
    for row in sorted(total, key=lambda row: row["time"]):
        times[row["user_id"]].append(row["time"])
        assert row["intentClass"]
    for row in table(release, "train_set.csv"):
        assert times[row["user_id"]].index(row["time"]) < 0.6 * EPISODES
    for name in ("test_suggestion.csv", "test_execution.csv"):
        rows = table(release, name)
        assert {row["user_id"] for row in rows} == set(times)
        assert all(times[row["user_id"]].index(row["time"]) >= 0.8 * EPISODES for row in rows)
    for profile in table(release, "user_profile.csv"):
        assert profile.keys() == {
            "user_id", "sex", "age", "occupation", "address", "family", "phone_brand",
        }  # fmt: skip
        assert all(profile.values())


def test_every_class_is_of_the_persons_language() -> None:
    names = {app.english: name_category(app.english, "zh") for app in APPS}
    assert all(re.fullmatch(r"[\u4e00-\u9fff]+(/[\u4e00-\u9fff]+)?", name) for name in names.values()), names
    assert len({*names.values()}) == len(names)
    # viewers who read English have a name for each
    assert not [name for name in names.values() if english_category(name) == name]
    assert [name_category(app.english, "en") for app in APPS] == list(names)


def test_equal_seeds_give_equal_bytes_with_any_number_of_workers(release: Path, tmp_path: Path) -> None:
    assert digests(make_release(tmp_path / "again", workers=2)) == digests(release)


def test_a_stopped_sample_goes_on_with_the_people_who_are_left(tmp_path: Path) -> None:
    order = SampleOrder(out=tmp_path / "sample", users=2, episodes=2, seed=5, size=(270, 600))
    whole = SampleOrder(out=tmp_path / "whole", users=2, episodes=2, seed=5, size=(270, 600))

    def stop(done: int, total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_sample(order, on_progress=stop)
    assert not is_finished(order.out)
    first = order.out / "raw" / "1001"
    made_before = {file: file.stat().st_mtime_ns for file in first.rglob("*")}
    # what a killed process leaves of a person who was not done
    (order.out / ".unfinished" / "left" / "1002").mkdir(parents=True)
    counts: list[int] = []
    months = write_sample(order, on_progress=lambda done, total: counts.append(done))
    assert counts == [1, 2]
    assert {file: file.stat().st_mtime_ns for file in first.rglob("*")} == made_before
    assert is_finished(order.out)
    assert months == write_sample(whole)
    assert digests(order.out) == digests(whole.out)


def test_a_stopped_sample_does_not_go_on_with_other_people_or_beside_another_process(tmp_path: Path) -> None:
    order = SampleOrder(out=tmp_path, users=1, episodes=1, seed=5, size=(270, 600))
    waits = pytest.raises(UsageError, match="another process is making this sample: wait for its end")
    with order.unfinished.hold(), waits:
        write_sample(order)
    with pytest.raises(UsageError, match="an unfinished sample of another call, which differs in seed: "):
        write_sample(replace(order, seed=6))


def test_different_seeds_give_different_episodes(release: Path, tmp_path: Path) -> None:
    other = digests(make_release(tmp_path / "other", seed=6, users=1))
    steps = {name for name in other if "Screenshots" in name}
    assert not set(digests(release)) & steps


def test_an_invalid_call_raises_an_error_and_writes_nothing(release: Path, tmp_path: Path) -> None:
    before = digests(release)
    with pytest.raises(UsageError, match="the folder is not empty: give a new or an empty one"):
        make_release(release)
    assert digests(release) == before
    with pytest.raises(UsageError, match="expected an upright display"):
        make_release(tmp_path / "new", size=(2400, 1080))
    with pytest.raises(
        UsageError, match="expected at least 1 user, 1 episode and 1 language, got 0, 5 and 1"
    ):
        make_release(tmp_path / "new", users=0, episodes=5)
    assert not (tmp_path / "new").exists()


def test_long_goals_are_a_test_of_their_own_and_leave_all_else_as_it_is(tmp_path: Path) -> None:
    order = {"users": 1, "episodes": 2, "size": (180, 400), "locales": ("en",)}
    without = make_release(tmp_path / "without", **order)
    release = make_release(tmp_path / "release", long=True, **order)
    before, after = digests(without), digests(release)
    new = {name.split("/")[2] for name in after.keys() - before.keys() if name.startswith("raw/")}
    assert len(new) == 2
    assert {name for name in before if before[name] != after[name]} == {
        "tables/total.csv",
        "tables/train_set.csv",
    }
    (task,) = table(release, "test_long.csv")
    assert task["time"] == max(new)
    assert task["intentClass"] == "Several apps"
    train = {row["time"] for row in table(release, "train_set.csv")}
    assert train & new == new - {task["time"]}
    tests = {
        row["time"] for name in ("test_execution", "test_suggestion") for row in table(release, f"{name}.csv")
    }
    assert not new & tests
    assert max(train) < min(tests), "all training episodes of a person are earlier than the tests"
    found = read_release(release / "raw", release / "tables")
    assert not found.problems
    parts = split_release(found).episode_ids
    assert parts["test_long"] == (f"1001__{task['time']}",)
    assert len(parts["train"]) == len(train)
