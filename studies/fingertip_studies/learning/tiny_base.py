"""The base: a small Qwen3 or LFM2 trained from nothing on what strangers do, in minutes on a CPU."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import torch
from transformers import (
    Lfm2Config,
    Lfm2ForCausalLM,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    Qwen3Config,
    Qwen3ForCausalLM,
)

WARMUP, DECAY = 40, 0.4
"""Steps of warm-up, and the share of the last steps in which the rate falls to zero."""
LOGGED = 200
RECORD = "base.json"
CONVOLVED = 4
"""Tokens that a short convolution sees: an hour, a day, a place, and the first word of what was wanted."""
ROTATION = 10_000.0
"""Base of the rotary positions of LFM2; its default is for contexts a hundred times as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseOrder:
    """How a base is made.

    Attributes:
        steps: Optimizer steps.
        populations, users: Populations of strangers, and people of each.
        vocabulary: Number of tokens.
        batch: Rows of a step.
        learning_rate: Peak rate of AdamW.
        convolutions: Whether it is an LFM2, with a short convolution in place of attention in every other
            layer, which is the first one; else a Qwen3.
    """

    steps: int
    populations: int
    users: int
    vocabulary: int
    layers: int = 3
    hidden: int = 96
    heads: int = 2
    head_size: int = 64
    batch: int = 4
    learning_rate: float = 5e-3
    convolutions: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A row as tokens.

    Attributes:
        tokens: Ids.
        weights: Weight of each token in the loss; 0 for one that is not learned.
    """

    tokens: list[int]
    weights: list[float]


@dataclass(frozen=True, slots=True)
class Learned:
    """Scores of the rows of a step, by the weights before it.

    Attributes:
        loss: Weighted mean cross entropy of the learned tokens, nats.
        right: Share of the tokens of weight 1, those of answers, that are the model's first choice.
    """

    loss: float
    right: float


class Lessons(Protocol):
    """The rows and drills that a base learns."""

    @property
    def tokenizer(self) -> PreTrainedTokenizerFast:
        """The tokenizer, made for these rows."""

    def prepare(self, model: PreTrainedModel) -> None:
        """Train the new model on what has to be learned before."""

    def draw(self, rng: random.Random, done: float) -> Sequence[TokenRow]:
        """Draw the rows of a step; `done` is the finished share of the training, 0 to 1."""


def write_untrained(order: BaseOrder, tokenizer: PreTrainedTokenizerFast, out: Path) -> None:
    """Write the model with the first weights that `make_base` draws."""
    torch.manual_seed(order.seed)
    _make_model(order, tokenizer).save_pretrained(out)
    tokenizer.save_pretrained(out)


def make_base(order: BaseOrder, lessons: Lessons, out: Path) -> None:
    """Make the base and write it as a transformers checkpoint, with the record of how it was made."""
    torch.manual_seed(order.seed)
    model = _make_model(order, lessons.tokenizer)
    lessons.prepare(model)
    log = _train(model, lessons, order)
    model.save_pretrained(out)
    lessons.tokenizer.save_pretrained(out)
    record = {"order": asdict(order), "parameters": model.num_parameters(), "log": log}
    (out / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _make_model(order: BaseOrder, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    shared = {
        "vocab_size": len(tokenizer),
        "hidden_size": order.hidden,
        "intermediate_size": order.hidden * 5 // 2,
        "num_hidden_layers": order.layers,
        "num_attention_heads": order.heads,
        "num_key_value_heads": order.heads,
        "max_position_embeddings": 2048,
        "tie_word_embeddings": True,
        "bos_token_id": None,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
    }
    if not order.convolutions:
        return Qwen3ForCausalLM(Qwen3Config(**shared, head_dim=order.head_size, initializer_range=0.08))
    kinds = ["full_attention" if number % 2 else "conv" for number in range(order.layers)]
    return Lfm2ForCausalLM(
        Lfm2Config(
            **shared,
            layer_types=kinds,
            conv_L_cache=CONVOLVED,
            block_auto_adjust_ff_dim=False,
            rope_parameters={"rope_type": "default", "rope_theta": ROTATION},
            initializer_range=0.05,
        )
    )


def _train(model: PreTrainedModel, lessons: Lessons, order: BaseOrder) -> list[dict[str, float]]:
    learner = Learner(model, order.learning_rate, lambda step: _rate(step / order.steps, step))
    rng, begun, log, losses = random.Random(order.seed), time.process_time(), [], list[float]()  # noqa: S311
    for step in range(1, order.steps + 1):
        some = lessons.draw(rng, step / order.steps)
        losses.append(learner.learn(some, int(lessons.tokenizer.pad_token_id)).loss)
        if step % LOGGED == 0 or step == order.steps:
            cpu = time.process_time() - begun
            log.append({"step": step, "loss": round(sum(losses) / len(losses), 3), "cpu_s": round(cpu)})
            print(f"base: step {step} of {order.steps}, loss {log[-1]['loss']}, {cpu:.0f} s", flush=True)
            losses.clear()
    return log


class Learner:
    """AdamW with gradients of a norm of at most 1.

    Args:
        model: The model.
        rate: Peak rate.
        factor: Number of the step, from 0 -> factor of the rate.
    """

    def __init__(self, model: PreTrainedModel, rate: float, factor: Callable[[int], float]) -> None:
        self._model = model
        self._optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.95), weight_decay=0.01)
        self._schedule = torch.optim.lr_scheduler.LambdaLR(self._optimizer, factor)

    def learn(self, rows: Sequence[TokenRow], pad: int) -> Learned:
        """Make a step."""
        loss, right = scored(self._model, rows, pad)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        self._optimizer.step()
        self._schedule.step()
        self._optimizer.zero_grad()
        return Learned(float(loss.item()), right)


def _rate(done: float, step: int) -> float:
    return min(1.0, (step + 1) / WARMUP, max(0.0, 1 - done) / DECAY)


def token_row(
    tokenizer: PreTrainedTokenizerFast, chat: str, learned: Sequence[tuple[int, int, float]]
) -> TokenRow:
    """Tokens of a chat.

    Args:
        tokenizer: The tokenizer.
        chat: The text.
        learned: Begin, end and weight of the spans of characters that are learned, in order; a token is
            learned if it begins in one.
    """
    encoded = tokenizer(chat, add_special_tokens=False, return_offsets_mapping=True)
    weights, spans = [], list(learned)
    for begin, _ in encoded["offset_mapping"]:
        while spans and begin >= spans[0][1]:
            del spans[0]
        weights.append(spans[0][2] if spans and begin >= spans[0][0] else 0.0)
    return TokenRow(encoded["input_ids"], weights)


def scored(model: PreTrainedModel, rows: Sequence[TokenRow], pad: int) -> tuple[torch.Tensor, float]:
    """Loss of the rows, nats, and the share of right tokens; see `Learned`."""
    longest = max(len(row.tokens) for row in rows)
    tokens = torch.full((len(rows), longest), pad)
    weights = torch.zeros(len(rows), longest)
    for at, row in enumerate(rows):
        tokens[at, : len(row.tokens)] = torch.tensor(row.tokens)
        weights[at, : len(row.tokens)] = torch.tensor(row.weights)
    # padding is on the right, and attention is causal: no token sees it
    hidden = model.model(input_ids=tokens).last_hidden_state[:, :-1]
    following, weights = tokens[:, 1:], weights[:, 1:]
    learned = weights > 0
    wanted, weights = following[learned], weights[learned]
    logits = model.lm_head(hidden[learned])
    each = torch.nn.functional.cross_entropy(logits, wanted, reduction="none")
    answers = weights == 1.0
    right = (logits.detach().argmax(dim=-1) == wanted)[answers].float().mean()
    return (each * weights).sum() / weights.sum(), float(right)
