"""`make check-exports`: LLaMA-Factory and ms-swift, unchanged, train on the exports of docs/train.md.

Each runs in an environment of its own, with a tiny vision model of real architecture, by the page's own
command. What differs from the page is the model, its type where the name of a folder does not tell it, two
steps in place of three epochs, and a CPU in place of a GPU.
"""

from __future__ import annotations

import json
import os
import re
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
END = "<|im_end|>"
"""End of an answer, which has to be learned, too: a model without it goes on writing."""


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
    """Every row is a sample that learns the answer and its end, and each picture has its tokens."""
    samples, wanted = json.loads(out.read_text(encoding="utf-8")), rows(export)
    assert len(samples) == len(wanted)
    learned = [sample["learned"].removesuffix("\n") for sample in samples]
    assert sorted(learned) == sorted(row["messages"][-1]["content"] + END for row in wanted)
    assert all(sample["image_tokens"] == sum(sample["pictures"]) for sample in samples)
    pictures = [len(sample["pictures"]) for sample in samples]
    assert sorted(pictures) == sorted(len(row["images"]) for row in wanted)
    assert sum(pictures) > 10


def check_prompts(out: Path, export: Path) -> None:
    """Every sample has the text that the model's own chat template makes of the row."""
    samples = json.loads(out.read_text(encoding="utf-8"))
    texts = [re.sub(r"(<\|image_pad\|>)+", "<|image_pad|>", sample["text"]) for sample in samples]
    assert sorted(texts) == sorted(map(write_chat, rows(export)))


def write_chat(row: dict[str, Any]) -> str:
    """The text of a row by the template of Qwen2.5-VL, which has a system message of its own."""
    messages = row["messages"]
    if messages[0]["role"] != "system":
        messages = [{"role": "system", "content": "You are a helpful assistant."}, *messages]
    chat = "".join(f"<|im_start|>{one['role']}\n{one['content']}{END}\n" for one in messages)
    return chat.replace("<image>", "<|vision_start|><|image_pad|><|vision_end|>")


def check_adapter(file: Path) -> None:
    """The adapter has weights in the language part alone."""
    from safetensors import safe_open

    with safe_open(file, framework="np") as weights:
        names = list(weights.keys())
    assert any("q_proj" in name for name in names)
    assert not [name for name in names if "visual" in name]


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
    check_prompts(tmp_path / "samples.json", folder / page["dataset_dir"])

    run_in("llama-factory", folder, "llamafactory-cli", "train", tmp_path / "settings.yaml")
    check_adapter(tmp_path / "adapter" / "adapter_model.safetensors")


def run_ms_swift(folder: Path, export: Path, out: Path) -> Path:
    """Load and train an export by the page's command; return the file of its samples."""
    words = shlex.split(command_of("swift sft"))[2:]
    page = dict(zip(words[::2], words[1::2], strict=True))
    own = {
        "--model": folder / "model", "--template": "qwen2_5_vl", "--torch_dtype": "float32",
        "--use_cpu": "true", "--max_steps": 2, "--report_to": "none", "--output_dir": out / "adapters",
    }  # fmt: skip
    call = [part for pair in {**page, **own}.items() for part in pair]
    run_in("ms-swift", export, "python", HERE / "ms_swift_samples.py", out / "samples.json", *call)
    return out / "samples.json"


def test_ms_swift_loads_every_row_and_trains(folder: Path, tmp_path: Path) -> None:
    export = folder / "exports" / "ms-swift"
    samples = run_ms_swift(folder, export, tmp_path)
    check_samples(samples, export)
    check_prompts(samples, export)
    (adapter,) = (tmp_path / "adapters").glob("*/checkpoint-2/adapter_model.safetensors")
    check_adapter(adapter)


@pytest.mark.parametrize(("agent", "same_prompt"), [("gui-owl-1.5", True), ("mai-ui", False)])
def test_ms_swift_learns_the_last_answer_of_a_conversation(
    folder: Path, tmp_path: Path, agent: str, same_prompt: bool
) -> None:
    """It joins answers that follow one another, as those do whose screens the agent no longer shows."""
    export = tmp_path / "export"
    done = fingertip(
        "export", folder / "fingertip-20k", "--track", "execution", "--agent", agent,
        "--max-pixels", 100_000, "--episodes", 2, "--format", "ms-swift", "--out", export,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    samples = run_ms_swift(folder, export, tmp_path)
    check_samples(samples, export)
    if same_prompt:
        check_prompts(samples, export)
    else:
        with pytest.raises(AssertionError):
            check_prompts(samples, export)
