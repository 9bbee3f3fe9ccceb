"""`xargs`: commands with arguments from the input."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator

from android_shell.command_call import CommandCall
from android_shell.shell.pipes import open_bytes
from android_shell.tools.tool_arguments import parse_number
from android_shell.tools.tool_options import Options

MAX_BYTES = 131_072 - 4096
"""Bytes of the arguments of one command and of its variables, as on a phone."""

_POINTER = 8


async def xargs(call: CommandCall, options: Options, command: list[str]) -> None:
    """`xargs [-0rt] [-E TEXT] [-n COUNT] [-P COUNT] [COMMAND [ARGUMENT ...]]`: quotes are kept."""
    command = command or ["echo"]
    limit = parse_number(call, options.get("n", "0"))
    if limit < 0 or ("n" in options and not limit) or parse_number(call, options.get("P", "1")) < 0:
        raise call.usage_error("-n < 1")
    data = (await call.input.read_all()).decode("utf-8", "surrogateescape")
    if "0" in options:
        words = data.removesuffix("\0").split("\0") if data else []
    else:
        # ASCII's spaces only, as isspace(3) has them
        words = re.findall(r"[^ \t\r\n\f\v]+", data)
    if "E" in options and options.get("E") in words:
        words = words[: words.index(options.get("E"))]
    if not words and "r" in options:
        return
    for group in _group_words(call, command, words, limit):
        if "t" in options:
            call.print_error(" ".join([*command, *group]) + " \n")
        await call.flush()
        # commands that do not wait for anything must not stop the phone
        await asyncio.sleep(0)
        if not _note_code(call, command, await call.execute([*command, *group], open_bytes(b""))):
            return


def _group_words(call: CommandCall, command: list[str], words: list[str], limit: int) -> Iterator[list[str]]:
    """The arguments of each command; one without arguments if there are no words."""
    taken = sum(
        len(f"{name}={value}".encode("utf-8", "replace")) + 1 for name, value in call.environment.items()
    )
    room = MAX_BYTES - taken - sum(len(word) + 1 + _POINTER for word in command)
    group, size = list[str](), 0
    for word in words:
        bytes_of_word = len(word.encode("utf-8", "surrogateescape")) + 1 + _POINTER
        if bytes_of_word > room:
            raise call.error("argument too long")
        if group and (size + bytes_of_word > room or len(group) == limit):
            yield group
            group, size = [], 0
        group.append(word)
        size += bytes_of_word
    if group or not words:
        yield group


def _note_code(call: CommandCall, command: list[str], code: int) -> bool:
    """Note the exit code of a command; return whether the next one is run."""
    if code == 255:
        call.print_error(f"xargs: {command[0]}: exited with status 255; aborting\n")
        call.code = 124
        return False
    if code in (126, 127):
        call.code = code
    elif 0 < code < 126:
        call.code = 123
    return True
