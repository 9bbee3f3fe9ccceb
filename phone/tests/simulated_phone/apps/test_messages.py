"""The messages app: what is sent, and what other apps take from a message."""

from __future__ import annotations

from simulated_phone import GesturePlayer, Open, Phone, Tap, TypeText
from simulated_phone.apps.messages.data import PACKAGE, TEXT
from simulated_phone.goals.acquaintances import people


def test_an_empty_text_is_not_sent_and_the_first_text_begins_a_conversation(phone: Phone) -> None:
    known = {thread["sender"] for thread in phone.state[PACKAGE]["threads"]}
    name = next(person.name for person in people(4) if person.name not in known)
    play = GesturePlayer(phone).play
    play([Open(PACKAGE), Tap("新建短信"), Tap(name), TypeText("  ", into=TEXT), Tap("发送")])
    assert phone.toast == "短信是空的"
    assert name not in {thread["sender"] for thread in phone.state[PACKAGE]["threads"]}
    play([TypeText("到了", into=TEXT), Tap("发送")])
    first = phone.state[PACKAGE]["threads"][0]
    assert (first["sender"], [line["text"].strip() for line in first["said"]]) == (name, ["到了"])
