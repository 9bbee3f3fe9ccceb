"""`sh`: a shell within the shell."""

from __future__ import annotations

import re

from android_shell.command_call import CommandCall, CommandError, UnsupportedError
from android_shell.shell.parser import parse_line
from android_shell.shell.syntax import ShellSyntaxError
from android_shell.shell.variables import SHELL

_CARRIED_OUT = "aefuxC"
_LETTERS = f"{_CARRIED_OUT}cnls"
_LACKING = "ibhkmprvXT"


async def sh(call: CommandCall) -> None:
    """`sh [-aefuxCn] [-o pipefail] -c LINE [NAME [WORD ...]]`, `sh FILE [WORD ...]`, `sh [-s [WORD ...]]`."""
    letters, names, words = _take_options(call)
    options = (*(letter for letter in letters if letter in _CARRIED_OUT), *names)
    if "c" in letters:
        if not words:
            raise CommandError(f"{SHELL}: -c: requires an argument")
        text, name, arguments = words[0], (words[1:2] or [call.name])[0], words[2:]
    elif words and "s" not in letters:
        entry = call.device.files.get(call.path(words[0]))
        if entry is None:
            raise CommandError(f"{SHELL}: {words[0]}: No such file or directory", 127)
        text, name, arguments = entry.read().decode("utf-8", "replace"), words[0], words[1:]
    else:
        text, name, arguments = (await call.input.read_all()).decode("utf-8", "replace"), call.name, words
        # a shell reads its input line by line, so that a command in it could read the rest
        if re.search(r"(^|[\s;|&(])(read|cat|exec)\b", text) and "\n" in text.strip():
            raise UnsupportedError(f"{SHELL}: a script that reads its own text is not supported", 2)
    if "n" in letters:
        _check_syntax(text)
        return
    call.code = await call.run_script(
        text, arguments, name=name, options=options, environment=dict(call.environment)
    )


def _take_options(call: CommandCall) -> tuple[str, tuple[str, ...], list[str]]:
    """Letters of the options, names after -o, and the other words."""
    letters, words = "", list(call.args)
    names: tuple[str, ...] = ()
    while words and words[0].startswith("-"):
        word = words.pop(0)
        if word in ("-", "--"):
            break
        for letter in word[1:]:
            if letter == "o" and words[:1] == ["pipefail"]:
                names = (*names, words.pop(0))
            elif letter in _LACKING or letter == "o":
                raise UnsupportedError(f"{SHELL}: -{letter}: not supported", 2)
            elif letter not in _LETTERS:
                raise CommandError(f"{SHELL}: -{letter}: unknown option")
            letters += letter
    return letters, names, words


def _check_syntax(text: str) -> None:
    try:
        parse_line(text)
    except ShellSyntaxError as error:
        raise CommandError(f"{SHELL}: {error}", error.code) from None
