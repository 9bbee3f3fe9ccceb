"""The models of docs/reference/open-models.md, and what follows from the settings of their weights."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from fingertip_agents.known_models import KnownModel, find_models
from fingertip_agents.screens.coordinates import smart_resize

FILE = Path(__file__).with_suffix(".toml")
BYTES = 2
"""Bytes of a number in bfloat16, in which weights and cache are kept."""

STATE_BYTES = 4
"""Bytes of a number in the recurrent state of linear attention: mamba_ssm_dtype is float32."""


@dataclass(frozen=True, kw_only=True)
class ModelConfig:
    """Settings of the weights of a model.

    Attributes:
        name: Name of the weights that have it.
        kind: model_type of transformers.
        text: Settings of the language part, by their names in config.json.
        vision: Settings of the picture part.
        pixels: Fewest and most pixels of a picture.
        positions: Longest context, tokens.
        source: Where they were read.
    """

    # no slots: cached_property needs an instance dictionary
    name: str
    kind: str
    text: Mapping[str, Any]
    vision: Mapping[str, Any]
    pixels: tuple[int, int]
    positions: int
    source: str

    @cached_property
    def full_layers(self) -> int:
        """Layers with full attention, whose keys and values grow with the context."""
        layers: int = self.text["num_hidden_layers"]
        every: int = self.text.get("full_attention_interval", 1)
        return layers // every

    @property
    def token_bytes(self) -> int:
        """Bytes of the cache of one token: keys and values of each full layer and head.

        >>> read_models()["Qwen/Qwen3-VL-8B-Instruct"].config.token_bytes == 2 * 36 * 8 * 128 * 2
        True
        """
        heads, size = self.text["num_key_value_heads"], self.text["head_dim"]
        return 2 * self.full_layers * int(heads) * int(size) * BYTES

    @property
    def slot_bytes(self) -> int:
        """Bytes that a request needs whatever its length: the state of the layers with linear attention."""
        text = self.text
        linear = text["num_hidden_layers"] - self.full_layers
        if not linear:
            return 0
        keys = text["linear_num_key_heads"] * text["linear_key_head_dim"]
        values = text["linear_num_value_heads"] * text["linear_value_head_dim"]
        state = values * text["linear_key_head_dim"] * STATE_BYTES
        window = (2 * keys + values) * (text["linear_conv_kernel_dim"] - 1) * BYTES
        return int(linear * (state + window))

    @property
    def side(self) -> int:
        """Side of the square of a picture that becomes one token, px."""
        return int(self.vision["patch_size"] * self.vision["spatial_merge_size"])

    def count_picture_tokens(self, size: tuple[int, int], max_pixels: int | None = None) -> int:
        """Count the tokens of a picture after the resizing that its server does.

        Args:
            size: Width and height of the picture, px.
            max_pixels: Lower limit than that of the weights; None for theirs.
        """
        fewest, most = self.pixels
        limit = most if max_pixels is None else min(most, max_pixels)
        width, height = smart_resize(size, factor=self.side, min_pixels=fewest, max_pixels=limit)
        return width * height // self.side**2


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkedModel:
    """Model of the page.

    Attributes:
        name: Name on the Hub.
        config: Settings of its weights.
        tokenizer: Vocabulary by which its texts are counted.
        like: Where it stands that its weights have the settings of another model; "" for its own.
        stand_in: Why the vocabulary is that of other models; "" if it is the model's own.
    """

    name: str
    config: ModelConfig
    tokenizer: str
    like: str = ""
    stand_in: str = ""

    @property
    def known(self) -> KnownModel:
        """The model's row of the table of known models."""
        (found,) = find_models(self.name)
        return found

    @property
    def short(self) -> str:
        """Name without the organization."""
        return self.name.rpartition("/")[2]


def read_models() -> dict[str, BenchmarkedModel]:
    """Read the models, by name."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    configs = {
        row["name"]: ModelConfig(**row | {"pixels": (row["pixels"][0], row["pixels"][1])})
        for row in table["configs"]
    }
    return {
        row["name"]: BenchmarkedModel(**row | {"config": configs[row["config"]]}) for row in table["models"]
    }
