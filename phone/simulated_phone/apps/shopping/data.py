"""The shopping app's data: the products of a seed, and the state of a fresh phone."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

from simulated_phone.goals.app_definition import State, generator, phone_seed
from simulated_phone.language.formats import entries
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = "com.simulated.gouwu", _("购物"), "#d6336c"
SEARCH = _("搜索商品")
OLD_ORDERS = 3
PERCENT = range(60, 161)
"""Price of a product on a phone, in percent of its usual one."""
WAITING, RECEIVED, PACKING = _("待收货"), _("已完成"), _("待发货")

_BRANDS = (
    _("青禾"),
    _("云柔"),
    _("朗途"),
    _("松果"),
    _("小象"),
    _("极光"),
    _("北野"),
    _("沐光"),
    _("拾野"),
    _("暖舟"),
    _("木言"),
    _("星河"),
)
_COLORS = (_("黑色"), _("白色"), _("雾蓝"), _("浅灰"), _("豆绿"), _("米色"))
_PACKS = (_("单件装"), _("两件装"), _("家庭装"))
_CATEGORIES = {
    _("手机数码"): (
        _COLORS,
        _(
            "蓝牙耳机:199 充电宝:99 手机壳:29 机械键盘:269 无线鼠标:79 智能手环:229 数据线:19 平板支架:45 "
            "小音箱:139"
        ),
    ),
    _("服饰鞋包"): (
        _COLORS,
        _(
            "纯棉短袖:59 连帽卫衣:129 直筒牛仔裤:149 帆布鞋:99 双肩包:169 羊毛围巾:89 薄款羽绒服:399 "
            "运动短裤:49 防晒衣:119"
        ),
    ),
    _("家居日用"): (
        _COLORS,
        _("保温杯:69 四件套:239 记忆枕:89 收纳箱:39 台灯:109 雨伞:45 拖鞋:25 浴巾:35 垃圾桶:29 加湿器:119"),
    ),
    _("食品生鲜"): (
        _PACKS,
        _(
            "每日坚果:79 纯牛奶:59 红富士苹果:39 挂面:15 速冻水饺:29 速溶咖啡:65 牛肉干:49 蜂蜜:55 "
            "东北大米:62"
        ),
    ),
    _("美妆个护"): (
        _PACKS,
        _("洗面奶:49 防晒霜:89 润唇膏:25 洗发水:59 护手霜:29 补水面膜:79 电动牙刷:159 沐浴露:45 卸妆水:69"),
    ),
    _("母婴玩具"): (
        _PACKS,
        _("婴儿湿巾:29 纸尿裤:119 积木:99 毛绒小熊:59 绘本套装:88 拼图:35 遥控车:129 奶瓶:69 彩泥:25"),
    ),
    _("运动户外"): (
        _COLORS,
        _("瑜伽垫:79 跑步鞋:299 跳绳:25 露营帐篷:269 登山包:239 泳镜:59 羽毛球拍:139 运动水壶:39 折叠椅:89"),
    ),
    _("图书文具"): (
        _PACKS,
        _("笔记本:15 中性笔:12 科幻小说集:48 唐诗选:36 水彩颜料:55 日历本:29 荧光笔:18 儿童百科:98 书立:22"),
    ),
}
CATEGORIES = tuple(_CATEGORIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A product: category, price in fen, and its options (colours or packs)."""

    name: str
    category: str
    fen: int
    options: tuple[str, ...]
    sold: int


def _draw_products(rng: random.Random) -> tuple[Product, ...]:
    found = []
    # numbers of their own: further draws from `rng` would change what is sold
    percents = generator(f"{PACKAGE}:prices", phone_seed(rng))
    for category, (options, nouns) in _CATEGORIES.items():
        for word in rng.sample(entries(nouns), 5):
            noun, _unused, usual = word.partition(":")
            yuan = round(int(usual) * percents.choice(PERCENT) / 100)
            product = Product(
                name=_("{brand}{noun}").format(brand=rng.choice(_BRANDS), noun=noun),
                category=category,
                fen=100 * yuan + rng.choice((-10, -100, 0, 0, 90)),
                options=tuple(rng.sample(options, 3)),
                sold=rng.randrange(100, 9900),
            )
            found.append(product)
    rng.shuffle(found)
    return tuple(found)


@lru_cache(maxsize=64)
def products(seed: int) -> tuple[Product, ...]:
    """The products of a seed, in the order of the home page."""
    return _draw_products(generator(PACKAGE, seed))


def make_state(rng: random.Random) -> State:
    """Draw three products in the cart, three orders (two under way) and two liked products."""
    drawn = rng.sample(_draw_products(rng), 2 + 3 + OLD_ORDERS)
    lines = [{"product": one.name, "option": rng.choice(one.options), "count": 1} for one in drawn]
    orders = [
        {"id": number, "lines": [line], "total": one.fen, "status": WAITING if number > 1 else RECEIVED}
        for number, (one, line) in enumerate(zip(drawn[5:], lines[5:], strict=True), 1)
    ]
    return {
        "cart": [{**line, "chosen": False} for line in lines[:3]],
        "likes": [one.name for one in drawn[3:5]],
        "orders": orders[::-1],
        "next": OLD_ORDERS + 1,
    }
