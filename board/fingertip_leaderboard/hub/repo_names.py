"""Names on the Hub: repos, and folders of submissions."""

from __future__ import annotations

import re

from fingertip_dataset.errors import UsageError

SUBMISSIONS = "submissions"
"""Folder of a submissions repo with one folder per submission."""

_REPO = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}", re.ASCII)


def check_repo(repo: str, option: str) -> str:
    """Check a repo's name, and return it unchanged.

    Args:
        repo: Name as OWNER/NAME.
        option: Option that gave the name, for the error message.

    Raises:
        UsageError: The name is not valid.
    """
    if not _REPO.fullmatch(repo) or ".." in repo or "--" in repo or repo.endswith((".git", ".", "-")):
        raise UsageError(f"expected {option} as OWNER/NAME of a repo on the Hub, got {repo[:200]!r}")
    return repo


def slug(name: str, sha256: str) -> str:
    """Name of a submission's folder, unique per bundle.

    Args:
        name: Name of the agent, in any script.
        sha256: sha256 of the bundle.

    >>> slug("Habit (7B)", "1a2b3c4d5e6f" + "0" * 52), slug("小红", "1a2b3c4d5e6f" + "0" * 52)
    ('habit-7b-1a2b3c4d5e6f', 'agent-1a2b3c4d5e6f')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].strip("-")
    return f"{plain or 'agent'}-{sha256[:12]}"
