"""The shopping app: its pages, except those for ordering, the handlers of their taps, and the app."""

from __future__ import annotations

from collections.abc import Sequence

from simulated_phone.goals.app_definition import App, PageView, Shortcut, choose, generator
from simulated_phone.language import formats
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.feed import Feed
from simulated_phone.screens.layouts.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Banner, Cover, Heading, ListRow, Tab
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, RED, WHITE

from ... import voice
from ...builders import tables
from ...builders.account import build_member_page
from ...builders.checkout import CART, money
from ...builders.likes import flipping, heart
from ...builders.list_parts import build_picks, empty, facts, panel, suggestions
from ...builders.records import named
from ...builders.search import OPEN_SEARCH, SEARCH, search_page
from ...builders.shop_front import build_kind_grid, build_saved_page, search_header
from ...builders.taps import go, tab, visit
from . import data, ordering
from .data import ACCENT, CATEGORIES, WAITING, Product, products
from .goals import GOALS
from .ordering import TABS, add_to_cart, begin_checkout

_ = messages(__name__)

FEED_CARDS = 8
"""Number of products that the home page draws at a time."""


def _visit(name: str) -> ActionRef:
    return visit("product", product=name)


def _tabs(view: PageView, page: str) -> list[Tab]:
    return TABS(page, cart=len(view.state["cart"]))


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    kinds = build_kind_grid(CATEGORIES, lambda name: go("category", name=name), room=44, radius=14)
    cards = GridLayout([_build_product_card(product) for product in products(view.seed)], 2, gap=8)
    offers = [(product.name, _visit(product.name)) for product in products(view.seed)[:3]]
    banner = Banner(offers, "goods", view.minute.minute)
    more = Feed(_list_more_products, view.seed)
    body = [banner, Card([kinds], pad=8), Heading(_("猜你喜欢"), pad=4), cards, more]
    bubble = Icon("bag", CART, action_ref("tab", page="cart"), size=24, color=WHITE, plate=ACCENT)
    header = search_header(data.SEARCH, ACCENT)
    return AppPage(header=header, body=body, pad=12, tabs=_tabs(view, "home"), bubble=bubble)


def _list_more_products(seed: int, block: int) -> Sequence[Widget]:
    drawn = generator(f"{data.PACKAGE} feed {block}", seed).sample(products(seed), FEED_CARDS)
    return [Space(8), GridLayout([_build_product_card(product) for product in drawn], 2, gap=8)]


def _build_product_card(product: Product) -> Card:
    sold = Text(_sales_words(product), size=12, color=GREY, align="right")
    price = RowLayout([Text(money(product.fen), color=RED, bold=True), sold])
    parts = [Cover(product.name, room=92, radius=10, subject="goods"), Text(product.name, size=14), price]
    return Card(parts, pad=8, gap=2, tap=_visit(product.name))


def _sales_words(product: Product) -> str:
    return _("{sold} 人付款").format(sold=formats.number(_, product.sold))


def _build_row(product: Product) -> Card:
    words = f"{money(product.fen)} · {_sales_words(product)}"
    cover = Cover(product.name, room=60, subject="goods")
    return panel(ListRow(product.name, words, leading=cover, pad=8, tap=_visit(product.name)))


def _build_category_page(view: PageView) -> AppPage:
    name = view.arguments["name"]
    rows = [_build_row(product) for product in products(view.seed) if product.category == name]
    return AppPage(title=name, actions=[Icon("search", SEARCH, OPEN_SEARCH)], body=[Space(4), *rows], gap=8)


def _find(view: PageView, word: str) -> Sequence[Widget]:
    return [_build_row(product) for product in products(view.seed) if word in product.name]


def _hot_searches(view: PageView) -> Sequence[Widget]:
    return [Heading(_("热门搜索")), suggestions([one.name for one in products(view.seed)[:6]], _visit)]


def _build_product_page(view: PageView) -> AppPage:
    product = named(products(view.seed), view.arguments["product"])
    name = product.name
    liked = heart(name in view.state["likes"], action_ref("like", product=name), color=ACCENT)
    add = Button(_("加入购物车"), go("options", product=name, buy=False), style="tonal")
    buy = Button(_("立即购买"), go("options", product=name, buy=True))
    price = Text(money(product.fen), size=26, bold=True, color=RED)
    sold = Text(_sales_words(product), color=GREY, align="right")
    opinion = Text(_("质量不错，物流也快，下次还会再来。"), size=14, color=GREY)
    return AppPage(
        title=_("商品详情"),
        actions=[Icon("cart", CART, go("cart", over=True))],
        body=[
            Cover(name, room=280, radius=0, subject="goods"),
            Card([RowLayout([price, sold]), Text(name, size=18, bold=True, lines=2)], margin=12),
            facts(
                (_("规格"), _("、").join(product.options)),
                (_("发货"), _("48 小时内 · 免运费")),
                (_("保障"), _("7 天无理由退货")),
            ),
            Card([Text(_("买家评价"), bold=True), opinion], margin=12),
        ],
        gap=10,
        footer=[RowLayout([liked, add, buy], [48, None, None])],
    )


