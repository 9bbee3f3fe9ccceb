"""Options and inputs of tools."""

from __future__ import annotations

import getopt
import re
from collections.abc import AsyncIterator, Iterator

from android_shell.command_call import CommandCall
from android_shell.shell.pipes import Input, open_file

BLOCK = 64 * 1024
"""Number of bytes that a tool reads at a time."""

_UNITS = {"c": 1, "b": 512, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def parse_options(
    call: CommandCall, short: str, long: tuple[str, ...] = ()
) -> tuple[dict[str, str], list[str]]:
    """Split the arguments into options and operands, which may be mixed.

    Args:
        call: The call.
        short: Letters of the options, those with a value followed by a colon, as in `getopt`.
        long: Names of long options, those with a value followed by an equals sign.

    Returns:
        Option -> value ("" for a flag; the last of several), and the operands.

    Raises:
        CommandError: An option is unknown, or its value is missing.
    """
    pairs, operands = parse_option_pairs(call, short, long)
    return dict(pairs), operands


def parse_option_pairs(
    call: CommandCall, short: str, long: tuple[str, ...] = ()
) -> tuple[list[tuple[str, str]], list[str]]:
    """As `options`, with all values of an option that is given several times."""
    try:
        return getopt.gnu_getopt(call.args, short, list(long))
    except getopt.GetoptError as error:
        word = f"'{error.opt}'"
        text = f"Missing argument to {word}" if "requires" in error.msg else f"Unknown option {word}"
        raise call.usage_error(text) from None


def parse_number(call: CommandCall, text: str) -> int:
    """An integer argument.

    Raises:
        CommandError: It is none.
    """
    try:
        # more digits are no sensible count
        return int(text[:18])
    except ValueError:
        raise call.error(f"not an integer: {text}") from None


def parse_byte_count(call: CommandCall, text: str) -> int:
    """A number of bytes, with one of toybox's suffixes: 4k, 2M, 1G, 3b (blocks of 512).

    Raises:
        CommandError: It is none.
    """
    found = re.fullmatch(r"(0x[0-9a-fA-F]{1,15}|-?\d{1,18})([cbkmgKMG]?)[BD]?", text)
    if found is None:
        raise call.error(f"not an integer: {text}")
    return int(found.group(1), 16 if "x" in text else 10) * _UNITS[found.group(2).lower() or "c"]


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


async def read_line_lists(call: CommandCall, names: list[str]) -> AsyncIterator[tuple[str, list[str]]]:
    """Yield the lines of each input, without newlines."""
    async for name, data in read_contents(call, names):
        yield name, split_lines(data)


async def read_lines(call: CommandCall, names: list[str]) -> list[str]:
    """Return the lines of all inputs, without newlines."""
    return [line async for _, lines in read_line_lists(call, names) for line in lines]


def read_text(call: CommandCall, name: str) -> str:
    """Return the text of a file.

    Raises:
        FileError: The file does not exist, or is a folder.
    """
    return call.device.files.read(call.path(name)).decode("utf-8", "replace")


def split_lines(data: bytes | bytearray) -> list[str]:
    """Return the lines of a text, without newlines; other separators of lines are part of them."""
    lines = data.decode("utf-8", "replace").split("\n")
    return lines if lines[-1] else lines[:-1]


def print_lines(call: CommandCall, lines: list[str]) -> None:
    """Print lines, each with a newline."""
    call.print("".join(f"{line}\n" for line in lines))
