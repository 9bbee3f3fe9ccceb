"""Hash of everything that a bundle's folder or .zip holds."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from fingertip_leaderboard.bundle.bundle_files import MOST_FILES, TOTAL_LIMIT
from fingertip_leaderboard.bundle.open_unfollowed import UNFOLLOWED, open_file, open_folder, open_root

CHUNK = 1 << 20
"""Bytes read at a time."""

MOST_DEPTH = 8
"""Maximum depth of a file that is hashed; a bundle's own files are at most 4 deep."""

OVER_LIMITS = hashlib.sha256(b"over the limits of a bundle").hexdigest()
"""Stands for the hash of a bundle that is beyond the limits and is not read; verification refuses it."""


def hash_content(path: Path) -> str:
    """sha256 over a bundle's file names, file types and contents; links are not followed.

    Sizes are checked before anything is read, so that a hostile bundle costs no more than a large valid one.

    Args:
        path: Folder or .zip of the bundle.

    Returns:
        The hash; `OVER_LIMITS` for a bundle with too many files, too large or too deep ones.
    """
    digest = hashlib.sha256()
    try:
        status = path.lstat()
        if stat.S_ISDIR(status.st_mode):
            with open_root(path) as root:
                found = _files(root)
                for name, each in sorted(found.items(), key=lambda one: one[0].split("/")):
                    _add(digest, root, name, each)
        elif stat.S_ISREG(status.st_mode) and status.st_size > 2 * TOTAL_LIMIT:
            return OVER_LIMITS
        else:
            _add(digest, None, os.fspath(path), status)
    except (OSError, _OverLimitsError):
        return OVER_LIMITS  # the verifier reports the error
    return digest.hexdigest()


class _OverLimitsError(Exception):
    """The bundle is beyond the limits."""


def _files(root: int) -> dict[str, os.stat_result]:
    """Name within the bundle -> status, of the bundle's folder ("") and of everything below it."""
    found = {"": os.fstat(root)}
    total, waiting = 0, [""]
    while waiting:
        prefix = waiting.pop()
        if prefix.count("/") > MOST_DEPTH:
            raise _OverLimitsError
        with open_folder(root, prefix) as folder, os.scandir(folder) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                found[f"{prefix}{entry.name}"] = status
                total += status.st_size if stat.S_ISREG(status.st_mode) else 0
                if stat.S_ISDIR(status.st_mode):
                    waiting.append(f"{prefix}{entry.name}/")
                if len(found) > 2 * MOST_FILES or total > 2 * TOTAL_LIMIT:
                    raise _OverLimitsError
    return found


def _add(digest: hashlib._Hash, root: int | None, name: str, status: os.stat_result) -> None:
    """Add the name, the type and the content of a file; `root` is None if the bundle is that file."""
    place = "." if root is None else name or "."
    digest.update(f"{os.fsencode(place).hex()} {stat.S_IFMT(status.st_mode):o}\n".encode())
    try:
        if stat.S_ISLNK(status.st_mode):
            digest.update(_target(root, name))
        elif stat.S_ISREG(status.st_mode):
            file = os.open(name, UNFOLLOWED) if root is None else open_file(root, name)
            digest.update(_sha256(file, status.st_size))
    except OSError as error:
        # the verifier reports the error; here only the hash has to differ
        digest.update(f"unreadable: {error.errno}".encode())


def _target(root: int | None, name: str) -> bytes:
    if root is None:
        return os.fsencode(Path(name).readlink())
    folder, _, last = name.rpartition("/")
    with open_folder(root, folder) as parent:
        return os.fsencode(os.readlink(last, dir_fd=parent))


def _sha256(file: int, size: int) -> bytes:
    """sha256 of at most one byte more than the size: a file that grows meanwhile is not read to its end."""
    digest = hashlib.sha256()
    left = size + 1
    with os.fdopen(file, "rb") as stream:
        while left and (chunk := stream.read(min(CHUNK, left))):
            digest.update(chunk)
            left -= len(chunk)
    return digest.digest()
