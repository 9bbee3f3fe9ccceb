"""Output of a program, limited in time and in size: a phone may print without end."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
from collections.abc import Sequence

MAX_OUTPUT = 64 * 2**20
"""Maximum output of one command; the largest screenshots have 30 MB."""


class OutputTooLong(Exception):
    """Raised where a program prints more than `MAX_OUTPUT` bytes."""


def run_program(command: Sequence[str], *, seconds: float) -> subprocess.CompletedProcess[bytes]:
    """Run a program without input, and kill it where it takes too long or prints too much.

    Args:
        command: The program and its arguments.
        seconds: Time limit.

    Raises:
        subprocess.TimeoutExpired: It did not end in time.
        OutputTooLong: It printed more than `MAX_OUTPUT` bytes.
        OSError: It cannot be started.
    """
    until = time.monotonic() + seconds
    with subprocess.Popen(  # noqa: S603 - a list of words, no shell
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            out, errors = _read_streams(process, command, until, seconds)
            process.wait(max(0.0, until - time.monotonic()))
        except BaseException:
            process.kill()
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, errors)


def _read_streams(
    process: subprocess.Popen[bytes], command: Sequence[str], until: float, seconds: float
) -> tuple[bytes, bytes]:
    assert process.stdout is not None  # noqa: S101 - both are pipes
    assert process.stderr is not None  # noqa: S101
    chunks: dict[int, list[bytes]] = {process.stdout.fileno(): [], process.stderr.fileno(): []}
    size = 0
    with selectors.DefaultSelector() as selector:
        for stream in chunks:
            selector.register(stream, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(max(0.0, until - time.monotonic()))
            if not ready:
                raise subprocess.TimeoutExpired(command, seconds)
            for key, _ in ready:
                data = os.read(key.fd, 1 << 17)
                chunks[key.fd].append(data)
                size += len(data)
                if not data:
                    selector.unregister(key.fd)
                if size > MAX_OUTPUT:
                    raise OutputTooLong
    out, errors = (b"".join(parts) for parts in chunks.values())
    return out, errors
