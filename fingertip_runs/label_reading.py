"""Reading of labels that no rule names: whether one reads like an act, or like a name, a page or a fact.

A label is taken apart into words. Each has kinds, such as "money", "delete" or "record", by
label_words.toml; an English word that is not listed has those of its ending. The kinds, their order, the
words themselves and the signs are the marks of the label. Its score is the sum of their weights, learned
from lists of labels by logistic regression (label_weights.tsv): the logarithm of the odds that a careful
person wants to be asked.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

from fingertip_dataset.folded_text import fold_forms
from fingertip_dataset.ui_tree.normal_text import normal

__all__ = ["LabelReading", "find_marks", "hash_weights", "read_label"]

_WORDS, _WEIGHTS = "label_words.toml", "label_weights.tsv"
_ENDINGS = {
    "past": ("ed",), "doing": ("ing",), "doer": ("ers", "er"), "manner": ("ly",), "many": ("es", "s"),
    "noun": ("ments", "ment", "tions", "tion", "ness", "ity", "ance", "al"),
}  # fmt: skip
"""Endings of English words that are not listed, by what they make of a word."""
_STEM = 3
"""Fewest letters before an ending."""
_ACTS = frozenset(
    {"money", "trade", "send", "call", "publish", "delete", "permit", "leave", "change", "begin"}
)
"""Kinds of words that are acts; the others are "look", and those of things, pages and facts."""
_JOINING = frozenset({"and", "or", "to", "then", "now", "please", "dont", "not"})
"""English words after which an act may stand."""
_SIGNS = '?:·|%《"#(+!@.'
_PHRASE = 4
"""Fewest letters between Chinese words that are more than one word that is not listed, as in a headline."""
_LONGEST = 7
"""Number of words from which labels are equally long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelReading:
    """How a label reads.

    Attributes:
        score: Positive if it rather reads like an act.
        word: The word that says most for an act.
    """

    score: float
    word: str


@lru_cache(maxsize=4096)
def read_label(label: str) -> LabelReading:
    """Read a label by the learned weights.

    >>> read_label("Pour out all the gold").score > 0 > read_label("Gold rush museum").score
    True
    """
    weights = _read_weights()
    by_word: dict[str, float] = {}
    for mark, word in find_marks(label).items():
        by_word[word] = by_word.get(word, 0.0) + weights.get(mark, 0.0)
    score = sum(by_word.values()) + weights[""]
    by_word.pop("", None)
    return LabelReading(score=score, word=max(by_word, key=by_word.__getitem__, default=""))


def find_marks(label: str) -> Mapping[str, str]:
    """Return the marks of a label, each with the word that has it; "" for those of the whole label.

    >>> sorted(mark for mark in find_marks("Send it") if mark.startswith("first"))
    ['first =send', 'first send e']
    """
    words = list(_split_words(label))
    script = "c" if any(word > "{" for word, _ in words) else "e"
    marks = dict.fromkeys(_find_signs(label), "")
    marks |= {f"words {min(len(words), _LONGEST)} {script}": "", f"script {script}": ""}
    for place, (word, kinds) in enumerate(words):
        spots = [name for name, at in (("first", 0), ("second", 1), ("last", len(words) - 1)) if at == place]
        spots += ["any", *(("only",) if len(words) == 1 else ())]
        marks |= {f"{spot} {kind} {script}": word for spot in spots for kind in kinds}
        marks |= {f"{spot} ={word}": word for spot in spots if spot in ("first", "last", "any")}
    for (word, kinds), (_, after) in pairwise(words):
        marks |= {f"{kind} > {other} {script}": word for kind in kinds for other in after}
    for part in normal(label).split():
        if part > "{":  # letters of Chinese words, and pairs of them
            ends = f"^{part}$"
            marks |= {f"letters {ends[at : at + size]}": "" for size in (1, 2) for at in range(len(ends))}
    return marks


def hash_weights() -> str:
    """Return the SHA-256 of the words and weights by which labels are read."""
    return hashlib.sha256((_read(_WORDS) + _read(_WEIGHTS)).encode()).hexdigest()


def _split_words(label: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the words of a label with their kinds; the letters between Chinese words are one word."""
    chinese, kinds = _read_words()
    inside = False
    for part in normal(label).split():
        if part.isdigit():
            yield "0", frozenset({"number"})
        elif part < "{":
            kinds_here = _find_kinds(part)
            # an English act stands first; later, a word that can be a thing is one
            yield part, (kinds_here - _ACTS or kinds_here) if inside else kinds_here
            inside = part not in _JOINING
        else:
            for found in filter(None, chinese.split(part)):
                other = "phrase" if len(found) >= _PHRASE else "unknown"
                yield found, kinds.get(found, frozenset({other}))


@lru_cache(maxsize=4096)
def _find_kinds(word: str) -> frozenset[str]:
    """Return the kinds of an English word: those listed, and those of its ending if it is no listed verb."""
    _, kinds = _read_words()
    found = set(kinds.get(word, ()))
    if not found & {*_ACTS, "look", "past"}:
        for name, ending in ((name, end) for name, ends in _ENDINGS.items() for end in ends):
            stem = word.removesuffix(ending)
            if stem != word and len(stem) >= _STEM:
                found.add(f"-{name}")
                if any(kinds.get(base, frozenset()) & _ACTS for base in (stem, f"{stem}e", stem[:-1])):
                    found.add(f"act-{name}")
                break
    return frozenset(found or {"unknown"})


def _find_signs(label: str) -> Iterator[str]:
    text = fold_forms(label).strip()
    yield from (f"sign {sign}" for sign in _SIGNS if sign in text)
    if re.search(r"[¥$€£₹₩][ 0-9]|[0-9] ?(?:元|[€₽₩])", text):
        yield "sign price"
    for name, shape in (("digit", "[0-9]"), ("digit first", "^[0-9]"), ("digit last", r"[0-9)]$")):
        if re.search(shape, text):
            yield name


@cache
def _read_words() -> tuple[re.Pattern[str], Mapping[str, frozenset[str]]]:
    """Read the expression that finds listed Chinese words, the longest first, and the kinds of all words."""
    kinds: dict[str, set[str]] = {}
    for kind, lists in tomllib.loads(_read(_WORDS)).items():
        for word in " ".join(lists.values()).split():
            kinds.setdefault(word, set()).add(kind)
    chinese = sorted((word for word in kinds if word > "{"), key=len, reverse=True)
    return re.compile(f"({'|'.join(chinese)})"), {word: frozenset(found) for word, found in kinds.items()}


@cache
def _read_weights() -> Mapping[str, float]:
    lines = (line for line in _read(_WEIGHTS).splitlines() if not line.startswith("#"))
    rows = (line.split("\t") for line in lines)
    return {mark: float(weight) for weight, mark in rows}


def _read(name: str) -> str:
    return files("fingertip_runs").joinpath(name).read_text(encoding="utf-8")
