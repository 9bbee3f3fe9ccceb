"""A person's style: preferred strategies and app openings, where taps land, how lists are scrolled."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from simulated_phone.goals.app_definition import Goal, Strategy
from simulated_phone.goals.steps import SWIPE_MS, SWIPE_PX, Leave, Press, Step, Tap
from simulated_phone.language.language import later, translate
from simulated_phone.people.gestures import OPENINGS, SIGN_INS, Gesture, GestureHabits, is_beside_wheels
from simulated_phone.people.person import OLDER, YOUNG, Person
from simulated_phone.people.wheel_turns import TurningHabit
from simulated_phone.touch.fling import find_swipe_length

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

USUAL_RATE = 0.97
"""Probability that something is done as usual: strategy, opening, ending and so on, each by itself."""

STAYS, BACKS_OUT, GOES_HOME, CLOSES_APPS = "stays", "backs out", "goes home", "closes apps"
ENDINGS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        YOUNG: {STAYS: 0.25, BACKS_OUT: 0.2, GOES_HOME: 0.5, CLOSES_APPS: 0.05},
        OLDER: {STAYS: 0.15, BACKS_OUT: 0.7, GOES_HOME: 0.05, CLOSES_APPS: 0.1},
    }
)
"""Age group -> ending -> share of people: the app stays open, the back key until the home screen is shown,
the home key, or all recent apps are closed."""
SIGN_IN_SHARES: Mapping[str, float] = MappingProxyType(dict(zip(SIGN_INS, (0.5, 0.25, 0.25), strict=True)))
"""Way of signing in -> share of the people."""
KEYBOARD_AWAY: Mapping[str, float] = MappingProxyType({YOUNG: 0.2, OLDER: 0.5})
"""Age group -> share of the people who close the keyboard after they typed."""
OWN = 0.6
"""Weight of a person's own draw against the age group's, 0-1, in openings and strategies."""
LOOKS_AROUND: Mapping[str, float] = MappingProxyType({YOUNG: 0.5, OLDER: 0.4})
"""Age group -> share of the people who scroll through an app's first page before they touch anything."""
_CLOSE_ALL = later("全部清除")

