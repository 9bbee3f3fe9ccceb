"""Tokens of samples with pictures, measured before training, are those that TRL's collator makes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from fingertip_dataset.errors import DatasetError, InputError
from fingertip_training.finetune.base_model import load_base
from fingertip_training.finetune.finetune_settings import read_settings
from fingertip_training.finetune.sample_lengths import check_lengths, sample_lengths
from fingertip_training.finetune.sft_rows import LINE, read_rows
from fingertip_training.finetune.sft_training import quiet_libraries, train

SIZES = ((56, 56), (270, 600), (600, 270), (1080, 2400), (30, 900))


def write_rows(folder: Path, pictures: Sequence[Sequence[tuple[int, int]]]) -> Path:
    """Write a row for each list of sizes of pictures."""
    (folder / "images").mkdir(parents=True)
    with (folder / "train.jsonl").open("w", encoding="utf-8") as file:
        for number, sizes in enumerate(pictures):
            names = [f"images/{number}-{at}.png" for at in range(len(sizes))]
            for name, size in zip(names, sizes, strict=True):
                Image.new("RGB", size, (number * 20, 0, 90)).save(folder / name, compress_level=0)
            row = {
                "images": names,
                "prompt": [
                    {"role": "system", "content": "你看着截图。"},
                    {"role": "user", "content": "看" * (number + 1)},
                ],
                "completion": [{"role": "assistant", "content": f"click({number}, 7)"}],
                "episode_id": f"1001__2025031{number}_080000",
                "step": number,
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return folder


@pytest.mark.parametrize("architecture", ["qwen2_5_vl", "qwen3_vl"])
def test_the_tokens_are_those_of_the_batches(
    tiny_models: Callable[[str], Path], tmp_path: Path, architecture: str
) -> None:
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    rows = read_rows(write_rows(tmp_path / "rows", [[], *([size] for size in SIZES), SIZES[:2]]))
    with quiet_libraries():
        base = load_base(
            str(tiny_models(architecture)), with_pictures=True, half=False, trust_remote_code=True
        )
        collate = DataCollatorForVisionLanguageModeling(base.processor, completion_only_loss=True)
        made = []
        for row in rows.dataset(tmp_path / "arrow", with_images=True):
            line = row.pop(LINE)
            batch = collate([row])
            learned = int((batch["labels"] != -100).sum())
            made.append((line, int(batch["attention_mask"].sum()) - learned, learned))
        measured = [(one.line, one.prompt, one.answer) for one in sample_lengths(rows, base.processor)]
    assert measured == made
    assert len({prompt for _, prompt, _ in measured}) == len(measured)


def test_each_sample_that_is_too_long_is_one_line_before_training(
    tiny_models: Callable[[str], Path], tmp_path: Path
) -> None:
    """The longest text has no picture, and of eleven samples the last one alone has many pictures."""
    rows = read_rows(write_rows(tmp_path / "rows", [*([[]] * 10), [(1080, 2400)] * 3]))
    with quiet_libraries():
        base, other = (
            load_base(str(folder), with_pictures=True, half=False, trust_remote_code=True)
            for folder in [tiny_models("qwen2_5_vl")] * 2
        )
        lengths = list(sample_lengths(rows, base.processor))
        longest = lengths[-1].prompt + lengths[-1].answer
        lines = check_lengths(rows, base.processor, longest=longest, max_length=None)
        assert lines[:2] == [11, 10]
        chosen = read_settings(lines=["max_steps=1", "batch_size=1"]).values
        place = r"file .*train.jsonl, line 11, episode 1001__202503110_080000"
        with pytest.raises(InputError, match=rf"of step 10 has {longest} tokens, the base takes .*{place}"):
            train(replace(base, longest=longest - 1), rows, tmp_path / "work", chosen)
        cut = read_settings(lines=["max_steps=1", "batch_size=1", f"max_length={lengths[-1].prompt}"]).values
        with pytest.raises(InputError, match=rf"has no token of its answer left to learn.*{place}"):
            train(other, rows, tmp_path / "cut", cut)
    assert not list(tmp_path.glob("*/checkpoints/*"))


def test_a_picture_that_is_none_is_one_line(tiny_models: Callable[[str], Path], tmp_path: Path) -> None:
    rows = read_rows(write_rows(tmp_path / "rows", [[(56, 56)]]))
    (tmp_path / "rows" / "images" / "0-0.png").write_bytes(b"GIF8")
    base = load_base(str(tiny_models("qwen2_5_vl")), with_pictures=True, half=False, trust_remote_code=True)
    with pytest.raises(DatasetError, match=r"picture images/0-0.png cannot be read: export again .*line 1"):
        list(sample_lengths(rows, base.processor))
