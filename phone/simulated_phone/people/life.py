"""Simulation of a month of phone use: worded intents, and each gesture with the screen before it.

Each episode begins on a phone reset to the person's own world, so that after the same reset
(`PhoneSetup.apply`) the recorded gestures reach the same goal.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from simulated_phone.goals.app_definition import GoalInstance, Strategy
from simulated_phone.goals.steps import Step, TypeText
from simulated_phone.language.language import CHINESE
from simulated_phone.language.zones import CHINA
from simulated_phone.long_goals.composition import LongGoal
from simulated_phone.machine.faults import (
    ADVERTISEMENT,
    LOGIN,
    NOTIFICATION,
    OVERLAYS,
    PERMISSION_DIALOG,
    SLOW_LOADING,
    UPDATE_DIALOG,
)
from simulated_phone.people.drift import list_drift_days
from simulated_phone.people.gestures import Gesture, GesturePlayer, is_idle
from simulated_phone.people.long_intents import draw_other_long_intent, plan_long_intents
from simulated_phone.people.look_odds import LookOdds, estimate_odds
from simulated_phone.people.looks import PhoneLook, draw_looks
from simulated_phone.people.person import Person
from simulated_phone.people.routine import (
    FIRST_DAY,
    PlannedIntent,
    alternative_intent,
    draw_routine,
    favourite_apps,
    plan_month,
)
from simulated_phone.people.slips import (
    TYPO,
    WRONG_TAP,
    assign_slips,
    draw_slips,
    tap_wrongly,
    type_with_typo,
)
from simulated_phone.people.user_style import UserStyle, draw_user_style
from simulated_phone.people.wording import IntentWriter, draw_wording_style
from simulated_phone.phone_errors import StrategyError
from simulated_phone.screens.drawing.picture_cache import Pictures
from simulated_phone.screens.skin import PLAIN

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

RECENT = 3
"""Number of recent apps at the beginning of an episode."""
JPEG_QUALITY = 70
"""JPEG quality of the screenshots, 0-100."""
TROUBLES = (PERMISSION_DIALOG, UPDATE_DIALOG, SLOW_LOADING, LOGIN, NOTIFICATION)
"""Faults of which one is on during some episodes, besides the advertisement that is drawn with the slips."""
TROUBLE_RATE = 0.15
MAX_TRIES = 40
"""Intents that are tried at a moment before the simulation fails."""

Start: TypeAlias = Literal["app", "home"]
"""Where people's episodes begin: in the app of the intent, which was opened before, or on the home screen."""
EpisodeStart: TypeAlias = Literal["app", "home", "several apps"]
"""Where one episode begins; "several apps" is the home screen, because no app alone reaches the goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneSetup:
    """State of the phone at the beginning of an episode.

    Args:
        seed: Seed of the phone.
        moment: Time on the phone's clock.
        recent: Packages of the recent apps, the latest first.
        faults: Names of the faults that are on.
        locale: Language of the phone.
        design: Its design language.
        dark: Whether it is in dark mode.
        icons: Packages whose icons come first, the dock's before those of the first home page.
        zone: Time zone of the phone.
        front: Package of the app that is opened before the first screen; "" for the home screen.
        several_apps: Whether the home screen is the first one because the goal needs several apps.
    """

    seed: int
    moment: datetime
    recent: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    locale: str = CHINESE
    design: str = PLAIN
    dark: bool = False
    icons: tuple[str, ...] = ()
    zone: str = CHINA
    front: str = ""
    several_apps: bool = False

    @property
    def start(self) -> EpisodeStart:
        """Where the episode begins."""
        return "app" if self.front else "several apps" if self.several_apps else "home"

    def apply(self, phone: Phone, *, launch: bool = True) -> None:
        """Reset a phone to this state; all other faults are switched off.

        Args:
            phone: The phone.
            launch: Whether the app of the episode is opened, as a tap on its icon does; else the home screen
                is left for who opens it otherwise, such as over adb.
        """
        for name in phone.faults:
            phone.set_fault(name, False)
        phone.speak(self.locale)
        phone.settle(self.zone)
        phone.wear(self.design, dark=self.dark)
        phone.reset(self.seed)
        if self.icons:
            home = phone.launcher.package
            phone.data["apps"][home] = {**phone.data["apps"][home], "first": list(self.icons)}
        # the latest app is started last, and so comes first in the recent apps
        for package in reversed(self.recent):
            phone.start(package)
            phone.press_key("KEYCODE_HOME")
        for name in self.faults:
            phone.set_fault(name, True)
        # after them: starting the recent apps takes simulated time
        phone.now = self.moment
        if launch and self.front:
            phone.start(self.front)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Screen of an episode, and the gesture made on it.

    Args:
        moment: The simulated time.
        screenshot: A JPEG file; None if no pictures are drawn.
        tree: The accessibility tree in the dialect "release".
        gesture: The gesture; None on the last screen.
    """

    moment: datetime
    screenshot: bytes | None
    tree: str
    gesture: Gesture | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedEpisode:
    """Simulated episode; its goal is reached.

    Args:
        person: The person.
        setup: State of the phone at the beginning.
        place: Scenario, as in the release.
        intent: The person's wording of the goal.
        goal_instance: The goal with its arguments.
        english: The app's English name.
        strategy: Name of the strategy by which the goal was reached.
        slips: Names of the slips that happened and were corrected.
        size: Width and height of the screen, px.
        frames: Every screen with its gesture, in order.
        answer: What the person read, if the goal asks a question; None for another goal.
        answer_form: The answer's form in words, for the agent; "" for another goal.
    """

    person: Person
    setup: PhoneSetup
    place: str
    intent: str
    goal_instance: GoalInstance
    english: str
    strategy: str
    slips: tuple[str, ...]
    size: tuple[int, int]
    frames: tuple[Frame, ...]
    answer: str | None = None
    answer_form: str = ""


