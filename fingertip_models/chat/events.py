"""Incremental parser of server-sent events."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

BOM = b"\xef\xbb\xbf"


class Events:
    """Parser of a stream of server-sent events by the HTML standard (section "Server-sent events").

    A line ends with LF, CRLF or a lone CR, a blank line ends an event, and an event may have several lines of
    data. Names, ids, retry times and comments are ignored: chat completion servers do not use them.

    Args:
        decode: Decoder of a line of data; None for UTF-8 with replacement characters.

    Attributes:
        begun: Whether a line of data has been read; a response without one is not a stream of events.
    """

    def __init__(self, decode: Callable[[bytes], str] | None = None) -> None:
        self.begun = False
        self._decode = decode or partial(bytes.decode, errors="replace")
        self._pieces: list[bytes] = []
        self._data: list[str] = []
        self._after_cr = False
        self._first = True

    def feed(self, content: bytes) -> list[tuple[str, ...]]:
        """Parse the next bytes, split anywhere, and return the data lines of each event that ends in them."""
        if not content:
            return []
        if self._after_cr:
            # CRLF may be split between two pieces
            content = content.removeprefix(b"\n")
        self._after_cr = content.endswith(b"\r")
        ended = []
        for piece in content.splitlines(keepends=True):  # of bytes: at LF, CRLF and CR alone
            self._pieces.append(piece)
            if piece.endswith((b"\n", b"\r")):
                ended += self._add_line(self._take_pieces())
        return ended

    def rest(self) -> tuple[str, ...]:
        """Return the data lines of an unfinished event at the end of the stream; () without one."""
        if self._pieces:
            self._add_line(self._take_pieces())
        data, self._data = tuple(self._data), []
        return data

    def _take_pieces(self) -> bytes:
        line = b"".join(self._pieces).rstrip(b"\r\n")
        self._pieces.clear()
        # the standard allows a byte order mark at the start of a stream
        if self._first:
            line, self._first = line.removeprefix(BOM), False
        return line

    def _add_line(self, line: bytes) -> list[tuple[str, ...]]:
        """Process a line without its line end; return the event that it ends, if any."""
        if not line:
            ended, self._data = [tuple(self._data)] if self._data else [], []
            return ended
        name, _, value = line.partition(b":")
        if name == b"data":
            self.begun = True
            # the standard drops one space after the colon, not all
            self._data.append(self._decode(value.removeprefix(b" ")))
        return []
