"""Typing, judged by the field that has the focus and by the keys that send."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from execution_runner.safety.decision import GateDecision, confirm, deny
from execution_runner.safety.judged_action import JudgedAction
from fingertip_dataset.ui_tree.accessibility import Element
from fingertip_dataset.ui_tree.touched import words


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTyping(JudgedAction):
    """Typing on one screen, by an action or by the keys of a keyboard."""

    def typing(self, text: str) -> Iterator[GateDecision]:
        """Decisions on typing into the focused field."""
        yield from self.unseen()
        focused = self._find_focused()
        yield from self._packages(focused)
        if any(self._screen.is_password(field) for field in focused):
            yield deny("the text would go into a password field")
        elif any(self._is_secret(field) for field in focused):
            yield confirm("the text would go into a field for a secret")
        elif self.screen is not None and (self.screen.money or self.screen.secret):
            rules = self.rules.typing
            harmless = rules.search + rules.remarks + (() if self._of_money() else rules.addresses)
            if not all(self.screen.has_field_word(field, harmless) for field in focused):
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
        return screen.has_price(words(field)) or screen.has_field_word(field, self.rules.typing.amounts)

    def _keyboard(self, texts: Sequence[str]) -> Iterator[GateDecision]:
        """Decisions on a key of the keyboard, by what it says."""
        screen, typing = self._screen, self.rules.typing
        done = (*typing.enter_keys, *(typing.done_keys if screen.money or screen.secret else ()))
        if screen.some(texts, typing.keys):
            yield GateDecision(decision=typing.enter, reason="a key that sends")
        elif screen.all_within(texts, done):
            yield from self._enter(self._find_focused())

    def _enter(self, focused: Sequence[Element]) -> Iterator[GateDecision]:
        """Decisions on the key Enter, which sends, unless it searches or is a new line of a note."""
        typing = self.rules.typing
        if self.screen is not None and focused and not self.screen.money:
            if all(self.screen.is_search(field) for field in focused):
                return
            if all(self.screen.has_field_word(field, typing.notes) for field in focused):
                return
        yield GateDecision(decision=typing.enter, reason="a newline is the key Enter, which can send")


def _is_currency(text: str) -> bool:
    """Whether a text is nothing but a sign of a currency."""
    return bool(text.strip()) and all(unicodedata.category(letter) == "Sc" for letter in text.strip())
