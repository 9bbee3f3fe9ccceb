"""Assignment of tasks to raters: every task once, some twice, evenly; raters may join later.

A task has one place for an answer, or two if it overlaps; no rater has both places of a task. The assignment
is a function of the seed and of the sequence of joins and answers, so a resumed run assigns the same.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fingertip_dataset.errors import UsageError


@dataclass(slots=True, kw_only=True)
class _Place:
    """A place for one answer to a task; without a rater until one has joined who can take it."""

    task: str
    rater: str | None = None
    answered: bool = False


class Dealing:
    """Assigns tasks to raters.

    A rater who joins takes open places from the raters with most, the last in their order first, until nobody
    has more than one place above the newcomer. While nothing is answered, the numbers of places of any two
    raters differ by at most one. A rater whose own places are all answered continues with the open places of
    others, so a rater who does not come back holds nothing up.

    Args:
        tasks: Task ids.
        overlap: Share of the tasks that two raters answer, 0-1; rounded to whole tasks.
        seed: For the order, and for which tasks overlap.

    Raises:
        UsageError: `overlap` is not between 0 and 1.
    """

    def __init__(self, tasks: Sequence[str], *, overlap: float, seed: int) -> None:
        if not 0 <= overlap <= 1:
            raise UsageError(f"the overlap is a share of the tasks, 0 to 1, not {overlap:g}")
        self._seed = seed
        by_hash = sorted(tasks, key=lambda task: self._hash("overlap", task))
        twice = frozenset(by_hash[: int(overlap * len(by_hash) + 0.5)])
        self._places = {
            task: [_Place(task=task) for _ in range(2 if task in twice else 1)] for task in sorted(tasks)
        }
        self._raters: dict[str, None] = {}

    @property
    def raters(self) -> tuple[str, ...]:
        """Everybody who has joined, in that order."""
        return tuple(self._raters)

    @property
    def complete(self) -> bool:
        """Whether every place has its answer."""
        return all(place.answered for place in self._all())

    @property
    def open_places(self) -> int:
        """Number of places without an answer, including those without a rater."""
        return sum(not place.answered for place in self._all())

    def join(self, rater: str) -> None:
        """Assigns places to a newcomer; a rater who has joined before keeps theirs."""
        if rater in self._raters:
            return
        self._raters[rater] = None
        for places in self._places.values():
            free = next((place for place in places if place.rater is None), None)
            if free is not None and all(place.rater != rater for place in places):
                free.rater = rater
        while (place := self._choose_to_move(rater)) is not None:
            place.rater = rater

    def answer(self, task: str, rater: str) -> None:
        """Records that a rater has answered a task.

        An answer to a task of others takes an open place of it. If there is none, it has no place, and
        no other rater loses one.

        Raises:
            KeyError: There is no such task.
        """
        self.join(rater)
        places = self._places[task]
        own = next((place for place in places if place.rater == rater), None)
        place = own or next((place for place in places if not place.answered), None)
        if place is not None:
            place.rater, place.answered = rater, True

    def dealt(self, task: str) -> tuple[str, ...]:
        """The raters of a task's places, the first place first."""
        return tuple(place.rater for place in self._places[task] if place.rater is not None)

    def own(self, rater: str) -> tuple[str, ...]:
        """A rater's own tasks without an answer, in their order."""
        return self._in_order(rater, (place.task for place in self._all() if self._is_open(place, rater)))

    def others(self, rater: str) -> tuple[str, ...]:
        """The open tasks of others that this rater can take over, in their order."""
        return self._in_order(
            rater,
            (
                task
                for task, places in self._places.items()
                if rater not in self.dealt(task) and not all(place.answered for place in places)
            ),
        )

    def load(self, rater: str) -> int:
        """Number of a rater's places, answered or not."""
        return sum(place.rater == rater for place in self._all())

    def _all(self) -> Iterator[_Place]:
        return (place for places in self._places.values() for place in places)

    @staticmethod
    def _is_open(place: _Place, rater: str) -> bool:
        return place.rater == rater and not place.answered

    def _choose_to_move(self, newcomer: str) -> _Place | None:
        """The place that the newcomer takes next; None if the loads are even or no place can be moved."""
        loads = Counter(place.rater for place in self._all())
        for giver in sorted(self._raters, key=lambda rater: (-loads[rater], rater)):
            if loads[giver] - loads[newcomer] <= 1:
                return None
            for task in reversed(self.own(giver)):
                if newcomer not in self.dealt(task):
                    return next(place for place in self._places[task] if place.rater == giver)
        return None

    def _in_order(self, rater: str, tasks: Iterator[str]) -> tuple[str, ...]:
        return tuple(sorted(tasks, key=lambda task: self._hash(f"order\0{rater}", task)))

    def _hash(self, purpose: str, task: str) -> bytes:
        return hashlib.sha256(f"{self._seed}\0{purpose}\0{task}".encode(errors="surrogateescape")).digest()
