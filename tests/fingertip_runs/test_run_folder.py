"""What is said when a run's folder holds another run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fingertip_dataset.errors import RunError
from fingertip_runs.run_folder import start_run
from fingertip_runs.run_record import AgentRecord, DatasetRecord, RunRecord

DATASET = DatasetRecord(path="d", data_sha256="ab", provenance="sample", split_method="m", seed=0)
SETTINGS = {"model": "qwen", "max_tokens": 8192, "second": {"model": "a", "seed": None}}


def test_a_field_that_the_agents_settings_repeat_is_named_once(tmp_path: Path) -> None:
    start_run(tmp_path, record(split="a"))
    message = "the run in the folder differs in --split: test in the folder, vali in this call; another"
    with pytest.raises(RunError, match=message):
        start_run(tmp_path, record(split="b").model_copy(update={"split": "vali"}))


@pytest.mark.parametrize(
    ("changes", "output"),
    [
        ({"tasks": 4}, "tasks: 3 in the folder, 4 in this call"),
        ({"tasks": 4, "split": "vali"}, "--split: test in the folder, vali in this call"),
        (
            {"tasks": 4, "dataset": DATASET.model_copy(update={"seed": 1})},
            "dataset.seed: 0 in the folder, 1 in this call",
        ),
        (
            {"tasks": 4, "agent": AgentRecord(name="model", settings={"model": "m"})},
            "tasks: 3 in the folder, 4 in this call; --agent: generalist in the folder, model in this call",
        ),
    ],
)
def test_what_follows_from_another_difference_is_not_named(
    tmp_path: Path, changes: dict[str, Any], output: str
) -> None:
    earlier = record().model_copy(update={"agent": AgentRecord(name="generalist", settings={})})
    start_run(tmp_path, earlier)
    with pytest.raises(RunError) as caught:
        start_run(tmp_path, earlier.model_copy(update=changes))
    assert sorted(caught.value.message.split(" differs in ")[1].split("; ")) == sorted(
        [*output.split("; "), "another run needs another folder"]
    )


def record(**settings: Any) -> RunRecord:  # noqa: ANN401 - of any agent
    return RunRecord(
        version=1,
        track="suggestion",
        agent=AgentRecord.of("generalist", {**SETTINGS, **settings}),
        dataset=DATASET,
        split="test",
        tasks=3,
        sessions=(),
    )


@pytest.mark.parametrize(
    ("changes", "output"),
    [
        ({"max_tokens": 99}, "--max-tokens: 8192 in the folder, 99 in this call"),
        (
            {"second": {"model": "b", "seed": None}},
            "agent.settings.second.model: a in the folder, b in this call",
        ),
        ({"second": {"model": "a"}}, "agent.settings.second.seed: None in the folder, none in this call"),
        ({"shown": ("time", "place")}, "agent.settings.shown: none in the folder, time,place in this call"),
        ({"shown": []}, "agent.settings.shown: none in the folder, nothing in this call"),
        ({"seed": 7}, "--seed: none in the folder, 7 in this call"),
        (
            {"model": "m" * 200, "max_tokens": 1},
            f"--model: qwen in the folder, {'m' * 77}... in this call; "
            "--max-tokens: 8192 in the folder, 1 in this call",
        ),
        (
            {"model": "b", "max_tokens": 1, "second": 2, "third": 3},
            "--model: qwen in the folder, b in this call; --max-tokens: 8192 in the folder, 1 in this call; "
            "agent.settings.second: {'model': 'a', 'seed': None} in the folder, 2 in this call; and 1 more",
        ),
    ],
)
def test_the_message_names_only_what_differs(tmp_path: Path, changes: dict[str, Any], output: str) -> None:
    start_run(tmp_path, record())
    start_run(tmp_path, record())
    with pytest.raises(RunError) as caught:
        start_run(tmp_path, record(**changes))
    assert f"the run in the folder differs in {output}; another run needs another folder" in str(caught.value)
