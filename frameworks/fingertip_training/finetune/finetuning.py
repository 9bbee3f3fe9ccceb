"""Fine-tuning on an export: train, choose a checkpoint by score, and write the model with its card."""

from __future__ import annotations

import gc
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import RunError
from fingertip_dataset.parquet.source import find_installed_version, source
from fingertip_dataset.times import now_text
from fingertip_models.checkpoint import CALL, TRAINING, UNKNOWN, WORK, read_training
from fingertip_runs.run_folder import write_json, write_text
from fingertip_training.export_record import ExportRecord
from fingertip_training.finetune.adapter_card import LOSS_PICTURE, draw_losses, model_card
from fingertip_training.finetune.base_model import base_identity, load_base
from fingertip_training.finetune.checkpoint_choice import (
    CheckpointChoice,
    CheckpointScorer,
    read_prompt_files,
)
from fingertip_training.finetune.finetune_settings import ChosenSettings
from fingertip_training.finetune.processes import Processes
from fingertip_training.finetune.sft_rows import TrainingRows, read_rows
from fingertip_training.finetune.sft_training import (
    Progress,
    TrainingOutcome,
    half_precision,
    quiet_libraries,
    train,
)

VERSION = 1

PACKAGES = ("fingertip-20k", "torch", "transformers", "trl", "peft", "accelerate", "datasets")
"""Packages that the weights depend on."""

