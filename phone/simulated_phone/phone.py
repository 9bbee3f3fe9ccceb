"""The phone: a machine with a display that can be observed and touched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType
from unicodedata import category

from PIL import Image

from simulated_phone import system
from simulated_phone.apps import LAUNCHER, list_apps
from simulated_phone.compose import compose, place_covered_page
from simulated_phone.goals.app_definition import App
from simulated_phone.language.language import CHINESE, speak_language
from simulated_phone.language.zones import find_zone
from simulated_phone.long_goals import composition as _long_goals  # noqa: F401 - registers its goals
from simulated_phone.machine.faults import NO_TREE, SLOW_LONG_PRESS, UNFOCUSED_FIELDS
from simulated_phone.machine.handler_context import COMMON, HandlerContext
from simulated_phone.machine.machine import Machine
from simulated_phone.machine.state import Snapshot, make_fresh_data, new_entry
from simulated_phone.phone_errors import TreeUnavailableError
from simulated_phone.screens.drawing.picture_cache import Pictures
from simulated_phone.screens.layouts.kept_layouts import KeptLayouts
from simulated_phone.screens.nodes import ActionRef, Node, TextEntry
from simulated_phone.screens.rough_trees import TreeKind, draw_page_style, find_tree_kind, roughen
from simulated_phone.screens.screen import DisplayedScreen
from simulated_phone.screens.shown import Shown
from simulated_phone.screens.skin import PLAIN
from simulated_phone.screens.theme import usual_density
from simulated_phone.screens.tree import ACTIVE_WINDOW, write_tree
from simulated_phone.touch import composing, keys, swipe
from simulated_phone.touch.fling import Velocity
from simulated_phone.touch.touch_stream import Finger

TOUCH_MS, SETTLE_MS, KEY_MS, LETTER_MS = 400, 400, 300, 200
"""Simulated duration of a touch, the start of an app, a key and a typed letter."""
HOLD_MS = 450
"""Minimum duration of a long press."""
SLOP_DP = 8
"""Smallest movement of a swipe."""
MAX_MS = 3_600_000
"""Longest time that one touch or key takes on the simulated clock."""
_UNTYPED = ("Cc", "Cs")
"""Unicode's categories of control characters and halves of surrogate pairs."""
MAX_TEXT = 2000
"""Largest number of characters in a text field."""


