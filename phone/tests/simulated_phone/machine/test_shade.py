"""The shade: what came in as a notification stays there until it is opened or cleared."""

from __future__ import annotations

from simulated_phone.phone import Phone
from simulated_phone.screens.nodes import Node

MESSAGES, CLOCK, SETTINGS = "com.android.mms", "com.android.deskclock", "com.android.settings"


def phone_after(*packages: str, faults: tuple[str, ...] = ("notification=5",)) -> Phone:
    phone = Phone(seed=5, size=(540, 1200), density=210, faults=faults)
    for package in packages:
        phone.start(package)
        phone.wait(6)
    phone.swipe(270, 2, 270, 700)
    return phone


def entries(phone: Phone) -> list[Node]:
    return [node for node in phone.screen().nodes() if node.view_id == "notification"]


def tap(phone: Phone, node: Node) -> None:
    phone.tap(*node.box.centre)


def test_what_came_in_is_in_the_shade_once_an_app() -> None:
    phone = phone_after(CLOCK, SETTINGS, CLOCK)
    assert phone.shown().entry["page"] == "android.quick"
    assert len(entries(phone)) == 2
    assert all(entry.label() for entry in entries(phone))


def test_an_entry_opens_the_messages_and_is_gone() -> None:
    phone = phone_after(CLOCK, SETTINGS)
    first, other = entries(phone)
    tap(phone, first)
    assert phone.foreground[0] == MESSAGES
    phone.swipe(270, 2, 270, 700)
    left = entries(phone)
    assert [entry.tap for entry in left] == [other.tap]


def test_the_button_clears_all_and_leaves_the_shade_open() -> None:
    phone = phone_after(CLOCK, SETTINGS)
    tap(phone, next(node for node in phone.screen().nodes() if node.view_id == "dismiss_text"))
    assert not entries(phone)
    assert phone.shown().entry["page"] == "android.quick"
    assert not [node for node in phone.screen().nodes() if node.view_id == "dismiss_text"]


def test_a_phone_without_the_fault_has_an_empty_shade_and_the_state_it_had() -> None:
    phone = phone_after(CLOCK, SETTINGS, faults=())
    assert not entries(phone)
    assert "notices" not in phone.data
