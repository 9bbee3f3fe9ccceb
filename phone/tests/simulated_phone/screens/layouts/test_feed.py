"""Feeds: they do not end, are the same for the same phone, and hold no more than what is in sight."""

from __future__ import annotations

import pytest

from phone.tests.simulated_phone.random_use import touch
from simulated_phone import Phone
from simulated_phone.screens.layouts.feed import LOADING_MS, MOST_BLOCKS, _widgets
from simulated_phone.screens.nodes import Node

LOADING = "加载中…"
FEEDS = {"com.liuguang.video": (), "com.simulated.gouwu": (), "com.moxiang.reader": ("书城",)}
"""App -> what is touched to see its feed."""


def opened(package: str, seed: int = 1, locale: str = "zh") -> Phone:
    phone = Phone(seed=seed, size=(540, 1200), density=210, locale=locale)
    phone.start(package)
    for label in FEEDS[package] if locale == "zh" else ():
        touch(phone, label)
    return phone


def area(phone: Phone) -> Node:
    return next(node for node in phone.screen().nodes() if node.scroll)


def scroll(phone: Phone, ms: int = 1500) -> None:
    phone.swipe(270, 950, 270, 400, ms)


def texts(phone: Phone) -> list[str]:
    return [node.text for node in area(phone).walk() if node.text]


def to_the_end(phone: Phone) -> None:
    """Scroll so fast that the end of what has been drawn is reached."""
    found = area(phone).scroll
    assert found is not None
    phone.shown().entry["scroll"][found.name] = found.extent - 5
    phone.command_ended()
    scroll(phone)


@pytest.mark.parametrize("package", FEEDS)
def test_a_feed_does_not_end_and_is_the_phones_own(package: str) -> None:
    phone, same, other = opened(package), opened(package), opened(package, seed=2)
    size = len(phone.tree())
    for _ in range(25):
        for one in (phone, same, other):
            scroll(one)
        assert LOADING not in texts(phone)
        assert phone.tree() == same.tree()
        assert len(phone.tree()) < 3 * size
    assert texts(phone) != texts(other)
    found = area(phone).scroll
    assert found is not None
    assert found.offset > 8 * area(phone).box.height
    assert _widgets.cache_info().currsize <= MOST_BLOCKS
    for node in [node for node in area(phone).walk() if node.clickable]:
        assert phone.screen().touched(*node.box.centre) is not None


def test_at_its_end_a_row_says_that_more_is_loading() -> None:
    phone = opened("com.liuguang.video")
    to_the_end(phone)
    found = area(phone).scroll
    assert LOADING in texts(phone)
    scroll(phone)
    before = area(phone).scroll
    assert before is not None
    assert found is not None
    to_the_end(phone)
    assert LOADING in texts(phone)
    phone.wait(LOADING_MS / 1000)
    assert LOADING not in texts(phone)
    assert area(phone).scroll.extent > before.extent  # type: ignore[union-attr]
    assert phone.shown().lasts(phone.data["now"])


def test_a_pull_at_the_top_refreshes() -> None:
    phone = opened("com.liuguang.video")
    before = texts(phone)
    phone.swipe(270, 500, 270, 900)
    assert phone.toast == "已是最新内容"
    assert texts(phone) == before
    scroll(phone)
    phone.swipe(270, 500, 270, 600)
    assert phone.toast == ""


def test_what_was_scrolled_to_can_be_touched_and_comes_back() -> None:
    phone = opened("com.liuguang.video")
    for _ in range(12):
        scroll(phone)
    before = texts(phone)
    row = next(node for node in area(phone).children[2:] if node.tap)
    phone.tap(*row.box.centre)
    assert row.label() in phone.tree()
    phone.press_key("KEYCODE_BACK")
    after = texts(phone)
    assert len(after) > 5
    assert after == before[: len(after)]


def test_channels_and_rankings_end() -> None:
    phone = opened("com.moxiang.reader")
    touch(phone, "热门榜")
    for _ in range(40):
        scroll(phone)
    found = area(phone).scroll
    assert found is not None
    assert (found.offset, found.endless) == (found.extent, False)
