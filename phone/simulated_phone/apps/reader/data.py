"""The reader's data: books and their generated text, page appearances, and the state of a fresh phone."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from simulated_phone.goals.app_definition import State
from simulated_phone.language.formats import entries
from simulated_phone.language.language import messages
from simulated_phone.screens.theme import Exact

_ = messages(__name__)

PACKAGE, LABEL = "com.moxiang.reader", _("阅读")
SEARCH = _("搜索书名或作者")
"""Hint of the search field."""

_TITLES = {
    _("小说"): _(
        "北岸灯火:沈照水 长街旧事:林疏影 渡口:周远舟 雪夜归人:陆子青 南方来信:许知遥 "
        "无声的钟:顾行舟 白杨树下:田野 最后一班渡轮:江明月"
    ),
    _("武侠"): _(
        "断剑山庄:萧寒 青衫客:白一鸣 大漠孤烟录:陆子青 江湖夜行:萧寒 铁笛书生:风满楼 落霞十三刀:白一鸣"
    ),
    _("科幻"): _(
        "轨道之外:陈星野 月面邮差:何以深 沉睡的飞船:陈星野 第七颗卫星:梁北辰 "
        "机器人保姆:何以深 海底城市:梁北辰"
    ),
    _("历史"): _(
        "城墙里的春秋:方砚 运河两岸:宋怀古 一匹丝绸的远行:方砚 驿站简史:宋怀古 瓷器与海:秦川 古人的一天:秦川"
    ),
    _("生活"): _(
        "四季家常菜:徐妈妈 阳台种菜记:叶小园 睡个好觉:赵安 收纳的道理:叶小园 "
        "跑步入门:赵安 一个人的早餐:徐妈妈"
    ),
    _("成长"): _(
        "专注的练习:孟平 慢慢说话:孟平 第一份工作:唐果 记账三年:唐果 与孩子谈心:苏老师 如何读一本书:苏老师"
    ),
}
_SENTENCES = (
    _("天色暗下来的时候，街上的灯一盏一盏亮了。"),
    _("他把信折好，放进抽屉最里面的一格。"),
    _("远处传来火车的声音，很轻，又很长。"),
    _("她想了很久，还是没有把那句话说出口。"),
    _("风从河面上吹过来，带着一点水草的味道。"),
    _("老人笑了笑，说这件事要从头讲起。"),
    _("桌上的茶已经凉了，谁也没有去动它。"),
    _("第二天一早，门口多了一串陌生的脚印。"),
    _("“再等等吧，”他说，“总会有人来的。”"),
    _("院子里的石榴树比去年又高了一截。"),
    _("他们沿着小路往前走，谁也不先开口。"),
    _("窗外下着雨，屋里只听得见钟摆的声音。"),
    _("这个问题，他后来用了十年才想明白。"),
    _("船慢慢靠了岸，码头上的人都抬起头来。"),
    _("她把地图摊开，用铅笔轻轻画了一个圈。"),
    _("没有人知道那扇门后面究竟有什么。"),
)
_NAMES = (
    _("初见"),
    _("远行"),
    _("来客"),
    _("旧信"),
    _("风起"),
    _("夜谈"),
    _("归途"),
    _("抉择"),
    _("暗流"),
    _("重逢"),
    _("清晨"),
    _("转机"),
)
SIZES: Mapping[str, int] = MappingProxyType({_("小"): 15, _("标准"): 18, _("大"): 22, _("特大"): 27})
"""Text sizes, dp."""
BACKGROUNDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        _("白色"): (Exact("#ffffff"), Exact("#1c1d21")),
        _("米黄"): (Exact("#f6ecd6"), Exact("#4a3f2d")),
        _("护眼绿"): (Exact("#d5e8d0"), Exact("#26402a")),
        _("夜间"): (Exact("#16181d"), Exact("#9aa0aa")),
    }
)
"""Backgrounds -> colour of the paper and of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """A book: author, kind and the fewest chapters that an edition of it has."""

    title: str
    author: str
    kind: str
    chapters: int


BOOKS: Mapping[str, Book] = MappingProxyType(
    {
        title: Book(title=title, author=author, kind=kind, chapters=18 + sum(map(ord, title)) % 30)
        for kind, books in _TITLES.items()
        for title, _unused, author in (book.partition(":") for book in entries(books))
    }
)
"""Books by title."""
KINDS = tuple(_TITLES)


def chapters_of(title: str, seed: int) -> int:
    """Number of chapters that the phone's edition of a book has, determined by the seed."""
    more = random.Random(f"{seed}:{title}:chapters").randrange(20)  # noqa: S311 - seeded data, not a secret
    return BOOKS[title].chapters + more


def chapter_name(number: int) -> str:
    """A chapter by its number: 第3章."""
    return _("第{number}章").format(number=number)


def chapter_title(book: str, number: int) -> str:
    """Name of the chapter, without its number."""
    return _NAMES[(number * 5 + len(book)) % len(_NAMES)]


def list_paragraphs(book: str, number: int) -> list[str]:
    """The paragraphs of a chapter, generated from book and number."""
    rng = random.Random(f"{book}:{number}")  # noqa: S311 - seeded data, not a secret
    return ["".join(rng.sample(_SENTENCES, rng.randint(2, 4))) for _unused in range(9)]


def make_state(rng: random.Random) -> State:
    """Draw the shelf, the reading progress of each book, the favourites' order, and the page appearance."""
    shelf = rng.sample(sorted(BOOKS), 6)
    return {
        "shelf": shelf,
        "progress": {book: rng.randint(2, BOOKS[book].chapters - 2) for book in shelf},
        "ranking": rng.sample(sorted(BOOKS), len(BOOKS)),
        "reading": {"book": "", "chapter": 0},
        "size": rng.choice((_("小"), _("标准"))),
        "ground": rng.choice((_("白色"), _("米黄"))),
    }
