from __future__ import annotations

import dataclasses
import hashlib
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from fingertip_dataset.errors import ReleaseError
from fingertip_dataset.parquet.build_plan import BuildConfig, BuildPlan
from fingertip_dataset.parquet.dataset_rows import Row
from fingertip_dataset.parquet.shards import ShardJob, find_finished_shard, staged_name, write_shard
from fingertip_dataset.parquet.staging_lock import LOCK
from fingertip_dataset.release.read_release import read_release
from tests.fixtures.drawn_sample import sample_release


@pytest.fixture
def plan() -> BuildPlan:
    return BuildPlan(read_release(sample_release() / "raw", sample_release() / "tables"), BuildConfig())


@pytest.fixture
def job(plan: BuildPlan) -> ShardJob:
    """The first five episodes of the training part, two of them with a broken screen."""
    whole = plan.job(plan.shard_specs[0])
    return dataclasses.replace(whole, episodes=whole.episodes[:5], rows=whole.rows[:5])


def states(folder: Path) -> dict[str, tuple[int, int]]:
    return {file.name: (file.stat().st_mtime_ns, file.stat().st_ino) for file in folder.iterdir()}


def test_a_shard_record_describes_its_files(job: ShardJob, tmp_path: Path) -> None:
    record = write_shard(job, tmp_path)
    assert [entry.config for entry in record.files] == ["default", "text"]
    for entry in record.files:
        file = tmp_path / staged_name(job.name, entry.config, job.fingerprint)
        assert entry.file.endswith(f"/{job.name}.parquet")
        assert (entry.rows, entry.bytes) == (5, file.stat().st_size)
        assert entry.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert find_finished_shard(job.name, job.fingerprint, tmp_path) == record


def test_screens_are_the_files_as_they_are(job: ShardJob, tmp_path: Path) -> None:
    record = write_shard(job, tmp_path)
    rows = pq.read_table(tmp_path / staged_name(job.name, "default", job.fingerprint)).to_pylist()
    broken = {problem.file for problem in record.problems}
    shown = {"screenshot": 0, "tree": 0}
    for episode, row in zip(job.episodes, rows, strict=True):
        assert len(row["screenshots"]) == len(row["accessibility_trees"]) == len(row["actions"])
        for step, image, tree in zip(
            episode.steps, row["screenshots"], row["accessibility_trees"], strict=True
        ):
            usable = [
                step.screenshot and step.screenshot not in broken,
                step.tree and step.tree not in broken,
            ]
            assert [image is not None, tree is not None] == [bool(each) for each in usable]
            if image:
                assert image == {
                    "bytes": (job.root / str(step.screenshot)).read_bytes(),
                    "path": Path(str(step.screenshot)).name,
                }
                shown["screenshot"] += 1
            if tree:
                assert tree == (job.root / str(step.tree)).read_text(encoding="utf-8")
                shown["tree"] += 1
    assert shown == {"screenshot": record.screenshots, "tree": record.trees}


def test_a_finished_shard_is_not_made_again(job: ShardJob, tmp_path: Path) -> None:
    record = write_shard(job, tmp_path)
    before = states(tmp_path)
    assert write_shard(job, tmp_path) == record
    assert states(tmp_path) == before


class WaitingRows(tuple[Row, ...]):
    """Rows that are given out once another job has gone on: iteration waits for `resume`."""

    started: threading.Event
    resume: threading.Event

    def __iter__(self) -> Iterator[Row]:
        self.started.set()
        assert self.resume.wait(60)
        return super().__iter__()


def test_a_shard_that_another_job_completed_meanwhile_stays(job: ShardJob, tmp_path: Path) -> None:
    """A job that publishes its own copy would take the shard away from a job that is finishing."""
    rows = WaitingRows(job.rows)
    rows.started, rows.resume = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(write_shard, dataclasses.replace(job, rows=rows), tmp_path)
        assert rows.started.wait(60)
        record = write_shard(job, tmp_path)
        before = {name: state for name, state in states(tmp_path).items() if not name.endswith(".tmp")}
        rows.resume.set()
        assert slow.result(60) == record
    after = states(tmp_path)
    assert [name for name in before if name != LOCK and after[name] != before[name]] == []
    assert not list(tmp_path.glob(".*.tmp"))


