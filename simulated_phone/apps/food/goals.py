"""The food app's goals: order a dish or a drink with options, order again."""

from __future__ import annotations

import random

from simulated_phone.app_definition import Arguments, Goal, States
from simulated_phone.apps.food.data import (
    ADDRESSES,
    DRINKS,
    ICES,
    LABEL,
    OLD_ORDERS,
    PACKAGE,
    SEARCH,
    SUGARS,
    initial,
    shops,
)
from simulated_phone.builders.goals import GoalBuilder, by_ways, look_up
from simulated_phone.people.steps import Tap, TypeText

FOOD = GoalBuilder(PACKAGE, LABEL, initial)


def _dish_cases(seed: int, *, drinks: bool) -> list[dict[str, str]]:
    return [
        {"shop": shop.name, "kind": shop.kind, "dish": dish}
        for shop in shops(seed)
        if (shop.kind == DRINKS) is drinks
        for dish in shop.prices
    ]


def _drink_cases(seed: int) -> list[Arguments]:
    rng = random.Random(seed)  # noqa: S311 - seeded data, not a secret
    return [
        {**drink, "sugar": rng.choice(SUGARS), "ice": rng.choice(ICES)}
        for drink in _dish_cases(seed, drinks=True)
        for _ in range(3)
    ]


def _shop_cases(seed: int) -> list[Arguments]:
    return [{"shop": shop.name, "kind": shop.kind} for shop in shops(seed)]


def _address_cases(seed: int) -> list[Arguments]:
    return [{"address": label} for label in ADDRESSES if label != FOOD.fresh(seed)["address"]]


def _is_ordered(states: States, arguments: Arguments) -> bool:
    """Whether a new order holds the dish of the shop, with the sugar and ice if the case names them."""
    wanted = "、".join(str(arguments[key]) for key in ("sugar", "ice") if key in arguments)
    return any(
        order["id"] > OLD_ORDERS
        and order["shop"] == arguments["shop"]
        and any(item["dish"] == arguments["dish"] and item["options"] == wanted for item in order["items"])
        for order in states[PACKAGE]["orders"]
    )


def _is_reordered(states: States, arguments: Arguments) -> bool:
    orders = [order for order in states[PACKAGE]["orders"] if order["shop"] == arguments["shop"]]
    old = [order["items"] for order in orders if order["id"] <= OLD_ORDERS]
    return any(order["id"] > OLD_ORDERS and order["items"] in old for order in orders)


_PAY = ("提交订单", "确认付款")
_BASKET = ("去结算", *_PAY)
_WAYS = (
    FOOD.way("search", *look_up(SEARCH, "{shop}")),
    FOOD.way("browse", "{shop}"),
    FOOD.way("category", "{kind}", "{shop}"),
    FOOD.shortcut("搜美食", TypeText("{shop}", into=SEARCH), "{shop}"),
)
_SEARCH_DISH = (SEARCH, TypeText("{dish}", into=SEARCH), Tap("{dish}", within="{shop}"))
_OPTIONS = ("{sugar}", "{ice}", "加入购物车", *_BASKET)
_AGAIN = (Tap("再来一单", within="{shop}"), *_PAY)

GOALS = (
    Goal(
        name="order_dish",
        words=(
            "点一份{shop}的{dish}",
            "在{shop}点个{dish}外卖",
            "想吃{shop}家的{dish}，帮我点一份",
            "外卖来一份{dish}，{shop}的",
            "从{shop}叫个{dish}",
        ),
        cases=lambda seed: _dish_cases(seed, drinks=False),
        rule=_is_ordered,
        strategies=(
            *by_ways(_WAYS, "添加{dish}", *_BASKET),
            FOOD.way("search_dish", *_SEARCH_DISH, "加入购物车", *_BASKET),
            FOOD.voice("来一份{shop}的{dish}", *_PAY),
        ),
    ),
    Goal(
        name="order_drink",
        words=(
            "点一杯{shop}的{dish}，{sugar}{ice}",
            "来杯{sugar}{ice}的{dish}，{shop}家的",
            "想喝{dish}，要{shop}的，{sugar}，{ice}",
            "在{shop}叫一杯{dish}（{sugar}、{ice}）",
        ),
        cases=_drink_cases,
        rule=_is_ordered,
        strategies=(
            *by_ways(_WAYS, Tap("选规格", within="{dish}"), *_OPTIONS),
            FOOD.way("search_dish", *_SEARCH_DISH, *_OPTIONS),
            FOOD.voice("来一杯{shop}的{dish}，{sugar}{ice}", *_PAY),
        ),
    ),
    Goal(
        name="reorder",
        words=(
            "{shop}再来一单",
            "再点一次上次{shop}的外卖",
            "照上次的，{shop}再下一单",
            "{shop}那单再来一份一样的",
        ),
        cases=lambda seed: [{"shop": order["shop"]} for order in FOOD.fresh(seed)["orders"]],
        rule=_is_reordered,
        strategies=(
            FOOD.way("orders", "订单", *_AGAIN),
            FOOD.shortcut("我的订单", *_AGAIN),
            FOOD.voice("{shop}再来一单", *_PAY),
        ),
    ),
    Goal(
        name="favorite_shop",
        words=("收藏{shop}", "把{shop}加到收藏", "关注一下{shop}这家店", "收藏外卖店{shop}"),
        cases=FOOD.lacking("favorites", "shop", _shop_cases),
        rule=FOOD.holds("favorites", "shop"),
        strategies=(*by_ways(_WAYS, "收藏"), FOOD.voice("收藏{shop}")),
    ),
    Goal(
        name="change_address",
        words=(
            "外卖送到{address}",
            "把收货地址改成{address}",
            "外卖地址换成{address}",
            "点外卖的地址切到{address}",
        ),
        cases=_address_cases,
        rule=FOOD.equals("address", "address"),
        strategies=(
            FOOD.way("top", "送至", "{address}"),
            FOOD.way("mine", "我的", "收货地址", "{address}"),
            FOOD.voice("送到{address}"),
        ),
    ),
)
