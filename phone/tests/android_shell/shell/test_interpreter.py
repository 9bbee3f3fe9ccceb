"""`[[ ]]`, patterns in quotes, signals and background commands of the phone's shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from android_shell.shell.parser import parse_line
from android_shell.shell.syntax import ShellSyntaxError
from phone.tests.android_shell.plain_words import read_plain_words
from phone.tests.android_shell.shell.test_parser import phone_output, real_outputs
from phone.tests.simulated_phone.conftest import run_line

CONDITIONS = [
    '[[ abc == a* ]] && echo yes; [[ abc == "a*" ]] || echo no; [[ abc != b* ]] && echo ne',
    'x="a b"; [[ $x == "a b" ]] && echo eq; [[ -n $x ]] && echo n; [[ -z $y ]] && echo z; [[ $y ]] || echo f',
    "[[ 3 -lt 10 && ( 1 -eq 2 || ! -z x ) ]] && echo ok; [[ b > a ]] && echo gt; [[ a < b ]] && echo lt",
    "[[ -d / && -e /nosuch ]] || echo nofile; if [[ ! -f /nosuch ]]; then echo absent; fi",
    "[[ a == b ]]; echo $?; [[ a == a ]]; echo $?; ! [[ a == a ]]; echo $?",
    "[[ a == [a-c] ]] && echo range; p='x*'; [[ xyz == $p ]] && echo pat; [[ xyz == \"$p\" ]] || echo lit",
    "while [[ $n -lt 3 ]]; do n=$((n+1)); done; echo $n; [[ 2+1 -eq 3 ]] && echo arithmetic",
    "for s in a b; do [[ $s == b ]] && break; echo $s; done; [[ a == a ]] > /dev/null && echo redirected",
    "[[ a == a &&\n b == b ]] && echo lines",
]
QUOTED_PATTERNS = [
    'x=a.b.c; echo "${x%.*}" "${x##*.}" "${x/.*/_}" "${x//./-}" "${x#"a"}" "${x%\'.c\'}"',
    'x=a.b.c; y=\'*.c\'; echo "${x%"$y"}" "${x%$y}"; x=\'a b\'; echo "${x/ /_}" ${x/ /_}',
]


def test_a_line_prints_what_bash_prints(tmp_path: Path) -> None:
    lines = [*CONDITIONS, *QUOTED_PATTERNS]
    expected = real_outputs("bash", lines, tmp_path)
    assert all(expected)
    assert [phone_output(line) for line in lines] == expected


@pytest.mark.parametrize(
    ("line", "code", "output"),
    [
        ("kill -9 $$; echo never", 137, ""),
        ("sleep 100 & p=$!; kill $p; wait $p; echo $?", 0, "143\n"),
        ("sleep 100 > /dev/null 2>&1 & kill -INT $!; wait $!; echo $?", 0, "130\n"),
        ("(exit 4) & wait $!; echo $?; wait 99; echo $?", 0, "4\n127\n"),
        ("s=ab; s+=cd; echo $s; echo a[0]=b", 0, "abcd\na[0]=b\n"),
    ],
)
def test_a_line_does_what_mksh_does(line: str, code: int, output: str) -> None:
    assert run_line(line)[:2] == (code, output)


def test_a_signal_that_does_not_exist_is_refused() -> None:
    assert run_line("kill -FLY 1") == (1, "", "/system/bin/sh: kill: -FLY 1: bad signal\n")


def test_what_is_gone_is_found_by_no_name() -> None:
    assert run_line("command -v trap jobs fg bg awk; echo $?") == (0, "1\n", "")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        *((line, "arrays are") for line in ("a=(1 2)", "a[1]=x", "a=(x", "echo ${a[@]}", "echo ${!a[@]}")),
        *((line, "arrays are") for line in ("local a=(1)", "typeset a=(1 2)", "echo $((a[0]))")),
        *(
            (line, f"{line.split()[0]}: arrays are")
            for line in (
                "set -A a 1 2",
                "set -eA x",
                "typeset -A m",
                "local -a x",
                "read -A x",
                "read a[0]",
                "unset a[0]",
            )
        ),
        *((f"{name} x", f"{name}:") for name in ("trap", "jobs", "fg", "bg")),
    ],
)
def test_what_no_client_sends_is_refused(line: str, text: str) -> None:
    assert run_line(f"echo a\n{line}") == (2, "a\n", f"/system/bin/sh: {text} not supported\n")
    assert run_line(f"eval '{line}'") == (2, "", f"/system/bin/sh: {text} not supported\n")


@pytest.mark.parametrize(
    "line",
    [
        "[[ a",
        "[[ a == ]]",
        "[[ a fly b ]]",
        "[[ ( a ]]",
    ],
)
def test_a_wrong_condition_is_refused(line: str) -> None:
    with pytest.raises(ShellSyntaxError):
        parse_line(line)


def test_nested_conditions_are_limited() -> None:
    with pytest.raises(ShellSyntaxError, match="too many levels"):
        parse_line("[[ " + "( " * 1000 + "a" + " )" * 1000 + " ]]")
    assert run_line("[[ " + " && ".join(["a"] * 2000) + " ]] && echo long")[1] == "long\n"


@pytest.mark.parametrize("line", ["a=(x)", "a[1]=x", "[[ a ]]"])
def test_a_line_with_an_array_or_a_condition_is_not_of_plain_words(line: str) -> None:
    with pytest.raises(ShellSyntaxError, match=r"expected|not supported"):
        read_plain_words(line)
