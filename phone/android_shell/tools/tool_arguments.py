"""Inputs of tools, and their numbers."""

from __future__ import annotations

import getopt
from collections.abc import AsyncIterator, Iterator

from android_shell.command_call import CommandCall
from android_shell.shell.pipes import Input, open_file
from android_shell.tools.sizes import parse_size

BLOCK = 64 * 1024
"""Number of bytes that a tool reads at a time."""


def parse_options(
    call: CommandCall, short: str, long: tuple[str, ...] = ()
) -> tuple[dict[str, str], list[str]]:
    """Split the arguments of a command that is none of toybox into options and operands.

    Args:
        call: The call.
        short: Letters of the options, those with a value followed by a colon, as in `getopt`.
        long: Names of long options, those with a value followed by an equals sign.

    Returns:
        Option -> value ("" for a flag; the last of several), and the operands.

    Raises:
        CommandError: An option is unknown, or its value is missing.
    """
    try:
        pairs, operands = getopt.gnu_getopt(call.args, short, list(long))
    except getopt.GetoptError as error:
        word = f"'{error.opt}'"
        text = f"Missing argument to {word}" if "requires" in error.msg else f"Unknown option {word}"
        raise call.usage_error(text) from None
    return dict(pairs), operands


def parse_number(call: CommandCall, text: str) -> int:
    """An integer argument, with one of toybox's suffixes.

    Raises:
        CommandError: It is none.
    """
    return parse_size(call, text)


async def read_contents(call: CommandCall, names: list[str]) -> AsyncIterator[tuple[str, bytes]]:
    """The content of each file, or of the standard input for "-" or no name; a missing file is printed."""
    for name in names or ["-"]:
        if name == "-":
            yield name, await call.input.read_all()
            continue
        with call.reporting(name):
            yield name, bytes(call.device.files.read(call.path(name)))


def open_inputs(call: CommandCall, names: list[str]) -> Iterator[tuple[str, Input]]:
    """Each file as an input, or the standard input for "-" or no name; a missing file is printed."""
    for name in names or ["-"]:
        if name == "-":
            yield name, call.input
            continue
        with call.reporting(name):
            yield name, open_file(call.device.files, call.path(name))


async def read_lines(call: CommandCall, names: list[str], *, end: str = "\n") -> list[str]:
    """Return the lines of all inputs, without what ends them."""
    return [line async for _, data in read_contents(call, names) for line in split_lines(data, end)]


def split_lines(data: bytes | bytearray, end: str = "\n") -> list[str]:
    """Return the lines of a text, without newlines; other separators of lines are part of them."""
    lines = data.decode("utf-8", "surrogateescape").split(end)
    return lines if lines[-1] else lines[:-1]
