"""Samples as ms-swift makes them of an export, by its own loader, template and processor; then it trains.

Runs in the environment of ms-swift: OUT.json and the arguments of `swift sft` or `swift rlhf`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import torch

# The wheel of torchvision has its compiled part for CUDA alone, and without it is refused over two operators
# that no picture needs: they are declared, and its code in Python is used as it is.
_DECLARED = torch.library.Library("torchvision", "DEF")
for _name in ("nms", "qnms"):
    _DECLARED.define(f"{_name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")


def main(out: Path, arguments: list[str]) -> None:
    from swift.pipelines.train.rlhf import SwiftRLHF
    from swift.pipelines.train.sft import SwiftSft

    of_pairs = "--rlhf_type" in arguments
    training = (SwiftRLHF if of_pairs else SwiftSft)(arguments)
    # a constant there, which is that of Qwen's own vocabulary; the tiny model has a smaller one
    training.template.image_token_id = training.tokenizer.convert_tokens_to_ids(
        training.processor.image_token
    )
    rows, _ = training.args.load_dataset()
    describe = _pair if of_pairs else _sample
    samples = [describe(training.template.encode(dict(row)), training) for row in rows]
    out.write_text(json.dumps(samples, ensure_ascii=False), encoding="utf-8")
    training.main()


def _pair(encoded: dict[str, Any], training: Any) -> dict[str, str]:  # noqa: ANN401
    return {
        name: training.tokenizer.decode([label for label in encoded[f"{name}_labels"] if label >= 0])
        for name in ("chosen", "rejected")
    }


def _sample(encoded: dict[str, Any], training: Any) -> dict[str, Any]:  # noqa: ANN401
    grids = encoded.get("image_grid_thw")
    return {
        "text": training.tokenizer.decode(encoded["input_ids"]),
        "learned": training.tokenizer.decode([label for label in encoded["labels"] if label >= 0]),
        "image_tokens": encoded["input_ids"].count(training.template.image_token_id),
        "pictures": [] if grids is None else [grid.prod().item() // 4 for grid in grids],
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
