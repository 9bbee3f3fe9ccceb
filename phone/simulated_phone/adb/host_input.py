"""Standard input from the host, with or without the frames of shell v2."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulated_phone.adb.streams import Stream

MAX_FRAME = 1 << 20
"""Largest size of a frame, bytes; a longer one ends the input."""

_STDIN, _CLOSE_STDIN = 0, 4


class HostInput:
    """Bytes that the host writes to a shell.

    Args:
        stream: The connection's stream.
        framed: Whether it has the frames of shell v2.
    """

    def __init__(self, stream: Stream, *, framed: bool) -> None:
        self._stream = stream
        self._framed = framed

    async def read(self) -> bytes:
        """The next bytes; b"" at the end."""
        if not self._framed:
            return await self._stream.read()
        while True:
            try:
                kind, length = struct.unpack("<BI", await self._stream.read_exactly(5))
                data = await self._stream.read_exactly(length) if length <= MAX_FRAME else b""
            except ConnectionResetError:
                return b""
            if kind == _CLOSE_STDIN or length > MAX_FRAME:
                return b""
            if kind == _STDIN and data:
                return data
