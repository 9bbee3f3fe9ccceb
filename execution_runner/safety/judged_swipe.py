"""A swipe, judged by the control that it may move and by the screen's hints of gestures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from execution_runner.safety.decision import GateDecision, confirm, strictest
from execution_runner.safety.judged_action import MANY, SMALL, JudgedAction
from fingertip_dataset.actions import Scroll
from fingertip_dataset.release.problems import printable
from fingertip_dataset.ui_tree.accessibility import Element
from fingertip_dataset.ui_tree.normal_text import id_words, plain
from fingertip_dataset.ui_tree.phrases import finder
from fingertip_dataset.ui_tree.screen_layout import Control
from fingertip_dataset.ui_tree.touched import Touched, on_screen, reacts, words

_HINT = 80
"""Letters of the longest text that is a hint of a gesture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSwipe(JudgedAction):
    """A swipe on one screen."""

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
        yield from self._judge_hints(action)
        for element in touched.under[-MANY:]:
            yield from self._judge_slider(element)

    def _judge_hints(self, action: Scroll) -> Iterator[GateDecision]:
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

    def _judge_slider(self, element: Element) -> Iterator[GateDecision]:
        """Decisions on an element that a swipe may move."""
        screen, swipes = self._screen, self.rules.swipes
        height = element.box.height if element.box else 0
        if height > self.observation.size[1] * SMALL:
            return
        texts = [text for e in screen.layout.within(element) for text in words(e)]
        acting = [
            t for t in texts if screen.some([t], swipes.acting) and not screen.some([t], swipes.showing)
        ]
        if acting and len(texts) <= self.rules.labels.parts:
            yield confirm(f"a swipe acts here: '{printable(acting[0], 40)}'")
        control = screen.layout.control(element)
        if control is not Control.ROW:  # a button to pay may be a slider
            yield from (found for found in self._find_dangers(texts, control) if found.decision == "deny")
        named = f"{id_words(element.view_id)} {element.class_name.rpartition('.')[2].casefold()}"
        slides = bool(finder(swipes.ids).search(named))
        if slides:
            yield from self._judge_slider_texts(element)
        if not (screen.money or screen.secret):
            return
        if slides:
            yield confirm("a slider on a screen of money or of a secret")
        elif not texts and reacts(element):
            yield confirm("a swipe on an element without a text on a screen of money or of a secret")

    def _judge_slider_texts(self, element: Element) -> Iterator[GateDecision]:
        """Decisions on a slider by the texts next to or around it."""
        screen, short = self._screen, self.rules.labels.short
        around = [text for text in self._find_around(element) if len(plain(text)) <= short * 2]
        if found := list(screen.dangers(around, Control.BUTTON, strict=True)):
            yield confirm(f"a slider, and beside or around it: {strictest(found).reason}")
