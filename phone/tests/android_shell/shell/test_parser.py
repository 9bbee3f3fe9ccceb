"""The phone's shell against real ones: words, expansions, control flow, syntax errors."""

from __future__ import annotations

import random
import shlex
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from android_shell.shell.parser import parse_line
from android_shell.shell.syntax import ShellSyntaxError
from phone.tests.android_shell.plain_words import read_plain_words
from phone.tests.simulated_phone.conftest import run_line
from tests.examples import examples

CHARACTERS = "ab \t'\"\\$`;&|<>()*?[]~#!%=^,:{}\n-中文，😀12"
REAL_SHELLS = ("dash", "bash")
SEPARATOR = "--next--"


def real_outputs(shell: str, lines: list[str], folder: Path) -> list[str]:
    """Return what a real shell prints for each line; one process runs all lines, each in a subshell."""
    script = "".join(
        f"(eval {shlex.quote(line)}) 2>/dev/null </dev/null\nprintf '%s' {SEPARATOR}\n" for line in lines
    )
    env = {"PATH": "/usr/bin:/bin", "HOME": "/", "LC_ALL": "C.UTF-8"}
    result = subprocess.run(
        [shell], input=script.encode(), capture_output=True, check=False, timeout=120, cwd=folder, env=env
    )
    return result.stdout.decode("utf-8", "replace").split(SEPARATOR)[:-1]


def phone_output(line: str) -> str:
    return run_line("cd /data/local/tmp\n" + line)[1]


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\0")), min_size=1))
def test_quoting_and_parsing_are_inverse(words: list[str]) -> None:
    assert read_plain_words(shlex.join(["printf", *words])) == [["printf", *words]]


def test_quoted_words_are_parsed_as_by_a_real_shell(tmp_path: Path) -> None:
    rng = random.Random(7)  # noqa: S311
    calls = [
        ["".join(rng.choices(CHARACTERS, k=rng.randint(0, 12))) for _ in range(rng.randint(1, 3))]
        for _ in range(100)
    ]
    lines = ["printf '%s,' " + shlex.join(words) for words in calls]
    expected = ["".join(f"{word}," for word in words) for words in calls]
    assert real_outputs("dash", lines, tmp_path) == expected
    assert [read_plain_words(line) for line in lines] == [[["printf", "%s,", *words]] for words in calls]


def comparable(line: str, shell: str) -> bool:
    """Whether real shells and mksh agree on a line: no files, no jobs, no expansion that only some have."""
    differs = (
        "<",
        ">",
        "&",
        "!",
        "$-",
        "$$",
        "$(",
        "$[",
        "`(",
        '$"',
        "$'",
        "[^",
        "{" if shell == "dash" else "\n",
    )
    return not any(text in line for text in differs)


@pytest.mark.parametrize("shell", REAL_SHELLS)
def test_a_random_line_prints_what_a_real_shell_prints(shell: str, tmp_path: Path) -> None:
    rng = random.Random(11)  # noqa: S311
    lines: list[str] = []
    while len(lines) < examples(600):
        line = "printf '%s,' " + "".join(rng.choices(CHARACTERS, k=rng.randint(1, 9)))
        if comparable(line, shell):
            lines.append(line)
    expected = real_outputs(shell, lines, tmp_path)
    assert len(expected) == len(lines)
    found = [phone_output(line) for line in lines]
    different = [three for three in zip(lines, expected, found, strict=True) if three[1] != three[2]]
    assert different == []


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
