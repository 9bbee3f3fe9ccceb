"""Which gesture turns a wheel picker next, on the way with the fewest gestures to a value."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from simulated_phone.goals.steps import SWIPE_MS, SWIPE_PX
from simulated_phone.phone_errors import StrategyError
from simulated_phone.screens.nodes import Node, WheelArea
from simulated_phone.touch.fling import WHEEL_MOST_DP, fling_px

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

TurningHabit = Literal["swipes", "taps"]
"""How wheels are turned: by the fewest gestures, most of them swipes; or by taps on a neighbour, if near."""

MOST_TURNS = 40
"""Gestures after which a wheel that does not show the value counts as stuck."""
NEAR_ROWS = 6
"""Number of rows up to which somebody taps who likes to."""
_PLACES = tuple(part / 20 for part in range(1, 20))
"""Where swipes may begin, as fractions of the wheel's height."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelMove:
    """Gesture on a wheel, and the number of rows that it turns.

    Args:
        rows: Number of rows, positive to later values.
        at: Where it begins, px.
        to: Where a swipe ends, px; None for a tap.
        label: Text of the tapped value.
    """

    rows: int
    at: tuple[int, int]
    to: tuple[int, int] | None = None
    label: str = ""


def find_wheel(phone: Phone, title: str) -> Node | None:
    """The wheel with that description whose middle can be touched; None if there is none on the screen."""
    screen = phone.screen()
    return next(
        (
            node
            for node in screen.nodes()
            if node.wheel and node.description == title and screen.scrolled(*node.box.centre) is node
        ),
        None,
    )


def find_next_move(phone: Phone, node: Node, value: str, habit: TurningHabit) -> WheelMove | None:
    """The next gesture to a value; None where the wheel shows it.

    Args:
        phone: The phone.
        node: The wheel.
        value: The value, as text.
        habit: How wheels are turned.

    Raises:
        StrategyError: The wheel has no such value.
    """
    wheel = node.wheel
    assert wheel is not None  # noqa: S101 - `find_wheel` found it by that
    targets = {index for index, one in enumerate(wheel.values) if str(one) == value}
    if not targets:
        raise StrategyError(f"the wheel {node.description!r} has no value {value!r}")
    if wheel.index in targets:
        return None
    taps = _list_taps(phone, node, wheel)
    near = _find_path(wheel, targets, {rows: move for rows, move in taps.items() if abs(rows) == 1})
    if habit == "taps" and near is not None and near[1] <= NEAR_ROWS:
        return near[0]
    found = _find_path(wheel, targets, {**_list_swipes(phone, node, wheel), **taps})
    if found is None:
        raise StrategyError(f"the wheel {node.description!r} does not turn to {value!r}")
    return found[0]


def count_swiped_rows(phone: Phone, wheel: WheelArea, y: int, to: int, ms: int) -> int:
    """The number of rows that an even swipe from one height to another turns, px."""
    velocity = (to - y) * 1000 / ms
    return wheel.rows(y - to - fling_px(velocity, phone.density, WHEEL_MOST_DP))


def _list_taps(phone: Phone, node: Node, wheel: WheelArea) -> dict[int, WheelMove]:
    """Rows -> the tap on a value that is shown, on this wheel or on another one for the same argument."""
    screen = phone.screen()
    moves: dict[int, WheelMove] = {}
    for other in screen.nodes():
        if other.wheel is None or other.wheel.name != wheel.name:
            continue
        for child in other.children:
            values = dict(child.tap.arguments) if child.tap else {}
            if screen.touched(*child.box.centre) is child and values.get("value") in wheel.values:
                rows = wheel.values.index(values["value"]) - wheel.index
                if other is node and wheel.wraps and abs(rows) > 1:
                    rows += len(wheel.values) if rows < 0 else -len(wheel.values)
                moves.setdefault(rows, WheelMove(rows=rows, at=child.box.centre, label=child.text))
    return moves


def _list_swipes(phone: Phone, node: Node, wheel: WheelArea) -> dict[int, WheelMove]:
    """Rows -> a swipe as the release's `scroll` makes it, which the display's edge may cut short."""
    box, last = node.box, phone.size[1] - 1
    moves: dict[int, WheelMove] = {}
    x = box.centre[0]
    for place in _PLACES:
        y = box.top + round(box.height * place)
        for to in (max(0, y - SWIPE_PX), min(last, y + SWIPE_PX)):
            rows = count_swiped_rows(phone, wheel, y, to, SWIPE_MS)
            if rows:
                moves.setdefault(rows, WheelMove(rows=rows, at=(x, y), to=(x, to)))
    return moves


def _find_path(
    wheel: WheelArea, targets: Iterable[int], moves: Mapping[int, WheelMove]
) -> tuple[WheelMove, int] | None:
    """The first of the fewest moves to one of the targets, and their number; small moves come first."""
    wanted, seen = set(targets), {wheel.index}
    ordered = [moves[rows] for rows in sorted(moves, key=lambda rows: (abs(rows), rows))]
    waiting: deque[tuple[int, WheelMove | None, int]] = deque([(wheel.index, None, 0)])
    while waiting:
        index, first, count = waiting.popleft()
        for move in ordered:
            reached = wheel.moved(index, move.rows)
            if reached in seen:
                continue
            if reached in wanted:
                return first or move, count + 1
            seen.add(reached)
            waiting.append((reached, first or move, count + 1))
    return None
