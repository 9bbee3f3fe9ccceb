"""Words and syntax errors of the phone's shell; the oracle holds what its lines do."""

from __future__ import annotations

import random
import shlex
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from android_shell.shell.parser import parse_line
from android_shell.shell.syntax import ShellSyntaxError
from phone.tests.android_shell.plain_words import read_plain_words
from phone.tests.simulated_phone.conftest import run_line

CHARACTERS = "ab \t'\"\\$`;&|<>()*?[]~#!%=^,:{}\n-中文，😀12"


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\0")), min_size=1))
def test_quoting_and_parsing_are_inverse(words: list[str]) -> None:
    assert read_plain_words(shlex.join(["printf", *words])) == [["printf", *words]]


def test_quoted_words_are_printed_as_they_were() -> None:
    rng = random.Random(7)  # noqa: S311
    calls = [
        ["".join(rng.choices(CHARACTERS, k=rng.randint(0, 12))) for _ in range(rng.randint(1, 3))]
        for _ in range(100)
    ]
    lines = ["printf '%s,' " + shlex.join(words) for words in calls]
    assert [read_plain_words(line) for line in lines] == [[["printf", "%s,", *words]] for words in calls]
    printed = ["".join(f"{word}," for word in words) for words in calls]
    assert [run_line(line) for line in lines] == [(0, text, "") for text in printed]


@pytest.mark.parametrize(
    "line",
    ["'a", 'a "b', '"`"', "a &&", "&& a", "a;;b", "a || || b", "a >", "if a", "(a", "a)", "{ a", "done"],
)
def test_an_incomplete_line_is_refused(line: str) -> None:
    with pytest.raises(ShellSyntaxError):
        parse_line(line)
    code, out, err = run_line(line)
    assert (code, out) == (1, "")
    assert err.startswith("/system/bin/sh: syntax error: ")


@pytest.mark.parametrize("sign", ["$x", "`id`", "(a)", "*", "a?", "[a]", "~", "a|b", "{a,b}", "a&", "$(id)"])
def test_a_line_of_plain_words_has_no_expansion(sign: str) -> None:
    with pytest.raises(ShellSyntaxError):
        read_plain_words(f"echo {sign}")
    assert read_plain_words(f"echo '{sign}' $?; ls >'{sign}'") == [["echo", sign, ""], ["ls"]]


@settings(deadline=None)
@given(st.text(st.sampled_from(CHARACTERS)))
def test_any_line_is_parsed_or_refused(line: str) -> None:
    with suppress(ShellSyntaxError):
        assert parse_line(line).items is not None
