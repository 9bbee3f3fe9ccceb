"""The people of a quick look at an agent: ten of a dataset, of its languages by turns."""

from __future__ import annotations

from collections import defaultdict

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TESTS
from fingertip_metrics.aggregate import natural_order

QUICK_PEOPLE = 10
"""Number of people of a quick look."""


def list_people_of(built: BuiltDataset, language: str) -> tuple[str, ...]:
    """List the people who have tasks and write a language, whatever its region.

    Args:
        built: The dataset.
        language: Code of the language, without a region.

    Raises:
        UsageError: Nobody writes it, or everybody does.
    """
    users = {
        row["user_id"]
        for split in TESTS
        if split in built.split_names
        for row in built.rows(split, columns=["user_id"])
    }
    written = {user: built.manifest.settings.language_of(user).partition("-")[0] for user in users}
    chosen = [user for user in sorted(users, key=natural_order) if written[user] == language]
    spoken = ", ".join(sorted(set(written.values())))
    if not chosen:
        raise UsageError(f"nobody of the dataset writes {language}: its people write {spoken}")
    if len(chosen) == len(users):
        raise UsageError(f"all people of the dataset write {language}: leave --only-language out")
    return tuple(chosen)


def choose_people(built: BuiltDataset, count: int = QUICK_PEOPLE) -> tuple[str, ...]:
    """Choose people who have tasks, of both tracks where there are some, from each language by turns.

    Args:
        built: The dataset.
        count: Maximum number of people.

    Returns:
        Their ids, in the order of the choice; the same for the same dataset.
    """
    tracks = [
        {row["user_id"] for row in built.rows(split, columns=["user_id"])}
        for split in TESTS
        if split in built.split_names
    ]
    found = [users for users in tracks if users]
    both = set.intersection(*found) if found else set()
    settings = built.manifest.settings
    by_language: dict[str, list[str]] = defaultdict(list)
    for user in sorted(both or set().union(*found), key=natural_order):
        by_language[settings.language_of(user)].append(user)
    chosen: list[str] = []
    while any(by_language.values()) and len(chosen) < count:
        for users in by_language.values():
            if users and len(chosen) < count:
                chosen.append(users.pop(0))
    return tuple(chosen)
