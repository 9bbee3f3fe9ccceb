"""A plain dump in the collector's dialect says what it said before."""

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

FRAME = PixelBox(0, 0, 100, 200)


def test_a_dump_of_a_phone_has_the_boxes_and_words_of_the_collectors_tree() -> None:
    phone = Phone(size=(540, 1200), density=210)
    phone.start("com.android.deskclock")
    ours = parse_tree(release_dialect(phone.tree("uiautomator"))).elements
    theirs = parse_tree(phone.tree("release")).elements
    assert len(ours) > 20
    for our, their in zip(ours, theirs, strict=True):
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
            assert getattr(our, name) == getattr(their, name), name
        assert (our.visible, our.editable) == (None, None)


@given(
    text=st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t<>&\"'")
    )
)
@settings(deadline=None, max_examples=100)
def test_every_text_stays(text: str) -> None:
    text = "".join(letter for letter in text if letter not in "\ufffe\uffff")
    node = Node(box=FRAME, text=text, description=text, view_id="id")
    dump = write_tree([("com.app", node)], FRAME, 0, "uiautomator")
    (element,) = parse_tree(release_dialect(dump)).elements
    assert (element.text, element.description, element.view_id) == (text, text, "com.app:id/id")


def test_a_tree_of_the_release_stays_as_it_is_and_a_broken_one_is_refused() -> None:
    tree = Phone(size=(540, 1200), density=210).tree("release")
    assert release_dialect(tree) == tree
    with pytest.raises(AccessibilityTreeError):
        release_dialect('<hierarchy><node content-desc="a">')
