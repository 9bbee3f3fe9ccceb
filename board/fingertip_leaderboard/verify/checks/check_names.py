"""Remark names that claim what only the board can say, or are those of our agents or of the paper's rows.

Names are compared by the forms of `name_keys`, word by word and as one string, so that case, separators,
letters that look alike and digits in place of letters are no disguise. Such a name may be chosen in good
faith, which is why it is shown to readers and no reason to refuse a bundle.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache

from fingertip_agents.registry import HUMAN, baseline_names, current_execution_name
from fingertip_dataset.folded_text import fold_forms
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.bundle.schema import Bundle
from fingertip_leaderboard.verify.confusables import name_keys
from fingertip_metrics.published import published_rows, published_tables

EVIDENCE_WORDS: tuple[str, ...] = (
    *("verified", "verification", "unverified", "verify", "certified", "official", "officially", "endorsed"),
    *("approved", "audited", "recomputed", "reproduced", "rerun", "paper", "published", "maintainer"),
    *("maintainers", "authors", "leaderboard", "board", "organizers", "organisers", "groundtruth"),
)
"""Words of a name that say what a row rests on, which stands in a column of its own."""

EVIDENCE_PHRASES: tuple[str, ...] = (
    *("by the board", "run by board", "success by rule", "re-run", "ground truth", "human performance"),
    *("human baseline", "by the maintainers", "from the paper", "state of the art"),
    *(
        "已验证",
        "验证通过",
        "经验证",
        "已核实",
        "官方",
        "论文",
        "本榜",
        "榜单",
        "维护者",
        "作者运行",
        "重新运行",
        "复现",
    ),
    *("重新计算", "重算", "真实答案", "标准答案", "认证", "已驗證", "論文"),
)
"""The same in several words or in Chinese; found anywhere in a name."""

HUMAN_WORDS: tuple[str, ...] = ("human", "humans", "人类", "真人", "人類")
"""Words of a name that say that people answered."""

SIGNS = "\u2713\u2714\u2611\u2705\u2b50\u2605\u2606\U0001f3c6\U0001f947\U0001f3c5\U0001f464\U0001f396"
"""Check marks, stars, medals and the sign of a person."""

FILLERS: tuple[str, ...] = (
    *("agent", "agents", "baseline", "baselines", "model", "row", "result", "results", "my", "our", "the"),
    *("by", "of", "from", "run", "in", "a", "and", "new", "final", "best", "top", "original", "real", "true"),
)
"""Words that do not distinguish a name from another one."""

_WORD = re.compile(r"[^\W_]+")
_FILLER = re.compile(r"v?[0-9]+(\.[0-9]+)?[bmt]?|[ivx]+")
"""A version or a size, which does not distinguish a name from that of our agent."""

_LEET = str.maketrans("013457@$!|", "oieastasil")


def remark_names(bundle: Bundle, found: Refusals) -> None:
    """Add a remark for each of a bundle's names that says more than a name may.

    Args:
        bundle: The bundle; its names have no invisible or mixed letters, which are refused.
        found: Gets the remarks.
    """
    card, agent = bundle.card, bundle.run.agent.name
    ours = agent if agent in baseline_names(bundle.track) else None
    for what, name in (("name", card.name), ("model", card.model or ""), ("agent's name", agent)):
        if name == ours or not name:
            continue
        if word := find_evidence_word(name, people=agent != HUMAN):
            where = "what a row rests on stands in its column of evidence alone"
            found.remark(f"the {what} {name!r} says {word!r}: {where}")
        if what == "model":
            continue
        like = find_own_agent(name)
        if like is not None and current_execution_name(like) != ours:
            found.remark(f"the {what} {name!r} is that of our agent {like}, which did not make this run")
        elif agent != HUMAN and find_published(name) is not None:
            found.remark(f"the {what} {name!r} is that of a row of the paper, which this run is not")


def find_evidence_word(name: str, *, people: bool = True) -> str | None:
    """Find a word of a name that says what its row rests on; None without one.

    Args:
        name: The name.
        people: Whether words for people count; they do not for answers of people.

    >>> find_evidence_word("Planner [V e r i f i e d]"), find_evidence_word("VERlFIED planner")
    ('verified', 'verified')
    >>> find_evidence_word("human"), find_evidence_word("human", people=False), find_evidence_word("Planner")
    ('human', None, None)
    """
    for sign in name:
        if sign in SIGNS:
            return sign
    keys: frozenset[str] = frozenset().union(*(_word_keys(word) for word in _list_words(name)))
    for word in (*EVIDENCE_WORDS, *(HUMAN_WORDS if people else ())):
        if word.isascii() and _word_keys(word) & keys:
            return word
    whole = _word_keys(_squash(name))
    chinese = tuple(word for word in HUMAN_WORDS if not word.isascii()) if people else ()
    for phrase in (*EVIDENCE_PHRASES, *chinese):
        if any(inner in outer for inner in _word_keys(_squash(phrase)) for outer in whole):
            return phrase
    return None


def find_own_agent(name: str) -> str | None:
    """Find our agent that a name is, apart from words that distinguish nothing; None for another name.

    >>> find_own_agent("My Habit agent v2 (verified)"), find_own_agent("Ha-bit"), find_own_agent("rabbit")
    ('habit', 'habit', None)
    """
    return _find_like(name, _own_keys())


def find_published(name: str) -> str | None:
    """Find the row of the paper that a name is, apart from words that distinguish nothing.

    >>> find_published("gpt 4.1 [paper]"), find_published("GPT-4.1 with our planner")
    ('GPT-4.1', None)
    """
    return _find_like(name, _published_keys(), versions=True)


def _find_like(name: str, known: Mapping[str, str], *, versions: bool = False) -> str | None:
    """The known name that a name has as all of its distinguishing words."""
    words = _list_words(name)
    left = [word for word in words if not _is_filler(word, versions=versions)]
    forms = ("".join(left), "".join(words))
    for squashed in (*forms, *(() if versions else (form.rstrip("0123456789") for form in forms))):
        for key in _word_keys(squashed) if squashed else ():
            if key in known:
                return known[key]
    return None


def _is_filler(word: str, *, versions: bool) -> bool:
    if not versions and _FILLER.fullmatch(word):
        return True
    return not word.isdigit() and bool(_word_keys(word) & _filler_keys())


@cache
def _filler_keys() -> frozenset[str]:
    return frozenset(key for part in (*FILLERS, *EVIDENCE_WORDS) for key in _word_keys(part))


@cache
def _own_keys() -> Mapping[str, str]:
    names = (*baseline_names("suggestion"), *baseline_names("execution"))
    return {key: name for name in names for key in _word_keys(_squash(name))}


_OF_TABLES = frozenset({"dataset", "action", "split", "people", "profile"})
"""Kinds of published rows that have no score of anybody."""


@cache
def _published_keys() -> Mapping[str, str]:
    """Keys of the models and people of the paper's tables, whatever the setting of the row."""
    rows = (row for table in published_tables() for row in published_rows(table))
    names = {row.agent for row in rows if row.kind not in _OF_TABLES}
    return {key: name for name in sorted(names) for key in _word_keys(_squash(name))}


