"""Goals about one record of an app's list: what is wanted of it, and the strategies that find it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from simulated_phone.goals.app_definition import Strategy
from simulated_phone.goals.steps import Hold, Step

from ..goals.acquaintances import people
from .goals import MORE, Cases, CasesAndRule, GoalBuilder
from .items import Items


@dataclass(frozen=True, slots=True)
class ItemGoals:
    """Common parts of all goals about a record of a list.

    Args:
        app: What all goals of the app share.
        items: The list.
        argument: The argument of the cases that names the record.
    """

    app: GoalBuilder
    items: Items
    argument: str

    # ---- what is wanted: cases and rule

    def each(self, kept: Callable[[dict[str, Any]], bool] = bool, /, **arguments: str) -> Cases:
        """Cases: each kept record of the list, with further arguments from its values."""
        return self.app.records(self.items.key, kept, **{self.argument: self.items.name}, **arguments)

    def with_people(self, argument: str, most: int | None = None) -> Cases:
        """Cases: each record, or the first of them, with each person of the address book as `argument`."""
        return lambda seed: [
            {self.argument: one[self.items.name], argument: person.name}
            for one in self.app.fresh(seed)[self.items.key][:most]
            for person in people(seed)
        ]

    def marked(self, kept: Callable[[dict[str, Any]], bool] = bool, /, **values: object) -> CasesAndRule:
        """A kept record, named by the case, is to have these values, which it does not have yet."""
        cases = self.each(lambda one: kept(one) and not values.items() <= one.items())
        rule = self.app.marked(self.items.key, self.items.name, self.argument, **values)
        return CasesAndRule(cases=cases, rule=rule)

    def moved(self, key: str, values: Sequence[str]) -> CasesAndRule:
        """The record's `key` is to become the case's argument of this name, another one of the values."""
        names = {self.argument: self.items.name}
        return CasesAndRule(
            cases=self.app.other_values(self.items.key, key, values, key, **names),
            rule=self.app.has(self.items.key, **{self.items.name: self.argument, key: key}),
        )

    def deleted(self) -> CasesAndRule:
        """The record is to be deleted."""
        return CasesAndRule(
            cases=self.each(), rule=self.app.gone(self.items.key, self.items.name, self.argument)
        )

    def restored(self) -> CasesAndRule:
        """The record is to come back from the trash."""
        return CasesAndRule(
            cases=self.app.records("trash", **{self.argument: self.items.name}),
            rule=self.app.has(self.items.key, **{self.items.name: self.argument}),
        )

    # ---- strategies

    @property
    def label(self) -> str:
        """Label of the record in a step."""
        return f"{{{self.argument}}}"

    def menu_ways(self, spoken: str, *parts: Step | str) -> tuple[Strategy, ...]:
        """Strategies through the record's menu: held, opened, searched; or spoken."""
        return (
            self.app.way("held", Hold(self.label), *parts),
            self.app.way("opened", self.label, MORE, *parts),
            self.app.search(self.label, MORE, *parts),
            self.app.voice(spoken),
        )

    def page_ways(
        self, first: str, spoken: str, *parts: Step | str, held: bool = False
    ) -> tuple[Strategy, ...]:
        """Strategies through the record's page: from the list (named `first`), by search or spoken.

        With `held` also by its menu, if that has the same line as its page.
        """
        menu = [self.app.way("held", Hold(self.label), *parts)] if held else []
        return (
            self.app.way(first, self.label, *parts),
            *menu,
            self.app.search(self.label, *parts),
            self.app.voice(spoken),
        )
