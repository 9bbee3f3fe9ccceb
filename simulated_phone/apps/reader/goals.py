"""The reader's goals: read a book or a chapter, put it on the shelf, change how pages look."""

from __future__ import annotations

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.apps.reader.data import BACKGROUNDS, BOOKS, PACKAGE, SEARCH, SIZES, chapter_name, initial
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.voice import voice_strategy


def _fresh_state(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _book_arguments(title: str) -> dict[str, str]:
    return {"book": title, "author": BOOKS[title].author, "kind": BOOKS[title].kind}


def _new_book_cases(seed: int) -> list[Arguments]:
    return [_book_arguments(title) for title in BOOKS if title not in _fresh_state(seed)["shelf"]]


def _own_book_cases(seed: int) -> list[Arguments]:
    state = _fresh_state(seed)
    return [{**_book_arguments(title), "chapter": state["progress"][title]} for title in state["shelf"]]


def _chapter_cases(seed: int) -> list[Arguments]:
    state = _fresh_state(seed)
    return [
        {**_book_arguments(title), "chapter": number, "chapter_name": chapter_name(number)}
        for title in state["shelf"]
        for number in range(1, BOOKS[title].chapters + 1)
        if number != state["progress"][title]
    ]


def _text_size_cases(seed: int) -> list[Arguments]:
    state = _fresh_state(seed)
    return [
        {"size": size, "book": book} for book in state["shelf"] for size in SIZES if size != state["size"]
    ]


def _background_cases(seed: int) -> list[Arguments]:
    state = _fresh_state(seed)
    return [
        {"ground": ground, "book": book}
        for book in state["shelf"]
        for ground in BACKGROUNDS
        if ground != state["ground"]
    ]


def _is_read(states: States, arguments: Arguments) -> bool:
    return bool(states[PACKAGE]["reading"]["book"] == arguments["book"])


def _is_at(states: States, arguments: Arguments) -> bool:
    return _is_read(states, arguments) and states[PACKAGE]["reading"]["chapter"] == arguments["chapter"]


def _search_strategy(*then: Step) -> Strategy:
    words = (Tap(SEARCH), TypeText("{book}", into=SEARCH), Tap("{book}"))
    return Strategy("search", (Open(PACKAGE), *words, *then))


def _browse_strategy(*then: Step) -> Strategy:
    return Strategy("browse", (Open(PACKAGE), Tap("书城"), Tap("{kind}"), *then))


def _shelf_strategy(*then: Step) -> Strategy:
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
        cases=_own_book_cases,
        rule=_is_at,
        strategies=(
            _shelf_strategy(),
            _search_strategy(Tap("继续阅读")),
            voice_strategy(PACKAGE, "继续看{book}"),
        ),
    ),
    Goal(
        name="read_book",
        words=("看{book}", "找{author}的{book}看看", "我想读{book}这本书", "打开{book}，从头看"),
        cases=_new_book_cases,
        rule=_is_read,
        strategies=(
            _search_strategy(Tap("开始阅读")),
            _browse_strategy(*_READ),
            Strategy("ranking", (Open(PACKAGE), Tap("书城"), Tap("热门榜"), *_READ)),
            voice_strategy(PACKAGE, "阅读{book}"),
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
        cases=_chapter_cases,
        rule=_is_at,
        strategies=(
            _shelf_strategy(Tap("目录"), Tap("{chapter_name}")),
            _search_strategy(Tap("查看目录"), Tap("{chapter_name}")),
            voice_strategy(PACKAGE, "看{book}第{chapter}章"),
        ),
    ),
    Goal(
        name="put_on_shelf",
        words=("把{book}加入书架", "{book}放到书架上，回头看", "收藏{author}的{book}", "书架里加一本{book}"),
        cases=_new_book_cases,
        rule=lambda states, arguments: arguments["book"] in states[PACKAGE]["shelf"],
        strategies=(
            _search_strategy(Tap("加入书架")),
            _browse_strategy(Tap("{book}"), Tap("加入书架")),
            Strategy("held", (*_browse_strategy(Hold("{book}")).script, Tap("放入书架"))),
            voice_strategy(PACKAGE, "把{book}加入书架"),
        ),
    ),
    Goal(
        name="take_off_shelf",
        words=("把{book}从书架上删掉", "{book}不看了，移出书架", "书架删除{book}", "不要{book}了"),
        cases=_own_book_cases,
        rule=lambda states, arguments: arguments["book"] not in states[PACKAGE]["shelf"],
        strategies=(
            Strategy("held", (Open(PACKAGE), Hold("{book}"), Tap("移出书架"))),
            _search_strategy(Tap("移出书架")),
            voice_strategy(PACKAGE, "把{book}移出书架"),
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
        cases=_text_size_cases,
        rule=lambda states, arguments: states[PACKAGE]["size"] == arguments["size"],
        strategies=(
            _shelf_strategy(Tap("字体与背景"), Tap("{size}")),
            Strategy("settings", (*_SETTINGS, Tap("{size}"))),
            Strategy("shortcut", (Press("home"), Hold("阅读"), Tap("阅读设置"), Tap("{size}"))),
            voice_strategy(PACKAGE, "字体{size}"),
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
        cases=_background_cases,
        rule=lambda states, arguments: states[PACKAGE]["ground"] == arguments["ground"],
        strategies=(
            _shelf_strategy(Tap("字体与背景"), Tap("{ground}")),
            Strategy("settings", (*_SETTINGS, Tap("{ground}"))),
            voice_strategy(PACKAGE, "背景换成{ground}"),
        ),
    ),
)
