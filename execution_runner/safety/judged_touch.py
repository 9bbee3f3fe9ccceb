"""A touch, judged by what the touched element says, and by what stands beside and around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from execution_runner.safety.decision import GateDecision, confirm, deny, strictest
from execution_runner.safety.judged_action import MANY, SMALL
from execution_runner.safety.judged_screen import SHOWN, JudgedScreen
from execution_runner.safety.judged_typing import JudgedTyping
from fingertip_dataset.actions import Click, LongClick
from fingertip_dataset.release.problems import printable
from fingertip_dataset.ui_tree.accessibility import Element
from fingertip_dataset.ui_tree.normal_text import id_words, normal, plain
from fingertip_dataset.ui_tree.phrases import core, finder
from fingertip_dataset.ui_tree.screen_layout import Control
from fingertip_dataset.ui_tree.touched import Touched, is_field, on_screen, reacts, words
from fingertip_runs.app_rules import matches

_COUNT = re.compile(r"(?<=[^0-9 ])[0-9 ]+$")
"""How many are chosen, at the end of a label such as "Done (3/9)"."""
_FEW = 5
"""Most elements to touch on a page that makes an offer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTouch(JudgedTyping):
    """A touch on one screen."""

    def touch(self, action: Click | LongClick) -> Iterator[GateDecision]:
        """Decisions on a touch; a point outside the screen is moved to its edge, as when it is performed."""
        yield from self.unseen()
        if self.screen is None:
            yield self._package(self.observation.package)
            yield from self._judge_claim(action, ())
            return
        touched = Touched.at(self.screen.layout.tree, *on_screen(action.x, action.y, self.observation.size))
        if touched is None or len(touched.reacting) > MANY:
            yield from self._packages(())
            number = "outside of every element" if touched is None else f"on more than {MANY} elements"
            yield confirm(f"the point is {number}")
            yield from self._judge_claim(action, ())
            return
        groups = touched.label(self.screen.layout.tree, self.rules.labels.parts)
        texts = [text for group in groups for text in group]
        packages = self._packages({touched.under[-1], *touched.reacting})
        leaves = self._is_leaving(texts)
        # a permission is declined without asking
        yield from (found for found in packages if not (leaves and found.decision == "confirm"))
        yield from self._judge_claim(action, texts)
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
                yield from self._find_dangers(words(element), Control.ITEM)

    def _control(self, element: Element, texts: Sequence[str]) -> Iterator[GateDecision]:
        """Decisions on one element that may react, by the texts inside it."""
        screen, rules = self._screen, self.rules.labels
        control = screen.layout.control(element)
        if self._is_tab(element, texts) or self._is_keypad(texts) or self._is_answer(element, texts):
            return
        yield from self._judge_in_context(element, texts)
        if self._is_leaving(texts) and not element.checkable:
            return
        generic = not texts or element.checkable or self._is_generic(texts)
        if not generic or element.checkable:
            found = list(self._find_dangers(texts, control))
            yield from found
            if found:
                return
        if generic:
            yield from self._judge_by_context(element, texts)
        elif found := [
            *self._judge_by_reading(element, texts, control),
            *self._judge_by_layer(element, texts),
        ]:
            yield from found
        elif screen.some(texts, rules.urging) and not self._is_known(element, texts):
            yield confirm("a button that urges to do something that is not known to be harmless")
        elif not self._is_known(element, texts):
            yield from self._judge_rest(element, texts, control)

    def _is_tab(self, element: Element, texts: Sequence[str]) -> bool:
        """Whether it opens a page: its label names a tab, and so do at least two of those next to it."""
        screen, tabs = self._screen, self.rules.labels.tabs
        if element.checkable or not screen.all_within(texts, tabs) or screen.layout.alike(element) < 3:
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

    def _judge_in_context(self, element: Element, texts: Sequence[str]) -> Iterator[GateDecision]:
        """Decisions by the meaning of a label among the words around it."""
        screen, rules = self._screen, self.rules.labels
        first = [text for text in texts if normal(text)][:1]
        fitting = [rule for rule in rules.contexts if screen.all_within(first, rule.labels)]
        if fitting and not self._is_corner(element):
            around = self._find_around(element)
            yield from (confirm(rule.reason) for rule in fitting if screen.some(around, rule.around))

    def _is_leaving(self, texts: Sequence[str]) -> bool:
        """Whether the texts say nothing but that the person leaves or declines."""
        screen, rules = self._screen, self.rules.labels
        asks = screen.layout.is_dialog or matches(screen.package, self.rules.packages.confirmed)
        return screen.all_within(texts, rules.leaving + (rules.declining if asks else ()))

    def _is_generic(self, texts: Iterable[str]) -> bool:
        """Whether the texts say nothing but "OK" and the like, "OK now", or "OK (3)"."""
        rules = self.rules.labels
        labels = [_COUNT.sub("", normal(text)) for text in texts]
        return all({label, core(label, rules.fillers)} & {*rules.generic, ""} for label in labels)

    def _judge_by_reading(
        self, element: Element, texts: Sequence[str], control: Control
    ) -> Iterator[GateDecision]:
        """Decisions on a label that no rule names, by how much it reads like an act."""
        screen = self._screen
        if control is Control.ROW or screen.launcher or is_field(element) or not reacts(element):
            return
        for text in texts:
            if (act := screen.find_act(text)) is not None:
                yield confirm(f"the label '{printable(text, SHOWN)}' reads like an act, most by {act!r}")

    def _judge_by_layer(self, element: Element, texts: Sequence[str]) -> Iterator[GateDecision]:
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

    def _judge_by_context(self, element: Element, texts: Sequence[str]) -> Iterator[GateDecision]:
        """Decisions on an element that does not say what it does."""
        screen, rules = self._screen, self.rules.labels
        if not texts and not element.checkable:
            named = " ".join(self._find_named(e) for e in self._inside(element))
            if finder(rules.ids).search(named) and not finder(rules.record_ids).search(named):
                yield confirm(f"its resource id says {named!r}")
                return
            if finder(rules.known_ids).search(named) or self._is_corner(element):
                return
        box = element.box
        small = box is not None and box.height <= self.observation.size[1] * SMALL
        around = screen.layout.near(element) if reacts(element) or small else ()
        if not texts and not element.checkable:  # an icon is not what a paragraph beside it tells of
            around = tuple(text for text in around if len(plain(text)) <= rules.short)
        if texts and not element.checkable:
            around = self._find_around(element)
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
            yield from self._judge_rest(element, texts, Control.BUTTON)

    def _judge_rest(self, element: Element, texts: Sequence[str], control: Control) -> Iterator[GateDecision]:
        """Decisions on what no word is against, by the screen."""
        screen = self._screen
        if screen.money or screen.secret:
            yield confirm("it is not known to be harmless on a screen of money or of a secret")
        elif reacts(element) and texts and screen.has_only_prices(texts):
            yield confirm("it says nothing but an amount of money")
        elif self._is_answering(element, texts):
            yield confirm("it answers a question that another button beside it declines")
        elif screen.launcher or not (
            control is Control.BUTTON or screen.opens(texts) or self._is_offering(element, texts)
        ):
            return
        elif self._of_money():
            yield confirm("a button in an app of money that is not known to be harmless")
        elif screen.priced and texts and not self._is_ending_entry(element, texts):
            yield confirm("a button beside an amount of money that is not known to be harmless")

    def _is_offering(self, element: Element, texts: Sequence[str]) -> bool:
        """Whether it is one of the few things to touch on a page that tells a price."""
        screen, layout = self._screen, self._screen.layout
        touchable = sum(reacts(e) for e in layout.tree.elements)
        numbered = len(texts) != 1 or any(letter.isdigit() for letter in texts[0])
        wide = element.box is not None and layout.is_wide(element.box)
        if not (reacts(element) and wide) or numbered or touchable > _FEW:
            return False
        return any(screen.has_price(words(e)) for e in layout.statics)

    def _is_answering(self, element: Element, texts: Sequence[str]) -> bool:
        """Whether an element stands in a dialog next to a button that declines, and ends no edit."""
        screen, rules = self._screen, self.rules.labels
        if screen.layout.fields or screen.all_within(texts, rules.finishing):
            return False
        declining = rules.leaving + rules.declining
        return screen.layout.is_dialog and any(
            screen.all_within(texts, declining) for texts in screen.layout.beside(element)
        )

    def _is_ending_entry(self, element: Element, texts: Sequence[str]) -> bool:
        """Whether it ends the entry of words in a dialog that asks for no amount of money.

        An amount within a field's longer text, or in other choices of the dialog, is not what it pays.
        """
        screen, rules = self._screen, self.rules
        layout, declining = screen.layout, rules.labels.leaving + rules.labels.declining
        if not (layout.is_dialog and layout.fields and screen.all_within(texts, rules.labels.finishing)):
            return False
        if any(screen.has_price(words(e)) for e in layout.statics):
            return False
        amounts = rules.typing.amounts
        if any(screen.has_field_word(e, amounts) or _is_amount(screen, e) for e in layout.fields):
            return False
        return any(screen.all_within(beside, declining) for beside in layout.beside(element))

    def _is_known(self, element: Element, texts: Sequence[str]) -> bool:
        """Whether an element is known to be harmless on a screen of money."""
        screen = self._screen
        if screen.has_price(texts):
            return screen.is_telling_price(texts) and not (screen.money or screen.secret)
        if screen.some(texts, self.rules.labels.known):
            return True
        if screen.money or screen.secret:
            return False
        return screen.some(texts, self.rules.labels.mild) or screen.layout.alike(element) >= 3

    def _inside(self, element: Element) -> Iterator[Element]:
        yield element
        yield from (e for e in self._screen.layout.inside(element) if e.visible is not False)

    def _find_named(self, element: Element) -> str:
        """Words of an element's resource id without what only tells the kind of its view."""
        affixes = "|".join(self.rules.labels.id_affixes)
        cut = rf"\b(?:{affixes})(?=[a-z]{{3}})|(?<=[a-z]{{3}})(?:{affixes})\b"
        return re.sub(cut, " ", id_words(element.view_id))

    def _judge_claim(self, action: Click | LongClick, texts: Sequence[str]) -> Iterator[GateDecision]:
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
        fields = self._find_focused()
        secret = screen.secret if not fields else any(self._is_secret(field) for field in fields)
        if not secret:
            return False
        keyboards = self.rules.packages.keyboards
        return any(matches(element.package, keyboards) for element in touched.under) or any(
            len(plain(text).removeprefix(plain("数字")).removeprefix("digit")) == 1 for text in texts
        )


def _is_amount(screen: JudgedScreen, field: Element) -> bool:
    """Whether a field holds nothing but a number or an amount of money."""
    return any(
        screen.has_only_prices([text]) or normal(text).replace(" ", "").isdigit() for text in words(field)
    )
