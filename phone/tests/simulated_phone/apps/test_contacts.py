"""Contacts: its rules, and the same people in every app."""

from __future__ import annotations

import pytest

from simulated_phone import GesturePlayer, GoalInstance, Open, Phone, Tap, TypeText
from simulated_phone.apps.contacts.data import NAME, NUMBER, PACKAGE
from simulated_phone.apps.contacts.pages import CONTACTS
from simulated_phone.goals.acquaintances import contacts, people

CHAT = "com.simulated.liaotian"


@pytest.mark.parametrize("seed", [1, 4, 9])
def test_the_people_of_the_chat_are_the_contacts(seed: int) -> None:
    phone = Phone(seed=seed, size=(540, 1200), density=210)
    names = [person["name"] for person in phone.state[PACKAGE]["people"]]
    talks = {talk["name"] for talk in phone.state[CHAT]["talks"]}
    assert set(names) == talks - {one.name for one in contacts(seed) if one.group}
    assert len({person.phone for person in people(seed)} | {person.mail for person in people(seed)}) == 36


@pytest.mark.parametrize(
    ("name", "number", "toast"),
    [("", "15400000000", "请填写"), ("新人", "", "请填写"), ("妈妈", "1", "已有同名")],
)
def test_a_person_without_name_or_number_or_of_a_known_name_is_not_saved(
    phone: Phone, name: str, number: str, toast: str
) -> None:
    before = phone.state[PACKAGE]["people"]
    steps = [TypeText(name, into=NAME), TypeText(number, into=NUMBER)]
    GesturePlayer(phone).play([Open(PACKAGE), Tap("新建联系人"), *steps, Tap("保存")])
    assert toast in phone.toast
    assert phone.state[PACKAGE]["people"] == before


def test_a_birthday_noted_for_another_day_is_not_the_goal(phone: Phone) -> None:
    case = CONTACTS.goal("birthday_to_calendar").cases(4)[0]
    wanted = GoalInstance(package=PACKAGE, goal="birthday_to_calendar", arguments=case)
    phone.open_page("com.android.calendar", "month", {}, {})
    GesturePlayer(phone).play(
        [TypeText(f"4月1日9点{case['contact']}生日", into="一句话新建日程"), Tap("新建")]
    )
    assert not phone.achieved(wanted)