def _build_options_sheet(view: PageView) -> Sheet:
    product = named(products(view.seed), view.arguments["product"])
    chosen = view.arguments.get("option", product.options[0])
    words = _("{money} · 已选 {chosen}").format(money=money(product.fen), chosen=chosen)
    cover = Cover(product.name, room=64, subject="goods")
    head = ListRow(product.name, words, leading=cover, bold=True)
    body = [head, Heading(_("规格")), build_picks("option", product.options, chosen), Space(10)]
    return Sheet(title=_("选择规格"), body=body, footer=[Button(_("确定"), action_ref("confirm_option"))])


def _build_mine_page(view: PageView) -> AppPage:
    orders = view.state["orders"]
    waiting = sum(order["status"] == WAITING for order in orders)
    rows = [
        ListRow(_("我的订单"), trailing=f"{len(orders)}›", tap=go("orders")),
        ListRow(WAITING, trailing=f"{waiting}›", tap=go("orders", status=WAITING)),
        ListRow(_("我的收藏"), trailing=f"{len(view.state['likes'])}›", tap=go("likes")),
        ListRow(_("优惠券"), trailing=_("暂无可用")),
    ]
    return build_member_page(_("快乐买家"), _("买家"), rows, _tabs(view, "mine"))


def _build_likes_page(view: PageView) -> AppPage:
    return build_saved_page(
        _("我的收藏"), [_build_row(named(products(view.seed), name)) for name in view.state["likes"]]
    )


# ---- handlers of taps

_like = flipping("likes", "product", "like_changed")


def _like_line(context: HandlerContext, product: str) -> None:
    context.back()
    if product not in context.state["likes"]:
        _like(context, product=product)


def _confirm_option(context: HandlerContext) -> None:
    product, buy = context.arguments["product"], context.arguments["buy"]
    option = context.arguments.get("option", named(products(context.seed), product).options[0])
    context.back()
    (begin_checkout if buy else add_to_cart)(context, product, option)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: put a product into the cart, remove, like or buy it, or confirm its receipt."""
    name = voice.find_name(phrase, [product.name for product in products(context.seed)])
    if name is None:
        context.go("search", word=phrase.removeprefix(_("我要")).removeprefix(_("买")))
        return True
    product = named(products(context.seed), name)
    option = choose(phrase, product.options) or product.options[0]
    to_receive = [
        order["id"]
        for order in context.state["orders"]
        if order["status"] == WAITING and name in {line["product"] for line in order["lines"]}
    ]
    if voice.says(phrase, _("收货", "said")) and to_receive:
        ordering.receive(context, to_receive[0])
    elif voice.says(phrase, _("收藏", "said")):
        if name not in context.state["likes"]:
            _like(context, product=name)
    elif voice.says(phrase, _("删", "said")):
        for line in [line for line in context.state["cart"] if line["product"] == name]:
            ordering.remove(context, name, line["option"])
    elif voice.says(phrase, _("购物车", "said")):
        add_to_cart(context, name, option)
    elif voice.says(phrase, _("买", "said")) or voice.says(phrase, _("下单", "said")):
        begin_checkout(context, name, option)
    else:
        context.go("product", product=name)
    return True


SHOPPING = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Shopping",
    glyph="bag",
    color=ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **ordering.PAGES,
        "search": search_page(
            data.SEARCH, _find, empty(_("没有找到相关商品"), space=90), _hot_searches, gap=8
        ),
        "voice": voice.page(_("买蓝牙耳机"), _("搜保温杯")),
    },
    handlers={
        **tables.handlers(_like_line, _confirm_option),
        **ordering.HANDLERS,
        "like": _like,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("搜商品"), glyph="search", tap=OPEN_SEARCH),
        Shortcut(text=CART, glyph="cart", tap=tab("cart")),
        Shortcut(text=_("我的订单"), glyph="list", tap=go("orders")),
    ),
    goals=GOALS,
    position=5,
    hours=(13, 20, 21),
)
