"""Hash of everything that a bundle's folder or .zip holds."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

CHUNK = 1 << 20
"""Bytes read at a time."""


def content_sha256(path: Path) -> str:
    """sha256 over a bundle's file names, file types and contents; links are not followed.

    Args:
        path: Folder or .zip of the bundle.
    """
    digest = hashlib.sha256()
    for file in [path, *sorted(path.rglob("*"))] if path.is_dir() and not path.is_symlink() else [path]:
        mode = file.lstat().st_mode
        head = f"{os.fsencode(file.relative_to(path)).hex()} {stat.S_IFMT(mode):o}\n"
        digest.update(head.encode())
        if stat.S_ISLNK(mode):
            digest.update(os.fsencode(file.readlink()))
        elif stat.S_ISREG(mode):
            digest.update(_sha256(file))
    return digest.hexdigest()


def _sha256(file: Path) -> bytes:
    digest = hashlib.sha256()
    try:
        with file.open("rb") as stream:
            while chunk := stream.read(CHUNK):
                digest.update(chunk)
    except OSError as error:
        # the verifier reports the error; here only the hash has to differ
        return f"unreadable: {error.errno}".encode()
    return digest.digest()
