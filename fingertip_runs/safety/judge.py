"""The rules applied to one action on one screen, before a person's consent.

docs/safety.md has the policy in words. A touched element is judged by its texts; if it has none, or only
"OK", by its resource id and by what stands beside or around it; and on a screen of money or of a secret,
what is not known to be harmless is asked about.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fingertip_agents.execution_agent import ScreenInput
from fingertip_dataset.actions import Action, Click, LongClick, Scroll, Type
from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.release.problems import printable
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Element, parse_tree
from fingertip_dataset.ui_tree.normal_text import id_words, normal, plain
from fingertip_dataset.ui_tree.phrases import core, finder
from fingertip_dataset.ui_tree.screen_layout import Control, ScreenLayout
from fingertip_dataset.ui_tree.touched import Touched, on_screen, reacts, words
from fingertip_runs.safety.decision import ALLOWED, GateDecision, confirm, deny, strictest
from fingertip_runs.safety.judged_screen import JudgedScreen
from fingertip_runs.safety.rules import Rules, matches

_COUNT = re.compile(r"(?<=[^0-9 ])[0-9 ]+$")
"""How many are chosen, at the end of a label such as "Done (3/9)"."""
_MANY = 20
"""Most elements under one point that are judged; more are asked about."""
_FEW = 5
"""Most elements to touch on a page that makes an offer."""
_HINT = 80
"""Letters of the longest text that is a hint of a gesture."""
_SMALL = 0.2
"""Share of the screen's height up to which an element without a text may be a control."""


def judge(
    rules: Rules, action: Action, observation: ScreenInput, app: str, *, black: bool = False
) -> GateDecision:
    """The strictest ruling on an action, before a person's consent.

    Args:
        rules: The rules.
        action: The agent's action; its own words for what it touches can only make the decision stricter.
        observation: The screen on which the agent decided.
        app: Package of the task's app, with or without an activity; "" for none.
        black: Whether the screenshot is black.
    """
    if not isinstance(action, Click | LongClick | Scroll | Type):
        return ALLOWED
    tree = _tree(observation)
    screen = None
    if tree is not None:
        bars = (*rules.packages.navigation, *rules.packages.keyboards)
        names = {e.package for e in tree.elements} - {observation.package}
        others = frozenset(name for name in names if matches(name, bars))
        layout = ScreenLayout(tree=tree, size=observation.size, other_packages=others)
        screen = JudgedScreen(rules=rules, layout=layout, package=observation.package)
    case = _Case(rules=rules, observation=observation, app=app.partition("/")[0], screen=screen, black=black)
    match action:
        case Click() | LongClick():
            found = [*case.unseen(), *case.touch(action)]
        case Scroll():
            found = list(case.swipe(action))
        case Type():
            found = [*case.unseen(), *case.typing(action.text)]
    return strictest(found)


