"""The food app's goals: order a dish or a drink with options, order again."""

from __future__ import annotations

import random
from collections.abc import Mapping

from simulated_phone.app_definition import Arguments, Goal, States, Strategy, generator
from simulated_phone.apps.food.data import (
    ADDRESSES,
    DRINKS,
    ICES,
    OLD_ORDERS,
    PACKAGE,
    SEARCH,
    SUGARS,
    initial,
    shops,
)
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import voice_strategy


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


def _reorder_cases(seed: int) -> list[Arguments]:
    return [{"shop": order["shop"]} for order in initial(generator(PACKAGE, seed))["orders"]]


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


_PAY = (Tap("去结算"), Tap("提交订单"), Tap("确认付款"))
_STEPS_TO_SHOP: Mapping[str, tuple[Step, ...]] = {
    "search": (Open(PACKAGE), Tap(SEARCH), TypeText("{shop}", into=SEARCH), Tap("{shop}")),
    "browse": (Open(PACKAGE), Tap("{shop}")),
    "category": (Open(PACKAGE), Tap("{kind}"), Tap("{shop}")),
    "shortcut": (Press("home"), Hold("外卖"), Tap("搜美食"), TypeText("{shop}", into=SEARCH), Tap("{shop}")),
}


def _shop_strategies(*finish: Step) -> tuple[Strategy, ...]:
    return tuple(Strategy(name, (*reach, *finish)) for name, reach in _STEPS_TO_SHOP.items())


_SEARCH_DISH = (Open(PACKAGE), Tap(SEARCH), TypeText("{dish}", into=SEARCH), Tap("{dish}", within="{shop}"))
_REORDER = (Tap("再来一单", within="{shop}"), *_PAY[1:])
_OPTIONS = (Tap("{sugar}"), Tap("{ice}"), Tap("加入购物车"), *_PAY)

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
            *_shop_strategies(Tap("添加{dish}"), *_PAY),
            Strategy("search_dish", (*_SEARCH_DISH, Tap("加入购物车"), *_PAY)),
            voice_strategy(PACKAGE, "来一份{shop}的{dish}", *_PAY[1:]),
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
            *_shop_strategies(Tap("选规格", within="{dish}"), *_OPTIONS),
            Strategy("search_dish", (*_SEARCH_DISH, *_OPTIONS)),
            voice_strategy(PACKAGE, "来一杯{shop}的{dish}，{sugar}{ice}", *_PAY[1:]),
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
        cases=_reorder_cases,
        rule=_is_reordered,
        strategies=(
            Strategy("orders", (Open(PACKAGE), Tap("订单"), *_REORDER)),
            Strategy("shortcut", (Press("home"), Hold("外卖"), Tap("我的订单"), *_REORDER)),
            voice_strategy(PACKAGE, "{shop}再来一单", *_PAY[1:]),
        ),
    ),
    Goal(
        name="favorite_shop",
        words=("收藏{shop}", "把{shop}加到收藏", "关注一下{shop}这家店", "收藏外卖店{shop}"),
        cases=lambda seed: [
            {"shop": shop.name, "kind": shop.kind}
            for shop in shops(seed)
            if shop.name not in initial(generator(PACKAGE, seed))["favorites"]
        ],
        rule=lambda states, arguments: arguments["shop"] in states[PACKAGE]["favorites"],
        strategies=(*_shop_strategies(Tap("收藏")), voice_strategy(PACKAGE, "收藏{shop}")),
    ),
    Goal(
        name="change_address",
        words=(
            "外卖送到{address}",
            "把收货地址改成{address}",
            "外卖地址换成{address}",
            "点外卖的地址切到{address}",
        ),
        cases=lambda seed: [
            {"address": label}
            for label, _ in ADDRESSES
            if label != initial(generator(PACKAGE, seed))["address"]
        ],
        rule=lambda states, arguments: states[PACKAGE]["address"] == arguments["address"],
        strategies=(
            Strategy("top", (Open(PACKAGE), Tap("送至"), Tap("{address}"))),
            Strategy("mine", (Open(PACKAGE), Tap("我的"), Tap("收货地址"), Tap("{address}"))),
            voice_strategy(PACKAGE, "送到{address}"),
        ),
    ),
)
