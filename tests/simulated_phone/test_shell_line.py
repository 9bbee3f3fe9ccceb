from __future__ import annotations

import random
import shlex
import subprocess
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulated_phone.adb.shell_line import STATUS, Redirection, ShellSyntaxError, parse_line

SIGNS = "ab \t'\"\\$`;&|<>()*?[]~#!%=^,:{}\n-中文，😀12"
REAL_SHELLS = ("dash", "bash")
SEPARATOR = "--next--"


def words_of(line: str) -> list[tuple[str, ...]]:
    return [command.words for command in parse_line(line)]


def words_in(shell: str, lines: list[str]) -> list[list[str]]:
    """The words that a real shell hands to a command, for each line; one process for all."""
    script = "".join(f"printf '%s\\0' {line}\nprintf '%s\\0' {SEPARATOR}\n" for line in lines)
    done = subprocess.run([shell, "-c", script], capture_output=True, check=True, timeout=120)
    groups: list[list[str]] = [[]]
    for word in done.stdout.decode().split("\0")[:-1]:
        if word == SEPARATOR:
            groups.append([])
        else:
            groups[-1].append(word)
    return groups[:-1]


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_characters="\0")), min_size=1))
def test_quoted_words_arrive_as_they_were(words: list[str]) -> None:
    assert words_of(shlex.join(["printf", *words])) == [("printf", *words)]


@pytest.mark.parametrize("shell", REAL_SHELLS)
def test_quoted_words_are_those_of_a_real_shell(shell: str) -> None:
    draw = random.Random(7)  # noqa: S311
    calls = [
        ["".join(draw.choices(SIGNS, k=draw.randint(0, 12))) for _ in range(draw.randint(1, 3))]
        for _ in range(1000)
    ]
    lines = [shlex.join(words) for words in calls]
    assert words_in(shell, lines) == calls
    assert [list(words_of(f"printf {line}")[0][1:]) for line in lines] == calls


@pytest.mark.parametrize("shell", REAL_SHELLS)
def test_a_careless_line_is_refused_or_read_as_a_real_shell_does(shell: str) -> None:
    draw = random.Random(11)  # noqa: S311
    taken: list[str] = []
    refused = 0
    while len(taken) < 1500:
        line = "".join(draw.choices(SIGNS, k=draw.randint(1, 9))).strip(" \t")
        try:
            commands = parse_line("printf " + line)
        except ShellSyntaxError:
            refused += 1
            continue
        if len(commands) == 1 and commands[0].words[1:] and not commands[0].redirections:
            taken.append(line)
    assert refused > 1000
    ours = [[word.replace(STATUS, "0") for word in words_of("printf " + line)[0][1:]] for line in taken]
    assert ours == words_in(shell, taken)


@pytest.mark.parametrize(
    "sign", ["$x", "`id`", "(", ")", "a&", "*", "a?", "[a]", "~", "#a", "a|b", "<a", "{a,b}", "\n"]
)
def test_what_has_to_be_quoted_is_refused(sign: str) -> None:
    with pytest.raises(ShellSyntaxError, match="only quoted"):
        parse_line(f"echo {sign}")
    assert words_of(f"echo '{sign}'") == [("echo", sign)]


@pytest.mark.parametrize(
    "line", ["'a", 'a "b', "a\\", '"$x"', '"`"', "a &&", "&& a", "a;;b", "a || || b", "a >", "3>a b"]
)
def test_a_broken_line_is_refused(line: str) -> None:
    with pytest.raises(ShellSyntaxError):
        parse_line(line)


def test_lines_that_tools_send() -> None:
    dump = "rm -f /a.xml; uiautomator dump /a.xml && echo success"
    assert [(c.joint, c.words) for c in parse_line(dump)] == [
        (";", ("rm", "-f", "/a.xml")),
        (";", ("uiautomator", "dump", "/a.xml")),
        ("&&", ("echo", "success")),
    ]
    assert words_of("false; echo X4EXIT:$?") == [("false",), ("echo", f"X4EXIT:{STATUS}")]
    launch = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
    assert words_of(launch) == [("app_process", "/", "com.wetest.uia2.Main", "-p", "9008")]
    assert words_of("") == words_of("  ") == []


def test_redirections() -> None:
    (command,) = parse_line("ls /x >/sdcard/a 2>/dev/null 2>&1 >>b")
    assert command.words == ("ls", "/x")
    assert command.redirections == (
        Redirection(source=1, target="/sdcard/a"),
        Redirection(source=2, target="/dev/null"),
        Redirection(source=2, target=1),
        Redirection(source=1, target="b", append=True),
    )


@settings(deadline=None)
@given(st.text(st.sampled_from(SIGNS)))
def test_any_line_is_taken_or_refused(line: str) -> None:
    with suppress(ShellSyntaxError):
        assert all(command.words for command in parse_line(line))
