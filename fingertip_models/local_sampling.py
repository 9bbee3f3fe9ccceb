"""Sampling of a local model: what of a checkpoint's own generation settings is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fingertip_dataset.errors import UsageError
from fingertip_models.options import ModelOptions

KEPT = (
    *("eos_token_id", "bos_token_id", "pad_token_id", "decoder_start_token_id", "stop_strings"),
    *("use_cache", "cache_implementation", "cache_config", "disable_compile"),
)
"""Settings of a checkpoint that choose no token: where an answer ends, and how it is computed."""

RECORD_KEEPING = ("transformers_version", "_from_model_config", "output_attentions", "output_hidden_states")
"""Settings of a checkpoint that have no effect on an answer."""

PENALTIES = ("repetition_penalty", "no_repeat_ngram_size")
"""Fields of --extra-body that a local model takes, too, at any temperature."""

DRAWS = ("top_k", "top_p", "min_p", "typical_p")
"""Fields of --extra-body that a local model takes with a temperature above 0."""

WHOLE_DISTRIBUTION: Mapping[str, object] = {"top_k": 0, "top_p": 1.0}
"""Draws from all tokens: transformers keeps the best 50 if nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSampling:
    """How a local model chooses tokens.

    Attributes:
        config: The generation settings for the model; those of the checkpoint that would change an answer
            are left out, except without a temperature.
        arguments: Arguments of `generate`.
        in_force: Settings that choose the tokens, for the record of a run.
        left_out: Settings of the checkpoint that are not used.
    """

    config: Any
    arguments: Mapping[str, object]
    in_force: Mapping[str, object]
    left_out: Mapping[str, object]

    def describe_left_out(self) -> str:
        """Return which settings of the checkpoint are not used, as a sentence; "" for none."""
        if not self.left_out:
            return ""
        listed = ", ".join(f"{name} {value}" for name, value in self.left_out.items())
        return (
            f"the checkpoint's own sampling is not used ({listed[:200]}): --temperature and --extra-body "
            "decide, and --temperature none leaves it to the checkpoint"
        )


def check_extra_body(options: ModelOptions) -> None:
    """Refuse extra fields of a request that a local model does not know, or that would have no effect.

    Raises:
        UsageError: There is such a field, or its value is no number.
    """
    for name, value in options.extra_body.items():
        if name not in (*PENALTIES, *DRAWS):
            raise UsageError(
                f"a local model takes no field {name[:40]} of --extra-body, only "
                f"{', '.join((*PENALTIES, *DRAWS))}"
            )
        if name in DRAWS and options.temperature == 0:
            raise UsageError(f"--extra-body {name} has no effect at temperature 0, which is greedy")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"expected a number for --extra-body {name}, got {str(value)[:40]!r}")


def choose_sampling(
    options: ModelOptions,
    own: Any,  # noqa: ANN401 - transformers is imported late
) -> LocalSampling:
    """Choose how a model samples: greedy at temperature 0, else from its whole distribution.

    Without a temperature the checkpoint's own settings are in force. Else none of them that changes an answer
    is: a repetition penalty would make temperature 0 other than greedy.

    Args:
        options: Options of the model.
        own: Generation settings of the checkpoint (`GenerationConfig`).
    """
    from transformers import GenerationConfig

    given = {name: value for name, value in own.to_diff_dict().items() if name not in RECORD_KEEPING}
    others = {name: value for name, value in sorted(given.items()) if name not in KEPT and value is not None}
    extra = dict(options.extra_body)
    if options.temperature is None:
        whole: dict[str, object] = {"temperature": 1.0, "top_k": 50, "top_p": 1.0} if own.do_sample else {}
        in_force = {"do_sample": bool(own.do_sample), **whole, **others, **extra}
        return LocalSampling(config=own, arguments=extra, in_force=_make_plain(in_force), left_out={})
    config = GenerationConfig(**{name: given[name] for name in KEPT if name in given})
    arguments: dict[str, object] = {"do_sample": False}
    if options.temperature > 0:
        arguments = {"do_sample": True, "temperature": options.temperature, **WHOLE_DISTRIBUTION}
    arguments |= extra
    return LocalSampling(
        config=config,
        arguments=arguments,
        in_force=_make_plain(arguments),
        left_out={name: value for name, value in _make_plain(others).items() if name not in arguments},
    )


def _make_plain(settings: Mapping[str, object]) -> dict[str, object]:
    """Return settings in JSON types; records of transformers as their text."""
    return {
        name: value if isinstance(value, bool | int | float | str | list) else str(value)
        for name, value in settings.items()
    }
