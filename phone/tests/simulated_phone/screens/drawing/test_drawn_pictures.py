"""Generated pictures, banners and the floating button, in designs that have pictures."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simulated_phone.phone import Phone
from simulated_phone.screens.drawing.drawn_pictures import SUBJECTS, draw_picture
from simulated_phone.screens.drawing.frame_buffer import FrameBuffer
from simulated_phone.screens.nodes import Node, Picture

SHOP, FOOD, MUSIC, MAIL = (
    "com.simulated.gouwu",
    "com.simulated.waimai",
    "com.simulated.music",
    "com.android.email",
)


def phone_of(design: str) -> Phone:
    return Phone(seed=3, size=(540, 1200), density=210, design=design)


def banners(phone: Phone) -> list[Node]:
    return [node for node in phone.screen().nodes() if node.view_id == "banner"]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_picture_follows_from_subject_and_name(subject: str) -> None:
    first = draw_picture(subject, "one", 60, 40).tobytes()
    draw_picture.cache_clear()
    assert draw_picture(subject, "one", 60, 40).tobytes() == first
    assert draw_picture(subject, "other", 60, 40).tobytes() != first
    assert draw_picture(subject, "one", 60, 40, "#8a6a48").tobytes() != first
    colors = draw_picture(subject, "one", 60, 40).getcolors(2400)
    assert colors is not None
    assert len(colors) > 8


@pytest.mark.parametrize("size", [(1, 1), (1, 300), (700, 2)])
@pytest.mark.parametrize("subject", SUBJECTS)
def test_pictures_of_any_size_are_drawn(subject: str, size: tuple[int, int]) -> None:
    assert draw_picture(subject, "one", *size).size == size


@pytest.mark.parametrize("design", ["pebble", "linen"])
def test_kept_pixels_with_pictures_are_those_of_a_new_picture(design: str) -> None:
    phone, buffer = phone_of(design), FrameBuffer((540, 1200))
    rng = random.Random(design)  # noqa: S311 - taps, not secrets
    for package in (SHOP, FOOD, MAIL, "com.android.gallery3d"):
        phone.start(package)
        for _ in range(5):
            assert np.array_equal(buffer.draw(phone.screen()), np.asarray(phone.screen().picture()))
            phone.swipe(270, 800, 270, rng.randint(300, 700))


def test_a_plain_phone_has_no_pictures_and_banners() -> None:
    phone = phone_of("plain")
    for app in phone.apps.values():
        phone.start(app.package)
        nodes = list(phone.screen().nodes())
        assert not [mark for node in nodes for mark in node.marks if isinstance(mark, Picture)]
        assert not banners(phone)


def test_a_banner_turns_with_the_minutes_and_opens_its_offer() -> None:
    phone = phone_of("slate")
    phone.start(SHOP)
    first = banners(phone)[0]
    phone.wait(60)
    other = banners(phone)[0]
    assert first.tap != other.tap
    phone.wait(120)
    assert banners(phone)[0].tap == first.tap
    phone.tap(*first.box.centre)
    assert first.tap is not None
    assert dict(first.tap.arguments)["product"] in {node.text for node in phone.screen().nodes()}


def test_a_floating_button_covers_the_list_and_opens_the_basket() -> None:
    phone = phone_of("pebble")
    phone.start(SHOP)
    button = phone.screen().touched(510, 1050)
    below = [node for node in phone.screen().nodes() if node.box.contains(510, 1050) and node.tap]
    assert button is not None
    assert button.description == "购物车"
    assert len(below) > 1
    phone.tap(510, 1050)
    assert phone.shown().entry["page"] == "cart"
