"""Runs of digits in groups, with whatever people and programs put between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

SEPARATOR = r"[ ._·/|~,:;、，。'’=\\()\[\]\r\n-]"
"""A sign that may stand between groups, in a folded text."""

_RUN = re.compile(rf"(?<![0-9A-Za-z*])[0-9](?:{SEPARATOR}{{0,4}}[0-9]){{6,39}}(?![0-9A-Za-z*%])")
_LOOSE = frozenset({"", "-"})
"""What is left of a separator without its spaces where groups of any size are taken: it joins numbers of no
other use, where a point, a slash or a comma also joins versions, dates and coordinates."""

_BRACKETS = str.maketrans("", "", "()")
_DATE = re.compile(r"(?:19|20)[0-9]{2} (?:0?[1-9]|1[0-2]) (?:0?[1-9]|[12][0-9]|3[01])(?: |\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class DigitGroups:
    """A part of a run of digits.

    Attributes:
        start: First digit, or the bracket before it.
        end: Place behind the last one.
        groups: The digits that stand together, in order.
        sign: What stands between the groups, without spaces and brackets.
    """

    start: int
    end: int
    groups: tuple[str, ...]
    sign: str

    @property
    def loose(self) -> bool:
        """Whether only spaces, hyphens and brackets stand between the groups."""
        return self.sign in _LOOSE

    @property
    def digits(self) -> str:
        """All digits."""
        return "".join(self.groups)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of digits of each group."""
        return tuple(map(len, self.groups))

    @property
    def one_by_one(self) -> bool:
        """Whether each digit stands alone."""
        return max(self.sizes) == 1

    @property
    def is_list(self) -> bool:
        """Whether it reads as something else: numbers that count on, a date, an IP address, an amount."""
        values = [int(group) for group in self.groups]
        step = {after - before for before, after in pairwise(values)}
        address = len(values) == 4 and not self.loose and max(values) < 256
        thousands = self.sign in {",", "."} and len(values) > 2 and {*self.sizes[1:]} == {3}
        counted = len(values) > 2 and len(step) == 1 and not self.one_by_one
        return counted or address or thousands or bool(_DATE.match(" ".join(self.groups)))


def find_digit_groups(text: str, lengths: Collection[int]) -> Iterator[DigitGroups]:
    """Yield every part of a run that has so many digits, in two groups or more with one sign between them.

    Args:
        text: A folded text.
        lengths: Wanted numbers of digits.
    """
    for run in _RUN.finditer(text):
        places = [match.span() for match in re.finditer("[0-9]+", run[0])]
        if len(places) < 2:
            continue
        offset = run.start()
        for first in range(len(places)):
            count = 0
            for last in range(first, len(places)):
                count += places[last][1] - places[last][0]
                if count > max(lengths):
                    break
                if count in lengths and last > first:
                    part = _make_groups(run[0], places, first, last)
                    if part is not None:
                        start = offset + places[first][0]
                        yield DigitGroups(
                            start=start - (text[max(0, start - 1) : start] in ("(", "[")),
                            end=offset + places[last][1],
                            groups=tuple(run[0][start:end] for start, end in places[first : last + 1]),
                            sign=part,
                        )


def _make_groups(run: str, places: list[tuple[int, int]], first: int, last: int) -> str | None:
    """The sign between groups; None if there are several, or the same one goes on outside of them."""
    between = [
        "".join(run[places[at][1] : places[at + 1][0]].translate(_BRACKETS).split())
        for at in range(len(places) - 1)
    ]
    inside = Counter(sign for sign in between[first:last])
    # a bracket stands where another number of the same person has a hyphen: (138) 1234-5678
    signs = set(inside) - {""} or {""}
    if len(signs) != 1:
        return None
    (sign,) = signs
    outside = between[max(0, first - 1) : first] + between[last : last + 1]
    return None if sign in outside else sign
