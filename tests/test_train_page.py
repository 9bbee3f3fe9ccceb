"""docs/train.md: its exports run, the options of its other commands exist, and its YAML names our files."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

from docs.site.train_page import COMMANDS, EXPORTS, FILES, PAGE, command_of, commands_of, settings_file
from fingertip_cli.main import cli
from fingertip_training import check_export
from tests.command_line import fingertip
from tests.shared_datasets import simulated_people
from tests.tiny_models import write_model


def words_of_fingertip(line: str) -> list[str]:
    """The arguments of `fingertip` in a command line; [] if it starts something else."""
    words = shlex.split(line)
    program = next((name for name in ("fingertip", "fingertip_cli") if name in words), None)
    return words[words.index(program) + 1 :] if program else []


OURS = [words for words in map(words_of_fingertip, [*COMMANDS, *commands_of("learning.md")]) if words]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("train-page")
    (made / "fingertip-20k").symlink_to(simulated_people(tmp_path_factory) / "dataset")
    for line in EXPORTS:
        program, *arguments = shlex.split(line)
        assert program == "fingertip"
        done = fingertip(*arguments, cwd=made)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
    return made


def test_the_exports_of_the_page_are_sound(folder: Path) -> None:
    checks = {path.name: check_export(path) for path in (folder / "exports").iterdir()}
    assert set(checks) == {"suggestion", "joint-trl", "llama-factory", "ms-swift"}
    assert checks["suggestion"].pictures == 0
    assert min(check.pictures for name, check in checks.items() if name != "suggestion") > 10


def test_the_files_that_frameworks_are_given_are_in_the_exports(folder: Path) -> None:
    yaml = "\n".join(FILES)
    named = re.findall(r"^(?:dataset_name|dataset_dir|media_dir): (.+)$", yaml, flags=re.MULTILINE)
    # those of pairs need a run through people's months
    assert [name for name in named if not (folder / name).is_dir()] == ["exports/pairs-llama-factory"]
    assert [path.name for path in (folder / "exports" / "joint-trl").glob("*.parquet")] == ["train.parquet"]
    (dataset,) = set(re.findall(r"^dataset: (.+)$", yaml, flags=re.MULTILINE))
    info = json.loads((folder / "exports" / "llama-factory" / "dataset_info.json").read_text("utf-8"))
    assert info[dataset]["file_name"] == "train.jsonl"
    swift = shlex.split(command_of("swift sft"))
    assert (folder / "exports" / "ms-swift" / swift[swift.index("--dataset") + 1]).is_file()


@pytest.mark.parametrize("words", OURS, ids=[" ".join(words[:1] + words[-2:]) for words in OURS])
def test_the_options_of_other_commands_exist(words: list[str]) -> None:
    with click.Context(cli) as context:
        command = cli.get_command(context, words[0])
    assert command is not None
    command.make_parser(click.Context(command)).parse_args(list(words[1:]))


@pytest.mark.soak
def test_trl_trains_by_the_settings_of_the_page(folder: Path, tmp_path: Path) -> None:
    """With a tiny model in one process; two steps, and no model is fetched."""
    own = {"model_name_or_path": str(folder / "model"), "output_dir": str(tmp_path / "adapter")}
    less = {"max_steps": 2, "use_cpu": True, "bf16": False, "trust_remote_code": True, "report_to": "none"}
    settings = yaml.safe_load(settings_file("dataset_name")) | own | less
    messages = [
        json.loads(line)["messages"]
        for line in (folder / "exports" / "ms-swift" / "train.jsonl").read_text("utf-8").splitlines()
    ]
    write_model("qwen2_5_vl", folder / "model", [one["content"] for row in messages for one in row])
    (tmp_path / "trl.yaml").write_text(yaml.safe_dump(settings))
    # the console script checks for a launcher's settings in the home
    call = [sys.executable, "-m", "trl.scripts.sft", "--config", str(tmp_path / "trl.yaml")]
    home = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        call, cwd=folder, env={**os.environ, **home}, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert (tmp_path / "adapter" / "adapter_model.safetensors").stat().st_size > 1000


def test_frameworks_are_given_pictures_as_large_as_exported() -> None:
    (limit,) = set(re.findall(r"--max-pixels (\d+)", PAGE))
    assert re.findall(r"^image_max_pixels: (\d+)$", PAGE, flags=re.MULTILINE) == [limit]
