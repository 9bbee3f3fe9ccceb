"""Settings of GRPO with pictures: the files for GPUs have names that TRL knows; bad files are one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

import fingertip_studies
from fingertip_dataset.errors import UsageError
from fingertip_environments.answer_template import MARK
from fingertip_studies.grpo_pictures import GrpoSettings, choose_tasks, main, read_settings

FOLDER = Path(fingertip_studies.__file__).parent
FILES = ("grpo-colocate.toml", "grpo-server.toml")


@pytest.mark.parametrize("name", FILES)
def test_a_file_for_gpus_is_read(name: str) -> None:
    settings = read_settings(FOLDER / name)
    assert settings.grpo["use_vllm"] is True
    assert settings.grpo["vllm_mode"] == name.removesuffix(".toml").removeprefix("grpo-")
    assert settings.screens.format == "qwen3-vl"
    assert settings.context is not None
    assert settings.grpo["max_completion_length"] < settings.context
    # a step is whole groups: of 8 or 6 processes
    processes = 8 if name == FILES[0] else 6
    attempts = settings.grpo["per_device_train_batch_size"] * settings.grpo["gradient_accumulation_steps"]
    assert processes * attempts % settings.grpo["num_generations"] == 0


@pytest.mark.install
@pytest.mark.parametrize("name", FILES)
def test_its_names_are_fields_of_trl(name: str) -> None:
    from trl import GRPOConfig

    known = {field.name for field in fields(GRPOConfig)}
    assert set(read_settings(FOLDER / name).grpo) <= known


def test_a_bad_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.toml"
    for text, line in (
        ("model", "cannot read the settings"),
        ('model = "x"\nout = "y"\n[grpo]\n', "screens: Field required"),
        (
            'model = "x"\nout = "y"\ncolour = 1\n[screens]\nformat = "qwen3-vl"\n[grpo]\n',
            "colour: Extra inputs",
        ),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match=line):
            read_settings(file)
    with pytest.raises(SystemExit) as ended:
        main(["--settings", str(tmp_path / "none.toml")])
    assert ended.value.code == 2
    assert "cannot read the settings" in capsys.readouterr().err


def test_tasks_are_lived_or_of_a_dataset(people: Path) -> None:
    read = GrpoSettings.model_validate(
        {
            "model": "x",
            "out": "y",
            "grpo": {},
            "screens": {"format": "qwen3-vl"},
            "tasks": {"dataset": people},
        }
    )
    assert {task.task.target.user_id for task in choose_tasks(read.tasks)} == {"1001", "1002"}


@pytest.mark.install
@pytest.mark.filterwarnings("ignore::FutureWarning")  # TRL calls what transformers will remove
def test_a_training_is_saved_and_the_same_call_goes_on(
    tmp_path: Path, tiny_models: Callable[[str], Path]
) -> None:
    file, out = tmp_path / "x.toml", tmp_path / "adapter"
    for steps in (1, 2):
        file.write_text(
            f'''
model = "{tiny_models("qwen3_vl")}"
out = "{out}"
rank = 2
[tasks]
people = 1
episodes = 2
size = [270, 600]
[screens]
format = "ui-tars-v1"
most = 2
max_pixels = 102400
[grpo]
max_completion_length = 400
max_steps = {steps}
save_steps = 1
logging_steps = 1
num_generations = 2
per_device_train_batch_size = 2
trust_remote_code = true
use_cpu = true
bf16 = false
report_to = "none"
disable_tqdm = true
''',
            encoding="utf-8",
        )
        main(["--settings", str(file)])
    assert (out / "adapter_model.safetensors").is_file()
    state = json.loads((out / "checkpoint-2" / "trainer_state.json").read_text(encoding="utf-8"))
    assert [line["step"] for line in state["log_history"] if "reward" in line] == [1, 2]
    assert MARK in (out / "chat_template.jinja").read_text(encoding="utf-8")
