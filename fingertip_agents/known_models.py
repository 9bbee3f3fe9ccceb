"""Table of known models: which format, server line and picture size a model needs, with its source.

The rows are in `known_models.toml`. Servers name a model by its file, its folder or an alias, so names are
compared without folders, capital letters, dates and endings of quantizations. A name that fits several
formats, or none, is never guessed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable

FILE = Path(__file__).with_name("known_models.toml")

SIZE = r"\d+(?:\.\d+)?[bt](?:-a\d+b)?"
"""Pattern of a size in a folded name, such as 7b, 0.8b or 30b-a3b."""

LONGEST = 400
"""Number of characters at the end of a name that are looked at."""

MOST_SIMILAR = 3
"""Maximum number of similar names in a message."""

_ENDING = re.compile(
    r"[-.](?:gguf|safetensors|bin|mlx|awq|gptq|gptqmodel|bnb|exl[23]|onnx|openvino|autoround|quantized|marlin"
    r"|dynamic|ud|i1|hf|latest|free|fp(?:4|8|16|32)|[fb]f?(?:16|32)|nvfp4|mxfp[48]|int[48]|w\d{1,2}a\d{1,2}"
    r"|[2-8]-?bits?|i?q[1-8](?:[-._](?:\d|k|[smlx]{1,3}|nl)){0,2}|\d{5}-of-\d{5}"
    # a date: 2025-03-10, 20250310 or 250310
    r"|20\d\d-?\d\d-?\d\d|2\d[01]\d[0-3]\d)\Z"
)
_GENERIC = re.compile(
    r"(?:models?|main|master|snapshots|default|local|llm|vlm|weights|hub|final|merged|export|ggml-model"
    r"|checkpoints?(?:-\d+)?|[0-9a-f]{12,64})?"
)
"""Parts of a path that say nothing about the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownModel:
    """Row of the table.

    Attributes:
        names: Patterns of names; `*` is a size.
        examples: Full names that find this row.
        format: Name of the agent; "" if no format here fits, and `note` says why.
        coordinates: Units of the model's points.
        picture: Size that a screenshot of 1080x2400 has for the model, and the limits.
        source: Repository with its commit, or documentation.
        server: Flags of `vllm serve MODEL`; None for a model that only a provider serves.
        api: Provider; "" for a model with public weights.
        needs: Versions that the server needs; "" if none are stated.
        max_pixels: Recommended limit of a picture, px; None without one.
        context: Maximum tokens of the context; None if it is not stated.
        note: Further advice in one line.
    """

    names: Sequence[str]
    examples: Sequence[str]
    format: str
    coordinates: str
    picture: str
    source: str
    server: str | None = None
    api: str = ""
    needs: str = ""
    max_pixels: int | None = None
    context: int | None = None
    note: str = ""

    def write_server(self, name: str) -> str:
        """Return the line that serves a model, or the name of its provider.

        Args:
            name: Name of the model as it was given; of one without an organization the first example is
                taken, because a server finds weights by their full name.
        """
        if self.server is None:
            return self.api
        full = name if name.count("/") == 1 and name[0] not in "./~" else self.examples[0]
        return f"vllm serve {full} {self.server}".rstrip()

    def matches(self, folded: str) -> bool:
        """Whether a folded name is one of this row."""
        return any(_compile(pattern).fullmatch(folded) for pattern in self.names)


@cache
def list_known_models() -> tuple[KnownModel, ...]:
    """Return all rows, in the order of the table."""
    rows = tomllib.loads(FILE.read_text(encoding="utf-8"))["models"]
    return tuple(KnownModel(**row) for row in rows)


