"""ReadBack goals back from wordings: which goal of a simulated person's phone does a text state?"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from rapidfuzz import fuzz, process

if TYPE_CHECKING:
    from simulated_phone.goals.app_definition import Arguments, Goal

THRESHOLD = 99.0
"""Minimum score, 0-160, of the best wording. Measured on simulated people: the lowest of 2,400 own intents
has 100 (a short wording with much around it); 44 sentences of other apps have 97 or less."""

CANDIDATES = 30
"""Number of wordings, by shared pairs of characters, that are scored. 100 give the same readings."""

CONTAINED = 95.0
"""Minimum partial ratio, 0-100, at which a text counts as containing a wording."""

LONGEST = 200
"""Maximum letters and digits of a text that is read: far more than a wording of any goal has."""

_OTHER = re.compile(r"[\W_]+")

_OTHER_OR_GAP = re.compile(r"(?<=\d)([\W_]+)(?=\d)|[\W_]+")

_JOINTS = frozenset(".,:：/-–")
"""Signs that join digits to a number, a time or a date, each without a blank."""

_JOINT, _GAP = ":", "|"
"""Between digits of a marked text: joined by a sign of `_JOINTS`, or kept apart by anything else."""


_BREAK = "\n"
"""After each wording, which has letters and digits alone."""

_UNITS = "utf-16-le"
"""Encoding of the wordings, in which a unit is two bytes and no character begins within another."""

_APART = "\0"
"""Between texts that are made bare together; no wording has it."""

_PART = 0.6
"""Weight of the partial ratio beside the ratio."""


@dataclass(frozen=True, slots=True)
class WordedGoal:
    """A goal with its arguments, as simulations.jsonl states it.

    Attributes:
        package: Package of the app.
        goal: Name of the goal within the app.
        arguments: The arguments as JSON with sorted keys.
    """

    package: str
    goal: str
    arguments: str

    @classmethod
    def of(cls, package: str, goal: str, arguments: Mapping[str, Any]) -> WordedGoal:
        """Make one from arguments in any order."""
        return cls(package, goal, json.dumps(dict(arguments), ensure_ascii=False, sort_keys=True))

    def same_goal(self, other: WordedGoal) -> bool:
        """Whether the goals of two are the same goal of the same app."""
        return (self.package, self.goal) == (other.package, other.goal)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBack:
    """Goals that a text states.

    Attributes:
        score: Score of the best wording, 0-160.
        goals: Goals with that best wording; empty if the text fits none, or states several.
        exact: Those of `goals` whose worded arguments all stand in the text.
        several: Whether the text contains wordings of two goals or more.
    """

    score: float
    goals: frozenset[WordedGoal] = frozenset()
    exact: frozenset[WordedGoal] = frozenset()
    several: bool = False


class PhoneWordings:
    """All wordings of all goals that make sense on the phone of a seed.

    Making them takes a tenth of a second and 3 MB; see `phone_wordings`. All wordings stand in one text, an
    array of UTF-16 units, and goals are named when a text is read: records for each of some 30,000 wordings
    would take three times as long to make.

    Args:
        seed: Seed of the person's phone.
        locale: Language of the person and the phone.
        only: The only goals whose wordings are read; None for all.
    """

    def __init__(self, seed: int, locale: str = "zh", *, only: Collection[WordedGoal] | None = None) -> None:
        from simulated_phone.people.wording import list_bare_texts

        self._locale = locale
        self._cases = list(_list_cases(seed, locale, only))
        texts: list[str] = []
        cases: list[int] = []
        for number, (_, goal, case) in enumerate(self._cases):
            own = list_bare_texts(goal, case, locale)
            texts += own
            cases += [number] * len(own)
        wordings: dict[str, int] = {}
        rows = [wordings.setdefault(text, len(wordings)) for text in make_bare(texts)]
        lengths = np.fromiter(map(len, wordings), dtype=np.int32, count=len(wordings))
        joined = "".join(f"{text}{_BREAK}" for text in wordings)
        self._units = np.frombuffer(joined.encode(_UNITS), dtype="<u2")
        self._ends = np.flatnonzero(self._units == ord(_BREAK))
        # of several cases with one wording the rows are next to each other
        order = np.argsort(np.array(rows, dtype=np.int32), kind="stable")
        self._worded = np.array(cases, dtype=np.int32)[order]
        self._firsts = np.searchsorted(np.array(rows, dtype=np.int32)[order], np.arange(len(wordings) + 1))
        # without a length term long wordings would win by their many pairs
        self._norms = np.sqrt(lengths + 2)
        self._rows: dict[str, np.ndarray[Any, np.dtype[np.int64]]] = {}
        self._readings: dict[str, ReadBack] = {}

    def read(self, text: str) -> ReadBack:
        """Read a text; equal texts are read once."""
        marked = mark_numbers(text)
        if marked not in self._readings:
            self._readings[marked] = self._read(bare(marked), marked)
        return self._readings[marked]

    def _read(self, letters: str, marked: str) -> ReadBack:
        if not letters or len(letters) > LONGEST:
            return ReadBack(score=0.0)
        rows = self._find_candidates(letters)
        texts = [self._text(row) for row in rows]
        parts = process.cdist([letters], texts, scorer=fuzz.partial_ratio, dtype=np.float64)[0]
        scores = process.cdist([letters], texts, scorer=fuzz.ratio, dtype=np.float64)[0] + _PART * parts
        score = float(scores.max())
        if score < THRESHOLD:
            return ReadBack(score=score)
        best = [row for row, of_row in zip(rows, scores, strict=True) if of_row > score - 1e-6]
        goals = frozenset(goal for row in best for goal in self._list_goals(row))
        if self._has_another(letters, self._text(best[0]), goals):
            return ReadBack(score=score, several=True)
        exact = frozenset(
            goal
            for row in best
            for goal, values in self._list_worded(row)
            if all(is_word_in(value, marked) for value in values)
        )
        return ReadBack(score=score, goals=goals, exact=exact)

    def _text(self, row: int) -> str:
        begin = self._ends[row - 1] + 1 if row else 0
        return self._units[begin : self._ends[row]].tobytes().decode(_UNITS)

    def _list_goals(self, row: int) -> list[WordedGoal]:
        """Goals that a wording words."""
        found = (self._cases[case] for case in self._worded[self._firsts[row] : self._firsts[row + 1]])
        return [WordedGoal.of(package, goal.name, case) for package, goal, case in found]

    def _list_worded(self, row: int) -> Iterator[tuple[WordedGoal, tuple[str, ...]]]:
        """Yield the goals that a wording words, each with its bare worded arguments."""
        from simulated_phone.people.wording import list_bare_wordings

        text = self._text(row)
        for number in dict.fromkeys(self._worded[self._firsts[row] : self._firsts[row + 1]].tolist()):
            package, goal, case = self._cases[number]
            for wording in list_bare_wordings(goal, case, self._locale):
                if bare(wording.text) == text:
                    worded = WordedGoal.of(package, goal.name, case)
                    yield worded, tuple(_find_whole(value, wording.text) for value in wording.values)

    def _find_candidates(self, letters: str) -> list[int]:
        """Rows of the wordings that share most pairs of characters with the text, rare pairs above all."""
        count = len(self._ends)
        weights = np.zeros(count)
        for pair in _pairs(letters):
            rows = self._find_rows(pair)
            if len(rows):
                weights[rows] += math.log(count / len(rows))
        most = min(CANDIDATES, count - 1)
        found: list[int] = np.argpartition(-weights / self._norms, most)[:CANDIDATES].tolist()
        return found

    def _find_rows(self, pair: str) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Rows of the wordings with a pair of characters, found when the first text with it is read."""
        if pair not in self._rows:
            wanted = np.frombuffer(pair.encode(_UNITS), dtype="<u2")
            starts = len(self._units) - len(wanted) + 1
            found = self._units[:starts] == wanted[0]
            for place, unit in enumerate(wanted[1:], 1):
                found &= self._units[place : place + starts] == unit
            rows = np.searchsorted(self._ends, np.flatnonzero(found))
            self._rows[pair] = rows[np.diff(rows, prepend=-1) > 0]
        return self._rows[pair]

    def _has_another(self, letters: str, wording: str, goals: frozenset[WordedGoal]) -> bool:
        """Whether the text outside of the best wording contains a whole wording of other goals."""
        place = fuzz.partial_ratio_alignment(wording, letters)
        if place is None or len(letters) <= len(wording):
            return False
        rest = letters.replace(letters[place.dest_start : place.dest_end], "")
        rows = [row for row in self._find_candidates(rest) if len(self._text(row)) <= len(rest)]
        return any(
            goals.isdisjoint(self._list_goals(row)) and fuzz.partial_ratio(self._text(row), rest) >= CONTAINED
            for row in rows
        )


