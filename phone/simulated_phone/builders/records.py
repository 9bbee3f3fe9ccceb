"""Records of a state: found by number or name, saved with a new number, kept as the latest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from simulated_phone.goals.app_definition import State
from simulated_phone.screens.nodes import ActionValue

Item = TypeVar("Item")


class NamedRecord(Protocol):
    """A record of the app's data with a name."""

    @property
    def name(self) -> str:
        """Name of the record."""
        ...


NamedItem = TypeVar("NamedItem", bound=NamedRecord)


def named(things: Iterable[NamedItem], name: str) -> NamedItem:
    """The thing of that name."""
    return next(thing for thing in things if thing.name == name)


def record(records: Iterable[dict[str, Any]], value: ActionValue, key: str = "id") -> dict[str, Any]:
    """The record with that number, or with that value of another key."""
    return next(one for one in records if one[key] == value)


def save(state: State, key: str, number: int | None, values: Mapping[str, Any]) -> None:
    """Change a record of the state's list `key`; without a number it is new and gets the state's next one."""
    if number is None:
        number = state["next"]
        state["next"] += 1
        state[key].append({"id": number})
    record(state[key], number).update(values)


def latest(item: Item, items: Sequence[Item], most: int | None = None) -> list[Item]:
    """The items with this one first, at most so many."""
    return [item, *(other for other in items if other != item)][:most]


def drop(state: State, key: str, number: int) -> None:
    """Remove a record from the state's list `key`."""
    state[key] = [one for one in state[key] if one["id"] != number]
