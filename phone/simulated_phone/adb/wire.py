"""Messages of the ADB wire protocol, as described in Android's protocol.txt.

A message is a header of six little-endian words (command, first argument, second argument, length and sum of
the data, the command's complement) and the data.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass

VERSION = 0x01000001
"""Announced protocol version: the first in which the sum of the data is not checked."""

MAX_DATA = 1 << 20
"""Largest number of data bytes in one message, accepted and announced."""

_HEADER = struct.Struct("<4s5I")
_SUM_CHECKED_BELOW = 0x01000001


class WireError(Exception):
    """Invalid message; the connection cannot be used any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireMessage:
    """A message.

    Args:
        command: `CNXN`, `AUTH`, `OPEN`, `OKAY`, `WRTE` or `CLSE`.
        first: The sender's stream id; for `CNXN` the version, for `AUTH` the kind.
        second: The receiver's stream id; for `CNXN` the largest number of data bytes in a message.
        data: At most `MAX_DATA` bytes.
    """

    command: bytes
    first: int
    second: int
    data: bytes = b""

    def header(self, *, summed: bool) -> bytes:
        """The 24 header bytes; with `summed` they contain the sum of the data, for peers that check it."""
        total = sum(self.data) & 0xFFFFFFFF if summed else 0
        return _HEADER.pack(
            self.command, self.first, self.second, len(self.data), total, _complement(self.command)
        )


def sums_are_checked(version: int) -> bool:
    """Whether a peer of this protocol version checks the sum of the data."""
    return version < _SUM_CHECKED_BELOW


def _complement(command: bytes) -> int:
    return int.from_bytes(command, "little") ^ 0xFFFFFFFF


async def read_message(reader: asyncio.StreamReader) -> WireMessage:
    """Read the next message.

    Raises:
        WireError: The message is invalid or larger than `MAX_DATA`.
        asyncio.IncompleteReadError: The peer disconnected.
    """
    command, first, second, length, _, complement = _HEADER.unpack(await reader.readexactly(_HEADER.size))
    if complement != _complement(command):
        raise WireError(f"expected the complement of {command!r}, got {complement:#010x}")
    if length > MAX_DATA:
        raise WireError(f"expected at most {MAX_DATA} bytes, got {length}")
    data = await reader.readexactly(length) if length else b""
    return WireMessage(command=command, first=first, second=second, data=data)