@lru_cache(maxsize=128)
def phone_wordings(seed: int, locale: str = "zh") -> PhoneWordings:
    """The wordings of a phone; the latest 128 phones are kept, in some 400 MB."""
    return PhoneWordings(seed, locale)


def bare(text: str) -> str:
    """The letters and digits of a text, case folded.

    >>> bare("看Love Story，8:30！")
    '看lovestory830'
    """
    return _OTHER.sub("", text.casefold())


def make_bare(texts: Sequence[str]) -> list[str]:
    """Make many texts bare at once, which is several times as fast as one by one.

    Args:
        texts: Texts without NUL, at least one.

    >>> make_bare(["Play it_again!", "8:30"])
    ['playitagain', '830']
    """
    joined = _APART.join(texts).casefold()
    for sign in set(joined):
        # `bare` takes the letters of \w for the same, but is slow with many short matches
        if not sign.isalnum() and sign != _APART:
            joined = joined.replace(sign, "")
    return joined.split(_APART)


def _list_cases(
    seed: int, locale: str, only: Collection[WordedGoal] | None
) -> Iterator[tuple[str, Goal, Arguments]]:
    """Yield package, goal and arguments of each case that makes sense on a phone."""
    from simulated_phone.apps import list_apps

    names = None if only is None else {(goal.package, goal.goal) for goal in only}
    for app in list_apps(locale):
        for goal in app.goals:
            if names is not None and (app.package, goal.name) not in names:
                continue
            for case in goal.cases(seed):
                if only is None or WordedGoal.of(app.package, goal.name, case) in only:
                    yield app.package, goal, case


