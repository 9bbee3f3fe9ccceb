"""The two types of users that track 2 tells apart.

Protocol choices. The paper's: users fall into types, and an execution is compared with that of a user of
another type. The release's: two age groups, given as a list of 16 user ids; everyone else is group 1. Ours:
where the ids are not those of the release (other data, a sample, a simulation), a user of `age_boundary`
years or more is type 2; a user of unknown age has no type, is never a reference, and is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_dataset.release.read_release import Release

Method = Literal["auto", "release", "age"]
"""How types are found: by the release's list, by age, or whichever fits the data."""

RELEASE_GROUP_2 = frozenset(
    ("30", "70", "73", "74", "75", "77", "79", "80", "86", "88", "89", "93", "94", "95", "96", "97")
)
"""Users of the second age group, as listed in the authors' script; all others of the release are group 1."""

LARGEST_RELEASE_ID = 100
"""User ids of the release are numbers from 1 to 100, with gaps."""

AGE_BOUNDARY = 40
"""Years from which a user is type 2 where the release's list does not apply. Ours: the release names no
boundary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTypes:
    """Which user is of which type, and how that was decided.

    Attributes:
        types: user_id -> 1, 2, or None where the age is unknown.
        method: The decision in words, for a manifest.
    """

    types: Mapping[str, int | None]
    method: str

    def __getitem__(self, user_id: str) -> int | None:
        return self.types.get(user_id)

    @property
    def unknown(self) -> int:
        """How many users have no type."""
        return sum(kind is None for kind in self.types.values())


def find_user_types(
    profiles: Mapping[str, UserProfile],
    provenance: str,
    *,
    method: Method = "auto",
    age_boundary: int = AGE_BOUNDARY,
) -> UserTypes:
    """The type of each user.

    Args:
        profiles: user_id -> profile, of every user; an empty profile where nothing is known.
        provenance: Of the release; only "recorded" data can be the public release.
        method: "auto" takes the release's list when the data are recorded and every id is one that the
            release could have, and the age otherwise; "release" and "age" force one of the two.
        age_boundary: Years from which a user is type 2, by age.

    Raises:
        UsageError: The method has another name.

    >>> people = {"3": UserProfile(age=34), "74": UserProfile(age=61), "guest": UserProfile()}
    >>> by_age = find_user_types(people, "recorded")
    >>> dict(by_age.types), by_age.unknown
    ({'3': 1, '74': 2, 'guest': None}, 1)
    """
    if method not in get_args(Method):
        raise UsageError(f"expected user types by auto, release or age, got {method!r}")
    ours = provenance == "recorded" and all(map(_could_be_released, profiles))
    if method == "release" or (method == "auto" and ours):
        return UserTypes(
            types={user: 2 if user in RELEASE_GROUP_2 else 1 for user in profiles},
            method="two age groups by the user ids of the authors' script",
        )
    types = {user: _type_by_age(profile.age, age_boundary) for user, profile in profiles.items()}
    unknown = sum(kind is None for kind in types.values())
    words = f"by age: type 2 from {age_boundary} years; users of unknown age, without a type: {unknown}"
    return UserTypes(types=types, method=words)


def profiles_of(release: Release) -> dict[str, UserProfile]:
    """The profile of every user whom a release names; an empty one where nothing is known."""
    known = {episode.intent.user_id: episode.profile for episode in release.episodes}
    if release.tables is not None:
        known = {**release.tables.profiles, **known}
    return {intent.user_id: known.get(intent.user_id, UserProfile()) for intent in release.intents}


def _could_be_released(user_id: str) -> bool:
    number = int(user_id) if user_id.isascii() and user_id.isdecimal() and len(user_id) <= 3 else 0
    return 1 <= number <= LARGEST_RELEASE_ID


def _type_by_age(age: int | None, boundary: int) -> int | None:
    if age is None:
        return None
    return 2 if age >= boundary else 1
