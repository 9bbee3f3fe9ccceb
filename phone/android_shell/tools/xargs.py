"""`xargs`: commands with arguments from the input."""

from __future__ import annotations

import asyncio
import re
import shlex

from android_shell.command_call import CommandCall, CommandError
from android_shell.shell.pipes import open_bytes
from android_shell.tools.tool_arguments import parse_number

MAX_WORDS = 1000
"""Largest number of arguments of one command."""


async def xargs(call: CommandCall) -> None:
    """`xargs [-0] [-r] [-t] [-n COUNT] [-I TEXT] [-P COUNT] [COMMAND [ARGUMENT ...]]`."""
    flags, command = _parse_options(call)
    data = (await call.input.read_all()).decode("utf-8", "replace")
    if "-0" in flags:
        words = data.removesuffix("\0").split("\0") if data else []
    elif "-I" in flags:
        words = [line.strip() for line in data.splitlines() if line.strip()]
    else:
        words = await asyncio.to_thread(_split_words, data)
    if not words and ("-r" in flags or "-I" in flags):
        return
    size = 1 if "-I" in flags else min(MAX_WORDS, max(1, parse_number(call, flags.get("-n", str(MAX_WORDS)))))
    for start in range(0, max(1, len(words)), size):
        group = words[start : start + size]
        if "-I" in flags:
            arguments = [arg.replace(flags["-I"], group[0]) for arg in command]
        else:
            arguments = [*command, *group]
        if "-t" in flags:
            call.print_error(shlex.join(arguments) + "\n")
        await call.flush()
        # commands that do not wait for anything must not stop the phone
        await asyncio.sleep(0)
        code = await call.execute(arguments, open_bytes(b""))
        if code in (126, 127):
            call.code = code
            return
        call.code = 123 if code else call.code


def _parse_options(call: CommandCall) -> tuple[dict[str, str], list[str]]:
    """Options end at the command, whose own options are left alone."""
    flags: dict[str, str] = {}
    args = list(call.args)
    while args and args[0].startswith("-") and len(args[0]) > 1:
        arg = args.pop(0)
        if arg[:2] in ("-n", "-I", "-P", "-s", "-E", "-L"):
            if not arg[2:] and not args:
                raise CommandError(f"xargs: Missing argument to '{arg[1:]}'")
            flags[arg[:2]] = arg[2:] or args.pop(0)
        elif set(arg[1:]) <= set("0rtopx"):
            flags |= {f"-{letter}": "" for letter in arg[1:]}
        else:
            raise CommandError(f"xargs: Unknown option '{arg.lstrip('-')}' (see \"xargs --help\")")
    return flags, args or ["echo"]


def _split_words(text: str) -> list[str]:
    if not set(text) & set("'\"\\"):
        return re.findall(r"[^ \t\r\n]+", text)
    lexer = shlex.shlex(text, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return list(lexer)
    except ValueError:
        return text.split()
