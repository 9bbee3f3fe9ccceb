"""Pictures of an export: one file per distinct picture, named by its content."""

from __future__ import annotations

import hashlib
from pathlib import Path

from fingertip_dataset.errors import InputError

IMAGES = "images"
"""Name of the folder of pictures in an export."""

_ENDINGS = ((b"\x89PNG\r\n\x1a\n", ".png"), (b"\xff\xd8\xff", ".jpg"))


class PictureFolder:
    """Writes pictures; samples share the file of byte-identical ones.

    Args:
        export: Folder of the export.

    Attributes:
        bytes: Bytes of all files.
    """

    def __init__(self, export: Path) -> None:
        self._export = export
        self._known: set[bytes] = set()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._known)

    def add(self, picture: bytes) -> str:
        """Write a picture unless it is known; returns its path relative to the export.

        Raises:
            InputError: The bytes are neither PNG nor JPEG.
        """
        ending = next((ending for start, ending in _ENDINGS if picture.startswith(start)), None)
        if ending is None:
            raise InputError(f"expected a PNG or JPEG picture, got {len(picture)} bytes of something else")
        digest = hashlib.sha256(picture).digest()
        # a folder per first byte: 180,000 files in one folder are slow to list
        name = f"{IMAGES}/{digest[:1].hex()}/{digest[1:16].hex()}{ending}"
        if digest not in self._known:
            file = self._export / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(picture)
            self._known.add(digest)
            self.bytes += len(picture)
        return name
