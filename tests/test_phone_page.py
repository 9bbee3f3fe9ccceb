"""docs/phone.md shows what the simulated phone answers."""

from __future__ import annotations

import pytest

from android_shell.shell.builtins import BUILTINS
from docs.site.page_lists import with_lists
from docs.site.phone_page import ABSENT, LISTS, PAGE
from simulated_phone.adb.commands import COMMANDS


def test_the_page_shows_the_lists() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_lists(page, LISTS), "run: python -m docs.site.phone_page"


@pytest.mark.parametrize("make", LISTS, ids=lambda make: make.__name__)
def test_a_list_without_marks_is_an_error(make: object) -> None:
    name = getattr(make, "__name__", "")
    page = PAGE.read_text(encoding="utf-8").replace(f"<!-- /{name} -->", "")
    with pytest.raises(ValueError, match=f"expected the marks of {name}"):
        with_lists(page, LISTS)


def test_every_command_says_what_it_takes() -> None:
    assert [name for name, run in COMMANDS.items() if not (run.__doc__ or "").startswith("`")] == []
    assert not {*ABSENT} & {*COMMANDS, *BUILTINS}
