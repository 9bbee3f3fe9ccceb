"""Find the element with a given label, on a screen that may have changed since the label was recorded."""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz.fuzz import ratio

from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, BoxState, Element
from fingertip_metrics.action_matching import plain

LIKENESS = 80.0
"""Minimum rapidfuzz ratio (0-100) for two labels to match. Set manually, not tuned."""

SHORTEST_PART = 2
"""Minimum length of a label that may match as a part of another one; shorter ones occur in too many."""


def list_labels(element: Element) -> Iterator[str]:
    """An element's non-empty text, description and hint, normalized for comparison."""
    for words in (element.text, element.description, element.hint):
        if clean := plain(words):
            yield clean


def find_element(tree: AccessibilityTree, label: str, near: tuple[float, float]) -> Element | None:
    """Find the element on the screen with a label; None if no element matches.

    Equal labels rank first, then labels of which one contains the other, then labels with a similarity of at
    least `LIKENESS`. Ties are broken by touchability, then similarity, then distance.

    Args:
        tree: Tree of the screen.
        label: Text, description or hint of the element.
        near: Recorded position of the element, device px.

    >>> from fingertip_dataset.ui_tree.accessibility import parse_tree
    >>> row = '<node text="{}" bounds="[0,{}][90,{}]"/>'
    >>> rows = row.format("设置", 0, 40) + row.format("闹钟", 40, 80)
    >>> tree = parse_tree(f"<hierarchy>{rows}</hierarchy>", screen=(90, 80))
    >>> find_element(tree, "闹钟", (5, 5)).box.center
    (45, 60)
    """
    wanted = plain(label)
    if not wanted:
        return None
    best: tuple[tuple[int, bool, float, float], Element] | None = None
    for element in tree.elements:
        if not _can_be_seen(element, tree):
            continue
        for words in list_labels(element):
            rank = _rank(wanted, words)
            if rank is None:
                continue
            key = (
                rank,
                not can_be_touched(element, tree),
                -ratio(wanted, words),
                _measure_distance(element, near),
            )
            if best is None or key < best[0]:
                best = key, element
    return best[1] if best else None


def _can_be_seen(element: Element, tree: AccessibilityTree) -> bool:
    """Whether its centre is on the screen and it is not marked invisible."""
    if element.box is None or element.box_state is not BoxState.PROPER or element.visible is False:
        return False
    x, y = element.box.center
    return tree.screen is None or tree.screen.contains(x, y)


def can_be_touched(element: Element, tree: AccessibilityTree) -> bool:
    """Whether a touch on its centre reaches its clickable element, so nothing covers it."""
    if not _can_be_seen(element, tree) or element.box is None or element.enabled is False:
        return False
    met, reacts = tree.hit(*element.box.center), tree.find_clickable_around(element)
    return met is not None and reacts is not None and tree.find_clickable_around(met) == reacts


def _rank(wanted: str, words: str) -> int | None:
    """Rank of a match: 0 equal, 1 one contains the other, 2 similar; None for no match."""
    if wanted == words:
        return 0
    short, long = sorted((wanted, words), key=len)
    if len(short) >= SHORTEST_PART and short in long:
        return 1
    return 2 if ratio(wanted, words) >= LIKENESS else None


def _measure_distance(element: Element, near: tuple[float, float]) -> float:
    x, y = element.box.center if element.box else near
    return (x - near[0]) ** 2 + (y - near[1]) ** 2
