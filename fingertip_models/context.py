"""The context of a model: how many tokens its prompts and answers may have together, and what helps."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

SHOW_LESS = (
    "show less of each task (suggest: --history none, a smaller --screenshots; execute: --without "
    "reference,past; pictures: a smaller --max-pixels)"
)
"""Options that make prompts shorter; a command prints those that it has, see `name_own_options`."""

SHORTER: Mapping[str, str] = {
    "--history": "--history none",
    "--screenshots": "a smaller --screenshots",
    "--skip-same-task": "--without reference,past",
    "--max-pixels": "a smaller --max-pixels for pictures",
}
"""Option that a command has -> how it makes prompts shorter; of those that run track 2 alone, --without."""


def name_own_options(message: str, options: Collection[str]) -> str:
    """Replace the options of `SHOW_LESS` in a message by those that a command has.

    Args:
        message: The message.
        options: The command's options.

    >>> name_own_options(SHOW_LESS, ["--screenshots", "--max-pixels"])
    'show less of each task (a smaller --screenshots, a smaller --max-pixels for pictures)'
    """
    own = ", ".join(text for option, text in SHORTER.items() if option in options)
    return message.replace(SHOW_LESS, f"show less of each task ({own})") if own else message


STRETCHED = ("linear", "dynamic", "yarn")
"""Kinds of scaled positions that make a context longer than that of the training, by their factor."""


def find_context(config: Any) -> int | None:  # noqa: ANN401 - transformers is imported late
    """Return the most tokens that a model of transformers can read and write together.

    Args:
        config: Configuration of the model, also of one for pictures, whose text part counts.

    Returns:
        The positions that it was made for, and where these are scaled, the scaled ones; None if its
        configuration has no limit, as of recurrent models.
    """
    text = config.get_text_config()
    most = getattr(text, "max_position_embeddings", None)
    if not isinstance(most, int) or isinstance(most, bool) or most < 1:
        return None
    scaling = getattr(text, "rope_parameters", None) or getattr(text, "rope_scaling", None)
    return max(most, _stretch(most, scaling if isinstance(scaling, Mapping) else {}))


def _stretch(most: int, scaling: Mapping[str, Any]) -> int:
    """Return the context by the factor of scaled positions; 0 without one.

    >>> _stretch(32768, {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768})
    131072
    >>> _stretch(131072, {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768})
    131072
    >>> _stretch(8192, {"rope_type": "default"})
    0
    """
    factor = scaling.get("factor")
    if scaling.get("rope_type", scaling.get("type")) not in STRETCHED or not isinstance(factor, int | float):
        return 0
    original = scaling.get("original_max_position_embeddings")
    return int((original if isinstance(original, int) else most) * factor)


def describe_excess(
    prompt: int,
    context: int,
    *,
    answer: int = 0,
    wider: str = "take a model with a larger context",
    at_least: bool = False,
) -> str:
    r"""Describe a request that does not fit, and what helps, in one line.

    Args:
        prompt: Tokens of the prompt.
        context: Tokens of the context.
        answer: Tokens that are kept free for the answer; 0 if there is no room for the prompt alone.
        wider: How the context becomes larger.
        at_least: Whether the prompt may have more tokens, as of a server that stops counting.

    >>> print(describe_excess(1330, 8192, answer=8192).replace(": ", ":\n"))
    a prompt of 1,330 tokens and an answer of 8,192 are 1,330 more than the context of 8,192:
    give --max-tokens 6862 or less
    >>> describe_excess(1652, 256).partition(": ")[0]
    'a prompt of 1,652 tokens, 1,396 more than the context of 256'
    """
    excess, least = prompt + answer - context, "at least " if at_least else ""
    if answer and prompt < context:
        return (
            f"a prompt of {least}{prompt:,} tokens and an answer of {answer:,} are {least}{excess:,} more "
            f"than the context of {context:,}: give --max-tokens {context - prompt} or less"
        )
    excess = prompt - context
    room = (
        f"{least}{excess:,} more than the context of {context:,}"
        if excess > 0
        else f"which leaves no room for an answer in the context of {context:,}"
    )
    return f"a prompt of {least}{prompt:,} tokens, {room}: {SHOW_LESS}, or {wider}"
