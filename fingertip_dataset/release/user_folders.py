"""Users' folders of a release, in both layouts: RAW/{user_id} and RAW/{user_id}/{user_id}."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.raw_folder import Listing, RawFolder
from fingertip_dataset.release.settings import SETTINGS_FILE
from fingertip_dataset.release.spelling import normalize_time, normalize_user

TABLES_FOLDER = "tables"
MOMENTS_FILE, MOMENTS_FOLDER = "moments.jsonl", "moments"
"""Names of a simulated person's moments and of the folder of their screens, in the person's folder."""

_OTHER_FILES = (".csv", ".md", ".txt", ".py", ".json", ".yaml", ".yml", ".pdf", "LICENSE", SETTINGS_FILE)


@dataclass(frozen=True, slots=True)
class UserFolder:
    """A folder of one user's episodes.

    Attributes:
        user_id: Normalized name of the folder.
        path: Path of the folder, relative to the release.
        listing: Listing of the folder without a nested folder of the same user.
    """

    user_id: str
    path: str
    listing: Listing


def find_users(raw: RawFolder) -> tuple[tuple[UserFolder, ...], tuple[Problem, ...]]:
    """Find the users' folders, sorted by number, and the problems of other content."""
    listing = raw.list()
    users: list[UserFolder] = []
    problems = list(listing.problems(""))
    for name in sorted(listing.folders, key=lambda name: (len(name), name)):
        folders = tuple(_list_user_folders(raw, name))
        users += folders
        if not folders and name != TABLES_FOLDER:
            problems.append(report_unexpected(name, "the folder of a user"))
    problems += (
        report_unexpected(name, "folders of users")
        for name in listing.files
        if not name.endswith(_OTHER_FILES) and not name.lower().endswith(".csv")
    )
    return tuple(users), tuple(problems)


def report_unexpected(path: str, expected: str, episode_id: str | None = None) -> Problem:
    """Return the problem of a file or folder that is not part of the layout.

    Args:
        path: Path relative to the release.
        expected: Content expected in its place.
        episode_id: Id of the episode whose folder contains it.
    """
    detail = f"expected {expected}, got {path.rpartition('/')[2]}"
    return Problem(kind=ProblemKind.UNEXPECTED_FILE, detail=detail, episode_id=episode_id, file=path)


def _list_user_folders(raw: RawFolder, name: str) -> Iterator[UserFolder]:
    """Yield the one or two folders of a user; none if `name` is not a user's."""
    user = normalize_user(name)
    if user is None:
        return
    listing = raw.list(name)
    nested = [
        inner for inner in listing.folders if normalize_user(inner) == user and not normalize_time(inner)
    ]
    inner_listings = {inner: raw.list(f"{name}/{inner}") for inner in nested}
    numbered = user.isascii() and user.isdecimal()
    if not numbered and not any(_has_times(each) for each in (listing, *inner_listings.values())):
        return
    yield UserFolder(user, name, listing.without(nested))
    for inner, inner_listing in inner_listings.items():
        yield UserFolder(user, f"{name}/{inner}", inner_listing)


def _has_times(listing: Listing) -> bool:
    return any(normalize_time(name) for name in (*listing.folders, *listing.outside))
