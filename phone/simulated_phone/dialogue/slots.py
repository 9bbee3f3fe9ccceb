"""Slots of a goal: what of its arguments a person can be asked for, one thing at a time.

An argument that no wording of the goal mentions follows from the others (the kind of a shop from the shop),
and is no slot. Arguments that say one thing together, such as the parts of a date, are one slot, by the name
of the first one that the goal has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import Formatter

from simulated_phone.goals.app_definition import Arguments, Goal
from simulated_phone.screens.nodes import ActionValue

TOGETHER: tuple[tuple[str, ...], ...] = (
    ("day", "date", "month", "number"),
    ("time", "hour", "minute"),
)
"""Arguments that say one thing together: a date, and a time of day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalSlot:
    """Something about a goal that a person can be asked for.

    Attributes:
        name: Name of the argument that stands for it.
        arguments: Every argument that it gives.
    """

    name: str
    arguments: tuple[str, ...]

    def value(self, case: Arguments) -> tuple[ActionValue, ...]:
        """Values of its arguments."""
        return tuple(case[name] for name in self.arguments)


def list_slots(goal: Goal, seed: int) -> tuple[GoalSlot, ...]:
    """Slots of a goal, in the order in which its wordings mention them.

    Args:
        goal: The goal.
        seed: Seed of the phone, which the sets of arguments depend on.
    """
    cases = goal.cases(seed)
    if not cases:
        return ()
    mentioned = dict.fromkeys(
        name for words in goal.words for _, name, _, _ in Formatter().parse(words) if name is not None
    )
    slots: dict[str, GoalSlot] = {}
    for name in mentioned:
        group = next((one for one in TOGETHER if name in one), (name,))
        own = tuple(part for part in group if part in cases[0])
        slots.setdefault(own[0], GoalSlot(name=own[0], arguments=own))
    return tuple(slots.values())


def is_ambiguous(goal: Goal, case: Arguments, seed: int) -> bool:
    """Whether other arguments have the same slots: then no answer of the person could tell them apart.

    Args:
        goal: The goal.
        case: Its arguments.
        seed: Seed of the phone.
    """
    slots = list_slots(goal, seed)
    wanted = [slot.value(case) for slot in slots]
    same: Sequence[Arguments] = [
        other for other in goal.cases(seed) if [slot.value(other) for slot in slots] == wanted
    ]
    return any(dict(other) != dict(case) for other in same)
