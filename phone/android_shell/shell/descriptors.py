"""File descriptors of a command, and redirections."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from android_shell.files import FileError, WriteError
from android_shell.shell.pipes import Input, open_bytes, open_file

if TYPE_CHECKING:
    from android_shell.files import FileSystem

Sink: TypeAlias = Callable[[bytes], Awaitable[None]]
Descriptors: TypeAlias = "dict[int, Input | Sink]"


class RedirectionError(Exception):
    """A redirection that cannot be made; the text is the shell's message."""


async def discard(_data: bytes) -> None:
    """Accept bytes and forget them, as /dev/null."""


async def write_to(descriptors: Descriptors, number: int, data: bytes) -> None:
    """Write to a descriptor; bytes for one that is closed or an input are lost.

    Raises:
        WriteError: It is a file that cannot be written; messages on stderr are then lost instead.
    """
    sink = descriptors.get(number)
    if data and sink is not None and not isinstance(sink, Input):
        with suppress(WriteError) if number == 2 else nullcontext():
            await sink(data)


def get_input(descriptors: Descriptors) -> Input:
    """The standard input; an empty one if it is closed."""
    found = descriptors.get(0)
    return found if isinstance(found, Input) else open_bytes(b"")


def redirect(
    descriptors: Descriptors, number: int, operator: str, target: str, path: str, files: FileSystem
) -> None:
    """Change a descriptor.

    Args:
        descriptors: The descriptors, which are changed.
        number: The descriptor.
        operator: `<`, `<>`, `<<`, `>`, `>>`, `<&` or `>&`.
        target: File name, text or descriptor.
        path: Absolute path of the file name.
        files: The phone's storage.

    Raises:
        RedirectionError: The file cannot be opened, or the descriptor is not open.
    """
    if operator == "<<":
        descriptors[number] = open_bytes(target.encode())
    elif operator in ("<&", ">&"):
        _duplicate(descriptors, number, target)
    elif operator in ("<", "<>"):
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
            files.append(path, b"", truncate=operator == ">")
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
