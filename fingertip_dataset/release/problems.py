"""Problems of a raw release: kind, detail and place of a defect, and counts by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from fingertip_dataset.release.problem_kinds import Effect, ProblemKind, Subject

__all__ = ["Effect", "Problem", "ProblemKind", "Subject", "count_problems", "printable"]

DETAIL_LENGTH = 400
"""Maximum length of a problem's detail in characters; long text from files is cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A defect and its place.

    Attributes:
        kind: Kind of the defect.
        detail: One line, mostly "expected X, got Y". Safe to print: text from data is escaped and cut.
        episode_id: The episode in question.
        file: Path relative to the release, or the name of a table; unprintable characters are escaped.
        line: Line of the file, counted from 1.
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
    r"""Escape unprintable characters in text of unknown origin, so that a terminal and UTF-8 can take it.

    Args:
        text: Any text; lone surrogates from file names are allowed.
        limit: Maximum length in characters; longer text is cut.

    >>> printable("住所 \x1b[2J")
    '住所 \\x1b[2J'
    """
    if limit is not None and len(text) > limit:
        text = f"{text[: limit - 3]}..."
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def count_problems(problems: Iterable[Problem]) -> dict[str, int]:
    """Count problems by kind, in the order of `ProblemKind`; kinds without a problem are left out.

    >>> count_problems([Problem(kind=ProblemKind.BAD_AGE, detail="old")] * 2)
    {'bad_age': 2}
    """
    counts = Counter(problem.kind for problem in problems)
    return {kind.value: counts[kind] for kind in ProblemKind if counts[kind]}
