"""Selection of a run's tasks: the first, a sample, and those of some users."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingertip_agents import get_agent
from fingertip_dataset import BuiltDataset, UsageError
from fingertip_metrics import get_embedder
from suggestion_runner import read_predictions, run_suggestions, score_run
from suggestion_runner.prediction_log import read_run


def test_a_run_of_some_users_has_their_tasks_alone(small_dataset: Path, tmp_path: Path) -> None:
    users = {row["episode_id"]: row["user_id"] for row in BuiltDataset.open(small_dataset).rows("train")}
    user = "1"
    own = {task for task, whose in users.items() if whose == user}
    assert len(own) > 1
    assert own < set(users)

    for part, wanted in (({}, own), ({"sample": 1}, None), ({"limit": 99}, own)):
        out = tmp_path / str(part)
        agent = get_agent("frequent")
        run_suggestions(small_dataset, agent, out, split="train", users=[user], **part)
        answered = {prediction.task_id for prediction in read_predictions(out)}
        assert answered <= own
        assert answered == wanted or len(answered) == 1
        record = read_run(out)
        assert record.selection is not None
        assert record.selection.users == (user,)
        assert record.tasks == len(answered)
        assert f"of user {user}" in record.selection.describe(record.tasks)

    with pytest.raises(UsageError, match="the split has no tasks of user 9"):
        run_suggestions(small_dataset, agent, tmp_path / "none", split="train", users=["9"])
    assert score_run(tmp_path / "{}", embedder=get_embedder("lexical")).result.n == len(own)
