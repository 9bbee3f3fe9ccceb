"""Advice about answers that the limit of tokens cut: the next limit to try, or that no limit helps."""

from __future__ import annotations

from collections.abc import Iterable

from suggestion_runner.suggestion_records import Prediction

LEAST_TOKENS = 256
"""Smallest limit that is advised: an answer of track 1 is a sentence."""

REASONING_TOKENS = 16_384
"""Smallest limit that is advised to a model that reasons."""

REPEATED = 40
"""Characters at the end of an answer that is repeated..."""

TIMES = 3
"""... at least so often, if the model repeats itself."""


def advise_on_cuts(predictions: Iterable[Prediction], max_tokens: int) -> str:
    """Return what helps against answers that were cut at the limit of tokens.

    Args:
        predictions: Answers of one run.
        max_tokens: The limit.
    """
    cut = [line for line in predictions if line.cut]
    if cut and 2 * sum(repeats_itself(line.output or line.reasoning) for line in cut) > len(cut):
        return (
            "most of them repeat themselves, and no limit ends that: a smaller --max-tokens saves time, and "
            "another --temperature or model may help"
        )
    reasons = any(line.reasoning for line in cut)
    advised = max(double_limit(max_tokens), REASONING_TOKENS if reasons else LEAST_TOKENS)
    return f"give --max-tokens {advised} or more, and another --out"


def double_limit(tokens: int) -> int:
    """Return the smallest power of two that is at least twice a limit.

    >>> double_limit(24), double_limit(300), double_limit(8192)
    (64, 1024, 16384)
    """
    return int(1 << (2 * tokens - 1).bit_length())


def repeats_itself(text: str) -> bool:
    """Return whether the end of a text stands in it several times.

    >>> repeats_itself("打开微信"), repeats_itself("I would open the calendar for you now. " * 9)
    (False, True)
    """
    end = text[-REPEATED:]
    return len(end) == REPEATED and text.count(end) >= TIMES
