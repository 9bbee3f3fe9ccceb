"""A month of a person's life with the phone: each wish in their words, each touch with the screen before it.

Each thing is done on a phone that was just reset to the person's own world, so that whoever resets a phone
the same way (`PhoneSetup.put`) can follow the recorded touches and reach the same goal.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from simulated_phone.app_definition import GoalInstance
from simulated_phone.people.gestures import GestureHabits, Hand, HandTouch, is_idle
from simulated_phone.people.person import Person
from simulated_phone.people.routine import PlannedIntent, another, planned_month
from simulated_phone.people.slips import (
    ADVERTISEMENT,
    TYPO,
    WRONG_TAP,
    draw_slips,
    mistyped,
    slip_at,
    wrong_tap,
)
from simulated_phone.people.steps import Step, TypeText
from simulated_phone.people.user_style import UserStyle, user_style
from simulated_phone.people.wording import Voice, style_of
from simulated_phone.phone_errors import StrategyError
from simulated_phone.screens.screen import Pictures

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

RECENT = 3
"""Apps among the recent ones when a person takes up the phone."""
JPEG_QUALITY = 70
"""Of 100, for the screenshots."""
MAX_TRIES = 40
"""Wishes that may turn out to be impossible before one is granted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneSetup:
    """What the phone was like when the person took it up.

    Args:
        seed: Of the phone's world.
        moment: The time.
        recent: Packages of the recent apps, the latest first.
        faults: The switches that were on.
    """

    seed: int
    moment: datetime
    recent: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()

    def put(self, phone: Phone) -> None:
        """Reset a phone to be so; all its other switches go off."""
        for name in phone.faults:
            phone.set_fault(name, False)
        phone.reset(self.seed)
        for package in reversed(self.recent):
            phone.start(package)
            phone.press_key("KEYCODE_HOME")
        for name in self.faults:
            phone.set_fault(name, True)
        phone.now = self.moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a person saw, and what they did then.

    Args:
        moment: The simulated time.
        screenshot: A JPEG file; None where nothing is drawn.
        tree: The accessibility tree in the dialect "release".
        touch: What was done; None when they put the phone away.
    """

    moment: datetime
    screenshot: bytes | None
    tree: str
    touch: HandTouch | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedEpisode:
    """One thing that a person did with the phone from beginning to end; its goal is reached.

    Args:
        person: Who.
        start: What the phone was like.
        place: Where, as the person says it.
        intent: What they wanted, in their words.
        aim: The same as a goal of an app.
        english: The app's English name.
        way: The name of the way.
        slips: What went wrong and was put right.
        size: Width and height of the screen, px.
        seen: Every screen with what was done there, in order.
    """

    person: Person
    start: PhoneSetup
    place: str
    intent: str
    aim: GoalInstance
    english: str
    way: str
    slips: tuple[str, ...]
    size: tuple[int, int]
    seen: tuple[Frame, ...]


class Life:
    """A person with a phone.

    Args:
        person: Who.
        phone: The phone in their hand; it is reset for each deed.
        pictures: Where encoded screens are kept, so that equal ones are drawn and encoded once; without it
            nothing is drawn.

    Attributes:
        given_up: (package, goal, way) -> how often it was begun in vain, and something else was done.
    """

    def __init__(self, person: Person, phone: Phone, pictures: Pictures | None = None) -> None:
        self._person = person
        self._phone = phone
        self._pictures = pictures
        self._apps = [app for app in phone.apps.values() if app.goals]
        self._ways: UserStyle = user_style(person)
        self._voice = Voice(style_of(person))
        self.given_up: Counter[tuple[str, str, str]] = Counter()

    def month(self, count: int) -> Iterator[SimulatedEpisode]:
        """A month's deeds, the earliest first.

        Raises:
            WayError: of `MAX_TRIES` things that the person may want at a moment none can be done.
        """
        used: list[str] = []
        for planned in planned_month(self._person, self._apps, count):
            rng = self._person.generator("deed", planned.moment.isoformat())
            episode = self._carry_out(planned, tuple(used[:RECENT]), rng)
            used = [episode.aim.package, *(package for package in used if package != episode.aim.package)]
            yield episode

    def _carry_out(
        self, planned: PlannedIntent, recent: Sequence[str], rng: random.Random
    ) -> SimulatedEpisode:
        for _ in range(MAX_TRIES):
            episode = self._done(planned, tuple(recent), rng)
            if episode is not None:
                return episode
            planned = another(planned, self._person, self._apps, rng)
        raise StrategyError(f"expected one of {MAX_TRIES} wishes to come true at {planned.moment}, got none")

    def _done(
        self, planned: PlannedIntent, recent: tuple[str, ...], rng: random.Random
    ) -> SimulatedEpisode | None:
        """What is done for a wish; None where it makes no sense, or cannot be done, at that moment."""
        if str(planned.case.get("date", "9999")) < planned.moment.date().isoformat():
            return None
        aim = GoalInstance(package=planned.app.package, goal=planned.goal.name, arguments=planned.case)
        way = self._ways.way(planned.app.package, planned.goal, rng)
        slips = draw_slips(self._ways.clumsiness, rng)
        faults = tuple(slips & {ADVERTISEMENT})
        start = PhoneSetup(seed=self._person.seed, moment=planned.moment, recent=recent, faults=faults)
        start.put(self._phone)
        if self._phone.achieved(aim):
            return None
        happened: list[str] = []
        try:
            seen = tuple(self._watched(way.steps(planned.case), slips, rng, happened))
        except StrategyError:
            seen = ()
        if not seen or not self._phone.achieved(aim):
            self.given_up[aim.package, aim.goal, way.name] += 1
            return None
        intent = self._voice.word(planned.app, planned.goal, planned.case, planned.moment, planned.place, rng)
        return SimulatedEpisode(
            person=self._person,
            start=start,
            place=planned.place,
            intent=intent,
            aim=aim,
            english=planned.app.english,
            way=way.name,
            slips=tuple(dict.fromkeys(happened)),
            size=self._phone.size,
            seen=seen,
        )

    def _watched(
        self, steps: tuple[Step, ...], slips: frozenset[str], rng: random.Random, happened: list[str]
    ) -> Iterator[Frame]:
        """Does the steps; yields what was seen before each touch, and at the end."""
        for touch in self._touches(steps, slip_at(slips, steps, rng), rng, happened):
            if is_idle(touch, self._phone):
                continue
            self._phone.wait(self._ways.pause * rng.uniform(0.6, 1.8))
            own = self._ways.own(touch, self._phone, rng)
            overlays = self._phone.data["overlays"]
            if overlays and overlays[-1]["page"] == f"android.{ADVERTISEMENT}":
                happened.append(ADVERTISEMENT)
            yield self._look(own)
            own.perform(self._phone.finger)
        yield self._look(None)

    def _touches(
        self, steps: tuple[Step, ...], slips: dict[int, str], rng: random.Random, happened: list[str]
    ) -> Iterator[HandTouch]:
        hand = Hand(self._phone, GestureHabits(opening=self._ways.opening))
        for number, step in enumerate(steps):
            slip = slips.get(number)
            if slip == WRONG_TAP:
                for touch in wrong_tap(self._phone, hand, rng):
                    happened.append(WRONG_TAP)
                    yield touch
            if slip == TYPO and isinstance(step, TypeText):
                happened.append(TYPO)
                yield from mistyped(self._phone, hand, step, rng)
            else:
                yield from hand.touches([step])

    def _look(self, touch: HandTouch | None) -> Frame:
        phone, picture = self._phone, None
        if self._pictures is not None:
            picture = self._pictures.encode(phone.screen(), "JPEG", quality=JPEG_QUALITY)
        return Frame(moment=phone.now, screenshot=picture, tree=phone.tree("release"), touch=touch)
