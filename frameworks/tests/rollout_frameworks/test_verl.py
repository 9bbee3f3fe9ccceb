"""`make check-rollouts`: verl's own worker makes rollouts of tasks; the model's server is scripted."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fingertip_environments import live_tasks
from frameworks.tests.fingertip_environments.golden_answers import write_golden_answers
from tests.tiny_models import write_model

pytestmark = pytest.mark.frameworks

ROOT = Path(__file__).parents[3]
PYTHON = ROOT / ".venv-verl" / "bin" / "python"
SCRIPT = Path(__file__).with_name("verl_rollouts.py")
END = "<|im_end|>"


def rename_processor(model: Path) -> None:
    """Give the tiny model's processor the name by which verl knows it; torchvision, which the real one needs,
    is not installed.
    """
    code = model / "processing_tiny.py"
    text = code.read_text(encoding="utf-8").replace("Qwen2_5_VLProcessor", "RealProcessor")
    text = text.replace("import RealProcessor", "import Qwen2_5_VLProcessor as RealProcessor")
    code.write_text(text.replace("class Processor(", "class Qwen2_5_VLProcessor("), encoding="utf-8")
    for file in model.glob("*.json"):
        text = file.read_text(encoding="utf-8")
        text = text.replace("processing_tiny.Processor", "processing_tiny.Qwen2_5_VLProcessor")
        named = text.replace('"processor_class": "Processor"', '"processor_class": "Qwen2_5_VLProcessor"')
        file.write_text(named, encoding="utf-8")


def roll_out(folder: Path, answers: dict[str, list[str]]) -> dict[str, Any]:
    """Rollouts of both tasks with these answers by intent."""
    if not PYTHON.is_file():
        pytest.skip("no environment of verl: `make check-rollouts` makes it")
    write_model("qwen2_5_vl", folder / "model", [text for texts in answers.values() for text in texts])
    rename_processor(folder / "model")
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    done = subprocess.run(
        [PYTHON, SCRIPT, folder / "model", folder / "answers.json", folder / "out.json"],
        capture_output=True, text=True, timeout=900, check=False, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HF_HOME": str(folder / "home"), "HF_HUB_OFFLINE": "1",
             "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    return found


def test_whole_rollouts_have_their_reward_and_learn_the_answers_alone(tmp_path: Path) -> None:
    tasks = live_tasks(people=1, episodes=2)
    right, wrong = (list(write_golden_answers(task, "qwen3-vl")) for task in tasks)
    wrong = ["I do not know.", *wrong[-1:]]  # says that it is done, and it is not
    found = roll_out(tmp_path, {tasks[0].intent: right, tasks[1].intent: wrong})
    rollouts = found["rollouts"]
    assert [rollout["reward"] for rollout in rollouts] == [1.0, 0.0]
    for rollout, answers in zip(rollouts, (right, wrong), strict=True):
        assert rollout["learned"] == "".join(answer + END for answer in answers)
        assert rollout["pictures"] == len(answers)
        assert 0 < rollout["tokens"] < rollout["length"]
    # a picture more at each call, each with its place in the tokens
    assert sorted(found["calls"]) == sorted(
        [number, number] for answers in (right, wrong) for number in range(1, len(answers) + 1)
    )
