"""A server of raw bytes on loopback, for answers that no HTTP library would send."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Answer = Callable[["Connection"], None]


class Connection:
    """A connection whose request has been read.

    Attributes:
        request: Head and body of the request.
    """

    def __init__(self, stream: socket.socket, ended: threading.Event) -> None:
        self._stream = stream
        self._ended = ended
        self.request = b""

    def read_request(self) -> None:
        while b"\r\n\r\n" not in self.request:
            self._receive()
        head, _, body = self.request.partition(b"\r\n\r\n")
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            while name.lower() == b"content-length" and len(body) < int(value):
                body += self._receive()

    def _receive(self) -> bytes:
        content = self._stream.recv(1 << 16)
        if not content:
            raise OSError("the client has left")
        self.request += content
        return content

    def send(self, content: bytes) -> None:
        self._stream.sendall(content)

    def repeat(self, content: bytes, *, apart_s: float = 0.0) -> None:
        """Sends the same bytes until the client disconnects, or the test ends."""
        while not self._ended.wait(apart_s):
            self.send(content)

    def complete(self, body: bytes, *headers: str) -> None:
        """Sends a whole answer with status 200."""
        head = ["HTTP/1.1 200 OK", "connection: close", f"content-length: {len(body)}", *headers]
        self.send("\r\n".join((*head, "", "")).encode() + body)


class RawServer:
    """Answers each connection with a function.

    Args:
        answer: Called with each connection.
        tls: Context of a server that speaks TLS.
        reads: Whether the request is read before; False to answer whatever comes.

    Attributes:
        requests: Requests that were read, head and body.
    """

    def __init__(self, answer: Answer, tls: ssl.SSLContext | None = None, *, reads: bool = True) -> None:
        self._answer = answer
        self._tls = tls
        self._reads = reads
        self._ended = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._streams: list[socket.socket] = []
        self.requests: list[bytes] = []
        self.port: int = self._listener.getsockname()[1]
        self._acceptor = threading.Thread(target=self._accept)
        self._acceptor.start()

    @property
    def base_url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}/v1"

    def _accept(self) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(OSError):
                stream, _ = self._listener.accept()
                self._streams.append(stream)
                self._threads.append(threading.Thread(target=self._serve, args=(stream,)))
                self._threads[-1].start()

    def _serve(self, stream: socket.socket) -> None:
        with contextlib.suppress(OSError), stream:
            if self._tls is None:
                self._answer_one(stream)
                return
            # the plain socket stays open for `end`, which must be able to shut it down
            with self._tls.wrap_socket(stream.dup(), server_side=True) as encrypted:
                self._answer_one(encrypted)

    def _answer_one(self, stream: socket.socket) -> None:
        connection = Connection(stream, self._ended)
        if self._reads:
            connection.read_request()
            self.requests.append(connection.request)
        self._answer(connection)

    def end(self) -> None:
        self._ended.set()
        _shut_down(self._listener)
        self._acceptor.join()
        self._listener.close()
        for stream in self._streams:
            _shut_down(stream)
        for thread in self._threads:
            thread.join()


def _shut_down(stream: socket.socket) -> None:
    with contextlib.suppress(OSError):
        stream.shutdown(socket.SHUT_RDWR)


@contextmanager
def raw_server(
    answer: Answer, tls: ssl.SSLContext | None = None, *, reads: bool = True
) -> Iterator[RawServer]:
    server = RawServer(answer, tls, reads=reads)
    try:
        yield server
    finally:
        server.end()


def completion(text: str = "好", **message: object) -> bytes:
    """Body of a chat completion."""
    return json.dumps({"choices": [{"message": {"content": text, **message}}]}).encode()


def event(delta: object, finish: str | None = None) -> bytes:
    """A server-sent event of a stream."""
    chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    return f"data: {json.dumps(chunk)}\n\n".encode()
