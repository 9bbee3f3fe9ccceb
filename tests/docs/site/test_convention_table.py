"""docs/scoring.md: the table of where the paper and the authors' scripts differ is that of the code."""

from __future__ import annotations

from docs.site.convention_table import PAGE, conventions
from docs.site.page_lists import with_lists


def test_the_page_shows_the_table_of_today() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_lists(page, [conventions]), "run: python -m docs.site.convention_table"
    assert conventions().count("\n") > 10