@cache
def _word_keys(word: str) -> frozenset[str]:
    """Forms by which two words are compared: as `name_keys`, without accents, also with digits as letters."""
    plain = "".join(map(_lower_capital, _drop_accents(fold_forms(word))))
    return frozenset(
        _drop_accents(key) for form in (plain, plain.translate(_LEET)) for key in name_keys(form)
    )


def _lower_capital(letter: str) -> str:
    """The letter itself; of a small capital, which has no compatible form, the plain letter."""
    name = "" if letter.isascii() else unicodedata.name(letter, "")
    return name[-1].lower() if name.startswith("LATIN LETTER SMALL CAPITAL ") and name[-2] == " " else letter


def _list_words(name: str) -> list[str]:
    """Words of a name in compatible forms; letters that stand alone, one after the other, are a word."""
    words: list[str] = []
    single = False
    for word in _WORD.findall(_drop_accents(fold_forms(_split_camel(name)))):
        if len(word) == 1 and word.isalpha():
            words[-1:] = [words[-1] + word] if single else [*words[-1:], word]
            single = True
        else:
            words.append(word)
            single = False
    return words


def _split_camel(name: str) -> str:
    """A name with a blank before each capital that follows a small letter, as in "HabitVerified"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", name)


def _squash(name: str) -> str:
    return "".join(_WORD.findall(fold_forms(name)))


def _drop_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize(
        "NFC", "".join(one for one in decomposed if not unicodedata.category(one).startswith("M"))
    )
