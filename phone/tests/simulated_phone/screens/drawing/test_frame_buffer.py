"""The frame buffer: whatever is done on a phone, its pixels are those of a picture drawn anew."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest

from phone.tests.simulated_phone.random_use import random_actions
from simulated_phone import Phone
from simulated_phone.compose import compose
from simulated_phone.screens.drawing.display_list import display_list
from simulated_phone.screens.drawing.frame_buffer import FrameBuffer

STEPS = 400 if "FINGERTIP_SOAK" in os.environ else 36


@pytest.mark.parametrize(("size", "seed"), [((360, 800), 0), ((540, 1200), 1), ((1080, 2400), 2)])
def test_pixels_are_those_of_a_new_picture(size: tuple[int, int], seed: int) -> None:
    phone = Phone(seed=seed, size=size)
    frames, rng = FrameBuffer(size), random.Random(seed)  # noqa: S311 - gestures, not a secret
    for number, _kind in enumerate(random_actions(phone, rng, STEPS)):
        fresh = compose(phone).screen
        assert phone.screen() == fresh, "what was laid out before shows something else"
        assert phone.tree() == fresh.tree()
        pixels = frames.draw(phone.screen())
        assert np.array_equal(pixels, np.asarray(phone.screen().picture())), (size, seed, number)


def test_black_and_dark_screens() -> None:
    phone = Phone(seed=1, size=(360, 800), density=140)
    frames = FrameBuffer(phone.size)
    assert frames.draw(phone.screen()).any()
    phone.press_key("KEYCODE_POWER")
    assert not frames.draw(phone.screen()).any()
    phone.press_key("KEYCODE_POWER")
    phone.unlock()
    assert np.array_equal(frames.draw(phone.screen()), np.asarray(phone.screenshot()))


def test_a_screen_of_another_size_is_refused() -> None:
    phone = Phone(seed=1, size=(360, 800), density=140)
    with pytest.raises(ValueError, match=r"expected a screen of \(540, 1200\) px, got \(360, 800\)"):
        FrameBuffer((540, 1200)).draw(phone.screen())


def test_equal_screens_have_equal_display_lists() -> None:
    one, other = (Phone(seed=4, size=(360, 800), density=140) for _ in range(2))
    first = display_list(one.screen())
    assert [window.pieces for window in first] == [window.pieces for window in display_list(other.screen())]
    other.tap(180, 60)
    assert [window.pieces for window in first] != [window.pieces for window in display_list(other.screen())]


def test_pixels_can_be_drawn_in_a_given_array() -> None:
    phone = Phone(seed=4, size=(360, 800), density=140)
    batch = np.zeros((2, 800, 360, 3), np.uint8)
    FrameBuffer(phone.size, batch[1]).draw(phone.screen())
    assert not batch[0].any()
    assert np.array_equal(batch[1], np.asarray(phone.screenshot()))
