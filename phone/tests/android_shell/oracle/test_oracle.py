"""The phone's shell and tools against recorded answers of mksh and toybox.

Of every line stdout and status are equal to the recorded ones, or the line is refused (which the device
counts), or it stands in differences.toml with a reason.
"""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from android_shell.file_entries import FileEntry
from android_shell.files import SHARED
from android_shell.shell.shell import Shell
from phone.tests.android_shell.oracle.record import FOLDER, PREPARE, RECORDED
from phone.tests.simulated_phone.conftest import bare_device

DIFFERENCES = Path(__file__).parent / "differences.toml"
ENVIRONMENT = "export PATH=/system/bin LANG=C.UTF-8 SHELL=/bin/sh; umask 022\n"
SECONDS = 10
PHONES = 6


@cache
def read_recorded() -> dict[str, tuple[str, int | None, bytes]]:
    """Line -> kind, status and stdout of the real shell."""
    rows = json.loads(RECORDED.read_text(encoding="utf-8"))
    return {
        row["line"]: (row["kind"], row["rc"], row["out"].encode("utf-8", "surrogateescape")) for row in rows
    }


@cache
def read_differences() -> dict[str, str]:
    """Line -> reason why the phone's answer is another one."""
    groups = tomllib.loads(DIFFERENCES.read_text(encoding="utf-8"))["difference"]
    return {line: group["reason"] for group in groups for line in group["lines"]}


class Recorded:
    """A phone that runs lines in the folder of the recorder, which each line finds as it was."""

    def __init__(self) -> None:
        self.device = bare_device()
        self._places = {path: self.device.files.find(path) for path in (FOLDER, SHARED)}
        self._output = bytearray()
        self._prepared: dict[str, dict[str, FileEntry]] = {}

    async def prepare(self) -> None:
        """Make the files of the recorder."""
        text = f"cd {FOLDER}\numask 022\n{PREPARE.read_text(encoding='utf-8')}"
        status = await Shell(self.device, self._write).run(text)
        assert (status, self.device.refusals, bytes(self._output)) == (0, 0, b"")
        self._prepared = {path: copy_entries(place.children) for path, place in self._places.items()}

    async def _write(self, stream: int, data: bytes) -> None:
        if stream == 1:
            self._output.extend(data)

    async def answer(self, line: str) -> tuple[bool, int, bytes]:
        """Whether a line is refused, its status and stdout."""
        for path, place in self._places.items():
            place.children = copy_entries(self._prepared[path])
        self._places[FOLDER].modified = self._places[FOLDER].children["w"].modified
        self._output.clear()
        before = self.device.refusals
        shell = Shell(self.device, self._write)
        # the environment of the recorder, and its two folders: `cd -` leads to the first
        await shell.run(f"{ENVIRONMENT}cd {FOLDER}/w; OLDPWD=/")
        status = await asyncio.wait_for(shell.run(line), SECONDS)
        self.device.end_jobs()
        return self.device.refusals > before, status, bytes(self._output)

    async def compare(self, line: str) -> str:
        """ "same", "refused", or how the answer differs."""
        _, expected_status, expected = read_recorded()[line]
        try:
            refused, status, found = await self.answer(line)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        if (status, found) == (expected_status, expected):
            return "same"
        return "refused" if refused else f"expected {expected_status} {expected!r}, got {status} {found!r}"


def copy_entries(entries: dict[str, FileEntry]) -> dict[str, FileEntry]:
    return {
        name: replace(entry, data=bytearray(entry.data), children=copy_entries(entry.children))
        for name, entry in entries.items()
    }


def compare_lines(lines: list[str]) -> dict[str, str]:
    """Line -> "same", "refused", or how it differs; several phones take turns, since some lines wait."""
    found: dict[str, str] = {}
    left = list(reversed(lines))

    async def work() -> None:
        phone = Recorded()
        await phone.prepare()
        while left:
            line = left.pop()
            found[line] = await phone.compare(line)

    async def run() -> None:
        await asyncio.gather(*(work() for _ in range(PHONES)))

    asyncio.run(run())
    return found


KINDS = sorted({kind for kind, _, _ in read_recorded().values()})


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_does_what_the_real_shell_does_or_is_refused(kind: str) -> None:
    lines = [line for line, (of, _, _) in read_recorded().items() if of == kind]
    found = compare_lines(lines)
    allowed = read_differences()
    different = {line: text for line, text in found.items() if text not in ("same", "refused")}
    assert {line: text for line, text in different.items() if line not in allowed} == {}
    # a line that no longer differs leaves the list
    assert {line for line in lines if line in allowed and line not in different} == set()
    assert Counter(found.values())["same"] >= 0.7 * len(lines)


def test_differences_are_of_recorded_lines() -> None:
    assert read_differences().keys() <= read_recorded().keys()
    assert all(reason.endswith(".") for reason in read_differences().values())
