"""The phone's text tools in lines that people send; the oracle has the answers of real ones to many more."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.conftest import run_line


@pytest.mark.parametrize(
    ("line", "code", "out", "err"),
    [
        (
            "dumpsys window | grep mCurrentFocus | sed 's/.* //' | cut -d/ -f1",
            0,
            "com.android.launcher3\n",
            "",
        ),
        ("dumpsys battery | grep level | cut -d: -f2 | tr -d ' '", 0, "80\n", ""),
        ("ls /none | wc -l", 0, "0\n", "ls: /none: No such file or directory\n"),
        ("[ 1 = 1", 2, "", "/system/bin/sh: [: missing ]\n"),
        ("grep -P x", 2, "", "grep: Unknown option 'P' (see \"grep --help\")\n"),
        ("echo a > /sdcard/t; sed -i s/a/b/ /sdcard/t; cat /sdcard/t", 0, "b\n", ""),
        ("awk 1", 127, "", "/system/bin/sh: awk: inaccessible or not found\n"),
        ("cat <<E | tr a b\naa\nE", 0, "bb\n", ""),
        ("(sleep 0.1; echo late) & echo early; wait; echo end", 0, "early\nlate\nend\n", ""),
        (
            "echo 'a.b' | grep -E '(.)\\1'",
            2,
            "",
            "bad REGEX: \\1 is not supported\n",
        ),
        ("tail -f /sdcard/none", 1, "", "tail: /sdcard/none: No such file or directory\n"),
        ("printf '\\377' | base64", 0, "/w==\n", ""),
        ("printf '\\377\\376' > /sdcard/b; wc -c < /sdcard/b", 0, "2\n", ""),
        ('echo -ne "\\xff" | wc -c; echo -e "\\xe4\\xbd\\xa0"', 0, "1\n你\n", ""),
        ("printf '\\u4f60%b' '\\345\\245\\275'", 0, "\\u4f60好", ""),
        ("echo aab | sed 's/a/xy/g;s/x/&&/2'", 0, "xyxxyb\n", ""),
        (
            "cat /proc/meminfo | grep -o 'MemTotal: *[0-9]*'; which ls nothing",
            1,
            "MemTotal:        5800000\n/system/bin/ls\n",
            "",
        ),
        ("find /sdcard/ -name 'P*' | xargs basename", 0, "Pictures\n", ""),
        ("stat -c '%s %n' /proc/loadavg; uname -m", 0, "0 /proc/loadavg\naarch64\n", ""),
    ],
)
def test_lines_that_people_send(line: str, code: int, out: str, err: str) -> None:
    assert run_line(line) == (code, out, err)


def test_a_pattern_is_matched_in_linear_time() -> None:
    assert run_line("grep -cE '(a+)+b'", data=b"a" * 60 + b"\n") == (1, "0\n", "")
