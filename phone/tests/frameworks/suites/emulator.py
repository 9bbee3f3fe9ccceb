"""A stand-in for an emulator's addresses: suites of clients look for its serial, adb server and console.

The server passes requests on to a real adb server and puts the phone's serial in place of the emulator's; the
console answers `ping` and knows no other command.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

EMULATOR = b"emulator-5554"
_NAMING = (b"host:devices", b"list-forward", b"get-serialno")
"""Requests whose answers name the phone."""


@contextmanager
def stand_in(port: int, serial: str) -> Iterator[tuple[int, int]]:
    """Yield the ports of the adb server and of the console while they are served.

    Args:
        port: Port of the real adb server.
        serial: Serial of the phone.
    """
    with (
        _serve(lambda client: _pass_on(client, port, serial.encode())) as server,
        _serve(_answer_console) as console,
    ):
        yield server, console


@contextmanager
def _serve(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            with suppress(OSError):
                while True:
                    client, _ = listener.accept()
                    threading.Thread(target=answer, args=(client,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def _pass_on(client: socket.socket, port: int, serial: bytes) -> None:
    with client, suppress(OSError), socket.create_connection(("127.0.0.1", port)) as server:
        head = client.recv(4, socket.MSG_WAITALL)
        if len(head) < 4:
            return
        request = client.recv(int(head, 16), socket.MSG_WAITALL).replace(EMULATOR, serial)
        server.sendall(b"%04x%s" % (len(request), request))
        if any(word in request for word in _NAMING):
            client.sendall(_rename(b"".join(iter(lambda: server.recv(1 << 16), b"")), serial))
            return
        back = threading.Thread(target=_copy, args=(server, client), daemon=True)
        back.start()
        _copy(client, server)
        back.join()


def _rename(answer: bytes, serial: bytes) -> bytes:
    """An answer that names the phone, with the emulator's serial: a status, a length and lines."""
    lines = answer[8:].replace(serial, EMULATOR)
    return b"%s%04x%s" % (answer[:4], len(lines), lines)


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def _answer_console(client: socket.socket) -> None:
    with client, suppress(OSError), client.makefile("rb") as lines:
        client.sendall(b"Android Console\r\nOK\r\n")
        for line in lines:
            alive = line.strip() == b"ping"
            client.sendall(b"I am alive!\r\nOK\r\n" if alive else b"KO: unknown command\r\n")
