"""What goes wrong under a thumb, and how it is put right: a wrong letter, a wrong tap, an advertisement."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from simulated_phone.people.gestures import Hand, HandTouch
from simulated_phone.people.steps import Open, Press, Step, Tap, TypeText
from simulated_phone.screens.nodes import Node

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

TYPO, WRONG_TAP, ADVERTISEMENT = "typo", "wrong_tap", "advertisement"
SLIPS = (TYPO, WRONG_TAP, ADVERTISEMENT)
"""Every slip; an advertisement is a switch of the phone, and closing it the person's part."""

_RATES = {TYPO: 0.1, WRONG_TAP: 0.06, ADVERTISEMENT: 0.08}
_LETTERS = "的一是了我不在有这个上们来到时大地为子中你说生"
_TRIES = 6
_KEPT = ("apps", "settings", "home", "front", "panel", "overlays")


def draw_slips(clumsiness: float, rng: random.Random) -> frozenset[str]:
    """What goes wrong this time; `clumsiness` is 1 for most people."""
    return frozenset(slip for slip in SLIPS if rng.random() < _RATES[slip] * clumsiness)


def slip_at(slips: frozenset[str], steps: tuple[Step, ...], rng: random.Random) -> dict[int, str]:
    """Index of a step -> what goes wrong there. A slip that the steps give no occasion for does not happen.

    >>> slip_at(frozenset({"typo"}), (Tap("搜索"), TypeText("晴天")), random.Random(1))
    {1: 'typo'}
    """
    found = {}
    typed = [at for at, step in enumerate(steps) if isinstance(step, TypeText) and len(step.text) > 1]
    tapped = [at for at, step in enumerate(steps) if at and isinstance(step, Tap)]
    opened = [at for at, step in enumerate(steps) if isinstance(step, Open)]
    if TYPO in slips and typed:
        found[rng.choice(typed)] = TYPO
    if WRONG_TAP in slips and tapped + opened:
        found[rng.choice(tapped + opened)] = WRONG_TAP
    return found


def mistyped(phone: Phone, hand: Hand, step: TypeText, rng: random.Random) -> Iterator[HandTouch]:
    """The text with one wrong letter in it, which is deleted as soon as it is seen."""
    at = rng.randrange(1, len(step.text))
    right = step.text[at]
    wrong = rng.choice("0123456789" if right.isdecimal() else _LETTERS)
    if wrong == right:
        wrong += right
    yield from hand.touches([replace(step, text=step.text[:at] + wrong)])
    for _ in wrong:
        delete = next(node for node in phone.screen().nodes() if _is_delete(node))
        x, y = delete.box.centre
        yield HandTouch(kind="tap", x=x, y=y, label=delete.label())
    yield from hand.touches([TypeText(step.text[at:])])


def _is_delete(node: Node) -> bool:
    return node.tap is not None and node.tap.name == "android.delete_key"


def wrong_tap(phone: Phone, hand: Hand, rng: random.Random) -> Iterator[HandTouch]:
    """A tap on something else that opens another page, and the way back; nothing where no such thing is seen.

    Whether it leaves everything as it was is tried out beforehand, on the phone itself, which is put back.
    """
    screen = phone.screen()
    windows = [window for window in screen.windows if not (window.chrome or window.behind or window.passing)]
    nodes = [node for window in windows for node in window.root.walk() if node.clickable and node.label()]
    rng.shuffle(nodes)
    for node in [node for node in nodes if node.entry is None][:_TRIES]:
        x, y = node.box.centre
        if screen.touched(x, y) is node and _harmless(phone, x, y):
            yield HandTouch(kind="tap", x=x, y=y, label=node.label())
            yield from hand.touches([Press("back")])
            return


def _harmless(phone: Phone, x: int, y: int) -> bool:
    """Whether a tap there opens something that the back key closes again, everything else as before."""
    snapshot, before = phone.snapshot(), _shown(phone)
    phone.tap(x, y)
    opened = _shown(phone) != before and not phone.data["overlays"]
    phone.press_key("KEYCODE_BACK")
    changed = [name for name in _KEPT if phone.data[name] != snapshot.data[name]]
    same = _shown(phone) == before and not changed
    phone.restore(snapshot)
    return opened and same


def _shown(phone: Phone) -> list[Node]:
    return [window.root for window in phone.screen().windows if not (window.chrome or window.passing)]
