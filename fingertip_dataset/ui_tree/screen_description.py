"""Screen descriptions for models: a numbered list of useful elements, or the authors' list of texts.

`elements`, ours: one element per line, at most `MAX_ELEMENTS`, without elements covered by another page (see
`covered`). `authors`, as the authors' script writes it: the texts of every element (text, description and
hint, joined with U+FF0C) with the center of its box, `[("text", (x, y)), ...]`, in document order, without a
limit, covered elements included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Literal

from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, read_bounds
from fingertip_dataset.ui_tree.covered import LEAST_PAGE, Event, find_covered, find_visible_part, is_large
from fingertip_dataset.ui_tree.tree_xml import TreeTarget, read_tree, tree_parser

ScreenForm = Literal["elements", "authors"]
"""Form of a screen description."""

MAX_ELEMENTS = 100
MAX_CHARACTERS = 80

_MAX_PLACES = 4096
_ANYWHERE = (-(10**9), -(10**9), 10**9, 10**9)
_RARE_FLAGS = ("long-clickable", "checked", "selected", "focused", "password")

_Edges = tuple[int, int, int, int]
"""Left, top, right, bottom in px."""

_Place = tuple[int, int, int, int, int, int]
"""Center (x, y) of a box, then left, top, right, bottom, in px."""

_Node = tuple[str | None, Mapping[str, str], int]
"""Text of an element or None, its attributes, and the index of its start event."""

_Chosen = tuple[str | None, Mapping[str, str], _Place, bool]
"""Text of an element or None, its attributes, its place, and whether it lies on a clickable element."""


def describe_screen(
    tree: AccessibilityTree,
    *,
    form: ScreenForm = "elements",
    max_elements: int = MAX_ELEMENTS,
    max_characters: int = MAX_CHARACTERS,
    with_package: bool = True,
) -> str:
    """Describe a screen by a numbered list of its useful elements, in document order.

    An element is useful if it is not marked invisible, no other page covers it, it has a text, a description
    or a hint or can be clicked, scrolled or edited, and the center of its box is on the screen. A line has
    its number, its class without the package, one label (text, else description, else `hint`, else the end
    of the `id`), the center of its box in device pixels, the flags that are true, and `disabled` if `enabled`
    is false. A clickable element without text is left out if the next one lies on it, which then counts as
    clickable.

    Args:
        tree: Accessibility tree of the screen.
        form: "elements", or "authors" for the authors' list of texts, in which nothing is left out or cut.
        max_elements: Maximum number of elements; if some are left out, a last line gives their number.
        max_characters: Maximum length of a label; one that is cut ends in "…".
        with_package: Whether the first line names the package of the first node.

    >>> from fingertip_dataset.ui_tree.accessibility import parse_tree
    >>> tree = parse_tree(
    ...     '<node package="com.clock" bounds="[0,0][480,800]">'
    ...     '<node class="android.widget.LinearLayout" clickable="true" bounds="[0,40][480,100]">'
    ...     '<node class="android.widget.TextView" text="Alarm" bounds="[0,40][200,100]"/></node></node>'
    ... )
    >>> print(describe_screen(tree))
    screen 480x800 com.clock
    1 TextView "Alarm" (100, 70) clickable
    >>> describe_screen(tree, form="authors")
    "[('Alarm', (100, 70))]"
    """
    useful = _UsefulNodes()
    around: list[int] = []
    for index, (attributes, parent) in enumerate(zip(tree.attributes, tree.parents, strict=True)):
        while around and around[-1] != parent:
            around.pop()
            useful.end("node")
        around.append(index)
        useful.start("node", attributes)
    box = tree.screen
    screen = None if box is None else (box.left, box.top, box.right, box.bottom)
    if form == "authors":
        return _list_for_authors(useful, screen, {})
    return _describe(useful, screen, {}, max_elements, max_characters, with_package=with_package)


class ScreenDescriber:
    """Screen descriptions made directly from XML, in little more than the time of parsing.

    It caches its parser and the boxes it has read, which repeat from step to step. Use one per thread.

    Args:
        max_elements: As in `describe_screen`.
        max_characters: As in `describe_screen`.

    >>> ScreenDescriber().describe('<node text="a" bounds="[0,0][4,2]"/>').splitlines()
    ['screen 4x2', '1 Element "a" (2, 1)']
    """

    def __init__(self, *, max_elements: int = MAX_ELEMENTS, max_characters: int = MAX_CHARACTERS) -> None:
        self._max_elements = max_elements
        self._max_characters = max_characters
        self._useful = _UsefulNodes()
        self._parser = tree_parser(self._useful)
        self._places: dict[str, _Place] = {}

    def describe(self, xml: bytes | str, *, screen: tuple[int, int] | None = None) -> str:
        """Return the result of `describe_screen(parse_tree(xml, screen=screen))`.

        Args:
            xml: A file's bytes, or its text.
            screen: (width, height) of the screenshot in px, if known.

        Raises:
            AccessibilityTreeError: An error of `parse_tree`; here the number of nodes is unlimited.
        """
        useful = self._useful
        useful.reset()
        read_tree(xml, self._parser)
        useful.check(has_nodes=useful.first is not None)
        if len(self._places) > _MAX_PLACES:
            self._places.clear()
        edges = None if screen is None else (0, 0, *screen)
        return _describe(useful, edges, self._places, self._max_elements, self._max_characters)


class _UsefulNodes(TreeTarget):
    """Parser target that collects potentially useful nodes; also called for the nodes of a parsed tree."""

    def __init__(self) -> None:
        # attributes at each element's start, its tag at its end
        self.events: list[Event] = []
        # lxml calls it for every end; a built-in method takes a third of the time of a Python function
        self.end: Callable[[str], None] = self.events.append
        super().__init__()

    def reset(self) -> None:
        super().reset()
        self.first: Mapping[str, str] | None = None
        self.nodes: list[_Node] = []
        self.events.clear()

    def start(self, tag: str, attributes: Mapping[str, str], /) -> None:
        self.events.append(attributes)
        if self.first is None:
            if tag != "node":
                self.root = self.root or tag
                return
            self.first = attributes
        get = attributes.get
        if get("visible") == "false":
            return
        words = get("text") or get("content_desc") or get("content-desc")
        if (
            words
            or get("clickable") == "true"
            or get("scrollable") == "true"
            or get("hint")
            or get("editable") == "true"
        ) and tag == "node":
            self.nodes.append((words, attributes, len(self.events) - 1))


def _describe(
    useful: _UsefulNodes,
    screen: _Edges | None,
    places: dict[str, _Place],
    max_elements: int,
    max_characters: int,
    *,
    with_package: bool = True,
) -> str:
    """Return the list of elements; without a screen the first node's box is taken."""
    first = useful.first or {}
    if screen is None:
        place = _place(first.get("bounds", ""), places)
        screen = place and place[2:]
    package = first.get("package", "")[:max_characters] if with_package else ""
    head = " ".join(f"{_size(screen)} {package}".split())
    chosen = _choose(_drop_covered(useful, screen, places), screen or _ANYWHERE, places)
    lines = [head, *_render_lines(islice(chosen, max_elements), max_characters)]
    left_out = sum(1 for _ in chosen)
    if left_out:
        lines.append(f"({left_out} more left out)")
    return "\n".join(lines)