class Life:
    """Simulation of one person's phone use.

    Args:
        person: The person.
        phone: The phone to use; it is reset for each episode.
        pictures: Cache of encoded screens, so that equal ones are drawn and encoded once; without it no
            pictures are drawn.
        start: Where episodes begin; those of a goal that needs several apps begin on the home screen.

    Attributes:
        given_up: (package, goal, strategy) -> number of attempts that did not reach the goal and were
            replaced by another intent.
    """

    def __init__(
        self, person: Person, phone: Phone, pictures: Pictures | None = None, *, start: Start = "app"
    ) -> None:
        self._person = person
        self._start = start
        self._phone = phone
        self._pictures = pictures
        self._apps = [app for app in phone.apps.values() if app.goals]
        self._routine = draw_routine(person, self._apps)
        self._icons = favourite_apps(self._routine)
        self._style: UserStyle = draw_user_style(person)
        self._writer = IntentWriter(draw_wording_style(person))
        self.given_up: Counter[tuple[str, str, str]] = Counter()

    def month(self, count: int) -> Iterator[SimulatedEpisode]:
        """Simulate the episodes of a month, the earliest first.

        Raises:
            StrategyError: None of `MAX_TRIES` intents at one moment could be carried out.
        """
        used: list[str] = []
        for planned in plan_month(self._person, self._apps, count):
            # the word is part of the seed: another one would change every sample
            rng = self._person.generator("deed", planned.moment.isoformat())
            episode = self._carry_out(planned, tuple(used[:RECENT]), rng, self._draw_usual)
            latest = episode.goal_instance.package
            used = [latest, *(package for package in used if package != latest)]
            yield episode

    def live_long_goals(self, episodes: Sequence[SimulatedEpisode]) -> Iterator[SimulatedEpisode]:
        """Simulate the person's goals over several apps in a month, each after one of its other episodes.

        Args:
            episodes: All other episodes of the month, the earliest first, which they leave as they are.

        Raises:
            StrategyError: None of `MAX_TRIES` goals at one moment could be carried out.
        """
        lived = [(one.setup.moment, one.place) for one in episodes]
        for planned, place in plan_long_intents(self._person, lived):
            rng = self._person.generator("long deed", planned.moment.isoformat())
            before = [one.goal_instance.package for one in reversed(episodes[: place + 1])]
            recent = tuple(dict.fromkeys(before))[:RECENT]
            yield self._carry_out(planned, recent, rng, partial(draw_other_long_intent, person=self._person))

    def see_looks(self, episodes: Sequence[SimulatedEpisode]) -> Iterator[tuple[PhoneLook, LookOdds, Frame]]:
        """Draw the looks at the phone in a month, the earliest first, with their odds and what is seen.

        The screen is the home screen before anything opens; whatever the kind of look, time alone changes it.

        Args:
            episodes: All episodes of the month, the earliest first.
        """
        deeds = [(one.setup.moment, one.goal_instance.package, one.goal_instance.goal) for one in episodes]
        looks = draw_looks(self._person, self._apps, len(episodes), deeds)
        odds = estimate_odds(self._person, self._apps, len(episodes), looks)
        self._go_home(looks[0].moment)
        for look, own in zip(looks, odds, strict=True):
            # without a reset for each, which would take as long as all the rest
            self._phone.now = look.moment
            yield look, own, self._make_frame(None)

    def list_drift_dates(self) -> tuple[date, ...]:
        """Dates on which a habit takes the place of another."""
        return tuple(FIRST_DAY + timedelta(days=day) for day in list_drift_days(self._routine))

    def _go_home(self, moment: datetime) -> None:
        self._make_setup(moment).apply(self._phone, launch=False)

    def _make_setup(self, moment: datetime) -> PhoneSetup:
        """Setup of the person's phone at a moment, on its home screen."""
        return PhoneSetup(
            seed=self._person.seed,
            moment=moment,
            locale=self._phone.locale,
            design=self._person.design,
            dark=self._person.dark,
            icons=self._icons,
            zone=self._person.zone,
        )

    def _carry_out(
        self,
        planned: PlannedIntent,
        recent: Sequence[str],
        rng: random.Random,
        draw_other: Callable[[PlannedIntent, random.Random], PlannedIntent],
    ) -> SimulatedEpisode:
        """Carry out a planned intent, or the first of others drawn in its place that can be carried out."""
        for _ in range(MAX_TRIES):
            episode = self._attempt(planned, tuple(recent), rng)
            if episode is not None:
                return episode
            planned = draw_other(planned, rng)
        raise StrategyError(f"none of {MAX_TRIES} intents at {planned.moment} could be carried out")

    def _draw_usual(self, planned: PlannedIntent, rng: random.Random) -> PlannedIntent:
        return alternative_intent(planned, self._person, self._apps, self._routine, rng)

    def _attempt(
        self, planned: PlannedIntent, recent: tuple[str, ...], rng: random.Random
    ) -> SimulatedEpisode | None:
        """Simulate one intent; None if its date is past, it is already fulfilled, or the strategy fails."""
        if str(planned.case.get("date", "9999")) < planned.moment.date().isoformat():
            return None
        package, goal = planned.app.package, planned.goal.name
        goal_instance = GoalInstance(package=package, goal=goal, arguments=planned.case)
        in_app = planned.goal.strategies_in(package) if self._start == "app" else ()
        strategy = self._choose_strategy(planned, in_app, rng)
        slips = draw_slips(self._style.clumsiness, rng)
        faults = (*(slips & {ADVERTISEMENT}), *self._pick_trouble(planned))
        setup = replace(
            self._make_setup(planned.moment),
            recent=recent,
            faults=faults,
            front=package if in_app else "",
            several_apps=self._start == "app" and not in_app,
        )
        # each try begins from the same state, also after a failed one
        setup.apply(self._phone)
        # a goal that is reached at the start would need no action
        if self._phone.achieved(goal_instance):
            return None
        question, right = planned.goal.question, self._phone.right_answer(goal_instance)
        happened: list[str] = []
        try:
            steps = strategy.steps(planned.case)
            # who asks stays at the answer
            ending = () if question else self._style.ending_steps(self._phone.locale, rng)
            frames = tuple(self._play_frames(steps, ending, slips, rng, happened))
        except StrategyError:
            frames = ()
        # who has come to the end of the way has read the answer
        if not frames or not self._phone.achieved(goal_instance, answered=True):
            self.given_up[package, goal, strategy.name] += 1
            return None
        intent = self._writer.write(
            planned.app, planned.goal, planned.case, planned.moment, planned.place, rng
        )
        return SimulatedEpisode(
            person=self._person,
            setup=setup,
            place=planned.place,
            intent=intent,
            goal_instance=goal_instance,
            english=planned.app.english,
            strategy=strategy.name,
            slips=tuple(dict.fromkeys(happened)),
            size=self._phone.size,
            frames=frames,
            answer=right if question else None,
            answer_form=question.form.words(self._phone.locale) if question else "",
        )

    def _choose_strategy(
        self, planned: PlannedIntent, in_app: Sequence[Strategy], rng: random.Random
    ) -> Strategy:
        """Draw a way to a goal; to a goal over several apps the person's own way through each of them."""
        if not isinstance(planned.goal, LongGoal):
            return self._style.choose_strategy(planned.app.package, planned.goal, rng, in_app)
        legs = planned.goal.legs
        return planned.goal.join_ways(
            [self._style.choose_strategy(leg.app.package, leg.goal, rng, leg.ways) for leg in legs]
        )

    def _pick_trouble(self, planned: PlannedIntent) -> tuple[str, ...]:
        rng = self._person.generator("trouble", planned.moment.isoformat())
        return (rng.choice(TROUBLES),) if rng.random() < TROUBLE_RATE else ()

    def _play_frames(
        self,
        steps: tuple[Step, ...],
        ending: tuple[Step, ...],
        slips: frozenset[str],
        rng: random.Random,
        happened: list[str],
    ) -> Iterator[Frame]:
        """Perform steps and ending; yield a frame before each gesture and one at the end.

        The slips that happen are appended to `happened`; there are none in the ending.
        """
        slips_at = assign_slips(slips, steps, rng)
        for gesture in self._make_gestures((*steps, *ending), slips_at, rng, happened):
            if is_idle(gesture, self._phone):
                continue
            self._phone.wait(self._style.pause * rng.uniform(0.6, 1.8))
            personal = self._style.personalize(gesture, self._phone, rng)
            overlays = self._phone.data["overlays"]
            if overlays and overlays[-1]["page"] == OVERLAYS[ADVERTISEMENT].page:
                happened.append(ADVERTISEMENT)
            yield self._make_frame(personal)
            personal.perform(self._phone.finger)
        yield self._make_frame(None)

    def _make_gestures(
        self, steps: tuple[Step, ...], slips: dict[int, str], rng: random.Random, happened: list[str]
    ) -> Iterator[Gesture]:
        player = GesturePlayer(self._phone, self._style.draw_gesture_habits(rng))
        for number, step in enumerate(steps):
            slip = slips.get(number)
            if slip == WRONG_TAP:
                for gesture in tap_wrongly(self._phone, player, rng):
                    happened.append(WRONG_TAP)
                    yield gesture
            if slip == TYPO and isinstance(step, TypeText):
                happened.append(TYPO)
                yield from type_with_typo(self._phone, player, step, rng)
            else:
                yield from player.gestures([step])

    def _make_frame(self, gesture: Gesture | None) -> Frame:
        phone, picture = self._phone, None
        if self._pictures is not None:
            picture = self._pictures.encode(phone.screen(), "JPEG", quality=JPEG_QUALITY)
        return Frame(moment=phone.now, screenshot=picture, tree=phone.tree("release"), gesture=gesture)
