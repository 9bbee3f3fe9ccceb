"""The base model of a fine-tuning: loading, checks of its chat template, and the weights that are trained."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fingertip_dataset.errors import MissingExtraError, ModelError, UsageError
from fingertip_dataset.release.problems import printable
from fingertip_models.checkpoint import (
    ADAPTER_CONFIG,
    CONFIG,
    check_checkpoint,
    error_line,
    identify_checkpoint,
)

_PICTURE_CHAT = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "x"}]}]


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseModel:
    """A loaded base model.

    Attributes:
        name: Its folder, or its name on the Hub.
        identity: Its `identify_checkpoint`.
        model: The model of transformers.
        processor: Its processor, or the tokenizer of a text model.
        has_vision: Whether it takes pictures.
        longest: Maximum tokens of a sequence; None if its configuration has no limit.
    """

    name: str
    identity: str
    model: Any
    processor: Any
    has_vision: bool
    longest: int | None


def base_identity(name: str, *, trust_remote_code: bool = False) -> str:
    """Return the `identify_checkpoint` of a base without loading its weights.

    Raises:
        MissingExtraError: transformers is not installed.
        ModelError: The checkpoint cannot be loaded, or the Hub cannot be asked for it.
        UsageError: There is no such checkpoint, or it is an adapter.
    """
    if find_spec("transformers") is None:
        raise MissingExtraError("transformers", "train")
    check_checkpoint(name, "base")
    if (Path(name) / ADAPTER_CONFIG).is_file() and not (Path(name) / CONFIG).is_file():
        raise UsageError("the base is an adapter, and none is trained on another: give its base", file=name)
    transformers = _import_transformers()
    try:
        config = transformers.AutoConfig.from_pretrained(name, trust_remote_code=trust_remote_code)
    except Exception as error:
        raise _not_loaded(name, error) from error
    return identify_checkpoint(name, config)


def load_base(
    name: str, *, with_pictures: bool, half: bool | None, trust_remote_code: bool = False
) -> BaseModel:
    """Load a base model, and check that its chat template can write the samples.

    Args:
        name: Its folder, or its name on the Hub.
        with_pictures: Whether the samples have screenshots.
        half: Whether the weights are bfloat16; None for float32.
        trust_remote_code: Whether code that the checkpoint contains may be run.

    Raises:
        MissingExtraError: transformers is not installed.
        ModelError: The checkpoint cannot be loaded, or its chat template is missing or writes no picture.
        UsageError: Samples have screenshots, and the model takes none.
    """
    transformers = _import_transformers()
    import torch

    processor = _load_processor(name, with_pictures=with_pictures, trust_remote_code=trust_remote_code)
    has_vision = hasattr(processor, "image_processor")
    kind = transformers.AutoModelForImageTextToText if has_vision else transformers.AutoModelForCausalLM
    try:
        model = kind.from_pretrained(
            name, dtype=torch.bfloat16 if half else torch.float32, trust_remote_code=trust_remote_code
        )
    except Exception as error:  # a broken checkpoint makes its loader raise any error
        raise _not_loaded(name, error) from error
    return BaseModel(
        name=name,
        identity=identify_checkpoint(name, model.config),
        model=model,
        processor=processor,
        has_vision=has_vision,
        longest=getattr(model.config.get_text_config(), "max_position_embeddings", None),
    )


def check_base(name: str, *, with_pictures: bool, trust_remote_code: bool = False) -> str:
    """Check that a base can be trained on samples, without loading its weights: before samples are written.

    Args:
        name: Its folder, or its name on the Hub.
        with_pictures: Whether the samples have screenshots.
        trust_remote_code: Whether code that the checkpoint contains may be run.

    Returns:
        Its `identify_checkpoint`.

    Raises:
        MissingExtraError: A package of the extra `train` is not installed.
        ModelError: The checkpoint cannot be loaded, or its chat template is missing or writes no picture.
        UsageError: There is no such checkpoint, or samples have screenshots, and the model takes none.
    """
    for package in ("torch", "transformers", "trl", "peft"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "train")
    identity = base_identity(name, trust_remote_code=trust_remote_code)
    _load_processor(name, with_pictures=with_pictures, trust_remote_code=trust_remote_code)
    return identity


def _load_processor(name: str, *, with_pictures: bool, trust_remote_code: bool) -> Any:  # noqa: ANN401
    try:
        processor = _import_transformers().AutoProcessor.from_pretrained(
            name, trust_remote_code=trust_remote_code
        )
    except Exception as error:  # a broken checkpoint makes its loader raise any error
        raise _not_loaded(name, error) from error
    has_vision = hasattr(processor, "image_processor")
    _check_template(name, processor, has_vision=has_vision, with_pictures=with_pictures)
    return processor


def _check_template(name: str, processor: Any, *, has_vision: bool, with_pictures: bool) -> None:  # noqa: ANN401
    """Check that a base's chat template can write samples, with pictures if they have some.

    Raises:
        ModelError: The template is missing, fails, or writes no token for a picture.
        UsageError: Samples have screenshots, and the model takes none.
    """
    shown = printable(name, 200)
    if with_pictures and not has_vision:
        raise UsageError(
            f"the base {shown} takes no pictures, but the samples show screenshots: give a vision model"
        )
    if getattr(processor, "chat_template", None) is None:
        raise ModelError(
            f"the base {shown} has no chat template: give its instruct version, or put a "
            "chat_template.jinja into its folder"
        )
    if not with_pictures:
        return
    token = getattr(processor, "image_token", None)
    try:
        written = processor.apply_chat_template(_PICTURE_CHAT, tokenize=False)
    except Exception as error:
        raise ModelError(f"the chat template of {shown} fails on a picture: {error_line(error)}") from error
    if token and token not in written:
        raise ModelError(
            f"the chat template of {shown} writes no {token} for a picture, so the model would not see it: "
            "give the template of the vision model"
        )


def language_prefix(model: Any) -> str:  # noqa: ANN401
    """Return the name of the language part within a model, such as "model.language_model".

    Raises:
        ModelError: The model does not tell its language part.
    """
    part = model.get_decoder() if hasattr(model, "get_decoder") else None
    for name, module in model.named_modules():
        if module is part and name:
            return str(name)
    raise ModelError(
        f"{type(model).__name__} does not name its language part, so nothing else can be kept as is"
    )


def target_pattern(model: Any) -> str:  # noqa: ANN401
    """Return a pattern of the linear layers of the language part: not of the vision tower or its projector.

    Raises:
        ModelError: The model does not tell its language part, or it has no linear layer.
    """
    import torch

    prefix = language_prefix(model)
    kinds = {
        name.rpartition(".")[2]
        for name, module in model.named_modules()
        if name.startswith(f"{prefix}.") and isinstance(module, torch.nn.Linear)
    }
    if not kinds:
        raise ModelError(f"{type(model).__name__} has no linear layer in {prefix}")
    return rf"{re.escape(prefix)}\.(.*\.)?({'|'.join(sorted(kinds))})"


def freeze_all_but_language(model: Any) -> None:  # noqa: ANN401
    """Freeze what is not the language part or its output layer.

    Raises:
        ModelError: The model does not tell its language part.
    """
    prefix = language_prefix(model)
    output = model.get_output_embeddings()
    trained = {id(weight) for weight in output.parameters()} if output is not None else set()
    for name, weight in model.named_parameters():
        weight.requires_grad = name.startswith(f"{prefix}.") or id(weight) in trained


def _import_transformers() -> Any:  # noqa: ANN401
    try:
        import transformers
    except ImportError as error:
        raise MissingExtraError(error.name or "transformers", "train") from error
    return transformers


def _not_loaded(name: str, error: Exception) -> ModelError:
    return ModelError(f"the base {printable(name, 200)} cannot be loaded: {error_line(error)}")
