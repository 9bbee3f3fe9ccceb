"""Reader of a probability as models write it: a number, a percentage, a fraction, a range, or a word.

A number from 0 to 1 counts as it is, a whole or broken number from 2 to 100 as a percentage. Between 1 and 2
either could be meant, so there is none; nor is there one outside 0 to 100.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

_PERCENT = r"(?:[%％]|percent\b|per cent\b|个?百分点)"
NUMBER = r"(?:百分之)?\d{1,3}(?:\.\d{1,20})?|\.\d{1,20}"
"""A number that may be a probability, as a pattern without groups."""

_NUMBER = re.compile(
    rf"(?P<negative>[-−–])?\s*(?P<hundredth>百分之)?(?P<number>\d{{1,9}}(?:\.\d{{1,20}})?|\.\d{{1,20}})\s*"
    rf"(?:(?P<percent>{_PERCENT})|[/／]\s*(?P<whole>1|5|10|100)(?:\.0)?(?!\d)|(?P<tenth>成)"
    rf"|\s+out of\s+(?P<of>1|5|10|100)\b)?",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?P<low>\d{1,3}(?:\.\d{1,20})?)\s*(?P<first>[%％])?\s*(?:-|–|—|~|～|至|到|to)\s*"
    r"(?P<high>\d{1,3}(?:\.\d{1,20})?)\s*(?P<percent>[%％])?",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:about|around|approximately|approx\.?|roughly|circa|at least|over|nearly|almost|大约|大概"
    r"|约为?|近|至少|[~≈约>≥])\s*",
    re.IGNORECASE,
)
_TENTHS = {char: number / 10 for number, char in enumerate("一二三四五六七八九", 1)}

WORDS: Mapping[str, float] = {
    **dict.fromkeys(("very low", "extremely low", "very unlikely", "很低", "极低", "非常低"), 0.1),
    **dict.fromkeys(("low", "rather low", "unlikely", "not likely", "低", "较低", "偏低", "不太可能"), 0.25),
    **dict.fromkeys(("medium", "moderate", "mid", "average", "fair", "uncertain", "unsure", "50/50"), 0.5),
    **dict.fromkeys(("中", "中等", "一般", "适中", "不确定"), 0.5),
    **dict.fromkeys(("high", "rather high", "likely", "confident", "高", "较高", "偏高", "可能"), 0.75),
    **dict.fromkeys(("very high", "extremely high", "very likely", "very confident", "certain", "sure"), 0.9),
    **dict.fromkeys(("很高", "极高", "非常高", "很可能", "极可能", "非常可能", "确定", "肯定"), 0.9),
}
"""Words of a scale of five and their probabilities."""


def read_probability(value: object) -> float | None:
    """Read a probability, 0 to 1, from a value of JSON or a text; None if it is none.

    >>> [read_probability(value) for value in (0.7, 70, "70%", "7/10", "0.6-0.8", "七成", "high", 1)]
    [0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.75, 1.0]
    >>> [read_probability(value) for value in (1.5, -0.2, 130, "a lot", True, None, float("nan"))]
    [None, None, None, None, None, None, None]
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str):
        return _read_text(value)
    return _scale(float(value))


def _read_text(text: str) -> float | None:
    words = " ".join(text.casefold().split()).strip("。.!！\"'“”()（）[]【】*` ")
    words = words[found.end() :] if (found := _ABOUT.match(words)) else words
    if words in WORDS:
        return WORDS[words]
    if words.endswith("成") and words[:-1] in _TENTHS:
        return _TENTHS[words[:-1]]
    if between := _RANGE.fullmatch(words):
        unit = 100 if between["percent"] or between["first"] else None
        ends = [_scale(float(between[end]), unit) for end in ("low", "high")]
        return None if None in ends else round(math.fsum(filter(None, ends)) / 2, 9)
    number = _NUMBER.fullmatch(words)
    if number is None or (number["negative"] and float(number["number"])):
        return None
    whole = number["whole"] or number["of"] or (10 if number["tenth"] else None)
    if number["percent"] or number["hundredth"]:
        whole = 100
    return _scale(float(number["number"]), None if whole is None else int(whole))


def _scale(number: float, whole: int | None = None) -> float | None:
    """Return a number as a share of `whole`; None for one of 1 or of 100, whichever it can be."""
    if whole is None:
        whole = 100 if 2 <= number <= 100 else 1
    share = number if whole == 1 else round(number / whole, 12)
    return share if 0 <= share <= 1 else None
