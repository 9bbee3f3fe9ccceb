"""Composition of long goals: legs that share arguments, carried out one after the other.

A long goal is reached when each of its legs is. Its ways take one way of each leg in turn, and begin at the
home screen, because no app alone reaches it. The legs of each goal, and how people word it, are in
`long_goals.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from simulated_phone.apps import list_apps
from simulated_phone.goals.app_definition import (
    App,
    Arguments,
    Goal,
    States,
    Strategy,
    generator,
    register_long_goals,
)
from simulated_phone.goals.steps import rewrite_step
from simulated_phone.language.language import find_locale

FILE = "long_goals.toml"

WAYS = 4
"""Number of ways to a long goal."""

CASES = 6
"""Number of sets of arguments of a long goal in the world of a seed."""

DRAWS = 400
"""Number of draws after which a world counts as having no more sets of arguments."""

_FIELD = re.compile(r"\{(\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """A goal of an app as a part of a long goal.

    Attributes:
        app: The app.
        goal: The goal.
        names: Name of an argument of the goal -> its name in the long goal.
    """

    app: App
    goal: Goal
    names: Mapping[str, str]

    def rename(self, case: Arguments) -> dict[str, Any]:
        """A set of arguments of the goal, by their names in the long goal."""
        return {self.names.get(name, name): value for name, value in case.items()}

    def own(self, arguments: Arguments) -> Arguments:
        """The goal's own arguments among those of the long goal."""
        renamed = {new: old for old, new in self.names.items()}
        return {renamed.get(name, name): value for name, value in arguments.items()} | {
            old: arguments[new] for old, new in self.names.items()
        }

    @property
    def ways(self) -> tuple[Strategy, ...]:
        """The ways to the goal that ways to the long goal are made of."""
        return self.goal.strategies[:WAYS]

    def rename_way(self, way: Strategy) -> Strategy:
        """A way to the goal, with the names of the long goal in its steps."""

        def rename(text: str) -> str:
            return _FIELD.sub(lambda match: "{" + self.names.get(match[1], match[1]), text)

        return Strategy(way.name, tuple(rewrite_step(step, rename) for step in way.script))


@dataclass(frozen=True, slots=True, kw_only=True)
class LongGoal(Goal):
    """A goal over several apps.

    Args:
        legs: Its parts, in the order in which its ways carry them out.
    """

    legs: tuple[Leg, ...]

    def join_ways(self, ways: Sequence[Strategy]) -> Strategy:
        """The way that takes these ways of the legs, one after the other."""
        return join_ways(self.legs, ways)


def join_ways(legs: Sequence[Leg], ways: Sequence[Strategy]) -> Strategy:
    """The way to a long goal that takes these ways of its legs, one after the other.

    Args:
        legs: The parts of the long goal.
        ways: A way of each, with the names of the leg's own goal.
    """
    renamed = [leg.rename_way(way) for leg, way in zip(legs, ways, strict=True)]
    steps = tuple(step for way in renamed for step in way.script)
    return Strategy("_".join(way.name for way in renamed), steps)


@cache
def list_long_goals(locale: str) -> tuple[tuple[App, LongGoal], ...]:
    """Every long goal of phones in a language, each with the app of its first leg; none in other languages.

    Args:
        locale: Language of the phone.
    """
    table = tomllib.loads((files("simulated_phone.long_goals") / FILE).read_text(encoding="utf-8"))
    apps = {app.english: app for app in list_apps(locale)}
    return tuple(
        _compose(name, entry[locale], [_read_leg(words, apps) for words in entry["legs"]])
        for name, entry in table.items()
        if locale in entry
    )


def find_long_goal(locale: str, package: str, name: str) -> LongGoal | None:
    """The long goal of that name whose first leg is of that app; None if there is none."""
    found = (goal for app, goal in list_long_goals(locale) if (app.package, goal.name) == (package, name))
    return next(found, None)


def _read_leg(words: str, apps: Mapping[str, App]) -> Leg:
    """A leg from "App.goal old>new old>new"."""
    app, _, rest = words.partition(".")
    name, *renamed = rest.split()
    names = dict(one.split(">") for one in renamed)
    return Leg(app=apps[app], goal=apps[app].goal(name), names=names)


def _compose(name: str, words: Sequence[str], legs: Sequence[Leg]) -> tuple[App, LongGoal]:
    @lru_cache(maxsize=64)
    def cases(seed: int) -> tuple[Arguments, ...]:
        return _link_cases(name, legs, seed)

    def rule(states: States, arguments: Arguments) -> bool:
        return all(leg.goal.rule(states, leg.own(arguments)) for leg in legs)

    return legs[0].app, LongGoal(
        name=name,
        words=tuple(words),
        cases=cases,
        strategies=tuple(
            join_ways(legs, [leg.ways[number % len(leg.ways)] for leg in legs]) for number in range(WAYS)
        ),
        rule=rule,
        legs=tuple(legs),
    )


def _link_cases(name: str, legs: Sequence[Leg], seed: int) -> tuple[Arguments, ...]:
    """Sets of arguments in which legs that share a name have one value of it."""
    rng = generator(f"long:{name}", seed)
    every = [[leg.rename(case) for case in leg.goal.cases(seed)] for leg in legs]
    found: list[Arguments] = []
    for _ in range(DRAWS):
        arguments: dict[str, Any] = {}
        for options in every:
            fitting = [one for one in options if all(arguments.get(key, one[key]) == one[key] for key in one)]
            if not fitting:
                break
            arguments |= rng.choice(fitting)
        else:
            if arguments not in found:
                found.append(arguments)
            if len(found) == CASES:
                break
    return tuple(found)


register_long_goals(lambda app, name: find_long_goal(find_locale(app.initial.__module__), app.package, name))
