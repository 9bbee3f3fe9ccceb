"""The food app's goals: order a dish or a drink with options, order again."""

from __future__ import annotations

import random

from simulated_phone.goals.app_definition import Arguments, States
from simulated_phone.goals.steps import Tap, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, by_ways, goal
from ...builders.records import named
from . import data
from .data import LABEL, OLD_ORDERS, PACKAGE, SEARCH, make_state, shops

_ = messages(__name__)

FOOD = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


def _list_dish_cases(seed: int, *, drinks: bool) -> list[dict[str, str]]:
    return [
        {"shop": shop.name, "kind": shop.kind, "dish": dish}
        for shop in shops(seed)
        if (shop.kind == data.DRINKS) is drinks
        for dish in shop.prices
    ]


def _list_drink_cases(seed: int) -> list[Arguments]:
    rng = random.Random(seed)  # noqa: S311 - seeded data, not a secret
    return [
        {**drink, "sugar": rng.choice(data.SUGARS), "ice": rng.choice(data.ICES)}
        for drink in _list_dish_cases(seed, drinks=True)
        for _unused in range(3)
    ]


def _list_shop_cases(seed: int) -> list[Arguments]:
    return [{"shop": shop.name, "kind": shop.kind} for shop in shops(seed)]


def _list_address_cases(seed: int) -> list[Arguments]:
    return [{"address": label} for label in data.ADDRESSES if label != FOOD.fresh(seed)["address"]]


def _is_ordered(states: States, arguments: Arguments) -> bool:
    """Whether a new order holds the dish of the shop, with the sugar and ice if the case names them."""
    wanted = _("、").join(str(arguments[key]) for key in ("sugar", "ice") if key in arguments)
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


_PAY = (_("提交订单"), _("确认付款"))
_BASKET = (_("去结算"), *_PAY)
_WAYS = (
    FOOD.search("{shop}"),
    FOOD.way("browse", "{shop}"),
    FOOD.way("category", "{kind}", "{shop}"),
    FOOD.shortcut(_("搜美食"), TypeText("{shop}", into=SEARCH), "{shop}"),
)
_SEARCH_DISH = (SEARCH, TypeText("{dish}", into=SEARCH), Tap("{dish}", within="{shop}"))
_OPTIONS = ("{sugar}", "{ice}", _("加入购物车"), *_BASKET)
_AGAIN = (Tap(_("再来一单"), within="{shop}"), *_PAY)

GOALS = (
    goal(
        "order_dish",
        _("点一份{shop}的{dish}"),
        _("在{shop}点个{dish}外卖"),
        _("想吃{shop}家的{dish}，帮我点一份"),
        _("外卖来一份{dish}，{shop}的"),
        _("从{shop}叫个{dish}"),
        *by_ways(_WAYS, _("添加{dish}"), *_BASKET),
        FOOD.way("search_dish", *_SEARCH_DISH, _("加入购物车"), *_BASKET),
        FOOD.voice(_("来一份{shop}的{dish}"), *_PAY),
        cases=lambda seed: _list_dish_cases(seed, drinks=False),
        rule=_is_ordered,
    ),
    goal(
        "order_drink",
        _("点一杯{shop}的{dish}，{sugar}{ice}"),
        _("来杯{sugar}{ice}的{dish}，{shop}家的"),
        _("想喝{dish}，要{shop}的，{sugar}，{ice}"),
        _("在{shop}叫一杯{dish}（{sugar}、{ice}）"),
        *by_ways(_WAYS, Tap(_("选规格"), within="{dish}"), *_OPTIONS),
        FOOD.way("search_dish", *_SEARCH_DISH, *_OPTIONS),
        FOOD.voice(_("来一杯{shop}的{dish}，{sugar}{ice}"), *_PAY),
        cases=_list_drink_cases,
        rule=_is_ordered,
    ),
    goal(
        "reorder",
        _("{shop}再来一单"),
        _("再点一次上次{shop}的外卖"),
        _("照上次的，{shop}再下一单"),
        _("{shop}那单再来一份一样的"),
        FOOD.way("orders", _("订单"), *_AGAIN),
        FOOD.shortcut(_("我的订单"), *_AGAIN),
        FOOD.voice(_("{shop}再来一单"), *_PAY),
        cases=FOOD.records("orders", shop="shop"),
        rule=_is_reordered,
    ),
    goal(
        "favorite_shop",
        _("收藏{shop}"),
        _("把{shop}加到收藏"),
        _("关注一下{shop}这家店"),
        _("收藏外卖店{shop}"),
        *by_ways(_WAYS, _("收藏")),
        FOOD.voice(_("收藏{shop}")),
        **FOOD.added("favorites", "shop", _list_shop_cases),
    ),
    goal(
        "change_address",
        _("外卖送到{address}"),
        _("把收货地址改成{address}"),
        _("外卖地址换成{address}"),
        _("点外卖的地址切到{address}"),
        FOOD.way("top", _("送至", "heading"), "{address}"),
        FOOD.way("mine", _("我的"), _("收货地址"), "{address}"),
        FOOD.voice(_("送到{address}")),
        **FOOD.chosen("address", "address", _list_address_cases),
    ),
    goal(
        "favorite_and_ask_delivery",
        _("收藏{shop}，再看看外卖多久能送到"),
        _("把{shop}加到收藏，送过来要几分钟"),
        _("关注一下{shop}这家店，顺便查送达时间要多少分钟"),
        _("收藏外卖店{shop}，告诉我要等多长时间"),
        *by_ways(_WAYS, _("收藏")),
        **FOOD.added("favorites", "shop", _list_shop_cases),
        question=asks(
            "number",
            lambda view: named(shops(view.seed), view.arguments["shop"]).minutes,
            _("分钟", "unit"),
        ),
    ),
    goal(
        "ask_delivery",
        _("{shop}外卖多久能送到"),
        _("点{shop}要等几分钟"),
        _("查一下{shop}的送达时间要多少分钟"),
        _("{shop}送过来要多长时间"),
        *_WAYS,
        FOOD.voice(_("看看{shop}")),
        cases=_list_shop_cases,
        question=asks(
            "number",
            lambda view: named(shops(view.seed), view.arguments["shop"]).minutes,
            _("分钟", "unit"),
        ),
    ),
)
