"""Pseudonyms of one person: a secret-keyed map from values to replacements, and their place in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from fingertip_privacy.finds import FindKind
from fingertip_privacy.pseudonym_forms import Draws, by_class, replacement

LONGEST_LOCAL = 5
"""Numbers of at most so many digits are replaced in the episodes where they were found, and longer ones in
all texts of the person: 2026 is a code in one episode and a year in the next."""

ATTEMPTS = 200
"""Draws for one value before its replacement may be longer than the value itself."""

NUMBERS = frozenset(
    (
        FindKind.PHONE,
        FindKind.RESIDENT_ID,
        FindKind.BANK_CARD,
        FindKind.PLATE,
        FindKind.CODE,
        FindKind.ACCOUNT,
        FindKind.AMOUNT,
    )
)
"""Kinds that may be written with separators."""

_SEPARATORS = " \t\u00a0\u2002\u2003\u2009\u3000-\u2010\u2011\u2013·•"
_SPACE = " \t\u00a0\u3000\n"
_BETWEEN = {True: f"[{re.escape(_SEPARATORS)}]?", False: f"[{re.escape(_SPACE)}]*"}
_WIDE = {ord("０") + digit: ord("0") + digit for digit in range(10)}


@dataclass(frozen=True, slots=True, order=True)
class SecretValue:
    """A private value of one person.

    Attributes:
        core: The value without separators, in half-width digits and lower case: equal for all its spellings.
        kind: What it is.
        number: Whether separators may stand between its characters.
    """

    core: str
    kind: FindKind
    number: bool

    @classmethod
    def of(cls, kind: FindKind, text: str) -> SecretValue:
        """The value that a text spells.

        >>> SecretValue.of(FindKind.PHONE, "+86 138-1234-5678").core
        '13812345678'
        """
        number = kind in NUMBERS
        core = core_of(text, number=number)
        if kind is FindKind.PHONE:
            core = re.sub(r"^(\+|00)?86(?=1[3-9])", "", core)
        return cls(core, kind, number)

    @property
    def local(self) -> bool:
        """Whether it is replaced only in the episodes where it was found."""
        short = len(self.core) <= LONGEST_LOCAL
        return len(self.core) < 2 or (short and self.core.replace(".", "").replace(",", "").isdecimal())


def core_of(text: str, *, number: bool) -> str:
    """A text without separators, in half-width digits and lower case."""
    left_out = _SEPARATORS if number else _SPACE
    return "".join(one for one in text.translate(_WIDE) if one not in left_out).lower()


class Pseudonyms:
    """Replacements of one person's values: one for each value, different for different values.

    Which attempt is taken at a collision depends on all of the person's values, not on their order.

    Args:
        key: Secret key of the release.
        user: Id of the person.
        values: All of the person's values.
    """

    def __init__(self, key: bytes, user: str, values: Iterable[SecretValue]) -> None:
        self._key, self._user = key, user
        kinds: dict[str, SecretValue] = {}
        for value in sorted(values):
            kinds.setdefault(value.core, value)
        self.values = tuple(kinds.values())
        self._cores = frozenset(kinds)
        self._map: dict[str, str] = {}
        taken: set[str] = set()
        # a masked number follows the full one, so it comes after it
        for value in sorted(self.values, key=lambda value: ("*" in value.core, value)):
            drawn = self._masked(value) or self._draw(value, taken)
            self._map[value.core] = drawn
            taken.add(drawn.lower())

    def of(self, core: str) -> str:
        """The replacement of a value.

        Raises:
            KeyError: The value is none of the person's.
        """
        return self._map[core]

    def knows(self, core: str) -> bool:
        """Whether a text without separators is a value of the person."""
        return core in self._map

    def _draw(self, value: SecretValue, taken: set[str]) -> str:
        for attempt in range(ATTEMPTS):
            draws = Draws(self._key, self._user, value.core, str(attempt))
            drawn = replacement(value.kind, value.core, draws)
            if drawn.lower() not in taken and drawn.lower() not in self._cores:
                return drawn
        # more values than the form has: a longer replacement is still different for each
        while drawn.lower() in taken or drawn.lower() in self._cores:
            drawn += by_class("1" if value.core[-1:].isdigit() else "安", draws)
        return drawn

    def _masked(self, value: SecretValue) -> str | None:
        """The masked replacement of the only full number that fits a masked one."""
        if "*" not in value.core:
            return None
        pattern = re.compile(re.escape(value.core).replace(r"\*", "."))
        full = [other for other in self._map if "*" not in other and pattern.fullmatch(other)]
        if len(full) != 1:
            return None
        return "".join(
            "*" if old == "*" else new for old, new in zip(value.core, self._map[full[0]], strict=False)
        )


@dataclass(frozen=True)
class TextReplacer:
    """Replaces every spelling of values in texts, the longest first, each place once.

    Attributes:
        pseudonyms: Replacements of the person.
        values: Values that are replaced.
    """

    pseudonyms: Pseudonyms
    values: tuple[SecretValue, ...]

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        if not self.values:
            return None
        ordered = sorted(self.values, key=lambda value: (-len(value.core), value))
        # the lookahead skips at once what begins no value
        first = "".join(sorted({re.escape(form) for value in ordered for form in _forms(value.core[0])}))
        return re.compile(f"(?=[{first}])(?:{'|'.join(map(_spellings, ordered))})", re.IGNORECASE)

    @cached_property
    def _kinds(self) -> Mapping[str, FindKind]:
        return {value.core: value.kind for value in self.values}

    @cached_property
    def _known(self) -> dict[str, tuple[str, tuple[FindKind, ...]]]:
        return {}

    def replace(self, text: str) -> tuple[str, tuple[FindKind, ...]]:
        """Replace the values in a text.

        Returns:
            The new text, and the kind of each replacement in order; none if the text has no value.
        """
        if self._pattern is None or not text:
            return text, ()
        # trees repeat the same texts step after step
        found = self._known.get(text)
        if found is None:
            kinds: list[FindKind] = []
            new = self._pattern.sub(lambda match: self._put(match[0], kinds), text)
            found = (new, tuple(kinds))
            self._known[text] = found
        return found

    def holds(self, text: str) -> bool:
        """Whether a text has one of the values."""
        return bool(self.replace(text)[1])

    def _put(self, spelled: str, kinds: list[FindKind]) -> str:
        for number in (True, False):
            core = core_of(spelled, number=number)
            if core in self._kinds:
                kinds.append(self._kinds[core])
                return lay(self.pseudonyms.of(core), spelled, _SEPARATORS if number else _SPACE)
        raise AssertionError("a match that is no value")


def lay(drawn: str, spelled: str, separators: str = _SEPARATORS) -> str:
    """Write a replacement in the spelling of the text that it replaces: separators, width and case.

    >>> lay("15400001111", "138-1234-5678")
    '154-0000-1111'
    """
    left = iter(drawn)
    out = []
    for old in spelled:
        new = old if old in separators else next(left, "")
        if old.isascii() and old.isalpha() and new.isascii():
            new = new.upper() if old.isupper() else new.lower()
        elif "０" <= old <= "９" and new.isascii() and new.isdigit():
            new = chr(ord(new) - ord("0") + ord("０"))
        out.append(new)
    return "".join((*out, *left))


def _forms(character: str) -> tuple[str, ...]:
    """A character as it may be spelled: a digit in both widths."""
    if character.isascii() and character.isdigit():
        return character, chr(ord(character) - ord("0") + ord("０"))
    return (character,)


def _spellings(value: SecretValue) -> str:
    """Regular expression of every spelling of a value, with its boundaries."""
    pieces = [f"[{''.join(_forms(one))}]" if len(_forms(one)) > 1 else re.escape(one) for one in value.core]
    flexible = not value.local
    body = (_BETWEEN[value.number] if flexible else "").join(pieces)
    first, last = value.core[0], value.core[-1]
    left = right = ""
    if first.isascii() and first.isdigit():
        left = r"(?:(?<![0-9０-９])|(?<=\+86)|(?<=0086))"
    elif first.isascii() and first.isalpha():
        left = "(?<![A-Za-z])"
    if last.isascii() and last.isdigit():
        right = "(?![0-9０-９])"
    elif last.isascii() and last.isalpha():
        right = "(?![A-Za-z])"
    return f"{left}{body}{right}"
