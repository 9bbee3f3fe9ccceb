"""The food app: its rules, and taps outside any strategy."""

from __future__ import annotations

from phone.tests.simulated_phone.apps.app_steps import AppSteps
from simulated_phone import GoalInstance, Phone
from simulated_phone.apps.food.data import PACKAGE, shops
from simulated_phone.goals.steps import Press, Tap
from simulated_phone.people.gestures import GesturePlayer

play = AppSteps(PACKAGE).play


def aim(phone: Phone, number: int) -> GoalInstance:
    goal = phone.apps[PACKAGE].goal("order_dish")
    return GoalInstance(package=PACKAGE, goal=goal.name, arguments=goal.cases(4)[number])


def test_a_dish_in_the_basket_is_not_ordered_until_it_is_paid(phone: Phone) -> None:
    wanted = aim(phone, 0)
    dish, shop = wanted.arguments["dish"], wanted.arguments["shop"]
    play(phone, Tap(str(shop)), Tap(f"添加{dish}"), Tap("去结算"), Tap("提交订单"))
    assert not phone.achieved(wanted)
    assert [fact.name for fact in phone.facts][-1] == "dish_added"
    play(phone)
    play(phone, Tap(str(shop)), Tap("去结算"), Tap("提交订单"), Tap("确认付款"), Tap("完成"))
    assert phone.achieved(wanted)
    assert [fact.name for fact in phone.facts][-1] == "order_paid"
    assert phone.state[PACKAGE]["baskets"] == {}


def test_the_total_is_the_sum_of_dishes_and_delivery(phone: Phone) -> None:
    shop = next(shop for shop in shops(4) if shop.kind == "粥铺早点")
    dish, price = next(iter(shop.prices.items()))
    play(phone, Tap(shop.name), Tap(f"添加{dish}"), Tap(f"添加{dish}"), Tap("去结算"), Tap("提交订单"))
    GesturePlayer(phone).play([Tap("储蓄卡（尾号 6217）"), Tap("确认付款")])
    assert phone.state[PACKAGE]["orders"][0]["total"] == 2 * price + shop.fee


def test_a_dish_can_be_removed_from_the_basket(phone: Phone) -> None:
    shop = next(shop for shop in shops(4) if shop.kind == "粥铺早点")
    dish = next(iter(shop.prices))
    play(phone, Tap(shop.name), Tap(f"添加{dish}"), Tap("购物车"), Tap(f"减少{dish}"))
    assert phone.state[PACKAGE]["baskets"] == {shop.name: []}
    GesturePlayer(phone).play([Press("back")])
    settle = next(node for node in phone.screen().nodes() if node.text == "去结算")
    assert not settle.clickable


def test_sugar_and_ice_must_be_the_wanted_ones(phone: Phone) -> None:
    goal = phone.apps[PACKAGE].goal("order_drink")
    case = next(case for case in goal.cases(4) if (case["sugar"], case["ice"]) == ("半糖", "去冰"))
    finish = (Tap("加入购物车"), Tap("去结算"), Tap("提交订单"), Tap("确认付款"))
    choose = (Tap(str(case["shop"])), Tap("选规格", within=str(case["dish"])), Tap("半糖"))
    wanted = GoalInstance(package=PACKAGE, goal=goal.name, arguments=case)
    play(phone, *choose, *finish)
    assert not phone.achieved(wanted)
    play(phone)
    phone.stop(PACKAGE)
    play(phone, *choose, Tap("去冰"), *finish)
    assert phone.achieved(wanted)
