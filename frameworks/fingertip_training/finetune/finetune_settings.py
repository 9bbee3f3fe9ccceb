"""Settings of a fine-tuning: their values, and where each value comes from."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, ValidationError

from fingertip_dataset.errors import UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.setting_lines import read_setting_line
from fingertip_dataset.similar_names import did_you_mean

SETTINGS = "settings.toml"
"""Name of the file of our defaults, beside this module."""

PAIR_SETTINGS = "pairs.toml"
"""Name of the file of what differs in a training on preference pairs."""

FULL = "full"
"""Rank that means all weights of the language part instead of an adapter."""

Count = Annotated[int, Field(ge=1)]
Switch = Literal["auto", "on", "off"]


class FinetuneSettings(FrozenModel):
    """Values of the settings; `settings.toml` describes each and has the defaults."""

    model_config = ConfigDict(strict=True)

    rank: Annotated[int, Field(ge=1, le=4096)] | Literal["full"]
    alpha_per_rank: float = Field(gt=0)
    dropout: float = Field(ge=0, lt=1)
    learning_rate: float = Field(gt=0)
    full_learning_rate: float = Field(gt=0)
    epochs: float = Field(gt=0)
    max_steps: int = Field(ge=0)
    batch_size: Count
    device_batch_size: Count
    warmup_ratio: float = Field(ge=0, lt=1)
    scheduler: str
    weight_decay: float = Field(ge=0)
    max_grad_norm: float = Field(gt=0)
    max_length: int = Field(ge=0)
    precision: Literal["auto", "bf16", "fp32"]
    gradient_checkpointing: Switch
    seed: int = Field(ge=0, lt=2**32)
    checkpoints: Count
    choice_tasks: Count
    choice_embedder: str
    choice_max_tokens: Count
    choice_batch: Count

    @property
    def full(self) -> bool:
        """Whether all weights of the language part are trained."""
        return self.rank == FULL


class PairSettings(FinetuneSettings):
    """Values of the settings of a training on preference pairs; `pairs.toml` describes what it adds."""

    beta: float = Field(gt=0)
    answer_weight: float = Field(ge=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenSettings:
    """Settings of one call.

    Attributes:
        values: The values.
        origins: Name -> where the value comes from: "paper", "ours", a file, or an option.
    """

    values: FinetuneSettings
    origins: Mapping[str, str]

    def to_json(self) -> dict[str, dict[str, object]]:
        """Name -> its value and origin."""
        return {
            name: {"value": value, "origin": self.origins[name]}
            for name, value in self.values.model_dump().items()
        }


def read_settings(
    file: Path | None = None,
    lines: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    *,
    pairs: bool = False,
) -> ChosenSettings:
    """Read the settings: ours, then a file's, those of `--setting`, and other options'; the last one counts.

    Args:
        file: TOML file of lines such as `learning_rate = 2e-4`.
        lines: Texts such as "learning_rate=2e-4".
        options: Name -> value of an option of that name.
        pairs: Whether the settings are those of a training on preference pairs.

    Raises:
        UsageError: A file that is not TOML, an unknown name, or an invalid value.

    >>> chosen = read_settings(lines=["learning_rate=2e-4"])
    >>> chosen.values.learning_rate, chosen.origins["learning_rate"], chosen.origins["rank"]
    (0.0002, '--setting', 'paper')
    """
    defaults = {**_defaults(SETTINGS), **(_defaults(PAIR_SETTINGS) if pairs else {})}
    kind = PairSettings if pairs else FinetuneSettings
    values = {name: part["value"] for name, part in defaults.items()}
    origins = {name: str(part["origin"]) for name, part in defaults.items()}
    given: list[tuple[str, Mapping[str, object]]] = []
    if file is not None:
        given.append((str(file), _parse_toml(_read(file), f"the settings file {file}")))
    given += [("--setting", read_setting_line(line)) for line in lines]
    given += [(f"--{name}", {name: value}) for name, value in (options or {}).items()]
    for origin, part in given:
        for name, value in part.items():
            if name not in values:
                raise UsageError(
                    f"there is no setting {name!r} ({origin}), only {', '.join(sorted(values))}"
                    f"{did_you_mean(name, values)}"
                )
            # `epochs = 1` is meant as a number like 1.0
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            values[name] = float(str(value)) if is_whole and isinstance(values[name], float) else value
            origins[name] = origin
    try:
        return ChosenSettings(values=kind(**values), origins=origins)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        raise UsageError(
            f"the setting {name} cannot be {first['input']!r} ({origins[name]}): {first['msg'].lower()}"
        ) from error


def read_rank(text: str) -> int | str:
    """Read the option --rank.

    Raises:
        UsageError: Neither a number from 1 nor "full".

    >>> read_rank("64"), read_rank("full")
    (64, 'full')
    """
    if text == FULL:
        return FULL
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 4096:
        raise UsageError(f"expected --rank 1 to 4096, or full, got {text[:40]!r}")
    return int(text)


@cache
def _defaults(name: str) -> dict[str, dict[str, Any]]:
    text = files("fingertip_training.finetune").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise UsageError(f"the settings cannot be read: {error}", file=file) from error


def _parse_toml(text: str, what: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{what} is not TOML: {error}") from error