_STRATEGY_BONUS: Mapping[str, Mapping[str, float]] = MappingProxyType(
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
"""Age group -> strategy name -> what is added to the person's preference for it; 0 for other names."""
_OPENING_BONUS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        YOUNG: {"launcher": 0.15, "recents": 0.35, "search": 0.3, "voice": 0.0},
        OLDER: {"launcher": 0.55, "recents": 0.0, "search": -0.1, "voice": 0.15},
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UserStyle:
    """Style of a person.

    Args:
        person: The person.
        opening: How apps are opened, one of `gestures.OPENINGS`.
        across: Horizontal offset of taps from an element's centre, -0.3 to 0.3 of its width.
        down: Vertical offset of taps from an element's centre, as a fraction of its height.
        shake: Largest random deviation from these offsets, as a fraction of the element's size.
        thumb: Horizontal position at which swipes begin, 0-1 of the list's width.
        clumsiness: Factor on the rates of slips; 1 is average.
        pause: Mean number of seconds between two gestures.
        ending: What is done after a goal that asks no question, one of `ENDINGS`.
        sign_in: How apps are signed in to, one of `gestures.SIGN_INS`.
        keyboard_away: Whether the keyboard is closed after text was typed.
        looks_around: Whether the first page of an app is scrolled before anything is touched.
        turning: How wheel pickers are turned.
    """

    person: Person
    opening: str
    across: float
    down: float
    shake: float
    thumb: float
    clumsiness: float
    pause: float
    ending: str
    sign_in: str
    keyboard_away: bool
    looks_around: bool
    turning: TurningHabit

    def draw_gesture_habits(self, rng: random.Random) -> GestureHabits:
        """Draw how apps are opened and signed in to in an episode, and so on: mostly as usual."""
        return GestureHabits(
            opening=self.opening if _as_usual(rng) else rng.choice(OPENINGS),
            sign_in=self.sign_in if _as_usual(rng) else rng.choice(SIGN_INS),
            keyboard_away=self.keyboard_away and _as_usual(rng),
            looks_around=self.looks_around and _as_usual(rng),
            turning=self.turning,
        )

    def ending_steps(self, locale: str, rng: random.Random) -> tuple[Step, ...]:
        """The steps after a goal is reached: mostly the person's ending, sometimes none."""
        if not _as_usual(rng) or self.ending == STAYS:
            return ()
        if self.ending == GOES_HOME:
            return (Press("home"),)
        if self.ending == BACKS_OUT:
            return (Leave(),)
        return (Press("recents"), Tap(translate(locale, _CLOSE_ALL)))

    def choose_strategy(
        self, package: str, goal: Goal, rng: random.Random, among: Sequence[Strategy] = ()
    ) -> Strategy:
        """Draw a strategy for a goal: mostly the preferred one, else one of the others.

        Args:
            package: The goal's app.
            goal: The goal.
            rng: Draws it.
            among: Strategies to choose from; empty for all of the goal's.
        """
        ranked = sorted(
            among or goal.strategies,
            key=lambda strategy: -self._weigh_strategy(package, goal.name, strategy.name),
        )
        return ranked[0] if _as_usual(rng) or len(ranked) == 1 else rng.choice(ranked[1:])

    def _weigh_strategy(self, package: str, goal: str, strategy: str) -> float:
        bonus = _STRATEGY_BONUS[self.person.group].get(strategy, 0.0)
        # "way" and "way of" seed the draws: other strings would be other people
        return (
            bonus
            + 0.6 * self.person.leaning("way", strategy, own=OWN)
            + self.person.leaning("way of", package, goal, strategy, own=OWN)
        )

    def personalize(self, gesture: Gesture, phone: Phone, rng: random.Random) -> Gesture:
        """The gesture with this person's offsets, for the screen shown now."""
        if gesture.kind in ("tap", "hold"):
            return self._displace(gesture, phone, rng)
        if gesture.kind == "swipe" and gesture.text in ("up", "down"):
            return make_replayable_swipe(gesture, phone, self.thumb)
        return gesture

    def _displace(self, gesture: Gesture, phone: Phone, rng: random.Random) -> Gesture:
        node = phone.screen().touched(gesture.x, gesture.y)
        if node is None:
            return gesture
        x = gesture.x + round(node.box.width * (self.across + rng.uniform(-self.shake, self.shake)))
        y = gesture.y + round(node.box.height * (self.down + rng.uniform(-self.shake, self.shake)))
        return replace(gesture, x=x, y=y) if phone.screen().touched(x, y) is node else gesture


def _as_usual(rng: random.Random) -> bool:
    return rng.random() < USUAL_RATE


def make_replayable_swipe(gesture: Gesture, phone: Phone, thumb: float = 0.5) -> Gesture:
    """The vertical swipe with the length `SWIPE_PX`, so that the release's `scroll` moves the list as far.

    In a list too low for what such a swipe moves it, with what it goes on, the swipe ends at the display's
    edge: it is shorter in the same time, and so slower.

    Args:
        gesture: A swipe up or down.
        phone: The phone whose screen it is on.
        thumb: Horizontal position within the list, 0-1 of its width.
    """
    area = phone.screen().scrolled(gesture.x, gesture.y)
    if area is None:
        return gesture
    box, last = area.box, phone.size[1] - 1
    length = min(SWIPE_PX, find_swipe_length(box.height * 7 // 10, SWIPE_MS, phone.density))
    sign = 1 if gesture.text == "down" else -1
    y = box.centre[1] - sign * length // 2
    if length < SWIPE_PX:
        y = min(max(length if sign < 0 else last - length, box.top), box.bottom - 1)
    x = is_beside_wheels(phone, area, box.left + round(box.width * thumb), y)
    return replace(gesture, x=x, y=y, to=(x, min(max(y + sign * SWIPE_PX, 0), last)), ms=SWIPE_MS)


def draw_user_style(person: Person) -> UserStyle:
    """Draw the person's style; styles within an age group are more alike."""
    rng = person.generator("hand")
    bonus, endings = _OPENING_BONUS[person.group], ENDINGS[person.group]
    side = 1 if person.leaning("side", own=0.3) < 0.6 else -1
    return UserStyle(
        person=person,
        opening=max(bonus, key=lambda name: bonus[name] + person.leaning("opening", name, own=OWN)),
        across=side * rng.uniform(0.0, 0.2),
        down=rng.uniform(-0.15, 0.2),
        shake=0.08 if person.group == OLDER else 0.04,
        thumb=0.5 + side * rng.uniform(0.05, 0.3),
        clumsiness=rng.uniform(0.4, 1.4) * (1.4 if person.group == OLDER else 1.0),
        pause=rng.uniform(1.0, 2.0) * (1.6 if person.group == OLDER else 1.0),
        ending=rng.choices(tuple(endings), tuple(endings.values()))[0],
        sign_in=rng.choices(tuple(SIGN_IN_SHARES), tuple(SIGN_IN_SHARES.values()))[0],
        keyboard_away=rng.random() < KEYBOARD_AWAY[person.group],
        looks_around=rng.random() < LOOKS_AROUND[person.group],
        turning="taps" if person.leaning("turning") > 0.5 else "swipes",
    )
