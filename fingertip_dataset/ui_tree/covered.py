"""Detection of elements covered by another page: real trees also list the pages below the visible one.

A tree states neither which nodes are opaque nor the drawing order of siblings at the same place. In the known
real trees the page on top comes last; if it comes first, its root is clickable, which keeps touches from
reaching the page below. So an element counts as covered if all of these hold:

- it lies in a branch of the tree of page size, that is, at least half of the screen;
- another branch of page size, later in document order, has at least three elements with text and contains
  the element's visible box;
- that page has an element with text, or a clickable or editable one, at the center of the element;
- the element's own page is not clickable: otherwise it is unknown which of the two is on top, and both stay.

So an empty layer, a floating button, a picture behind text and the text on a button cover nothing. Elements
that a dialog on a dimmed background makes unreachable are covered, although they may be visible through it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence

Edges = tuple[int, int, int, int]
"""Left, top, right, bottom in px."""

Event = Mapping[str, str] | str
"""Start of a node, given by its attributes, or end of a node, given by its tag."""

BoxOf = Callable[[str], Edges | None]
"""Function from a value of `bounds` to the visible part of the box; None if nothing is visible."""

LEAST_PAGE = 0.5
"""Minimum size of a page that covers others, as a share of the screen's area."""

LEAST_WORDS = 3
"""Minimum number of elements with text on a page that covers others; an empty layer is transparent."""

LEAST_INSIDE = 0.95
"""Minimum share of an element's visible area inside the covering page; below 1, as boxes are some px off."""

MOST_EVENTS = 4_000
"""Maximum number of events, two per node; in a larger tree nothing counts as covered. The largest known real
tree has 700 nodes."""

MOST_PAGES = 64
"""Maximum number of pages examined, counted from the end of a tree."""


def find_covered(
    events: Sequence[Event], large: frozenset[str], box_of: BoxOf, candidates: Sequence[int]
) -> frozenset[int]:
    """Return the candidates that another page covers.

    Args:
        events: Start and end events of every node of the tree, in document order.
        large: Values of `bounds` of page size (`is_large`).
        box_of: Function from a value of `bounds` to the visible box.
        candidates: Indices of the start events of the nodes in question, ascending.
    """
    if not candidates or not large or len(events) > MOST_EVENTS:
        return frozenset()
    ends, pages = _read_structure(events, large)
    # nested pages are one page
    if not pages or pages[-1][0] < min(ends[page] for page, _ in pages):
        return frozenset()
    covered: set[int] = set()
    for page, around in reversed(pages[-MOST_PAGES:]):
        # nodes before the enclosing page are handled when that page's turn comes
        others = [other for other, _ in pages if around < other and ends[other] < page]
        candidates_here = [
            start
            for other, end in _find_outermost(others, ends)
            for start in candidates[bisect_left(candidates, other) : bisect_left(candidates, end)]
            if start not in covered
        ]
        if candidates_here:
            guards = [other for other in others if _is_clickable(events[other])]
            covered.update(_below(events, ends, guards, page, candidates_here, box_of))
    return frozenset(covered)


def is_large(box: Edges | None, screen: Edges) -> bool:
    """Whether the visible part of a box has the size of a page.

    >>> is_large((0, 0, 10, 12), (0, 0, 10, 20)), is_large((0, 0, 10, 9), (0, 0, 10, 20))
    (True, False)
    """
    visible = None if box is None else find_visible_part(box, screen)
    return visible is not None and _area(visible) >= LEAST_PAGE * _area(screen)


def find_visible_part(box: Edges, screen: Edges) -> Edges | None:
    """Return the part of a box that is on the screen; None if there is none."""
    left, top = max(box[0], screen[0]), max(box[1], screen[1])
    right, bottom = min(box[2], screen[2]), min(box[3], screen[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def _read_structure(
    events: Sequence[Event], large: frozenset[str]
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the end index of each start event, and the pages, each with its enclosing page or -1."""
    ends = [len(events)] * len(events)
    pages: list[tuple[int, int]] = []
    around: list[int] = []
    inside = [-1]
    for at, event in enumerate(events):
        if isinstance(event, str):
            start = around.pop()
            ends[start] = at
            if inside[-1] == start:
                inside.pop()
            continue
        around.append(at)
        if event.get("bounds") in large and event.get("visible") != "false":
            pages.append((at, inside[-1]))
            inside.append(at)
    return ends, pages


def _find_outermost(pages: Sequence[int], ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield start and end of the pages that lie in no other page."""
    last_end = -1
    for page in pages:
        if page > last_end:
            last_end = ends[page]
            yield page, last_end


def _below(
    events: Sequence[Event],
    ends: Sequence[int],
    guards: Sequence[int],
    page: int,
    candidates_here: Sequence[int],
    box_of: BoxOf,
) -> Iterator[int]:
    """Yield the nodes of earlier pages that a page covers."""
    box = _box(events[page], box_of)
    if box is None:
        return
    below = [
        (start, own)
        for start in candidates_here
        if (own := _box(events[start], box_of)) is not None and _is_inside(own, box)
    ]
    if not below:
        return
    inner = [event for event in events[page : ends[page]] if not isinstance(event, str)]
    if sum(_has_words(event) and _box(event, box_of) is not None for event in inner) < LEAST_WORDS:
        return
    solid = [box for event in inner if _is_solid(event) and (box := _box(event, box_of)) is not None]
    for start, own in below:
        guarded = any(guard <= start < ends[guard] for guard in guards)
        if not guarded and _is_on(own, solid):
            yield start


def _box(event: Event, box_of: BoxOf) -> Edges | None:
    if isinstance(event, str) or event.get("visible") == "false":
        return None
    return box_of(event.get("bounds", ""))


def _is_clickable(event: Event) -> bool:
    return not isinstance(event, str) and event.get("clickable") == "true"


def _is_solid(event: Mapping[str, str]) -> bool:
    return _is_clickable(event) or event.get("editable") == "true" or _has_words(event)


def _has_words(event: Mapping[str, str]) -> bool:
    return bool(event.get("text") or event.get("content_desc") or event.get("content-desc"))


def _is_inside(box: Edges, page: Edges) -> bool:
    shared = find_visible_part(box, page)
    return shared is not None and _area(shared) >= LEAST_INSIDE * _area(box)


def _is_on(box: Edges, others: Sequence[Edges]) -> bool:
    """Whether the center of a box lies in one of the others."""
    x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
    return any(left <= x < right and top <= y < bottom for left, top, right, bottom in others)


def _area(box: Edges) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
