"""The shortest way to what was wanted: every way of the goal, every way to open its app, tried on a phone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from simulated_phone.app_definition import GoalInstance
from simulated_phone.people.gestures import OPENINGS, GestureHabits, Hand, HandTouch, is_idle
from simulated_phone.people.simulation import Simulation
from simulated_phone.people.steps import Open, Step
from simulated_phone.people.user_style import replayable
from simulated_phone.phone import Phone
from simulated_phone.phone_errors import StrategyError
from simulated_phone.screens.nodes import Node
from simulated_phone.screens.theme import usual_density
from simulated_phone.state import Snapshot

WAIT_MS = 2000
"""How long the release's `wait` lasts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortestPath:
    """A way with the fewest touches.

    Attributes:
        way: Its name.
        opening: How the app is opened, one of `OPENINGS`; "" for a shortcut or a widget.
        touches: In order, as `Hand` does them, each in an element's middle; None is a wait of `WAIT_MS`.
    """

    way: str
    opening: str
    touches: tuple[HandTouch | None, ...]


def shortest_path(simulation: Simulation) -> ShortestPath:
    """The way with the fewest touches, found on a phone of its own; of equal ones the first that was tried.

    Ways are tried in the order of the goal, openings in that of `OPENINGS`; of openings that come to the same
    screen only the shortest is gone on from. A way ends as soon as the goal's rule holds, and a wait counts
    as a touch.

    Args:
        simulation: The phone as the person took it up, and what they wanted.

    Raises:
        PhoneSetupError: The screen has an impossible size.
        LookupError: There is no such app or goal.
        WayError: No way leads there.
    """
    aim, size = simulation.aim, simulation.size
    phone = Phone(seed=simulation.start.seed, size=size, density=usual_density(size[0]))
    ways = phone.apps[aim.package].goal(aim.goal).ways
    simulation.start.put(phone)
    begin = _Stand(opening="", touches=(), snapshot=phone.snapshot())
    opened: dict[str, list[_Stand]] = {}
    best: ShortestPath | None = None
    for way in ways:
        first, *rest = way.steps(aim.arguments)
        if isinstance(first, Open) and first.package not in opened:
            opened[first.package] = list(_opened(phone, begin, first))
        for stand in opened[first.package] if isinstance(first, Open) else [begin]:
            steps = rest if isinstance(first, Open) else [first, *rest]
            touches = _tried(phone, stand, steps, aim, len(best.touches) if best else math.inf)
            if touches is not None:
                best = ShortestPath(way=way.name, opening=stand.opening, touches=touches)
    if best is None:
        raise StrategyError(f"expected a way to {aim.goal} of {aim.package}, got none that leads there")
    return best


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stand:
    """Where a way is gone on from, and how it came there; no opening where no app was opened."""

    opening: str
    touches: tuple[HandTouch | None, ...]
    snapshot: Snapshot


def _opened(phone: Phone, begin: _Stand, step: Open) -> Iterator[_Stand]:
    """The app opened in each way that comes to a screen of its own, or sooner than those before."""
    shortest: dict[tuple[Node, ...], int] = {}
    for opening in OPENINGS:
        phone.restore(begin.snapshot)
        try:
            touches = tuple(_touches(phone, opening, [step]))
        except StrategyError:
            continue
        screen = tuple(
            window.root for window in phone.screen().windows if not (window.chrome or window.passing)
        )
        if len(touches) < shortest.get(screen, math.inf):
            shortest[screen] = len(touches)
            yield _Stand(opening=opening, touches=touches, snapshot=phone.snapshot())


def _tried(
    phone: Phone, stand: _Stand, steps: Sequence[Step], aim: GoalInstance, limit: float
) -> tuple[HandTouch | None, ...] | None:
    """All touches of a way; None where it does not lead there, or not in fewer than `limit`."""
    phone.restore(stand.snapshot)
    found = list(stand.touches)
    touches = _touches(phone, stand.opening or OPENINGS[0], steps)
    try:
        while len(found) < limit:
            if phone.achieved(aim):
                return tuple(found)
            found.append(next(touches))
    except (StrategyError, StopIteration):
        pass
    return None


def _touches(phone: Phone, opening: str, steps: Sequence[Step]) -> Iterator[HandTouch | None]:
    """Does each touch before it asks for the next; a hand that waited shows in the phone's clock."""
    before = phone.now
    for touch in Hand(phone, GestureHabits(opening=opening)).touches(steps):
        yield from _waits(before, phone)
        if not is_idle(touch, phone):
            vertical = touch.kind == "swipe" and touch.text in ("up", "down")
            done = replayable(touch, phone) if vertical else touch
            done.perform(phone.finger)
            yield done
        before = phone.now
    yield from _waits(before, phone)


def _waits(before: datetime, phone: Phone) -> Iterator[None]:
    waited_ms = (phone.now - before).total_seconds() * 1000
    yield from [None] * math.ceil(waited_ms / WAIT_MS)
