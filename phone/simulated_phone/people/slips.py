"""Slips and their corrections: a wrong letter, a wrong tap, an advertisement to close."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from simulated_phone.goals.steps import Open, Press, Step, Tap, TypeText
from simulated_phone.language.language import later, translate
from simulated_phone.machine.faults import ADVERTISEMENT
from simulated_phone.people.gestures import Gesture, GesturePlayer
from simulated_phone.screens.nodes import Node

if TYPE_CHECKING:
    from simulated_phone.phone import Phone

TYPO, WRONG_TAP = "typo", "wrong_tap"
SLIPS = (TYPO, WRONG_TAP, ADVERTISEMENT)
"""All slips. The advertisement is shown by the phone's fault of that name; the person closes it."""

_RATES = {TYPO: 0.1, WRONG_TAP: 0.06, ADVERTISEMENT: 0.08}
_LETTERS = later("的一是了我不在有这个上们来到时大地为子中你说生")
_TRIES = 6
"""Elements tried before a wrong tap is given up."""
_COMPARED_DATA = ("apps", "settings", "home", "front", "panel", "overlays")


def draw_slips(clumsiness: float, rng: random.Random) -> frozenset[str]:
    """Draw the slips of an episode; `clumsiness` multiplies their rates."""
    return frozenset(slip for slip in SLIPS if rng.random() < _RATES[slip] * clumsiness)


def assign_slips(slips: frozenset[str], steps: tuple[Step, ...], rng: random.Random) -> dict[int, str]:
    """Step index -> slip at that step. A slip for which there is no suitable step is left out.

    >>> assign_slips(frozenset({"typo"}), (Tap("搜索"), TypeText("晴天")), random.Random(1))
    {1: 'typo'}
    """
    assigned = {}
    typed = [at for at, step in enumerate(steps) if isinstance(step, TypeText) and len(step.text) > 1]
    tapped = [at for at, step in enumerate(steps) if at and isinstance(step, Tap)]
    opened = [at for at, step in enumerate(steps) if isinstance(step, Open)]
    if TYPO in slips and typed:
        assigned[rng.choice(typed)] = TYPO
    if WRONG_TAP in slips and tapped + opened:
        assigned[rng.choice(tapped + opened)] = WRONG_TAP
    return assigned


def type_with_typo(
    phone: Phone, player: GesturePlayer, step: TypeText, rng: random.Random
) -> Iterator[Gesture]:
    """Type the text with one wrong letter, delete that letter, and type the rest."""
    at = rng.randrange(1, len(step.text))
    right = step.text[at]
    wrong = rng.choice("0123456789" if right.isdecimal() else translate(phone.locale, _LETTERS))
    if wrong == right:
        # the drawn letter is the right one: it is typed twice instead
        wrong += right
    yield from player.gestures([replace(step, text=step.text[:at] + wrong, goes_on=True)])
    for _ in wrong:
        delete = next(node for node in phone.screen().nodes() if _is_delete(node))
        x, y = delete.box.centre
        yield Gesture(kind="tap", x=x, y=y, label=delete.label())
    yield from player.gestures([TypeText(step.text[at:])])


def _is_delete(node: Node) -> bool:
    return node.tap is not None and node.tap.name == "android.delete_key"


def tap_wrongly(phone: Phone, player: GesturePlayer, rng: random.Random) -> Iterator[Gesture]:
    """Tap an element that opens another page, then go back; no gesture if the screen has no such element.

    Each candidate is first tried on the phone itself, whose state is then restored: it qualifies only if
    going back undoes it.
    """
    screen = phone.screen()
    windows = [window for window in screen.windows if not (window.chrome or window.behind or window.passing)]
    nodes = [node for window in windows for node in window.root.walk() if node.clickable and node.label()]
    rng.shuffle(nodes)
    for node in [node for node in nodes if node.entry is None][:_TRIES]:
        x, y = node.box.centre
        if screen.touched(x, y) is node and _is_undone_by_back(phone, x, y):
            yield Gesture(kind="tap", x=x, y=y, label=node.label())
            yield from player.gestures([Press("back")])
            return


def _is_undone_by_back(phone: Phone, x: int, y: int) -> bool:
    """Whether a tap at the pixel changes the page, and the back key then restores page and state."""
    snapshot, before = phone.snapshot(), _window_roots(phone)
    phone.tap(x, y)
    opened = _window_roots(phone) != before and not phone.data["overlays"]
    phone.press_key("KEYCODE_BACK")
    changed = [name for name in _COMPARED_DATA if phone.data[name] != snapshot.data[name]]
    same = _window_roots(phone) == before and not changed
    # the tap was only tried
    phone.restore(snapshot)
    return opened and same


def _window_roots(phone: Phone) -> list[Node]:
    return [window.root for window in phone.screen().windows if not (window.chrome or window.passing)]
