"""The reader's goals: read a book or a chapter, put it on the shelf, change how pages look."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from simulated_phone.goals.app_definition import Arguments, States, Strategy
from simulated_phone.goals.steps import Hold, Step
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, goal
from . import data
from .data import LABEL, PACKAGE, SEARCH, chapters_of, make_state

_ = messages(__name__)

READER = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


def _book_arguments(title: str) -> dict[str, str]:
    return {"book": title, "author": data.BOOKS[title].author, "kind": data.BOOKS[title].kind}


NEW_BOOKS = READER.lacking("shelf", "book", [_book_arguments(title) for title in data.BOOKS])


def _list_own_book_cases(seed: int) -> list[Arguments]:
    state = READER.fresh(seed)
    return [{**_book_arguments(title), "chapter": state["progress"][title]} for title in state["shelf"]]


def _list_chapter_cases(seed: int) -> list[Arguments]:
    state = READER.fresh(seed)
    return [
        {**_book_arguments(title), "chapter": number, "chapter_name": data.chapter_name(number)}
        for title in state["shelf"]
        for number in range(1, chapters_of(title, seed) + 1)
        if number != state["progress"][title]
    ]


def _list_look_cases(key: str, values: Iterable[str]) -> Callable[[int], list[Arguments]]:
    """Cases of another text size or background, in each book of the shelf."""

    def cases(seed: int) -> list[Arguments]:
        state = READER.fresh(seed)
        return [
            {key: value, "book": book} for book in state["shelf"] for value in values if value != state[key]
        ]

    return cases


def _is_read(states: States, arguments: Arguments) -> bool:
    return bool(states[PACKAGE]["reading"]["book"] == arguments["book"])


def _is_at(states: States, arguments: Arguments) -> bool:
    return _is_read(states, arguments) and states[PACKAGE]["reading"]["chapter"] == arguments["chapter"]


def _shop_strategy(*then: Step | str, name: str = "browse") -> Strategy:
    return READER.way(name, _("书城"), "{kind}", *then)


def _shelf_strategy(*then: str) -> Strategy:
    return READER.way("shelf", "{book}", *then)


GOALS = (
    goal(
        "continue_reading",
        _("接着看{book}"),
        _("继续读{book}"),
        _("打开{book}，从上次的地方看"),
        _("我要看{book}，看到{chapter}章了"),
        _shelf_strategy(),
        READER.search("{book}", _("继续阅读")),
        READER.voice(_("继续看{book}")),
        cases=_list_own_book_cases,
        rule=_is_at,
    ),
    goal(
        "read_book",
        _("看{book}"),
        _("找{author}的{book}看看"),
        _("我想读{book}这本书"),
        _("打开{book}，从头看"),
        READER.search("{book}", _("开始阅读")),
        _shop_strategy("{book}", _("开始阅读")),
        READER.way("ranking", _("书城"), _("热门榜"), "{book}", _("开始阅读")),
        READER.voice(_("阅读{book}")),
        cases=NEW_BOOKS,
        rule=_is_read,
    ),
    goal(
        "read_chapter",
        _("看{book}的第{chapter}章"),
        _("{book}翻到第{chapter}章"),
        _("打开{book}第{chapter}章"),
        _("从第{chapter}章开始看{book}"),
        _shelf_strategy(_("目录"), "{chapter_name}"),
        READER.search("{book}", _("查看目录"), "{chapter_name}"),
        READER.voice(_("看{book}第{chapter}章")),
        cases=_list_chapter_cases,
        rule=_is_at,
    ),
    goal(
        "put_on_shelf",
        _("把{book}加入书架"),
        _("{book}放到书架上，回头看"),
        _("收藏{author}的{book}"),
        _("书架里加一本{book}"),
        READER.search("{book}", _("加入书架")),
        _shop_strategy("{book}", _("加入书架")),
        _shop_strategy(Hold("{book}"), _("放入书架"), name="held"),
        READER.voice(_("把{book}加入书架")),
        **READER.added("shelf", "book", NEW_BOOKS),
    ),
    goal(
        "take_off_shelf",
        _("把{book}从书架上删掉"),
        _("{book}不看了，移出书架"),
        _("书架删除{book}"),
        _("不要{book}了"),
        READER.way("held", Hold("{book}"), _("移出书架")),
        READER.search("{book}", _("移出书架")),
        READER.voice(_("把{book}移出书架")),
        **READER.removed("shelf", "book", _list_own_book_cases),
    ),
    goal(
        "set_text_size",
        _("看书的字体调成{size}"),
        _("看{book}字号改成{size}"),
        _("阅读字体换成{size}号"),
        _("读{book}的时候字用{size}的"),
        _shelf_strategy(_("字体与背景"), "{size}"),
        READER.way("settings", _("我的"), _("阅读设置"), "{size}"),
        READER.shortcut(_("阅读设置"), "{size}"),
        READER.voice(_("字体{size}")),
        **READER.chosen("size", "size", _list_look_cases("size", data.SIZES)),
    ),
    goal(
        "set_ground",
        _("看书背景换成{ground}"),
        _("看{book}时背景调成{ground}"),
        _("阅读背景改{ground}"),
        _("读{book}用{ground}的底色"),
        _shelf_strategy(_("字体与背景"), "{ground}"),
        READER.way("settings", _("我的"), _("阅读设置"), "{ground}"),
        READER.voice(_("背景换成{ground}")),
        **READER.chosen("ground", "ground", _list_look_cases("ground", data.BACKGROUNDS)),
    ),
    goal(
        "ask_chapters",
        _("{book}一共多少章"),
        _("{book}这本书有几章"),
        _("查一下{author}的{book}总共多少章"),
        _("看看{book}全书有多少章"),
        READER.search("{book}"),
        _shop_strategy("{book}"),
        READER.way("ranking", _("书城"), _("热门榜"), "{book}"),
        cases=NEW_BOOKS,
        question=asks("number", lambda view: chapters_of(view.arguments["book"], view.seed), _("章", "unit")),
    ),
)
