"""The shopping app's pages, except those for ordering, and the handlers of their taps."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView, choose
from simulated_phone.apps.shopping import ordering
from simulated_phone.apps.shopping.data import CATEGORIES, SEARCH, WAITING, Product, products
from simulated_phone.apps.shopping.ordering import (
    add_to_cart,
    bottom_tabs,
    empty_body,
    find_product,
    receive,
    remove,
)
from simulated_phone.handler_context import HandlerContext
from simulated_phone.payment import money
from simulated_phone.screens.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.lists import Chips, Cover, Heading, ListRow, SearchBar
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, RED
from simulated_phone.screens.widgets import Button, Field, Icon, Space, Text, Widget

ACCENT = "#d6336c"

# ---- pages


def _home_page(view: PageView) -> AppPage:
    lens = Icon("search", size=18, color=GREY, room=28)
    pill = ListRow(SEARCH, leading=lens, lead=20, color=GREY, size=15, pad=8)
    search = Card([pill], pad=0, radius=26, color="#eceef2", tap=action_ref("open_search"))
    return AppPage(
        header=[
            Space(6),
            RowLayout([search, Icon("mic", "语音", voice.LISTEN, color=ACCENT)], [None, 48], pad=12),
            Space(6),
        ],
        body=[
            Card([GridLayout([_category_button(name) for name in CATEGORIES], 4, gap=4)], pad=8),
            Heading("猜你喜欢", pad=4),
            GridLayout([_product_card(product) for product in products(view.seed)], 2, gap=8),
        ],
        pad=12,
        tabs=bottom_tabs("home"),
    )


def _category_button(name: str) -> Card:
    cover = RowLayout([Space(1), Cover(name, room=44, radius=14), Space(1)], [None, 44, None], gap=0)
    return Card(
        [cover, Text(name, size=13, align="center")], pad=4, tap=action_ref("go", page="category", name=name)
    )


def _product_card(product: Product) -> Card:
    return Card(
        [
            Cover(product.name, room=92, radius=10),
            Text(product.name, size=14),
            RowLayout(
                [
                    Text(money(product.fen), color=RED, bold=True),
                    Text(_sales_words(product), size=12, color=GREY, align="right"),
                ]
            ),
        ],
        pad=8,
        gap=2,
        tap=action_ref("visit", product=product.name),
    )


def _sales_words(product: Product) -> str:
    return f"{product.sold} 人付款"


def _row(product: Product) -> Card:
    row = ListRow(
        product.name,
        f"{money(product.fen)} · {_sales_words(product)}",
        leading=Cover(product.name, room=60),
        lead=60,
        pad=8,
        tap=action_ref("visit", product=product.name),
    )
    return Card([row], pad=2, margin=12)


def _category_page(view: PageView) -> AppPage:
    name = view.arguments["name"]
    rows = [_row(product) for product in products(view.seed) if product.category == name]
    search = Icon("search", "搜索", action_ref("open_search"))
    return AppPage(title=name, actions=[search], body=[Space(4), *rows], gap=8)


def _search_page(view: PageView) -> AppPage:
    word = view.fields.get("query", view.arguments.get("word", "")).strip()
    body: list[Widget] = [_row(product) for product in products(view.seed) if word and word in product.name]
    if not word:
        hot = [(one.name, action_ref("visit", product=one.name), False) for one in products(view.seed)[:6]]
        body = [Heading("热门搜索"), Chips(hot)]
    elif not body:
        body = empty_body("没有找到相关商品")
    field = Field("query", SEARCH, glyph="search", enter="搜索", start=view.arguments.get("word", ""))
    return AppPage(title="搜索", header=[SearchBar(field, voice.LISTEN)], body=[Space(4), *body], gap=8)


def _product_page(view: PageView) -> AppPage:
    product = find_product(view.seed, view.arguments["product"])
    liked = product.name in view.state["likes"]
    like = action_ref("like", product=product.name)
    heart = Icon("heart" if liked else "heart_line", "取消收藏" if liked else "收藏", like, color=ACCENT)
    cart = Icon("cart", "购物车", action_ref("go", page="cart", over=True))
    add = Button(
        "加入购物车", action_ref("go", page="options", product=product.name, buy=False), style="tonal"
    )
    buy = Button("立即购买", action_ref("go", page="options", product=product.name, buy=True))
    facts = [
        ListRow("规格", trailing="、".join(product.options)),
        ListRow("发货", trailing="48 小时内 · 免运费"),
        ListRow("保障", trailing="7 天无理由退货"),
    ]
    return AppPage(
        title="商品详情",
        actions=[cart],
        body=[
            Cover(product.name, room=280, radius=0),
            Card(
                [
                    RowLayout(
                        [
                            Text(money(product.fen), size=26, bold=True, color=RED),
                            Text(_sales_words(product), color=GREY, align="right"),
                        ]
                    ),
                    Text(product.name, size=18, bold=True, lines=2),
                ],
                margin=12,
            ),
            Card(facts, pad=2, margin=12, gap=0),
            Card(
                [
                    Text("买家评价", bold=True),
                    Text("质量不错，物流也快，下次还会再来。", size=14, color=GREY),
                ],
                margin=12,
            ),
        ],
        gap=10,
        footer=[RowLayout([heart, add, buy], [48, None, None])],
    )


def _options_sheet(view: PageView) -> Sheet:
    product = find_product(view.seed, view.arguments["product"])
    chosen = view.arguments.get("option", product.options[0])
    chips = [(option, action_ref("set", option=option), option == chosen) for option in product.options]
    head = ListRow(
        product.name,
        f"{money(product.fen)} · 已选 {chosen}",
        leading=Cover(product.name, room=64),
        lead=64,
        bold=True,
    )
    return Sheet(
        title="选择规格",
        body=[head, Heading("规格"), Chips(chips), Space(10)],
        footer=[Button("确定", action_ref("confirm_option"))],
    )


def _mine_page(view: PageView) -> AppPage:
    state = view.state
    waiting = sum(order["status"] == WAITING for order in state["orders"])
    surface = Cover("买家", glyph="person", room=56, radius=28)
    rows = [
        ListRow("我的订单", trailing=f"{len(state['orders'])}›", tap=action_ref("go", page="orders")),
        ListRow(WAITING, trailing=f"{waiting}›", tap=action_ref("go", page="orders", status=WAITING)),
        ListRow("我的收藏", trailing=f"{len(state['likes'])}›", tap=action_ref("go", page="likes")),
        ListRow("优惠券", trailing="暂无可用"),
    ]
    who = Card([ListRow("快乐买家", "普通会员", leading=surface, lead=56, bold=True)], pad=4, margin=12)
    body = [Space(2), who, Card(rows, pad=2, margin=12, gap=0)]
    return AppPage(title="我的", back=False, body=body, gap=10, tabs=bottom_tabs("mine"))


def _likes_page(view: PageView) -> AppPage:
    rows = [_row(find_product(view.seed, name)) for name in view.state["likes"]]
    return AppPage(title="我的收藏", body=[Space(4), *rows] if rows else empty_body("还没有收藏"), gap=8)


# ---- handlers of taps


def _visit(context: HandlerContext, product: str) -> None:
    context.unfocus()
    context.go("product", product=product)


def _open_search(context: HandlerContext) -> None:
    context.go("search")
    context.focus("query")


def _like(context: HandlerContext, product: str) -> None:
    likes = context.state["likes"]
    liked = product not in likes
    (likes.append if liked else likes.remove)(product)
    context.fact("like_changed", product=product, on=liked)
    context.toast("收藏成功" if liked else "已取消收藏")


def _like_line(context: HandlerContext, product: str) -> None:
    context.back()
    if product not in context.state["likes"]:
        _like(context, product)


def _confirm_option(context: HandlerContext) -> None:
    product, buy = context.arguments["product"], context.arguments["buy"]
    option = context.arguments.get("option", find_product(context.seed, product).options[0])
    context.back()
    if buy:
        context.fact("checkout_begun", product=product)
        context.go("checkout", product=product, option=option)
    else:
        add_to_cart(context, product, option)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: put a product into the cart, remove, like or buy it, or confirm its receipt."""
    name = choose(phrase, [product.name for product in products(context.seed)])
    if name is None or name not in phrase:
        context.go("search", word=phrase.removeprefix("我要").removeprefix("买"))
        return True
    product = find_product(context.seed, name)
    option = choose(phrase, product.options) or product.options[0]
    to_receive = [
        order["id"]
        for order in context.state["orders"]
        if order["status"] == WAITING and name in {line["product"] for line in order["lines"]}
    ]
    if "收货" in phrase and to_receive:
        receive(context, to_receive[0])
    elif "收藏" in phrase:
        if name not in context.state["likes"]:
            _like(context, name)
    elif "删" in phrase:
        for line in [line for line in context.state["cart"] if line["product"] == name]:
            remove(context, name, line["option"])
    elif "购物车" in phrase:
        add_to_cart(context, name, option)
    elif "买" in phrase or "下单" in phrase:
        context.fact("checkout_begun", product=name)
        context.go("checkout", product=name, option=option)
    else:
        context.go("product", product=name)
    return True


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "home": _home_page,
        "category": _category_page,
        "search": _search_page,
        "product": _product_page,
        "options": _options_sheet,
        "mine": _mine_page,
        "likes": _likes_page,
        **ordering.PAGES,
        "voice": voice.page("买蓝牙耳机", "搜保温杯"),
    }
)

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "visit": _visit,
        "open_search": _open_search,
        "like": _like,
        "like_line": _like_line,
        "confirm_option": _confirm_option,
        **ordering.HANDLERS,
        **voice.handlers(_understand),
    }
)
