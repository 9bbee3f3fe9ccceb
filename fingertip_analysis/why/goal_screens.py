"""The screens that lie on a way to a goal of the simulated phone, and what is touched on them.

All strategies of the goal are played on a phone of its own, each with every way to open the app, and the
person's recorded actions are carried out on another one. A screen is known by its page, by what is typed on
it and by what has changed on the phone, not by how far it is scrolled, by time, advertisements or messages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from execution_runner.devices.in_process_device import begin_in_process
from fingertip_analysis.why.screen_targets import ScreenTarget, tree_targets, tree_touched
from fingertip_dataset.actions import Click, LongClick, parse_action
from fingertip_dataset.errors import ActionSyntaxError, DeviceError
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree
from fingertip_metrics.action_matching import readable_tree
from simulated_phone import Phone
from simulated_phone.goals.app_definition import States, find_goal
from simulated_phone.goals.steps import Press
from simulated_phone.machine.state_changes import canonical, is_only_seen, list_state_changes
from simulated_phone.people.gestures import OPENINGS, Gesture, GestureHabits, GesturePlayer
from simulated_phone.people.simulation import Simulation
from simulated_phone.phone_errors import StrategyError, TreeUnavailableError

PERSON = "of the person"
"""Name of the recorded way."""

WAYS_KEPT = 512
"""Maximum number of goals whose screens are kept."""

ScreenKey = str
"""What a screen is known by; equal for screens on which the same goal can be continued in the same way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalScreens:
    """The screens on the ways to a goal, from one start.

    Attributes:
        ways: Name of each way with its screens, the one at the start first; equal ones in a row once.
        targets: Screen -> elements that a way touches on it.
        apps: Packages that are in front on one of the ways, the launcher among them.
    """

    ways: tuple[tuple[str, tuple[ScreenKey, ...]], ...]
    targets: Mapping[ScreenKey, tuple[ScreenTarget, ...]]
    apps: frozenset[str]

    def __contains__(self, screen: ScreenKey) -> bool:
        """Whether the screen lies on one of the ways."""
        return any(screen in screens for _, screens in self.ways)

    def wanted(self, screen: ScreenKey, tree: AccessibilityTree | None) -> tuple[ScreenTarget, ...]:
        """The elements of a screen that a way touches there, where they are now."""
        known = self.targets.get(screen, ())
        names = {one.labels for one in known if one.labels}
        boxes = {one.box for one in known if not one.labels}
        return tuple(one for one in tree_targets(tree) if one.labels in names or one.box in boxes)


class WayProgress:
    """How far an attempt has come on each of the ways to a goal.

    Args:
        screens: The ways.

    Attributes:
        at: Name of each way -> index of the furthest screen that was reached in the order of the way.
    """

    def __init__(self, screens: GoalScreens) -> None:
        self._ways = screens.ways
        self.at = [0] * len(self._ways)

    def reach(self, screen: ScreenKey) -> bool:
        """Whether a screen that is reached is further on one of the ways than all before."""
        further = False
        for number, (_, screens) in enumerate(self._ways):
            ahead = [index for index in range(self.at[number] + 1, len(screens)) if screens[index] == screen]
            if ahead:
                self.at[number], further = ahead[0], True
        return further

    @property
    def ended(self) -> bool:
        """Whether one of the ways was followed to its last screen."""
        return any(at == len(screens) - 1 for at, (_, screens) in zip(self.at, self._ways, strict=True))

    def words(self) -> str:
        """The way with the fewest screens left, the person's own first of equal ones, for messages."""
        left, whole, name = min(
            ((len(screens) - 1 - at, len(screens) - 1, name) for at, (name, screens) in self._each()),
            key=lambda way: way[0],
        )
        way = "the person's own way" if name == PERSON else f"the known way {name!r}"
        return f"{whole - left} of {whole} screens of {way}"

    def _each(self) -> Iterator[tuple[int, tuple[str, tuple[ScreenKey, ...]]]]:
        return zip(self.at, self._ways, strict=True)


def screen_key(phone: Phone, start: States) -> ScreenKey:
    """Return the key of the screen in front.

    Args:
        phone: The phone.
        start: Copy of its state at the start of the task.
    """
    panel, front = phone.data["panel"], phone.data["front"]
    page = phone.tasks.stack[-1] if panel is None else panel
    # whichever home page is shown, all icons are there
    home = panel is None and front == phone.launcher.package and page["page"] == phone.launcher.home
    where = front if panel is None else "panel"
    place = ["home"] if home else [where, page["page"], page["arguments"], page["fields"]]
    changes = sorted(
        canonical([change.path, change.kind, change.before if change.kind == "removed" else change.after])
        for change in list_state_changes(start, phone.state_copy(), phone.apps)
        if not is_only_seen(change, phone.apps)
    )
    return canonical([place, changes])