class Phone(Machine):
    """A simulated Android phone.

    The same seed and the same actions give the same pixels, trees and facts. Coordinates are pixels of the
    current rotation's frame. Time is simulated: it passes with actions and with `wait`.

    Args:
        seed: What the phone's world (songs, contacts, alarms, where icons are) follows from.
        size: Width and height of the upright display, px.
        density: Dots per inch; 160 is 1 px a dp. By default the display is as wide in dp as 1080 px at 420.
        apps: Installed apps; the launcher is added if it is not among them.
        faults: Names of `FAULTS` that are on.
        locale: Language of the phone and its apps, one of `language.languages()`.
        design: Design language, one of `skin.designs()`; "plain" is no maker's (docs/reference/phone.md).
        dark: Whether a fresh phone is in dark mode; the settings app changes it.
        trees: "clean" for tidy accessibility trees, "rough" for trees as untidy as real ones
            (docs/developers/trees.md).
        pictures: Where drawn screens are kept; give several phones the same one to share them.

    Raises:
        PhoneSetupError: an impossible size, two apps of one package, an unknown fault, language, design or
            kind of trees.

    Attributes:
        trees: As given.
        finger: A person's finger, whose touches `getevent` sees.

    >>> phone = Phone(size=(540, 1200))
    >>> phone.foreground
    ('com.android.launcher3', '.Launcher')
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        size: tuple[int, int] = (1080, 2400),
        density: int | None = None,
        apps: Sequence[App] | None = None,
        faults: Iterable[str] = (),
        locale: str = CHINESE,
        design: str = PLAIN,
        dark: bool = False,
        trees: TreeKind = "clean",
        pictures: Pictures | None = None,
    ) -> None:
        own = list_apps(locale)
        chosen = list(own if apps is None else apps)
        if LAUNCHER.package not in {app.package for app in chosen}:
            chosen.insert(0, next(app for app in own if app.package == LAUNCHER.package))
        super().__init__(
            seed=seed,
            size=size,
            density=usual_density(size[0]) if density is None else density,
            apps=chosen,
            launcher=LAUNCHER.package,
            faults=faults,
            locale=locale,
            design=design,
            dark=dark,
        )
        self.on_question: Callable[[str], str | None] | None = None
        self.trees = find_tree_kind(trees)
        self.finger = Finger(self)
        self._pictures = pictures or Pictures()
        self._own_apps = apps is None
        self._layouts = KeptLayouts()

    def speak(self, locale: str) -> None:
        """Change the language: all apps are fresh ones of that language, those that it lacks are gone.

        Raises:
            PhoneSetupError: there is no such language.
        """
        if locale == self.locale:
            return
        own = {app.package: app for app in list_apps(locale)}
        if not self._own_apps:
            own = {package: own.get(package, app) for package, app in self.apps.items()}
        self.apps, self.locale, self.launcher = MappingProxyType(own), locale, own[LAUNCHER.package]
        self._layouts = KeptLayouts()
        self._pristine = make_fresh_data(self.apps, self.launcher, self.seed, locale)
        self.reset()

    def settle(self, zone: str) -> None:
        """Change the time zone, as a traveller does; the moment stays.

        Raises:
            PhoneSetupError: there is no such zone.
        """
        find_zone(zone)
        self.zone, self._shown = zone, None

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the state of a snapshot, in its language."""
        self.speak(snapshot.locale)
        super().restore(snapshot)

    # ---- what is seen

    def shown(self) -> Shown:
        """Content of the display, laid out."""
        if self._shown is None or not self._shown.lasts(self.data["now"]):
            with speak_language(self.locale):
                self._shown = compose(self, self._layouts)
        return self._shown

    def screen(self) -> DisplayedScreen:
        """The laid-out screen."""
        return self.shown().screen

    def screenshot(self) -> Image.Image:
        """The display's pixels, RGB, in the current rotation's frame."""
        return self._pictures.draw(self.screen())

    def screenshot_png(self) -> bytes:
        """The display's pixels as a PNG file."""
        return self._pictures.encode(self.screen(), "PNG", compress_level=1)

    def tree(self, dialect: str = "uiautomator") -> str:
        """The accessibility tree as XML.

        Args:
            dialect: "uiautomator" for what `uiautomator dump` writes, the active window alone; "windows" for
                all windows with the same attributes; "release" for all windows in the dataset's dialect.

        Raises:
            TreeUnavailableError: The fault `no_tree` is on, or no window is active.
        """
        if NO_TREE in self._faults:
            raise TreeUnavailableError("could not get idle state")
        if dialect == ACTIVE_WINDOW and self.screen().active is None:
            raise TreeUnavailableError("null root node returned by UiTestAutomationBridge")
        if self.trees == "clean":
            return self.screen().tree(dialect)
        shown = self.shown()
        if shown.root is None:
            return write_tree([], self.screen().frame, self.rotation, dialect)
        with speak_language(self.locale):
            below = place_covered_page(self, self._layouts)
        style = draw_page_style(self.seed, shown.package, shown.entry["page"])
        root = roughen(shown.root, below, style, self.screen().frame)
        return write_tree([(shown.package, root)], self.screen().frame, self.rotation, dialect)

    # ---- gestures and keys

    def tap(self, x: int, y: int) -> None:
        """A short touch at a pixel."""
        if not self._begin(TOUCH_MS):
            return
        self._touch(self.screen().touched(x, y), held=False)

    def long_press(self, x: int, y: int, ms: int = 600) -> None:
        """A touch held for `ms`; where nothing answers to being held it is a tap, as on Android."""
        if not self._begin(TOUCH_MS + ms):
            return
        self._touch(self.screen().touched(x, y), held=ms >= self._hold_ms)

    @property
    def _hold_ms(self) -> float:
        return self.fault_seconds(SLOW_LONG_PRESS) * 1000 or HOLD_MS

    def swipe(
        self, x1: int, y1: int, x2: int, y2: int, ms: int = 300, *, velocity: Velocity | None = None
    ) -> None:
        """A swipe: content follows the finger and goes on by its velocity when it is lifted.

        What goes on has come to rest when the call returns (`touch.fling`).

        Args:
            x1: Where the finger is put down, px from the left.
            y1: Where it is put down, px from the top.
            x2: Where it is lifted, px from the left.
            y2: Where it is lifted, px from the top.
            ms: Duration.
            velocity: Velocity across and down at release, px/s; None for that of a straight, even swipe,
                (0, 0) for a drag.
        """
        slop = round(SLOP_DP * self.density / 160)
        if abs(x2 - x1) <= slop and abs(y2 - y1) <= slop:
            (self.long_press if ms >= self._hold_ms else self.tap)(x1, y1)
        elif self._begin(TOUCH_MS + ms):
            swipe.perform_swipe(self, x1, y1, x2, y2, ms, velocity=velocity, held=ms >= self._hold_ms)
            self._shown = None

    def type_text(self, text: str) -> None:
        """Text into the field that has the focus, if one has; a newline is Enter."""
        if not self._begin(LETTER_MS * len(text)):
            return
        composing.drop(self)
        for number, line in enumerate(text.split("\n")):
            if number:
                self.enter()
            # a text field shows no control characters; wide and joining spaces are none
            clean = "".join(letter for letter in line if category(letter) not in _UNTYPED)
            self.edit(lambda old, clean=clean: old + clean)  # type: ignore[misc]

    def type_keys(self, text: str) -> None:
        """Characters of a hardware keyboard or `input text`; a pinyin keyboard may compose them."""
        if not composing.takes_keys(self):
            self.type_text(text)
        elif self._begin(LETTER_MS * len(text)):
            for character in text:
                composing.type_character(self, character)
            self._shown = None

    def press_key(self, code: str) -> None:
        """A key by its name ("KEYCODE_BACK"); keys that the phone does not know do nothing."""
        lit = self._begin(KEY_MS)
        if code in keys.ALWAYS:
            keys.ALWAYS[code](self)
        elif lit and code in keys.WITH_SCREEN_ON:
            keys.WITH_SCREEN_ON[code](self)
        elif lit and code in keys.LETTERS:
            if composing.takes_keys(self):
                composing.type_character(self, keys.LETTERS[code])
            else:
                self.edit(lambda old: old + keys.LETTERS[code])
        self._shown = None

    def start(self, component: str) -> bool:
        """Bring an app to the front by `package` or `package/activity`; False if it is not installed."""
        package, _, activity = component.partition("/")
        app = self.apps.get(package)
        known = {app.activity, f"{package}{app.activity}"} if app else set()
        if app is None or (activity and activity not in known):
            return False
        self._begin(SETTLE_MS)
        self.tasks.open(package)
        self._shown = None
        return True

    def stop(self, package: str) -> None:
        """Stop an app; if it is in front, the launcher is shown."""
        self._begin(SETTLE_MS)
        self.tasks.close(package)
        self._shown = None

    def command_ended(self) -> None:
        """Called when a command of a host has ended that may have changed something."""
        self._shown = None

    def follow_intent(self, words: Sequence[str], work: Callable[[], None]) -> None:
        """Do what an intent of a host says.

        Args:
            words: The arguments of `am` that hold the intent.
            work: Does it.
        """
        work()

    def take_answer(self, text: str) -> None:
        """Note the answer of an agent to the question of its task; the last one counts."""
        self.answer = text

    def put_question(self, text: str) -> str | None:
        """Put a question of an agent to the person; the reply, or None if nobody answers on this phone."""
        return None if self.on_question is None else self.on_question(text)

    def _begin(self, ms: int) -> bool:
        """Advance the clock and remove the toast; return whether the display is on."""
        # a host may ask for any duration, but the clock must stay within the years of a date
        self.data["now"] += min(max(0, ms), MAX_MS)
        if self.data["toast"] is not None:
            self.data["toast"] = self._shown = None
        return self.screen_on

    def _touch(self, node: Node | None, *, held: bool) -> None:
        if node is None:
            return
        if held and node.hold is not None:
            self.act(node.hold)
        elif node.entry is not None and node.clickable:
            self._focus(node.entry, node.text)
        elif node.tap is not None:
            self.act(node.tap)
        self._shown = None

    def _focus(self, entry: TextEntry, text: str) -> None:
        page = self.shown().entry
        first = entry.name not in page["fields"]
        if entry.replaces is not None and page["focus"] != entry.name:
            self.act(entry.replaces)
            page["fields"][entry.name] = ""
        # a field that starts with a text keeps it when it is tapped
        page["fields"].setdefault(entry.name, text)
        if not (first and UNFOCUSED_FIELDS in self._faults):
            page["focus"] = entry.name
            page.pop("typing", None)

    def act(self, action: ActionRef) -> None:
        """Do what a node's action says: the system's, or that of the app whose page is shown."""
        with speak_language(self.locale):
            self._act(action)
        self._shown = None

    def _act(self, action: ActionRef) -> None:
        if action.name in system.ACTIONS:
            system.ACTIONS[action.name](self, **dict(action.arguments))
        else:
            shown = self.shown()
            package, _, name = action.name.rpartition("/")
            app, entry = self.apps[package or shown.package], shown.entry
            if package:
                # a widget on the home screen names its app: there the app's page is not shown
                front = self.data["front"] == package
                entry = self.tasks.stack[-1] if front else new_entry(app.home)
            # an app may replace a common handler
            handler = app.handlers.get(name)
            if handler is None:
                handler = COMMON[name]
            else:
                # common ones change no app's state
                self.handled += 1
            handler(HandlerContext(self, app.package, entry), **dict(action.arguments))

    def edit(self, change: Callable[[str], str]) -> None:
        """Change the text of the field that has the focus, if one has."""
        focus = self.shown().focus
        if focus is not None and focus.entry is not None:
            self.shown().entry["fields"][focus.entry.name] = change(focus.text)[:MAX_TEXT]
            self._shown = None

    def enter(self) -> None:
        """The Enter key: the focused field's action, and the keyboard goes."""
        shown = self.shown()
        if shown.focus is None or shown.focus.entry is None:
            return
        submit = shown.focus.entry.submit
        if submit is not None:
            self.act(submit)
        shown.entry["focus"] = None
        shown.entry.pop("typing", None)
        self._shown = None
