"""Rough trees: untidy as real ones, always the same, and with all that can be touched."""

from __future__ import annotations

from collections import Counter

import pytest

from fingertip_dataset.ui_tree.accessibility import (
    AccessibilityTree,
    BoxState,
    Element,
    parse_tree,
)
from fingertip_dataset.ui_tree.screen_description import describe_screen
from simulated_phone import Phone, PhoneSetupError, TreeUnavailableError
from simulated_phone.people.life import Life
from simulated_phone.people.person import make_person
from simulated_phone.screens.nodes import Node

SIZE, DENSITY = (540, 1200), 210
SEEDS = range(2)


class WatchedTrees(Phone):
    """A phone of a person that keeps what it was asked for: its touchable nodes and its rough tree."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed, size=SIZE, density=DENSITY, trees="rough")
        self.seen: list[tuple[dict[tuple[int, int], Node], AccessibilityTree]] = []

    def tree(self, dialect: str = "uiautomator") -> str:
        text = super().tree(dialect)
        screen, root = self.screen(), self.shown().root
        nodes = [node for node in root.walk() if node.clickable and not node.box.empty] if root else []
        points = {node.box.centre: node for node in nodes if screen.touched(*node.box.centre) is node}
        self.seen.append((points, parse_tree(text)))
        return text


@pytest.fixture(scope="module")
def screens() -> list[tuple[dict[tuple[int, int], Node], AccessibilityTree]]:
    found = []
    for number in SEEDS:
        person = make_person(number, 0)
        phone = WatchedTrees(person.seed)
        assert len(list(Life(person, phone).month(6))) == 6
        found += phone.seen
    return found


def labels(node: Node) -> set[str]:
    """First text and first description of a touchable node; of those inside if it has none itself."""
    nodes = [inner for inner in node.walk() if inner is node or not inner.clickable]
    texts = [inner.text for inner in nodes if inner.text][:1]
    return set(texts or [inner.description for inner in nodes if inner.description][:1])


def words_inside(tree: AccessibilityTree, element: Element) -> str:
    inside = [
        inner
        for inner in tree.elements[element.index :]
        if inner.index == element.index or _is_inside(tree, inner, element)
    ]
    return " | ".join(f"{inner.text} | {inner.description}" for inner in inside)


def _is_inside(tree: AccessibilityTree, inner: Element, outer: Element) -> bool:
    parent = inner.parent
    while parent is not None and parent > outer.index:
        parent = tree.elements[parent].parent
    return parent == outer.index


def test_what_can_be_touched_is_in_the_tree_under_its_centre(
    screens: list[tuple[dict[tuple[int, int], Node], AccessibilityTree]],
) -> None:
    looked = 0
    for points, tree in screens:
        for (x, y), node in points.items():
            met = tree.hit(x, y)
            assert met is not None
            owner = tree.find_clickable_around(met)
            assert owner is not None, (node.kind, node.label())
            assert owner.box is not None
            assert node.box.contains(*owner.box.center)
            for label in labels(node):
                assert label in words_inside(tree, owner)
                looked += 1
    assert looked > 500


def test_trees_have_the_faults_of_real_ones(
    screens: list[tuple[dict[tuple[int, int], Node], AccessibilityTree]],
) -> None:
    states = Counter(element.box_state for _, tree in screens for element in tree.elements)
    assert states[BoxState.INVERTED] > 0
    assert states[BoxState.EMPTY] > 0
    classes = {element.class_name for _, tree in screens for element in tree.elements}
    assert "android.webkit.WebView" in classes
    wrappers = [
        element
        for _, tree in screens
        for element in tree.elements
        if element.parent is not None and element.box == tree.elements[element.parent].box
    ]
    assert len(wrappers) > len(screens)
    for _, tree in screens:
        assert {element.package for element in tree.elements} == {tree.elements[0].package}
        assert sum(element.parent is None for element in tree.elements) == 1
        # an agent's list never offers what is out of sight
        assert "(-" not in describe_screen(tree)


def test_equal_phones_have_equal_trees_and_pixels_do_not_change() -> None:
    clean, *rough = (
        Phone(seed=5, size=SIZE, density=DENSITY, trees=kind) for kind in ("clean", "rough", "rough")
    )
    other = Phone(seed=6, size=SIZE, density=DENSITY, trees="rough")
    different = 0
    packages = list(clean.apps)[::3]
    for package in packages:
        for phone in (clean, *rough, other):
            assert phone.start(package)
        first, second = (phone.tree("release") for phone in rough)
        assert first == second == rough[0].tree("release") != clean.tree("release")
        assert clean.screenshot() == rough[0].screenshot()
        shapes = [[e.class_name for e in parse_tree(phone.tree()).elements] for phone in (rough[0], other)]
        different += shapes[0] != shapes[1]
    assert different > len(packages) / 2


def test_nothing_flickers_while_a_list_scrolls_or_a_text_is_typed() -> None:
    phone = Phone(size=SIZE, density=DENSITY, trees="rough")
    phone.start("com.android.contacts")
    before = parse_tree(phone.tree()).elements
    phone.swipe(270, 800, 270, 780)
    after = parse_tree(phone.tree()).elements
    of_list = ("class_name", "view_id", "depth")
    # a text that is on the screen twice does not tell which node it was
    once = {text for text, count in Counter(e.text for e in (*before, *after)).items() if count == 2}
    texts = {e.text: [getattr(e, name) for name in of_list] for e in before if e.text in once - {""}}
    both = [(e, texts[e.text]) for e in after if e.text in texts]
    assert len(both) > 5
    assert [was for e, was in both if [getattr(e, name) for name in of_list] != was] == []


def test_a_dark_display_has_no_active_window() -> None:
    phone = Phone(size=SIZE, density=DENSITY, trees="rough")
    phone.press_key("KEYCODE_POWER")
    with pytest.raises(TreeUnavailableError, match="null root node"):
        phone.tree()
    assert parse_tree(phone.tree("windows")).elements == ()


def test_other_kinds_of_trees_are_refused() -> None:
    with pytest.raises(PhoneSetupError, match="expected trees of clean or rough, got 'real'"):
        Phone(size=SIZE, density=DENSITY, trees="real")