def fold_model_name(name: str) -> str:
    """Return the part of a model's name by which it is compared.

    >>> fold_model_name("Qwen/Qwen3-VL-8B-Instruct-FP8"), fold_model_name("/m/UI-TARS-1.5-7B.Q4_K_M.gguf")
    ('qwen3-vl-8b-instruct', 'ui-tars-1.5-7b')
    >>> fold_model_name("hub/models--Qwen--Qwen3.5-4B/snapshots/0123456789abcdef"), fold_model_name("model")
    ('qwen3.5-4b', '')
    """
    # what says something stands at the end of a path
    for part in reversed(re.split(r"[/\\]", name[-LONGEST:].strip().casefold())):
        folded = re.sub(r"(?<=\d)_(?=\d)", ".", part.rpartition("--")[2])
        folded = re.sub(r"[\s_:@]+", "-", folded).strip("-")
        while ending := _ENDING.search(folded):
            folded = folded[: ending.start()]
        if not _GENERIC.fullmatch(folded):
            return folded
    return ""


def find_models(name: str) -> tuple[KnownModel, ...]:
    """Find the rows that a name is of; several for the beginning of several names, () for an unknown one.

    >>> [model.format for model in find_models("Qwen3-VL-8B-Instruct")]
    ['qwen3-vl']
    >>> [model.format for model in find_models("ui-tars")]
    ['ui-tars-v1', 'ui-tars-1.5', 'ui-tars-2']
    """
    folded = fold_model_name(name)
    if found := tuple(model for model in list_known_models() if model.matches(folded)):
        return found
    # 1 is no beginning of 1.5
    beginning = re.compile(rf"{re.escape(folded)}(?:-|(?<!\d)(?=\d))")
    return tuple(
        model
        for model in list_known_models()
        if folded and any(beginning.match(fold_model_name(one)) for one in model.examples)
    )


def choose_format(name: str) -> tuple[str, tuple[KnownModel, ...]]:
    """Choose the format of a model by its name, with the rows that it is from.

    Raises:
        UsageError: The name is unknown or fits several formats, or the model has no format here.

    >>> choose_format("/models/qwen3-vl-4b-instruct-q8_0.gguf")[0]
    'qwen3-vl'
    """
    models = find_models(name)
    if not models:
        raise UsageError(describe_unknown(name))
    formats = tuple(dict.fromkeys(model.format for model in models))
    if formats == ("",):
        raise UsageError(f"there is no format for {_show(name)}: {models[0].note}")
    # a name without a version may be of an older model that the table does not have
    if len(formats) > 1 or (len(models) > 1 and not re.search(r"\d", fold_model_name(name))):
        fitting = {model.format or "no format": model.examples[0] for model in reversed(models)}
        listed = ", ".join(f"{format} ({example})" for format, example in fitting.items())
        raise UsageError(
            f"the name {_show(name)} fits several models: {listed}: name the format with --agent"
        )
    return formats[0], models


def describe_unknown(name: str) -> str:
    """Describe in one line that a name is not in the table, with the names most like it.

    >>> describe_unknown("cogagnt")
    'no known model is named cogagnt: did you mean THUDM/cogagent-9b-20241220? Otherwise name the format of \
its answers with --agent'
    """
    from difflib import get_close_matches

    from fingertip_dataset.similar_names import LEAST_SIMILARITY

    examples = {fold_model_name(one): one for model in list_known_models() for one in model.examples}
    folded = fold_model_name(name)
    similar = get_close_matches(folded, examples, n=MOST_SIMILAR, cutoff=LEAST_SIMILARITY)
    known = f"no known model is named {_show(name)}"
    if not similar:
        return f"{known}: name the format of its answers with --agent; `fingertip agents` lists all"
    names = " or ".join(examples[one] for one in similar)
    return f"{known}: did you mean {names}? Otherwise name the format of its answers with --agent"


def _show(name: str) -> str:
    return printable(name, 80)


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of the table for folded names."""
    # a size may be folded away as an ending only in a name, so it is put in behind
    return re.compile(SIZE.join(map(re.escape, fold_pattern(pattern).split("*"))))


def fold_pattern(pattern: str) -> str:
    """Return a pattern of the table as names are folded; its `*` stay."""
    return re.sub(r"[\s_:@]+", "-", pattern.casefold())
