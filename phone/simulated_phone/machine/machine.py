"""State of a phone without its display: apps, clock, settings, faults, snapshots and reset."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from datetime import datetime
from types import MappingProxyType

from simulated_phone.goals.app_definition import (
    App,
    GoalInstance,
    PageView,
    State,
    States,
    find_goal,
    rule_holds,
)
from simulated_phone.language.zones import CHINA, find_zone
from simulated_phone.machine.app_stacks import SYSTEM_ACTIVITIES, Tasks
from simulated_phone.machine.faults import (
    APPS_LEFT_OPEN,
    FAULT_RECORDS,
    NO_ADB_KEYBOARD,
    PIN_LOCK,
    fault_text,
    parse_fault,
)
from simulated_phone.machine.state import (
    ADB_IME,
    IMES,
    NIGHT_MODE,
    SYSTEM,
    Data,
    Fact,
    KeptStates,
    Snapshot,
    WatchedStates,
    check_display,
    copy_json,
    hash_state,
    is_on,
    make_fresh_data,
    switch_value,
)
from simulated_phone.machine.touchscreen import Touchscreen
from simulated_phone.phone_errors import PhoneSetupError
from simulated_phone.screens.chrome import Signals
from simulated_phone.screens.nodes import ActionValue
from simulated_phone.screens.shown import Shown
from simulated_phone.screens.skin import PLAIN, Skin, skin

TOAST_MS = 2500
PAGE_SECONDS = 6.0
"""Longest time that is waited for a page to load: that of the runner on a person's phone."""

GESTURE_NAVIGATION = "2"
"""Value of the setting `navigation_mode` without a navigation bar."""


