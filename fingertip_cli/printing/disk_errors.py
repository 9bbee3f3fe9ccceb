"""Advice on full and read-only disks, which follows the message that a command ends with."""

from __future__ import annotations

import errno
from collections.abc import Mapping

from fingertip_dataset.errors import list_causes

ADVICE: Mapping[int, str] = {
    errno.ENOSPC: "the disk is full, free some space and call again",
    errno.EDQUOT: "your share of the disk is used up, delete something and call again",
    errno.EFBIG: "files may not be as large there, give another folder",
    errno.EROFS: "that file system is read-only, give a folder that can be written",
}
"""Error number of the system -> what it means, and what to do."""


def advise_on_disk(error: BaseException) -> str:
    """Return the end of a message whose cause is a full or read-only disk; "" for other causes.

    Args:
        error: The error of a command, with the errors that it was raised from.
    """
    for cause in list_causes(error):
        if isinstance(cause, OSError) and (advice := ADVICE.get(cause.errno or 0)):
            return f"; {advice}"
    return ""
