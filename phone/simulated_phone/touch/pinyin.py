"""Conversion of pinyin: the syllables of typed letters, and the Chinese words that they may mean."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from itertools import zip_longest
from typing import NamedTuple

TABLE = files("simulated_phone") / "touch" / "pinyin_table.txt.gz"
"""The table; made by phone/builders/pinyin_table.py."""
MOST_LETTERS = 40
"""Most letters that are composed at a time."""
MOST_USUAL = 4
"""Most characters of a single syllable that come before its words."""
MOST_COMPLETIONS = 6
"""Most longer words that the letters may be the beginning of."""
SEPARATOR = "'"
PAGE = 6
"""Number of candidates that are shown at a time."""


class Candidate(NamedTuple):
    """A meaning of letters: the Chinese text, and how many letters and separators it takes."""

    text: str
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """The table of pinyin.

    Attributes:
        characters: Syllable -> its characters, the usual ones first.
        words: Letters of a word's syllables -> words with their syllables, the usual ones first.
        initials: First letters of a word's syllables -> words, the usual ones first.
        keys: The keys of `words`, sorted.
        longest: Largest number of letters of a word.
    """

    characters: Mapping[str, str]
    words: Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]
    initials: Mapping[str, Sequence[str]]
    keys: Sequence[str] = field(default_factory=tuple)
    longest: int = 0


def read_table() -> str:
    """Return the text of the table: syllables, a tab, and characters or words, the usual ones first."""
    import gzip  # here: a phone whose keyboard is not used needs no table

    return gzip.decompress(TABLE.read_bytes()).decode("utf-8")


@lru_cache(maxsize=1)
def _table() -> _Table:
    characters: dict[str, str] = {}
    words: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    initials: dict[str, list[str]] = defaultdict(list)
    for line in read_table().splitlines():
        key, _, found = line.partition("\t")
        syllables = tuple(key.split(" "))
        if len(syllables) == 1 and not line.startswith("#"):
            characters[key] = found
        elif not line.startswith("#"):
            written = found.split(" ")
            words["".join(syllables)] += [(word, syllables) for word in written]
            initials["".join(one[0] for one in syllables)] += written
    return _Table(
        characters=characters,
        words=dict(words),
        initials=dict(initials),
        keys=sorted(words),
        longest=max(map(len, words)),
    )


@lru_cache(maxsize=256)
def syllables(letters: str) -> tuple[str, ...]:
    """The letters in as few syllables as possible, the first ones as long as possible.

    The last one may be the beginning of a syllable; letters that are none stand alone.

    >>> syllables("qingtian"), syllables("xi'an"), syllables("fanga")
    (('qing', 'tian'), ('xi', 'an'), ('fang', 'a'))
    """
    return tuple(part for run in letters.lower().split(SEPARATOR) if run for part in _split(run))


def _split(run: str) -> Sequence[str]:
    # the best division of each tail: fewest letters that are no syllable, then fewest syllables
    best: list[tuple[int, int, tuple[str, ...]]] = [(0, 0, ())]
    for start in reversed(range(len(run))):
        found = []
        for end in range(min(len(run), start + 6), start, -1):
            part = run[start:end]
            whole = part in _table().characters
            begun = end == len(run) and bool(_beginning_with(part))
            if whole or begun or end == start + 1:
                odd, count, rest = best[len(run) - end]
                found.append((odd + (not whole and not begun), count + 1, (part, *rest)))
        best.append(min(found, key=lambda one: one[:2]))
    return best[-1][2]


@lru_cache(maxsize=1024)
def _beginning_with(part: str) -> tuple[str, ...]:
    return tuple(syllable for syllable in _table().characters if syllable.startswith(part))


@lru_cache(maxsize=256)
def candidates(letters: str) -> tuple[Candidate, ...]:
    """Return what typed letters may mean, the likeliest first.

    They are: words of all letters, a sentence of words, longer words that begin so, words by their initials,
    words of the first letters, then the characters of the first syllable; the usual characters of a single
    syllable come first. There is at least one.

    Args:
        letters: Letters a-z of any case, with apostrophes between syllables where somebody typed them.

    >>> candidates("qingtian")[0]
    Candidate(text='晴天', length=8)
    """
    run = letters.lower()
    found = [*_whole(run), *_beginnings(run)]
    parts = syllables(run)
    if len(parts) == 1 and parts[0] in _table().characters:
        usual = _table().characters[parts[0]][:MOST_USUAL]
        found = [*(Candidate(character, len(run)) for character in usual), *found]
    for part in _first_syllables(parts):
        taken = _taken(run, len(part))
        found += [Candidate(character, taken) for character in _characters(part)]
    if not found:
        found = [Candidate(letters[:1], 1)]
    return tuple(dict.fromkeys(found))


def _whole(run: str) -> Iterator[Candidate]:
    """Yield the candidates that take all letters."""
    plain, table = run.replace(SEPARATOR, ""), _table()
    yield from (Candidate(word, len(run)) for word in _words(run))
    parts = syllables(run)
    sentence = [Candidate(_sentence(run), len(run))] if len(parts) > 1 else []
    abbreviated = not all(part in table.characters for part in parts[:-1])
    if not abbreviated:
        yield from sentence
    if SEPARATOR not in run and not (len(parts) == 1 and plain in table.characters):
        yield from (Candidate(word, len(run)) for word in _completions(plain))
    if len(parts) > 1:
        yield from (Candidate(word, len(run)) for word in table.initials.get(plain, ()))
    if abbreviated:
        yield from sentence


def _words(run: str) -> list[str]:
    """The words of these letters, with a syllable's end at each separator."""
    marks = _marks(run)
    return [
        word
        for word, parts in _table().words.get(run.replace(SEPARATOR, ""), ())
        if marks <= {sum(map(len, parts[:count])) for count in range(len(parts) + 1)}
    ]


