"""How tasks are dealt out to raters: every task once, some of them twice, evenly; raters may join later.

A task has one place for an answer, or two if it is one of those that overlap; no rater has both places of a
task. The dealing is a function of the seed and of what happened, in order: who joined, who answered what.
So a run that goes on after a crash deals the same.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fingertip_dataset.errors import UsageError


@dataclass(slots=True, kw_only=True)
class _Place:
    """Room for one answer to a task; nobody's until a rater has joined who can take it."""

    task: str
    rater: str | None = None
    answered: bool = False


class Dealing:
    """Deals tasks out to raters.

    A rater who joins takes places from those who have most, the ones that they would come to last, until
    nobody has more than one place above the newcomer; what is answered stays where it is. While nothing is
    answered, the numbers of places of any two raters differ by at most one. A rater whose own places are all
    answered goes on with what is open of others: nobody waits for a rater who does not come back.

    Args:
        tasks: Task ids.
        overlap: Share of the tasks that two raters answer, 0-1; rounded to whole tasks.
        seed: Of the order, and of which tasks overlap.

    Raises:
        UsageError: `overlap` is no share.
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
        """Everybody who has joined, the first one first."""
        return tuple(self._raters)

    @property
    def complete(self) -> bool:
        """Whether every place has its answer."""
        return all(place.answered for place in self._all())

    @property
    def open_places(self) -> int:
        """Places without an answer, nobody's included."""
        return sum(not place.answered for place in self._all())

    def join(self, rater: str) -> None:
        """Deals a newcomer in; a rater who has joined before keeps what they have."""
        if rater in self._raters:
            return
        self._raters[rater] = None
        for places in self._places.values():
            free = next((place for place in places if place.rater is None), None)
            if free is not None and all(place.rater != rater for place in places):
                free.rater = rater
        while (place := self._to_move(rater)) is not None:
            place.rater = rater

    def answer(self, task: str, rater: str) -> None:
        """Takes in that a rater has answered a task.

        An answer to a task that was dealt to others takes an open place of it. Where there is none, it has no
        place, and none of the others loses one.

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
        """Who has the places of a task, the first place first."""
        return tuple(place.rater for place in self._places[task] if place.rater is not None)

    def own(self, rater: str) -> tuple[str, ...]:
        """The tasks dealt to a rater that they have not answered, in the order for them."""
        return self._in_order(rater, (place.task for place in self._all() if self._is_open(place, rater)))

    def others(self, rater: str) -> tuple[str, ...]:
        """The open tasks of others, which this rater can take over, in the order for them."""
        return self._in_order(
            rater,
            (
                task
                for task, places in self._places.items()
                if rater not in self.dealt(task) and not all(place.answered for place in places)
            ),
        )

    def load(self, rater: str) -> int:
        """Places of a rater, answered or not."""
        return sum(place.rater == rater for place in self._all())

    def _all(self) -> Iterator[_Place]:
        return (place for places in self._places.values() for place in places)

    @staticmethod
    def _is_open(place: _Place, rater: str) -> bool:
        return place.rater == rater and not place.answered

    def _to_move(self, newcomer: str) -> _Place | None:
        """The place that the newcomer takes next; None where the loads are even, or nothing can be moved."""
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
