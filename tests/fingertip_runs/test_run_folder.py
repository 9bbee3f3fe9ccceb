"""What is said when a run's folder holds another run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.errors import RunError
from fingertip_runs.run_folder import start_run
from fingertip_runs.run_record import AgentRecord, DatasetRecord, RunRecord

SETTINGS = {"model": "qwen", "max_tokens": 8192, "second": {"model": "a", "seed": None}}


def record(**settings: Any) -> RunRecord:  # noqa: ANN401 - of any agent
    dataset = DatasetRecord(path="d", data_sha256="ab", provenance="sample", split_method="m", seed=0)
    return RunRecord(
        version=1,
        track="suggestion",
        agent=AgentRecord.of("generalist", {**SETTINGS, **settings}),
        dataset=dataset,
        split="test",
        tasks=3,
        sessions=(),
    )


@pytest.mark.parametrize(
    ("changes", "output"),
    [
        ({"max_tokens": 99}, "agent.settings.max_tokens 8192, got 99"),
        ({"second": {"model": "b", "seed": None}}, "agent.settings.second.model a, got b"),
        ({"second": {"model": "a"}}, "agent.settings.second.seed None, got none"),
        ({"seed": 7}, "agent.settings.seed none, got 7"),
        (
            {"model": "m" * 200, "max_tokens": 1},
            f"agent.settings.model qwen, got {'m' * 77}...; agent.settings.max_tokens 8192, got 1",
        ),
        (
            {"model": "b", "max_tokens": 1, "second": 2, "third": 3},
            "agent.settings.model qwen, got b; agent.settings.max_tokens 8192, got 1; "
            "agent.settings.second {'model': 'a', 'seed': None}, got 2; and 1 more",
        ),
    ],
)
def test_only_what_differs_is_told(tmp_path: Path, changes: dict[str, Any], output: str) -> None:
    start_run(tmp_path, record())
    start_run(tmp_path, record())
    with pytest.raises(RunError) as caught:
        start_run(tmp_path, record(**changes))
    assert f"with {output}: another run needs another folder" in str(caught.value)
