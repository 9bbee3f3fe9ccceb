"""File descriptors of a command, and redirections."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from android_shell.files import FileError, WriteError
from android_shell.shell.pipes import Input, open_bytes, open_closed, open_file

if TYPE_CHECKING:
    from android_shell.files import FileSystem
    from android_shell.shell.variables import ShellVariables

Sink: TypeAlias = Callable[[bytes], Awaitable[None]]
Descriptors: TypeAlias = "dict[int, Input | Sink]"


class RedirectionError(Exception):
    """A redirection that cannot be made; the text is the shell's message."""


async def discard(_data: bytes) -> None:
    """Accept bytes and forget them, as /dev/null."""


async def write_to(descriptors: Descriptors, number: int, data: bytes) -> None:
    """Write to a descriptor.

    Raises:
        WriteError: It is closed, an input, or a file that cannot be written; messages are then lost.
    """
    sink = descriptors.get(number)
    if data and sink is not None and not isinstance(sink, Input):
        with suppress(WriteError) if number == 2 else nullcontext():
            await sink(data)
    elif data and number != 2:
        raise WriteError("write error: Bad file descriptor")


def get_input(descriptors: Descriptors, number: int = 0) -> Input:
    """An input, by default the standard one; one that fails if it is closed."""
    found = descriptors.get(number)
    return found if isinstance(found, Input) else open_closed()


def redirect(
    descriptors: Descriptors,
    number: int,
    operator: str,
    target: str,
    variables: ShellVariables,
) -> None:
    """Change a descriptor.

    Args:
        descriptors: The descriptors, which are changed.
        number: The descriptor.
        operator: `<`, `<<`, `>`, `>|`, `>>`, `<&` or `>&`.
        target: File name, text or descriptor.
        variables: State of the shell, with its files.

    Raises:
        RedirectionError: The file cannot be opened, or the descriptor is not open.
    """
    files, path = variables.files, variables.path(target)
    if operator == "<<":
        descriptors[number] = open_bytes(target.encode())
    elif operator in ("<&", ">&"):
        _duplicate(descriptors, number, target)
    elif not target:
        raise RedirectionError(f"can't {'open' if operator == '<' else 'create'} : No such file or directory")
    elif operator == "<":
        try:
            descriptors[number] = open_file(files, path)
        except FileError as error:
            raise RedirectionError(f"can't open {target}: {error}") from None
    elif path == "/dev/null":
        descriptors[number] = discard
    elif path == "/dev/tty":
        descriptors[number] = descriptors.get(1, discard)
    else:
        try:
            if operator == ">" and "C" in variables.options and files.get(path) is not None:
                raise FileError("File exists")
            files.append(path, b"", truncate=operator != ">>", mode=0o666 & ~variables.umask)
        except FileError as error:
            raise RedirectionError(f"can't create {target}: {error}") from None
        descriptors[number] = partial(_append, files, path)


def _duplicate(descriptors: Descriptors, number: int, target: str) -> None:
    if target == "-":
        descriptors.pop(number, None)
    elif target.isdecimal() and int(target) in descriptors:
        # where the other one goes at this point: 2>&1 before > keeps the old place
        descriptors[number] = descriptors[int(target)]
    else:
        raise RedirectionError(f"{target}: bad file descriptor")


async def _append(files: FileSystem, path: str, data: bytes) -> None:
    try:
        files.append(path, data)
    except FileError as error:
        raise WriteError(f"write error: {error}") from None
