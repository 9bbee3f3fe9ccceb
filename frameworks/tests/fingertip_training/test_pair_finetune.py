"""`finetune` on moments and on pairs: what is trained, how a checkpoint is chosen, what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset import UsageError
from fingertip_dataset.split_names import MONTH, VALI_MOMENTS
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_training import ExportRecord
from fingertip_training.commands.finetune import command
from suggestion_runner.month.month_run import run_month
from suggestion_runner.prediction_log import read_run
from suggestion_runner.task_view import TaskView

pytestmark = pytest.mark.install

SMALL = (
    "max_steps=2", "batch_size=2", "device_batch_size=2", "choice_tasks=2", "choice_max_tokens=4",
    "checkpoints=2", "gradient_checkpointing=off",
)  # fmt: skip


class Talkative:
    """An agent that offers the same thing at every moment."""

    name = "talkative"
    settings: dict[str, object] = {}  # noqa: RUF012 - the protocol reads it alone

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        return Suggestion(text="打开微信，看消息", seconds=0)


@pytest.fixture(scope="module")
def month(people: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("talkative") / "month"
    run_month(people, Talkative(), out, view=TaskView(split=MONTH, memory="none"))
    return out


def finetune(dataset: Path, base: Path, out: Path, *more: object) -> dict[str, Any]:
    lines = [part for line in SMALL for part in ("--setting", line)]
    call = [dataset, "--track", "moments", "--base", base, "--out", out, *lines, *more]
    command.main(list(map(str, call)), "finetune", standalone_mode=False)
    read: dict[str, Any] = json.loads((out / "training.json").read_text())
    return read


def test_moments_are_trained_and_checkpoints_chosen_by_utility(
    people: Path, text_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "adapter"
    training = finetune(people, text_model, out, "--history", "none", "--episodes", 4)
    assert training["prompts"]["suggestion"].startswith("model moments")
    assert training["chosen"]["by"].startswith("highest utility (share of right suggestions, less")
    assert training["chosen"]["by"].endswith("at 2 validation moments")
    assert [set(part["scores"]) for part in training["checkpoints"]] == [{"moments"}] * 2
    run = read_run(out / "work" / "scoring" / "checkpoint-1" / "suggestion")
    assert (run.split, run.history) == (VALI_MOMENTS, "none")
    assert "beta" not in training["settings"]
    assert "--split test_moments --backend local" in capsys.readouterr().out.replace("\\\n", "")


def test_pairs_are_trained_with_the_prompts_of_their_run(
    people: Path, text_model: Path, tmp_path: Path, month: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "adapter"
    training = finetune(people, text_model, out, "--pairs", month, "--setting", "beta=0.2")
    assert training["settings"]["beta"] == {"value": 0.2, "origin": "--setting"}
    record = ExportRecord.read(out / "work" / "samples")
    assert record.pairs is not None
    assert set(record.pairs.kinds) == {"false trigger", "wrong offer"}
    run = read_run(out / "work" / "scoring" / "checkpoint-2" / "suggestion")
    assert run.memory is not None
    assert run.memory.name == "none"
    assert "--split test_moments --memory none --backend" in capsys.readouterr().out.replace("\\\n", "")
    assert "dpo" in (out / "README.md").read_text()
    again = finetune(people, text_model, out, "--pairs", month, "--setting", "beta=0.2")
    assert again == training
    call = [str(people), "--track", "suggestion", "--base", str(text_model), "--pairs", str(month)]
    with pytest.raises(UsageError, match="--pairs needs --track moments"):
        command.main([*call, "--out", str(tmp_path / "x")], "finetune", standalone_mode=False)
