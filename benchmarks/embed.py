"""Encoding of 20,000 texts with 100 distinct ones, as Sim_1 does: each distinct text must be encoded once.

The baseline is the bare SentenceTransformer on the distinct texts. The model is a small BERT of random
weights, as the official one is a BERT. The variants alternate, on one thread, and are measured in CPU time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from fingertip_metrics import get_embedder
from fingertip_metrics.embedders import BATCH_SIZE

TEXTS, DISTINCT, ROUNDS = 20_000, 100, 7
GOAL = 1.3
CHARACTERS = "打开微信给妈发消息设闹钟点咖啡外卖用"
BARE, OURS = "bare SentenceTransformer, distinct texts", "our embedder, all texts"


def write_model(folder: Path) -> Path:
    """Write a SentenceTransformer of random weights; its speed matters here, its vectors do not."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Transformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling
    from transformers import BertConfig, BertModel, BertTokenizerFast

    bert, size = folder / "bert", 128
    bert.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *dict.fromkeys(CHARACTERS)]
    (bert / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    BertTokenizerFast(str(bert / "vocab.txt"), model_max_length=64).save_pretrained(bert)
    config = BertConfig(
        vocab_size=len(words), hidden_size=size, num_hidden_layers=4, num_attention_heads=4,
        intermediate_size=4 * size, max_position_embeddings=64,
    )  # fmt: skip
    BertModel(config).save_pretrained(bert)
    model = SentenceTransformer(modules=[Transformer(str(bert)), Pooling(size), Normalize()], device="cpu")
    model.save_pretrained(str(folder / "model"))
    return folder / "model"


def main() -> None:
    """Print CPU time of both variants and their ratio, the best of `ROUNDS` rounds."""
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    texts = [CHARACTERS[at % 13 : at % 13 + 4] + str(at) for at in range(DISTINCT)]
    with tempfile.TemporaryDirectory() as folder:
        path = str(write_model(Path(folder)))
        bare, ours = SentenceTransformer(path, device="cpu"), get_embedder(path)
    variants: dict[str, Callable[[], object]] = {
        BARE: lambda: bare.encode(
            texts, batch_size=BATCH_SIZE, normalize_embeddings=True, show_progress_bar=False
        ),
        OURS: lambda: ours.encode(texts * (TEXTS // DISTINCT)),
    }
    best = dict.fromkeys(variants, float("inf"))
    for _ in range(ROUNDS):
        for name, work in variants.items():
            start = time.process_time()
            work()
            best[name] = min(best[name], time.process_time() - start)
    print(f"{TEXTS} texts, {DISTINCT} distinct")
    for name, seconds in best.items():
        print(f"{name:<42}{seconds * 1000:>8.1f} ms")
    print(f"all texts / distinct ones {best[OURS] / best[BARE]:.2f} x, goal {GOAL}")


if __name__ == "__main__":
    main()
