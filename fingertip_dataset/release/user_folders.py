"""The users' folders of a release, in both layouts: RAW/{user_id} and RAW/{user_id}/{user_id}."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fingertip_dataset.release.problems import Problem, ProblemKind
from fingertip_dataset.release.raw_folder import Listing, RawFolder
from fingertip_dataset.release.spelling import plain_time, plain_user

TABLES_FOLDER = "tables"

_COMPANIONS = (".csv", ".md", ".txt", ".py", ".json", ".yaml", ".yml", ".pdf", "LICENSE")


@dataclass(frozen=True, slots=True)
class UserFolder:
    """A folder of one user's episodes.

    Attributes:
        user_id: Plainly spelled.
        path: Relative to the release.
        listing: What it holds, less a nested folder of the same user.
    """

    user_id: str
    path: str
    listing: Listing


def find_users(raw: RawFolder) -> tuple[tuple[UserFolder, ...], tuple[Problem, ...]]:
    """The users' folders by number, and what else lies beside them."""
    listing = raw.list()
    users: list[UserFolder] = []
    problems = list(listing.problems(""))
    for name in sorted(listing.folders, key=lambda name: (len(name), name)):
        found = tuple(_of_user(raw, name))
        users += found
        if not found and name != TABLES_FOLDER:
            problems.append(unexpected(name, "the folder of a user"))
    problems += (
        unexpected(name, "folders of users") for name in listing.files if not name.endswith(_COMPANIONS)
    )
    return tuple(users), tuple(problems)


def unexpected(path: str, expected: str, episode_id: str | None = None) -> Problem:
    """The problem of a file or folder that the layout does not know.

    Args:
        path: Relative to the release.
        expected: What may be in its place.
        episode_id: The episode it lies in, if any.
    """
    detail = f"expected {expected}, got {path.rpartition('/')[2]}"
    return Problem(kind=ProblemKind.UNEXPECTED_FILE, detail=detail, episode_id=episode_id, file=path)


def _of_user(raw: RawFolder, name: str) -> Iterator[UserFolder]:
    """The one or two folders of a user; none where `name` is no user's."""
    user = plain_user(name)
    if user is None:
        return
    listing = raw.list(name)
    nested = [inner for inner in listing.folders if plain_user(inner) == user and not plain_time(inner)]
    inner_listings = {inner: raw.list(f"{name}/{inner}") for inner in nested}
    numbered = user.isascii() and user.isdecimal()
    if not numbered and not any(_has_times(each) for each in (listing, *inner_listings.values())):
        return
    yield UserFolder(user, name, listing.without(nested))
    for inner, inner_listing in inner_listings.items():
        yield UserFolder(user, f"{name}/{inner}", inner_listing)


def _has_times(listing: Listing) -> bool:
    return any(plain_time(name) for name in (*listing.folders, *listing.outside))
