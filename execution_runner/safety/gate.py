"""The safety gate before each action on a person's phone: allow, confirm or deny, with a reason.

It judges an action by the screen on which the agent decided. The phone may show another screen when the
action arrives; a gate on the computer's side cannot remove this risk.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from execution_runner.devices.device import Observation
from execution_runner.devices.perform import on_screen
from execution_runner.safety.rules import Rules, Ruling, matches, plain
from fingertip_dataset.actions import Action, Click, LongClick, Scroll, Type, format_action
from fingertip_dataset.errors import AccessibilityTreeError, BlackFrameError
from fingertip_dataset.release.problems import printable
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Element, parse_tree
from fingertip_dataset.ui_tree.touched import Touched, is_field, words

__all__ = ["Ask", "Gate", "GateDecision", "Rules", "Ruling", "judge", "terminal_ask"]

_STRICTNESS: tuple[Ruling, ...] = ("allow", "confirm", "deny")
_SHOWN = 40
_TERMINAL = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDecision:
    """The gate's decision on an action.

    Attributes:
        decision: From a `Gate`, "confirm" means that a person agreed, "deny" that it must not be performed.
        reason: The reason, one line without control characters.
    """

    decision: Ruling
    reason: str


Ask = Callable[..., bool]
"""Asks a person for consent: called with the action, the decision, the observation, and with `intent=` if the
gate knows the task."""

ALLOWED = GateDecision(decision="allow", reason="no rule is against it")


class Gate:
    """Applies the rules, and asks a person for consent. Thread-safe.

    Args:
        rules: The rules.
        ask: Asks a person; None if nobody is present.
    """

    def __init__(self, rules: Rules, ask: Ask | None) -> None:
        self.rules = rules
        self._ask = ask

    def check(self, action: Action, observation: Observation, app: str, *, intent: str = "") -> GateDecision:
        """The final decision on an action: one that needs consent and does not get it is denied.

        Args:
            action: The agent's action.
            observation: The screen on which the agent decided.
            app: Package of the task's app; "" for none.
            intent: The task in words, for the person.
        """
        verdict = judge(self.rules, action, observation, app)
        if verdict.decision != "confirm":
            return verdict
        if self._ask is None:
            return GateDecision(decision="deny", reason=f"{verdict.reason}; nobody is there to agree")
        task = {"intent": intent} if intent else {}
        if not self._ask(action, verdict, observation, **task):
            return GateDecision(decision="deny", reason=f"{verdict.reason}; the person did not agree")
        return verdict


def judge(rules: Rules, action: Action, observation: Observation, app: str) -> GateDecision:
    """The strictest ruling on an action, before a person's consent.

    Args:
        rules: The rules.
        action: The agent's action; its own words for what it touches can only make the decision stricter.
        observation: The screen on which the agent decided.
        app: Package of the task's app, with or without an activity; "" for none.
    """
    # back, home, recents, wait and finished touch no element
    if not isinstance(action, Click | LongClick | Scroll | Type):
        return ALLOWED
    case = _Case(rules=rules, observation=observation, app=app.partition("/")[0], tree=_tree(observation))
    match action:
        case Click() | LongClick():
            found = [*case.unseen(), *case.touch(action.x, action.y), *case.claim(action)]
        case Scroll():
            # a scroll activates nothing, so only a denied app or label matters
            found = [v for v in case.touch(action.x, action.y) if v.decision == "deny"]
        case Type():
            found = [*case.unseen(), *case.typing(action.text)]
    return max(found, key=lambda verdict: _STRICTNESS.index(verdict.decision), default=ALLOWED)


def terminal_ask(
    action: Action, verdict: GateDecision, observation: Observation, *, intent: str = ""
) -> bool:
    """Asks on the terminal, through standard error; False without a terminal or an answer.

    Args:
        action: The agent's action.
        verdict: The decision, whose reason is shown.
        observation: The screen; its foreground app is shown.
        intent: The task in words; "" if not known.
    """
    # input from a pipe is no person's consent
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    lines = [
        f"task    {printable(intent, 200)}" if intent else "",
        f"app     {printable(observation.package, 100) or 'not known'}",
        f"action  {printable(format_action(action), 200)}",
        f"reason  {verdict.reason}",
    ]
    # several phones may ask at the same time
    with _TERMINAL:
        print(*filter(None, lines), sep="\n", file=sys.stderr)  # noqa: T201 - a question to a person
        print("do it? [y/N] ", end="", file=sys.stderr, flush=True)  # noqa: T201 - see above
        return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _tree(observation: Observation) -> AccessibilityTree | None:
    """The tree, if it can be parsed and has any text; some apps give only frames."""
    if observation.tree is None:
        return None
    try:
        tree = parse_tree(observation.tree, screen=observation.size)
    except AccessibilityTreeError:
        return None
    return tree if any(words(element) for element in tree.elements) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """The screen by which an action is judged."""

    rules: Rules
    observation: Observation
    app: str
    tree: AccessibilityTree | None

    def unseen(self) -> Iterator[GateDecision]:
        """Decisions if the tree or the screenshot is missing."""
        if self.tree is None:
            yield _confirm("there is no accessibility tree to judge by")
        if any(isinstance(problem, BlackFrameError) for problem in self.observation.problems):
            yield _confirm("the screenshot is black")

    def touch(self, x: float, y: float) -> Iterator[GateDecision]:
        """Decisions on a touch; a point outside the screen is moved to its edge, as when it is performed."""
        yield self._package(self.observation.package)
        if self.tree is None:
            return
        touched = Touched.at(self.tree, *on_screen(x, y, self.observation.size))
        if touched is None:
            yield _confirm("the point is outside of every element")
            return
        yield from self._packages({touched.under[-1], *touched.reacting})
        groups = touched.label(self.tree, self.rules.labels.parts)
        for group in groups:
            yield from self._labels(group)
        if self._password() and self._is_key(touched, groups):
            yield _deny("a key for the password field")

    def typing(self, text: str) -> Iterator[GateDecision]:
        """Decisions on typing into the focused field."""
        yield self._package(self.observation.package)
        if self.tree is not None:
            yield from self._packages(e for e in self.tree.elements if e.focused and e.visible is not False)
            if self._password():
                yield _deny("the text would go into a password field")
        if "\n" in text or "\r" in text:
            yield GateDecision(
                decision=self.rules.typing.enter, reason="a newline is the key Enter, which can send"
            )

    def claim(self, action: Click | LongClick) -> Iterator[GateDecision]:
        """Decisions on the agent's own description of the touched element; they never allow an action."""
        label = self._plain(action.content or "")
        word = _within(label, self.rules.labels.denied)
        if word:
            yield _confirm(f"the agent says that it touches {word!r}, and the screen does not")
        word = _within(label, self.rules.labels.confirmed)
        if word and not self._speaks(action.x, action.y):
            yield _confirm(f"the agent says that it touches {word!r}, and the screen says nothing there")

    def _speaks(self, x: float, y: float) -> bool:
        touched = Touched.at(self.tree, *on_screen(x, y, self.observation.size)) if self.tree else None
        if self.tree is None or touched is None:
            return False
        return any(touched.label(self.tree, self.rules.labels.parts))

    def _packages(self, elements: Iterable[Element]) -> Iterator[GateDecision]:
        for package in sorted({element.package for element in elements if element.package}):
            yield self._package(package)

    def _package(self, package: str) -> GateDecision:
        rules, shown = self.rules.packages, printable(package, 100)
        if matches(package, rules.confirmed):
            return _confirm(f"{shown} asks for a permission")
        # after the permission dialogs, which ask even within the task's app
        if package and package == self.app:
            return ALLOWED
        if matches(package, rules.denied):
            return _deny(f"{shown} must not be touched")
        if matches(package, (*rules.launchers, *rules.keyboards, *rules.navigation)):
            return ALLOWED
        reason = f"{shown or 'an app that the phone does not name'} is not the app of the task"
        return GateDecision(decision=rules.others, reason=reason)

    def _labels(self, texts: Iterable[str]) -> Iterator[GateDecision]:
        """Decisions on an element's texts, each alone and joined, since a word may be split over labels."""
        rules, labels = self.rules.labels, ""
        for text in texts:
            label, shown = self._plain(text), printable(text, _SHOWN)
            if len(label) > rules.short:
                if word := _within(label, rules.denied):
                    yield _confirm(f"{word!r} is in the long text '{shown}'")
                continue
            labels += label
            if word := _within(label, rules.denied):
                yield _deny(f"{word!r} is in the label '{shown}'")
            elif word := _within(label, rules.confirmed):
                yield _confirm(f"{word!r} is in the label '{shown}'")
        if word := _within(labels, rules.denied):
            yield _deny(f"{word!r} is in the labels {labels[:_SHOWN]!r}")
        elif word := _within(labels, rules.confirmed):
            yield _confirm(f"{word!r} is in the labels {labels[:_SHOWN]!r}")

    def _plain(self, text: str) -> str:
        # an app's name on the home screen may contain a denied word, as 支付宝 does
        label = plain(text)
        if matches(self.observation.package, self.rules.packages.launchers):
            for name in self.rules.labels.app_names:
                label = label.replace(name, " ")
        return label

    def _password(self) -> bool:
        """Whether text would go into a password field: the focused one, or any if the focus is unknown."""
        # visible is None in dialects without the flag: such elements count
        elements = [e for e in (self.tree.elements if self.tree else ()) if e.visible is not False]
        focused = [e for e in elements if e.focused and (is_field(e) or e.password)]
        return any(self._is_password(e) for e in focused or elements)

    def _is_password(self, element: Element) -> bool:
        labels = (*words(element), element.view_id)
        return element.password is True or (
            is_field(element)
            and any(_within(plain(text), self.rules.typing.password_words) for text in labels)
        )

    def _is_key(self, touched: Touched, groups: Iterable[Iterable[str]]) -> bool:
        """Whether a key is touched: a keyboard's, or an element with a single letter or digit."""
        keyboards = self.rules.packages.keyboards
        return any(matches(element.package, keyboards) for element in touched.under) or any(
            len(plain(text)) == 1 for group in groups for text in group
        )


def _within(text: str, rule_words: Iterable[str]) -> str:
    """The first of the words that the text contains; "" for none."""
    return next((word for word in rule_words if word in text), "")


def _confirm(reason: str) -> GateDecision:
    return GateDecision(decision="confirm", reason=reason)


def _deny(reason: str) -> GateDecision:
    return GateDecision(decision="deny", reason=reason)
