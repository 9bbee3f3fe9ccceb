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
from difflib import SequenceMatcher, get_close_matches
from functools import cache
from itertools import takewhile
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

LEAST_SHARED = 5
"""Number of letters and digits at its beginning that a name shares with others of its family."""

_ENDING = re.compile(
    r"[-.](?:gguf|safetensors|bin|mlx|awq|gptq|gptqmodel|bnb|exl[23]|onnx|openvino|autoround|quantized|marlin"
    r"|dynamic|ud|i1|hf|latest|free|fp(?:4|8|16|32)|[fb]f?(?:16|32)|nvfp4|mxfp[48]|int[48]|w\d{1,2}a\d{1,2}"
    r"|[2-8]-?bits?|i?q[1-8](?:[-._](?:\d|k|[smlx]{1,3}|nl)){0,2}|\d{5}-of-\d{5}"
    # a date: 2025-03-10, 20250310 or 250310
    r"|20\d\d-?\d\d-?\d\d|2\d[01]\d[0-3]\d"
    # Bedrock's version
    r"|v\d-0)\Z"
)
_VENDOR = re.compile(r"(?:[a-z]{2,6}\.)?(?:anthropic|openai|qwen|google|deepseek)\.(?=[a-z])")
"""Beginning of a name of Bedrock."""

_WEIGHTS_ENDING = re.compile(r"-(?:fp8|awq|gptq(?:-int[48])?|nvfp4|w\d{1,2}a\d{1,2})\Z", re.IGNORECASE)
"""Ending of quantized weights that vLLM loads from a repository of their own."""

