"""`make check-exports`: LLaMA-Factory and ms-swift, unchanged, train on pairs as docs/train.md has it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs.site.train_page import COMMANDS, command_of, settings_file
from frameworks.tests.training_frameworks.test_exports import HERE, rows, run_in
from tests.command_line import fingertip
from tests.shared_datasets import shared_folder, simulated_people
from tests.tiny_models import write_model

pytestmark = pytest.mark.frameworks

MADE = (
    "fingertip suggest ./fingertip-20k --month",
    "fingertip export ./fingertip-20k --track moments --pairs",
)
"""Beginnings of the page's commands that make the pairs."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The working directory of the page: the dataset, a month run, exports of its pairs, and a model."""

    def make(folder: Path) -> None:
        (folder / "fingertip-20k").symlink_to(simulated_people(tmp_path_factory) / "dataset")
        for line in COMMANDS:
            if line.startswith(MADE):
                done = fingertip(*shlex.split(line)[1:], cwd=folder)
                assert done.returncode == 0, done.stderr
        pairs = rows(folder / "exports" / "pairs-ms-swift")
        texts = [one["content"] for row in pairs for one in row["messages"]]
        write_model("qwen2_5_vl", folder / "model", texts)

    return shared_folder(tmp_path_factory, "frameworks-pairs", make)


def check_pairs(out: Path, folder: Path) -> None:
    """Every row is a pair, and the learned tokens are those of its better and its worse answer."""
    wanted = [
        (row["chosen"][0]["content"], row["rejected"][0]["content"])
        for row in rows(folder / "exports" / "pairs-trl")
    ]
    samples: list[dict[str, Any]] = json.loads(out.read_text(encoding="utf-8"))
    learned = [
        tuple(sample[name].replace("<|im_end|>", "").strip() for name in ("chosen", "rejected"))
        for sample in samples
    ]
    assert sorted(learned) == sorted(wanted)
    assert len(wanted) > 5


def test_llama_factory_loads_every_pair_and_trains(folder: Path, tmp_path: Path) -> None:
    own = {
        "model_name_or_path": str(folder / "model"), "trust_remote_code": True, "bf16": False,
        "use_cpu": True, "max_steps": 2, "report_to": "none", "output_dir": str(tmp_path / "adapter"),
    }  # fmt: skip
    settings = tmp_path / "settings.yaml"
    settings.write_text(yaml.safe_dump({**yaml.safe_load(settings_file("stage", "dpo")), **own}))
    run_in(
        "llama-factory", folder, "python", HERE / "llama_factory_samples.py", settings, tmp_path / "samples"
    )
    check_pairs(tmp_path / "samples", folder)

    run_in("llama-factory", folder, "llamafactory-cli", "train", settings)
    assert (tmp_path / "adapter" / "adapter_model.safetensors").stat().st_size > 1000


def test_ms_swift_loads_every_pair_and_trains(folder: Path, tmp_path: Path) -> None:
    words = shlex.split(command_of("swift rlhf"))[2:]
    page = dict(zip(words[::2], words[1::2], strict=True))
    own = {
        "--model": folder / "model", "--template": "qwen2_5_vl", "--torch_dtype": "float32",
        "--use_cpu": "true", "--max_steps": 2, "--report_to": "none", "--output_dir": tmp_path / "adapters",
    }  # fmt: skip
    call = [part for pair in {**page, **own}.items() for part in pair]
    export = folder / "exports" / "pairs-ms-swift"
    run_in("ms-swift", export, "python", HERE / "ms_swift_samples.py", tmp_path / "samples", *call)
    check_pairs(tmp_path / "samples", folder)
    assert list((tmp_path / "adapters").glob("*/checkpoint-2/adapter_model.safetensors"))
