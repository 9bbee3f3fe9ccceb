"""The shopping app: its rules, and taps outside any strategy."""

from __future__ import annotations

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from phone.tests.simulated_phone.random_use import is_black_but_for_bars
from simulated_phone import GoalInstance, Phone
from simulated_phone.apps.shopping.data import PACKAGE, PACKING, SEARCH, products
from simulated_phone.goals.steps import Hold, Press, Step, Tap, TypeText
from simulated_phone.people.gestures import GesturePlayer

play = AppSteps(PACKAGE).play


def find(phone: Phone, name: str) -> list[Step]:
    return [Tap(SEARCH), TypeText(name, into=SEARCH), Tap(name)]


def fresh_names(phone: Phone) -> list[str]:
    taken = {line["product"] for line in phone.state[PACKAGE]["cart"]}
    return [product.name for product in products(4) if product.name not in taken]


def test_the_same_option_adds_to_a_line_and_another_is_a_new_line(phone: Phone) -> None:
    name = fresh_names(phone)[0]
    first, second, _ = next(product.options for product in products(4) if product.name == name)
    add = (Tap("加入购物车"), Tap("确定"))
    play(phone, *find(phone, name), *add, *add, Tap("加入购物车"), Tap(second), Tap("确定"))
    lines = [line for line in phone.state[PACKAGE]["cart"] if line["product"] == name]
    assert [(line["option"], line["count"]) for line in lines] == [(second, 1), (first, 2)]


def test_only_chosen_lines_are_bought(phone: Phone) -> None:
    first, second, third = (line["product"] for line in phone.state[PACKAGE]["cart"])
    play(phone, Tap("购物车"), Tap(f"选择{first}"), Tap(f"选择{third}"), Tap(f"增加{third}"))
    GesturePlayer(phone).play([Tap("结算"), Tap("提交订单"), Tap("确认付款"), Tap("完成")])
    state = phone.state[PACKAGE]
    assert [line["product"] for line in state["cart"]] == [second]
    prices = {product.name: product.fen for product in products(4)}
    assert state["orders"][0]["total"] == prices[first] + 2 * prices[third]
    assert state["orders"][0]["status"] == PACKING
    assert phone.facts[-1].name == "order_paid"


def test_an_unpaid_order_does_not_count(phone: Phone) -> None:
    name = fresh_names(phone)[1]
    wanted = GoalInstance(package=PACKAGE, goal="buy", arguments={"product": name})
    play(phone, *find(phone, name), Tap("立即购买"), Tap("确定"), Tap("提交订单"))
    assert not phone.achieved(wanted)
    phone.set_fault("black_payment_screen", True)
    assert is_black_but_for_bars(phone)
    phone.set_fault("black_payment_screen", False)
    GesturePlayer(phone).play([Press("back"), Press("back"), Press("back")])
    assert not phone.achieved(wanted)


def test_an_empty_cart_has_a_message_and_no_checkout(phone: Phone) -> None:
    names = [line["product"] for line in phone.state[PACKAGE]["cart"]]
    for name in names:
        play(phone, Tap("购物车"), Hold(name), Tap("删除"))
    assert "购物车是空的" in {node.text for node in phone.screen().nodes()}
    settle = next(node for node in phone.screen().nodes() if node.text == "结算")
    assert not settle.clickable
