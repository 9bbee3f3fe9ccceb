"""Demographics of a dataset's users, as A.3 of the paper counts them: sex, age, occupation.

The profiles of the release are free text. The groups of occupations are ours: a student whose level the
profile does not state belongs to none of the paper's thirds and has a group of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.release.settings import PUBLISHED, ReleaseSettings

SEXES = ("male", "female", "other", "unknown")
OCCUPATIONS = (
    "undergraduate",
    "postgraduate",
    "student, level not stated",
    "employed",
    "not employed",
    "unknown",
)
"""Groups of occupations; in the paper undergraduates, postgraduates and employed people are a third each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demographics:
    """Counts of users, not of episodes.

    Attributes:
        users: Number of users.
        sexes: Name of `SEXES` -> number of users; names without users are left out.
        occupations: Name of `OCCUPATIONS` -> number of users; names without users are left out.
        ages: Known ages in years, ascending.
    """

    users: int
    sexes: dict[str, int]
    occupations: dict[str, int]
    ages: tuple[int, ...]

    @property
    def mean_age(self) -> float | None:
        """Mean age in years of the users whose age is known; None if no age is known."""
        return sum(self.ages) / len(self.ages) if self.ages else None


def count_people(profiles: Iterable[UserProfile], settings: ReleaseSettings = PUBLISHED) -> Demographics:
    """Count the demographics of users.

    Args:
        profiles: One profile per user; its fields are None if unknown.
        settings: Settings of the release, which may name more words for sexes and occupations.

    >>> people = [UserProfile(sex="女", age=21, occupation="本科生"), UserProfile(age=58, occupation="退休")]
    >>> demographics = count_people(people)
    >>> demographics.sexes, demographics.occupations, demographics.mean_age
    ({'female': 1, 'unknown': 1}, {'undergraduate': 1, 'not employed': 1}, 39.5)
    """
    people = list(profiles)
    sex_words, occupation_words = settings.sex_words, settings.occupation_words
    sexes = Counter(group_sex(profile.sex, sex_words) for profile in people)
    occupations = Counter(_group_occupation(profile.occupation, occupation_words) for profile in people)
    return Demographics(
        users=len(people),
        sexes={name: sexes[name] for name in SEXES if sexes[name]},
        occupations={name: occupations[name] for name in OCCUPATIONS if occupations[name]},
        ages=tuple(sorted(profile.age for profile in people if profile.age is not None)),
    )


def group_sex(text: str | None, words: Mapping[str, str]) -> str:
    """Return the name of `SEXES` of a profile's word.

    Args:
        text: The word; None or blank for an unknown sex.
        words: Word in lower case -> name of `SEXES`, such as `ReleaseSettings.sex_words`.
    """
    word = (text or "").strip().lower()
    return words.get(word, "other") if word else "unknown"


def _group_occupation(text: str | None, groups: Mapping[str, tuple[str, ...]]) -> str:
    word = (text or "").strip().lower()
    if not word:
        return "unknown"
    # 大学生 and 研究生 contain 学生, so the words that state a level are tried first
    for group, words in groups.items():
        if any(known in word for known in words):
            return group
    return "employed"
