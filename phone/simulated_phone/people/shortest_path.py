"""Search for the fewest gestures that reach a goal: all strategies and app openings, tried on a phone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from simulated_phone.goals.app_definition import GoalInstance, find_goal
from simulated_phone.goals.steps import Open, Step
from simulated_phone.machine.state import Snapshot
from simulated_phone.people.gestures import OPENINGS, Gesture, GestureHabits, GesturePlayer, is_idle
from simulated_phone.people.simulation import Simulation
from simulated_phone.people.user_style import make_replayable_swipe
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import StrategyError
from simulated_phone.screens.nodes import Node

WAIT_MS = 2000
"""Duration of the release's `wait` action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortestPath:
    """The strategy with the fewest gestures.

    Attributes:
        strategy: Name of the strategy.
        opening: How the app is opened, one of `OPENINGS`; "" for a shortcut, a widget or an app that is open.
        gestures: Gestures in order, each in an element's centre; None is a wait of `WAIT_MS`.
        answer: The right answer to the goal's question; None if it asks none.
    """

    strategy: str
    opening: str
    gestures: tuple[Gesture | None, ...]
    answer: str | None = None


def find_shortest_path(simulation: Simulation) -> ShortestPath:
    """Find the strategy with the fewest gestures on a phone of its own; ties go to the first one tried.

    Strategies are tried in the goal's order, app openings in the order of `OPENINGS`; where several openings
    lead to the same screen only the shortest is continued. A strategy ends as soon as the goal's rule holds,
    for a question with its last step, where the answer is seen. As in a run, pages load after each gesture
    before the next one; a further wait counts as a gesture.

    Args:
        simulation: Setup of the phone, and the goal.

    Raises:
        PhoneSetupError: The screen has an impossible size.
        UnknownGoalError: The phone has no such app or goal.
        StrategyError: No strategy reaches the goal.
    """
    goal_instance, size = simulation.goal_instance, simulation.size
    phone = Phone(seed=simulation.setup.seed, size=size)
    simulation.setup.apply(phone)
    phone.wait_for_page()
    answer = phone.right_answer(goal_instance) or None
    goal = find_goal(phone.apps, goal_instance)
    begin = _SearchNode(opening="", gestures=(), snapshot=phone.snapshot())
    opened: dict[str, list[_SearchNode]] = {}
    best: ShortestPath | None = None
    for strategy in goal.strategies:
        first, *rest = strategy.steps(goal_instance.arguments)
        if isinstance(first, Open) and first.package not in opened:
            opened[first.package] = list(_open_app(phone, begin, first))
        for node in opened[first.package] if isinstance(first, Open) else [begin]:
            steps = rest if isinstance(first, Open) else [first, *rest]
            # a strategy is given up once it is no shorter than the best one
            limit = len(best.gestures) if best else math.inf
            gestures = _try_steps(phone, node, steps, goal_instance, limit)
            if gestures is not None:
                best = ShortestPath(
                    strategy=strategy.name, opening=node.opening, gestures=gestures, answer=answer
                )
    if best is None:
        raise StrategyError(f"no strategy reaches the goal {goal_instance.goal} of {goal_instance.package}")
    return best


@dataclass(frozen=True, slots=True, kw_only=True)
class _SearchNode:
    """A state from which strategies continue, and the gestures that lead to it."""

    opening: str
    gestures: tuple[Gesture | None, ...]
    snapshot: Snapshot


def _open_app(phone: Phone, begin: _SearchNode, step: Open) -> Iterator[_SearchNode]:
    """Open the app by each opening; yield those that lead to a new screen, or to a known one sooner."""
    shortest: dict[tuple[Node, ...], int] = {}
    phone.restore(begin.snapshot)
    opened = phone.data["front"] == step.package
    for opening in OPENINGS[:1] if opened else OPENINGS:
        phone.restore(begin.snapshot)
        try:
            gestures = tuple(_perform(phone, opening, [step]))
        except StrategyError:
            continue
        screen = tuple(
            window.root for window in phone.screen().windows if not (window.chrome or window.passing)
        )
        # the same screen reached with more gestures cannot lead to a shorter path
        if len(gestures) < shortest.get(screen, math.inf):
            shortest[screen] = len(gestures)
            yield _SearchNode(opening="" if opened else opening, gestures=gestures, snapshot=phone.snapshot())


def _try_steps(
    phone: Phone, node: _SearchNode, steps: Sequence[Step], goal_instance: GoalInstance, limit: float
) -> tuple[Gesture | None, ...] | None:
    """All gestures from the beginning to the goal; None if it is not reached in fewer than `limit`."""
    phone.restore(node.snapshot)
    performed = list(node.gestures)
    gestures = _perform(phone, node.opening or OPENINGS[0], steps)
    try:
        while len(performed) < limit:
            if phone.achieved(goal_instance):
                return tuple(performed)
            performed.append(next(gestures))
    except StopIteration:
        return tuple(performed) if phone.achieved(goal_instance, answered=True) else None
    except StrategyError:
        pass
    return None


def _perform(phone: Phone, opening: str, steps: Sequence[Step]) -> Iterator[Gesture | None]:
    """Perform the steps and yield each gesture; a wait of the player is read off the phone's clock."""
    before = phone.now
    for gesture in GesturePlayer(phone, GestureHabits(opening=opening)).gestures(steps):
        yield from _list_waits(before, phone)
        if not is_idle(gesture, phone):
            vertical = gesture.kind == "swipe" and gesture.text in ("up", "down")
            performed = make_replayable_swipe(gesture, phone) if vertical else gesture
            performed.perform(phone.finger)
            phone.wait_for_page()
            yield performed
        before = phone.now
    yield from _list_waits(before, phone)


def _list_waits(before: datetime, phone: Phone) -> Iterator[None]:
    waited_ms = (phone.now - before).total_seconds() * 1000
    yield from [None] * math.ceil(waited_ms / WAIT_MS)
