"""Devices among the phone's files, and tools that read bytes: dd, od, xxd, head -c."""

from __future__ import annotations

import pytest

from android_shell import files
from phone.tests.simulated_phone.conftest import run_line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("head -c 5 /dev/zero | od -An -tx1", " 00 00 00 00 00\n"),
        ("cat /dev/zero | head -c 100k | wc -c", "102400\n"),
        ("head -c 300000 /dev/urandom | wc -c", "300000\n"),
        ("cat /dev/null | wc -c; echo lost > /dev/null; wc -c < /dev/null", "0\n0\n"),
        ("[ -c /dev/zero ] && [ ! -f /dev/zero ] && [ -e /dev/urandom ] && echo device", "device\n"),
        # what is read with the last line is lost to the next reader
        ("echo abcdef | (head -c 3; echo; cat)", "abc\n"),
        ("seq 5 | (head -n 2; cat)", "1\n2\n"),
    ],
)
def test_devices_are_read_as_far_as_is_needed(line: str, expected: str) -> None:
    assert run_line(line) == (0, expected, "")


def test_a_tool_that_needs_all_of_an_endless_device_is_out_of_memory() -> None:
    assert run_line("sort /dev/zero") == (2, "", "sort: /dev/zero: Out of memory\n")
    assert run_line("cat /dev/zero | sort")[2].startswith("sort: more than ")


@pytest.mark.parametrize(
    ("line", "out", "err"),
    [
        (
            "dd if=/dev/zero of=/sdcard/z bs=1k count=3; wc -c < /sdcard/z",
            "3072\n",
            "3+0 records in\n3+0 records out\n3072 bytes (3.0 K) copied, 0.001 s, 2.9 M/s\n",
        ),
        ("printf abcdefgh | dd bs=3 skip=1 status=none", "defgh", ""),
        (
            "printf abcdefgh | dd bs=3",
            "abcdefgh",
            "2+1 records in\n2+1 records out\n8 bytes (8 B) copied, 0.001 s, 7.8 K/s\n",
        ),
        (
            "printf abcdef > /sdcard/a; printf XY | dd of=/sdcard/a bs=1 seek=2 conv=notrunc status=none; "
            "cat /sdcard/a; printf Z | dd of=/sdcard/a bs=1 seek=3 status=none; cat /sdcard/a",
            "abXYefabXZ",
            "",
        ),
    ],
)
def test_dd_copies_blocks(line: str, out: str, err: str) -> None:
    assert run_line(line) == (0, out, err)


def test_dd_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "CAPACITY", 3 << 20)
    assert run_line("dd if=/no") == (1, "", "dd: /no: No such file or directory\n")
    assert run_line("dd bs=0 if=/dev/zero") == (1, "", "dd: bad bs: 0\n")
    assert run_line("dd --help") == (1, "", "dd: bad arg --help\n")
    assert run_line("dd if=/dev/zero of=/sdcard/z bs=1M")[2] == "dd: No space left on device\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("printf 'hello phone 12345\\n' | xxd", None),
        ("printf hello | xxd -p", "68656c6c6f\n"),
        ("echo 68656c6c6f | xxd -r -p", "hello"),
        ("printf 'hello phone, once more' | xxd | xxd -r", "hello phone, once more"),
        ("printf hello | xxd -s 1 -l 3 -g 1", "00000001: 65 6c 6c" + " " * 41 + "ell\n"),
        ("printf 'a\\n\\0' | od -c", "0000000   a  \\n  \\0\n0000003\n"),
        ("printf abcd | od -A x -t x1 -t x1", "000000 61 62 63 64\n        61 62 63 64\n000004\n"),
        ("printf abcdefgh | od -An -t u4 -N 4", "  1684234849\n"),
        ("head -c 48 /dev/zero | od", "0000000" + "  000000" * 8 + "\n*\n0000060\n"),
    ],
)
def test_bytes_are_shown(line: str, expected: str | None) -> None:
    if expected is None:
        expected = (
            "00000000: 6865 6c6c 6f20 7068 6f6e 6520 3132 3334  hello phone 1234\n"
            "00000010: 350a                                     5.\n"
        )
    assert run_line(line) == (0, expected, "")
