"""A stretch of wire between an adb server and a phone, which notes the lines of shells that pass."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

OPEN, WRITE = 0x4E45504F, 0x45545257
"""Commands of messages of adb: opens a service, whose name is the content; sends data to it."""

HEAD = struct.Struct("<6I")
PACKET, STDIN = struct.Struct("<BI"), 0
"""Head of a packet of version 2 of the shell service, and the kind that is the shell's input."""
_BLOCK = 1 << 16


class WireTap:
    """Passes connections on to a phone, byte for byte, and notes the lines of shells.

    Args:
        port: Port of the phone's adbd.

    Attributes:
        port: Port to connect to in place of the phone's.
        lines: Lines of shells in order, each once.
    """

    def __init__(self, port: int) -> None:
        self._phone = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.lines: dict[str, None] = {}

    @property
    def serial(self) -> str:
        """Address for `adb connect`."""
        return f"127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            phone = socket.create_connection(("127.0.0.1", self._phone))
            reader = MessageReader(lambda line: self.lines.setdefault(line))
            _start(client, phone, reader.feed)
            _start(phone, client, lambda _data: None)


def _start(source: socket.socket, target: socket.socket, see: Callable[[bytes], None]) -> None:
    threading.Thread(target=_pass_on, args=(source, target, see), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket, see: Callable[[bytes], None]) -> None:
    try:
        while data := source.recv(_BLOCK):
            see(data)
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            continue


class MessageReader:
    """Finds the lines of shells in the bytes that a host sends, however they are cut into pieces.

    Args:
        note: Receiver of each line: of `shell:` and `exec:`, and those typed into a shell without one.
    """

    def __init__(self, note: Callable[[str], object]) -> None:
        self._note = note
        self._left = bytearray()
        self._sessions: dict[int, _Session] = {}

    def feed(self, data: bytes) -> None:
        """Read the next piece."""
        self._left += data
        while len(self._left) >= HEAD.size:
            command, stream, _, size, _, _ = HEAD.unpack_from(self._left)
            if len(self._left) < HEAD.size + size:
                return
            content = bytes(self._left[HEAD.size : HEAD.size + size])
            del self._left[: HEAD.size + size]
            if command == OPEN:
                self._open(stream, content.rstrip(b"\0").decode("utf-8", "replace"))
            elif command == WRITE and stream in self._sessions:
                self._sessions[stream].feed(content)

    def _open(self, stream: int, service: str) -> None:
        kind, _, line = service.partition(":")
        base, *options = kind.split(",")
        self._sessions.pop(stream, None)
        if base not in ("shell", "exec"):
            return
        if line.strip():
            self._note(line)
        else:
            self._sessions[stream] = _Session(self._note, framed="v2" in options)


class _Session:
    """Reads what is typed into a shell; with version 2 of the service in packets of a kind and a length."""

    def __init__(self, note: Callable[[str], object], *, framed: bool) -> None:
        self._note, self._framed = note, framed
        self._left, self._text = bytearray(), bytearray()

    def feed(self, data: bytes) -> None:
        """Read the next piece."""
        self._left += data
        if not self._framed:
            self._text, self._left = self._text + self._left, bytearray()
        while self._framed and len(self._left) >= PACKET.size:
            kind, size = PACKET.unpack_from(self._left)
            if len(self._left) < PACKET.size + size:
                break
            if kind == STDIN:
                self._text += self._left[PACKET.size : PACKET.size + size]
            del self._left[: PACKET.size + size]
        *lines, self._text = self._text.split(b"\n")
        for line in lines:
            if line.strip():
                self._note(line.decode("utf-8", "replace"))
