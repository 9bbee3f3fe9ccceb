"""The phone app: its keypad, and who is called."""

from __future__ import annotations

from simulated_phone import GesturePlayer, Open, Phone, Tap, TypeText
from simulated_phone.apps.phone.data import BLOCK, PACKAGE
from simulated_phone.goals.acquaintances import people


def test_the_keypad_knows_the_people_and_erases(phone: Phone) -> None:
    person = people(4)[3]
    keys = [Tap(digit) for digit in person.phone]
    GesturePlayer(phone).play([Open(PACKAGE), Tap("键盘"), *keys, Tap("删除"), keys[-1], Tap("呼叫")])
    assert phone.state[PACKAGE]["calls"][0]["who"] == person.name
    assert phone.state[PACKAGE]["dialed"] == [person.phone]


def test_nothing_is_called_or_blocked_without_a_number(phone: Phone) -> None:
    before = phone.state[PACKAGE]["blocked"]
    GesturePlayer(phone).play([Open(PACKAGE), Tap("键盘"), Tap("呼叫")])
    assert (phone.toast, phone.state[PACKAGE]["dialed"]) == ("请输入号码", [])
    GesturePlayer(phone).play(
        [Open(PACKAGE), Tap("电话设置"), Tap("黑名单"), TypeText("abc", into=BLOCK), Tap("拦截")]
    )
    assert (phone.toast, phone.state[PACKAGE]["blocked"]) == ("请输入号码", before)
