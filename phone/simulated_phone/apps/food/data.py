"""The food app's data: shops with their dishes, options and addresses, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from simulated_phone.goals.app_definition import State, generator
from simulated_phone.language.formats import entries
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = "com.simulated.waimai", _("外卖"), "#e8720c"
SEARCH = _("搜索商家或商品")
SUGARS = (_("全糖"), _("七分糖"), _("半糖"), _("三分糖"), _("无糖"))
ICES = (_("正常冰"), _("少冰"), _("去冰"), _("热饮"))
DRINKS = _("奶茶咖啡")
ADDRESSES = {
    _("家"): _("翠园小区 6 栋 1203"),
    _("公司"): _("创新大厦 B 座 15 层"),
    _("学校"): _("城东大学 南门 3 号柜"),
}
OLD_ORDERS = 3

_KINDS = {
    _("快餐便当"): (
        _("老街坊木桶饭 小灶台家常菜 米香快餐 大碗先生盖饭 阿婆猪脚饭"),
        _(
            "红烧肉盖饭:26 鱼香肉丝盖饭:22 宫保鸡丁盖饭:23 番茄牛腩饭:29 香菇滑鸡饭:24 隆江猪脚饭:25 "
            "黑椒牛柳饭:28 土豆烧排骨饭:27 麻婆豆腐饭:18 糖醋里脊饭:24 酸辣土豆丝:14 紫菜蛋花汤:8"
        ),
    ),
    DRINKS: (
        _("茶小满 云朵奶茶铺 半山咖啡 橘子汽水站 早安咖啡馆"),
        _(
            "珍珠奶茶:13 杨枝甘露:18 芋泥波波奶茶:16 生椰拿铁:19 茉莉奶绿:12 柠檬绿茶:11 葡萄冻冻:17 "
            "桂花乌龙奶茶:15 美式咖啡:14 焦糖玛奇朵:21 草莓奶昔:18 黑糖鲜奶:16"
        ),
    ),
    _("面馆粉店"): (
        _("秦川面馆 李记牛肉面 柳州螺蛳粉 桂林米粉店 山西刀削面"),
        _(
            "红烧牛肉面:24 油泼扯面:19 螺蛳粉:16 桂林米粉:15 刀削面:17 炸酱面:18 酸汤肥牛面:27 番茄鸡蛋面:15 "
            "重庆小面:14 肥肠粉:20 凉皮:10 肉夹馍:11"
        ),
    ),
    _("炸鸡汉堡"): (
        _("脆皮炸鸡屋 大力汉堡 叫个鸡翅 街角披萨 美味堡堡"),
        _(
            "香辣鸡腿堡:18 牛肉芝士堡:25 原味炸鸡:29 蜂蜜芥末炸鸡:32 鸡米花:13 薯条:9 奥尔良烤翅:16 "
            "培根披萨:45 榴莲披萨:55 鳕鱼堡:20 洋葱圈:10 土豆泥:8"
        ),
    ),
    _("火锅冒菜"): (
        _("川妹子冒菜 巷子口麻辣烫 一锅红火锅 蜀味串串"),
        _(
            "招牌冒菜:32 麻辣烫套餐:28 番茄锅底:22 牛油锅底:26 毛肚:36 肥牛卷:33 虾滑:29 鸭血:12 冒脑花:18 "
            "酥肉:20 宽粉:8 冰粉:9"
        ),
    ),
    _("烧烤烤肉"): (
        _("老地方烧烤 东北烤串王 炭火人家 深夜烤肉局"),
        _(
            "羊肉串:30 烤鸡翅:18 烤茄子:12 烤韭菜:8 烤生蚝:35 五花肉串:26 烤鱿鱼:20 烤面筋:10 烤鱼:68 "
            "锡纸金针菇:16 烤玉米:9 蒜蓉扇贝:38"
        ),
    ),
    _("甜品蛋糕"): (
        _("糖水铺子 甜甜圈工坊 麦田烘焙 雪媚娘甜品"),
        _(
            "芒果班戟:16 双皮奶:14 提拉米苏:22 草莓蛋糕:36 雪媚娘:18 红豆沙:12 芝士蛋糕:24 烧仙草:13 "
            "蛋挞四只:19 泡芙:15 龟苓膏:11 牛角包:10"
        ),
    ),
    _("粥铺早点"): (
        _("晨光粥铺 老城包子店 豆浆大王 江南早点"),
        _(
            "皮蛋瘦肉粥:12 南瓜小米粥:9 鲜肉小笼包:15 豆浆油条:10 煎饼果子:11 虾饺:22 肠粉:13 茶叶蛋:3 "
            "手抓饼:9 豆腐脑:7 青菜香菇包:8 海鲜粥:26"
        ),
    ),
}
KINDS = tuple(_KINDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """A shop: kind, dishes with prices in fen, distance in m, delivery time in minutes and fee in fen."""

    name: str
    kind: str
    prices: Mapping[str, int]
    rating: str
    metres: int
    minutes: int
    fee: int


def _draw_shops(rng: random.Random) -> tuple[Shop, ...]:
    shops = [
        _draw_shop(rng, name, kind)
        for kind, (names, _unused) in _KINDS.items()
        for name in rng.sample(entries(names), rng.choice((2, 3)))
    ]
    return tuple(sorted(shops, key=lambda shop: (shop.metres, shop.name)))


def _draw_shop(rng: random.Random, name: str, kind: str) -> Shop:
    dishes = [dish.partition(":") for dish in rng.sample(entries(_KINDS[kind][1]), 8)]
    prices = {dish: 100 * int(yuan) + rng.choice((-50, 0, 0, 80)) for dish, _unused, yuan in dishes}
    metres = rng.randrange(200, 4800, 50)
    return Shop(
        name=name,
        kind=kind,
        prices=MappingProxyType(prices),
        rating=f"{rng.randrange(42, 50) / 10}",
        metres=metres,
        minutes=20 + metres // 250,
        fee=rng.choice((0, 200, 300, 500)),
    )


@lru_cache(maxsize=64)
def shops(seed: int) -> tuple[Shop, ...]:
    """The shops of a seed, the nearest first."""
    return _draw_shops(generator(PACKAGE, seed))


def make_state(rng: random.Random) -> State:
    """Draw earlier orders, one favourite shop and an address."""
    near = _draw_shops(rng)
    orders = []
    for number, shop in enumerate(rng.sample(near, OLD_ORDERS), 1):
        plain = shop.kind != DRINKS
        dish = rng.choice(sorted(shop.prices))
        options, count = "" if plain else _("半糖、少冰"), rng.choice((1, 1, 2))
        item = {"dish": dish, "options": options, "count": count}
        total = shop.prices[dish] * count + shop.fee
        orders.append({"id": number, "shop": shop.name, "items": [item], "total": total, "address": _("家")})
    return {
        "baskets": {},
        "orders": orders,
        "next": OLD_ORDERS + 1,
        "favorites": [rng.choice(near).name],
        "address": rng.choice((_("家"), _("公司"))),
    }
