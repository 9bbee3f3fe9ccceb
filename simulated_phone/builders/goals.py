"""Goals: the strategies that begin at an app, and the fresh phone's state that cases are drawn from."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from simulated_phone.answer_form import AnswerForm, AnswerKind, Question
from simulated_phone.app_definition import Arguments, PageView, State, States, Strategy, pristine_state
from simulated_phone.language import messages
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText

from .. import voice

_ = messages(__name__)

MORE = _("更多")
"""Description of the icon that opens the menu of what is shown."""


def steps(*parts: Step | str) -> tuple[Step, ...]:
    """Steps of a script; a string is a tap on the element with that label."""
    return tuple(Tap(part) if isinstance(part, str) else part for part in parts)


def look_up(hint: str, words: str) -> tuple[Step, ...]:
    """Open the search by its hint, type the words there and tap what is found."""
    return steps(hint, TypeText(words, into=hint), words)


@dataclass(frozen=True, slots=True)
class GoalBuilder:
    """What all goals of an app share.

    Args:
        package: The app's package.
        label: The label of its icon, whose menu has the shortcuts.
        initial: The state on a fresh phone.
    """

    package: str
    label: str
    initial: Callable[[random.Random], State]

    def fresh(self, seed: int) -> State:
        """The state on a fresh phone of that seed; not to be changed."""
        return pristine_state(self.package, self.initial, seed)

    # ---- cases

    def lacking(
        self, key: str, argument: str, cases: Sequence[Arguments] | Callable[[int], Sequence[Arguments]]
    ) -> Callable[[int], list[Arguments]]:
        """Those of the cases whose `argument` is not in the fresh state's list `key`."""

        def kept(seed: int) -> list[Arguments]:
            every = cases(seed) if callable(cases) else cases
            return [case for case in every if case[argument] not in self.fresh(seed)[key]]

        return kept

    def records(
        self, key: str, kept: Callable[[dict[str, Any]], bool] = bool, /, **arguments: str
    ) -> Callable[[int], list[Arguments]]:
        """Cases: the values of each kept record in the fresh state's list `key`, by argument."""
        return lambda seed: [
            {argument: one[name] for argument, name in arguments.items()}
            for one in self.fresh(seed)[key]
            if kept(one)
        ]

    def other_values(
        self, key: str, changed: str, values: Sequence[str], argument: str, /, **arguments: str
    ) -> Callable[[int], list[Arguments]]:
        """Cases: as `records`, with each of the values that the record's `changed` does not have."""
        return lambda seed: [
            {**{name: one[own] for name, own in arguments.items()}, argument: value}
            for one in self.fresh(seed)[key]
            for value in values
            if one[changed] != value
        ]

    # ---- strategies

    def way(self, name: str, *parts: Step | str) -> Strategy:
        """A strategy that opens the app."""
        return Strategy(name, (Open(self.package), *steps(*parts)))

    def outside(self, name: str, *parts: Step | str) -> Strategy:
        """A strategy that begins elsewhere, with a press of a system key."""
        return Strategy(name, steps(*parts))

    def shortcut(self, *parts: Step | str) -> Strategy:
        """The strategy "shortcut": from the menu of the app's icon."""
        return self.outside("shortcut", Press("home"), Hold(self.label), *parts)

    def widget(self, *parts: Step | str) -> Strategy:
        """The strategy "widget": from the app's widget on the home screen."""
        return self.outside("widget", Press("home"), *parts)

    def voice(self, phrase: str, *parts: Step | str) -> Strategy:
        """The strategy "voice": say the phrase to the app."""
        return voice.voice_strategy(self.package, phrase, *steps(*parts))

    def item_ways(self, item: str, hint: str, spoken: str, *parts: Step | str) -> tuple[Strategy, ...]:
        """Strategies for a thing in the app's first list that has a menu: held, opened, searched, spoken."""
        return (
            self.way("held", Hold(item), *parts),
            self.way("opened", item, MORE, *parts),
            self.way("search", *look_up(hint, item), MORE, *parts),
            self.voice(spoken),
        )

    # ---- rules

    def has(self, key: str, **wanted: str) -> Callable[[States, Arguments], bool]:
        """A rule: the list `key` has a record whose values are the case's arguments of these names."""

        def rule(states: States, arguments: Arguments) -> bool:
            values = {name: arguments[argument] for name, argument in wanted.items()}
            return any(values.items() <= one.items() for one in states[self.package][key])

        return rule

    def marked(
        self, key: str, name: str, argument: str, **values: object
    ) -> Callable[[States, Arguments], bool]:
        """A rule: the record of the list `key` whose `name` is the case's `argument` has these values."""

        def rule(states: States, arguments: Arguments) -> bool:
            return any(
                one[name] == arguments[argument] and values.items() <= one.items()
                for one in states[self.package][key]
            )

        return rule

    def gone(self, key: str, name: str, argument: str) -> Callable[[States, Arguments], bool]:
        """A rule: no record of the list `key` has the case's `argument` as its `name`."""
        return lambda states, arguments: all(
            one[name] != arguments[argument] for one in states[self.package][key]
        )

    def holds(self, key: str, argument: str) -> Callable[[States, Arguments], bool]:
        """A rule: the case's `argument` is in the state's list `key`."""
        return lambda states, arguments: arguments[argument] in states[self.package][key]

    def lacks(self, key: str, argument: str) -> Callable[[States, Arguments], bool]:
        """A rule: the case's `argument` is not in the state's list `key`."""
        return lambda states, arguments: arguments[argument] not in states[self.package][key]

    def equals(self, key: str, argument: str) -> Callable[[States, Arguments], bool]:
        """A rule: the state's `key` is the case's `argument`."""
        return lambda states, arguments: bool(states[self.package][key] == arguments[argument])


def by_ways(ways: Sequence[Strategy], *parts: Step | str) -> tuple[Strategy, ...]:
    """Strategies that begin in these ways, with the same steps at their end."""
    return tuple(Strategy(way.name, (*way.script, *steps(*parts))) for way in ways)


def in_turn(*legs: Sequence[Strategy]) -> tuple[Strategy, ...]:
    """Strategies through several apps: one way of each leg after another, named after all of them.

    >>> [way.name for way in in_turn([Strategy("list", ()), Strategy("search", ())], [Strategy("voice", ())])]
    ['list_voice', 'search_voice']
    """
    return tuple(
        Strategy("_".join(way.name for way in ways), tuple(step for way in ways for step in way.script))
        for ways in product(*legs)
    )


def asks(kind: AnswerKind, right: Callable[[PageView], object], unit: str = "") -> Question:
    """A question with an answer of that kind, and for a number its unit."""
    return Question(form=AnswerForm(kind=kind, unit=unit), right=lambda view: str(right(view)))


def each(name: str, values: Sequence[object]) -> Callable[[int], list[Arguments]]:
    """Cases that are the same on every phone: one for each value."""
    cases: list[Arguments] = [{name: value} for value in values]  # type: ignore[dict-item]
    return lambda seed: cases