_NAMED_SIZE = re.compile(rf"(?<![0-9a-z.]){SIZE}(?![0-9a-z])")
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
            name: Name of the model as it was given.
        """
        if self.server is None:
            return self.api
        full = self.find_weights(name)
        return f"vllm serve {full} {self.server.replace('{name}', full.rpartition('/')[2])}".rstrip()

    def find_weights(self, name: str) -> str:
        """Return the full name of a model's weights, by which a server finds them.

        A name with an organization stays. Of any other one the most similar example of the same size is
        taken, or the most similar one with the size put in, and a quantization of the name.
        """
        if name.count("/") == 1 and name[0] not in "./~":
            return name
        base, folded = _list_parts(name)[-1], fold_model_name(name)
        size = _find_size(folded)
        pattern = next((one for one in self.names if _fits(one, folded)), self.names[0])
        named = [example for example in self.examples if "/" in example] or list(self.examples)
        examples = [one for one in named if _fits(pattern, fold_model_name(one))] or [
            one for one in named if _compile_loosely(pattern).match(fold_model_name(one))
        ]
        if not examples:
            # the table has this version without an example
            return f"{named[0].rpartition('/')[0]}/{pattern.replace('*', size.upper() or 'SIZE')}"

        def compare(example: str) -> tuple[bool, bool, float]:
            other, own = fold_model_name(example), example.rpartition("/")[2].casefold()
            alike = SequenceMatcher(None, base.casefold(), own).ratio()
            return folded == other, bool(size) and _find_size(other) == size, alike

        best = max(examples, key=compare)
        if best.rpartition("/")[2].casefold() == base.casefold():
            return best
        ending = _WEIGHTS_ENDING.search(base)
        return _put_size(_WEIGHTS_ENDING.sub("", best) + (ending[0] if ending else ""), size)

    def matches(self, folded: str) -> bool:
        """Whether a folded name is one of this row."""
        return any(_compile(pattern).fullmatch(folded) for pattern in self.names)

    def list_folded_names(self) -> list[str]:
        """Return the patterns and the examples as names are folded."""
        return [*map(fold_pattern, self.names), *map(fold_model_name, self.examples)]

    def resembles(self, folded: str) -> bool:
        """Whether a folded name is one of this row, whatever separates its parts, as in qwen25vl-7b."""
        return any(_compile_loosely(pattern).fullmatch(folded) for pattern in self.names)


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
    for part in reversed(_list_parts(name.casefold())):
        # 2p5 is how Fireworks writes 2.5
        folded = re.sub(r"(?<=\d)[_p](?=\d)", ".", _VENDOR.sub("", part.rpartition("--")[2], count=1))
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
    if similar := tuple(model for model in list_known_models() if model.resembles(folded)):
        return similar
    # 1 is no beginning of 1.5
    beginning = re.compile(rf"{re.escape(folded)}(?:-|(?<!\d)(?=\d))")
    return tuple(
        model
        for model in list_known_models()
        if folded and any(map(beginning.match, model.list_folded_names()))
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
    from fingertip_dataset.similar_names import LEAST_SIMILARITY

    if not name.strip():
        return "the name of the model is empty: give the one by which the server has it"
    known = f"no known model is named {_show(name)}"
    folded = fold_model_name(name)
    examples = {fold_model_name(one): one for model in list_known_models() for one in model.examples}
    similar = get_close_matches(folded, examples, n=len(examples), cutoff=LEAST_SIMILARITY)
    # those of another family have other units
    family = [one for one in similar if _count_shared(one, folded) >= LEAST_SHARED]
    nearest = sorted(family, key=lambda one: -_count_shared(one, folded)) or similar
    if not nearest:
        return (
            f"{known}: name the format of its answers with --agent; `fingertip agents` lists the formats, of \
which generalist takes any model"
        )
    names = " or ".join(examples[one] for one in nearest[:MOST_SIMILAR])
    return f"{known}: did you mean {names}? Otherwise name the format of its answers with --agent"


def _count_shared(first: str, second: str) -> int:
    """Return how many letters and digits two names have in common at their beginning."""
    pairs = zip(_squeeze(first), _squeeze(second), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _squeeze(folded: str) -> str:
    """Return the letters and digits of a folded name."""
    return re.sub(r"[^0-9a-z]", "", folded)


def _fits(pattern: str, folded: str) -> bool:
    """Whether a folded name is one of a pattern, is so without its separators, or is its beginning."""
    compiled = (_compile(pattern), _compile_loosely(pattern))
    return any(one.fullmatch(folded) for one in compiled) or fold_pattern(pattern).startswith(f"{folded}-")


def _list_parts(name: str) -> list[str]:
    """Return the folders and the file of a name."""
    return re.split(r"[/\\]", name[-LONGEST:].strip())


def _find_size(name: str) -> str:
    """Return the size in a name in small letters; "" without one."""
    found = _NAMED_SIZE.search(name)
    return found[0] if found else ""


def _put_size(full: str, size: str) -> str:
    """Put a size in the place of the one in a full name.

    >>> _put_size("Qwen/Qwen3-VL-2B-Instruct", "6b")
    'Qwen/Qwen3-VL-6B-Instruct'
    """
    own = _NAMED_SIZE.search(full.casefold())
    if not own or not size or own[0] == size:
        return full
    return f"{full[: own.start()]}{size.upper()}{full[own.end() :]}"


def _show(name: str) -> str:
    return printable(name, 80)


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of the table for folded names."""
    # a size may be folded away as an ending only in a name, so it is put in behind
    return re.compile(SIZE.join(map(re.escape, fold_pattern(pattern).split("*"))))


@cache
def _compile_loosely(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of the table for names without its separators, or with further ones.

    Two numbers stay apart: qwen3-56b is no Qwen3.5. A point in a version may be missing, as in qwen25vl.
    """
    text = fold_pattern(pattern)
    text = re.sub(r"(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])", "-", text)
    text = re.sub(r"(?<=\d)-(?=[\d*])", "_", text)
    kinds = {"-": "[-.]?", "_": "[-.]", ".": "[.]?", "*": SIZE}
    return re.compile("".join(kinds.get(letter, re.escape(letter)) for letter in text))


def fold_pattern(pattern: str) -> str:
    """Return a pattern of the table as names are folded; its `*` stay."""
    return re.sub(r"[\s_:@]+", "-", pattern.casefold())
