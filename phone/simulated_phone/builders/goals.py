"""Goals: what is wanted with its cases, and the strategies that begin at an app."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias, TypedDict

from simulated_phone.goals.answer_form import AnswerForm, AnswerKind, Question
from simulated_phone.goals.app_definition import (
    Arguments,
    Goal,
    PageView,
    State,
    States,
    Strategy,
    any_state,
    pristine_state,
)
from simulated_phone.goals.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.language.language import messages

from .. import voice

_ = messages(__name__)

MORE = _("更多")
"""Description of the icon that opens the menu of what is shown."""

Cases: TypeAlias = Callable[[int], Sequence[Arguments]]
"""The cases of a goal in the world of a seed."""
Rule: TypeAlias = Callable[[States, Arguments], bool]
"""Whether a goal is reached."""


class CasesAndRule(TypedDict):
    """Cases of a goal, none of them reached on a fresh phone, and its rule."""

    cases: Cases
    rule: Rule


def goal(
    name: str,
    *parts: str | Strategy,
    cases: Cases,
    rule: Rule = any_state,
    question: Question | None = None,
    evidence: Callable[[PageView], str] | None = None,
) -> Goal:
    """A goal: its name, how people word it, the strategies to it, and what is wanted.

    `**GOALS.added("saved", "dish", DISHES)`, for example, gives both cases and rule.

    Args:
        name: The goal's name within the app.
        parts: The wordings, then the strategies.
        cases: As of `Goal`.
        rule: As of `Goal`.
        question: As of `Goal`.
        evidence: As of `Goal`.

    Raises:
        TypeError: A part is neither, such as several strategies without a star before them.
    """
    words = tuple(part for part in parts if isinstance(part, str))
    strategies = tuple(part for part in parts if isinstance(part, Strategy))
    if len(words) + len(strategies) < len(parts):
        raise TypeError(f"the goal {name!r}: a part is a wording or a strategy; several take a star, *ways")
    return Goal(
        name=name,
        words=words,
        strategies=strategies,
        cases=cases,
        rule=rule,
        question=question,
        evidence=evidence,
    )


def steps(*parts: Step | str) -> tuple[Step, ...]:
    """Steps of a script; a string is a tap on the element with that label."""
    return tuple(Tap(part) if isinstance(part, str) else part for part in parts)


def look_up(hint: str, words: str) -> tuple[Step, ...]:
    """Open the search by its hint, type the words there and tap what is found."""
    return steps(hint, TypeText(words, into=hint), words)


@dataclass(frozen=True, slots=True)
class GoalBuilder:
    """Common parts of all goals of an app.

    Args:
        package: The app's package.
        label: The label of its icon, whose menu has the shortcuts.
        initial: The state on a fresh phone.
        hint: The hint of its search.
    """

    package: str
    label: str
    initial: Callable[[random.Random], State]
    hint: str = ""

    def fresh(self, seed: int) -> State:
        """The state on a fresh phone of that seed; not to be changed."""
        return pristine_state(self.package, self.initial, seed)

    # ---- what is wanted: cases and rule

    def added(self, key: str, argument: str, cases: Sequence[Arguments] | Cases) -> CasesAndRule:
        """The case's `argument` is to be put into the state's list `key`."""
        return CasesAndRule(cases=self.lacking(key, argument, cases), rule=self.holds(key, argument))

    def removed(self, key: str, argument: str, cases: Cases | None = None) -> CasesAndRule:
        """The case's `argument` is to be taken out of the state's list `key`; without cases any of them."""
        return CasesAndRule(cases=cases or self.listed(key, argument), rule=self.lacks(key, argument))

    def chosen(self, key: str, argument: str, values: Sequence[object] | Cases) -> CasesAndRule:
        """The state's `key` is to become the case's `argument`: another of the values, or that of a case."""
        cases = values if callable(values) else self.others(key, argument, values)
        return CasesAndRule(cases=cases, rule=self.equals(key, argument))

    # ---- cases

    def listed(self, key: str, argument: str) -> Cases:
        """Cases: each item of the fresh state's list `key`."""
        return lambda seed: [{argument: item} for item in self.fresh(seed)[key]]

    def others(self, key: str, argument: str, values: Sequence[Any]) -> Cases:
        """Cases: the values that the fresh state's `key` does not have."""
        return lambda seed: [{argument: value} for value in values if value != self.fresh(seed)[key]]

    def lacking(
        self, key: str, argument: str, cases: Sequence[Arguments] | Cases
    ) -> Callable[[int], list[Arguments]]:
        """Cases whose `argument` is not in the fresh state's list `key`."""

        def list_lacking(seed: int) -> list[Arguments]:
            every = cases(seed) if callable(cases) else cases
            return [case for case in every if case[argument] not in self.fresh(seed)[key]]

        return list_lacking

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

    def search(self, words: str, *parts: Step | str, name: str = "search") -> Strategy:
        """The strategy "search": type the words into the app's search and tap what is found."""
        return self.way(name, *look_up(self.hint, words), *parts)

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
        return voice.make_voice_strategy(self.package, phrase, *steps(*parts))

    # ---- rules

    def has(self, key: str, **wanted: str) -> Rule:
        """A rule: the list `key` has a record whose values are the case's arguments of these names."""

        def rule(states: States, arguments: Arguments) -> bool:
            values = {name: arguments[argument] for name, argument in wanted.items()}
            return any(values.items() <= one.items() for one in states[self.package][key])

        return rule

    def marked(self, key: str, name: str, argument: str, **values: object) -> Rule:
        """A rule: the record of the list `key` whose `name` is the case's `argument` has these values."""

        def rule(states: States, arguments: Arguments) -> bool:
            return any(
                one[name] == arguments[argument] and values.items() <= one.items()
                for one in states[self.package][key]
            )

        return rule

    def gone(self, key: str, name: str, argument: str) -> Rule:
        """A rule: no record of the list `key` has the case's `argument` as its `name`."""
        return lambda states, arguments: all(
            one[name] != arguments[argument] for one in states[self.package][key]
        )

    def holds(self, key: str, argument: str) -> Rule:
        """A rule: the case's `argument` is in the state's list `key`."""
        return lambda states, arguments: arguments[argument] in states[self.package][key]

    def lacks(self, key: str, argument: str) -> Rule:
        """A rule: the case's `argument` is not in the state's list `key`."""
        return lambda states, arguments: arguments[argument] not in states[self.package][key]

    def equals(self, key: str, argument: str) -> Rule:
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


def list_each(name: str, values: Sequence[object]) -> Callable[[int], list[Arguments]]:
    """Cases that are the same on every phone: one for each value."""
    cases: list[Arguments] = [{name: value} for value in values]  # type: ignore[dict-item]
    return lambda seed: cases