def _tree(observation: ScreenInput) -> AccessibilityTree | None:
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
    """An action's screen; `screen` is None if it cannot be read."""

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

    # ---- packages

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

    # ---- clicks

    def touch(self, action: Click | LongClick) -> Iterator[GateDecision]:
        """Decisions on a touch; a point outside the screen is moved to its edge, as when it is performed."""
        if self.screen is None:
            yield self._package(self.observation.package)
            yield from self._claim(action, ())
            return
        touched = Touched.at(self.screen.layout.tree, *on_screen(action.x, action.y, self.observation.size))
        if touched is None or len(touched.reacting) > _MANY:
            yield from self._packages(())
            number = "outside of every element" if touched is None else f"on more than {_MANY} elements"
            yield confirm(f"the point is {number}")
            yield from self._claim(action, ())
            return
        groups = touched.label(self.screen.layout.tree, self.rules.labels.parts)
        texts = [text for group in groups for text in group]
        packages = self._packages({touched.under[-1], *touched.reacting})
        leaves = self._leaves(texts)
        # a permission is declined without asking
        yield from (found for found in packages if not (leaves and found.decision == "confirm"))
        yield from self._claim(action, texts)
        if self._is_key(touched, texts):
            yield deny("a key for a secret")
        for element, group in zip(touched.reacting, groups, strict=False):
            if not matches(element.package, self.rules.packages.keyboards):
                yield from self._control(element, group)
            else:
                yield from self._keyboard(group)
        inner = {e.index for e in touched.reacting}
        for element in touched.under:
            page = self.screen.layout.is_page(element)  # a page's title says nothing of what is touched
            if self.screen.layout.owner(element) not in inner and words(element) and not page:
                yield from self._dangers(words(element), Control.ITEM)

    def _control(self, element: Element, texts: Sequence[str]) -> Iterator[GateDecision]:
        """Decisions on one element that may react, by the texts inside it."""
        screen, rules = self._screen, self.rules.labels
        control = screen.layout.control(element)
        if self._is_tab(element, texts) or self._is_keypad(texts) or self._is_answer(element, texts):
            return
        yield from self._in_context(element, texts)
        if self._leaves(texts) and not element.checkable:
            return
        generic = not texts or element.checkable or self._is_generic(texts)
        if not generic or element.checkable:
            found = list(self._dangers(texts, control))
            yield from found
            if found:
                return
        if generic:
            yield from self._by_context(element, texts)
        elif found := list(self._by_layer(element, texts)):
            yield from found
        elif screen.some(texts, rules.urging) and not self._is_known(element, texts):
            yield confirm("a button that urges to do something that is not known to be harmless")
        elif not self._is_known(element, texts):
            yield from self._default(element, texts, control)

    def _is_tab(self, element: Element, texts: Sequence[str]) -> bool:
        """Whether it opens a page: its label names a tab, and so do at least two of those beside it."""
        screen, tabs = self._screen, self.rules.labels.tabs
        if element.checkable or not screen.all_within(texts, tabs) or screen.layout.alike(element) < 3:  # noqa: PLR2004
            return False
        return sum(screen.all_within(beside, tabs) for beside in screen.layout.beside(element)) > 1

    def _is_keypad(self, texts: Sequence[str]) -> bool:
        """Whether it takes back what was typed with the keys of a number, as in a calculator."""
        screen = self._screen
        return screen.all_within(texts, self.rules.labels.keypad) and screen.layout.has_digit_keys

    def _is_answer(self, element: Element, texts: Sequence[str]) -> bool:
        """Whether it is one of the answers to a question of a lesson."""
        layout = self._screen.layout
        return bool(texts) and self._screen.exercise and layout.alike(element) > 1

    def _in_context(self, element: Element, texts: Sequence[str]) -> Iterator[GateDecision]:
        """Decisions by what a label means beside the words around it."""
        screen, rules = self._screen, self.rules.labels
        first = [text for text in texts if normal(text)][:1]
        fitting = [rule for rule in rules.contexts if screen.all_within(first, rule.labels)]
        if fitting and not self._is_corner(element):
            around = self._around(element)
            yield from (confirm(rule.reason) for rule in fitting if screen.some(around, rule.around))

    def _leaves(self, texts: Sequence[str]) -> bool:
        """Whether the texts say nothing but that the person leaves or declines."""
        screen, rules = self._screen, self.rules.labels
        asks = screen.layout.is_dialog or matches(screen.package, self.rules.packages.confirmed)
        return screen.all_within(texts, rules.leaving + (rules.declining if asks else ()))

    def _is_generic(self, texts: Iterable[str]) -> bool:
        """Whether the texts say nothing but "OK" and the like, "OK now", or "OK (3)"."""
        rules = self.rules.labels
        labels = [_COUNT.sub("", normal(text)) for text in texts]
        return all({label, core(label, rules.fillers)} & {*rules.generic, ""} for label in labels)

    def _around(self, element: Element) -> tuple[str, ...]:
        """Texts beside or around an element, and of the screen's headings."""
        layout = self._screen.layout
        return (*layout.near(element), *(text for e in layout.headings for text in words(e)))

    def _by_layer(self, element: Element, texts: Sequence[str]) -> Iterator[GateDecision]:
        """Decisions on a choice by what the sheet, the dialog or the page of choices around it is about."""
        screen = self._screen
        if screen.some(texts, self.rules.labels.known) or not reacts(element):
            return
        if screen.chooses and screen.layout.control(element) is not Control.BUTTON:
            yield confirm("a line that is acted on when it is chosen")
        about = screen.layout.layer(element)
        if about is None or screen.layout.fields or len(about) > self.rules.labels.parts:
            return
        if found := list(screen.dangers(about, Control.BUTTON, strict=True)):
            yield confirm(f"it answers or is chosen below: {strictest(found).reason}")
        elif any("?" in text or "？" in text for text in about) and len(texts) == 1:
            yield confirm("it answers a question")

    def _by_context(self, element: Element, texts: Sequence[str]) -> Iterator[GateDecision]:
        """Decisions on an element that does not say what it does."""
        screen, rules = self._screen, self.rules.labels
        if not texts and not element.checkable:
            named = " ".join(self._named(e) for e in self._inside(element))
            if finder(rules.ids).search(named) and not finder(rules.record_ids).search(named):
                yield confirm(f"its resource id says {named!r}")
                return
            if finder(rules.known_ids).search(named) or self._is_corner(element):
                return
        box = element.box
        small = box is not None and box.height <= self.observation.size[1] * _SMALL
        around = screen.layout.near(element) if reacts(element) or small else ()
        if not texts and not element.checkable:  # an icon is not what a paragraph beside it tells of
            around = tuple(text for text in around if len(plain(text)) <= rules.short)
        if texts and not element.checkable:
            around = self._around(element)
        elif element.checkable and screen.layout.is_only_switch(element):  # the page tells what it switches
            around = (*around, *(text for e in screen.layout.statics for text in words(e)))
        if element.checkable and screen.some((*texts, *around), rules.guards):
            yield confirm("it switches what protects, shows or costs something")
        if found := list(screen.dangers(around, Control.BUTTON, strict=True)):
            yield confirm(f"beside or around it: {strictest(found).reason}")
        elif texts and screen.some(around, self.rules.screens.publishing):
            yield confirm("it ends a page that publishes")
        elif texts and not screen.money and screen.some(around, rules.picking):
            return
        elif texts and screen.has_price(around):
            yield confirm("an amount of money is beside or around it")
        elif not (element.checkable and not screen.money and not screen.secret):
            yield from self._default(element, texts, Control.BUTTON)

    def _default(self, element: Element, texts: Sequence[str], control: Control) -> Iterator[GateDecision]:
        """Decisions on what no word is against, by the screen."""
        screen = self._screen
        if screen.money or screen.secret:
            yield confirm("it is not known to be harmless on a screen of money or of a secret")
        elif reacts(element) and texts and screen.all_prices(texts):
            yield confirm("it says nothing but an amount of money")
        elif self._answers(element, texts):
            yield confirm("it answers a question that another button beside it declines")
        elif screen.launcher or not (
            control is Control.BUTTON or screen.opens(texts) or self._offers(element, texts)
        ):
            return
        elif self._of_money():
            yield confirm("a button in an app of money that is not known to be harmless")
        elif screen.priced and texts:
            yield confirm("a button beside an amount of money that is not known to be harmless")

    def _offers(self, element: Element, texts: Sequence[str]) -> bool:
        """Whether it is one of the few things to touch on a page that tells a price."""
        screen, layout = self._screen, self._screen.layout
        touchable = sum(reacts(e) for e in layout.tree.elements)
        numbered = len(texts) != 1 or any(letter.isdigit() for letter in texts[0])
        if not reacts(element) or numbered or touchable > _FEW:
            return False
        return any(screen.has_price(words(e)) for e in layout.statics)

    def _answers(self, element: Element, texts: Sequence[str]) -> bool:
        """Whether an element stands in a dialog beside a button that declines, and ends no edit."""
        screen, rules = self._screen, self.rules.labels
        if screen.layout.fields or screen.all_within(texts, rules.finishing):
            return False
        declining = rules.leaving + rules.declining
        return screen.layout.is_dialog and any(
            screen.all_within(texts, declining) for texts in screen.layout.beside(element)
        )

    def _is_known(self, element: Element, texts: Sequence[str]) -> bool:
        """Whether an element is known to be harmless on a screen of money."""
        screen = self._screen
        if screen.has_price(texts):
            return False
        if screen.some(texts, self.rules.labels.known):
            return True
        if screen.money or screen.secret:
            return False
        return screen.some(texts, self.rules.labels.mild) or screen.layout.alike(element) >= 3

    def _dangers(self, texts: Iterable[str], control: Control) -> Iterator[GateDecision]:
        screen = self._screen
        strict = screen.money or screen.secret or (control is Control.ROW and screen.settings)
        yield from screen.dangers(texts, control, strict=strict)

    def _inside(self, element: Element) -> Iterator[Element]:
        yield element
        yield from (e for e in self._screen.layout.inside(element) if e.visible is not False)

    def _named(self, element: Element) -> str:
        """Words of an element's resource id without what only tells the kind of its view."""
        affixes = "|".join(self.rules.labels.id_affixes)
        cut = rf"\b(?:{affixes})(?=[a-z]{{3}})|(?<=[a-z]{{3}})(?:{affixes})\b"
        return re.sub(cut, " ", id_words(element.view_id))

    def _is_corner(self, element: Element) -> bool:
        """Whether it is a small element in the upper left corner, where apps go back."""
        width, height = self.observation.size
        box = element.box
        return box is not None and box.right <= width * 0.2 and box.bottom <= height * 0.12

    @property
    def _screen(self) -> JudgedScreen:
        assert self.screen is not None  # noqa: S101 - callers have checked it
        return self.screen

    def _claim(self, action: Click | LongClick, texts: Sequence[str]) -> Iterator[GateDecision]:
        """Decisions on the agent's own description of the touched element; they never allow an action."""
        claim, rules = normal(action.content or ""), self.rules.labels
        if not claim or claim in {normal(text) for text in texts}:
            return  # what the screen says is judged by itself
        if found := finder(rules.denied).search(claim):
            yield confirm(f"the agent says that it touches {found[0]!r}, and the screen does not")
        elif not texts and (found := finder(rules.money + rules.confirmed).search(claim)):
            yield confirm(f"the agent says that it touches {found[0]!r}, and the screen says nothing there")

    def _is_key(self, touched: Touched, texts: Iterable[str]) -> bool:
        """Whether a key of a secret is touched: a keyboard's, or an element with a single letter or digit."""
        screen = self._screen
        fields = self._focused()
        secret = screen.secret if not fields else any(self._is_secret(field) for field in fields)
        if not secret:
            return False
        keyboards = self.rules.packages.keyboards
        return any(matches(element.package, keyboards) for element in touched.under) or any(
            len(plain(text).removeprefix(plain("数字")).removeprefix("digit")) == 1 for text in texts
        )

    # ---- swipes

    def swipe(self, action: Scroll) -> Iterator[GateDecision]:
        """Decisions on a swipe: by its app, and by the control that it may move."""
        front = self._package(self.observation.package)
        if front.decision == "deny":
            yield front
        if self.screen is None:
            if self._of_money():
                yield confirm("a swipe in an app of money, and there is no accessibility tree to judge by")
            return
        layout = self.screen.layout
        touched = Touched.at(layout.tree, *on_screen(action.x, action.y, self.observation.size))
        if touched is None:
            return
        yield from (v for v in self._packages({touched.under[-1], *touched.reacting}) if v.decision == "deny")
        yield from self._hinted(action)
        for element in touched.under[-_MANY:]:
            yield from self._slider(element)

    def _hinted(self, action: Scroll) -> Iterator[GateDecision]:
        """Decisions by a text anywhere on the screen that tells what a swipe does."""
        screen, swipes = self._screen, self.rules.swipes
        texts = (text for e in screen.layout.statics for text in words(e) if len(text) <= _HINT)
        axes = (swipes.upright, swipes.sideways)
        along, across = axes if action.direction in ("up", "down") else axes[::-1]
        for text in (text for text in texts if screen.some([text], swipes.acting)):
            if screen.some([text], across) and not screen.some([text], along):
                continue
            if any(True for _ in screen.dangers([text], Control.BUTTON, strict=True)):
                yield confirm(f"a swipe acts here: '{printable(text, 40)}'")

    def _slider(self, element: Element) -> Iterator[GateDecision]:
        """Decisions on an element that a swipe may move."""
        screen, swipes = self._screen, self.rules.swipes
        height = element.box.height if element.box else 0
        if height > self.observation.size[1] * _SMALL:
            return
        texts = [text for e in screen.layout.within(element) for text in words(e)]
        acting = [
            t for t in texts if screen.some([t], swipes.acting) and not screen.some([t], swipes.showing)
        ]
        if acting and len(texts) <= self.rules.labels.parts:
            yield confirm(f"a swipe acts here: '{printable(acting[0], 40)}'")
        control = screen.layout.control(element)
        if control is not Control.ROW:  # a button to pay may be a slider
            yield from (found for found in self._dangers(texts, control) if found.decision == "deny")
        named = f"{id_words(element.view_id)} {element.class_name.rpartition('.')[2].casefold()}"
        slides = bool(finder(swipes.ids).search(named))
        if slides:
            yield from self._slides_to(element)
        if not (screen.money or screen.secret):
            return
        if slides:
            yield confirm("a slider on a screen of money or of a secret")
        elif not texts and reacts(element):
            yield confirm("a swipe on an element without a text on a screen of money or of a secret")

    def _slides_to(self, element: Element) -> Iterator[GateDecision]:
        """Decisions on a slider by what is said beside or around it."""
        screen, short = self._screen, self.rules.labels.short
        around = [text for text in self._around(element) if len(plain(text)) <= short * 2]
        if found := list(screen.dangers(around, Control.BUTTON, strict=True)):
            yield confirm(f"a slider, and beside or around it: {strictest(found).reason}")

    # ---- typing

    def typing(self, text: str) -> Iterator[GateDecision]:
        """Decisions on typing into the focused field."""
        focused = self._focused()
        yield from self._packages(focused)
        if any(self._screen.is_password(field) for field in focused):
            yield deny("the text would go into a password field")
        elif any(self._is_secret(field) for field in focused):
            yield confirm("the text would go into a field for a secret")
        elif self.screen is not None and (self.screen.money or self.screen.secret):
            rules = self.rules.typing
            harmless = rules.search + rules.remarks + (() if self._of_money() else rules.addresses)
            if not all(self.screen.field_says(field, harmless) for field in focused):
                yield confirm("a field on a screen of money or of a secret")
        elif any(self._is_amount(field) for field in focused):
            yield confirm("a field for an amount of money")
        if "\n" in text or "\r" in text:
            yield from self._enter(focused)

    def _is_amount(self, field: Element) -> bool:
        """Whether a text field takes an amount of money."""
        screen = self._screen
        if screen.is_search(field):
            return False
        if any(_is_currency(text) for text in (*words(field), *screen.layout.caption(field))):
            return True
        return screen.has_price(words(field)) or screen.field_says(field, self.rules.typing.amounts)

    def _keyboard(self, texts: Sequence[str]) -> Iterator[GateDecision]:
        """Decisions on a key of the keyboard, by what it says."""
        screen, typing = self._screen, self.rules.typing
        done = (*typing.enter_keys, *(typing.done_keys if screen.money or screen.secret else ()))
        if screen.some(texts, typing.keys):
            yield GateDecision(decision=typing.enter, reason="a key that sends")
        elif screen.all_within(texts, done):
            yield from self._enter(self._focused())

    def _enter(self, focused: Sequence[Element]) -> Iterator[GateDecision]:
        """Decisions on the key Enter, which sends, unless it searches or is a new line of a note."""
        typing = self.rules.typing
        if self.screen is not None and focused and not self.screen.money:
            if all(self.screen.is_search(field) for field in focused):
                return
            if all(self.screen.field_says(field, typing.notes) for field in focused):
                return
        yield GateDecision(decision=typing.enter, reason="a newline is the key Enter, which can send")

    def _focused(self) -> tuple[Element, ...]:
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
        return not screen.is_search(field) and screen.field_says(field, self.rules.typing.secrets)


def _is_currency(text: str) -> bool:
    """Whether a text is nothing but a sign of a currency."""
    return bool(text.strip()) and all(unicodedata.category(letter) == "Sc" for letter in text.strip())