def phone_tree(phone: Phone) -> AccessibilityTree | None:
    """The tree of the screen; None if the phone gives none."""
    try:
        return readable_tree(phone.tree(), phone.size)
    except TreeUnavailableError:
        return None


def goal_screens(simulation: Simulation, golden: Sequence[str]) -> GoalScreens:
    """The screens on the ways to an episode's goal; those of equal arguments are computed once.

    Args:
        simulation: Setup of the phone, and the goal.
        golden: The person's recorded actions.

    Raises:
        DatasetError, PhoneSetupError, LookupError: The setup does not fit the phone.
    """
    return _play_ways(json.dumps(simulation.to_json(), sort_keys=True), tuple(golden))


@lru_cache(maxsize=WAYS_KEPT)
def _play_ways(simulation: str, golden: tuple[str, ...]) -> GoalScreens:
    one = Simulation.from_json(json.loads(simulation))
    seen = _SeenScreens()
    _follow_person(one, golden, seen)
    phone = Phone(seed=one.setup.seed, size=one.size)
    replace(one.setup, faults=()).apply(phone)
    begin, start = phone.snapshot(), phone.state_copy()
    for strategy in find_goal(phone.apps, one.goal_instance).strategies:
        for opening, name in _list_openings(strategy.name, in_app=bool(one.setup.front)):
            phone.restore(begin)
            steps = strategy.steps(one.goal_instance.arguments)
            # who leaves the app that is open may open it again
            steps = (Press("home"), *steps) if one.setup.front and opening else steps
            player = GesturePlayer(phone, GestureHabits(opening=opening or OPENINGS[0]))
            seen.begin(name, screen_key(phone, start), phone)
            try:
                for gesture in player.gestures(steps):
                    touch = _find_touched(phone, gesture)
                    gesture.perform(phone.finger)
                    seen.add(touch, screen_key(phone, start), phone)
            except StrategyError:
                seen.drop()
    return seen.screens()


def _list_openings(strategy: str, *, in_app: bool) -> Iterator[tuple[str, str]]:
    """Each way of opening the app, "" for the app that is open, and the name of the strategy so opened."""
    if in_app:
        yield "", strategy
    yield from ((opening, f"{strategy}, opened by {opening}") for opening in OPENINGS)


def _follow_person(simulation: Simulation, golden: Sequence[str], seen: _SeenScreens) -> None:
    """Carries out the recorded actions; what a phone refuses ends the way there."""
    phone = Phone(size=simulation.size)
    session = begin_in_process(simulation, phone)
    start = phone.state_copy()
    seen.begin(PERSON, screen_key(phone, start), phone)
    try:
        for text in golden:
            action = parse_action(text)
            touch = None
            if isinstance(action, Click | LongClick):
                touch = tree_touched(phone_tree(phone), action.x, action.y)
            session.step(action)
            seen.add(touch, screen_key(phone, start), phone)
    except (ActionSyntaxError, DeviceError):
        return


def _find_touched(phone: Phone, gesture: Gesture) -> ScreenTarget | None:
    """The element that a gesture touches; None for other gestures."""
    if gesture.kind not in ("tap", "hold"):
        return None
    return tree_touched(phone_tree(phone), gesture.x, gesture.y)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SeenWay:
    """A way while it is followed: its screens, and what is touched on which."""

    name: str
    screens: list[ScreenKey]
    apps: set[str]
    touches: list[tuple[ScreenKey, ScreenTarget]] = field(default_factory=list)


class _SeenScreens:
    """Collects the screens of ways, one after the other."""

    def __init__(self) -> None:
        self._ways: list[_SeenWay] = []

    def begin(self, name: str, screen: ScreenKey, phone: Phone) -> None:
        self._ways.append(
            _SeenWay(name=name, screens=[screen], apps={phone.launcher.package, phone.data["front"]})
        )

    def add(self, touch: ScreenTarget | None, screen: ScreenKey, phone: Phone) -> None:
        way = self._ways[-1]
        if touch is not None:
            way.touches.append((way.screens[-1], touch))
        way.apps.add(phone.data["front"])
        if screen != way.screens[-1]:
            way.screens.append(screen)

    def drop(self) -> None:
        """Forgets the way that was begun last: the strategy does not work from here."""
        self._ways.pop()

    def screens(self) -> GoalScreens:
        targets: dict[ScreenKey, dict[ScreenTarget, None]] = {}
        for screen, touch in (pair for way in self._ways for pair in way.touches):
            targets.setdefault(screen, {})[touch] = None
        return GoalScreens(
            ways=tuple((way.name, tuple(way.screens)) for way in self._ways),
            targets={screen: tuple(touches) for screen, touches in targets.items()},
            apps=frozenset().union(*(way.apps for way in self._ways)),
        )
