"""Conversion of uiautomator dumps to the release's dialect keeps their content."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import AccessibilityTreeError
from fingertip_dataset.ui_tree.accessibility import parse_tree
from fingertip_recorder.collector_tree import release_dialect
from simulated_phone import Phone
from simulated_phone.screens.nodes import Node, PixelBox
from simulated_phone.screens.tree import write_tree
from tests.examples import examples

FRAME = PixelBox(0, 0, 100, 200)


def test_a_converted_dump_has_the_elements_of_the_collectors_tree() -> None:
    phone = Phone(size=(540, 1200), density=210)
    phone.start("com.android.deskclock")
    converted = parse_tree(release_dialect(phone.tree("uiautomator"))).elements
    # a dump has the active window alone, the collector's tree the bars of the system, too
    collected = [
        element
        for element in parse_tree(phone.tree("release")).elements
        if element.package != "com.android.systemui"
    ]
    assert len(converted) > 20
    for element, expected in zip(converted, collected, strict=True):
        for name in (
            "text",
            "description",
            "view_id",
            "class_name",
            "package",
            "box",
            "clickable",
            "scrollable",
        ):
            assert getattr(element, name) == getattr(expected, name), name
        assert (element.visible, element.editable) == (None, None)


@given(
    text=st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t<>&\"'")
    )
)
@settings(deadline=None, max_examples=examples(100))
def test_every_text_is_kept(text: str) -> None:
    text = "".join(letter for letter in text if letter not in "\ufffe\uffff")
    node = Node(box=FRAME, text=text, description=text, view_id="id")
    dump = write_tree([("com.app", node)], FRAME, 0, "uiautomator")
    (element,) = parse_tree(release_dialect(dump)).elements
    assert (element.text, element.description, element.view_id) == (text, text, "com.app:id/id")


def test_a_release_tree_is_unchanged_and_a_broken_tree_is_refused() -> None:
    tree = Phone(size=(540, 1200), density=210).tree("release")
    assert release_dialect(tree) == tree
    with pytest.raises(AccessibilityTreeError):
        release_dialect('<hierarchy><node content-desc="a">')
