"""Samples as LLaMA-Factory makes them of an export: its own loader, template, processor and collator.

Runs in the environment of LLaMA-Factory: SETTINGS.yaml OUT.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml
from llamafactory.data import (
    SFTDataCollatorWith4DAttentionMask,
    get_dataset,
    get_template_and_fix_tokenizer,
)
from llamafactory.hparams import get_train_args
from llamafactory.model import load_tokenizer


def main(settings: Path, out: Path) -> None:
    model, data, training, _, _ = get_train_args(yaml.safe_load(settings.read_text(encoding="utf-8")))
    words = load_tokenizer(model)
    template = get_template_and_fix_tokenizer(words["tokenizer"], data)
    if _is_of_pairs(settings):
        pairs = get_dataset(template, model, data, training, stage="rm", **words)["train_dataset"]
        out.write_text(json.dumps([_pair(row, words) for row in pairs], ensure_ascii=False))
        return
    samples = get_dataset(template, model, data, training, stage="sft", **words)["train_dataset"]
    collate = SFTDataCollatorWith4DAttentionMask(template=template, **words)
    out.write_text(json.dumps([_sample(row, collate, words) for row in samples], ensure_ascii=False))


def _is_of_pairs(settings: Path) -> bool:
    return bool(yaml.safe_load(settings.read_text(encoding="utf-8"))["stage"] == "dpo")


def _pair(row: dict[str, Any], words: dict[str, Any]) -> dict[str, str]:
    return {
        name: words["tokenizer"].decode([label for label in row[f"{name}_labels"] if label >= 0])
        for name in ("chosen", "rejected")
    }


def _sample(row: dict[str, Any], collate: Any, words: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401
    batch = collate([dict(row)])
    labels = batch["labels"][0]
    # of a text alone it makes a batch with a picture that is masked
    grids = batch["image_grid_thw"] if row["images"] else ()
    image = words["tokenizer"].convert_tokens_to_ids(words["processor"].image_token)
    return {
        "text": words["tokenizer"].decode(row["input_ids"]),
        "learned": words["tokenizer"].decode(labels[labels >= 0]),
        "image_tokens": row["input_ids"].count(image),
        "pictures": [grid.prod().item() // 4 for grid in grids],
    }


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
