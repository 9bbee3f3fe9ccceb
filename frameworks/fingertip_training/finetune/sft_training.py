"""The training itself: a trainer of TRL over exported rows, with checkpoints from which it goes on."""

from __future__ import annotations

import logging
import math
import os
import shutil
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import MissingExtraError, UsageError
from fingertip_training.finetune.base_model import BaseModel, freeze_all_but_language, target_pattern
from fingertip_training.finetune.finetune_settings import FinetuneSettings
from fingertip_training.finetune.pair_training import (
    check_pairs,
    keep_tokens,
    make_pair_arguments,
    make_pair_trainer,
)
from fingertip_training.finetune.processes import HOURS_TO_WAIT
from fingertip_training.finetune.sample_lengths import check_lengths
from fingertip_training.finetune.sft_rows import (
    CheckedCollator,
    TrainingRows,
    check_prepared,
    leave_line_out,
    make_longest,
)

STATE = "trainer_state.json"
"""Name of the file that is written last into a checkpoint."""

_RECOMPUTE = {"gradient_checkpointing", "activation_checkpointing"}
"""Names of one setting in older and newer versions of transformers, which warns of the older one alone."""

Progress = Callable[[str, int, int], None]
"""Called with a stage, the items done, and the items in total."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOutcome:
    """Result of a training.

    Attributes:
        steps: Optimizer steps.
        losses: (step, mean training loss since the line before).
        trained_parameters: Number of weights that were trained.
        parameters: Number of weights of the model, adapter included.
        seconds: Duration of this call's part.
        checkpoints: Folders of the checkpoints, in order.
    """

    steps: int
    losses: tuple[tuple[int, float], ...]
    trained_parameters: int
    parameters: int
    seconds: float
    checkpoints: tuple[Path, ...]


def on_gpu() -> bool:
    """Whether there is a GPU.

    Raises:
        MissingExtraError: torch is not installed.
    """
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError("torch", "train") from error
    return bool(torch.cuda.is_available())


def half_precision(settings: FinetuneSettings) -> bool:
    """Whether the training computes in bfloat16.

    Raises:
        UsageError: Asked for on a machine without a GPU that has it.
    """
    import torch

    able = torch.cuda.is_available() and torch.cuda.is_bf16_supported()
    if settings.precision == "bf16" and not able:
        raise UsageError("the setting precision = bf16 needs a GPU that has it: leave it at auto")
    return able and settings.precision != "fp32"


def list_finished_checkpoints(folder: Path) -> list[Path]:
    """Checkpoints that were written to the end, in order; others are removed."""
    found = {}
    for checkpoint in folder.glob("checkpoint-*"):
        if (checkpoint / STATE).is_file():
            found[int(checkpoint.name.rpartition("-")[2])] = checkpoint
        else:
            shutil.rmtree(checkpoint, ignore_errors=True)
    return [found[step] for step in sorted(found)]


def train(
    base: BaseModel,
    rows: TrainingRows,
    work: Path,
    settings: FinetuneSettings,
    *,
    processes: int = 1,
    on_progress: Progress | None = None,
) -> TrainingOutcome:
    """Train an adapter, or the language part, and go on from the last checkpoint in `work`.

    Args:
        base: The base model; its weights are changed.
        rows: The samples.
        work: Folder of checkpoints and caches.
        settings: The settings.
        processes: Number of processes that train together.
        on_progress: Called with a stage, its items done and all items: at last ("steps trained", steps, all
            steps).

    Raises:
        UsageError: The batch cannot be divided among the processes.
        InputError: A sample has no label, or is too long for the base.
    """
    report = on_progress or (lambda *_: None)
    report("tokenizing the samples", 0, 0)
    trainer = _make_trainer(base, rows, work, settings, processes, on_progress)
    _check_samples(trainer, base, rows, settings, on_progress)
    weights = [(weight.numel(), weight.requires_grad) for weight in trainer.model.parameters()]
    before = list_finished_checkpoints(work / "checkpoints")
    result = trainer.train(resume_from_checkpoint=str(before[-1]) if before else None)
    trainer.accelerator.wait_for_everyone()
    history = [line for line in trainer.state.log_history if "loss" in line]
    return TrainingOutcome(
        steps=trainer.state.global_step,
        losses=tuple((int(line["step"]), float(line["loss"])) for line in history),
        trained_parameters=sum(count for count, trained in weights if trained),
        parameters=sum(count for count, _ in weights),
        seconds=float(result.metrics["train_runtime"]),
        checkpoints=tuple(list_finished_checkpoints(work / "checkpoints")),
    )


def _make_trainer(
    base: BaseModel,
    rows: TrainingRows,
    work: Path,
    settings: FinetuneSettings,
    processes: int,
    on_progress: Progress | None,
) -> Any:  # noqa: ANN401 - trl is imported late
    from transformers import set_seed
    from transformers.trainer_callback import PrinterCallback
    from trl.trainer.sft_trainer import SFTTrainer

    arguments = _make_arguments(work, settings, rows, processes)
    # the adapter's first weights are drawn
    set_seed(settings.seed)
    if settings.full:
        freeze_all_but_language(base.model)
    adapter = None if settings.full else _configure_adapter(base.model, settings)
    # a pair has a column of pictures only if there are some: TRL takes its texts otherwise
    with_images = rows.pictures > 0 if rows.pairs else base.has_vision
    dataset = rows.dataset(work / "rows", with_images=with_images)
    callbacks = [_progress_callback(on_progress)] if on_progress else None
    if rows.pairs:
        if not rows.pictures:
            # TRL weighs the pairs by the base while it is made, which takes long
            cut = settings.max_length or None
            check_pairs(rows, base.processor, longest=base.longest, max_length=cut)
        trainer = make_pair_trainer(base, adapter, dataset, arguments, callbacks)
    else:
        trainer = SFTTrainer(
            model=base.model if adapter is None else _add_adapter(base.model, adapter),
            args=arguments,
            train_dataset=dataset,
            processing_class=base.processor,
            callbacks=callbacks,
        )
    # it prints on standard output, which may be one JSON object
    trainer.remove_callback(PrinterCallback)
    return trainer


def _configure_adapter(model: Any, settings: FinetuneSettings) -> Any:  # noqa: ANN401
    from peft import LoraConfig

    return LoraConfig(
        r=int(settings.rank),
        lora_alpha=max(1, round(settings.alpha_per_rank * int(settings.rank))),
        lora_dropout=settings.dropout,
        target_modules=target_pattern(model),
        task_type="CAUSAL_LM",
    )


def _add_adapter(model: Any, config: Any) -> Any:  # noqa: ANN401
    from peft import get_peft_model

    # FSDP shards only weights of one type
    sharded = os.environ.get("ACCELERATE_USE_FSDP", "").lower() == "true"
    return get_peft_model(model, config, autocast_adapter_dtype=not sharded)


def _make_arguments(work: Path, settings: FinetuneSettings, rows: TrainingRows, processes: int) -> Any:  # noqa: ANN401
    from trl.trainer.sft_config import SFTConfig

    shared = _list_shared_arguments(work, settings, rows.count, processes)
    if rows.pairs:
        return make_pair_arguments(shared, settings, with_pictures=rows.pictures > 0)
    return SFTConfig(**shared, completion_only_loss=True)


def _list_shared_arguments(
    work: Path, settings: FinetuneSettings, samples: int, processes: int
) -> dict[str, Any]:
    """Arguments of a training on single answers and of one on pairs."""
    from trl.trainer.sft_config import SFTConfig

    gpu = on_gpu()
    together = settings.device_batch_size * processes
    if settings.batch_size % together:
        raise UsageError(
            f"the batch of {settings.batch_size} samples cannot be divided among {processes} processes of "
            f"{settings.device_batch_size}: set batch_size to a multiple of {together}"
        )
    steps = settings.max_steps or math.ceil(math.ceil(samples / settings.batch_size) * settings.epochs)
    recompute = settings.gradient_checkpointing
    named = {field.name for field in fields(SFTConfig)}
    recomputed: Any = dict.fromkeys(named & _RECOMPUTE, gpu if recompute == "auto" else recompute == "on")
    return {
        "output_dir": str(work / "checkpoints"),
        "max_steps": steps,
        "per_device_train_batch_size": settings.device_batch_size,
        "gradient_accumulation_steps": settings.batch_size // together,
        "learning_rate": settings.full_learning_rate if settings.full else settings.learning_rate,
        "lr_scheduler_type": settings.scheduler,
        "warmup_steps": math.ceil(settings.warmup_ratio * steps),
        "weight_decay": settings.weight_decay,
        "max_grad_norm": settings.max_grad_norm,
        "max_length": settings.max_length or None,
        "seed": settings.seed,
        "data_seed": settings.seed,
        "bf16": half_precision(settings),
        "use_cpu": not gpu,
        "ddp_backend": None if gpu or processes == 1 else "gloo",
        "ddp_timeout": HOURS_TO_WAIT * 3600,
        **recomputed,
        "save_strategy": "steps",
        "save_steps": max(1, math.ceil(steps / settings.checkpoints)),
        "logging_steps": max(1, steps // 50),
        "eval_strategy": "no",
        "report_to": "none",
        "disable_tqdm": True,
        # the collator names a row by its line
        "remove_unused_columns": False,
        "dataloader_pin_memory": gpu,
    }


def _check_samples(
    trainer: Any,  # noqa: ANN401
    base: BaseModel,
    rows: TrainingRows,
    settings: FinetuneSettings,
    on_progress: Progress | None,
) -> None:
    if rows.pairs and not rows.pictures:
        trainer.train_dataset = keep_tokens(trainer.train_dataset)
        return
    collate = trainer.data_collator
    collator = leave_line_out(collate) if rows.pairs else CheckedCollator(collate, rows.file, base.longest)
    if base.has_vision:
        if on_progress:
            on_progress("samples measured", 0, rows.count)
        trainer.data_collator = collator
        lines = check_lengths(
            rows,
            base.processor,
            longest=base.longest,
            max_length=settings.max_length or None,
            on_measured=(lambda done: on_progress("samples measured", done, rows.count))
            if on_progress
            else None,
        )
        make_longest(trainer.train_dataset, lines, collator)
    else:
        check_prepared(trainer.train_dataset, rows, base.longest)
        kept = ["input_ids", "labels"]
        trainer.train_dataset = trainer.train_dataset.select_columns(kept)


def _progress_callback(on_progress: Progress) -> Any:  # noqa: ANN401
    from transformers import TrainerCallback

    class Steps(TrainerCallback):  # type: ignore[misc] # mypy reads transformers as Any
        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ANN401
            # of a training that goes on, the steps of earlier calls
            on_progress("steps trained", state.global_step, state.max_steps)

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ANN401
            on_progress("steps trained", state.global_step, state.max_steps)

    return Steps()


@contextmanager
def quiet_libraries() -> Iterator[None]:
    """Silence the bars and notes of the libraries: progress is ours."""
    import datasets
    import transformers

    library: Any = transformers.utils.logging
    loggers = [logging.getLogger(name) for name in ("transformers", "trl", "accelerate", "peft")]
    levels = [logger.level for logger in loggers]
    bars, bar = datasets.are_progress_bars_disabled(), os.environ.get("TQDM_DISABLE")
    datasets.disable_progress_bars()
    # of the reference's log probabilities
    os.environ["TQDM_DISABLE"] = "1"
    library.disable_progress_bar()
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        # the libraries warn each other of names that become old
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        library.enable_progress_bar()
        if bar is None:
            del os.environ["TQDM_DISABLE"]
        else:
            os.environ["TQDM_DISABLE"] = bar
        if not bars:
            datasets.enable_progress_bars()
