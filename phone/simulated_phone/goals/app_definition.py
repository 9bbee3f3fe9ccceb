"""Definition of an app: data and small functions. `docs/developers/add-an-app.md` shows how to add one."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeAlias

from simulated_phone.goals.answer_form import Question
from simulated_phone.goals.steps import Open, Press, Step, rewrite_step
from simulated_phone.phone_errors import UnknownGoalError
from simulated_phone.screens.layouts.widgets import Widget
from simulated_phone.screens.nodes import ActionRef, ActionValue
from simulated_phone.screens.pages import Surface

State: TypeAlias = dict[str, Any]
"""An app's state: plain JSON values, the single source of what it shows."""
States: TypeAlias = Mapping[str, State]
"""Every app's state by package; "android" holds the system's: {"settings": {namespace: {key: value}}}."""
Arguments: TypeAlias = Mapping[str, ActionValue]

LAST_POSITION = 1000
"""Position of an app that states none: after all that do; such apps are ordered by package."""
ALL_DAY = (8, 10, 13, 16, 19, 21)
"""Hours of use of an app that states none."""


NOW, MINUTE, SEED = "@now", "@minute", "@seed"
"""What a page may read of a phone beside apps' states, in `PageView.reads`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """View of the phone for a page function; it notes what the function reads.

    Args:
        state: The app's own state.
        arguments: What the page was opened with.
        fields: Text typed on this page by the field's name.
        moment: The phone's simulated time.
        world: The phone's seed.
        states: Every app's state.
        apps: The installed apps.
        reads: `NOW`, `MINUTE` and `SEED`, if they were read, and the packages whose states were.
    """

    state: State
    arguments: Mapping[str, Any]
    fields: Mapping[str, str]
    moment: datetime
    world: int
    states: States
    apps: Sequence[App]
    reads: set[str] = field(default_factory=set)

    @property
    def now(self) -> datetime:
        """The phone's simulated time; take `minute` where that will do, for it changes less often."""
        self.reads.add(NOW)
        return self.moment

    @property
    def minute(self) -> datetime:
        """The phone's simulated time without seconds."""
        self.reads.add(MINUTE)
        return self.moment.replace(second=0, microsecond=0)

    @property
    def seed(self) -> int:
        """The phone's seed, which its world follows from."""
        self.reads.add(SEED)
        return self.world

    def setting(self, namespace: str, key: str) -> str:
        """A value of the system's settings ("" where there is none)."""
        return str(self.states["android"]["settings"][namespace].get(key, ""))


PageFunction: TypeAlias = Callable[[PageView], Surface]
Handler: TypeAlias = Callable[..., None]
"""Called as handler(turn, **arguments), with the arguments of the `ActionRef`."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """Natural way to a goal: its name ("search", "browse", "voice", "shortcut", ...) and its script.

    The steps' words may name the goal's arguments in braces.

    >>> from simulated_phone.goals.steps import Tap
    >>> Strategy("browse", (Tap("{hour}时"), Tap("{minute:02d}分"))).steps({"hour": 7, "minute": 5})
    (Tap(label='7时', within='', nth=0), Tap(label='05分', within='', nth=0))
    """

    name: str
    script: tuple[Step, ...]

    def steps(self, arguments: Arguments) -> tuple[Step, ...]:
        """The steps for these arguments."""
        return tuple(rewrite_step(step, lambda text: text.format_map(arguments)) for step in self.script)

    def stays_in(self, package: str) -> bool:
        """Whether it opens the app first, and no other app, home screen or panel of the system later.

        >>> from simulated_phone.goals.steps import Tap
        >>> Strategy("icon", (Press("home"), Tap("时钟"))).stays_in("com.android.deskclock")
        False
        """
        first, *others = self.script
        return first == Open(package) and not any(map(_leaves_app, others))


def _leaves_app(step: Step) -> bool:
    return isinstance(step, Open) or (isinstance(step, Press) and step.key != "back")


def any_state(states: States, arguments: Arguments) -> bool:
    """The rule of a goal that only asks a question: it wants nothing changed."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Something a person wants from an app: a state, the answer to a question, or both.

    Args:
        name: The goal's name within the app.
        words: How people word it: templates with the arguments' names in braces.
        cases: The sets of arguments that make sense in the world of a seed, none reached at the start.
        strategies: Natural ways to reach it; the apps of the suite have at least three. Those of a question
            end where the answer is on the screen.
        rule: Whether the wanted state is reached, by the apps' states alone; only a question goes without.
        question: What is asked; None for a goal that wants a state.
        evidence: Text that stands for the answer on a screen, such as the line of the day whose weather is
            asked for; None where the answer itself is written there. Success does not depend on it.

    Raises:
        ValueError: The goal has neither a rule nor a question.
    """

    name: str
    words: tuple[str, ...]
    cases: Callable[[int], Sequence[Arguments]]
    strategies: tuple[Strategy, ...]
    rule: Callable[[States, Arguments], bool] = any_state
    question: Question | None = None
    evidence: Callable[[PageView], str] | None = None

    def __post_init__(self) -> None:
        if self.rule is any_state and self.question is None:
            raise ValueError(f"the goal {self.name!r} needs a rule or a question")

    def strategies_in(self, package: str) -> tuple[Strategy, ...]:
        """The strategies that begin and stay in the app; empty for a goal that needs several apps."""
        return tuple(strategy for strategy in self.strategies if strategy.stays_in(package))


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalInstance:
    """A goal of an app with its arguments filled in."""

    package: str
    goal: str
    arguments: Arguments = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcut:
    """A line of the icon's menu; the app does `tap`, opened at its home page."""

    text: str
    glyph: str
    tap: ActionRef