def _drop_covered(useful: _UsefulNodes, screen: _Edges | None, places: dict[str, _Place]) -> list[_Node]:
    """Return the useful elements that no other page covers."""
    if screen is None:
        return useful.nodes

    @cache
    def find_box(bounds: str) -> _Edges | None:
        place = places.get(bounds) or _place(bounds, places)
        return place and find_visible_part(place[2:], screen)

    bounds = {event.get("bounds", "") for event in useful.events if not isinstance(event, str)}
    least = LEAST_PAGE * (screen[2] - screen[0]) * (screen[3] - screen[1])
    large = frozenset(
        name for name in bounds if _area(name, places) >= least and is_large(find_box(name), screen)
    )
    covered = find_covered(useful.events, large, find_box, [start for _, _, start in useful.nodes])
    return [node for node in useful.nodes if node[2] not in covered] if covered else useful.nodes


def _area(bounds: str, places: dict[str, _Place]) -> int:
    """Area of a whole box: cheaper to compute than that of its visible part, and never smaller."""
    place = places.get(bounds) or _place(bounds, places)
    return 0 if place is None else (place[4] - place[2]) * (place[5] - place[3])


def _list_for_authors(useful: _UsefulNodes, screen: _Edges | None, places: dict[str, _Place]) -> str:
    """Return the texts of every element on the screen with its center, formatted as a Python list."""
    if screen is None:
        place = _place((useful.first or {}).get("bounds", ""), places)
        screen = place[2:] if place else _ANYWHERE
    left, top, right, bottom = screen
    texts = []
    for _, attributes, _ in useful.nodes:
        place = _place(attributes.get("bounds", ""), places)
        described = attributes.get("content_desc") or attributes.get("content-desc")
        words = "，".join(filter(None, (attributes.get("text"), described, attributes.get("hint"))))
        if words and place and left <= place[0] < right and top <= place[1] < bottom:
            texts.append((words, place[:2]))
    return repr(texts)


