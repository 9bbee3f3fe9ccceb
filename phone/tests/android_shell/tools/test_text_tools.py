"""The phone's text tools against those of this machine, and where toybox differs, as toybox."""

from __future__ import annotations

import subprocess

import pytest

from phone.tests.simulated_phone.conftest import run_line

TEXT = "b 2 x\na 10 y\n\nc 1 x\na 10 y\nLine five: mCurrentFocus=Window{1 u0 com.a/.B}\n時間 3 z\n"

SAME = """\
grep a
grep -n 'a'
grep -vc x
grep -iE '^(LINE|b)'
grep -o '[0-9][0-9]*'
grep -w u0
grep -m1 x
grep -A1 -n '^b'
grep -B1 c
grep -F '{1'
grep -e b -e c
grep 'a\\|b'
grep -E '(a|b) [0-9]{1,2}'
grep 時
sed 's/x/[&]/'
sed -n '2,3p'
sed '/^$/d'
sed -e 's/a/A/g' -e 's/\\([a-z]\\) \\([0-9]*\\)/\\2 \\1/'
sed -n '$p'
sed '2q'
sed -n '/b/,/c/{s/$/!/;p}'
sed '1i\\
first
$a last'
sort
sort -r
sort -u
sort -k2 -n
sort -t ' ' -k3,3 -k2,2nr
sort | uniq -c
cut -d' ' -f2
cut -d' ' -f2-
cut -c1-3
tr a-z A-Z
tr -d '\\n'
tr -s ' '
head -n 2
tail -n 2
tail -n +3
wc -l
base64
xargs -n 2 echo
xargs -I{} echo '<{}>'
while read -r a b; do echo "$b|$a"; done
"""


@pytest.mark.parametrize(
    "line",
    [line.replace("\x1f", "\n") for line in SAME.replace("\\\nfirst\n$a", "\\\x1ffirst\x1f$a").splitlines()],
)
def test_a_tool_prints_what_the_real_one_prints(line: str) -> None:
    # cut of this machine count bytes, toybox counts characters
    data = (TEXT if "時" in line else TEXT.replace("時間", "t")).encode()
    real = subprocess.run(
        ["bash", "-c", line],
        input=data,
        capture_output=True,
        check=False,
        timeout=60,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
    )
    code, out, err = run_line(line, data=data)
    assert (code, out, err) == (real.returncode, real.stdout.decode(), "")


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
        ("grep -P x", 1, "", "grep: Unknown option 'P' (see \"grep --help\")\n"),
        ("echo a > /sdcard/t; sed -i s/a/b/ /sdcard/t; cat /sdcard/t", 0, "b\n", ""),
        ("awk 1", 127, "", "/system/bin/sh: awk: inaccessible or not found\n"),
        ("cat <<E | tr a b\naa\nE", 0, "bb\n", ""),
        ("(sleep 0.1; echo late) & echo early; wait; echo end", 0, "early\nlate\nend\n", ""),
        (
            "echo 'a.b' | grep -E '(.)\\1'",
            2,
            "",
            "grep: bad REGEX: back-references in a pattern are not supported\n",
        ),
        ("tail -f /sdcard/none", 1, "", "tail: /sdcard/none: No such file or directory\n"),
        ("printf '\\377' | base64", 0, "/w==\n", ""),
        ("printf '\\377\\376' > /sdcard/b; wc -c < /sdcard/b", 0, "2\n", ""),
        ('echo -ne "\\xff" | wc -c; echo -e "\\xe4\\xbd\\xa0"', 0, "1\n你\n", ""),
        ("printf '\\u4f60%b\\ud800' '\\345\\245\\275'", 0, "你好?", ""),
        ("echo aab | sed 's/a/xy/g;s/x/&&/2'", 0, "xyxxyb\n", ""),
        (
            "cat /proc/meminfo | grep -o 'MemTotal: *[0-9]*'; which ls nothing",
            1,
            "MemTotal:        5800000\n/system/bin/ls\n",
            "",
        ),
        ("find /sdcard -name 'P*' | xargs basename", 0, "Pictures\n", ""),
        ("stat -c '%s %n' /proc/loadavg; uname -m", 0, "26 /proc/loadavg\naarch64\n", ""),
    ],
)
def test_lines_that_people_send(line: str, code: int, out: str, err: str) -> None:
    assert run_line(line) == (code, out, err)


def test_a_pattern_is_matched_in_linear_time() -> None:
    assert run_line("grep -cE '(a+)+b'", data=b"a" * 60 + b"\n") == (1, "0\n", "")
