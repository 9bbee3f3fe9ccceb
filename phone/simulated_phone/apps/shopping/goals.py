"""The shopping app's goals: put a product into the cart, buy, like it, confirm receipt."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, States
from simulated_phone.goals.steps import Hold, Tap, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, by_ways, goal
from ...builders.records import named
from . import data
from .data import LABEL, OLD_ORDERS, PACKAGE, RECEIVED, SEARCH, make_state, products

_ = messages(__name__)

SHOPPING = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


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


def _list_products_not_in(seed: int, *, but: str) -> list[data.Product]:
    """Products that are not in "cart", or not in "likes", on a fresh phone."""
    state = SHOPPING.fresh(seed)
    taken = state["likes"] if but == "likes" else [line["product"] for line in state["cart"]]
    return [product for product in products(seed) if product.name not in taken]


def _list_product_cases(seed: int, *, but: str = "cart") -> list[Arguments]:
    return [{"product": one.name, "category": one.category} for one in _list_products_not_in(seed, but=but)]


def _list_option_cases(seed: int) -> list[Arguments]:
    return [
        {"product": one.name, "category": one.category, "option": option}
        for one in _list_products_not_in(seed, but="cart")
        for option in one.options
    ]


def _list_waiting_cases(seed: int) -> list[Arguments]:
    orders = SHOPPING.fresh(seed)["orders"]
    return [{"product": one["lines"][0]["product"]} for one in orders if one["status"] == data.WAITING]


_WAYS = (
    SHOPPING.search("{product}"),
    SHOPPING.way("browse", "{product}"),
    SHOPPING.way("category", "{category}", "{product}"),
    SHOPPING.shortcut(_("搜商品"), TypeText("{product}", into=SEARCH), "{product}"),
)
_PAY = (_("提交订单"), _("确认付款"))
_CART = (_("加入购物车"), _("确定"))
_RECEIVE = (Tap(_("确认收货"), within="{product}"), _("确定"))

GOALS = (
    goal(
        "add_to_cart",
        _("把{product}加入购物车"),
        _("购物车里加一个{product}"),
        _("{product}先加购物车"),
        _("帮我把{product}放进购物车"),
        *by_ways(_WAYS, *_CART),
        SHOPPING.voice(_("把{product}加入购物车")),
        cases=_list_product_cases,
        rule=_is_in_cart,
    ),
    goal(
        "add_option_to_cart",
        _("把{option}的{product}加入购物车"),
        _("购物车加个{product}，要{option}"),
        _("{product}选{option}，加到购物车"),
        _("{option}的{product}放进购物车"),
        *by_ways(_WAYS, _("加入购物车"), "{option}", _("确定")),
        SHOPPING.voice(_("把{option}的{product}加入购物车")),
        cases=_list_option_cases,
        rule=_is_in_cart,
    ),
    goal(
        "buy",
        _("买一个{product}"),
        _("下单{product}"),
        _("帮我买{product}"),
        _("网上买个{product}"),
        _("购买{product}"),
        *by_ways(_WAYS, _("立即购买"), _("确定"), *_PAY),
        SHOPPING.search("{product}", *_CART, _("购物车"), _("选择{product}"), _("结算"), *_PAY, name="cart"),
        SHOPPING.voice(_("买一个{product}"), *_PAY),
        cases=_list_product_cases,
        rule=_is_bought,
    ),
    goal(
        "like_product",
        _("收藏{product}"),
        _("把{product}收藏起来"),
        _("{product}加到收藏夹"),
        _("先收藏{product}"),
        *by_ways(_WAYS, _("收藏")),
        SHOPPING.voice(_("收藏{product}")),
        **SHOPPING.added("likes", "product", lambda seed: _list_product_cases(seed, but="likes")),
    ),
    goal(
        "remove_from_cart",
        _("把{product}从购物车删掉"),
        _("购物车里的{product}不要了"),
        _("删除购物车的{product}"),
        _("{product}移出购物车"),
        SHOPPING.way("held", _("购物车"), Hold("{product}"), _("删除")),
        SHOPPING.way("managed", _("购物车"), _("管理"), Tap(_("删除"), within="{product}")),
        SHOPPING.way("lessened", _("购物车"), _("减少{product}")),
        SHOPPING.shortcut(_("购物车"), _("减少{product}")),
        SHOPPING.voice(_("从购物车删除{product}")),
        cases=lambda seed: [{"product": line["product"]} for line in SHOPPING.fresh(seed)["cart"]],
        rule=lambda states, arguments: not _is_in_cart(states, arguments),
    ),
    goal(
        "confirm_receipt",
        _("确认收到{product}了"),
        _("{product}到了，确认收货"),
        _("帮我给{product}点确认收货"),
        _("确认收货{product}"),
        SHOPPING.way("mine", _("我的"), _("我的订单"), *_RECEIVE),
        SHOPPING.way("filtered", _("我的"), data.WAITING, *_RECEIVE),
        SHOPPING.shortcut(_("我的订单"), *_RECEIVE),
        SHOPPING.voice(_("确认收货{product}")),
        cases=_list_waiting_cases,
        rule=_is_received,
    ),
    goal(
        "ask_price",
        _("{product}多少钱"),
        _("看看{product}卖多少钱"),
        _("查一下{product}的价格"),
        _("网上{product}什么价"),
        *_WAYS,
        SHOPPING.voice(_("看看{product}")),
        cases=_list_product_cases,
        question=asks(
            "amount", lambda view: f"{named(products(view.seed), view.arguments['product']).fen / 100:.2f}"
        ),
    ),
)