@pytest.mark.parametrize("damage", ["no record", "half a record", "no shard", "half a shard"])
def test_an_incomplete_shard_is_made_again(job: ShardJob, tmp_path: Path, damage: str) -> None:
    record = write_shard(job, tmp_path)
    file = next(tmp_path.glob("*.record" if "record" in damage else "default-*.shard"))
    if damage.startswith("no"):
        file.unlink()
    else:
        os.truncate(file, file.stat().st_size // 2)
    assert find_finished_shard(job.name, job.fingerprint, tmp_path) is None
    assert write_shard(job, tmp_path) == record
    assert find_finished_shard(job.name, job.fingerprint, tmp_path) == record


def test_a_screen_that_changed_is_read_again(maker: pytest.FixtureRequest, tmp_path: Path) -> None:
    folder = maker.episode()  # type: ignore[attr-defined]
    plan = BuildPlan(maker.read(), BuildConfig())  # type: ignore[attr-defined]
    spec = next(spec for spec in plan.shard_specs if spec.episode_ids)
    staging = tmp_path / "staging"
    first = write_shard(plan.job(spec), staging)
    (folder / "Screenshots" / "tree_11.xml").write_text("<hierarchy><node text='另'/></hierarchy>", "utf-8")
    second = write_shard(plan.job(spec), staging)
    assert (first.trees, second.trees) == (2, 2)
    assert first.files[0].sha256 != second.files[0].sha256
    assert first.files[1].sha256 == second.files[1].sha256
    (folder / "Screenshots" / "tree_11.xml").unlink()
    third = write_shard(plan.job(spec), staging)
    assert third.trees == 1
    assert [problem.kind for problem in third.problems] == ["broken_tree"]


def test_builds_of_different_plans_do_not_collide(job: ShardJob, tmp_path: Path) -> None:
    other = dataclasses.replace(job, fingerprint="f" * 64, rows=job.rows[:3], episodes=job.episodes[:3])
    records = [write_shard(job, tmp_path), write_shard(other, tmp_path)]
    assert [find_finished_shard(job.name, each.fingerprint, tmp_path) for each in (job, other)] == records


def test_a_failure_leaves_no_file(job: ShardJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fingertip_dataset.parquet.writer.LARGEST_ROW_BYTES", 10)
    with pytest.raises(ReleaseError):
        write_shard(job, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_plan_divides_the_steps_evenly(plan: BuildPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    before = plan.fingerprint
    monkeypatch.setattr("fingertip_dataset.parquet.build_plan.STEPS_A_SHARD", 20)
    cut = BuildPlan(plan.release, BuildConfig())
    for split, ids in cut.splits.episode_ids.items():
        specs = [spec for spec in cut.shard_specs if spec.split == split]
        assert tuple(one for spec in specs for one in spec.episode_ids) == ids
        assert [spec.name for spec in specs] == [
            f"{split}-{number:05d}-of-{len(specs):05d}" for number in range(len(specs))
        ]
        longest = max((len(cut.episodes[one].steps) for one in ids), default=0)
        assert all(spec.steps < 20 + longest for spec in specs)
        assert len(specs) >= max(1, sum(spec.steps for spec in specs) // 20)
    assert cut.fingerprint != before


def test_the_fingerprint_depends_on_every_setting(plan: BuildPlan) -> None:
    configs = [
        BuildConfig(),
        BuildConfig(history="strict"),
        BuildConfig(references="model", encode=lambda texts: texts),  # type: ignore[arg-type, return-value]
        BuildConfig(skip_same_task=True),
        BuildConfig(user_types="release"),
        BuildConfig(seed=1),
    ]
    prints = {BuildPlan(plan.release, config).fingerprint for config in configs}
    assert len(prints) == len(configs)
    assert BuildPlan(plan.release, BuildConfig()).fingerprint == plan.fingerprint
