"""The output folder of a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def make_folder(folder: Path, what: str = "the folder") -> None:
    """Make a folder and its parents if they are missing.

    Args:
        folder: Path of the folder.
        what: What the folder is, in the message.

    Raises:
        UsageError: The folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{what} cannot be written: {error.strerror or error}", file=folder) from error
