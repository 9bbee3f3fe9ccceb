"""docs/reference/phone.md shows what the simulated phone answers."""

from __future__ import annotations

import pytest

from android_shell.shell.builtins import BUILTINS
from android_shell.shell.parser import parse_line
from docs.site.page_lists import with_lists
from docs.site.phone_page import ABSENT, LANGUAGE, LISTS, PAGE, SPELLED_OPTIONS
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
    texts = {name: getattr(run, "run", run).__doc__ or "" for name, run in COMMANDS.items()}
    assert [name for name, text in texts.items() if not text.startswith("`")] == []
    assert not {*ABSENT} & {*COMMANDS, *BUILTINS}


@pytest.mark.parametrize("form", [form for forms in LANGUAGE.values() for form in forms])
def test_a_form_of_the_language_is_read(form: str) -> None:
    assert parse_line(f"echo {form}\na\nEND" if "<<" in form else form).items


def test_builtins_that_read_their_options_themselves_are_spelled() -> None:
    own = {name for name, builtin in BUILTINS.items() if builtin.letters is None}
    assert SPELLED_OPTIONS.keys() <= own
