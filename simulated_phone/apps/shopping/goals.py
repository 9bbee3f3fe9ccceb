"""The shopping app's goals: put a product into the cart, buy, like it, confirm receipt."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.apps.shopping.data import (
    OLD_ORDERS,
    PACKAGE,
    RECEIVED,
    SEARCH,
    WAITING,
    Product,
    initial,
    products,
)
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import voice_strategy


@lru_cache(maxsize=64)
def _fresh_state(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _is_in_cart(states: States, arguments: Arguments) -> bool:
    """Whether the product is in the cart, with the option (colour or pack) if the case names one."""
    return any(
        line["product"] == arguments["product"] and line["option"] == arguments.get("option", line["option"])
        for line in states[PACKAGE]["cart"]
    )


def _is_bought(states: States, arguments: Arguments) -> bool:
    return any(
        order["id"] > OLD_ORDERS and any(line["product"] == arguments["product"] for line in order["lines"])
        for order in states[PACKAGE]["orders"]
    )


def _is_received(states: States, arguments: Arguments) -> bool:
    return any(
        order["status"] == RECEIVED and order["lines"][0]["product"] == arguments["product"]
        for order in states[PACKAGE]["orders"]
    )


def _products_not_in(seed: int, *, but: str) -> list[Product]:
    """Products that are not in "cart", or not in "likes", on a fresh phone."""
    state = _fresh_state(seed)
    taken = state["likes"] if but == "likes" else [line["product"] for line in state["cart"]]
    return [product for product in products(seed) if product.name not in taken]


def _product_cases(seed: int, *, but: str = "cart") -> list[Arguments]:
    return [{"product": one.name, "category": one.category} for one in _products_not_in(seed, but=but)]


def _option_cases(seed: int) -> list[Arguments]:
    return [
        {"product": one.name, "category": one.category, "option": option}
        for one in _products_not_in(seed, but="cart")
        for option in one.options
    ]


_STEPS_TO_PRODUCT: Mapping[str, tuple[Step, ...]] = {
    "search": (Open(PACKAGE), Tap(SEARCH), TypeText("{product}", into=SEARCH), Tap("{product}")),
    "browse": (Open(PACKAGE), Tap("{product}")),
    "category": (Open(PACKAGE), Tap("{category}"), Tap("{product}")),
    "shortcut": (
        Press("home"), Hold("购物"), Tap("搜商品"), TypeText("{product}", into=SEARCH), Tap("{product}"),
    ),
}  # fmt: skip


def _product_strategies(*finish: Step) -> tuple[Strategy, ...]:
    return tuple(Strategy(name, (*reach, *finish)) for name, reach in _STEPS_TO_PRODUCT.items())


_PAY = (Tap("提交订单"), Tap("确认付款"))
_CART = (Tap("加入购物车"), Tap("确定"))

GOALS = (
    Goal(
        name="add_to_cart",
        words=(
            "把{product}加入购物车",
            "购物车里加一个{product}",
            "{product}先加购物车",
            "帮我把{product}放进购物车",
        ),
        cases=_product_cases,
        rule=_is_in_cart,
        strategies=(*_product_strategies(*_CART), voice_strategy(PACKAGE, "把{product}加入购物车")),
    ),
    Goal(
        name="add_option_to_cart",
        words=(
            "把{option}的{product}加入购物车",
            "购物车加个{product}，要{option}",
            "{product}选{option}，加到购物车",
            "{option}的{product}放进购物车",
        ),
        cases=_option_cases,
        rule=_is_in_cart,
        strategies=(
            *_product_strategies(Tap("加入购物车"), Tap("{option}"), Tap("确定")),
            voice_strategy(PACKAGE, "把{option}的{product}加入购物车"),
        ),
    ),
    Goal(
        name="buy",
        words=("买一个{product}", "下单{product}", "帮我买{product}", "网上买个{product}", "购买{product}"),
        cases=_product_cases,
        rule=_is_bought,
        strategies=(
            *_product_strategies(Tap("立即购买"), Tap("确定"), *_PAY),
            Strategy(
                "cart",
                (
                    *_STEPS_TO_PRODUCT["search"],
                    *_CART,
                    Tap("购物车"),
                    Tap("选择{product}"),
                    Tap("结算"),
                    *_PAY,
                ),
            ),
            voice_strategy(PACKAGE, "买一个{product}", *_PAY),
        ),
    ),
    Goal(
        name="like_product",
        words=("收藏{product}", "把{product}收藏起来", "{product}加到收藏夹", "先收藏{product}"),
        cases=lambda seed: _product_cases(seed, but="likes"),
        rule=lambda states, arguments: arguments["product"] in states[PACKAGE]["likes"],
        strategies=(*_product_strategies(Tap("收藏")), voice_strategy(PACKAGE, "收藏{product}")),
    ),
    Goal(
        name="remove_from_cart",
        words=(
            "把{product}从购物车删掉",
            "购物车里的{product}不要了",
            "删除购物车的{product}",
            "{product}移出购物车",
        ),
        cases=lambda seed: [{"product": line["product"]} for line in _fresh_state(seed)["cart"]],
        rule=lambda states, arguments: not _is_in_cart(states, arguments),
        strategies=(
            Strategy("held", (Open(PACKAGE), Tap("购物车"), Hold("{product}"), Tap("删除"))),
            Strategy("managed", (Open(PACKAGE), Tap("购物车"), Tap("管理"), Tap("删除", within="{product}"))),
            Strategy("lessened", (Open(PACKAGE), Tap("购物车"), Tap("减少{product}"))),
            Strategy("shortcut", (Press("home"), Hold("购物"), Tap("购物车"), Tap("减少{product}"))),
            voice_strategy(PACKAGE, "从购物车删除{product}"),
        ),
    ),
    Goal(
        name="confirm_receipt",
        words=(
            "确认收到{product}了",
            "{product}到了，确认收货",
            "帮我给{product}点确认收货",
            "确认收货{product}",
        ),
        cases=lambda seed: [
            {"product": order["lines"][0]["product"]}
            for order in _fresh_state(seed)["orders"]
            if order["status"] == WAITING
        ],
        rule=_is_received,
        strategies=(
            Strategy(
                "mine",
                (
                    Open(PACKAGE),
                    Tap("我的"),
                    Tap("我的订单"),
                    Tap("确认收货", within="{product}"),
                    Tap("确定"),
                ),
            ),
            Strategy(
                "filtered",
                (Open(PACKAGE), Tap("我的"), Tap(WAITING), Tap("确认收货", within="{product}"), Tap("确定")),
            ),
            Strategy(
                "shortcut",
                (
                    Press("home"),
                    Hold("购物"),
                    Tap("我的订单"),
                    Tap("确认收货", within="{product}"),
                    Tap("确定"),
                ),
            ),
            voice_strategy(PACKAGE, "确认收货{product}"),
        ),
    ),
)
