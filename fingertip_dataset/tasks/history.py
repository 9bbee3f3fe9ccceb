"""History of a task: the user's earlier intents that the task may show to an agent.

Protocol choices. The release's: history comes from the table of all episodes (total.csv), strictly earlier
in time for the same user, whether or not the episode was recorded completely and whether or not it is itself
a test task; this is protocol "online". Ours: protocol "strict" takes the history from the training part
alone, to exclude test episodes; equal times are not earlier; of a longer history the latest 20 intents are
kept, oldest first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable
from datetime import datetime
from operator import attrgetter
from typing import Literal, get_args

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import UsageError

HistoryProtocol = Literal["online", "strict"]
"""Source of earlier intents: any earlier episode ("online"), or the training part only ("strict")."""

HISTORY_LIMIT = 20
"""Maximum number of earlier intents in a row of the dataset."""


def release_order(intent: Intent) -> tuple[bool, int, str, datetime, str]:
    """Sort key of a release: users by number, then users without a number by name; then by time.

    Moments are compared, not the local times of folder names: these repeat where clocks are set back.

    >>> at_dawn = {"time": "20250310_060000", "scenario": "", "app": "", "text": ""}
    >>> sorted(["10", "9", "guest"], key=lambda user: release_order(Intent(user_id=user, **at_dawn)))
    ['9', '10', 'guest']
    """
    return (*rank_user(intent.user_id), intent.moment, intent.time)


def rank_user(user: str) -> tuple[bool, int, str]:
    """Sort key of users: by number, then those without a number by name.

    >>> sorted(["10", "guest", "9"], key=rank_user)
    ['9', '10', 'guest']
    """
    numeric = user.isascii() and user.isdecimal()
    # with equal lengths the order of digits is that of numbers
    return (not numeric, len(user.lstrip("0")) if numeric else 0, user)


def list_allowed_intents(
    intents: Iterable[Intent], protocol: HistoryProtocol, train_ids: Collection[str] | None
) -> list[Intent]:
    """Return the intents that a protocol allows as history.

    Args:
        intents: Every known intent.
        protocol: "online" keeps all intents, "strict" those of the training part.
        train_ids: Episode ids of the training part; needed by "strict" only.

    Raises:
        UsageError: The protocol is unknown, or "strict" is given without `train_ids`.
    """
    if protocol not in get_args(HistoryProtocol):
        raise UsageError(f"expected protocol online or strict, got {protocol!r}")
    if protocol == "online":
        return list(intents)
    if train_ids is None:
        raise UsageError("expected the episode ids of the training part for protocol strict, got none")
    train = frozenset(train_ids)
    return [intent for intent in intents if intent.episode_id in train]


class History:
    """Earlier intents of each user, found by bisection in O(log n).

    Args:
        intents: Every known intent, in any order: episodes, and table rows without an episode.
        protocol: "online" (any earlier intent) or "strict" (the training part only).
        train_ids: Episode ids of the training part; needed by "strict" only.

    Raises:
        UsageError: The protocol is unknown, or "strict" is given without `train_ids`.
    """

    def __init__(
        self,
        intents: Iterable[Intent],
        *,
        protocol: HistoryProtocol = "online",
        train_ids: Collection[str] | None = None,
    ) -> None:
        self.protocol = protocol
        self._intents: dict[str, list[Intent]] = {}
        for intent in sorted(list_allowed_intents(intents, protocol, train_ids), key=release_order):
            self._intents.setdefault(intent.user_id, []).append(intent)

    def before(self, intent: Intent, limit: int | None = HISTORY_LIMIT) -> tuple[Intent, ...]:
        """Return the latest `limit` intents of the same user strictly before this one, oldest first.

        Args:
            intent: The intent, which gives user and time; it need not be among the known intents.
            limit: Maximum number of intents; None for all.

        Raises:
            UsageError: `limit` is negative.
        """
        if limit is not None and limit < 0:
            raise UsageError(f"expected a history limit of 0 or more, got {limit}")
        own = self._intents.get(intent.user_id, [])
        # bisect_left: strictly earlier intents only
        end = bisect_left(own, intent.moment, key=attrgetter("moment"))
        return tuple(own[0 if limit is None else max(0, end - limit) : end])
