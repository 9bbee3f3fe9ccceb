"""Lists of a page of the docs that are made from code and stand between marks of their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def with_lists(page: str, lists: Iterable[Callable[[], str]]) -> str:
    """The page with its lists written again.

    Args:
        page: Its text, with the marks `<!-- name -->` and `<!-- /name -->`, each on a line, around each list.
        lists: Functions whose names are those of the marks, each of which makes a list.

    Raises:
        ValueError: The page has not the marks of a list.
    """
    for make in lists:
        head, start, rest = page.partition(f"<!-- {make.__name__} -->\n")
        _, end, tail = rest.partition(f"<!-- /{make.__name__} -->")
        if not (start and end):
            raise ValueError(f"expected the marks of {make.__name__} in the page")
        page = f"{head}{start}{make()}\n{end}{tail}"
    return page
