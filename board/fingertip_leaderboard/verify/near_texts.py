"""Whether a text is nearly another one, or holds it with words before and after it."""

from __future__ import annotations

from rapidfuzz.fuzz import partial_ratio, ratio

from fingertip_dataset.folded_text import fold_forms

NEAR = 90.0
"""Minimum similarity of two nearly equal texts, 0-100, by rapidfuzz's ratio."""

WITHIN = 92.0
"""Minimum similarity of a text with the part of a longer one that is most like it."""

LONG = 6
"""Minimum letters and digits of a text for its place in another one to be unlikely by chance."""

MOST_OF = 0.6
"""Minimum share of a known text that an answer has as its beginning or its end."""

KEPT = 2_000
"""Maximum letters and digits that are compared."""


def is_near(one: str, other: str) -> bool:
    """Whether two texts have nearly the same letters and digits."""
    return ratio(bare(one), bare(other), score_cutoff=NEAR) >= NEAR


def holds_text(answer: str, known: str) -> bool:
    """Whether an answer is nearly a known text, that text with others around it, or most of it.

    >>> holds_text("明天早上八点叫我起床，谢谢你啦", "明天早上八点叫我起床")
    True
    >>> holds_text("明天早上八点", "明天早上八点叫我起床"), holds_text("叫我", "明天早上八点叫我起床")
    (True, False)
    """
    given, true = bare(answer)[:KEPT], bare(known)[:KEPT]
    if not given or not true:
        return False
    if ratio(given, true, score_cutoff=NEAR) >= NEAR:
        return True
    if len(given) < len(true):
        cut = len(given) >= LONG and len(given) >= MOST_OF * len(true)
        return cut and (true.startswith(given) or true.endswith(given))
    return len(true) >= LONG and partial_ratio(true, given, score_cutoff=WITHIN) >= WITHIN


def bare(text: str) -> str:
    """Letters and digits of a text in compatible forms; the text itself without any.

    >>> bare("Open １２-３, please!")
    'open123please'
    """
    whole = fold_forms(text)
    return "".join(character for character in whole if character.isalnum()) or whole
