"""Order of submission: from the Hub's history of the submissions repo, or from a maintainer's signed list.

Names, file times and the times in bundles say nothing: a submitter chooses them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from typing import Literal

from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.problems import printable
from fingertip_leaderboard.results_file import check_outside, read_bounded

NAMESPACE = "fingertip-order"
"""Namespace of the signature, so that no other signed file of a maintainer counts as a list."""

LARGEST_LIST = 1 << 24
"""Maximum size of a list in bytes."""

_ENTRY = re.compile(r"([0-9a-f]{64}) [ *]\S.*")

Earlier = Literal["this", "other", "unknown"]
"""Which of two submissions is the earlier one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionOrder:
    """The order in which bundles were submitted.

    Attributes:
        source: Source of the order, in words.
        places: sha256 of a bundle.json -> its place; equal places have no order.
        shown: sha256 of a bundle.json -> when it was submitted, in words.
        pages: sha256 of a bundle.json -> address of the public bundle, with every step and output.
        complete: Whether each accepted bundle must have a place.
    """

    source: str = "unknown"
    places: Mapping[str, float] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)
    complete: bool = False

    def earlier(self, this: str, other: str) -> Earlier:
        """Which of two bundles was submitted earlier, by the sha256 of their bundle.json."""
        mine, others = self.places.get(this), self.places.get(other)
        if mine is None or others is None or mine == others:
            return "unknown"
        return "this" if mine < others else "other"

    def check(self, sha256: str, name: str) -> None:
        """Check that a bundle has a place, if each must have one.

        Raises:
            UsageError: It has none.
        """
        if self.complete and sha256 not in self.places:
            raise UsageError(
                f"{self.source} has no entry of {name}: append the line that `sha256sum` prints for its "
                "bundle.json, and sign the list again"
            )


def read_signed_order(file: Path, signers: Path) -> SubmissionOrder:
    """Read a maintainer's list of bundle.json hashes, oldest first, and check its signature.

    Each line is one of `sha256sum FOLDER/bundle.json`. The signature is FILE.sig, as
    `ssh-keygen -Y sign -n fingertip-order -f KEY FILE` writes it.

    Args:
        file: The list.
        signers: Maintainers' public keys in OpenSSH's format of allowed signers.

    Raises:
        UsageError: ssh-keygen is missing, the signature is wrong, or a line is invalid or a duplicate.
    """
    # the list is signed, but whoever may write the signers may sign
    check_outside(signers)
    text = read_bounded(file, LARGEST_LIST, "the list", kind=UsageError)
    principal = _check_signature(file, signers, text)
    places: dict[str, float] = {}
    for number, line in enumerate(text.decode("utf-8", "replace").splitlines(), start=1):
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            raise UsageError(
                f"expected a line of `sha256sum FOLDER/bundle.json`, got {printable(line, 80)!r}",
                file=file,
                line=number,
            )
        if entry[1] in places:
            first = int(places[entry[1]])
            raise UsageError(f"the bundle has an entry in line {first} already", file=file, line=number)
        places[entry[1]] = number
    return SubmissionOrder(
        source=f"the list {file.name}, signed by {printable(principal, 100)}",
        places=places,
        shown={sha256: f"number {int(place)} of the list" for sha256, place in places.items()},
        complete=True,
    )


def _check_signature(file: Path, signers: Path, text: bytes) -> str:
    """The name of the maintainer who signed the list."""
    program = which("ssh-keygen")
    if program is None:
        raise UsageError("a signed list needs ssh-keygen (OpenSSH 8.1 or newer) on the PATH")
    signature = file.with_name(f"{file.name}.sig")
    sign = f"ssh-keygen -Y sign -n {NAMESPACE} -f KEY {file.name}"
    for needed, remedy in (
        (signature, f"sign the list with `{sign}`"),
        (signers, "name the file of signers"),
    ):
        if not needed.is_file():
            raise UsageError(f"the file is missing: {remedy}", file=needed)
    options = ["-s", str(signature), "-f", str(signers)]
    found = _run([program, "-Y", "find-principals", *options], b"")
    principal = found.stdout.decode("utf-8", "replace").partition("\n")[0].strip()
    verify = [program, "-Y", "verify", "-n", NAMESPACE, "-I", principal, *options]
    if not principal or _run(verify, text).returncode != 0:
        raise UsageError(
            f"the signature is not of this list by one of {signers.name}: sign it again with `{sign}`",
            file=signature,
        )
    return principal


def _run(call: list[str], text: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(call, input=text, capture_output=True, timeout=60, check=False)  # noqa: S603 - fixed words
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"ssh-keygen cannot check the signature: {error}") from error