WEIGHTS = (
    "adapter_config.json", "adapter_model*", "config.json", "generation_config.json", "model*.safetensors",
    "model.safetensors.index.json",
)  # fmt: skip
"""Patterns of a checkpoint's files that belong to the model and not to its training."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinetuneOrder:
    """Order of a fine-tuning.

    Attributes:
        base: Folder of the base model, or its name on the Hub.
        settings: The settings.
        trust_remote_code: Whether code that the base contains may be run.
    """

    base: str
    settings: ChosenSettings
    trust_remote_code: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FinetuneResult:
    """Result of `finetune`.

    Attributes:
        folder: Folder of the adapter, or of the whole model.
        training: Content of its training.json.
        finished_before: Whether an earlier call had finished it.
    """

    folder: Path
    training: Mapping[str, Any]
    finished_before: bool = False


def finetune(
    dataset: Path,
    export: Path,
    out: Path,
    order: FinetuneOrder,
    *,
    on_progress: Progress | None = None,
) -> FinetuneResult | None:
    """Fine-tune a base on an export; the same call goes on from the last checkpoint.

    Args:
        dataset: The built dataset of the export, whose validation split scores the checkpoints.
        export: Folder of an export in TRL's form.
        out: Folder of the adapter, or of the whole model.
        order: What to train.
        on_progress: Called with a stage, items done, and all items; 0 of 0 for a stage without a count.

    Returns:
        The result; None in a process that is not the first and trained.

    Raises:
        MissingExtraError: The extra `train` is not installed.
        DatasetError: The export is broken.
        RunError: `out` is of another call, or cannot be written.
        UsageError: The base takes no pictures and the samples have some, or a setting does not fit.
        ModelError: The base cannot be loaded, or its chat template is missing.
        InputError: A sample is too long for the base, or none of its answer is learned.
        UsageError, RunError: A prompt file of the export cannot be read any more, or has another text now.
    """
    processes = Processes.current()
    record, rows = ExportRecord.read(export), read_rows(export)
    with quiet_libraries():
        call = _call(rows, order)
        if processes.is_first:
            _begin(out, call)
        processes.wait()
        files = read_prompt_files(record)
        before = read_training(out)
        if before:
            processes.end()
            return FinetuneResult(folder=out, training=before, finished_before=True)
        outcome, facts = _train(rows, out, order, processes, on_progress)
        processes.end()
        if not processes.is_first:
            return None
        scorer = CheckpointScorer(
            dataset=dataset,
            export=record,
            base=order.base,
            settings=order.settings.values,
            work=out / WORK / "scoring",
            trust_remote_code=order.trust_remote_code,
            files=files,
        )
        if order.settings.values.full and order.trust_remote_code:
            for checkpoint in outcome.checkpoints:
                _copy_code(order.base, checkpoint)
        choice = scorer.choose(outcome.checkpoints, on_progress)
        if on_progress:
            on_progress("writing the model", 0, 0)
        training = _training(record, rows, call, order, outcome, choice, facts)
        _write(out, training, choice.folder, order)
    return FinetuneResult(folder=out, training=training)


def _train(
    rows: TrainingRows, out: Path, order: FinetuneOrder, processes: Processes, on_progress: Progress | None
) -> tuple[TrainingOutcome, dict[str, Any]]:
    """Load the base and train it; its memory is free afterwards."""
    settings = order.settings.values
    half = half_precision(settings)
    if on_progress:
        # minutes for a large base, and nobody can count them
        on_progress("loading the base", 0, 0)
    base = load_base(
        order.base,
        with_pictures=rows.pictures > 0,
        # all weights need the precision of float32 for their small updates
        half=half and not settings.full,
        trust_remote_code=order.trust_remote_code,
    )
    facts = {
        "vision": base.has_vision,
        "processes": processes.count,
        "precision": "bf16" if half else "fp32",
    }
    if processes.is_first:
        base.processor.save_pretrained(out / WORK / "processor")
    outcome = train(
        base,
        rows,
        out / WORK,
        settings,
        processes=processes.count,
        on_progress=on_progress if processes.is_first else None,
    )
    del base
    gc.collect()
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    return outcome, facts


def _call(rows: TrainingRows, order: FinetuneOrder) -> dict[str, Any]:
    """Settings that weights depend on, in JSON types."""
    return {
        "version": VERSION,
        "base": order.base,
        "base_identity": base_identity(order.base, trust_remote_code=order.trust_remote_code),
        "rows_sha256": rows.sha256,
        **order.settings.values.model_dump(mode="json"),
    }


def _begin(out: Path, call: Mapping[str, Any]) -> None:
    """Make the output folder, or check that it is of the same call."""
    file = out / WORK / CALL
    if file.is_file():
        known = json.loads(file.read_text(encoding="utf-8"))
        for name, value in call.items():
            if known.get(name) != value:
                raise RunError(
                    f"the folder holds the fine-tuning of another call: {name} is {known.get(name)!r} there, "
                    f"{value!r} here; give another --out",
                    file=out,
                )
        return
    if out.exists() and any(part.name != WORK for part in out.iterdir()):
        raise RunError("the folder is not empty and no fine-tuning: give another --out", file=out)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"the folder cannot be made: {error.strerror or error}", file=out) from error
    write_json(file, call)


def _training(
    record: ExportRecord,
    rows: TrainingRows,
    call: Mapping[str, Any],
    order: FinetuneOrder,
    outcome: TrainingOutcome,
    choice: CheckpointChoice,
    facts: Mapping[str, Any],
) -> dict[str, Any]:
    """Content of training.json."""
    split = record.splits[0]
    return {
        "version": VERSION,
        "finished": now_text(),
        "trained_on": sorted(record.agents, reverse=True),
        # kinds of a training that an older one does not name
        **({"moments": True} if record.track == "moments" else {}),
        **({"pairs": record.pairs.model_dump(mode="json")} if record.pairs else {}),
        "method": "full" if order.settings.values.full else "lora",
        "base": {"name": order.base, "identity": call["base_identity"], "vision": facts["vision"]},
        "dataset": record.dataset.model_dump(mode="json"),
        "prompts": {
            track: f"{agent.name} {agent.settings['prompt']}" for track, agent in record.agents.items()
        },
        # texts in place of ours, by name and hash
        "prompt_texts": {
            track: agent.settings["prompt_text"]
            for track, agent in record.agents.items()
            if "prompt_text" in agent.settings
        },
        "samples": {
            "rows": rows.count,
            "sha256": rows.sha256,
            "episodes": split.episodes,
            "users": split.users,
            "pictures": rows.pictures,
            "language": record.options.get("language", "zh"),
            "dropped": [{"kind": part.kind, "count": part.count} for part in split.dropped],
            "options": dict(record.options),
        },
        "settings": order.settings.to_json(),
        "steps": outcome.steps,
        "trained_parameters": outcome.trained_parameters,
        "parameters": outcome.parameters,
        "losses": [list(pair) for pair in outcome.losses],
        "seconds": outcome.seconds,
        "processes": facts["processes"],
        "precision": facts["precision"],
        "checkpoints": [{"step": part.step, "scores": dict(part.scores)} for part in choice.checkpoints],
        "chosen": {"step": choice.step, "by": choice.by},
        "versions": {name: found for name in PACKAGES if (found := find_installed_version(name))},
        "source": source().model_dump(mode="json"),
    }


def _write(out: Path, training: dict[str, Any], checkpoint: Path, order: FinetuneOrder) -> None:
    """Write the model, its processor and its card; training.json last, because it says that all is there."""
    try:
        for pattern in WEIGHTS:
            for file in checkpoint.glob(pattern):
                shutil.copy2(file, out / file.name)
        for file in (out / WORK / "processor").iterdir():
            shutil.copy2(file, out / file.name)
        if order.settings.values.full and order.trust_remote_code:
            _copy_code(order.base, out)
        with_picture = draw_losses([(step, loss) for step, loss in training["losses"]], out / LOSS_PICTURE)
    except OSError as error:
        raise RunError(f"the model cannot be written: {error.strerror or error}", file=out) from error
    on_hub = training["base"]["identity"] != UNKNOWN and not Path(order.base).is_dir()
    write_text(out / "README.md", model_card(training, with_picture=with_picture, base_on_hub=on_hub))
    write_json(out / TRAINING, training)


def _copy_code(base: str, folder: Path) -> None:
    """Copy the code that a base in a folder contains, without which a whole model cannot be loaded."""
    if Path(base).is_dir():
        for file in Path(base).glob("*.py"):
            shutil.copy2(file, folder / file.name)
