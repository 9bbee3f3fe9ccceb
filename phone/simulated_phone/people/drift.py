"""Drift of a routine over the month: a favourite changes, an hour moves, a habit ends and another begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simulated_phone.people.person import Person
from simulated_phone.people.routine_slot import RoutineSlot

DRIFT = 0.6
"""Probability of each of the three changes in a person's month."""
EARLIEST, LATEST = 8, 20
"""Days of the month between which a habit changes."""
MOVED_MINUTES = (-150, -120, -90, 90, 120, 150)
STEADY = 2
"""Number of the person's first habits, which never change."""


def drift(slots: Sequence[RoutineSlot], later: RoutineSlot, person: Person) -> tuple[RoutineSlot, ...]:
    """A routine with the changes of the person's month.

    Args:
        slots: The habits at the beginning of the month, the most preferred first.
        later: The habit that takes the place of one that ends.
        person: The person.
    """
    rng = person.generator("drift")
    changing = rng.sample(range(STEADY, len(slots)), 3)
    found = list(slots)
    for change, at in zip((_favourite, _hour, _end), changing, strict=True):
        day, moved = rng.randint(EARLIEST, LATEST), rng.choice(MOVED_MINUTES)
        if rng.random() < DRIFT:
            slot = found[at]
            found[at] = replace(slot, last_day=day)
            found.append(replace(change(slot, later, moved), first_day=day, rank=slot.rank))
    return tuple(found)


def list_drift_days(slots: Sequence[RoutineSlot]) -> tuple[int, ...]:
    """Days of the month, from 0, on which a habit takes the place of another."""
    return tuple(sorted({slot.first_day for slot in slots if slot.first_day}))


def _favourite(slot: RoutineSlot, _later: RoutineSlot, _moved: int) -> RoutineSlot:
    return replace(slot, cases=(*slot.cases[1:], slot.cases[0]))


def _hour(slot: RoutineSlot, _later: RoutineSlot, moved: int) -> RoutineSlot:
    return replace(slot, minute=min(22 * 60, max(6 * 60, slot.minute + moved)))


def _end(_slot: RoutineSlot, later: RoutineSlot, _moved: int) -> RoutineSlot:
    return later
