"""Coordinates of models in px of the phone: vectors of the agents' documents, Qwen2-VL's own resize."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fingertip_agents.screens.coordinates import (
    ModelFrame,
    find_swipe_end,
    fit_picture,
    make_scroll,
    smart_resize,
)
from fingertip_dataset.actions import Scroll
from fingertip_dataset.errors import ActionSyntaxError, InputError, UsageError

PHONE = (1080, 2400)
SIZES = st.tuples(st.integers(20, 3000), st.integers(20, 3000))


@given(size=SIZES, factor=st.sampled_from([28, 32]), tokens=st.integers(64, 16384))
def test_what_was_resized_is_left_alone_by_the_server(
    size: tuple[int, int], factor: int, tokens: int
) -> None:
    limit = tokens * factor**2
    seen = smart_resize(size, factor=factor, min_pixels=4 * factor**2, max_pixels=limit)
    assert seen[0] % factor == seen[1] % factor == 0
    if seen[0] * seen[1] <= limit:
        assert smart_resize(seen, factor=factor, min_pixels=4 * factor**2, max_pixels=limit) == seen


def test_resizing_is_that_of_the_models_own_processor() -> None:
    table = json.loads((Path(__file__).parent / "golden" / "smart_resize.json").read_text(encoding="utf-8"))
    assert len(table["rows"]) > 100
    for width, height, factor, smallest, largest, *seen in table["rows"]:
        found = smart_resize((width, height), factor=factor, min_pixels=smallest, max_pixels=largest)
        assert list(found) == seen, (width, height)


@pytest.mark.parametrize(("size", "limits"), [((10, 2001), {}), ((0, 5), {}), (PHONE, {"max_pixels": 783})])
def test_a_size_that_no_picture_has_is_refused(size: tuple[int, int], limits: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="expected"):
        smart_resize(size, **limits)


@pytest.mark.parametrize(
    ("frame", "phone", "numbers", "pixel"),
    [
        ((1092, 2408), PHONE, (540, 1200), (534, 1196)),
        ((588, 1316), PHONE, (540, 1200), (992, 2188)),
        ((1092, 2408), PHONE, (935, 406), (925, 405)),
        ((728, 1288), (720, 1280), (639, 1095), (632, 1088)),
        ((1, 1), PHONE, (0.863, 0.390), (932, 936)),
        ((1000, 1000), PHONE, (219, 186, 311, 207), (286, 472)),
    ],
)
def test_points_of_the_documents_are_these_pixels(
    frame: tuple[float, float], phone: tuple[int, int], numbers: tuple[float, ...], pixel: tuple[int, int]
) -> None:
    assert ModelFrame(size=frame, screen=phone).point(numbers) == pixel


def test_an_overshoot_by_rounding_is_the_edge_and_one_beyond_is_refused() -> None:
    frame = ModelFrame(size=(1092, 2408), screen=PHONE)
    assert frame.point((1092, 2408)) == (1079, 2399)
    assert frame.point((-0.4, 0)) == (0, 0)
    for numbers in ((1093, 5), (5, 2409), (-1, 5), (float("nan"), 5), (float("inf"), 5), (10**400, 5)):
        with pytest.raises(ActionSyntaxError, match="expected a point on the screen of 1092 x 2408, got"):
            frame.point(numbers)
    with pytest.raises(ActionSyntaxError, match="got 3"):
        frame.point((1, 2, 3))


@given(phone=SIZES, at=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_a_pixel_is_read_back_to_within_half_of_the_models_unit(
    phone: tuple[int, int], at: tuple[float, float]
) -> None:
    x, y = (min(int(part * side), side - 1) for part, side in zip(at, phone, strict=True))
    frame = ModelFrame(size=(1000, 1000), screen=phone)
    found = frame.point([round(number) for number in frame.numbers(x, y)])
    assert abs(found[0] - x) <= phone[0] / 2000 + 1
    assert abs(found[1] - y) <= phone[1] / 2000 + 1


@pytest.mark.parametrize(
    ("end", "direction"),
    [((540, 600), "down"), ((540, 1800), "up"), ((40, 1190), "right"), ((1040, 1210), "left")],
)
def test_a_finger_up_is_scroll_down(end: tuple[int, int], direction: str) -> None:
    scroll = make_scroll((540, 1200), end)
    assert (scroll.x, scroll.y, scroll.direction) == (540, 1200, direction)


def test_a_path_of_zero_length_is_no_scroll() -> None:
    with pytest.raises(ActionSyntaxError, match="finger that moves"):
        make_scroll((5, 5), (5, 5))


@pytest.mark.parametrize("direction", ["up", "down", "left", "right"])
def test_the_path_of_a_scroll_is_that_scroll(direction: str) -> None:
    scroll = Scroll(x=540, y=1200, direction=direction)  # type: ignore[arg-type]
    end = find_swipe_end(scroll, PHONE)
    assert end is not None
    assert make_scroll((540, 1200), end) == scroll


def test_at_the_edge_there_is_no_path() -> None:
    assert find_swipe_end(Scroll(x=540, y=0, direction="down"), PHONE) is None
    assert find_swipe_end(Scroll(x=540, y=300, direction="down"), PHONE) == (540, 0)


def test_a_picture_is_scaled_once_and_left_alone_where_it_fits() -> None:
    written = io.BytesIO()
    Image.new("RGB", (90, 200), "navy").save(written, "PNG")
    assert fit_picture(written.getvalue(), (90, 200)) == written.getvalue()
    with Image.open(io.BytesIO(fit_picture(written.getvalue(), (112, 196)))) as image:
        assert image.size == (112, 196)
    with pytest.raises(InputError, match="expected a screenshot"):
        fit_picture(b"no picture", (112, 196))
