"""Numbers of a model's output that keep their spelling: an answer of 7.50 is not 7.5."""

from __future__ import annotations


class WrittenInt(int):
    """Whole number with its spelling.

    >>> WrittenInt("007"), WrittenInt("007").written
    (7, '007')
    """

    written: str

    def __new__(cls, written: str) -> WrittenInt:
        """Read the number."""
        number = super().__new__(cls, written)
        number.written = written
        return number


class WrittenFloat(float):
    """Number with its spelling."""

    written: str

    def __new__(cls, written: str) -> WrittenFloat:
        """Read the number."""
        number = super().__new__(cls, written)
        number.written = written
        return number


def spell_number(number: float) -> str:
    """Return a number as it was written.

    >>> spell_number(WrittenFloat("7.50")), spell_number(7)
    ('7.50', '7')
    """
    return number.written if isinstance(number, WrittenInt | WrittenFloat) else f"{number}"
