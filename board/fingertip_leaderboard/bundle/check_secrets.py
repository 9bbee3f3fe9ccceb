"""Search the files of a bundle for secrets; bundle.json is searched with its other checks."""

from __future__ import annotations

from collections.abc import Iterator

from fingertip_leaderboard.bundle.bundle_files import LIMITS
from fingertip_leaderboard.bundle.secrets import find_plain_secret, find_secret, find_secret_of_json
from fingertip_leaderboard.bundle.strict_json import MOST_LINES, number_lines

MOST_NAMED = 20
"""Maximum number of places that are named per file."""


def find_secrets_of_file(name: str, content: bytes) -> Iterator[tuple[int | None, str]]:
    """Find what looks like a secret in a file: (line or None for a picture, kind), `MOST_NAMED` at most.

    Args:
        name: Name within the bundle. Lines of a log and of a tree are searched in every form that
            `find_secret` knows, pictures for plain text.
        content: The whole file. A log of too many lines is refused anyway and not searched.
    """
    if name not in LIMITS and not name.endswith(".xml"):
        kind = find_plain_secret(content.decode("latin-1"))
        if kind is not None:
            yield None, kind
        return
    if content.count(b"\n") > MOST_LINES:
        return
    named = 0
    for number, line in number_lines(content):
        text = line.decode("utf-8", "replace")
        kind = find_secret(text) if name.endswith(".xml") else find_secret_of_json(text)
        if kind is not None:
            yield number, kind
            named += 1
            if named == MOST_NAMED:
                return
