"""The walk through an app: the same on each run, another one on another seed or when the app changes."""

from __future__ import annotations

from dataclasses import replace

from phone.tests.simulated_phone.app_walk import Walk, walk
from simulated_phone import Button, PageView
from simulated_phone.apps.clock import CLOCK
from simulated_phone.screens.pages import Surface


def short(seed: int) -> Walk:
    return walk(replace(CLOCK, goals=CLOCK.goals[:1]), seed, taps=20)


def test_a_walk_is_repeatable_and_follows_from_the_seed() -> None:
    first = short(3)
    assert first.digest.digest() == short(3).digest.digest() != short(11).digest.digest()
    assert {"alarms", "edit"} <= first.pages


def test_a_changed_word_on_a_page_changes_the_walk() -> None:
    def timer_page(view: PageView) -> Surface:
        page = CLOCK.pages["alarms"](view)
        return replace(page, footer=[Button("多余", CLOCK.shortcuts[0].tap)])  # type: ignore[call-arg]

    changed = replace(CLOCK, pages={**CLOCK.pages, "alarms": timer_page}, goals=())
    kept = replace(CLOCK, goals=())
    assert walk(changed, 3, taps=9).digest.digest() != walk(kept, 3, taps=9).digest.digest()