class Machine(Touchscreen):
    """State of a phone; `Phone` adds the display and gestures.

    Handlers, system pages, keys and touches take a `Machine`, so that only `Phone` imports the apps.

    Args:
        seed, size, density, faults, locale, design, dark: As of `Phone`.
        apps: The installed apps, the launcher among them.
        launcher: Package of the launcher.

    Attributes:
        apps: The installed apps by package.
        launcher: The app under all others.
        seed: What the world on the phone follows from.
        locale, zone: Language of the phone, and the IANA name of its time zone.
        design: Name of its design language.
        density: Dots per inch.
        physical_size, physical_density: Those of the display, which `set_display` may override.
        data: The whole state, plain JSON values; the apps' are drawn when they are asked for.
        tasks: The open apps.
        answer: What an agent that drives the phone over adb answered since the last reset; None for nothing.
        handled: Number of calls of apps' own handlers, and of apps cleared: without one more of them
            no app's state is another one.
        time_read: Whether somebody has read the exact time; `compose` asks so after the pages that it shows.
    """

    serial = "SIM0PHONE0001"

    def __init__(
        self,
        *,
        seed: int,
        size: tuple[int, int],
        density: int,
        apps: Sequence[App],
        launcher: str,
        faults: Iterable[str],
        locale: str,
        design: str = PLAIN,
        dark: bool = False,
    ) -> None:
        check_display(size, density)
        self.apps: Mapping[str, App] = MappingProxyType({app.package: app for app in apps})
        if len(self.apps) != len(apps):
            raise PhoneSetupError("two apps have the same package")
        self.launcher = self.apps[launcher]
        self.seed = seed
        self.locale, self.zone = locale, CHINA
        self.density = density
        self.tasks: Tasks = Tasks(self)
        self._size = size
        self.physical_size, self.physical_density = size, density
        self._faults: dict[str, float | None] = {}
        self._pristine = make_fresh_data(self.apps, self.launcher, seed, locale)
        self._facts: list[Fact] = []
        self.answer: str | None = None
        self.handled = 0
        self.time_read = False
        self._shown: Shown | None = None
        self.data: Data = copy_json(self._pristine)
        self.wear(design, dark=dark)
        for name in faults:
            self.set_fault(name, True)

    # ---- state

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the display as it is held now, px."""
        width, height = self._size
        # odd quarter turns swap the sides
        return (height, width) if self.rotation % 2 else (width, height)

    @property
    def natural_size(self) -> tuple[int, int]:
        """Width and height of the display held upright, px."""
        return self._size

    @property
    def rotation(self) -> int:
        """Quarter turns counterclockwise, 0-3: the setting `user_rotation`."""
        value = self._namespace("system")["user_rotation"]
        return int(value) if value in ("1", "2", "3") else 0

    @property
    def _moment(self) -> datetime:
        return datetime.fromtimestamp(self.data["now"] / 1000, find_zone(self.zone))

    @property
    def now(self) -> datetime:
        """The simulated local time."""
        self.time_read = True
        return self._moment

    @now.setter
    def now(self, moment: datetime) -> None:
        self._shown = None
        self.data["now"] = round(moment.timestamp() * 1000)

    @property
    def uptime(self) -> float:
        """Simulated seconds since the phone was started, for event times."""
        return float(self.data["now"] - self.data["booted"]) / 1000

    @property
    def faults(self) -> frozenset[str]:
        """Names of the faults that are on."""
        return frozenset(self._faults)

    def fault_seconds(self, name: str) -> float:
        """Seconds of a fault that is on; 0 for one that is off or without a duration."""
        return self._faults.get(name) or 0.0

    def set_fault(self, name: str, on: bool) -> None:
        """Turn a fault on or off.

        Args:
            name: Its name, or "NAME=SECONDS" for a fault with a duration or time limit.
            on: Whether it is turned on.

        Raises:
            PhoneSetupError: The fault is unknown, or the seconds do not fit.
        """
        try:
            name, seconds = parse_fault(name)
        except ValueError as error:
            raise error if isinstance(error, PhoneSetupError) else PhoneSetupError(str(error)) from None
        self._shown = None
        self._faults.pop(name, None)
        if on:
            self._faults[name] = seconds
        switch = FAULT_RECORDS[name].switch
        if switch is not None:
            switch(self.data, on, seconds or 0.0)
        if on and name == APPS_LEFT_OPEN:
            self.tasks.leave_open()

    @property
    def _fault_texts(self) -> frozenset[str]:
        return frozenset(fault_text(name, seconds) for name, seconds in self._faults.items())

    @property
    def screen_on(self) -> bool:
        """Whether the display is lit."""
        return bool(self.data["screen_on"])

    @property
    def locked(self) -> bool:
        """Whether the lock screen is shown (or would be, were the display lit)."""
        return bool(self.data["locked"])

    @property
    def settings(self) -> Mapping[str, MutableMapping[str, str]]:
        """The system's settings, namespace -> key -> value; take it afresh for each change.

        A deleted one has its first value, which the system and apps read; `setting_rows` lacks it.
        """
        self._shown = None
        return {name: self._namespace(name) for name in self.data["settings"]}

    def _namespace(self, name: str) -> MutableMapping[str, str]:
        return ChainMap(self.data["settings"][name], self._pristine["settings"][name])

    @property
    def setting_rows(self) -> dict[str, dict[str, str]]:
        """The stored settings, in which deleted ones are missing; take it afresh for each change."""
        self._shown = None
        rows: dict[str, dict[str, str]] = self.data["settings"]
        return rows

    @property
    def skin(self) -> Skin:
        """The phone's design in the mode that its settings say."""
        namespace, key = NIGHT_MODE
        stored = self.data["settings"]
        settings = stored if key in stored[namespace] else self._pristine["settings"]
        return skin(self.design, dark=is_on(settings, namespace, key))

    @property
    def imes(self) -> tuple[str, ...]:
        """The installed keyboards, `package/service`."""
        return tuple(name for name in IMES if name != ADB_IME or NO_ADB_KEYBOARD not in self._faults)

    @property
    def current_ime(self) -> str:
        """The keyboard in use."""
        return self._namespace("secure")["default_input_method"]

    @property
    def foreground(self) -> tuple[str, str]:
        """Package and activity of the window that has the focus."""
        package = self.tasks.layers()[-1][0]
        if package in self.apps:
            return package, self.apps[package].activity
        return package, SYSTEM_ACTIVITIES[package]

    @property
    def state(self) -> States:
        """Every app's state by package, and a copy of the system's settings in force as "android"."""
        self._shown = None  # whoever asks may change it
        return ChainMap(self.data["apps"], {SYSTEM: self.plain_state(SYSTEM)})

    def state_copy(self) -> States:
        """`state` as it is now, which later actions do not change; not to be changed."""
        return KeptStates(self.data["apps"].keep(), {SYSTEM: self.plain_state(SYSTEM)})

    @property
    def used_states(self) -> States:
        """States of the apps that were used since the last reset, by package: not to be changed."""
        return self.data["apps"].used  # type: ignore[no-any-return]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Events since the last reset, the earliest first."""
        return tuple(self._facts)

    def achieved(self, aim: GoalInstance, *, answered: bool = False) -> bool:
        """Whether the goal is reached, by its rule on the apps' states and by the answer to its question.

        Args:
            aim: The goal.
            answered: Whether its question was answered rightly; without meaning for a goal that asks none.
        """
        goal = find_goal(self.apps, aim)
        states = WatchedStates(self.plain_state, (SYSTEM, *self.data["apps"]))
        return (answered or goal.question is None) and rule_holds(goal, aim, states, self.seed)

    def right_answer(self, aim: GoalInstance) -> str:
        """The right answer to the goal's question by what the phone shows now; "" if it asks none."""
        question = find_goal(self.apps, aim).question
        if question is None:
            return ""
        return question.right(self.view(aim.package, {"arguments": aim.arguments, "fields": {}}))

    def is_right(self, aim: GoalInstance, given: str | None, right: str) -> bool:
        """Whether an answer to the goal's question is the right one; False without a question.

        Args:
            aim: The goal.
            given: The answer; None for none.
            right: What `right_answer` gave at the start of the task.
        """
        question = find_goal(self.apps, aim).question
        return question is not None and given is not None and question.form.same(given, right)

    def packages(self) -> tuple[str, ...]:
        """The installed apps' packages, sorted."""
        return tuple(sorted(self.apps))

    def activity_of(self, package: str) -> str | None:
        """The activity that starts the app; None when it is not installed."""
        app = self.apps.get(package)
        return app.activity if app else None

    def view(self, package: str, entry: Data) -> PageView:
        """The view of the phone that a page function of the app gets."""
        states = WatchedStates(self.plain_state, (SYSTEM, *self.data["apps"]))
        return PageView(
            state=self.data["apps"][package],
            arguments=entry["arguments"],
            fields=entry["fields"],
            moment=self._moment,
            world=self.seed,
            states=states,
            apps=tuple(self.apps.values()),
            reads=states.reads,
        )

    def plain_state(self, package: str) -> State:
        """State of an app as a page sees it; the system's settings for "android"."""
        if package == SYSTEM:
            return {"settings": {name: dict(self._namespace(name)) for name in self.data["settings"]}}
        return self.data["apps"][package]  # type: ignore[no-any-return]

    @property
    def signals(self) -> Signals:
        """Values of the status bar."""
        return Signals.at(self._moment, self._namespace("global"))

    @property
    def toast(self) -> str:
        """Text of the toast shown now, or ""."""
        toast = self.data["toast"]
        return toast["text"] if toast and self.data["now"] < toast["until"] else ""

    # ---- changes without a gesture

    def wait(self, seconds: float) -> None:
        """Let simulated time pass."""
        # whole milliseconds: sums of floats would drift
        self.data["now"] += round(seconds * 1000)

    def wait_for_page(self) -> None:
        """Let simulated time pass until the page in front has loaded, at most `PAGE_SECONDS`."""
        moving = self.tasks.moving_ms
        if moving:
            self.wait(min(moving / 1000, PAGE_SECONDS))

    def wear(self, design: str = PLAIN, *, dark: bool = False) -> None:
        """Change the design language, and the mode: that of the settings now and after each reset.

        Raises:
            PhoneSetupError: There is no such design.
        """
        skin(design)
        self.design, self._dark = design, dark
        self._shown = None
        self._dress()

    def _dress(self) -> None:
        """Write what the design and the mode change in the settings of a fresh phone."""
        namespace, key = NIGHT_MODE
        secure = self.data["settings"][namespace]
        secure[key] = switch_value(key, self._dark)
        secure.pop("navigation_mode", None)
        if not self.skin.keys:
            secure["navigation_mode"] = GESTURE_NAVIGATION

    def unlock(self) -> None:
        """Put the lock screen away, unless it asks for a PIN."""
        self._shown = None
        self.data["locked"] = PIN_LOCK in self._faults

    def open_panel(self) -> None:
        """Pull down the panel of quick settings; it stays open if it is."""
        self._shown = None
        panel = self.data["panel"]
        if self.screen_on and (panel is None or panel["page"] != "android.quick"):
            self.tasks.show_panel("quick")

    def close_panel(self) -> None:
        """Close the panel of quick settings or the recent apps."""
        self._shown = None
        self.data["panel"] = None

    def set_display(self, size: tuple[int, int] | None = None, density: int | None = None) -> None:
        """Change the size of the upright display in px, or its dots per inch; None is the physical value.

        Raises:
            PhoneSetupError: A side would have less than 320 or more than 1400 dp.
        """
        size, density = size or self.physical_size, density or self.physical_density
        check_display(size, density)
        self._size, self.density = size, density
        self._shown = None

    def open_page(
        self, package: str, page: str, arguments: Mapping[str, ActionValue], fields: Mapping[str, str]
    ) -> None:
        """Open a page of an app, with text in some of its fields."""
        self.tasks.open(package, page, arguments)
        self.tasks.stack[-1]["fields"].update(fields)
        self._shown = None

    def clear_app(self, package: str) -> None:
        """Stop an app and make its state fresh."""
        self.tasks.close(package)
        self._shown = None
        self.handled += 1
        self.data["apps"][package] = self.apps[package].fresh(self.seed)

    def show_toast(self, text: str) -> None:
        """Show a toast."""
        self.data["toast"] = {"text": text, "until": self.data["now"] + TOAST_MS}

    def log_fact(self, app: str, name: str, arguments: Mapping[str, ActionValue]) -> None:
        """Record an event."""
        self._facts.append(
            Fact(app=app, name=name, arguments=MappingProxyType(dict(arguments)), time=self.now)
        )

    # ---- snapshot and reset

    def snapshot(self) -> Snapshot:
        """Everything that `restore` restores."""
        return Snapshot(
            seed=self.seed,
            data=copy_json(self.data),
            facts=self.facts,
            faults=self._fault_texts,
            locale=self.locale,
            design=self.design,
            dark=self._dark,
            zone=self.zone,
        )

    def state_sha256(self) -> str:
        """SHA-256, in hex, of all that `snapshot` holds, and of the display's size and density.

        The same setup and the same actions give the same hash in every process and on every platform.
        """
        facts = [[fact.app, fact.name, dict(fact.arguments), fact.time.isoformat()] for fact in self._facts]
        return hash_state(
            {
                "seed": self.seed,
                "size": self._size,
                "density": self.density,
                "facts": facts,
                "faults": sorted(self._fault_texts),
                # a phone without a design has the hash that it had before there were designs
                **({} if self.design == PLAIN else {"design": self.design}),
            },
            self.data,
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of a snapshot."""
        if snapshot.seed != self.seed:
            self.reset(snapshot.seed)
        self.design, self._dark, self.zone = snapshot.design, snapshot.dark, snapshot.zone
        self.data = copy_json(snapshot.data)
        self._facts = list(snapshot.facts)
        self._faults = dict(map(parse_fault, snapshot.faults))
        self._shown = None

    def reset(self, seed: int | None = None) -> None:
        """A fresh phone, of another seed if given; switches stay as they are."""
        if seed is not None and seed != self.seed:
            self.seed = seed
            self._pristine = make_fresh_data(self.apps, self.launcher, seed, self.locale)
        self.data = copy_json(self._pristine)
        self._dress()
        self._size, self.density = self.physical_size, self.physical_density
        self._facts.clear()
        self.answer = None
        self._shown = None
        # the fresh data has no fault's changes
        for name in self._fault_texts:
            self.set_fault(name, True)
