from __future__ import annotations

import random
import shlex
import subprocess
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulated_phone.adb.shell_line import STATUS, Redirection, ShellSyntaxError, parse_line

CHARACTERS = "ab \t'\"\\$`;&|<>()*?[]~#!%=^,:{}\n-中文，😀12"
REAL_SHELLS = ("dash", "bash")
SEPARATOR = "--next--"


def parsed_words(line: str) -> list[tuple[str, ...]]:
    return [command.words for command in parse_line(line)]


def real_shell_words(shell: str, lines: list[str]) -> list[list[str]]:
    """The words that a real shell passes to a command, for each line; one process for all lines."""
    script = "".join(f"printf '%s\\0' {line}\nprintf '%s\\0' {SEPARATOR}\n" for line in lines)
    result = subprocess.run([shell, "-c", script], capture_output=True, check=True, timeout=120)
    groups: list[list[str]] = [[]]
    for word in result.stdout.decode().split("\0")[:-1]:
        if word == SEPARATOR:
            groups.append([])
        else:
            groups[-1].append(word)
    return groups[:-1]


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\0")), min_size=1))
def test_quoting_and_parsing_are_inverse(words: list[str]) -> None:
    assert parsed_words(shlex.join(["printf", *words])) == [("printf", *words)]


@pytest.mark.parametrize("shell", REAL_SHELLS)
def test_quoted_words_are_parsed_as_by_a_real_shell(shell: str) -> None:
    rng = random.Random(7)  # noqa: S311
    calls = [
        ["".join(rng.choices(CHARACTERS, k=rng.randint(0, 12))) for _ in range(rng.randint(1, 3))]
        for _ in range(1000)
    ]
    lines = [shlex.join(words) for words in calls]
    assert real_shell_words(shell, lines) == calls
    assert [list(parsed_words(f"printf {line}")[0][1:]) for line in lines] == calls


@pytest.mark.parametrize("shell", REAL_SHELLS)
def test_a_random_line_is_refused_or_parsed_as_by_a_real_shell(shell: str) -> None:
    rng = random.Random(11)  # noqa: S311
    accepted: list[str] = []
    refused = 0
    while len(accepted) < 1500:
        line = "".join(rng.choices(CHARACTERS, k=rng.randint(1, 9))).strip(" \t")
        try:
            commands = parse_line("printf " + line)
        except ShellSyntaxError:
            refused += 1
            continue
        if len(commands) == 1 and commands[0].words[1:] and not commands[0].redirections:
            accepted.append(line)
    assert refused > 1000
    arguments = [parsed_words("printf " + line)[0][1:] for line in accepted]
    parsed = [[word.replace(STATUS, "0") for word in words] for words in arguments]
    assert parsed == real_shell_words(shell, accepted)


@pytest.mark.parametrize(
    "sign", ["$x", "`id`", "(", ")", "a&", "*", "a?", "[a]", "~", "#a", "a|b", "<a", "{a,b}", "\n"]
)
def test_unquoted_special_characters_are_refused(sign: str) -> None:
    with pytest.raises(ShellSyntaxError, match="only quoted"):
        parse_line(f"echo {sign}")
    assert parsed_words(f"echo '{sign}'") == [("echo", sign)]


@pytest.mark.parametrize(
    "line", ["'a", 'a "b', "a\\", '"$x"', '"`"', "a &&", "&& a", "a;;b", "a || || b", "a >", "3>a b"]
)
def test_an_incomplete_line_is_refused(line: str) -> None:
    with pytest.raises(ShellSyntaxError):
        parse_line(line)


def test_lines_sent_by_tools_are_parsed() -> None:
    dump = "rm -f /a.xml; uiautomator dump /a.xml && echo success"
    assert [(c.operator, c.words) for c in parse_line(dump)] == [
        (";", ("rm", "-f", "/a.xml")),
        (";", ("uiautomator", "dump", "/a.xml")),
        ("&&", ("echo", "success")),
    ]
    assert parsed_words("false; echo X4EXIT:$?") == [("false",), ("echo", f"X4EXIT:{STATUS}")]
    launch = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
    assert parsed_words(launch) == [("app_process", "/", "com.wetest.uia2.Main", "-p", "9008")]
    assert parsed_words("") == parsed_words("  ") == []


def test_redirections_are_parsed() -> None:
    (command,) = parse_line("ls /x >/sdcard/a 2>/dev/null 2>&1 >>b")
    assert command.words == ("ls", "/x")
    assert command.redirections == (
        Redirection(source=1, target="/sdcard/a"),
        Redirection(source=2, target="/dev/null"),
        Redirection(source=2, target=1),
        Redirection(source=1, target="b", append=True),
    )


@settings(deadline=None)
@given(st.text(st.sampled_from(CHARACTERS)))
def test_any_line_is_parsed_or_refused(line: str) -> None:
    with suppress(ShellSyntaxError):
        assert all(command.words for command in parse_line(line))
