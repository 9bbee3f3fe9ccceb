"""The output folder of a command."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
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
    except FileExistsError as error:
        raise UsageError(
            "a file is there, and a folder is to be written: give another path", file=folder
        ) from error
    except OSError as error:
        raise UsageError(f"{what} cannot be written: {error.strerror or error}", file=folder) from error


@contextmanager
def keep_if_used(folder: Path) -> Iterator[None]:
    """Make a folder for a block of work; what was made and stays empty is removed at its end.

    Raises:
        UsageError: The folder cannot be made.
    """
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    make_folder(folder)
    try:
        yield
    finally:
        for one in made:
            try:
                one.rmdir()
            except OSError:
                # it holds something
                break
