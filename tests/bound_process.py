"""Child processes that end when the test run ends, however it ends."""

from __future__ import annotations

import os
import sys

END_WITH_PARENT = """
import ctypes, os, signal, sys

if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
if os.getppid() != int(sys.argv[1]):
    sys.exit("the test run has ended")
os.execv(sys.argv[2], sys.argv[2:])
"""


def end_with_this_process(call: list[str]) -> list[str]:
    """Return a call of a program that the kernel ends when this process ends, even by SIGKILL."""
    return [sys.executable, "-c", END_WITH_PARENT, str(os.getpid()), *call]
