"""An action and its screen, with what every kind of action is judged by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from execution_runner.safety.decision import ALLOWED, GateDecision, confirm, deny
from execution_runner.safety.judged_screen import JudgedScreen
from fingertip_agents.execution_agent import ScreenInput
from fingertip_dataset.release.problems import printable
from fingertip_dataset.ui_tree.accessibility import Element
from fingertip_dataset.ui_tree.screen_layout import Control
from fingertip_dataset.ui_tree.touched import words
from fingertip_runs.app_rules import Rules, matches

MANY = 20
"""Most elements under one point that are judged; more are asked about."""
SMALL = 0.2
"""Share of the screen's height up to which an element without a text may be a control."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAction:
    """An action on one screen; `screen` is None if it cannot be read."""

    rules: Rules
    observation: ScreenInput
    app: str
    screen: JudgedScreen | None
    black: bool

    def unseen(self) -> Iterator[GateDecision]:
        """Decisions if the tree or the screenshot is missing."""
        if self.screen is None:
            yield confirm("there is no accessibility tree to judge by")
        if self.black:
            yield confirm("the screenshot is black")

    def _packages(self, elements: Iterable[Element]) -> Iterator[GateDecision]:
        packages = {element.package for element in elements if element.package}
        yield from map(self._package, (self.observation.package, *sorted(packages)))

    def _package(self, package: str) -> GateDecision:
        rules, shown = self.rules.packages, printable(package, 100)
        if matches(package, rules.confirmed):
            return confirm(f"{shown} asks for a permission")
        if package and package == self.app:
            return ALLOWED
        if matches(package, rules.denied):
            return deny(f"{shown} must not be touched")
        if matches(package, (*rules.launchers, *rules.keyboards, *rules.navigation)):
            return ALLOWED
        reason = f"{shown or 'an app that the phone does not name'} is not the app of the task"
        return GateDecision(decision=rules.others, reason=reason)

    def _of_money(self) -> bool:
        """Whether the app in front or the task's is one of money."""
        return any(matches(name, self.rules.packages.money) for name in (self.observation.package, self.app))

    def _find_around(self, element: Element) -> tuple[str, ...]:
        """Texts next to or around an element, and of the screen's headings."""
        layout = self._screen.layout
        return (*layout.near(element), *(text for e in layout.headings for text in words(e)))

    def _find_dangers(self, texts: Iterable[str], control: Control) -> Iterator[GateDecision]:
        screen = self._screen
        strict = screen.money or screen.secret or (control is Control.ROW and screen.settings)
        yield from screen.dangers(texts, control, strict=strict)

    def _is_corner(self, element: Element) -> bool:
        """Whether it is a small element in the upper left corner, where apps go back."""
        width, height = self.observation.size
        box = element.box
        return box is not None and box.right <= width * 0.2 and box.bottom <= height * 0.12

    @property
    def _screen(self) -> JudgedScreen:
        assert self.screen is not None  # noqa: S101 - callers have checked it
        return self.screen

    def _find_focused(self) -> tuple[Element, ...]:
        """The text fields that may have the focus: the focused one, or any if that is not known."""
        if self.screen is None:
            return ()
        fields = self.screen.layout.fields
        return tuple(field for field in fields if field.focused) or fields

    def _is_secret(self, field: Element) -> bool:
        """Whether a text field takes a secret of any kind."""
        screen = self._screen
        if screen.is_password(field):
            return True
        return not screen.is_search(field) and screen.has_field_word(field, self.rules.typing.secrets)
