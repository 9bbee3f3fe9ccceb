"""Rows of an export in TRL, PEFT and datasets, beside the same samples in other forms (train.md, "Traps")."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from PIL import Image

from docs.site.train_page import PAGE, settings_file
from fingertip_training import ExportOrder, check_export, export_samples
from fingertip_training.finetune.base_model import load_base, target_pattern
from fingertip_training.finetune.sft_training import quiet_libraries
from tests.command_line import fingertip
from tests.shared_datasets import shared_folder
from tests.tiny_models import configured, tokenizer

END = "<|im_end|>\n"
SEVEN = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
"""Names of linear layers that are usually given to PEFT."""

Row = dict[str, Any]


@pytest.fixture(scope="module")
def exports(people: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Exports of both tracks, with the agent of docs/train.md and with one that has a conversation."""

    def make(folder: Path) -> None:
        for name, order in {
            "trl": {"track": "joint", "agent": "qwen2.5-vl"},
            "embedded": {"track": "joint", "agent": "qwen2.5-vl", "embed": True},
            "ms-swift": {"track": "joint", "agent": "qwen2.5-vl", "format": "ms-swift"},
            "llama-factory": {"track": "joint", "agent": "qwen2.5-vl", "format": "llama-factory"},
            "conversation": {"track": "execution", "agent": "mai-ui"},
            "conversation-embedded": {"track": "execution", "agent": "mai-ui", "embed": True},
            "conversation-ms-swift": {"track": "execution", "agent": "mai-ui", "format": "ms-swift"},
        }.items():
            fixed = {"episodes": 2, "max_pixels": 40_000, "screenshots": 1}
            if order["track"] == "execution":
                del fixed["screenshots"]
            export_samples(people, folder / name, ExportOrder(**fixed, **order))

    return shared_folder(tmp_path_factory, "trainers-of-others", make)


@pytest.fixture(scope="module")
def processor(tiny_models: Callable[[str], Path]) -> Any:  # noqa: ANN401
    with quiet_libraries():
        model = str(tiny_models("qwen2_5_vl"))
        return load_base(model, with_pictures=True, half=False, trust_remote_code=True).processor


