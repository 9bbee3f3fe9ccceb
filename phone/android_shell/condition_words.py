"""Words of a condition, `test EXPRESSION`, in the grammar that the shell's own `test` and the tool share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

NUMBERS: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda left, right: left == right,
    "-ne": lambda left, right: left != right,
    "-lt": lambda left, right: left < right,
    "-le": lambda left, right: left <= right,
    "-gt": lambda left, right: left > right,
    "-ge": lambda left, right: left >= right,
}
"""Sign between two numbers -> its meaning."""

TEXTS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda left, right: left == right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
}
"""Sign between two texts -> its meaning."""

FILES = ("-nt", "-ot", "-ef")
"""Signs between two files."""

BINARY = frozenset({*NUMBERS, *TEXTS, *FILES})
"""Signs between two words."""

MAX_WORDS = 500
"""Maximum number of words of a condition."""


class ConditionWords(ABC):
    """A position in the words of a condition; a subclass reads what stands between `-a` and `-o`.

    Args:
        words: The words, without the command's name and a closing bracket.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._words = list(words)
        self._at = 0

    @abstractmethod
    def _evaluate_single(self) -> bool:
        """The value of the condition up to the next `-a` or `-o`."""

    @abstractmethod
    def _make_error(self, text: str) -> Exception:
        """The error of a condition that cannot be read."""

    def _evaluate_rest(self) -> bool:
        """The value of all words by the grammar."""
        found = self._evaluate_either()
        if self._at < len(self._words):
            raise self._make_error(f"{self._words[self._at]}: unexpected operator/operand")
        return found

    def _take(self) -> str:
        if self._at >= len(self._words):
            raise self._make_error("missing argument")
        self._at += 1
        return self._words[self._at - 1]

    def _next(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _evaluate_either(self) -> bool:
        found = self._evaluate_both()
        while self._next() == "-o":
            self._at += 1
            found = self._evaluate_both() or found
        return found

    def _evaluate_both(self) -> bool:
        found = self._evaluate_single()
        while self._next() == "-a":
            self._at += 1
            found = self._evaluate_single() and found
        return found

    def _evaluate_brackets(self) -> bool:
        """The value of what stands between brackets, of which the opening one was taken."""
        found = self._evaluate_either()
        if self._take() != ")":
            raise self._make_error("missing )")
        return found
