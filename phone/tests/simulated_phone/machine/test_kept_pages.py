"""Pages that are kept: whatever is done, and whenever, a phone shows what a page built anew would show."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from phone.tests.simulated_phone.random_use import random_actions, small
from simulated_phone import Phone
from simulated_phone.machine.kept_pages import build_app_page
from simulated_phone.screens.pages import Surface
from tests.examples import examples

CLOCK = "com.android.deskclock"


def built_anew(phone: Phone) -> Surface | None:
    """The top page of the app in front as its function builds it; None for a page of the system."""
    package, entry = phone.tasks.layers()[-1]
    if package not in phone.apps or entry["page"] not in phone.apps[package].pages:
        return None
    return phone.apps[package].pages[entry["page"]](phone.view(package, entry))


@pytest.mark.parametrize("seed", range(4))
def test_a_kept_page_is_the_page_built_anew(seed: int) -> None:
    phone, rng = small(seed), random.Random(seed)  # noqa: S311 - gestures, not a secret
    compared = 0
    for _ in random_actions(phone, rng, examples(120)):
        if rng.random() < 0.3:
            phone.wait(rng.choice((0.5, 20, 61, 86_400)))
        fresh = built_anew(phone)
        if fresh is not None:
            assert phone.shown().surface == fresh
            compared += 1
    assert compared > 10


def test_a_page_of_the_minute_changes_with_the_minute() -> None:
    phone = small()
    assert "08:30" in phone.tree("windows")
    phone.wait(59)
    first = phone.shown()
    phone.wait(0.9)
    assert phone.shown() is first
    phone.wait(0.1)
    assert "08:31" in phone.tree("windows")
    phone.now -= timedelta(minutes=1)
    assert "08:30" in phone.tree("windows")


def test_a_toast_goes_by_itself() -> None:
    phone = small()
    phone.show_toast("你好")
    phone.wait(0)
    phone.settings["global"]["wifi_on"] = "0"
    assert "你好" in phone.tree("windows")
    phone.wait(2.6)
    assert "你好" not in phone.tree("windows")


def test_phones_share_kept_pages_and_layouts_but_not_what_is_typed() -> None:
    one, other = small(seed=3), small(seed=3)
    for phone in (one, other):
        phone.start(CLOCK)
    assert one.shown().surface is other.shown().surface
    assert one.shown().root is other.shown().root
    one.state[CLOCK]["alarms"].clear()
    assert one.shown().surface != other.shown().surface


def test_a_page_with_something_that_is_no_json_is_built_each_time() -> None:
    phone = small()
    phone.start(CLOCK)
    entry = phone.tasks.layers()[-1][1]
    entry["arguments"]["odd"] = {1, 2}
    first = build_app_page(phone, CLOCK, entry)
    phone.data["apps"][CLOCK]["odd"] = object()
    assert build_app_page(phone, CLOCK, entry) == first
    assert build_app_page(phone, CLOCK, entry) is not first
