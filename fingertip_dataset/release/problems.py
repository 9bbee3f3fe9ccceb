"""A defect of a raw release, where it is, and how many there are of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from fingertip_dataset.release.problem_kinds import Effect, ProblemKind, Subject

__all__ = ["Effect", "Problem", "ProblemKind", "Subject", "count_problems", "printable"]

DETAIL_LENGTH = 400
"""Characters of a problem's text; what a file says is cut, for it may be long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One defect, where it is, and what it is.

    Attributes:
        kind: Its name, with meaning and effect.
        detail: One line, "expected X, got Y" where that says it. Safe to print: what data says is escaped and
            cut.
        episode_id: The episode in question.
        file: Relative to the release, or the name of a table; escaped where it cannot be printed.
        line: Of that file, counted from 1.
    """

    kind: ProblemKind
    detail: str
    episode_id: str | None = None
    file: str | None = None
    line: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "detail", printable(self.detail, DETAIL_LENGTH))
        if self.file is not None:
            object.__setattr__(self, "file", printable(self.file))
        if self.episode_id is not None:
            object.__setattr__(self, "episode_id", printable(self.episode_id))


def printable(text: str, limit: int | None = None) -> str:
    r"""Text of unknown origin, safe for a terminal and for UTF-8: what cannot be printed is escaped.

    Args:
        text: Anything, lone surrogates of file names included.
        limit: Characters after which the text is cut.

    >>> printable("住所 \x1b[2J")
    '住所 \\x1b[2J'
    """
    if limit is not None and len(text) > limit:
        text = f"{text[: limit - 3]}..."
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def count_problems(problems: Iterable[Problem]) -> dict[str, int]:
    """How many of each kind, in the order of `ProblemKind`; kinds without a problem are left out.

    >>> count_problems([Problem(kind=ProblemKind.BAD_AGE, detail="old")] * 2)
    {'bad_age': 2}
    """
    counts = Counter(problem.kind for problem in problems)
    return {kind.value: counts[kind] for kind in ProblemKind if counts[kind]}
