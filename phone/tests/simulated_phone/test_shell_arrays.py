"""Arrays, `[[ ]]`, patterns in quotes, signals and background commands of the phone's shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from phone.tests.simulated_phone.conftest import run_line
from phone.tests.simulated_phone.test_shell_line import phone_output, real_outputs
from simulated_phone.adb.shell.parser import parse_line, plain_words
from simulated_phone.adb.shell.syntax import ShellSyntaxError

ARRAYS = [
    'a=(x y z); echo ${a[0]} ${a[2]} ${#a[@]} "${a[@]}" $a',
    'a=(x "y z"); for i in "${a[@]}"; do echo "<$i>"; done; for i in ${a[@]}; do echo "<$i>"; done',
    'a=(x "y z"); IFS=,; echo "${a[*]}"',
    'a[3]=q; a[1]=p; echo "${!a[@]}" "${a[@]}" ${#a[@]} ${#a[3]}',
    'a=(1 2); a+=(3 4); a[1]+=5; echo "${a[@]}"; s=ab; s+=cd; echo $s',
    'a=(1 2 3); unset \'a[1]\'; echo "${a[@]}" "${!a[@]}"; unset a; echo "[${a[@]}]" ${#a[@]}',
    'i=2; a=(p q r); echo ${a[i]} ${a[$i]} ${a[i-1]} "${a[$((i-2))]}"',
    'a=(); echo ${#a[@]}; for x in "${a[@]}"; do echo never; done; echo end',
    'a=(a.txt b.log); echo "${a[0]%.txt}" "${a[1]/log/x}" "${a[5]:-none}" "${a[0]:2:3}"',
    "a=(\none\ntwo # comment\n); echo ${a[1]}",
    'a=($(echo 1 2 3)); echo ${a[2]}; f() { local x; x=$1; echo $x; }; f "${a[@]}"',
    'set -- one "two three"; a=("$@"); echo "${#a[@]}:${a[1]}"; (a[0]=in); echo $a',
    "echo [[ x; echo a[0]=b; echo ]]",
]
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


@pytest.mark.parametrize("line", [*ARRAYS, *CONDITIONS, *QUOTED_PATTERNS])
def test_a_line_prints_what_bash_prints(line: str, tmp_path: Path) -> None:
    (expected,) = real_outputs("bash", [line], tmp_path)
    assert expected
    assert phone_output(line) == expected


@pytest.mark.parametrize(
    ("line", "code", "output"),
    [
        ("set -A a x 'y z'; echo ${a[1]}; set +A a p; echo ${a[0]} ${a[1]}", 0, "y z\np y z\n"),
        ("trap 'echo bye' EXIT; echo hi", 0, "hi\nbye\n"),
        ("trap 'echo bye' EXIT; exit 3", 3, "bye\n"),
        ("trap 'exit 5' 0; echo hi", 5, "hi\n"),
        (
            "trap 'echo got' TERM; kill -TERM $$; echo after; trap; trap - TERM; trap",
            0,
            "got\nafter\ntrap -- 'echo got' TERM\n",
        ),
        ("(trap 'echo sub' EXIT; echo in); echo out", 0, "in\nsub\nout\n"),
        ("trap '' INT; kill -s INT $$; echo still", 0, "still\n"),
        ("kill -9 $$; echo never", 137, ""),
        ("sleep 100 & p=$!; jobs; kill $p; wait $p; echo $?; jobs", 0, "[4243]   Running\n143\n"),
        ("sleep 100 > /dev/null 2>&1 & kill -INT $!; wait $!; echo $?", 0, "130\n"),
        ("(exit 4) & wait $!; echo $?; wait 99; echo $?", 0, "4\n127\n"),
        ("echo ${a[-1]}; echo never", 1, ""),
    ],
)
def test_a_line_does_what_mksh_does(line: str, code: int, output: str) -> None:
    assert run_line(line)[:2] == (code, output)


@pytest.mark.parametrize("line", ["kill -FLY 1", "trap x FLY"])
def test_a_signal_that_does_not_exist_is_refused(line: str) -> None:
    code, out, err = run_line(line)
    assert (code, out) == (1, "")
    assert "bad signal" in err


@pytest.mark.parametrize(
    "line",
    [
        "[[ a",
        "[[ ]]",
        "[[ a == ]]",
        "[[ a b ]]",
        "[[ a fly b ]]",
        "[[ ( a ]]",
        "a=(x",
        "echo ${a[}",
        "[[ a && ]]",
    ],
)
def test_a_wrong_condition_or_array_is_refused(line: str) -> None:
    with pytest.raises(ShellSyntaxError):
        parse_line(line)


def test_nested_conditions_are_limited() -> None:
    with pytest.raises(ShellSyntaxError, match="too many levels"):
        parse_line("[[ " + "( " * 1000 + "a" + " )" * 1000 + " ]]")
    assert run_line("[[ " + " && ".join(["a"] * 2000) + " ]] && echo long")[1] == "long\n"


@pytest.mark.parametrize("line", ["a=(x)", "a[1]=x", "[[ a ]]"])
def test_a_line_with_an_array_or_a_condition_is_not_of_plain_words(line: str) -> None:
    with pytest.raises(ShellSyntaxError, match="expected"):
        plain_words(line)
