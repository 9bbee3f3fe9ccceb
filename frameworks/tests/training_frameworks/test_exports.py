"""`make check-exports`: LLaMA-Factory and ms-swift, unchanged, train on the exports of docs/train.md.

Each runs in an environment of its own, with a tiny vision model of real architecture, by the page's own
command. What differs from the page is the model, its type where the name of a folder does not tell it, two
steps in place of three epochs, and a CPU in place of a GPU.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs.site.train_page import EXPORTS, command_of, settings_file
from tests.command_line import fingertip
from tests.shared_datasets import shared_folder, simulated_people
from tests.tiny_models import write_model

pytestmark = pytest.mark.frameworks

ROOT, HERE = Path(__file__).parents[3], Path(__file__).parent
SECONDS = 1200


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working directory of the page: the dataset, its exports and a model."""

    def make(folder: Path) -> None:
        # the folder is renamed, and a link must hold afterwards
        (folder / "fingertip-20k").symlink_to(simulated_people(tmp_path_factory) / "dataset")
        for line in EXPORTS:
            done = fingertip(*shlex.split(line)[1:], cwd=folder)
            assert done.returncode == 0, done.stderr
        messages = [one for row in rows(folder / "exports" / "ms-swift") for one in row["messages"]]
        write_model("qwen2_5_vl", folder / "model", [message["content"] for message in messages])

    return shared_folder(tmp_path_factory, "frameworks-exports", make)


def run_in(name: str, cwd: Path, *call: object) -> None:
    """Run a program of a framework's environment, without network."""
    binary = ROOT / f".venv-{name}" / "bin"
    if not binary.is_dir():
        pytest.skip(f"no environment of {name}: `make check-exports` makes it")
    offline = {"HF_HUB_OFFLINE": "1", "USE_HF": "1", "HF_HOME": str(cwd / "home"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [binary / str(call[0]), *map(str, call[1:])],
        cwd=cwd,
        env={**os.environ, **offline, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}"


def rows(export: Path) -> list[dict[str, Any]]:
    lines = (export / "train.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def check_samples(out: Path, export: Path) -> None:
    """Every row is a sample whose learned tokens are the answer, and each picture has its tokens."""
    samples, wanted = json.loads(out.read_text(encoding="utf-8")), rows(export)
    assert len(samples) == len(wanted)
    learned = [sample["learned"].replace("<|im_end|>", "").strip() for sample in samples]
    assert sorted(learned) == sorted(row["messages"][-1]["content"].strip() for row in wanted)
    assert all(sample["image_tokens"] == sum(sample["pictures"]) for sample in samples)
    pictures = [len(sample["pictures"]) for sample in samples]
    assert sorted(pictures) == sorted(len(row["images"]) for row in wanted)
    assert sum(pictures) > 10


def test_llama_factory_loads_every_row_and_trains(folder: Path, tmp_path: Path) -> None:
    page = yaml.safe_load(settings_file("stage", "sft"))
    own = {
        "model_name_or_path": str(folder / "model"), "trust_remote_code": True, "bf16": False,
        "use_cpu": True, "max_steps": 2, "report_to": "none", "output_dir": str(tmp_path / "adapter"),
    }  # fmt: skip
    (tmp_path / "settings.yaml").write_text(yaml.safe_dump({**page, **own}))
    child = HERE / "llama_factory_samples.py"
    run_in("llama-factory", folder, "python", child, tmp_path / "settings.yaml", tmp_path / "samples.json")
    check_samples(tmp_path / "samples.json", folder / page["dataset_dir"])

    run_in("llama-factory", folder, "llamafactory-cli", "train", tmp_path / "settings.yaml")
    assert (tmp_path / "adapter" / "adapter_model.safetensors").stat().st_size > 1000


def test_ms_swift_loads_every_row_and_trains(folder: Path, tmp_path: Path) -> None:
    words = shlex.split(command_of("swift sft"))[2:]
    page = dict(zip(words[::2], words[1::2], strict=True))
    own = {
        "--model": folder / "model", "--template": "qwen2_5_vl", "--torch_dtype": "float32",
        "--use_cpu": "true", "--max_steps": 2, "--report_to": "none", "--output_dir": tmp_path / "adapters",
    }  # fmt: skip
    call = [part for pair in {**page, **own}.items() for part in pair]
    export = folder / "exports" / "ms-swift"
    run_in("ms-swift", export, "python", HERE / "ms_swift_samples.py", tmp_path / "samples.json", *call)
    check_samples(tmp_path / "samples.json", export)
    assert list((tmp_path / "adapters").glob("*/checkpoint-2/adapter_model.safetensors"))
