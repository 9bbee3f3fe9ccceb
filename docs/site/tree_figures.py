"""Figures of accessibility trees, and of what agents make of them, on clean and on rough trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median

import numpy as np

from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.formats.appagent import list_marks
from fingertip_agents.formats.autodroid_list import list_entries
from fingertip_agents.grounding import find_element
from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, BoxState, Element, parse_tree
from fingertip_dataset.ui_tree.screen_description import describe_screen
from simulated_phone.people.gestures import Gesture
from simulated_phone.people.life import Life
from simulated_phone.people.person import make_person
from simulated_phone.phone import Phone
from simulated_phone.screens.nodes import Node
from simulated_phone.screens.rough_trees import TreeKind
from simulated_phone.screens.screen import DisplayedScreen

SIZE, DENSITY = (540, 1200), 210
KINDS: tuple[TreeKind, ...] = ("clean", "rough")

FIGURES: Mapping[str, str] = {
    "nodes": "nodes",
    "depth": "depth, levels",
    "text": "share with a text or description",
    "clickable": "share clickable",
    "bad": "share with empty or inverted bounds",
    "wrappers": "share with the bounds of the node around them",
    "silent": "share of leaves without text that are not clickable, of all nodes",
    "overlapped": "share of visible leaves whose centre another one covers",
    "characters": "characters of all attributes",
}
"""Name of a figure -> what it is."""


def figures_of(tree: AccessibilityTree) -> dict[str, float]:
    """The figures of one tree, which has at least one node."""
    elements = tree.elements
    parents = Counter(element.parent for element in elements)
    leaves = [element for element in elements if not parents[element.index]]
    around = [None if e.parent is None else elements[e.parent].box for e in elements]
    return {
        "nodes": len(elements),
        "depth": max(element.depth for element in elements) + 1,
        "text": fmean(_speaks(element) for element in elements),
        "clickable": fmean(element.clickable is True for element in elements),
        "bad": fmean(e.box_state in (BoxState.INVERTED, BoxState.EMPTY) for e in elements),
        "wrappers": fmean(
            e.box is not None and e.box == box for e, box in zip(elements, around, strict=True)
        ),
        "silent": sum(not _speaks(e) and e.clickable is not True for e in leaves) / len(elements),
        "overlapped": _overlapped(leaves),
        "characters": sum(len(value) for attributes in tree.attributes for value in attributes.values()),
    }


def _speaks(element: Element) -> bool:
    return bool(element.text or element.description)


def _overlapped(leaves: Iterable[Element]) -> float:
    seen = [e for e in leaves if e.box and e.box_state is BoxState.PROPER and e.visible is not False]
    covered = [
        any(other.box.contains(*e.box.center) for other in seen if other is not e and other.box)
        for e in seen
        if e.box
    ]
    return fmean(covered) if covered else 0.0


def summary(trees: Iterable[AccessibilityTree]) -> dict[str, tuple[float, float]]:
    """Median and 90th percentile, between two trees linearly, of each figure."""
    rows = [figures_of(tree) for tree in trees]
    return {
        name: (median(row[name] for row in rows), float(np.percentile([row[name] for row in rows], 90)))
        for name in FIGURES
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """Screen of a simulated person.

    Attributes:
        page: Seed of the phone, package and name of the page.
        screen: The laid-out screen.
        trees: Kind -> tree as in `uiautomator dump`.
        release: Kind -> tree in the dialect of the release.
        gesture: What the person did on it; None at the end of an episode.
    """

    page: tuple[int, str, str]
    screen: DisplayedScreen
    trees: Mapping[str, str]
    release: Mapping[str, str]
    gesture: Gesture | None = None


class TwiceRead(Phone):
    """A phone that keeps both kinds of trees of each screen; in their place it gives the screen's number."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed, size=SIZE, density=DENSITY)
        self.screens: list[Observed] = []

    def tree(self, dialect: str = "uiautomator") -> str:
        """The number of the screen in `screens`."""
        shown = self.shown()
        found: dict[str, dict[str, str]] = {"uiautomator": {}, "release": {}}
        for self.trees in KINDS:
            for name, trees in found.items():
                trees[self.trees] = super().tree(name)
        page = (self.seed, shown.package, shown.entry["page"])
        self.screens.append(
            Observed(page=page, screen=shown.screen, trees=found["uiautomator"], release=found["release"])
        )
        return str(len(self.screens) - 1)


