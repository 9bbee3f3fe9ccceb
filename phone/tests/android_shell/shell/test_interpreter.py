"""What the phone's shell refuses, its signals and background commands; the oracle holds what its lines do."""

from __future__ import annotations

import pytest

from android_shell.shell.parser import parse_line
from android_shell.shell.syntax import ShellSyntaxError
from phone.tests.android_shell.plain_words import read_plain_words
from phone.tests.simulated_phone.conftest import bare_device, run_line


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
    device = bare_device()
    refused = f"/system/bin/sh: {text} not supported\n"
    assert run_line(f"echo a\n{line}", device) == (2, "a\n", refused)
    assert run_line(f"eval '{line}'", device) == (2, "", refused)
    assert device.refusals == 2


@pytest.mark.parametrize(
    "line",
    [
        "trap x || echo on",
        "trap x | cat; echo on",
        "(trap x); echo on",
        "x=$(trap x); echo on",
        "f() { trap x; }; f 2>/dev/null; echo on",
        "sh -c 'trap x'; echo on",
        "eval 'a=(1)'; echo on",
        "trap x & wait; echo on",
        "if trap x; then echo on; else echo on; fi",
        "awk x; echo on",
        "echo a | xargs awk; echo on",
    ],
)
def test_nothing_runs_behind_what_is_refused(line: str) -> None:
    device = bare_device()
    code, out, err = run_line(line, device)
    assert (out, device.refusals) == ("", 1)
    assert code != 0
    assert err.count("\n") == 1


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
