"""A screenshot that is made smaller, and every coordinate with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.screens.scale import Scale
from fingertip_dataset.actions import Click, Type
from fingertip_dataset.errors import UsageError
from fingertip_dataset.ui_tree.accessibility import BoxState, parse_tree

SIZES = st.tuples(st.integers(100, 4000), st.integers(100, 4000))


@given(SIZES, st.integers(28 * 28, 10_000_000), st.integers(28, 5000))
def test_a_picture_keeps_within_both_limits_and_is_never_larger(
    size: tuple[int, int], max_pixels: int, long_side: int
) -> None:
    width, height = Scale.fit(size, max_pixels=max_pixels, long_side=long_side).shown
    assert width * height <= max_pixels
    assert 1 <= max(width, height) <= long_side
    assert width <= size[0]
    assert height <= size[1]


def test_no_limit_leaves_everything_as_it_is() -> None:
    scale = Scale.fit((1080, 2400))
    assert scale.shown == (1080, 2400)
    assert scale.on_device(Click(x=10.5, y=3)) == Click(x=10.5, y=3)


@given(SIZES, st.integers(28, 5000), st.data())
def test_a_pixel_of_the_picture_goes_to_the_screen_and_back(
    size: tuple[int, int], long_side: int, data: st.DataObject
) -> None:
    scale = Scale.fit(size, long_side=long_side)
    x, y = (data.draw(st.integers(0, side - 1)) for side in scale.shown)
    there = scale.on_device(Click(x=x, y=y, content="a"))
    assert isinstance(there, Click)
    assert 0 <= there.x < size[0]
    assert 0 <= there.y < size[1]
    assert scale.in_picture(there) == Click(x=x, y=y, content="a")


def test_actions_without_coordinates_are_unchanged() -> None:
    assert Scale(device=(100, 200), shown=(50, 100)).on_device(Type(text="a")) == Type(text="a")


def test_the_smallest_element_does_not_vanish_from_a_smaller_tree() -> None:
    tree = parse_tree(
        '<node bounds="[0,0][1080,2400]"><node bounds="[7,9][8,10]"/><node bounds="broken"/></node>',
        screen=(1080, 2400),
    )
    small = Scale.fit((1080, 2400), long_side=600).tree_in_picture(tree)
    assert small.elements[1].box_state is BoxState.PROPER
    assert small.elements[2].box_state is BoxState.MISSING
    assert small.elements[0].box == small.screen


@pytest.mark.parametrize("limits", [{"max_pixels": 783}, {"long_side": 27}, {"long_side": 0}])
def test_a_limit_on_which_nothing_can_be_read_is_refused(limits: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="expected a"):
        Scale.fit((1080, 2400), **limits)