def observed(people: int, episodes: int) -> list[Observed]:
    """The screens of simulated people's episodes, with what each did on them."""
    screens: list[Observed] = []
    for number in range(people):
        person = make_person(number, 0)
        phone = TwiceRead(person.seed)
        for episode in Life(person, phone).month(episodes):
            for frame in episode.frames:
                screens.append(replace(phone.screens[int(frame.tree)], gesture=frame.gesture))
    return screens


def pages(screens: Sequence[Observed]) -> list[Observed]:
    """The first screen of each page of each phone, without home screens, which the real ones lack, too."""
    first = {seen.page: seen for seen in reversed(screens) if "launcher" not in seen.page[1]}
    return list(first.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFigures:
    """Measure what agents that read trees get from a screen.

    Attributes:
        description: Characters of the generalist's screen description.
        lines: Elements in it.
        autodroid: Characters of AutoDroid's list.
        entries: Elements in it.
        marks: Numbers that AppAgent draws.
        true_entries: Share of AutoDroid's elements whose touch point reaches an element of the page.
        listed: Whether the element that the person touched has the touch point of an element of AutoDroid's
            list; None if the person touched none with a label.
        found: Whether a touch on what `imitate` finds by the label reaches it.
        first: Whether a touch on the first node with this text or description reaches it.
    """

    description: float
    lines: float
    autodroid: float
    entries: float
    marks: float
    true_entries: float | None
    listed: bool | None
    found: bool | None
    first: bool | None


def agent_figures(seen: Observed, kind: TreeKind) -> AgentFigures:
    """The figures of one screen with trees of this kind."""
    package = seen.page[1]
    screen = ScreenInput(screenshot=b"", tree=seen.trees[kind], size=seen.screen.size, package=package)
    tree = parse_tree(seen.trees[kind], screen=seen.screen.size)
    described = describe_screen(tree)
    entries = [entry for entry in list_entries(screen) if entry.kind == "element"]
    reached = [seen.screen.touched(*entry.point) for entry in entries]
    target = _target(seen)
    found = first = None
    if target is not None and seen.gesture is not None:
        near = find_element(tree, seen.gesture.label, (seen.gesture.x, seen.gesture.y))
        found = near is not None and _reaches(seen, near, target)
        words = (e for e in tree.elements if seen.gesture.label in (e.text, e.description))
        exact = next(words, None)
        first = exact is not None and _reaches(seen, exact, target)
    return AgentFigures(
        description=len(described),
        lines=described.count("\n"),
        autodroid=sum(len(entry.line(number)) + 1 for number, entry in enumerate(entries)),
        entries=len(entries),
        marks=len(list_marks(screen)),
        true_entries=fmean(node is not None for node in reached) if entries else None,
        listed=None if target is None else any(node is target for node in reached),
        found=found,
        first=first,
    )


def _target(seen: Observed) -> Node | None:
    """The element with a label that the person tapped or held."""
    gesture = seen.gesture
    if gesture is None or gesture.kind not in ("tap", "hold") or not gesture.label:
        return None
    node = seen.screen.touched(gesture.x, gesture.y)
    keys = {key for window in seen.screen.windows if window.chrome for key in map(id, window.root.walk())}
    return None if id(node) in keys else node


def _reaches(seen: Observed, element: Element, target: Node) -> bool:
    return element.box is not None and seen.screen.touched(*element.box.center) is target
