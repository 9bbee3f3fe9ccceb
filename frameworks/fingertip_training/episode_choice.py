"""Choice of training episodes: all of a split, or a number that covers every user in proportion (5.4)."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence

from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TESTS, TRAIN, TRAIN_MOMENTS, VALI, VALI_MOMENTS, is_moments
from fingertip_dataset.tasks.splits import draw_key
from suggestion_runner.suggestion_records import users_phrase


def choose_episodes(
    users: Mapping[str, Sequence[str]], number: int, seed: int, *, name: str = "episodes"
) -> frozenset[str]:
    """Choose episodes so that each user has as large a share of them as of all episodes.

    Shares are rounded by largest remainders. A user has at least one episode if there are enough for all.
    The choice depends on the seed and the ids alone, so it is the same on every machine.

    Args:
        users: User id -> ids of the user's episodes.
        number: Number of episodes to choose.
        seed: Seed of the draw.
        name: What they are, for messages.

    Raises:
        UsageError: There are fewer episodes.

    >>> chosen = choose_episodes({"1": ["a", "b", "c", "d"], "2": ["e", "f"], "3": ["g"]}, 4, 0)
    >>> len(chosen), len(chosen & set("abcd")), len(chosen & set("ef")), "g" in chosen
    (4, 2, 1, True)
    """
    total = sum(map(len, users.values()))
    if number > total:
        raise UsageError(f"there are {total:,} {name} to choose from, too few for --episodes {number}")
    quotas = _quotas({user: len(ids) for user, ids in users.items()}, number, seed)
    return frozenset(
        episode_id
        for user, ids in users.items()
        for episode_id in sorted(ids, key=lambda one: draw_key(seed, one))[: quotas[user]]
    )


def choose_training_episodes(
    built: BuiltDataset,
    split: str,
    *,
    number: int | None,
    seed: int,
    exclude_unseen: bool = False,
    users: Collection[str] | None = None,
    only: Container[str] | None = None,
) -> Mapping[str, str]:
    """The episodes of an export.

    Args:
        built: The dataset.
        split: Name of the split.
        number: Number of episodes; None for all. Of the validation split there may be fewer.
        seed: Seed of the draw.
        exclude_unseen: Whether to leave out episodes with the held-out values of table 8.
        users: Ids of the users whose episodes are wanted; None for all users.
        only: Ids of the episodes to choose from; None for all.

    Returns:
        Episode id -> user id, in the order of the dataset.

    Raises:
        UsageError: The split has fewer episodes than `number`, or none, or none of a user to train on.
        DatasetError: subsets.json is missing or broken.
    """
    unseen = built.unseen_episodes() if exclude_unseen else frozenset[str]()
    rows = built.rows(split, columns=["episode_id", "user_id"])
    allowed = {
        row["episode_id"]: row["user_id"]
        for row in rows
        if row["episode_id"] not in unseen and (only is None or row["episode_id"] in only)
    }
    if users is not None:
        if split in {TRAIN, TRAIN_MOMENTS}:
            _check_users(built, split, users, allowed.values())
        allowed = {episode_id: user for episode_id, user in allowed.items() if user in users}
    if not allowed:
        whose = "" if users is None else f" of {users_phrase(users)}"
        raise UsageError(f"split {split} has no {_name(split)}{whose} to train on", file=built.path)
    if split in {VALI, VALI_MOMENTS} and number is not None:
        number = min(number, len(allowed))
    if number is None:
        return allowed
    by_user: dict[str, list[str]] = {}
    for episode_id, user in allowed.items():
        by_user.setdefault(user, []).append(episode_id)
    chosen = choose_episodes(by_user, number, seed, name=_name(split))
    return {episode_id: user for episode_id, user in allowed.items() if episode_id in chosen}


def find_hidden_episodes(built: BuiltDataset, split: str, *, exclude_unseen: bool) -> frozenset[str]:
    """Ids of the episodes that no prompt shows, neither as an earlier intent nor as a reference.

    These are the episodes of the tests, if the split is train, and with `exclude_unseen` those with held-out
    values. Earlier intents and the same user's reference are earlier than the task, so by rule A.5 no test
    episode is among them; another user's reference has no time limit.
    """
    tests = TESTS if split in {TRAIN, TRAIN_MOMENTS} else ()
    shown = (row["episode_id"] for test in tests for row in built.rows(test, columns=["episode_id"]))
    return frozenset(shown) | (built.unseen_episodes() if exclude_unseen else frozenset())


def _name(split: str) -> str:
    return "moments" if is_moments(split) else "episodes"


def _check_users(built: BuiltDataset, split: str, users: Collection[str], known: Collection[str]) -> None:
    """Refuse users without an episode to train on."""
    unknown = sorted(set(users).difference(known))
    if unknown:
        raise UsageError(
            f"split {split} has no {_name(split)} to train on of {users_phrase(unknown)}; it has those of "
            f"{users_phrase(known)}",
            file=built.path,
        )


def _quotas(sizes: Mapping[str, int], number: int, seed: int) -> dict[str, int]:
    total = sum(sizes.values())
    exact = {user: number * size / total for user, size in sizes.items()}
    least = 1 if number >= len(sizes) else 0
    quotas = {user: max(int(share), least) for user, share in exact.items()}

    def lack(user: str) -> tuple[float, bytes]:
        return exact[user] - quotas[user], draw_key(seed, user)

    while sum(quotas.values()) > number:
        quotas[min((user for user in quotas if quotas[user] > least), key=lack)] -= 1
    while sum(quotas.values()) < number:
        quotas[max((user for user in quotas if quotas[user] < sizes[user]), key=lack)] += 1
    return quotas
