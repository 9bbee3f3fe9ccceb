"""Screens find their steps by name, by place only where one reading is possible, and never twice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.release.screens.screen_files import (
    Join,
    ScreenFile,
    join_screens,
    named_screen,
    parse_screen_file,
)
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


def join(names: Sequence[str | None], images: Sequence[str], trees: Sequence[str] = ()) -> Join:
    return join_screens(
        [None if name is None else named_screen(name) for name in names],
        [parse_screen_file(f"S/{image}") for image in images],
        [parse_screen_file(f"S/{tree}") for tree in trees],
    )


def shown(files: Sequence[ScreenFile | None]) -> list[str | None]:
    return [file and file.name for file in files]


@pytest.mark.parametrize(
    ("names", "images", "screenshots"),
    [
        *VECTORS["screenshots"],
        # no name fits, as many screenshots as steps: the place in the sorted list
        (["a", "b", None], ["10.jpg", "9.jpg", "11.jpg"], ["9.jpg", "10.jpg", "11.jpg"]),
        # one is missing: no place is certain
        (["a", "b", "c"], ["1.jpg", "2.jpg"], [None, None, None]),
        # between its neighbours lies exactly one
        (["1.jpg", "x", "5.jpg"], ["1.jpg", "3.jpg", "5.jpg"], ["1.jpg", "3.jpg", "5.jpg"]),
        # steps whose screenshots go backwards leave no room between them
        (["5.jpg", "x", "1.jpg"], ["1.jpg", "3.jpg", "5.jpg"], ["5.jpg", None, "1.jpg"]),
        # names without a number have no place in time
        (["x"], ["y.jpg"], [None]),
    ],
)
def test_screenshots(names: list[str | None], images: list[str], screenshots: list[str | None]) -> None:
    joined = join(names, images)
    assert shown(joined.screenshots) == screenshots
    assert set(shown(joined.unused)) == set(images) - set(screenshots)


@pytest.mark.parametrize(("names", "images", "trees", "expected"), VECTORS["trees"])
def test_trees(
    names: list[str | None], images: list[str], trees: list[str], expected: list[str | None]
) -> None:
    joined = join(names, images, trees)
    assert shown(joined.trees) == expected
    assert {name for name in shown(joined.unused) if name and name.endswith("xml")} == set(trees) - set(
        expected
    )


MOMENTS = st.integers(1, 12)


@given(
    st.lists(st.one_of(st.none(), MOMENTS.map(lambda moment: f"{moment}.jpg"), st.just("x")), max_size=9),
    st.sets(MOMENTS, max_size=9),
)
def test_positions_match_a_slow_search(names: list[str | None], moments: set[int]) -> None:
    """Each step may take the spare screenshots that keep time's order; only a forced choice is made."""
    images = [f"{moment}.jpg" for moment in moments]
    joined = join(names, images)
    named = [name if name in images else None for name in names]
    assert [shot for shot, name in zip(shown(joined.screenshots), named, strict=True) if name] == [
        name for name in named if name
    ]
    spare = sorted(moments - {int(name[:-4]) for name in named if name})
    for step, image in enumerate(joined.screenshots):
        if named[step]:
            continue
        first, last = step, step
        while first > 0 and named[first - 1] is None:
            first -= 1
        while last + 1 < len(named) and named[last + 1] is None:
            last += 1
        low = int((named[first - 1] or "0.jpg")[:-4]) if first else 0
        high = int((named[last + 1] or "0.jpg")[:-4]) if last + 1 < len(named) else 99
        room = [moment for moment in spare if low < moment < high]
        expected = room[step - first] if len(room) == last - first + 1 else None
        assert (image and image.moment) == expected
        assert (step in joined.by_position) == (expected is not None)
    placed = [joined.screenshots[step] for step in joined.by_position]
    assert len(set(placed)) == len(placed)
    assert {*shown(joined.unused)} | {*shown(joined.screenshots)} - {None} == set(images)
