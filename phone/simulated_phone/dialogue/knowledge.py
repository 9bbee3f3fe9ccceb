"""Where the arguments of a vague task can be known from: history, profile, or only by asking.

History knows a slot if the person has a clear favourite: among their strictly earlier episodes with the same
goal, at least `OFTEN` have one value of the slot, and these are more than half. The favourite must be the
task's own value: where the person wants something else than usual, only asking tells. The profile knows a
slot whose value it names, such as the city that the person lives in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from simulated_phone.dialogue.slots import GoalSlot, list_slots
from simulated_phone.goals.app_definition import Arguments, Goal, GoalInstance
from simulated_phone.screens.nodes import ActionValue

Source: TypeAlias = Literal["history", "profile", "ask"]
"""Where a slot can be known from; "ask" only from the person."""

OFTEN = 2
"""Smallest number of earlier episodes that make a favourite."""

SHORTEST = 2
"""Smallest number of letters of a value that is looked for in a profile."""


def find_favourite(
    goal: Goal, slot: GoalSlot, package: str, earlier: Iterable[GoalInstance]
) -> tuple[ActionValue, ...] | None:
    """The person's clear favourite for a slot; None without one.

    Args:
        goal: The goal.
        slot: One of its slots.
        package: Package name of the goal's app.
        earlier: Goals of the person's strictly earlier episodes.
    """
    values = Counter(
        slot.value(one.arguments) for one in earlier if (one.package, one.goal) == (package, goal.name)
    )
    if not values:
        return None
    value, count = values.most_common(1)[0]
    return value if count >= OFTEN and 2 * count > values.total() else None


def find_sources(
    goal: Goal, aim: GoalInstance, earlier: Sequence[GoalInstance], profile: Sequence[str], seed: int
) -> Mapping[str, Source]:
    """Where each slot of a task can be known from.

    Args:
        goal: The goal.
        aim: The goal with the task's arguments.
        earlier: Goals of the person's strictly earlier episodes.
        profile: Texts of the person's profile, which an agent is shown.
        seed: Seed of the person's phone.

    Returns:
        Name of a slot -> source, in the order of `list_slots`; empty for a goal without slots.
    """
    found: dict[str, Source] = {}
    for slot in list_slots(goal, seed):
        value = slot.value(aim.arguments)
        if find_favourite(goal, slot, aim.package, earlier) == value:
            found[slot.name] = "history"
        else:
            found[slot.name] = "profile" if stands_in_profile(value, profile) else "ask"
    return found


def stands_in_profile(value: Sequence[ActionValue], profile: Sequence[str]) -> bool:
    """Whether a profile names a value, by its first text that is long enough.

    Args:
        value: Value of a slot.
        profile: Texts of the person's profile.
    """
    texts = [one for one in value if isinstance(one, str) and len(one) >= SHORTEST]
    return bool(texts) and any(texts[0].casefold() in field.casefold() for field in profile)


def needs_asking(sources: Mapping[str, Source]) -> bool:
    """Whether some slot can be known only by asking."""
    return "ask" in sources.values()


def take_favourites(
    goal: Goal, package: str, earlier: Sequence[GoalInstance], seed: int
) -> Mapping[str, tuple[ActionValue, ...]]:
    """Name of each slot with a clear favourite -> the favourite."""
    known = {slot.name: find_favourite(goal, slot, package, earlier) for slot in list_slots(goal, seed)}
    return {name: value for name, value in known.items() if value is not None}


def complete_case(goal: Goal, known: Mapping[str, tuple[ActionValue, ...]], seed: int) -> Arguments | None:
    """The first set of arguments of a goal that has the known slots; None if none has.

    Args:
        goal: The goal.
        known: Name of a slot -> its value.
        seed: Seed of the phone.
    """
    slots = {slot.name: slot for slot in list_slots(goal, seed)}
    for case in goal.cases(seed):
        if all(slots[name].value(case) == value for name, value in known.items()):
            return case
    return None
