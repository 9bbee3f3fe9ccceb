"""Changes of the phone on the person's own ways to a goal: the measure of progress and of side effects.

Every strategy of the goal is played from the same start on a phone of its own, without faults. What all of
them change are the goal's conditions; a change that none of them makes has no part in the goal.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any

from simulated_phone.goals.app_definition import App, States, any_state, find_goal
from simulated_phone.goals.steps import Step
from simulated_phone.machine.state_changes import (
    Path,
    StateChange,
    canonical,
    fields_of,
    find_lists,
    is_only_seen,
    list_state_changes,
    remove_added,
)
from simulated_phone.people.gestures import GesturePlayer
from simulated_phone.people.simulation import Simulation
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import StrategyError

MOST_SIDE_EFFECTS = 100
"""Maximum number of side effects that are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateOutcome:
    """Distance of a phone's state from a goal.

    Attributes:
        conditions: Number of the goal's conditions: the values that all ways set, and the rule, the right
            answer, or both.
        met: Number of those that are met; all where the goal is reached.
        side_effects: What changed and has no part in the goal, in words; at most `MOST_SIDE_EFFECTS`.
    """

    conditions: int
    met: int
    side_effects: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalWays:
    """The changes that the ways to a goal make.

    Attributes:
        common: Changes that all ways make; of an added record, the fields that all ways give it, without
            those that all records of its list have.
        ways: The changes of each way.
        rule: Whether the goal's rule holds in a state.
        apps: The installed apps by package.
        asks: Whether the goal asks a question.
        wants: Whether it wants a state.
    """

    common: tuple[StateChange, ...]
    ways: tuple[tuple[StateChange, ...], ...]
    rule: Callable[[States], bool]
    apps: Mapping[str, App]
    asks: bool = False
    wants: bool = True

    def outcome(
        self, before: States, after: States, *, success: bool, answered: bool = False
    ) -> StateOutcome:
        """Compare what happened on a phone with the ways.

        Args:
            before: Its state at the start.
            after: Its state at the end.
            success: Whether the goal is reached at the end.
            answered: Whether its question was answered rightly.
        """
        changes = list_state_changes(before, after, self.apps)
        conditions = sum(map(_weight, self.common)) + self.wants + self.asks
        others = self._list_other_changes(changes)
        # before success nobody can tell which change was needed: all that no way makes are side effects
        effects = self._list_necessary(others, after) if success else others
        return StateOutcome(
            conditions=conditions,
            met=conditions
            if success
            else self._count_met(changes) + self._count_own_met(after, answered=answered),
            side_effects=tuple(change.words(self.apps) for change in islice(effects, MOST_SIDE_EFFECTS)),
        )

    def _count_own_met(self, after: States, *, answered: bool) -> int:
        """Parts of a goal, of rule and answer, that a state has while the goal is not reached."""
        return self.asks * (answered + (self.wants and self.rule(after)))

    def _count_met(self, changes: Sequence[StateChange]) -> int:
        met, left = 0, list(changes)
        for wanted in self.common:
            if wanted.kind == "added":
                found = _find_closest(wanted, left)
                if found is not None:
                    # one new record meets the conditions of one
                    left.remove(found)
                    met += len(_find_shared(wanted, found))
            else:
                met += any(change.key == wanted.key for change in changes)
        return met

    def _list_necessary(self, changes: Iterable[StateChange], after: States) -> Iterator[StateChange]:
        """Changes without which the goal is still reached.

        A rule may ask for less than a way does: for a note with a number in it, in whatever words.
        """
        for change in changes:
            rest = remove_added(after, change)
            # taken back one after another: of two notes that would do one is too many, and not both
            if rest is None or self.rule(rest):
                after = rest or after
                yield change

    def _list_other_changes(self, changes: Sequence[StateChange]) -> Iterator[StateChange]:
        """Other places that changed, and other elements of lists, also where a way makes fewer equal ones."""
        # a way may set a place to any value: a person who takes it half-way has not done something else
        places = {change.path for way in self.ways for change in way if change.kind == "set"}
        elements: Counter[tuple[Path, str, str]] = Counter()
        for way in self.ways:
            # the largest number in one way, not the sum: a second equal alarm is nobody's way
            elements |= Counter(change.key for change in way if change.kind != "set")
        for change in changes:
            if is_only_seen(change, self.apps):
                continue
            if change.kind == "set":
                if change.path not in places:
                    yield change
            elif elements[change.key]:
                elements[change.key] -= 1
            else:
                yield change


def judge_state(
    simulation: Simulation, before: States, after: States, *, success: bool, answered: bool = False
) -> StateOutcome | None:
    """Compare what happened on a phone with the ways to the goal of an episode; see `GoalWays.outcome`.

    Returns:
        None if no strategy reaches the goal from the episode's start: there is nothing to compare with.

    Raises:
        PhoneSetupError, LookupError: As of `goal_ways`.
    """
    try:
        ways = goal_ways(simulation)
    except StrategyError:
        return None
    return ways.outcome(before, after, success=success, answered=answered)


