"""Signs that a server's context was too small: prompts cut without an error, answers cut before the limit.

Ollama cuts a prompt that is longer than its context and answers all the same. Its token counts show it: as
many as the context has, or about half of it, for one task after another whatever the prompts hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fingertip_models.options import LIMITS
from suggestion_runner.suggestion_records import Prediction

LEAST_ALIKE = 5
"""Fewest prompts of the same number of tokens that are a sign of cut ones."""

SHARE_ALIKE = 1 / 3
"""Smallest share of them: earlier intents differ in length, so whole prompts are seldom alike."""

WINDOW = 2
"""Largest difference in tokens of prompts that count as alike: some servers cut to one more or less."""

NEARLY = 0.95
"""Share of the limit below which an answer that was cut did not reach it."""


def prompt_tokens_alike(predictions: Iterable[Prediction]) -> tuple[int, int] | None:
    """The number of tokens to which prompts seem to have been cut.

    Args:
        predictions: Answers of one run; those without two earlier intents in their prompt are not counted,
            because their prompts may be alike by themselves.

    Returns:
        (Most tokens of such a prompt, how many there are); None without a sign.
    """
    known = sorted(
        line.prompt_tokens
        for line in predictions
        if line.prompt_tokens and line.shown_intents > 1 and not line.failed
    )
    first, best = 0, (0, 0)
    for last, tokens in enumerate(known):
        while tokens - known[first] > WINDOW:
            first += 1
        best = max(best, (last - first + 1, tokens))
    count, tokens = best
    return (tokens, count) if count >= max(LEAST_ALIKE, SHARE_ALIKE * len(known)) else None


def cut_before_limit(predictions: Iterable[Prediction], settings: Mapping[str, object]) -> int:
    """How many answers were cut although they have fewer tokens than the limit: the context was full.

    Args:
        predictions: Answers of one run.
        settings: The agent's settings from run.json.
    """
    limit = _find_output_limit(settings)
    if limit is None:
        return 0
    return sum(
        line.cut and line.completion_tokens is not None and line.completion_tokens < NEARLY * limit
        for line in predictions
    )


def _find_output_limit(settings: Mapping[str, object]) -> int | None:
    """The most tokens of an answer; None without a model."""
    extra = settings.get("extra_body")
    given = [extra.get(name) for name in LIMITS] if isinstance(extra, Mapping) else []
    known = [limit for limit in (*given, settings.get("max_tokens")) if isinstance(limit, int)]
    return known[0] if known else None


def context_signs(predictions: Sequence[Prediction], settings: Mapping[str, object]) -> Iterator[str]:
    """Each sign as a sentence.

    Args:
        predictions: Answers of one run.
        settings: The agent's settings from run.json.
    """
    early = cut_before_limit(predictions, settings)
    if early:
        yield (
            f"{early:,} of the cut answers have fewer tokens than the limit: the server's context was full, "
            "and a larger one lets them end"
        )
    alike = prompt_tokens_alike(predictions)
    if alike:
        tokens, count = alike
        yield (
            f"{count:,} prompts have {tokens:,} tokens, whatever they hold: the server seems to cut them to "
            "its context, which a larger one prevents"
        )
