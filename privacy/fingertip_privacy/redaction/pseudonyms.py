"""Pseudonyms of one person: a secret-keyed map from values to replacements, and their place in a text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fingertip_privacy.finds import FindKind
from fingertip_privacy.redaction.pseudonym_forms import Draws, by_class, replacement
from fingertip_privacy.redaction.value_spellings import (
    SecretValue,
    ValueMatch,
    ValueSpellings,
    lay,
    plain_text,
)

ATTEMPTS = 200
"""Draws for one value before its replacement may be longer than the value itself."""

KEPT_TEXTS = 20_000
"""Number of texts whose replacement is remembered: trees repeat theirs step after step."""

LONGEST_KEPT = 400
"""Longest text that is remembered."""

LEAST_ID = 7
"""Least characters of a number that is replaced within ids of elements and numbers of JSON."""


class Pseudonyms:
    """Replacements of one person's values: one for each value, different for different values.

    Which attempt is taken at a collision depends on all of the person's values, not on their order.

    Args:
        key: Secret key of the release.
        user: Id of the person.
        values: All of the person's values.
        avoid: Texts that are no replacement, in lower case.
    """

    def __init__(
        self, key: bytes, user: str, values: Iterable[SecretValue], avoid: Collection[str] = ()
    ) -> None:
        self._key, self._user = key, user
        kinds: dict[str, SecretValue] = {}
        # of one text that is two kinds the one with more spellings
        for value in sorted(values, key=lambda value: (value.core, not value.number, value)):
            kinds.setdefault(value.core, value)
        self.values = tuple(kinds.values())
        self._cores = frozenset(kinds)
        self._map: dict[str, str] = {}
        taken = set(avoid)
        # a masked number follows the full one, so it comes after it
        for value in sorted(self.values, key=lambda value: ("*" in value.core, value)):
            drawn = self._match_masked(value) or self._draw(value, taken)
            self._map[value.core] = drawn
            taken.add(drawn.lower())

    def of(self, core: str) -> str:
        """The replacement of a value.

        Raises:
            KeyError: The value is none of the person's.
        """
        return self._map[core]

    @property
    def drawn(self) -> frozenset[str]:
        """All replacements, in lower case."""
        return frozenset(one.lower() for one in self._map.values())

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

    def _match_masked(self, value: SecretValue) -> str | None:
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
        own: Values that are replaced.
        wider: Replacer of further values, such as those of all of the person's episodes.
    """

    pseudonyms: Pseudonyms
    own: tuple[SecretValue, ...]
    wider: TextReplacer | None = None
    _known: dict[str, tuple[str, tuple[FindKind, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def values(self) -> bool:
        """Whether there is any value."""
        return bool(self.own) or (self.wider is not None and self.wider.values)

    @cached_property
    def of_ids(self) -> TextReplacer:
        """Replacer of long numbers and mailboxes only: words within ids of programs are no names."""
        values = tuple(
            value
            for value in self.own
            if value.kind is FindKind.EMAIL or (value.number and len(value.core) >= LEAST_ID)
        )
        return TextReplacer(self.pseudonyms, values, self.wider.of_ids if self.wider else None)

    @cached_property
    def of_names(self) -> TextReplacer:
        """Replacer of the values that are replaced in all of a person's texts, for names of files."""
        values = tuple(value for value in self.own if not value.local)
        return TextReplacer(self.pseudonyms, values, self.wider.of_names if self.wider else None)

    def replace(self, text: str) -> tuple[str, tuple[FindKind, ...]]:
        """Replace the values in a text.

        Returns:
            The new text, and the kind of each replacement in order; none if the text has no value.
        """
        if not text:
            return text, ()
        found = self._known.get(text)
        if found is None:
            found = self._replace_values(text)
            if len(text) <= LONGEST_KEPT:
                if len(self._known) >= KEPT_TEXTS:
                    self._known.clear()
                self._known[text] = found
        return found

    def holds(self, text: str) -> bool:
        """Whether a text has one of the values."""
        return bool(self.replace(text)[1])

    def _replace_values(self, text: str) -> tuple[str, tuple[FindKind, ...]]:
        pieces: list[str] = []
        kinds: list[FindKind] = []
        at = 0
        plain = plain_text(text)
        for match, layer in self._matches(plain.text):
            drawn = layer.pseudonyms.of(match.core)
            start, end = plain.find_span(match.start, match.end)
            pieces += (text[at:start], lay(drawn, text[start:end], number=match.number))
            kinds.append(layer._kinds[match.core])
            at = end
        return ("".join((*pieces, text[at:])), tuple(kinds)) if kinds else (text, ())

    def _matches(self, plain: str) -> Iterator[tuple[ValueMatch, TextReplacer]]:
        """Values of all layers without overlaps: the first, of several that begin there the longest.

        Args:
            plain: The text as `plain_text` gives it.
        """
        following = [(layer, layer._spellings.first(plain)) for layer in self._layers]
        while found := [(match, layer) for layer, match in following if match is not None]:
            # of equal ones that of the narrower layer
            match, layer = min(found, key=lambda one: (one[0].start, -one[0].end))
            yield match, layer
            end = match.end
            following = [
                (one, other if other.start >= end else one._spellings.first(plain, end))
                for one, other in following
                if other is not None
            ]

    @cached_property
    def _layers(self) -> tuple[TextReplacer, ...]:
        mine = (self,) if self.own else ()
        return mine + (self.wider._layers if self.wider else ())

    @cached_property
    def _spellings(self) -> ValueSpellings:
        return ValueSpellings(self.own)

    @cached_property
    def _kinds(self) -> dict[str, FindKind]:
        return {value.core: value.kind for value in self.own}