def rows_of(export: Path) -> list[Row]:
    lines = (export / "train.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def list_columns(row: Mapping[str, Any], export: Path, *names: str) -> Row:
    """These columns of a row, its pictures opened."""
    return {
        "images": [Image.open(export / name) for name in row["images"]],
        **{name: row[name] for name in names},
    }


def find_longest(export: Path) -> Row:
    """The row with most pictures."""
    return max(rows_of(export), key=lambda row: len(row["images"]))


def learned_text(batch: Mapping[str, Any], processor: Any) -> str:  # noqa: ANN401
    labels = batch["labels"][0]
    return str(processor.tokenizer.decode(labels[labels >= 0]))


def count_learned_pictures(batch: Mapping[str, Any], processor: Any) -> tuple[int, int]:  # noqa: ANN401
    """Tokens of pictures that are learned, and all of them."""
    image = processor.image_token_id
    return int((batch["labels"] == image).sum()), int((batch["input_ids"] == image).sum())


@pytest.mark.parametrize("name", ["trl", "conversation"])
def test_of_our_rows_trl_learns_the_answer_and_its_end(exports: Path, processor: Any, name: str) -> None:  # noqa: ANN401
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    collate = DataCollatorForVisionLanguageModeling(processor, completion_only_loss=True)
    pictures = 0
    for row in rows_of(exports / name):
        batch = collate([list_columns(row, exports / name, "prompt", "completion")])
        (answer,) = row["completion"]
        assert learned_text(batch, processor) == answer["content"][0]["text"] + END
        learned, shown = count_learned_pictures(batch, processor)
        assert learned == 0
        pictures += shown
    assert pictures > 100


def test_of_rows_with_messages_trl_learns_prompt_and_pictures(exports: Path, processor: Any) -> None:  # noqa: ANN401
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    collate = DataCollatorForVisionLanguageModeling(processor)
    row = find_longest(exports / "trl")
    batch = collate(
        [
            {
                **list_columns(row, exports / "trl"),
                "messages": [*row["prompt"], *row["completion"]],
            }
        ]
    )
    learned, shown = count_learned_pictures(batch, processor)
    assert learned == shown > 0
    assert (batch["labels"] == batch["input_ids"]).all()

    # rows of another framework: the placeholder stays a text, and the picture comes first
    row = find_longest(exports / "ms-swift")
    batch = collate([list_columns(row, exports / "ms-swift", "messages")])
    text = processor.tokenizer.decode(batch["input_ids"][0])
    assert "<image>" in row["messages"][1]["content"]
    assert "<image>" in text
    assert not row["messages"][1]["content"].startswith("<image>")
    assert text.partition("<|im_start|>user\n")[2].startswith("<|vision_start|><|image_pad|>")


def test_with_assistant_only_loss_trl_learns_earlier_answers_too(
    exports: Path, tiny_models: Callable[[str], Path]
) -> None:
    import trl
    from trl.chat_template_utils import get_training_chat_template
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    with quiet_libraries():
        model = str(tiny_models("qwen2_5_vl"))
        processor = load_base(model, with_pictures=True, half=False, trust_remote_code=True).processor
    # the template of the real model
    (real,) = Path(trl.__file__).parent.glob("chat_templates/qwen2_5_vl.jinja")
    processor.chat_template = real.read_text(encoding="utf-8")
    collate = DataCollatorForVisionLanguageModeling(
        processor, assistant_only_loss=True, chat_template=get_training_chat_template(processor)
    )
    row = find_longest(exports / "conversation")
    messages = [*row["prompt"], *row["completion"]]
    batch = collate([{**list_columns(row, exports / "conversation"), "messages": messages}])
    answers = [one["content"][0]["text"] for one in messages if one["role"] == "assistant"]
    assert len(answers) > 2
    assert learned_text(batch, processor).replace("<|im_end|>", "").replace("\n", "") == "".join(
        answers
    ).replace("\n", "")
    assert count_learned_pictures(batch, processor)[0] == 0


def test_earlier_answers_of_a_conversation_are_marked_for_ms_swift(exports: Path) -> None:
    earlier = 0
    for row in rows_of(exports / "conversation-ms-swift"):
        *before, answer = row["messages"]
        assert answer.keys() == {"role", "content"}
        for message in before:
            assert message.get("loss") is (False if message["role"] == "assistant" else None)
            earlier += message["role"] == "assistant"
    assert earlier > 10
    assert all(
        message.keys() == {"role", "content"}
        for row in rows_of(exports / "ms-swift")
        for message in row["messages"]
    )


def test_messages_that_ms_swift_joins_are_counted_and_named(
    exports: Path, people: Path, tmp_path: Path
) -> None:
    rows = rows_of(exports / "conversation-ms-swift")
    joined = [
        row for row in rows if any(one["role"] == two["role"] for one, two in pairwise(row["messages"]))
    ]
    assert 0 < len(joined) < len(rows)
    assert check_export(exports / "conversation-ms-swift").joined == len(joined)
    assert check_export(exports / "ms-swift").joined == 0
    # TRL writes them as the model's template does
    assert check_export(exports / "conversation").joined == 0

    call = ["export", people, "--track", "execution", "--episodes", 1, "--max-pixels", 40_000]
    done = fingertip(
        *call, "--agent", "mai-ui", "--format", "ms-swift", "--out", tmp_path / "mai-ui", "--json"
    )
    assert done.returncode == 0
    assert "follow one another. ms-swift joins them" in done.stderr
    assert json.loads(done.stdout)["format"] == "ms-swift"
    done = fingertip(*call, "--agent", "gui-owl-1.5", "--format", "ms-swift", "--out", tmp_path / "gui-owl")
    assert done.returncode == 0
    assert "joins them" not in done.stderr


@pytest.mark.parametrize(
    ("architecture", "names", "reached"),
    [
        ("qwen2_5_vl", SEVEN, {"gate_proj", "up_proj", "down_proj"}),
        ("qwen2_5_vl", "all-linear", {"gate_proj", "up_proj", "down_proj", "qkv", "proj", "0", "2"}),
        ("qwen3_vl", SEVEN, set()),
        ("qwen3_vl", "all-linear", {"qkv", "proj", "linear_fc1", "linear_fc2"}),
        ("qwen2_5_vl", "page", set()),
        ("qwen3_vl", "page", set()),
        ("qwen2_5_vl", "pattern", set()),
        ("qwen3_vl", "pattern", set()),
        ("qwen2_5_vl", "finetune", set()),
        ("qwen3_vl", "finetune", set()),
    ],
)
def test_the_layers_of_the_vision_tower_that_an_adapter_reaches(
    architecture: str,
    names: Any,  # noqa: ANN401 - PEFT's names or pattern
    reached: set[str],
) -> None:
    from peft import LoraConfig, get_peft_model

    model = configured(architecture, tokenizer())
    if names == "page":
        names = yaml.safe_load(settings_file("dataset_name"))["lora_target_modules"]
    elif names == "pattern":
        (names,) = re.findall(r"`lora_target_modules: ([^`]+)`", PAGE)
    elif names == "finetune":
        names = target_pattern(model)
    with quiet_libraries():
        adapted = get_peft_model(model, LoraConfig(target_modules=names, task_type="CAUSAL_LM"))
    trained = [name.partition(".lora_A")[0] for name, _ in adapted.named_parameters() if ".lora_A" in name]
    assert {name.rpartition(".")[2] for name in trained if ".visual." in name} == reached
    assert any("language_model" in name for name in trained)


@pytest.mark.parametrize(
    "name", ["trl", "ms-swift", "llama-factory", "conversation", "conversation-ms-swift"]
)
def test_datasets_returns_the_rows_of_a_file_as_they_are(exports: Path, tmp_path: Path, name: str) -> None:
    from datasets import load_dataset

    loaded = load_dataset(
        "json", data_files=str(exports / name / "train.jsonl"), split="train", cache_dir=str(tmp_path)
    )
    assert list(loaded) == rows_of(exports / name)


@pytest.mark.parametrize("name", ["qwen2_5_vl", "qwen3_vl"])
def test_the_nulls_of_embedded_rows_are_no_text_of_a_prompt(
    exports: Path,
    processor: Any,  # noqa: ANN401
    tmp_path: Path,
    name: str,
) -> None:
    """A part of a Parquet file has every key: the text of a picture is null."""
    import trl
    from datasets import load_dataset

    template = (Path(trl.__file__).parent / "chat_templates" / f"{name}.jinja").read_text(encoding="utf-8")
    nulls = 0
    for ours in ("trl", "conversation"):
        file = exports / {"trl": "embedded", "conversation": "conversation-embedded"}[ours] / "train.parquet"
        loaded = load_dataset("parquet", data_files=str(file), split="train", cache_dir=str(tmp_path))
        for row, other in zip(rows_of(exports / ours), loaded, strict=True):
            texts = [
                processor.apply_chat_template(
                    [*one["prompt"], *one["completion"]], chat_template=template, tokenize=False
                )
                for one in (row, other)
            ]
            assert texts[0] == texts[1]
            nulls += any(part["text"] is None for one in other["prompt"] for part in one["content"])
    assert nulls > 10
