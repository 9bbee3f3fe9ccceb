"""Selection of a run's tasks: the first, a sample, and those of some users."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fingertip_agents import RecentBaseline
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_metrics.embedders import get_embedder
from suggestion_runner import read_predictions, read_run, run_suggestions, score_run


def query(dataset: Path, out: Path, **output: Any) -> list[str]:  # noqa: ANN401 - as `run_suggestions` has them
    run_suggestions(dataset, RecentBaseline(), out, **output)
    return [line.task_id for line in read_predictions(out)]


def test_limit_takes_the_first_tasks(sample_dataset: Path, tmp_path: Path) -> None:
    ids = [row["episode_id"] for row in BuiltDataset.open(sample_dataset).rows("test_suggestion")]
    assert query(sample_dataset, tmp_path / "run", limit=3) == ids[:3]
    assert query(sample_dataset, tmp_path / "all", limit=1000) == ids
    assert read_run(tmp_path / "run").tasks == 3
    assert read_run(tmp_path / "all").selection is None


def test_a_sample_is_reproducible_and_nested_in_larger_ones(sample_dataset: Path, tmp_path: Path) -> None:
    ids = [row["episode_id"] for row in BuiltDataset.open(sample_dataset).rows("test_suggestion")]
    drawn = {
        (size, seed): query(sample_dataset, tmp_path / f"{size}-{seed}", sample=size, seed=seed)
        for size in (4, 8)
        for seed in (0, 1)
    }
    assert query(sample_dataset, tmp_path / "again", sample=4) == drawn[4, 0]
    assert drawn[4, 0] != drawn[4, 1]
    for (size, _), tasks in drawn.items():
        assert len(tasks) == size
        assert tasks == [task for task in ids if task in tasks]  # in the dataset's order
    assert set(drawn[4, 0]) < set(drawn[8, 0])


def test_a_stopped_sample_resumes_and_another_is_refused(sample_dataset: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    whole = query(sample_dataset, run, sample=6, seed=3)
    file = run / "predictions.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:2]))
    assert query(sample_dataset, run, sample=6, seed=3) == whole
    for output in ({"sample": 6, "seed": 4}, {"sample": 5, "seed": 3}, {"limit": 6}, {}):
        with pytest.raises(RunError, match="another run needs another folder"):
            run_suggestions(sample_dataset, RecentBaseline(), run, **output)  # type: ignore[arg-type]


def test_invalid_selections_are_refused(sample_dataset: Path, tmp_path: Path) -> None:
    for output, words in (
        ({"limit": 1, "sample": 1}, "--limit and --sample exclude each other"),
        ({"sample": 13}, "the split has 12 tasks, too few for a sample of 13"),
        ({"limit": 0}, "a limit of 1 or more tasks"),
    ):
        with pytest.raises(UsageError, match=words):
            run_suggestions(sample_dataset, RecentBaseline(), tmp_path / "run", **output)  # type: ignore[arg-type]


def test_a_run_of_some_users_has_their_tasks_alone(small_dataset: Path, tmp_path: Path) -> None:
    users = {row["episode_id"]: row["user_id"] for row in BuiltDataset.open(small_dataset).rows("train")}
    user = "1"
    own = {task for task, whose in users.items() if whose == user}
    assert len(own) > 1
    assert own < set(users)

    for part, wanted in (({}, own), ({"sample": 1}, None), ({"limit": 99}, own)):
        out = tmp_path / str(part)
        agent = RecentBaseline()
        run_suggestions(small_dataset, agent, out, split="train", users=[user], **part)
        answered = {prediction.task_id for prediction in read_predictions(out)}
        assert answered <= own
        assert answered == wanted or len(answered) == 1
        record = read_run(out)
        assert record.selection is not None
        assert record.selection.users == (user,)
        assert record.tasks == len(answered)
        assert f"of user {user}" in record.selection.describe(record.tasks)

    with pytest.raises(UsageError, match="the dataset has no user '9'"):
        run_suggestions(small_dataset, agent, tmp_path / "none", split="train", users=["9"])
    assert score_run(tmp_path / "{}", embedder=get_embedder("lexical")).result.n == len(own)