def goal_ways(simulation: Simulation) -> GoalWays:
    """The changes that the strategies of an episode's goal make; equal simulations are played once.

    Raises:
        PhoneSetupError: The screen has an impossible size.
        LookupError: The phone has no such app or goal.
        StrategyError: No strategy reaches the goal.
    """
    return _find_goal_ways(json.dumps(simulation.to_json(), sort_keys=True))


@lru_cache(maxsize=4096)
def _find_goal_ways(simulation: str) -> GoalWays:
    one = Simulation.from_json(json.loads(simulation))
    goal_instance, size = one.goal_instance, one.size
    phone = Phone(seed=one.setup.seed, size=size)
    # without faults: a dialog in the way would only make a strategy fail, and changes no goal's conditions
    replace(one.setup, faults=()).apply(phone)
    before, goal = phone.state_copy(), find_goal(phone.apps, goal_instance)
    found: dict[int, tuple[StateChange, ...]] = {}
    scripts = [strategy.steps(goal_instance.arguments) for strategy in goal.strategies]
    for number in _play_all(phone, dict(enumerate(scripts))):
        if phone.achieved(goal_instance, answered=True):
            found[number] = list_state_changes(before, phone.state_copy(), phone.apps)
    ways = [found[number] for number in sorted(found)]
    if not ways:
        raise StrategyError(f"no strategy reaches the goal {goal_instance.goal} of {goal_instance.package}")
    return GoalWays(
        common=tuple(_keep_own_fields(change, before) for change in _find_common(ways)),
        ways=tuple(ways),
        rule=lambda states: goal.rule(states, goal_instance.arguments),
        apps=phone.apps,
        asks=goal.question is not None,
        wants=goal.rule is not any_state,
    )


def _play_all(phone: Phone, scripts: Mapping[int, Sequence[Step]], done: int = 0) -> Iterator[int]:
    """Play scripts from one state, and yield the number of each when the phone is at its end.

    What several scripts begin with is played once. Those that cannot be played to their end are left out.

    Args:
        phone: The phone after the steps that are done.
        scripts: Number -> steps; all have the same steps up to those.
        done: Number of steps that are done.
    """
    branches: dict[Step | None, dict[int, Sequence[Step]]] = {}
    for number, steps in scripts.items():
        branches.setdefault(steps[done] if done < len(steps) else None, {})[number] = steps
    start = phone.snapshot() if len(branches) > 1 else None
    for place, (step, same) in enumerate(branches.items()):
        if place and start is not None:
            phone.restore(start)
        player = GesturePlayer(phone)
        try:
            if step is None:
                player.play(())
            else:
                player.begin(step)
        except StrategyError:
            continue
        if step is None:
            yield from same
        else:
            yield from _play_all(phone, same, done + 1)


def _find_common(ways: Sequence[Sequence[StateChange]]) -> Iterator[StateChange]:
    """The changes that all ways make, in the order of the first one."""
    first, *others = ways
    # copies, from which each match is taken out, so that two equal records need two partners
    left = [list(other) for other in others]
    for change in first:
        kept: StateChange | None = change
        for other in left:
            found = None if kept is None else _match(kept, other)
            if kept is None or found is None:
                kept = None
                continue
            other.remove(found)
            if kept.kind == "added":
                # two ways may add the same order by different shops: only the fields that agree are wanted
                kept = replace(kept, after=_find_shared(kept, found))
        if kept is not None:
            yield replace(kept, after=fields_of(kept.after)) if kept.kind == "added" else kept


def _keep_own_fields(change: StateChange, before: States) -> StateChange:
    """An added record without the fields that all records of its list have in the same way at the start."""
    if change.kind != "added":
        return change
    others = [fields_of(element) for place in find_lists(before, change.path) for element in place]
    own = {
        name: value
        for name, value in change.after.items()
        if any(canonical(other.get(name)) != canonical(value) for other in others)
    }
    # if every field is usual, such as a second order of the usual dish, the whole record is the condition
    return replace(change, after=own or change.after)


def _match(change: StateChange, others: Sequence[StateChange]) -> StateChange | None:
    if change.kind == "added":
        return _find_closest(change, others)
    return next((other for other in others if other.key == change.key), None)


def _find_closest(wanted: StateChange, changes: Sequence[StateChange]) -> StateChange | None:
    """The element added to the same list that shares most fields, the first of equals; None if none does."""
    added = [change for change in changes if change.kind == "added" and change.path == wanted.path]
    best = max(added, key=lambda change: len(_find_shared(wanted, change)), default=None)
    return best if best is not None and _find_shared(wanted, best) else None


def _find_shared(wanted: StateChange, change: StateChange) -> dict[str, Any]:
    """The fields of an added element that another one has, too."""
    fields = fields_of(change.after)
    return {
        name: value
        for name, value in fields_of(wanted.after).items()
        if name in fields and canonical(fields[name]) == canonical(value)
    }


def _weight(change: StateChange) -> int:
    return len(fields_of(change.after)) if change.kind == "added" else 1