def _size(screen: _Edges | None) -> str:
    if screen is None:
        return "screen of unknown size"
    left, top, right, bottom = screen
    where = f" at ({left}, {top})" if left or top else ""
    return f"{'window' if where else 'screen'} {right - left}x{bottom - top}{where}"


def _place(bounds: str, places: dict[str, _Place]) -> _Place | None:
    """Return the place of a box, cached; None if the box is invalid."""
    known = places.get(bounds)
    if known is not None:
        return known
    left, top, right, bottom = read_bounds(bounds) or (0, 0, 0, 0)
    if left >= right or top >= bottom:
        return None
    place = places[bounds] = (left + right) // 2, (top + bottom) // 2, left, top, right, bottom
    return place


def _choose(nodes: list[_Node], screen: _Edges, places: dict[str, _Place]) -> Iterator[_Chosen]:
    """Yield the elements to list: on the screen, and not a clickable background of the next one's text."""
    first_x, first_y, end_x, end_y = screen
    held: tuple[Mapping[str, str], _Place] | None = None
    for words, attributes, _ in nodes:
        bounds = attributes.get("bounds", "")
        place = places.get(bounds) or _place(bounds, places)
        if place is None or not (first_x <= place[0] < end_x and first_y <= place[1] < end_y):
            continue
        clickable = False
        if held is not None:
            left, top, right, bottom = held[1][2:]
            clickable = left <= place[0] < right and top <= place[1] < bottom
            if not clickable:
                yield None, *held, False
            held = None
        if not words and _only_clickable(attributes):
            held = attributes, place
        else:
            yield words, attributes, place, clickable
    if held is not None:
        yield None, *held, False


def _only_clickable(attributes: Mapping[str, str]) -> bool:
    """Whether an element without text is clickable and has no other information."""
    get = attributes.get
    return (
        get("clickable") == "true"
        and get("scrollable") != "true"
        and get("editable") != "true"
        and get("checkable") != "true"
        and get("enabled") != "false"
        and not get("hint")
    )


def _render_lines(chosen: Iterable[_Chosen], max_characters: int) -> list[str]:
    lines: list[str] = []
    for number, (words, attributes, place, clickable) in enumerate(chosen, start=1):
        get, name = attributes.get, ""
        if not words:
            name, words = _substitute_label(attributes)
        if len(words) > max_characters:
            words = words[: max_characters - 1] + "…"
        flags = " clickable" if clickable or get("clickable") == "true" else ""
        if get("editable") == "true":
            flags += " editable"
        if get("scrollable") == "true":
            flags += " scrollable"
        if "checked" in attributes:
            flags += "".join([f" {flag}" for flag in _RARE_FLAGS if get(flag) == "true"])
        if get("enabled") == "false":
            flags += " disabled"
        kind = (get("class") or "Element")[-40:].rpartition(".")[2]
        label = f'{kind} {name}"{words}"' if words else kind
        line = f"{number} {label} ({place[0]}, {place[1]}){flags}"
        lines.append(line if line.isprintable() else " ".join(line.split()))
    return lines


def _substitute_label(attributes: Mapping[str, str]) -> tuple[str, str]:
    """Return a prefix and a label for an element without text: its hint, otherwise its id."""
    hint = attributes.get("hint")
    if hint:
        return "hint ", hint
    view_id = attributes.get("view_id") or attributes.get("resource-id", "")
    return "id ", view_id.rpartition("/")[2]
