"""The two user types of track 2.

Protocol choices. The paper's: users fall into types, and an execution is compared with that of a user of
another type. The release's: two age groups, given as a list of 16 user ids; everyone else is in group 1.
Ours: if the ids are not those of the release (other data, a sample, a simulation), a user of `age_boundary`
years or more is of type 2; a user of unknown age has no type, is never a reference, and is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.words import LARGEST_RELEASE_ID, RELEASE_GROUP_2

if TYPE_CHECKING:
    from fingertip_dataset.release.read_release import Release

Method = Literal["auto", "release", "age"]
"""Method of assigning types: by the release's list, by age, or automatically by the data."""

AGE_BOUNDARY = 40
"""Age in years from which a user is of type 2 if the release's list does not apply. Ours: the release states
no boundary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTypes:
    """Type of each user.

    Attributes:
        types: user_id -> 1, 2, or None if the age is unknown.
        method: Method of assignment in words, for the manifest.
    """

    types: Mapping[str, int | None]
    method: str

    def __getitem__(self, user_id: str) -> int | None:
        return self.types.get(user_id)

    @property
    def unknown(self) -> int:
        """Number of users without a type."""
        return sum(kind is None for kind in self.types.values())


def find_user_types(
    profiles: Mapping[str, UserProfile],
    provenance: str,
    *,
    published: bool = True,
    method: Method = "auto",
    age_boundary: int = AGE_BOUNDARY,
) -> UserTypes:
    """Assign a type to each user.

    Args:
        profiles: user_id -> profile, for every user; its fields are None if unknown.
        provenance: Provenance of the release; only "recorded" data can be the public release.
        published: Whether its settings are those of the public release: without a release.toml.
        method: "auto" uses the release's list if the data are recorded and every id is one that the release
            could have, and the age otherwise; "release" and "age" force one of the two.
        age_boundary: Age in years from which a user is of type 2, with types by age.

    Raises:
        UsageError: The method is unknown.

    >>> people = {"3": UserProfile(age=34), "74": UserProfile(age=61), "guest": UserProfile()}
    >>> by_age = find_user_types(people, "recorded")
    >>> dict(by_age.types), by_age.unknown
    ({'3': 1, '74': 2, 'guest': None}, 1)
    """
    if method not in get_args(Method):
        raise UsageError(f"expected user types by auto, release or age, got {method!r}")
    may_be_release = published and provenance == "recorded" and all(map(_may_be_release_id, profiles))
    if method == "release" or (method == "auto" and may_be_release):
        return UserTypes(
            types={user: 2 if user in RELEASE_GROUP_2 else 1 for user in profiles},
            method="two age groups by the user ids of the authors' script",
        )
    types = {user: _type_by_age(profile.age, age_boundary) for user, profile in profiles.items()}
    unknown = sum(kind is None for kind in types.values())
    description = f"by age: type 2 from {age_boundary} years; users of unknown age, without a type: {unknown}"
    return UserTypes(types=types, method=description)


def find_profiles(release: Release) -> dict[str, UserProfile]:
    """Return the profile of every user of a release, empty if nothing is known."""
    known = {episode.intent.user_id: episode.profile for episode in release.episodes}
    if release.tables is not None:
        known = {**release.tables.profiles, **known}
    return {intent.user_id: known.get(intent.user_id, UserProfile()) for intent in release.intents}


def _may_be_release_id(user_id: str) -> bool:
    number = int(user_id) if user_id.isascii() and user_id.isdecimal() and len(user_id) <= 3 else 0
    return 1 <= number <= LARGEST_RELEASE_ID


def _type_by_age(age: int | None, boundary: int) -> int | None:
    if age is None:
        return None
    return 2 if age >= boundary else 1
