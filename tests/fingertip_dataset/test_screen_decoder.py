"""Screens made smaller: alike with and without the faster package, and those that cannot be read."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from fingertip_dataset import screen_decoder
from fingertip_dataset.errors import InputError
from fingertip_dataset.pictures import open_screenshot
from fingertip_dataset.screen_decoder import (
    describe_decoder,
    open_grey,
    open_reduced,
    open_resized,
    open_within,
    resize_screen,
)
from tests.examples import examples
from tests.stored_pictures import KINDS, RED, StoredPicture, make_chunk

SIDES = st.integers(1, 70)


@pytest.fixture
def pillow_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen_decoder, "_load_resizer", lambda: None)


def draw_noise(seed: int, size: tuple[int, int], mode: str) -> Image.Image:
    """Draw the hardest picture: each value by chance, half of them at the ends of the scale."""
    values = np.random.default_rng(seed).integers(-255, 511, (size[1], size[0], 3)).clip(0, 255)
    return Image.fromarray(values.astype(np.uint8)).convert(mode)


@settings(max_examples=examples(40), deadline=None)
@given(
    seed=st.integers(0, 99),
    size=st.tuples(SIDES, SIDES),
    wanted=st.tuples(SIDES, SIDES),
    mode=st.sampled_from(["RGB", "L"]),
)
def test_both_ways_give_the_same_picture(
    seed: int, size: tuple[int, int], wanted: tuple[int, int], mode: str
) -> None:
    pytest.importorskip("cykooz_resizer")
    image = draw_noise(seed, size, mode)
    before = image.tobytes()
    fast = resize_screen(image, wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(screen_decoder, "_load_resizer", lambda: None)
        slow = resize_screen(image, wanted)
    assert (fast.mode, fast.size) == (slow.mode, slow.size) == (mode, wanted)
    # each pass rounds, and the weights of the second are above 1 in sum without their signs
    assert np.abs(np.asarray(fast).astype(int) - np.asarray(slow)).max() <= 2
    assert image.tobytes() == before


@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
def test_a_screen_of_any_kind_is_resized_upright(kind: tuple[str, str]) -> None:
    stored = StoredPicture(format=kind[0], mode=kind[1], orientation=6)
    image = open_resized(stored.write(), (32, 48))
    assert (image.mode, image.size) == ("RGB", (32, 48))
    red, white = np.asarray(image)[3, 3].astype(int), np.asarray(image)[40, 25]
    assert red[0] > red[1:].max() or (np.ptp(red) < 4 and red.max() < max(RED))
    assert white.min() > 240


STORED = st.builds(
    lambda kind, **fields: StoredPicture(format=kind[0], mode=kind[1], **fields),
    kind=st.sampled_from(KINDS),
    orientation=st.integers(1, 8),
    size=st.tuples(st.integers(20, 120), st.integers(20, 120)),
)


@settings(max_examples=examples(60), deadline=None)
@given(stored=STORED)
def test_the_grey_screen_is_the_one_in_colours(stored: StoredPicture) -> None:
    data = stored.write()
    grey, whole = open_grey(data), open_screenshot(data)
    assert (grey.mode, grey.size) == ("L", whole.size)
    assert np.abs(np.asarray(grey, int) - np.asarray(whole.convert("L"), int)).max() <= 6


@settings(max_examples=examples(60), deadline=None)
@given(stored=STORED, side=st.integers(1, 150))
def test_a_smaller_screen_is_as_large_as_asked(stored: StoredPicture, side: int) -> None:
    data, (across, down) = stored.write(), stored.size
    reduced, within = open_reduced(data, side), open_within(data, side)
    assert (reduced.mode, within.mode) == ("RGB", "RGB")
    assert min(reduced.size) >= min(side, across, down)
    assert abs(reduced.width / across - reduced.height / down) < 1 / min(stored.size) + 0.05
    assert max(within.size) == min(side, max(across, down))
    assert abs(within.width * down - within.height * across) <= max(across, down)


@pytest.mark.usefixtures("pillow_alone")
def test_the_name_says_what_resizes() -> None:
    from PIL import __version__

    assert describe_decoder().startswith(f"pillow {__version__}, libjpeg")
    assert describe_decoder().endswith("resized by pillow")


def test_the_name_of_the_faster_way_has_its_version() -> None:
    package = pytest.importorskip("cykooz_resizer")
    assert package.Resizer
    assert "resized by cykooz-resizer 4." in describe_decoder()


def test_a_package_that_cannot_read_the_images_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later Pillow may store its pixels in another way."""
    package = pytest.importorskip("cykooz_resizer")

    class Broken(package.Resizer):  # type: ignore[misc]
        def resize_pil(self, *_: object) -> None:
            raise AttributeError("getim")

    monkeypatch.setattr(package, "Resizer", Broken)
    assert screen_decoder._load_resizer.__wrapped__() is None


def write_wide_png() -> bytes:
    """Write a PNG of 69 bytes that states 400 million pixels."""
    written = io.BytesIO()
    Image.new("1", (1, 1)).save(written, "PNG")
    png = written.getvalue()
    header = struct.pack(">II", 20_000, 20_000) + png[24:29]
    return png[:8] + make_chunk(b"IHDR", header) + png[33:]


def test_what_is_no_screen_is_one_line() -> None:
    whole = StoredPicture(format="JPEG", mode="RGB").write()
    for data in (b"", b"no picture", whole[: len(whole) // 2], write_wide_png()):
        with pytest.raises(
            InputError, match=r"^expected a screenshot as PNG or JPEG, got \d+ bytes: "
        ) as caught:
            open_resized(data, (10, 20))
        assert "\n" not in str(caught.value)
        with pytest.raises(InputError) as whole_screen:
            open_screenshot(data)
        assert str(caught.value) == str(whole_screen.value)
