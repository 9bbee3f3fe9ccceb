"""Two processes on a CPU train one model, by torchrun and by `accelerate launch` with the shipped file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fingertip_training.finetune import finetuning

pytestmark = pytest.mark.soak

SHIPPED = Path(finetuning.__file__).with_name("fsdp.yaml")
SETTINGS = (
    "max_steps=4",
    "batch_size=4",
    "dropout=0.0",
    "checkpoints=2",
    "choice_tasks=2",
    "choice_max_tokens=4",
)


def train(people: Path, base: Path, out: Path, *launcher: object, rank: str) -> dict[str, Any]:
    """Fine-tune by the command that a launcher starts; returns training.json."""
    call = ("finetune", people, "--track", "suggestion", "--history", "none", "--base", base, "--rank", rank)
    settings = [part for line in SETTINGS for part in ("--set", line)]
    binary = Path(sys.executable).parent
    done = subprocess.run(
        [binary / str(launcher[0]), *map(str, (*launcher[1:], *call, "--out", out, *settings, "--json"))],
        env={**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert json.loads(done.stdout)["finished_before"] is False
    return dict(json.loads((out / "training.json").read_text()))


def test_the_shipped_file_starts_two_processes_on_a_cpu(
    people: Path, text_model: Path, tmp_path: Path
) -> None:
    """On a CPU accelerate takes data parallelism whatever the file says, so nothing is sharded here."""
    text = SHIPPED.read_text(encoding="utf-8")
    for line, own in (
        ("use_cpu: false", "use_cpu: true"),
        ("mixed_precision: bf16", 'mixed_precision: "no"'),
        ("num_processes: 8", "num_processes: 2\nmain_process_port: 0"),
    ):
        assert line in text
        text = text.replace(line, own)
    (tmp_path / "cpu.yaml").write_text(text)
    launcher = ("accelerate", "launch", "--config_file", tmp_path / "cpu.yaml", "--module", "fingertip_cli")
    together = train(people, text_model, tmp_path / "two", *launcher, rank="full")
    alone = train(people, text_model, tmp_path / "one", "python", "-m", "fingertip_cli", rank="full")
    check_same(together, alone)


def check_same(together: dict[str, Any], alone: dict[str, Any]) -> None:
    assert (together["processes"], alone["processes"]) == (2, 1)
    assert together["steps"] == alone["steps"]
    assert together["samples"]["sha256"] == alone["samples"]["sha256"]
    for (step, loss), (other_step, other) in zip(together["losses"], alone["losses"], strict=True):
        assert step == other_step
        assert loss == pytest.approx(other, abs=1e-3)
