"""The reader's world: books, their chapters and words, one's shelf, and what people want of it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import LISTENS

PACKAGE = "com.moxiang.reader"
SEARCH = "搜索书名或作者"
"""The hint of the search field."""

_WRITTEN = {
    "小说": (
        ("北岸灯火", "沈照水"), ("长街旧事", "林疏影"), ("渡口", "周远舟"), ("雪夜归人", "陆子青"),
        ("南方来信", "许知遥"), ("无声的钟", "顾行舟"), ("白杨树下", "田野"), ("最后一班渡轮", "江明月"),
    ),
    "武侠": (
        ("断剑山庄", "萧寒"), ("青衫客", "白一鸣"), ("大漠孤烟录", "陆子青"), ("江湖夜行", "萧寒"),
        ("铁笛书生", "风满楼"), ("落霞十三刀", "白一鸣"),
    ),
    "科幻": (
        ("轨道之外", "陈星野"), ("月面邮差", "何以深"), ("沉睡的飞船", "陈星野"), ("第七颗卫星", "梁北辰"),
        ("机器人保姆", "何以深"), ("海底城市", "梁北辰"),
    ),
    "历史": (
        ("城墙里的春秋", "方砚"), ("运河两岸", "宋怀古"), ("一匹丝绸的远行", "方砚"), ("驿站简史", "宋怀古"),
        ("瓷器与海", "秦川"), ("古人的一天", "秦川"),
    ),
    "生活": (
        ("四季家常菜", "徐妈妈"), ("阳台种菜记", "叶小园"), ("睡个好觉", "赵安"), ("收纳的道理", "叶小园"),
        ("跑步入门", "赵安"), ("一个人的早餐", "徐妈妈"),
    ),
    "成长": (
        ("专注的练习", "孟平"), ("慢慢说话", "孟平"), ("第一份工作", "唐果"), ("记账三年", "唐果"),
        ("与孩子谈心", "苏老师"), ("如何读一本书", "苏老师"),
    ),
}  # fmt: skip
_SENTENCES = (
    "天色暗下来的时候，街上的灯一盏一盏亮了。",
    "他把信折好，放进抽屉最里面的一格。",
    "远处传来火车的声音，很轻，又很长。",
    "她想了很久，还是没有把那句话说出口。",
    "风从河面上吹过来，带着一点水草的味道。",
    "老人笑了笑，说这件事要从头讲起。",
    "桌上的茶已经凉了，谁也没有去动它。",
    "第二天一早，门口多了一串陌生的脚印。",
    "“再等等吧，”他说，“总会有人来的。”",
    "院子里的石榴树比去年又高了一截。",
    "他们沿着小路往前走，谁也不先开口。",
    "窗外下着雨，屋里只听得见钟摆的声音。",
    "这个问题，他后来用了十年才想明白。",
    "船慢慢靠了岸，码头上的人都抬起头来。",
    "她把地图摊开，用铅笔轻轻画了一个圈。",
    "没有人知道那扇门后面究竟有什么。",
)
_NAMES = ("初见", "远行", "来客", "旧信", "风起", "夜谈", "归途", "抉择", "暗流", "重逢", "清晨", "转机")
SIZES: Mapping[str, int] = MappingProxyType({"小": 15, "标准": 18, "大": 22, "特大": 27})
"""Sizes of the text, dp."""
GROUNDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "白色": ("#ffffff", "#1c1d21"),
        "米黄": ("#f6ecd6", "#4a3f2d"),
        "护眼绿": ("#d5e8d0", "#26402a"),
        "夜间": ("#16181d", "#9aa0aa"),
    }
)
"""Colour of the paper and of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """One book."""

    title: str
    author: str
    kind: str
    chapters: int


BOOKS: Mapping[str, Book] = MappingProxyType(
    {
        title: Book(title=title, author=author, kind=kind, chapters=18 + sum(map(ord, title)) % 30)
        for kind, books in _WRITTEN.items()
        for title, author in books
    }
)
"""Every book by its title."""
KINDS = tuple(_WRITTEN)


def chapter_name(number: int) -> str:
    """Chapter 3 is 第3章; each has a name, too."""
    return f"第{number}章"


def chapter_title(book: str, number: int) -> str:
    """The chapter's own name."""
    return _NAMES[(number * 5 + len(book)) % len(_NAMES)]


def paragraphs(book: str, number: int) -> list[str]:
    """The words of a chapter."""
    rng = random.Random(f"{book}:{number}")  # noqa: S311 - a world, not a secret
    return ["".join(rng.sample(_SENTENCES, rng.randint(2, 4))) for _ in range(9)]


def initial(rng: random.Random) -> State:
    """One's shelf with how far each book is read, the order of the list of favourites, and how pages look."""
    shelf = rng.sample(sorted(BOOKS), 6)
    return {
        "shelf": shelf,
        "progress": {book: rng.randint(2, BOOKS[book].chapters - 2) for book in shelf},
        "ranking": rng.sample(sorted(BOOKS), len(BOOKS)),
        "reading": {"book": "", "chapter": 0},
        "size": rng.choice(("小", "标准")),
        "ground": rng.choice(("白色", "米黄")),
    }


