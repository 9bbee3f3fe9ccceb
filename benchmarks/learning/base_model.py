"""The base: a small Qwen3 trained from nothing on the months of strangers, in minutes on a CPU."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

from benchmarks.learning.base_rows import BaseRow, BaseRows, make_rows
from benchmarks.learning.tiny_tokenizer import make_tokenizer

IGNORED = -100
WARMUP, DECAY = 40, 0.4
"""Steps of warm-up, and the share of the last steps in which the rate falls to zero."""
LOGGED = 200
RECORD = "base.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseOrder:
    """How the base is made.

    Attributes:
        steps: Optimizer steps.
        populations, users: Populations of strangers, and people of each.
        batch: Rows with history of a step; of rows without history four times as many.
        plain_share: Share of the steps with rows without history.
        repeated_share: Share of the other steps with repeated rows; it falls with the training.
        learning_rate: Peak rate of AdamW.
    """

    steps: int
    populations: int
    users: int = 50
    vocabulary: int = 2500
    layers: int = 3
    hidden: int = 96
    heads: int = 2
    head_size: int = 64
    batch: int = 4
    plain_share: float = 0.2
    repeated_share: float = 0.4
    learning_rate: float = 5e-3
    seed: int = 0


TokenRow = tuple[list[int], list[int]]
"""Token ids, and labels."""


def make_base(order: BaseOrder, out: Path) -> None:
    """Make the base and write it as a transformers checkpoint, with the record of how it was made."""
    torch.manual_seed(order.seed)
    begun = time.process_time()
    rows = make_rows(order.populations, order.users)
    tokenizer = make_tokenizer([row.chat for row in rows.history[:1500]], rows.system, order.vocabulary)
    print(
        f"base: {len(rows.history)} rows, {len(tokenizer)} tokens, {time.process_time() - begun:.0f} s",
        flush=True,
    )
    model = _new_model(order, tokenizer)
    log = _train(model, tokenizer, rows, order)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    record = {"order": asdict(order), "parameters": model.num_parameters(), "log": log}
    (out / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _new_model(order: BaseOrder, tokenizer: PreTrainedTokenizerFast) -> Qwen3ForCausalLM:
    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=order.hidden,
            intermediate_size=order.hidden * 5 // 2,
            num_hidden_layers=order.layers,
            num_attention_heads=order.heads,
            num_key_value_heads=order.heads,
            head_dim=order.head_size,
            initializer_range=0.08,
            max_position_embeddings=2048,
            tie_word_embeddings=True,
            bos_token_id=None,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def _train(
    model: Qwen3ForCausalLM, tokenizer: PreTrainedTokenizerFast, rows: BaseRows, order: BaseOrder
) -> list[dict[str, float]]:
    plain, history, repeated = (
        [token_row(tokenizer, row) for row in kind] for kind in (rows.plain, rows.history, rows.repeated)
    )
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=order.learning_rate, betas=(0.9, 0.95), weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step / order.steps, step))
    rng, begun, log, losses = random.Random(order.seed), time.process_time(), [], list[float]()  # noqa: S311
    for step in range(1, order.steps + 1):
        fading = max(0.2, 1 - 1.5 * step / order.steps)
        if rng.random() < order.plain_share:
            some = rng.sample(plain, 4 * order.batch)
        else:
            some = rng.sample(
                repeated if rng.random() < order.repeated_share * fading else history, order.batch
            )
        loss = loss_of(model, some, int(tokenizer.pad_token_id))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        losses.append(loss.item())
        if step % LOGGED == 0 or step == order.steps:
            cpu = time.process_time() - begun
            log.append({"step": step, "loss": round(sum(losses) / len(losses), 3), "cpu_s": round(cpu)})
            print(f"base: step {step} of {order.steps}, loss {log[-1]['loss']}, {cpu:.0f} s", flush=True)
            losses.clear()
    return log


def _rate(done: float, step: int) -> float:
    return min(1.0, (step + 1) / WARMUP, max(0.0, 1 - done) / DECAY)


def token_row(tokenizer: PreTrainedTokenizerFast, row: BaseRow) -> TokenRow:
    """Tokens of a row; labels stand where a token begins in a learned span."""
    encoded = tokenizer(row.chat, add_special_tokens=False, return_offsets_mapping=True)
    labels, spans = [], list(row.learned)
    for token, (begin, _) in zip(encoded["input_ids"], encoded["offset_mapping"], strict=True):
        while spans and begin >= spans[0][1]:
            del spans[0]
        labels.append(token if spans and begin >= spans[0][0] else IGNORED)
    return encoded["input_ids"], labels


def loss_of(model: Qwen3ForCausalLM, rows: Sequence[TokenRow], pad: int) -> torch.Tensor:
    """Mean cross entropy of the labelled tokens, nats."""
    longest = max(len(tokens) for tokens, _ in rows)
    tokens = torch.full((len(rows), longest), pad)
    labels = torch.full((len(rows), longest), IGNORED)
    for at, (own, wanted) in enumerate(rows):
        tokens[at, : len(own)], labels[at, : len(own)] = torch.tensor(own), torch.tensor(wanted)
    # padding is on the right, and attention is causal: no token sees it
    hidden = model.model(input_ids=tokens).last_hidden_state[:, :-1]
    following = labels[:, 1:]
    learned = following != IGNORED
    return torch.nn.functional.cross_entropy(model.lm_head(hidden[learned]), following[learned])
