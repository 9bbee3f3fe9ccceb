"""Training on preference pairs: the better answer gains on the worse one; broken pairs are refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fingertip_dataset.errors import DatasetError, InputError, UsageError
from fingertip_training.finetune.base_model import load_base
from fingertip_training.finetune.finetune_settings import ChosenSettings, PairSettings, read_settings
from fingertip_training.finetune.sft_rows import read_rows
from fingertip_training.finetune.sft_training import quiet_libraries, train

pytestmark = pytest.mark.early

SMALL = (
    "max_steps=6", "batch_size=2", "device_batch_size=2", "learning_rate=2e-2", "full_learning_rate=5e-3",
    "gradient_checkpointing=off", "checkpoints=1",
)  # fmt: skip


def settings(*lines: str, rank: object = 4) -> ChosenSettings:
    return read_settings(None, [*SMALL, *lines], {"rank": rank}, pairs=True)


def write_pairs(folder: Path, *, pictures: bool = False) -> Path:
    folder.mkdir()
    with (folder / "train.jsonl").open("w", encoding="utf-8") as file:
        for number in range(4):
            row: dict[str, Any] = {"prompt": [{"role": "user", "content": f"看{number}"}]}
            row |= {
                name: [{"role": "assistant", "content": text}]
                for name, text in (("chosen", "nothing"), ("rejected", f"open maps {number}"))
            }
            if pictures:
                Image.new("RGB", (56, 56), (number * 60, 0, 90)).save(folder / f"{number}.png")
                row["images"] = [f"{number}.png"]
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return folder


def margin(base: Any, folder: Path) -> float:  # noqa: ANN401 - a loaded base
    """How much likelier the better answers are than the worse ones, nats a row."""
    import torch

    total = 0.0
    for line in (folder / "train.jsonl").read_text().splitlines():
        row = json.loads(line)
        begin = base.processor.apply_chat_template(row["prompt"], tokenize=False, add_generation_prompt=True)
        prompted = base.processor(begin, add_special_tokens=False)["input_ids"]
        for name, sign in (("chosen", 1), ("rejected", -1)):
            written = base.processor(row[name][0]["content"], add_special_tokens=False)["input_ids"]
            tokens = torch.tensor([prompted + written])
            with torch.no_grad():
                chances = base.model(tokens).logits[0, len(prompted) - 1 : -1].log_softmax(-1)
            total += sign * chances.gather(1, tokens[0, len(prompted) :, None]).sum().item()
    return total / 4


def test_the_better_answer_gains_on_the_worse_one(text_model: Path, tmp_path: Path) -> None:
    folder = write_pairs(tmp_path / "rows")
    with quiet_libraries():
        base = load_base(str(text_model), with_pictures=False, half=False)
        before = margin(base, folder)
        outcome = train(base, read_rows(folder), tmp_path / "work", settings(rank="full").values)
    # log 2 is the loss of a model that has not moved from its base; the answer's own loss is added to it
    assert outcome.losses[-1][1] < outcome.losses[0][1]
    assert margin(base, folder) > before + 5


def test_an_adapter_is_trained_and_the_weight_of_the_answer_is_part_of_the_loss(
    text_model: Path, tmp_path: Path
) -> None:
    rows = read_rows(write_pairs(tmp_path / "rows"))
    first = []
    with quiet_libraries():
        for weight in (0, 1):
            base = load_base(str(text_model), with_pictures=False, half=False)
            chosen = settings("max_steps=1", f"answer_weight={weight}").values
            outcome = train(base, rows, tmp_path / f"work-{weight}", chosen)
            first.append(outcome.losses[0][1])
            assert outcome.trained_parameters < outcome.parameters / 2
            assert list(outcome.checkpoints[-1].glob("adapter_model.safetensors"))
    assert first[0] == pytest.approx(0.693, abs=0.001)
    assert first[1] > first[0] + 1


@pytest.mark.soak
def test_pairs_with_pictures_train_the_adapter_of_a_vision_model(
    tiny_models: Callable[[str], Path], tmp_path: Path
) -> None:
    rows = read_rows(write_pairs(tmp_path / "rows", pictures=True))
    with quiet_libraries():
        base = load_base(
            str(tiny_models("qwen2_5_vl")), with_pictures=True, half=False, trust_remote_code=True
        )
        with pytest.raises(UsageError, match="pairs with pictures train an adapter"):
            train(base, rows, tmp_path / "full", settings(rank="full").values)
        outcome = train(base, rows, tmp_path / "work", settings().values)
    assert outcome.losses[-1][1] < outcome.losses[0][1]


def test_a_pair_that_is_cut_or_broken_is_one_line(text_model: Path, tmp_path: Path) -> None:
    folder = write_pairs(tmp_path / "rows")
    with quiet_libraries():
        base = load_base(str(text_model), with_pictures=False, half=False)
        with pytest.raises(InputError, match=r"no token of its answer left to learn.*line 1"):
            train(base, read_rows(folder), tmp_path / "cut", settings("max_length=4").values)
        with pytest.raises(UsageError, match="preference pairs need their own settings"):
            train(base, read_rows(folder), tmp_path / "sft", read_settings(lines=SMALL).values)
    file = folder / "train.jsonl"
    lines = file.read_text().splitlines()
    one = {
        "prompt": [{"role": "user", "content": "a"}],
        "completion": [{"role": "assistant", "content": "b"}],
    }
    file.write_text("\n".join([*lines, json.dumps(one)]))
    with pytest.raises(DatasetError, match="some rows are preference pairs and others are not"):
        read_rows(folder)
    file.write_text(json.dumps({"prompt": one["prompt"], "rejected": one["completion"]}))
    with pytest.raises(DatasetError, match="expected a row with a prompt and a completion"):
        read_rows(folder)


def test_the_settings_of_pairs_are_those_of_answers_and_two_more() -> None:
    ours, pairs = read_settings(), read_settings(pairs=True)
    assert isinstance(pairs.values, PairSettings)
    assert set(pairs.origins) - set(ours.origins) == {"beta", "answer_weight"}
    assert pairs.values.learning_rate < ours.values.learning_rate
    assert (pairs.values.rank, pairs.origins["rank"]) == (4, "paper")
    with pytest.raises(UsageError, match="there is no setting 'beta'"):
        read_settings(lines=["beta=0.2"])
    with pytest.raises(UsageError, match="the setting beta cannot be 0"):
        read_settings(lines=["beta=0"], pairs=True)
