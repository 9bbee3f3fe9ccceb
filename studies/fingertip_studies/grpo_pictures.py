"""GRPO of a model that sees, on simulated phones, by a file of settings.

`python -m fingertip_studies.grpo_pictures --settings FILE` trains a LoRA adapter of the language part.
The files `grpo-colocate.toml` and `grpo-server.toml` are for GPUs with vLLM; values under `grpo` are fields
of TRL's GRPOConfig. `benchmarks.grpo_pictures` trains a tiny model in the same way, on a CPU.
"""

from __future__ import annotations

import argparse
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from fingertip_dataset.errors import FingerTipError, UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_environments import (
    PhoneTask,
    Reward,
    ScreenPictures,
    live_tasks,
    load_tasks,
    phone_tools,
    progress_reward,
    prompt_rows,
)
from fingertip_models.messages import Language

LANGUAGE_PART = r".*language_model.*\.(q_proj|k_proj|v_proj|o_proj|gate_proj|up_proj|down_proj)"
"""Layers of the adapter: names alone would reach the vision tower, too (PEFT 0.21)."""


class TaskSettings(FrozenModel):
    """Which tasks: of a dataset of simulated people, or of people who live now."""

    dataset: Path | None = None
    people: int = Field(default=40, ge=1)
    episodes: int = Field(default=8, ge=1)
    size: tuple[int, int] = (540, 1200)


class ScreenSettings(FrozenModel):
    """How the model sees, as of `ScreenPictures`."""

    format: str
    most: int | None = Field(default=None, ge=1)
    max_pixels: int | None = Field(default=None, ge=1)
    language: Language = "zh"


class GrpoSettings(FrozenModel):
    """A file of settings.

    Attributes:
        model: Name on the Hub, or folder, of the base.
        out: Folder of the adapter.
        progress: Weight of progress in the reward of a failed episode; 0 for success alone.
        rank: Rank of the adapter.
        context: Tokens that the model takes; None for what its tokenizer says.
        tasks: The tasks.
        screens: How the model sees.
        grpo: Fields of GRPOConfig.
    """

    model_config = ConfigDict(extra="forbid")

    model: str
    out: Path
    progress: float = Field(default=0.3, ge=0, lt=1)
    rank: int = Field(default=16, ge=1)
    context: int | None = Field(default=None, ge=1)
    tasks: TaskSettings = TaskSettings()
    screens: ScreenSettings
    grpo: Mapping[str, Any]


def read_settings(file: Path) -> GrpoSettings:
    """Read a file of settings.

    Raises:
        UsageError: It cannot be read, or a value is missing, unknown or out of range.
    """
    try:
        return GrpoSettings.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"cannot read the settings {file}: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UsageError(f"{file}: {place}: {first['msg']}") from None


def choose_tasks(settings: TaskSettings) -> tuple[PhoneTask, ...]:
    """The tasks of a training."""
    if settings.dataset is not None:
        return load_tasks(settings.dataset)
    return live_tasks(people=settings.people, episodes=settings.episodes, size=settings.size)


def make_trainer(
    model: str,
    tasks: Sequence[PhoneTask],
    screens: ScreenPictures,
    reward: Reward,
    *,
    rank: int,
    out: Path,
    grpo: Mapping[str, Any],
) -> Any:  # noqa: ANN401 - trl is imported late
    """Make the GRPOTrainer of an adapter of the language part.

    Args:
        model: Name on the Hub, or folder, of the base.
        tasks: The tasks.
        screens: How the model sees.
        reward: Function of the outcome.
        rank: Rank of the adapter.
        out: Folder of the training.
        grpo: Fields of GRPOConfig.

    Raises:
        UsageError: As of `phone_tools`, before the base is loaded.
    """
    # before anything is loaded: a budget that does not fit is one line
    factory = phone_tools(tasks, reward=reward, screens=screens)
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    from datasets import Dataset
    from peft import LoraConfig
    from trl import GRPOConfig, GRPOTrainer

    uses_vllm = bool(grpo.get("use_vllm"))
    arguments = GRPOConfig(
        output_dir=str(out),
        max_completion_length=screens.max_completion_length,
        generation_kwargs=screens.make_generation_kwargs(vllm=uses_vllm),
        **grpo,
    )
    return GRPOTrainer(
        model=model,
        args=arguments,
        train_dataset=Dataset.from_list(prompt_rows(tasks, screens=screens)),
        processing_class=screens.processor,
        environment_factory=factory,
        peft_config=LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=LANGUAGE_PART),
    )


def train(settings: GrpoSettings) -> None:
    """Train by settings; the same call goes on from the last checkpoint."""
    from transformers import AutoProcessor

    grpo = dict(settings.grpo)
    screens = ScreenPictures(
        processor=AutoProcessor.from_pretrained(
            settings.model, trust_remote_code=bool(grpo.get("trust_remote_code"))
        ),
        max_completion_length=int(grpo.pop("max_completion_length", 512)),
        context=settings.context,
        **settings.screens.model_dump(),
    )
    trainer = make_trainer(
        settings.model,
        choose_tasks(settings.tasks),
        screens,
        progress_reward(settings.progress),
        rank=settings.rank,
        out=settings.out,
        grpo=grpo,
    )
    trainer.train(resume_from_checkpoint=any(settings.out.glob("checkpoint-*")))
    trainer.save_model(str(settings.out))


def main(argv: Sequence[str] | None = None) -> None:
    """Trains by a file of settings."""
    parser = argparse.ArgumentParser(prog="python -m fingertip_studies.grpo_pictures", description=__doc__)
    parser.add_argument("--settings", type=Path, required=True)
    given = parser.parse_args(argv)
    try:
        train(read_settings(given.settings))
    except FingerTipError as error:
        parser.error(error.message)


if __name__ == "__main__":
    main()
