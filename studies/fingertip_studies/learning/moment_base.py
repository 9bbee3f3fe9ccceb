"""The small base for moments: that of track 1, whose tokenizer also knows the lines and forms of moments."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken
from transformers import AutoModelForCausalLM, AutoTokenizer

from fingertip_training.moment_samples import write_answer

SHARE_OF_PROMPTS = 4
"""A line that is in more than one of so many prompts becomes a token."""


def make_moment_base(base: Path, rows: Path, out: Path) -> Path:
    """Write a base whose tokenizer has the constant lines of the prompts of moments as one token each.

    The new tokens begin at the mean of all, with some noise, as nothing has been learned of them.

    Args:
        base: Folder of a base of `fingertip_studies.learning`.
        rows: train.jsonl of an export of moments for TRL.
        out: Folder to write.
    """
    tokenizer, model = AutoTokenizer.from_pretrained(base), AutoModelForCausalLM.from_pretrained(base)
    known = set(tokenizer.get_vocab())
    wanted = [text for text in (*_list_forms(), *find_constant_lines(_read(rows))) if text not in known]
    tokenizer.add_tokens([AddedToken(text, normalized=False) for text in wanted])
    torch.manual_seed(0)
    model.resize_token_embeddings(len(tokenizer), mean_resizing=True)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return out


def find_constant_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Find the system messages and the lines that many prompts share, in their order."""
    systems = Counter(row["prompt"][0]["content"] for row in rows)
    lines = Counter(line for row in rows for line in set(row["prompt"][1]["content"].split("\n")))
    few = len(rows) / SHARE_OF_PROMPTS
    return [*systems, *(line for line, count in lines.items() if count > few and line[3:])]


def _list_forms() -> Iterator[str]:
    """Text around the intent in an answer, and what an answer with nothing is."""
    yield from write_answer("|").split("|")
    yield write_answer("")


def _read(rows: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
