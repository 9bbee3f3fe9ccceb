"""Training on preference pairs: TRL's DPOTrainer, with the base as the reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fingertip_dataset.errors import UsageError
from fingertip_training.finetune.base_model import BaseModel
from fingertip_training.finetune.finetune_settings import FinetuneSettings, PairSettings
from fingertip_training.finetune.sft_rows import (
    TrainingRows,
    check_sample,
    list_answer_columns,
    read_lines,
)

if TYPE_CHECKING:
    from datasets import Dataset

_TOKENS = ("prompt_ids", "chosen_ids", "rejected_ids")
"""Columns of tokens that TRL makes of a pair of texts."""

_REFERENCE = ("ref_chosen_logps", "ref_rejected_logps")
"""Columns of the reference's log probabilities of both answers."""


def make_pair_trainer(
    base: BaseModel,
    adapter: Any,  # noqa: ANN401
    dataset: Dataset,
    arguments: Any,  # noqa: ANN401
    callbacks: Sequence[Any] | None,
) -> Any:  # noqa: ANN401 - trl is imported late
    """Make the trainer of pairs.

    The reference is the base as it is before the first step. Of texts its log probabilities are computed
    once, before training; of pictures in each step, by switching the adapter off.

    Args:
        base: The base model.
        adapter: Configuration of the adapter; None for all weights.
        dataset: The pairs as a dataset.
        arguments: The arguments of `make_pair_arguments`.
        callbacks: Callbacks of the trainer.

    Raises:
        UsageError: Pairs with pictures train an adapter only.
    """
    from trl.trainer.dpo_trainer import DPOTrainer

    if adapter is None and not arguments.precompute_ref_log_probs:
        raise UsageError("pairs with pictures train an adapter: give --rank a number")
    return DPOTrainer(
        model=base.model,
        args=arguments,
        train_dataset=dataset,
        processing_class=base.processor,
        peft_config=adapter,
        callbacks=callbacks,
    )


def make_pair_arguments(shared: dict[str, Any], settings: FinetuneSettings, *, with_pictures: bool) -> Any:  # noqa: ANN401
    """Make the arguments of a training on pairs.

    Args:
        shared: Arguments that it has in common with a training on single answers.
        settings: Settings that `read_settings` read for pairs.
        with_pictures: Whether a row has a picture.

    Raises:
        UsageError: The settings are not those of pairs.
    """
    from trl.trainer.dpo_config import DPOConfig

    if not isinstance(settings, PairSettings):
        raise UsageError("preference pairs need their own settings: read_settings(..., pairs=True)")
    weights = {"sigmoid": 1.0, "sft": settings.answer_weight}
    losses = [name for name, weight in weights.items() if weight]
    return DPOConfig(
        **shared,
        beta=settings.beta,
        loss_type=losses,
        loss_weights=[weights[name] for name in losses],
        precompute_ref_log_probs=not with_pictures,
    )


def check_pairs(rows: TrainingRows, processor: Any, *, longest: int | None, max_length: int | None) -> None:  # noqa: ANN401
    """Check all pairs of texts before training.

    Args:
        rows: The pairs.
        processor: Processor of the base, or the tokenizer of a text model.
        longest: Maximum tokens of a sequence; None for no limit.
        max_length: Tokens after which a sequence is cut; None for no cut.

    Raises:
        InputError: A pair is too long, or nothing of an answer is left.
        DatasetError: A line is not as TRL reads it.
    """
    tokenizer = getattr(processor, "tokenizer", processor)

    def count(messages: Sequence[Any], *, open_end: bool = False) -> int:
        text = processor.apply_chat_template(messages, tokenize=False, add_generation_prompt=open_end)
        return len(tokenizer(text, add_special_tokens=False)["input_ids"])

    for line, _, row in read_lines(rows.file):
        prompt = count(row["prompt"], open_end=True)
        for name in list_answer_columns(True):
            tokens = count([*row["prompt"], *row[name]])
            kept = tokens if max_length is None else min(tokens, max_length)
            check_sample(kept, kept > prompt, longest, file=rows.file, line=line)


def keep_tokens(dataset: Dataset) -> Dataset:
    """Leave what training needs of the pairs that TRL has made of texts."""
    return dataset.select_columns([*_TOKENS, *(name for name in _REFERENCE if name in dataset.column_names)])