def _fresh(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _arguments(title: str) -> dict[str, str]:
    return {"book": title, "author": BOOKS[title].author, "kind": BOOKS[title].kind}


def _new_books(seed: int) -> list[Arguments]:
    return [_arguments(title) for title in BOOKS if title not in _fresh(seed)["shelf"]]


def _own_books(seed: int) -> list[Arguments]:
    state = _fresh(seed)
    return [{**_arguments(title), "chapter": state["progress"][title]} for title in state["shelf"]]


def _own_chapters(seed: int) -> list[Arguments]:
    state = _fresh(seed)
    return [
        {**_arguments(title), "chapter": number, "chapter_name": chapter_name(number)}
        for title in state["shelf"]
        for number in range(1, BOOKS[title].chapters + 1)
        if number != state["progress"][title]
    ]


def _looks(seed: int) -> list[Arguments]:
    state = _fresh(seed)
    return [
        {"size": size, "book": book} for book in state["shelf"] for size in SIZES if size != state["size"]
    ]


def _grounds(seed: int) -> list[Arguments]:
    state = _fresh(seed)
    return [
        {"ground": ground, "book": book}
        for book in state["shelf"]
        for ground in GROUNDS
        if ground != state["ground"]
    ]


def _is_read(states: States, arguments: Arguments) -> bool:
    return bool(states[PACKAGE]["reading"]["book"] == arguments["book"])


def _is_at(states: States, arguments: Arguments) -> bool:
    return _is_read(states, arguments) and states[PACKAGE]["reading"]["chapter"] == arguments["chapter"]


def _spoken(words: str) -> Strategy:
    return Strategy("voice", (Open(PACKAGE), Tap("语音"), TypeText(words, into=LISTENS), Tap("完成")))


def _search(*then: Step) -> Strategy:
    words = (Tap(SEARCH), TypeText("{book}", into=SEARCH), Tap("{book}"))
    return Strategy("search", (Open(PACKAGE), *words, *then))


def _browse(*then: Step) -> Strategy:
    return Strategy("browse", (Open(PACKAGE), Tap("书城"), Tap("{kind}"), *then))


def _shelf(*then: Step) -> Strategy:
    return Strategy("shelf", (Open(PACKAGE), Tap("{book}"), *then))


_SETTINGS = (Open(PACKAGE), Tap("我的"), Tap("阅读设置"))
_READ = (Tap("{book}"), Tap("开始阅读"))

GOALS = (
    Goal(
        name="continue_reading",
        words=(
            "接着看{book}",
            "继续读{book}",
            "打开{book}，从上次的地方看",
            "我要看{book}，看到{chapter}章了",
        ),
        cases=_own_books,
        rule=_is_at,
        ways=(_shelf(), _search(Tap("继续阅读")), _spoken("继续看{book}")),
    ),
    Goal(
        name="read_book",
        words=("看{book}", "找{author}的{book}看看", "我想读{book}这本书", "打开{book}，从头看"),
        cases=_new_books,
        rule=_is_read,
        ways=(
            _search(Tap("开始阅读")),
            _browse(*_READ),
            Strategy("ranking", (Open(PACKAGE), Tap("书城"), Tap("热门榜"), *_READ)),
            _spoken("阅读{book}"),
        ),
    ),
    Goal(
        name="read_chapter",
        words=(
            "看{book}的第{chapter}章",
            "{book}翻到第{chapter}章",
            "打开{book}第{chapter}章",
            "从第{chapter}章开始看{book}",
        ),
        cases=_own_chapters,
        rule=_is_at,
        ways=(
            _shelf(Tap("目录"), Tap("{chapter_name}")),
            _search(Tap("查看目录"), Tap("{chapter_name}")),
            _spoken("看{book}第{chapter}章"),
        ),
    ),
    Goal(
        name="put_on_shelf",
        words=("把{book}加入书架", "{book}放到书架上，回头看", "收藏{author}的{book}", "书架里加一本{book}"),
        cases=_new_books,
        rule=lambda states, arguments: arguments["book"] in states[PACKAGE]["shelf"],
        ways=(
            _search(Tap("加入书架")),
            _browse(Tap("{book}"), Tap("加入书架")),
            Strategy("held", (*_browse(Hold("{book}")).script, Tap("放入书架"))),
            _spoken("把{book}加入书架"),
        ),
    ),
    Goal(
        name="take_off_shelf",
        words=("把{book}从书架上删掉", "{book}不看了，移出书架", "书架删除{book}", "不要{book}了"),
        cases=_own_books,
        rule=lambda states, arguments: arguments["book"] not in states[PACKAGE]["shelf"],
        ways=(
            Strategy("held", (Open(PACKAGE), Hold("{book}"), Tap("移出书架"))),
            _search(Tap("移出书架")),
            _spoken("把{book}移出书架"),
        ),
    ),
    Goal(
        name="set_text_size",
        words=(
            "看书的字体调成{size}",
            "看{book}字号改成{size}",
            "阅读字体换成{size}号",
            "读{book}的时候字用{size}的",
        ),
        cases=_looks,
        rule=lambda states, arguments: states[PACKAGE]["size"] == arguments["size"],
        ways=(
            _shelf(Tap("字体与背景"), Tap("{size}")),
            Strategy("settings", (*_SETTINGS, Tap("{size}"))),
            Strategy("shortcut", (Press("home"), Hold("阅读"), Tap("阅读设置"), Tap("{size}"))),
            _spoken("字体{size}"),
        ),
    ),
    Goal(
        name="set_ground",
        words=(
            "看书背景换成{ground}",
            "看{book}时背景调成{ground}",
            "阅读背景改{ground}",
            "读{book}用{ground}的底色",
        ),
        cases=_grounds,
        rule=lambda states, arguments: states[PACKAGE]["ground"] == arguments["ground"],
        ways=(
            _shelf(Tap("字体与背景"), Tap("{ground}")),
            Strategy("settings", (*_SETTINGS, Tap("{ground}"))),
            _spoken("背景换成{ground}"),
        ),
    ),
)
