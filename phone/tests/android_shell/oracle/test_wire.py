"""The lines that clients sent: how they are captured, and that the phone knows Android's commands in them."""

from __future__ import annotations

import asyncio
import struct
import tomllib
from collections import Counter
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from android_shell.shell.shell import Shell
from phone.tests.android_shell.oracle.capture import ANDROID, has_own_state, is_shells_own, settle_marks
from phone.tests.android_shell.oracle.test_oracle import read_recorded
from phone.tests.android_shell.oracle.wire.tap import OPEN, WRITE, MessageReader
from simulated_phone import Phone
from simulated_phone.adb.phone_device import make_device
from tests.examples import examples

EXCUSES = ANDROID.with_suffix(".toml")
SECONDS = 10


def message(command: int, stream: int, content: bytes) -> bytes:
    return struct.pack("<6I", command, stream, 0, len(content), 0, command ^ 0xFFFFFFFF) + content


def typed(text: bytes) -> bytes:
    return b"\0" + struct.pack("<I", len(text)) + text


SENT = b"".join(
    (
        message(OPEN, 1, b"shell,v2,raw:ls '/a b'\0"),
        message(WRITE, 1, b"\x04\0\0\0\0"),
        message(OPEN, 2, b"shell,v2,TERM=x,raw:\0"),
        message(WRITE, 2, typed(b"mkdir -p x\nto")),
        message(OPEN, 3, b"sync:\0"),
        message(WRITE, 3, b"SENDx\n"),
        message(OPEN, 4, b"exec:screencap -p\0"),
        message(WRITE, 2, typed(b"uch y\n\n")),
        message(OPEN, 5, b"shell:\0"),
        message(WRITE, 5, "echo 晴\n".encode()),
    )
)
"""Bytes of a host: lines of each service, two shells without a line, and a service that is none."""


@settings(max_examples=examples(60))
@given(cuts=st.lists(st.integers(0, len(SENT)), max_size=8).map(sorted))
def test_lines_are_found_however_the_bytes_are_cut(cuts: list[int]) -> None:
    lines: list[str] = []
    reader = MessageReader(lines.append)
    for start, end in zip([0, *cuts], [*cuts, len(SENT)], strict=True):
        reader.feed(SENT[start:end])
    assert lines == ["ls '/a b'", "mkdir -p x", "screencap -p", "touch y", "echo 晴"]


def test_lines_are_sorted_by_who_answers_them() -> None:
    own = [
        "rm -rf /data/local/tmp/w/x",
        "for i in 1 2; do echo $i; done",
        "A=1 ls 'pm list' </dev/null",
        ": > x",
    ]
    others = [
        "pm list packages",
        "ls /sdcard",
        "echo $(getprop x)",
        "cat /proc/stat | grep cpu",
        "(am start x)",
    ]
    assert [is_shells_own(line) for line in own + others] == [True] * len(own) + [False] * len(others)
    marked = settle_marks("(rm x) || echo 'b173149d-7832-4b37-9942-7711b2773118'")
    assert not has_own_state(marked)
    assert has_own_state("rm /data/local/tmp/w/1780000000.apk")


def test_the_real_shell_has_answered_five_hundred_lines_of_clients() -> None:
    assert Counter(kind for kind, _, _ in read_recorded().values())["wire"] >= 500


@cache
def read_excuses(*, endless: bool) -> frozenset[str]:
    """Lines with what the phone lacks, or that do not end by themselves; each has a reason in the file."""
    groups = tomllib.loads(EXCUSES.read_text(encoding="utf-8"))["excuse"]
    assert all(group["reason"].endswith(".") for group in groups)
    return frozenset(
        line for group in groups if group.get("endless", False) is endless for line in group["lines"]
    )


def test_the_phone_knows_the_commands_that_clients_send() -> None:
    device = make_device(Phone(seed=1, size=(270, 600), locale="en"))
    found = [line for line in ANDROID.read_text("utf-8").splitlines() if line and not line.startswith("#!")]
    assert read_excuses(endless=True) <= set(found)
    lines = [line for line in found if line not in read_excuses(endless=True)]
    output = bytearray()

    async def write(_stream: int, data: bytes) -> None:
        output.extend(data)

    async def explain(line: str) -> str:
        """ "" if the phone carries a line out, else why not."""
        before = device.refusals
        output.clear()
        try:
            await asyncio.wait_for(Shell(device, write).run(line.replace("⏎", "\n")), SECONDS)
        except TimeoutError:
            return "does not end"
        finally:
            device.end_jobs()
        if device.refusals > before or b"inaccessible or not found" in output:
            return output.decode("utf-8", "replace").strip()[-200:]
        return ""

    async def explain_all() -> dict[str, str]:
        return {line: await explain(line) for line in lines}

    unknown = {line: why for line, why in asyncio.run(explain_all()).items() if why}
    allowed = read_excuses(endless=False)
    assert {line: why for line, why in unknown.items() if line not in allowed} == {}
    # what the phone has learned leaves the list
    assert allowed <= unknown.keys()
