"""The study of preference pairs: its base, its settings, and the comparison of both models."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import pytest

from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_training import ExportOrder, export_samples
from fingertip_training.finetune.finetune_settings import read_settings
from suggestion_runner import run_suggestions
from tests.shared_datasets import simulated_people


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulated_people(tmp_path_factory) / "dataset"


@dataclass
class Constant:
    """An agent that says the same at every moment."""

    text: str
    name: str = "constant"

    @property
    def settings(self) -> dict[str, object]:
        return {}

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        return Suggestion(text=self.text, seconds=0, outcome="answered" if self.text else "silent")


def test_the_table_compares_both_models_on_the_same_moments(people: Path, tmp_path: Path) -> None:
    from fingertip_studies.learning.pairs import SPLITS, PairsBench, show

    none = Path()
    bench = PairsBench(
        dataset=people, work=tmp_path, base=none, answers=none, pairs=none, language="zh", users=(), batch=1,
        seed=7,
    )  # fmt: skip
    (tmp_path / "runs").mkdir()
    for split in SPLITS:
        for model, text in ((bench.before, "打开微信，看消息"), (bench.after, "")):
            run_suggestions(people, Constant(text), bench.find_run(model, split), split=split, history="none")
    text = show(bench)
    assert "2 people, seed 7" in text
    assert "| false triggers % | 100.0" in text
    rows = [line for line in text.splitlines() if line.startswith("| false triggers")]
    assert len(rows) == 2
    assert all("-100.0" in row for row in rows)
    assert all(
        line.split("|")[4].strip().startswith("+100") for line in text.splitlines() if "missed" in line
    )


def test_every_file_of_settings_is_read_and_those_of_a_device_train_the_same_steps() -> None:
    folder = files("fingertip_studies.learning")
    values = {}
    for name in ("answers-tiny", "answers-smollm2", "pairs-tiny", "pairs-smollm2", "pairs-gpu"):
        file = Path(str(folder / f"{name}.toml"))
        values[name] = read_settings(file, pairs=name.startswith("pairs")).values.model_dump()
        assert values[name]["checkpoints"] == 1
    device = {"device_batch_size", "gradient_checkpointing", "precision"}
    one, other = values["pairs-smollm2"], values["pairs-gpu"]
    assert {name for name in one if one[name] != other[name]} <= device


def test_the_base_for_moments_has_a_token_for_each_constant_line(people: Path, tmp_path: Path) -> None:
    from fingertip_studies.learning.moment_base import find_constant_lines

    export_samples(people, tmp_path / "rows", ExportOrder(track="moments", history="none"))
    rows = [json.loads(line) for line in (tmp_path / "rows" / "train.jsonl").read_text().splitlines()]
    found = find_constant_lines(rows)
    assert found[0] == rows[0]["prompt"][0]["content"]
    assert any(line.startswith("# ") for line in found)
    assert not [line for line in found if line.startswith("时间：")]
