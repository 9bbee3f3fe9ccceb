"""The launcher: home pages that hold more icons than one screen, and how an icon on another page is found."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulated_phone import Phone
from simulated_phone.apps import APPS
from simulated_phone.apps.clock import CLOCK
from simulated_phone.goals.app_definition import LAST_POSITION
from simulated_phone.goals.steps import Hold, Open, Press
from simulated_phone.people.gestures import OPENINGS, GestureHabits, GesturePlayer

STATED = [app for app in APPS if app.position != LAST_POSITION]
LATER = [
    replace(CLOCK, package=f"com.later.{number}", label=f"{letter}字", position=LAST_POSITION, widget=None)
    for number, letter in enumerate("甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉")
]
SIZES = [((540, 1200), 210), ((1080, 2400), 420), ((360, 640), 180), ((720, 1280), 280)]


def full_phone(size: tuple[int, int] = (540, 1200), density: int = 210, seed: int = 4) -> Phone:
    return Phone(seed=seed, size=size, density=density, apps=[*STATED, *LATER])


def icons(phone: Phone) -> dict[str, tuple[int, ...]]:
    """The boxes of the icons on the shown page, by label."""
    return {node.text: node.box for node in phone.screen().nodes() if node.view_id == "icon"}


def home_pages(phone: Phone) -> list[dict[str, tuple[int, ...]]]:
    """The icons of each home page, the dock's among them."""
    width, height = phone.size
    pages: list[dict[str, tuple[int, ...]]] = []
    while not pages or icons(phone) != pages[-1]:
        pages.append(icons(phone))
        phone.swipe(width * 4 // 5, height // 2, width // 5, height // 2)
    return pages


@pytest.mark.parametrize("seed", [1, 4])
def test_later_apps_leave_the_icons_before_them_where_they_are(seed: int) -> None:
    few = home_pages(Phone(seed=seed, size=(540, 1200), density=210, apps=STATED))
    many = home_pages(full_phone(seed=seed))
    assert len(few) == 2
    assert len(many) == 3
    for page, fuller in zip(few, many, strict=False):
        assert page.items() <= fuller.items()
    assert {label for page in many for label in page} == {app.label for app in [*STATED[1:], *LATER]}


@pytest.mark.parametrize(("size", "density"), SIZES)
def test_every_icon_is_found_from_the_first_page(size: tuple[int, int], density: int) -> None:
    phone = full_phone(size, density)
    for app in [*STATED[1:], *LATER]:
        phone.reset()
        GesturePlayer(phone).play([Open(app.package)])
        assert phone.foreground[0] == app.package


@pytest.mark.parametrize("opening", OPENINGS)
def test_every_opening_finds_an_icon_of_the_last_page(opening: str) -> None:
    phone = full_phone()
    last = home_pages(phone)[-1].keys() - home_pages(full_phone())[0].keys()
    package = next(app.package for app in LATER if app.label in last)
    phone.start(package)
    phone.press_key("KEYCODE_HOME")
    GesturePlayer(phone, GestureHabits(opening=opening)).play([Open(package)])
    assert phone.foreground[0] == package


def test_the_menu_of_an_icon_on_another_page_opens() -> None:
    phone = full_phone()
    label = LATER[0].label
    GesturePlayer(phone).play([Press("home"), Hold(label)])
    assert phone.shown().entry["page"] == "menu"
