"""Subject of a screen, as far as the safety rules ask: money, a secret, a search, records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from execution_runner.safety.decision import GateDecision, confirm, deny
from fingertip_dataset.folded_text import fold_forms
from fingertip_dataset.release.problems import printable
from fingertip_dataset.ui_tree.accessibility import Element
from fingertip_dataset.ui_tree.normal_text import id_words, normal, plain
from fingertip_dataset.ui_tree.phrases import at_edge, core, finder, is_followed, is_preceded, joined, only
from fingertip_dataset.ui_tree.screen_layout import Control, ScreenLayout
from fingertip_dataset.ui_tree.touched import words
from fingertip_runs.app_rules import Rules, matches
from fingertip_runs.label_reading import read_label

SHOWN = 40
_HEADLINE = 8
"""Letters of the shortest headline, and of the longest text beside a word of money in a heading of money."""
_TITLE = re.compile("《([^《》]{1,60})》")
"""Title of a work, as Chinese marks it."""
_PAGE = 500
"""Letters of the longest text that is read word by word."""


@dataclass(frozen=True, kw_only=True)
class JudgedScreen:
    """A screen, read by the rules; each part is computed once.

    Attributes:
        package: The app in front; "" if not known.
    """

    rules: Rules
    layout: ScreenLayout
    package: str

    @cached_property
    def launcher(self) -> bool:
        """Whether it is the home screen."""
        return matches(self.package, self.rules.packages.launchers)

    @cached_property
    def priced(self) -> bool:
        """Whether an amount of money is on the screen."""
        return any(self.has_price(words(e)) for e in self.layout.speaking)

    @cached_property
    def money(self) -> bool:
        """Whether it looks like a form of money: by a heading, or by what only a form or an offer says."""
        screens = self.rules.screens
        headings = {e.index: _texts(e) for e in self.layout.headings}
        if any(finder(screens.money).search(text) and self._is_money(text) for text in _all(headings)):
            return True
        for text in (text for e in self.layout.statics for text in _texts(e)):
            form = finder(screens.forms).match(text)
            if form or finder(screens.charges).search(text):
                return True
        return False

    def _is_money(self, heading: str) -> bool:
        """Whether a heading is of money: it says nothing else, or little else and an amount is there."""
        screens = self.rules.screens
        if len(heading) > self.rules.labels.short or finder(screens.records).search(heading):
            return False
        rest = finder(screens.money).sub("", heading).replace(" ", "")
        return not rest or (len(rest) <= _HEADLINE and (self.priced or self.of_money))

    @cached_property
    def of_money(self) -> bool:
        """Whether the app in front is one of money."""
        return matches(self.package, self.rules.packages.money)

    @cached_property
    def secret(self) -> bool:
        """Whether it asks for a password, a code or the like."""
        screens, typing = self.rules.screens, self.rules.typing
        if any(e.password for e in self.layout.fields) or self.layout.has_code_fields:
            return True
        if self._headed(screens.secrets):
            return True
        texts = (text for e in self.layout.statics for text in _texts(e) if len(text) <= SHOWN)
        return any(
            finder(screens.prompts).search(text) and finder(typing.passwords + typing.secrets).search(text)
            for text in texts
        )

    @cached_property
    def searches(self) -> bool:
        """Whether it has a field for a search."""
        return any(self.is_search(field) for field in self.layout.fields)

    @cached_property
    def settings(self) -> bool:
        """Whether it is a screen of settings."""
        return "settings" in self.package or self._headed(self.rules.screens.settings)

    @cached_property
    def chooses(self) -> bool:
        """Whether to choose a line of it is to act on that."""
        return self._headed(self.rules.screens.choosing)

    @cached_property
    def exercise(self) -> bool:
        """Whether it asks a question of a lesson, and none of money or a secret."""
        return self._headed(self.rules.screens.exercises) and not (self.money or self.secret)

    def _headed(self, rule_words: tuple[str, ...]) -> bool:
        """Whether a heading has one of the words."""
        return any(finder(rule_words).search(text) for e in self.layout.headings for text in _texts(e))

    def is_search(self, field: Element) -> bool:
        """Whether a text field takes a search."""
        return self.has_field_word(field, self.rules.typing.search, caption=False)

    def has_field_word(self, field: Element, rule_words: tuple[str, ...], *, caption: bool = True) -> bool:
        """Whether a text field's hint, text, description or id, or its label, has one of the words."""
        texts = [*_texts(field), id_words(field.view_id)]
        texts += map(normal, self.layout.caption(field) if caption else ())
        return any(finder(rule_words).search(text) for text in texts)

    def is_password(self, field: Element) -> bool:
        """Whether a text field takes a password."""
        if field.password:
            return True
        return not self.is_search(field) and self.has_field_word(field, self.rules.typing.passwords)

    def has_price(self, texts: Iterable[str]) -> bool:
        """Whether one of the texts has an amount of money."""
        price = joined(self.rules.screens.price)
        return any(price.search(fold_forms(text)) for text in texts)

    def has_only_prices(self, texts: Iterable[str]) -> bool:
        """Whether the texts say nothing but an amount of money, and there is one."""
        price = joined(self.rules.screens.price)
        labels = [fold_forms(text) for text in texts]
        rests = [normal(price.sub(" ", label)) for label in labels]
        return self.has_price(labels) and not any(re.search(r"[^0-9 ]", rest) for rest in rests)

    def all_within(self, texts: Iterable[str], rule_words: tuple[str, ...]) -> bool:
        """Whether each text as a whole is one of the words, and there is a text."""
        labels = {normal(text) for text in texts} - {""}
        return bool(labels) and labels <= set(rule_words)

    def some(self, texts: Iterable[str], rule_words: tuple[str, ...]) -> bool:
        """Whether one of the texts has one of the words."""
        return any(finder(rule_words).search(normal(text)) for text in texts)

    def opens(self, texts: Iterable[str]) -> bool:
        """Whether the texts begin with a word that tells what a touch does."""
        first = next((label for label in map(normal, texts) if label), "")
        return len(first) <= self.rules.labels.short and bool(finder(self.rules.labels.openers).match(first))

    def dangers(self, texts: Iterable[str], control: Control, *, strict: bool) -> Iterator[GateDecision]:
        """Decisions on the texts of a control, each alone and joined, since a word may be split over labels.

        Args:
            texts: The texts.
            control: What kind of control says them.
            strict: Whether a headline is a label, too, as on a screen of money.
        """
        labels = ""
        for text in texts:
            label = normal(_TITLE.sub(self._drop_title, text))
            if not strict and self.is_telling(text):
                continue
            if self.launcher and joined(self.rules.labels.app_names).fullmatch(label):
                continue
            long = len(plain(text)) > self.rules.labels.short
            labels += "" if long else label
            priced = not long and self.has_price([text])
            if found := self._danger(label, control, strict or priced):
                yield _about(*found, text, long=long)
            elif priced and (found := self._danger(self._without_price(text), control, strict=True)):
                yield _about(*found, text, long=False)
        if control is not Control.ROW and (found := self._danger(labels, control, strict)):
            yield _about(*found, labels, long=False)

    def is_telling(self, text: str) -> bool:
        """Whether a text only tells, asks or puts off, so that its words name no act."""
        rules = self.rules.labels
        if len(text) > _PAGE or finder(rules.urging).search(normal(text)):
            return False
        return joined(rules.telling).search(fold_forms(text).strip()) is not None

    def find_act(self, text: str) -> str | None:
        """The word by which a text that no rule names reads like an act; None if it does not."""
        rules = self.rules.labels
        if rules.unnamed is None or len(text) > SHOWN or self.is_harmless(text):
            return None
        reading = read_label(text)
        return reading.word if reading.score > rules.unnamed else None

    def is_harmless(self, text: str) -> bool:
        """Whether a text only tells something, or is nothing but what is known to be harmless."""
        rules = self.rules.labels
        rest = joined(rules.harmless).sub(" ", normal(text))
        known = core(finder(rules.known + rules.mild + rules.tabs).sub(" ", rest), rules.fillers)
        return self.is_telling(text) or not re.search("[^0-9 ]", known)

    def _drop_title(self, title: re.Match[str]) -> str:
        """Leave out a work's title in book marks, unless it is but a word that acts."""
        rules, inside = self.rules.labels, normal(title[1])
        acting = finder(rules.denied + rules.money + rules.confirmed).fullmatch(core(inside, rules.fillers))
        return title[0] if acting or finder(rules.urging + rules.openers).match(inside) else " "

    def _without_price(self, text: str) -> str:
        price = joined(self.rules.screens.price).pattern
        return normal(re.sub(f"[0-9.,]*(?:{price})[0-9.,]*", " ", fold_forms(text)))

    def is_telling_price(self, texts: Iterable[str]) -> bool:
        """Whether each text tells a price and does nothing."""
        prices = joined(self.rules.labels.prices)
        return all(prices.fullmatch(fold_forms(text).strip()) for text in texts)

    def _danger(self, label: str, control: Control, strict: bool) -> tuple[bool, str] | None:
        """The first word of the strictest rule in a label, and whether it denies; None without one."""
        rules = self.rules.labels
        if len(label) > _PAGE:  # a page: what excuses a word in a label is not looked for
            acts = control is Control.BUTTON or finder(rules.openers).match(label)
            found = finder(rules.denied + rules.money + rules.confirmed).search(label) if acts else None
            return (False, found[0]) if found else None
        whole = label
        label = joined(rules.harmless).sub(" ", label)
        if control is not Control.BUTTON and finder(rules.questions).search(label):
            return None
        for rule_words in (rules.denied, rules.money, rules.confirmed):
            if only_word := finder(rule_words).fullmatch(core(label, rules.fillers)):
                return rule_words is rules.denied, only_word[0]
            for match in finder(rule_words).finditer(label):
                if is_preceded(match, rules.before):
                    continue
                if rule_words is not rules.confirmed and is_followed(match, rules.after):
                    continue
                if control is Control.ROW and not strict and not only(match, rules.fillers):
                    continue
                if control is Control.ITEM and not strict and self._is_headline(match):
                    continue
                return rule_words is rules.denied, match[0]
        acts = joined(rules.acts).fullmatch(whole)
        return (False, acts[0]) if acts else None

    def _is_headline(self, match: re.Match[str]) -> bool:
        """Whether a word is in a headline rather than on a control."""
        rules, label = self.rules.labels, match.string
        if finder(rules.openers).match(label):
            return False
        if self.searches and not only(match, rules.fillers):
            return True
        letters = len(label.replace(" ", ""))
        return letters > rules.short or (letters >= _HEADLINE and not at_edge(match, rules.fillers))


def _about(denied: bool, word: str, text: str, *, long: bool) -> GateDecision:
    shown = printable(text, SHOWN)
    if long:
        return confirm(f"{word!r} is in the long text '{shown}'")
    return (deny if denied else confirm)(f"{word!r} is in the label '{shown}'")


def _texts(element: Element) -> list[str]:
    return [normal(text) for text in words(element)]


def _all(texts: dict[int, list[str]]) -> Iterator[str]:
    for group in texts.values():
        yield from group