def _marks(run: str) -> set[int]:
    """Where separators stand, as numbers of the letters before them."""
    return {place - run[:place].count(SEPARATOR) for place, one in enumerate(run) if one == SEPARATOR}


def _completions(plain: str) -> list[str]:
    """Longer words whose letters begin so, those of the fewest letters first."""
    keys = _table().keys
    start = bisect_left(keys, plain)
    longer = []
    for key in keys[start:]:
        if not key.startswith(plain):
            break
        if key != plain:
            longer.append(key)
    longer.sort(key=len)
    # one letter begins a large part of the table
    words = [word for key in longer[:MOST_COMPLETIONS] for word, _ in _table().words[key]]
    return words[:MOST_COMPLETIONS] if len(plain) > 2 else []


def _sentence(run: str) -> str:
    """The letters as words and characters one after another, as few as possible."""
    plain, marks = run.replace(SEPARATOR, ""), _marks(run)
    best: list[tuple[int, str] | None] = [None] * len(plain) + [(0, "")]
    for start in reversed(range(len(plain))):
        for end in range(min(len(plain), start + _table().longest), start, -1):
            rest = best[end]
            if rest is None:
                continue
            inner = {mark - start for mark in marks if start < mark < end}
            text = _best_unit(plain[start:end], inner, last=end == len(plain))
            known = best[start]
            if text and (known is None or rest[0] + 1 < known[0]):
                best[start] = (rest[0] + 1, text + rest[1])
    return best[0][1] if best[0] else ""


def _best_unit(part: str, marks: set[int], *, last: bool) -> str:
    """The usual word or character of letters, at the end also of the beginning of a syllable; "" for none."""
    for word, parts in _table().words.get(part, ()):
        if marks <= {sum(map(len, parts[:count])) for count in range(len(parts) + 1)}:
            return word
    if marks:
        return ""
    if part in _table().characters:
        return _table().characters[part][0]
    # people leave out all but a syllable's first letter; letters that begin none stay as they are
    found = _beginning_with(part) if last or len(part) == 1 else ()
    return _table().characters[found[0]][0] if found else part if len(part) == 1 else ""


def _beginnings(run: str) -> Iterator[Candidate]:
    """Words of the first letters, the longest first."""
    parts = syllables(run)
    for count in range(len(parts) - 1, 1, -1):
        taken = _taken(run, sum(map(len, parts[:count])))
        yield from (Candidate(word, taken) for word in _words(run[:taken].rstrip(SEPARATOR)))


def _first_syllables(parts: Sequence[str]) -> list[str]:
    """The first syllable, and shorter ones that it begins with: 先 and 西 for "xian"."""
    if not parts:
        return []
    first = parts[0]
    shorter = [first[:end] for end in range(len(first) - 1, 0, -1) if first[:end] in _table().characters]
    return [first, *shorter]


def _characters(part: str) -> str:
    known = _table().characters
    if part in known:
        return known[part]
    # the usual characters of each syllable that begins so
    rows = zip_longest(*(known[syllable] for syllable in _beginning_with(part)), fillvalue="")
    return "".join("".join(row) for row in rows)


def _taken(run: str, letters: int) -> int:
    """How much of the typed run its first letters are, with the separator after them."""
    place = 0
    while letters or run[place : place + 1] == SEPARATOR:
        letters -= run[place] != SEPARATOR
        place += 1
    return place


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing:
    """The state of the pinyin keyboard, and what it shows.

    Attributes:
        latin: Whether it types letters as they are.
        letters: The letters that are composed.
        page: Index of the shown page of candidates.
    """

    latin: bool
    letters: str = ""
    page: int = 0

    @property
    def shown_letters(self) -> str:
        """The letters with an apostrophe between syllables.

        >>> Typing(latin=False, letters="qingtian").shown_letters
        "qing'tian"
        """
        return SEPARATOR.join(syllables(self.letters)) or self.letters

    @property
    def first(self) -> int:
        """Index of the first shown candidate."""
        return self.page * PAGE

    @property
    def shown(self) -> Sequence[Candidate]:
        """The shown candidates."""
        return candidates(self.letters)[self.first : self.first + PAGE] if self.letters else ()

    @property
    def last_page(self) -> bool:
        """Whether no candidates follow."""
        return not self.letters or self.first + PAGE >= len(candidates(self.letters))
