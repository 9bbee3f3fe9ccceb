from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.ui_tree.accessibility import AccessibilityTree, Box, BoxState, parse_tree, read_bounds
from tests.fingertip_dataset.ui_tree.dumps import RELEASE, node
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


def test_the_dialect_of_the_release_is_read() -> None:
    tree = parse_tree(RELEASE.encode())
    assert [(element.index, element.parent, element.depth) for element in tree.elements] == [
        (0, None, 0),
        (1, 0, 1),
        (2, 0, 1),
        (3, 2, 2),
        (4, 2, 2),
        (5, 0, 1),
    ]
    root, query, _, milk, add, hidden = tree.elements
    assert root.package == "com.shop"
    assert (query.hint, query.view_id, query.editable, query.class_name) == (
        "搜索商品",
        "com.shop:id/query",
        True,
        "android.widget.EditText",
    )
    assert milk.text == "牛奶 <1L>\n￥9.9"
    assert milk.box == Box(left=40, top=320, right=600, bottom=480)
    assert (add.description, add.enabled, add.clickable) == ("加入购物车", False, True)
    assert hidden.visible is False
    # the dialect does not say
    assert (root.checked, root.password, root.long_clickable, root.selected, root.focused) == (None,) * 5


@pytest.mark.parametrize(("bounds", "state"), VECTORS["boxes"])
def test_invalid_boxes_are_kept_and_marked(bounds: str | None, state: str) -> None:
    element = parse_tree(node(inner=node(bounds))).elements[1]
    assert element.box_state is BoxState[state]
    assert (element.box is None) == (state == "MISSING")


def test_the_screen_is_the_first_box_unless_the_screenshot_says_otherwise() -> None:
    dialog = node("[155,978][925,1423]", node("[0,0][1080,200]", text="behind"))
    assert parse_tree(dialog).screen == Box(left=155, top=978, right=925, bottom=1423)
    assert parse_tree(dialog).elements[1].box_state is BoxState.OFF_SCREEN
    tree = parse_tree(dialog, screen=(1080, 2340))
    assert tree.screen == Box(left=0, top=0, right=1080, bottom=2340)
    assert tree.elements[1].box_state is BoxState.PROPER
    assert parse_tree(node("[5,5][5,5]", node())).screen is None
    assert parse_tree('<hierarchy rotation="0"/>').screen is None


@given(st.lists(st.integers(-(10**9) + 1, 10**9 - 1), min_size=4, max_size=4))
@settings(deadline=None)
def test_every_box_is_read_back(edges: list[int]) -> None:
    left, top, right, bottom = edges
    assert read_bounds(f"[{left},{top}][{right},{bottom}]") == (left, top, right, bottom)


def test_a_hit_is_the_last_drawn_visible_element() -> None:
    tree = parse_tree(RELEASE)

    def name(x: float, y: float) -> str | None:
        element = tree.hit(x, y)
        if element is None:
            return None
        return element.text or element.description or element.hint or element.view_id

    assert name(100, 150) == "搜索商品"
    assert name(970, 400) == "加入购物车"
    assert name(700, 400) == "com.shop:id/row"
    assert name(10, 1000) == ""  # the root: the view over everything is invisible
    assert name(40, 320) == "牛奶 <1L>\n￥9.9"
    assert name(600, 480) == "com.shop:id/row"  # the right and the lower edge are outside
    assert name(39.9, 320.0) == "com.shop:id/row"
    assert name(1080, 5) is None
    assert name(-1, 5) is None
    assert name(float("nan"), 5) is None


def test_the_clickable_element_around_what_was_hit() -> None:
    tree = parse_tree(RELEASE)
    milk, add, root = tree.elements[3], tree.elements[4], tree.elements[0]
    assert tree.find_clickable_around(milk) == tree.elements[2]
    assert tree.find_clickable_around(add) == add
    assert tree.find_clickable_around(root) is None


@pytest.fixture(scope="module")
def real_trees(real_release: Path) -> list[bytes]:
    files = sorted(real_release.glob("raw/**/*.xml"))
    assert len(files) > 100
    return [file.read_bytes() for file in files]


def test_real_trees_agree_with_an_independent_reading(real_trees: list[bytes]) -> None:
    total = 0
    for xml in real_trees:
        root = ElementTree.fromstring(xml)  # noqa: S314 - our own test data
        around = {child: parent for parent in root.iter() for child in parent}
        nodes = list(root.iter("node"))
        place = {read: index for index, read in enumerate(nodes)}
        elements = parse_tree(xml).elements
        total += len(elements)
        assert len(elements) == len(nodes) == xml.count(b"<node ")
        for element, read in zip(elements, nodes, strict=True):
            assert element.parent == place.get(around[read])
            assert element.text == read.get("text")
            assert element.description == read.get("content_desc", read.get("content-desc"))
            assert element.view_id == read.get("view_id", read.get("resource-id"))
            assert element.box is not None
            sides = (element.box.left, element.box.top, element.box.right, element.box.bottom)
            assert "[{},{}][{},{}]".format(*sides) == read.get("bounds")
            for flag in ("clickable", "enabled", "visible", "editable", "checked", "selected"):
                assert str(getattr(element, flag)).lower() == read.get(flag, "none")
    assert total > 9000


def painted_last(tree: AccessibilityTree, x: int, y: int) -> int | None:
    """Index of the element that is on top at the point once all are painted in turn."""
    top = None
    for index, attributes in enumerate(tree.attributes):
        left, upper, right, lower = map(int, attributes["bounds"].replace("][", ",").strip("[]").split(","))
        if left <= x < right and upper <= y < lower and attributes.get("visible") != "false":
            top = index
    return top


def test_the_hit_test_on_real_screens_agrees_with_painting_them(real_trees: list[bytes]) -> None:
    rng = random.Random(7)  # noqa: S311 - points on a screen
    met = 0
    for xml in real_trees[::4]:
        tree = parse_tree(xml)
        for _ in range(20):
            x, y = rng.randrange(-50, 1130), rng.randrange(-50, 2450)
            element = tree.hit(x, y)
            assert (element.index if element else None) == painted_last(tree, x, y)
            met += element is not None
    assert met > 300
