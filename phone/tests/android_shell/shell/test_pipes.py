"""Inputs of commands, read in pieces."""

from __future__ import annotations

import asyncio
import time

from android_shell.shell.pipes import open_bytes


def test_pieces_of_a_large_input_take_little_time() -> None:
    data = bytes(range(256)) * (32 << 12)

    async def read_pieces() -> list[bytes]:
        source, pieces = open_bytes(data), []
        while piece := await source.read_some(4096):
            pieces.append(piece)
        return pieces

    begin = time.monotonic()
    pieces = asyncio.run(read_pieces())
    # moving the rest of 32 MB for each piece takes a minute
    assert time.monotonic() - begin < 8
    assert {len(piece) for piece in pieces} == {4096}
    assert b"".join(pieces) == data


def test_a_piece_has_what_is_there_and_what_follows_it_stays() -> None:
    async def read() -> list[bytes]:
        source = open_bytes(b"abcdefg\nh")
        return [
            await source.read_some(3),
            await source.read_some(2),
            await source.read_line(),
            await source.read_some(9),
            await source.read_some(9),
        ]

    assert asyncio.run(read()) == [b"abc", b"de", b"fg\n", b"h", b""]