# two apps are never equal, so that an app can be a part of a cache's key
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class App:
    """App of a phone.

    Args:
        package: Package name, e.g. "com.android.deskclock".
        activity: Activity name as in a component, e.g. ".DeskClock".
        label: Chinese name under the icon.
        english: English name (the launcher's search finds it, too).
        glyph: The icon's shape, a name in `icons.GLYPHS`.
        color: The icon's and the app's accent colour.
        initial: The state on a fresh phone, drawn from the given generator.
        pages: Page functions by name.
        home: The page shown first.
        handlers: What taps do, by the name in `do(name, ...)`.
        shortcuts: The menu of a long press on the icon.
        widget: What it shows on the home screen, if anything; its taps are the app's.
        goals: What people want from the app.
        position: Place in the order of installation. The launcher's search, the list of apps and simulated
            people's choices follow that order, so a changed position changes simulated data.
        hours: Hours of the day at which people mostly use the app.
        seen: Keys of the state ("history", or "playing.title" for one within another) that change when
            somebody only looks at something. Changes there count for goals, but never as side effects.
        badge: Number on its icon, from its state; it has none where there are no pictures.
        times: Keys of the state ("calls.when" for that of a list's records) that hold moments, which no two
            ways to a goal share: changes there do not count at all.
    """

    package: str
    activity: str = ".MainActivity"
    label: str
    english: str
    glyph: str
    color: str
    initial: Callable[[random.Random], State]
    pages: Mapping[str, PageFunction]
    home: str = "home"
    handlers: Mapping[str, Handler] = field(default_factory=lambda: MappingProxyType({}))
    shortcuts: Sequence[Shortcut] = ()
    widget: Callable[[PageView], Widget] | None = None
    goals: Sequence[Goal] = ()
    position: int = LAST_POSITION
    hours: tuple[int, ...] = ALL_DAY
    seen: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    badge: Callable[[State], int] | None = None

    def __post_init__(self) -> None:
        for name in ("pages", "handlers"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @property
    def component(self) -> str:
        """`package/activity`, as `am start -n` takes it."""
        return f"{self.package}/{self.activity}"

    def fresh(self, seed: int) -> State:
        """The state on a fresh phone of that seed."""
        return self.initial(generator(self.package, seed))

    def pristine(self, seed: int) -> State:
        """The state on a fresh phone of that seed, drawn once for all phones: not to be changed."""
        return pristine_state(self.package, self.initial, seed)

    def goal(self, name: str) -> Goal:
        """The goal of that name.

        Raises:
            KeyError: the app has no such goal.
        """
        return {goal.name: goal for goal in self.goals}[name]


LongGoalFinder: TypeAlias = Callable[["App", str], "Goal | None"]
"""Finds a goal over several apps that begins with an app, by its name; None if there is none."""

_long_goal_finders: list[LongGoalFinder] = []


def register_long_goals(finder: LongGoalFinder) -> None:
    """Let `find_goal` find goals over several apps, whose module needs the apps and so imports this one."""
    _long_goal_finders.append(finder)


def find_goal(apps: Mapping[str, App], aim: GoalInstance) -> Goal:
    """The goal of one of these apps, or the goal over several apps that begins with one of them.

    Raises:
        UnknownGoalError: There is no such app, or it has no such goal.
    """
    app = apps.get(aim.package)
    if app is None:
        packages = sorted(package for package, one in apps.items() if one.goals)
        message = f"the phone has no app {aim.package!r}; apps with goals are {', '.join(packages)}"
        raise UnknownGoalError(message, name=aim.package, names=packages)
    for goal in app.goals:
        if goal.name == aim.goal:
            return goal
    for finder in _long_goal_finders:
        found = finder(app, aim.goal)
        if found is not None:
            return found
    names = sorted(goal.name for goal in app.goals)
    message = f"the app {aim.package} has no goal {aim.goal!r}; its goals are {', '.join(names) or 'none'}"
    raise UnknownGoalError(message, name=aim.goal, names=names)


def rule_holds(goal: Goal, aim: GoalInstance, states: States, seed: int) -> bool:
    """Whether the goal's rule holds in these states, on a phone of this seed.

    Raises:
        UnknownGoalError: An argument is missing that the goal's cases have.
    """
    try:
        return goal.rule(states, aim.arguments)
    except KeyError:
        names = sorted(next(iter(goal.cases(seed)), {}))
        missing = [name for name in names if name not in aim.arguments]
        if not missing:
            raise
        message = f"the goal {goal.name!r} of {aim.package} needs the arguments {', '.join(names)}: "
        raise UnknownGoalError(f"{message}{', '.join(missing)} missing", name=missing[0], names=[]) from None


class WorldRandom(random.Random):
    """`random.Random` with a faster `choice` and `sample`, which draw most of a world; the results are equal.

    `phone_seed` is the seed of the phone: what apps share follows from it.

    >>> one, other = WorldRandom("a"), random.Random("a")
    >>> one.choice("abc") == other.choice("abc"), one.sample(range(9), 4) == other.sample(range(9), 4)
    (True, True)
    """

    phone_seed: int = 0

    def choice(self, seq: Any) -> Any:  # noqa: ANN401 - as of random.Random
        """Choose an element of a sequence."""
        size = len(seq)
        if not size:
            raise IndexError("Cannot choose from an empty sequence")
        draw, bits = self.getrandbits, size.bit_length()
        number = draw(bits)
        while number >= size:
            number = draw(bits)
        return seq[number]

    def sample(self, population: Any, k: int, *, counts: Any = None) -> list[Any]:  # noqa: ANN401 - as above
        """Choose k elements of a sequence without repetition."""
        size = len(population)
        # beyond 21 elements the standard library may draw without a pool, and so other elements
        if counts is not None or size > 21 or not 0 <= k <= size:
            return super().sample(population, k, counts=counts)
        pool, chosen, draw = list(population), [], self.getrandbits
        for left in range(size, size - k, -1):
            bits = left.bit_length()
            number = draw(bits)
            while number >= left:
                number = draw(bits)
            chosen.append(pool[number])
            pool[number] = pool[left - 1]
        return chosen


def generator(package: str, seed: int) -> random.Random:
    """The random numbers that an app's world on a phone of that seed is drawn from."""
    rng = WorldRandom(f"{seed}:{package}")
    rng.phone_seed = seed
    return rng


def phone_seed(rng: random.Random) -> int:
    """The seed of the phone whose world these random numbers of `generator` draw; 0 for other ones.

    >>> phone_seed(generator("com.example.app", 7))
    7
    """
    return rng.phone_seed if isinstance(rng, WorldRandom) else 0


@lru_cache(maxsize=512)
def pristine_state(package: str, initial: Callable[[random.Random], State], seed: int) -> State:
    """An app's state on a fresh phone of that seed, drawn once for all phones: not to be changed."""
    return initial(generator(package, seed))


def choose(text: str, options: Sequence[str]) -> str | None:
    """The option that a spoken phrase means: the longest one that it holds, or the one that holds it.

    >>> choose("我要听晴天", ["晴天", "天"])
    '晴天'
    """
    clean = text.strip().casefold()
    named = [option for option in options if option.casefold() in clean]
    if named:
        return max(named, key=len)
    near = [option for option in options if clean and clean in option.casefold()]
    return near[0] if near else None
