"""A walk through an app: every strategy of every goal, then random use, with a hash of all that is shown.

Equal hashes before and after a change of an app's code mean that it shows, does and asks for the same:

    python -m phone.tests.simulated_phone.app_walk > build/before.txt        (and again after the change)
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

from simulated_phone import App, GoalInstance, Phone
from simulated_phone.apps import APPS
from simulated_phone.people.gestures import GesturePlayer
from simulated_phone.screens.nodes import Node

SEEDS = (3, 11)
TAPS, CASES, PIXELS = 1500, 60, 12
"""Random actions on a seed, cases of a goal whose rule is asked, and actions between two pictures."""


def phone_with(app: App, seed: int) -> Phone:
    """A phone with this app in place of the one of its package, and a quarter of the usual pixels."""
    apps = [app if one.package == app.package else one for one in APPS]
    return Phone(seed=seed, size=(540, 1200), density=210, apps=apps)


def shown(node: Node) -> list[Any]:
    """All that a node shows and answers to; the names of handlers are the app's own business."""
    entry = (node.entry.name, node.entry.enter, node.entry.submit is not None) if node.entry else None
    flags = (node.checkable, node.checked, node.selected, node.focused, node.enabled, node.password)
    words = (node.kind, node.text, node.description, node.hint, node.view_id)
    touch = (node.tap is not None, node.hold is not None, entry, repr(node.scroll), repr(node.wheel))
    return [node.box, words, flags, touch, repr(node.marks), [shown(child) for child in node.children]]


class Walk:
    """A walk through one app on a phone of one seed; `digest` follows from all that was seen."""

    def __init__(self, app: App, seed: int) -> None:
        self.app, self.phone = app, phone_with(app, seed)
        self.rng = random.Random(f"{app.package}:{seed}")  # noqa: S311 - a walk, not a secret
        self.cases = {goal.name: list(goal.cases(seed)) for goal in app.goals}
        self.digest, self.count = hashlib.sha256(), 0
        self.screens: set[bytes] = set()
        self.pages: set[str] = set()

    def note(self, value: object) -> None:
        """Add a JSON value to the hash."""
        self.digest.update(json.dumps(value, sort_keys=True, default=str).encode())

    def look(self) -> None:
        """Add the screen, the phone's whole state and, now and then, the pixels."""
        screen = json.dumps([shown(window.root) for window in self.phone.screen().windows])
        self.screens.add(hashlib.sha256(screen.encode()).digest())
        if self.phone.foreground[0] == self.app.package:
            self.pages.add(self.phone.tasks.stack[-1]["page"])
        self.digest.update(screen.encode())
        self.note([self.phone.state_sha256(), self.phone.toast])
        self.count += 1
        if not self.count % PIXELS:
            self.digest.update(self.phone.screenshot().tobytes())

    def judge(self) -> None:
        """Add what each goal's rule says of its cases."""
        for goal in self.app.goals:
            cases = self.cases[goal.name][:CASES]
            self.note([goal.name, *(bool(goal.rule(self.phone.state, case)) for case in cases)])

    def goals(self) -> None:
        """Add the goals as they are defined, and play each strategy."""
        for goal in self.app.goals:
            cases = self.cases[goal.name]
            self.note([goal.name, goal.words, cases])
            for strategy in goal.strategies:
                self.note([strategy.name, repr(strategy.script)])
                case = self.rng.choice(cases)
                self.phone.reset()
                player = GesturePlayer(self.phone)
                for gesture in player.gestures(strategy.steps(case)):
                    gesture.perform(self.phone.finger)
                    self.look()
                wanted = GoalInstance(package=self.app.package, goal=goal.name, arguments=case)
                self.note([self.phone.achieved(wanted, answered=True), self.phone.state[self.app.package]])
            self.judge()

    def _texts(self) -> Iterator[str]:
        """Texts to type: the goals' wordings and their arguments, numbers, and what no app knows."""
        yield from ("", "7", "二十", "13", "zz", "天", "a")
        for goal in self.app.goals:
            case = self.rng.choice(self.cases[goal.name])
            yield from (str(value) for value in case.values())
            yield self.rng.choice(goal.words).format(**case)

    def _say(self) -> None:
        """Type a text and press Enter, as voice input if the app has it."""
        if "say" in self.app.handlers and self.rng.random() < 0.5:
            self.phone.open_page(self.app.package, "voice", {}, {})
        fields = [node for node in self.phone.screen().nodes() if node.entry]
        if fields:
            self.phone.tap(*self.rng.choice(fields).box.centre)
            self.phone.type_text(self.rng.choice(list(self._texts())))
            self.look()
            if self.rng.random() < 0.7:
                self.phone.press_key("KEYCODE_ENTER")

    def use(self, taps: int) -> None:
        """Tap, hold, type and swipe at random in the app."""
        self.phone.reset()
        for number in range(taps):
            if self.phone.foreground[0] != self.app.package or number % 100 == 99:
                self.phone.start(self.app.package)
            kind = self.rng.choices(["tap", "hold", "say", "back", "swipe"], [64, 9, 13, 9, 5])[0]
            nodes = [node for node in self.phone.screen().nodes() if node.clickable or node.hold]
            x, y = self.rng.choice(nodes).box.centre
            if kind == "say":
                self._say()
            elif kind == "back":
                self.phone.press_key("KEYCODE_BACK")
            elif kind == "swipe":
                self.phone.swipe(x, 800, x, self.rng.choice((300, 1100)))
            else:
                (self.phone.tap if kind == "tap" else self.phone.long_press)(x, y)
            self.look()
        self.judge()
        self.note([self.phone.state_copy(), [[fact.name, dict(fact.arguments)] for fact in self.phone.facts]])


def walk(app: App, seed: int, taps: int = TAPS) -> Walk:
    """Walk through the app on a phone of that seed."""
    path = Walk(app, seed)
    path.goals()
    path.use(taps)
    return path


if __name__ == "__main__":
    for one in APPS:
        if not sys.argv[1:] or one.english.casefold() in sys.argv[1:]:
            for number in SEEDS:
                path = walk(one, number)
                missed = sorted(set(one.pages) - path.pages)
                digest = path.digest.hexdigest()[:24]
                print(one.english, number, len(path.screens), digest, *missed, flush=True)  # noqa: T201
