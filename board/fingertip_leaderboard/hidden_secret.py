"""The secret of a hidden test: its file, and what is derived from it.

Everything derived comes from HMAC-SHA-256 under the secret (the commitment from SHA-256), each with a tag of
its own, so that none of it tells the others or the secret.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
import subprocess
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from shutil import which

from fingertip_dataset.errors import UsageError

LEAST_BYTES = 16
"""Minimum length of a secret: 128 bits."""
NEW_BYTES = 32
"""Length of a secret that `write_new_secret` draws."""
LARGEST_FILE = 4096
"""Maximum size of the file of a secret in bytes."""
LEAST_DISTINCT = 10
"""Minimum number of different bytes, and of different steps between neighbours, in a secret. Of 16 random
bytes one in a million has fewer."""

NEW = "`fingertip hidden-test --new-seed FILE` writes one"
_TAG = b"fingertip hidden test, "


@dataclass(frozen=True, slots=True)
class HiddenSecret:
    """A secret; its representation does not show it.

    Attributes:
        content: The random bytes, at least `LEAST_BYTES`.
    """

    content: bytes = field(repr=False)

    @property
    def commitment(self) -> str:
        """Hash that is published: the same for the same secret, and no help to find it, 64 hex digits."""
        return hashlib.sha256(_TAG + b"commitment\0" + self.content).hexdigest()

    def seed(self, purpose: str) -> int:
        """Seed of 256 bits for a purpose, such as the people of one version and size of the benchmark."""
        return int.from_bytes(self._derive(b"seed", purpose.encode()), "big")

    def mac(self, purpose: str, message: bytes) -> str:
        """Keyed hash of a message, 64 hex digits: only who has the secret can make or check it."""
        return self._derive(f"mac of {purpose}".encode(), message).hex()

    def _derive(self, tag: bytes, message: bytes) -> bytes:
        return hmac.digest(self.content, _TAG + tag + b"\0" + message, "sha256")


def read_secret(file: Path) -> HiddenSecret:
    """Read the secret of a file that only its owner can read.

    Args:
        file: At least 32 hex digits, or at least 16 random bytes.

    Raises:
        UsageError: The file cannot be read, is a link, is not private, is tracked by git, or holds a secret
            that is short or not random. No message quotes it.
    """
    _check_system()
    content = _read_private(file)
    if _is_tracked(file):
        raise UsageError(
            f"the secret is tracked by git, so others may know it: use another; {NEW}",
            file=file,
        )
    return parse_secret(content, file)


def parse_secret(content: bytes, file: Path | None = None) -> HiddenSecret:
    """The secret that was read, for example from a pipe.

    Args:
        content: At least 32 hex digits, or at least 16 random bytes.
        file: Source for messages; None for standard input.

    Raises:
        UsageError: The secret is short or not random. No message quotes it.
    """
    text = content.strip()
    secret = bytes.fromhex(text.decode()) if _is_hex(text) else content
    if len(secret) < LEAST_BYTES:
        raise UsageError(
            f"expected at least {2 * LEAST_BYTES} hex digits or {LEAST_BYTES} random bytes, got fewer; {NEW}",
            file=file,
        )
    if not _looks_random(secret):
        raise UsageError(f"the secret is not random, so it can be guessed: {NEW}", file=file)
    return HiddenSecret(secret)


def write_new_secret(file: Path) -> HiddenSecret:
    """Draw a secret and write it, as hex digits, into a new file that only its owner can read.

    Raises:
        UsageError: The file exists or cannot be written.
    """
    _check_system()
    secret = HiddenSecret(secrets.token_bytes(NEW_BYTES))
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        raise UsageError(
            "the file exists, and a secret is never overwritten: give a new name", file=file
        ) from None
    except OSError as error:
        raise UsageError(f"the secret cannot be written: {error.strerror or error}", file=file) from None
    with os.fdopen(handle, "wb") as stream:
        # the umask may have taken permissions away, and must not have given any
        os.fchmod(stream.fileno(), 0o600)
        stream.write(secret.content.hex().encode() + b"\n")
        stream.flush()
        os.fsync(stream.fileno())
    return secret


def _check_system() -> None:
    if not (hasattr(os, "O_NOFOLLOW") and hasattr(os, "geteuid")):
        raise UsageError("a hidden test needs Linux or macOS: this system has no private files as theirs")


def _read_private(file: Path) -> bytes:
    """Content of a regular file of this user that nobody else can read; checked on the opened file."""
    try:
        # O_NONBLOCK: a pipe would wait for a writer
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        why = "it is a link" if file.is_symlink() else error.strerror or str(error)
        raise UsageError(f"the secret cannot be read: {why}", file=file) from None
    try:
        _check_private(os.fstat(handle), file)
        return os.read(handle, LARGEST_FILE)
    finally:
        os.close(handle)


def _check_private(found: os.stat_result, file: Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise UsageError("the secret is not a file", file=file)
    if found.st_uid != os.geteuid():
        raise UsageError("the secret belongs to another user: copy it into a file of your own", file=file)
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        mode = stat.S_IMODE(found.st_mode)
        raise UsageError(f"others may read the secret (mode {mode:03o}): `chmod 600` it; {NEW}", file=file)
    if found.st_size > LARGEST_FILE:
        raise UsageError(f"the secret is larger than {LARGEST_FILE} bytes", file=file)


def _is_hex(text: bytes) -> bool:
    return len(text) % 2 == 0 and all(digit in b"0123456789abcdefABCDEF" for digit in text)


def _looks_random(secret: bytes) -> bool:
    """Whether a secret is neither text nor a repeated or regular sequence."""
    if all(byte in range(32, 127) or byte in b"\t\r\n" for byte in secret):
        return False  # a password or a sentence; 16 random bytes look like it once in ten million
    steps = {(after - before) % 256 for before, after in pairwise(secret)}
    return min(len(set(secret)), len(steps)) >= LEAST_DISTINCT


def _is_tracked(file: Path) -> bool:
    """Whether a git repository around the file tracks it."""
    folder, git = file.resolve().parent, which("git")
    if git is None or not any((parent / ".git").exists() for parent in (folder, *folder.parents)):
        return False
    call = [
        git,
        "-c",
        "core.fsmonitor=false",
        "-C",
        str(folder),
        "ls-files",
        "--error-unmatch",
        "--",
        file.name,
    ]
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        # git prints the name of a tracked file, and exits with 1 for any other
        done = subprocess.run(call, env=env, capture_output=True, timeout=20, check=False)  # noqa: S603 - a list of words, no shell
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"whether git tracks the secret cannot be found out: {error}", file=file) from None
    return done.returncode == 0
