"""Pictures of an export: one file per distinct picture, named by its content."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from fingertip_dataset.errors import InputError

IMAGES = "images"
"""Name of the folder of pictures in an export."""

_ENDINGS = ((b"\x89PNG\r\n\x1a\n", ".png"), (b"\xff\xd8\xff", ".jpg"))


class PictureFolder:
    """Writes pictures; samples share the file of byte-identical ones, and so do processes.

    Args:
        export: Folder of the export; a file that is being written stands beside it.

    Attributes:
        files: Path of each picture, relative to the export -> its bytes.
    """

    def __init__(self, export: Path) -> None:
        self._export = export
        self.files: dict[str, int] = {}

    def add(self, picture: bytes) -> str:
        """Write a picture unless it is there; returns its path relative to the export.

        Raises:
            InputError: The bytes are neither PNG nor JPEG.
        """
        ending = next((ending for start, ending in _ENDINGS if picture.startswith(start)), None)
        if ending is None:
            raise InputError(f"expected a PNG or JPEG picture, got {len(picture)} bytes of something else")
        name = f"{_name_content(picture)}{ending}"
        if name not in self.files:
            self._write(self._export / name, picture)
            self.files[name] = len(picture)
        return name

    def is_whole(self, name: str) -> bool:
        """Whether a picture is there with the content that its name states."""
        try:
            content = (self._export / name).read_bytes()
        except OSError:
            return False
        return name.startswith(f"{_name_content(content)}.")

    def _write(self, file: Path, picture: bytes) -> None:
        """Write a picture so that its name only ever stands for the whole of it."""
        with suppress(FileNotFoundError):
            if file.stat().st_size == len(picture):
                return
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self._export.with_name(f".picture-{os.getpid()}")
        unfinished.write_bytes(picture)
        unfinished.replace(file)


def _name_content(picture: bytes) -> str:
    """Path of a picture without its ending."""
    digest = hashlib.sha256(picture).digest()
    # a folder per first byte: 180,000 files in one folder are slow to list
    return f"{IMAGES}/{digest[:1].hex()}/{digest[1:16].hex()}"
