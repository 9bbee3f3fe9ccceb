"""What `awk` prints: collected while the program computes, and sent between its parts."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from simulated_phone.adb.commands.text_tools.awk_parser import AwkError

if TYPE_CHECKING:
    from simulated_phone.adb.commands.command_call import CommandCall

MAX_OUTPUT = 1 << 25
"""Largest length of the output that waits to be sent, in characters."""


class AwkOutput:
    """The output of a program.

    Args:
        call: The call of `awk`, whose output and files it goes to.
    """

    def __init__(self, call: CommandCall) -> None:
        self._call = call
        self._opened: set[str] = set()
        self._files: list[tuple[str, bytes, bool]] = []
        self._unsent = 0

    def write(self, path: str, text: str, *, anew: bool) -> None:
        """Collect a text; may be called from another thread than the phone's.

        Args:
            path: "/dev/stdout", "/dev/stderr" or a file.
            text: The text.
            anew: Whether the program's first writing empties the file.

        Raises:
            AwkError: Too much waits to be sent.
        """
        self._unsent += len(text)
        if self._unsent > MAX_OUTPUT:
            raise AwkError("out of memory")
        if path == "/dev/stdout":
            self._call.print(text)
        elif path == "/dev/stderr":
            self._call.print_error(text)
        else:
            first = anew and path not in self._opened
            self._opened.add(path)
            self._files.append((self._call.path(path), text.encode(), first))

    async def send(self) -> None:
        """Write the files, and send the rest to the host.

        Raises:
            FileError: A file cannot be written.
        """
        writes, self._files, self._unsent = self._files, [], 0
        for (path, first), parts in groupby(writes, key=itemgetter(0, 2)):
            data = b"".join(data for _, data, _ in parts)
            self._call.device.files.append(path, data, truncate=first)
        await self._call.flush()
