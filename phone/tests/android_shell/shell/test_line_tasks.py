"""Lines that ask for more than a phone has: they end with a message, and other connections are answered."""

from __future__ import annotations

import asyncio

import pytest

from android_shell import files
from android_shell.shell.line_tasks import MAX_PROCESSES
from android_shell.shell.shell import Shell
from phone.tests.simulated_phone.conftest import bare_device, run_line

NO_FORK = "/system/bin/sh: can't fork - try again\n"
TOO_DEEP = "/system/bin/sh: too many levels of nesting\n"
BOMBS = {
    "f() { f | f; }; f": NO_FORK,
    "f() { f | f & }; f": NO_FORK,
    "while :; do sleep 1000 & done": NO_FORK,
    "f() { (f); (f); }; f": TOO_DEEP,
    "f() { x=$(f); x=$(f); }; f": TOO_DEEP,
}


@pytest.mark.parametrize("line", BOMBS)
def test_a_line_that_starts_itself_again_and_again_ends(line: str) -> None:
    device = bare_device()
    assert run_line(line, device) == (1, "", BOMBS[line])
    assert device.processes == 0
    assert run_line("echo a | cat", device) == (0, "a\n", "")


def test_background_commands_that_outlive_a_line_are_limited_too() -> None:
    device = bare_device()
    bomb = "f() { f >/dev/null 2>&1 & f >/dev/null 2>&1 & }; f"

    async def run() -> None:
        await Shell(device, discard).run(bomb)
        while device.processes:
            assert device.processes <= MAX_PROCESSES
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(run(), 300))


async def discard(_stream: int, _data: bytes) -> None:
    """Forget a line's output."""


def test_a_loop_may_start_more_background_commands_than_run_at_once() -> None:
    line = "for i in $(seq 1 1000); do true & done; wait; false & wait $!; echo $?"
    assert run_line(line) == (0, "1\n", "")


@pytest.mark.parametrize(
    ("line", "count", "left"),
    [
        ("sleep 1000 | sleep 1000", 2, 0),
        ("(sleep 1000 & sleep 1000) & sleep 1000", 2, 0),
        ("sleep 1000 >/dev/null 2>&1 & sleep 1000 | cat", 3, 1),
    ],
)
def test_what_a_line_started_ends_with_its_client(line: str, count: int, left: int) -> None:
    device = bare_device()

    async def run() -> None:
        client = asyncio.create_task(Shell(device, discard).run(line))
        while device.processes < count:
            await asyncio.sleep(0)
        client.cancel()
        await asyncio.wait([client])
        assert device.processes == left

    asyncio.run(asyncio.wait_for(run(), 300))


LEVELS = [
    "".join(f"f{n}() {{ {body.replace('g', f'f{n + 1}')}; }}; " for n in range(20)) + "f20() { :; }; f0"
    for body in ("(g); (g)", "g; g; g; g", "x=$(g)$(g)")
]


@pytest.mark.parametrize("line", [*LEVELS, "seq 1 100000 | xargs -n 1 echo > /dev/null"])
def test_another_shell_is_answered_meanwhile(line: str) -> None:
    device = bare_device()

    async def run() -> None:
        busy = asyncio.create_task(Shell(device, discard).run(line))
        await asyncio.sleep(0.05)
        assert await Shell(device, discard).run("true") == 0
        assert not busy.done()
        busy.cancel()
        await asyncio.wait([busy])

    asyncio.run(asyncio.wait_for(run(), 300))


LONG = "x=a; while [ ${#x} -lt 100000 ]; do x=$x$x; done; "


@pytest.mark.parametrize(
    ("line", "code", "err"),
    [
        (LONG + 'echo $x | sed "s/a/$x/g"', 1, "sed: out of memory\n"),
        (LONG + "echo $x | sed ':a;G;h;ba'", 1, "sed: out of memory\n"),
        (LONG + "echo $x | sed ':a;p;ba'", 1, "sed: out of memory\n"),
    ],
)
def test_a_tool_whose_result_grows_without_end_fails(line: str, code: int, err: str) -> None:
    assert run_line(line) == (code, "", err)


@pytest.mark.parametrize(
    ("command", "code", "err"),
    [
        ("cat /sdcard/l > /sdcard/m", 1, "cat: write error: No space left on device\n"),
        ("echo aaaa > /sdcard/m", 1, "/system/bin/sh: echo: write error: No space left on device\n"),
        ("cd /sdcard; pwd > m", 1, "/system/bin/sh: pwd: write error: No space left on device\n"),
        ("(cd /none) 2> /sdcard/m", 2, ""),
        ("f() { f | f; }; f 2> /sdcard/m", 1, NO_FORK),
    ],
)
def test_a_command_whose_output_does_not_fit_fails(
    command: str, code: int, err: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "CAPACITY", 10_000)
    device = bare_device()
    device.files.write("/sdcard/l", bytearray(files.CAPACITY - 2))
    assert run_line(command, device) == (code, "", err)
