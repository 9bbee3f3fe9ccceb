"""A table as Markdown: cards, reports and pages of the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, left: int | None = None) -> str:
    """The lines of a table whose cells are Markdown already.

    Args:
        head: Names of the columns.
        rows: Cells of each row.
        left: Number of columns that are aligned to the left, the others to the right; None to leave the
            alignment to the reader.

    >>> print(markdown_table(("agent", "n"), [("habit", "3")], left=1))
    | agent | n |
    | :-- | --: |
    | habit | 3 |
    """
    signs = ["---" if left is None else ":--" if column < left else "--:" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, signs, *rows))
