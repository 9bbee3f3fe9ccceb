"""How a person does things: the way to a goal, opening apps, where a thumb lands, scrolling."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from simulated_phone.app_definition import Goal, Strategy
from simulated_phone.people.gestures import HandTouch
from simulated_phone.people.person import OLDER, YOUNG, Person

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

SWIPE_PX = 500
"""How far a thumb moves, unless the glass ends: as the release's `scroll`, so that ways can be replayed."""
USUAL = 0.9
"""How often a person does a thing in their usual way."""

_TASTES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        YOUNG: {
            "voice": -0.25,
            "search": 0.45,
            "typed": 0.4,
            "shortcut": 0.35,
            "widget": 0.3,
            "quick": 0.4,
            "sentence": 0.4,
        },
        OLDER: {"browse": 0.5, "voice": 0.05, "category": 0.4, "list": 0.4, "month": 0.4, "picked": 0.4},
    }
)
"""Ways that an age group likes more, by name; what is not named is a matter of leaning alone."""
_OPENINGS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        YOUNG: {"launcher": 0.15, "recents": 0.35, "search": 0.3, "voice": 0.0},
        OLDER: {"launcher": 0.55, "recents": 0.0, "search": -0.1, "voice": 0.15},
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserStyle:
    """One person's ways.

    Args:
        person: Whose.
        opening: How apps are opened, one of `ways.OPENINGS`.
        across: Where the thumb lands beside an element's middle, -0.3 to 0.3 of its width.
        down: The same, of its height.
        shake: How much that differs from touch to touch, a part of the element's size.
        thumb: Where a swipe begins, 0-1 of the list's width.
        clumsiness: How often slips happen; 1 is usual.
        pause: Seconds between two touches, about.
    """

    person: Person
    opening: str
    across: float
    down: float
    shake: float
    thumb: float
    clumsiness: float
    pause: float

    def way(self, package: str, goal: Goal, rng: random.Random) -> Strategy:
        """The way to a goal: mostly the usual one, else one of the others."""
        liked = sorted(goal.ways, key=lambda way: -self._liking(package, goal.name, way.name))
        return liked[0] if rng.random() < USUAL or len(liked) == 1 else rng.choice(liked[1:])

    def _liking(self, package: str, goal: str, way: str) -> float:
        taste = _TASTES[self.person.group].get(way, 0.0)
        return (
            taste
            + 0.6 * self.person.leaning("way", way)
            + self.person.leaning("way of", package, goal, way, own=0.4)
        )

    def own(self, touch: HandTouch, phone: Phone, rng: random.Random) -> HandTouch:
        """The touch as this person's thumb makes it on the screen shown now."""
        if touch.kind in ("tap", "hold"):
            return self._landed(touch, phone, rng)
        if touch.kind == "swipe" and touch.text in ("up", "down"):
            return replayable(touch, phone, self.thumb)
        return touch

    def _landed(self, touch: HandTouch, phone: Phone, rng: random.Random) -> HandTouch:
        node = phone.screen().touched(touch.x, touch.y)
        if node is None:
            return touch
        x = touch.x + round(node.box.width * (self.across + rng.uniform(-self.shake, self.shake)))
        y = touch.y + round(node.box.height * (self.down + rng.uniform(-self.shake, self.shake)))
        return replace(touch, x=x, y=y) if phone.screen().touched(x, y) is node else touch


def replayable(touch: HandTouch, phone: Phone, thumb: float = 0.5) -> HandTouch:
    """The upright swipe as one of `SWIPE_PX`; in a low list one that the edge of the glass ends.

    Done again with the release's `scroll` it moves as far.

    Args:
        touch: A swipe up or down.
        phone: Whose screen it is on.
        thumb: Where in the list, as a part of its width.
    """
    area = phone.screen().scrolled(touch.x, touch.y)
    if area is None:
        return touch
    box, last = area.box, phone.size[1] - 1
    x = box.left + round(box.width * thumb)
    length = min(SWIPE_PX, box.height * 7 // 10)
    way = 1 if touch.text == "down" else -1
    y = box.centre[1] - way * length // 2
    if length < SWIPE_PX:
        y = min(max(length if way < 0 else last - length, box.top), box.bottom - 1)
    return replace(touch, x=x, y=y, to=(x, min(max(y + way * SWIPE_PX, 0), last)))


def user_style(person: Person) -> UserStyle:
    """The person's ways; those of an age group are more alike."""
    rng = person.generator("hand")
    tastes = _OPENINGS[person.group]
    side = 1 if person.leaning("side", own=0.3) < 0.6 else -1
    return UserStyle(
        person=person,
        opening=max(tastes, key=lambda name: tastes[name] + person.leaning("opening", name)),
        across=side * rng.uniform(0.0, 0.2),
        down=rng.uniform(-0.15, 0.2),
        shake=0.08 if person.group == OLDER else 0.04,
        thumb=0.5 + side * rng.uniform(0.05, 0.3),
        clumsiness=rng.uniform(0.4, 1.4) * (1.4 if person.group == OLDER else 1.0),
        pause=rng.uniform(1.0, 2.0) * (1.6 if person.group == OLDER else 1.0),
    )
