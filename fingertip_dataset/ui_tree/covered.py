"""Elements that another page hides: real trees list the pages below the one that is shown, too.

A tree says neither what is opaque nor in which order siblings of the same place are drawn. In the real trees
at hand the page on top comes last, and where it comes first, its root is clickable, which keeps touches from
falling through to the page below. So an element counts as covered where all of this holds:

- it lies in a branch of the tree of page size, which covers at least half of the screen;
- another branch of page size, later in document order, holds at least three elements with words and contains
  the element's visible box;
- on the middle of the element that page has something: words, or what can be clicked or typed into;
- the element's own page is not clickable: which of the two is on top nobody can tell, and both stay.

So an empty layer, a floating button, a picture behind words and the words on a button cover nothing. What a
dialog on a dimmed background makes unreachable is covered, though it may shine through.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence

Edges = tuple[int, int, int, int]
"""Left, top, right, bottom; pixels."""

Event = Mapping[str, str] | str
"""Of a node: its attributes where it begins, its tag where it ends."""

BoxOf = Callable[[str], Edges | None]
"""Value of `bounds` -> the visible part of the box; None where there is none."""

LEAST_PAGE = 0.5
"""Of the screen's area: the smallest page that hides what is below it."""

LEAST_WORDS = 3
"""Elements with words on a page that hides what is below it; an empty layer is transparent."""

LEAST_INSIDE = 0.95
"""Of an element's visible area: how much of it lies within a page that hides it; boxes are some px off."""

MOST_EVENTS = 4_000
"""Two of each node; in a larger tree nothing counts as covered. The largest real tree has 700 nodes."""

MOST_PAGES = 64
"""Nodes of page size that are looked at, the last ones of a tree."""


def find_covered(
    events: Sequence[Event], large: frozenset[str], box_of: BoxOf, candidates: Sequence[int]
) -> frozenset[int]:
    """Those of the candidates that another page covers.

    Args:
        events: Of every node of the tree in document order, where it begins and where it ends.
        large: Values of `bounds` of page size (`is_large`).
        box_of: Of a value of `bounds`.
        candidates: Places among the events at which the nodes that are asked about begin, in ascending order.
    """
    if not candidates or not large or len(events) > MOST_EVENTS:
        return frozenset()
    ends, pages = _structure(events, large)
    # pages that lie in one another are one page
    if not pages or pages[-1][0] < min(ends[page] for page, _ in pages):
        return frozenset()
    covered: set[int] = set()
    for page, around in reversed(pages[-MOST_PAGES:]):
        # what lies before the page around this one, too, is that one's matter
        others = [other for other, _ in pages if around < other and ends[other] < page]
        candidates_here = [
            start
            for other, end in _outermost(others, ends)
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
    seen = None if box is None else visible_part(box, screen)
    return seen is not None and _area(seen) >= LEAST_PAGE * _area(screen)


def visible_part(box: Edges, screen: Edges) -> Edges | None:
    """The part of a box that is on the screen; None where there is none."""
    left, top = max(box[0], screen[0]), max(box[1], screen[1])
    right, bottom = min(box[2], screen[2]), min(box[3], screen[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def _structure(events: Sequence[Event], large: frozenset[str]) -> tuple[list[int], list[tuple[int, int]]]:
    """Where each node ends, by where it begins; and nodes of page size, each with the one around it or -1."""
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


def _outermost(pages: Sequence[int], ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Where those that lie in no other of them begin and end."""
    behind = -1
    for page in pages:
        if page > behind:
            behind = ends[page]
            yield page, behind


def _below(
    events: Sequence[Event],
    ends: Sequence[int],
    guards: Sequence[int],
    page: int,
    candidates_here: Sequence[int],
    box_of: BoxOf,
) -> Iterator[int]:
    """Which nodes of earlier pages a page covers."""
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
    shared = visible_part(box, page)
    return shared is not None and _area(shared) >= LEAST_INSIDE * _area(box)


def _is_on(box: Edges, others: Sequence[Edges]) -> bool:
    """Whether the middle of a box lies on one of the others."""
    x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
    return any(left <= x < right and top <= y < bottom for left, top, right, bottom in others)


def _area(box: Edges) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