def _pairs(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(len(text) - 1)}


def mark_numbers(text: str) -> str:
    """`bare`, with a mark between digits that are apart in the text, as phone numbers and times have them.

    >>> mark_numbers("Wake me at 7:30, 8 April"), mark_numbers("G79，4月")
    ('wakemeat7:30|8april', 'g79|4月')
    """

    def mark(found: re.Match[str]) -> str:
        return "" if found[1] is None else _JOINT if found[1] in _JOINTS else _GAP

    return _OTHER_OR_GAP.sub(mark, text.casefold())


def _find_whole(value: str, wording: str) -> str:
    """The bare argument, with the minutes that its wording adds to an hour.

    >>> _find_whole("17", "alarm at 17:00"), _find_whole("17", "17 alarms"), _find_whole("7:30", "at 7:30")
    ('1700', '17', '730')
    """
    hour = re.search(rf"(?<!\d){re.escape(value)}[:：](\d\d)(?!\d)", wording) if value.isdigit() else None
    return bare(value) + (hour[1] if hour else "")


def is_word_in(value: str, marked: str) -> bool:
    """Whether a worded argument stands in a marked text; a number within a longer number does not."""
    before = rf"(?<!\d)(?<!\d{_JOINT})" if value[:1].isdigit() else ""
    after = rf"(?!{_JOINT}?\d)" if value[-1:].isdigit() else ""
    between = re.compile(r"(?<=\d)(?=\d)")
    spelled = f"[{_JOINT}{_GAP}]?".join(map(re.escape, between.split(value)))
    return re.search(before + spelled + after, marked) is not None
