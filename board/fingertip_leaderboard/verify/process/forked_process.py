"""A copy of this process that serves it over pipes, and shares the memory of what is imported already."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import NoReturn


class ForkedProcess:
    """A forked copy of this process, with the pipes of a `subprocess.Popen`.

    Only a process with one thread can be copied: locks that other threads hold stay locked in the copy.

    Args:
        serve: What the copy does: it reads from standard input, and writes to standard output.

    Attributes:
        pid: Id of the copy.
        stdin: Writes to its standard input.
        stdout: Reads from its standard output.
    """

    def __init__(self, serve: Callable[[], None]) -> None:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # the copy would write it again
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        with warnings.catch_warnings():
            # threads of numerical libraries, which end and begin anew around a fork
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if not self.pid:
            _serve(serve, theirs_in, theirs_out)
        os.close(theirs_in)
        os.close(theirs_out)
        self.stdin, self.stdout = os.fdopen(ours_out, "wb"), os.fdopen(ours_in, "rb")

    def wait(self) -> int:
        """Wait for the end of the copy; its status as of `os.waitpid`."""
        return os.waitpid(self.pid, 0)[1]


def _serve(serve: Callable[[], None], given: int, output: int) -> NoReturn:
    """The copy: never returns to the code that it was forked from."""
    try:
        # an interrupt is for the caller, which closes the pipes
        os.setsid()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, signal.SIG_DFL)
        os.dup2(given, 0)
        os.dup2(output, 1)
        # the caller's files and sockets are not ours to keep open
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        serve()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
