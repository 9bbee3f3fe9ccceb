"""The reader's pages and the handlers of their taps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView
from simulated_phone.apps.reader.data import (
    BACKGROUNDS,
    BOOKS,
    KINDS,
    SEARCH,
    SIZES,
    Book,
    chapter_name,
    chapter_title,
    paragraphs,
)
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, ColumnLayout, GridLayout, RowLayout
from simulated_phone.screens.lists import Chips, Cover, Heading, ListRow, SearchBar, Tab, Tabs
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import GREY, PAPER
from simulated_phone.screens.widgets import Button, Field, Icon, Space, Text, Widget

RANKING = "热门榜"


def _tabs(chosen: str) -> list[Tab]:
    tabs = (("home", "书架", "book"), ("shop", "书城", "shop"), ("mine", "我的", "person"))
    return [
        Tab(text=text, glyph=glyph, tap=action_ref("tab", page=page), chosen=page == chosen)
        for page, text, glyph in tabs
    ]


def _search_header() -> RowLayout:
    """Header that looks like a search field and opens the search page."""
    icon = Icon("search", size=18, color=GREY, room=26)
    words = ListRow(SEARCH, leading=icon, lead=20, color=GREY, size=14, pad=6)
    pill = Card([words], color="#e9ebf0", pad=0, radius=22, tap=action_ref("search"), description=SEARCH)
    return RowLayout([pill, Icon("mic", "语音", voice.LISTEN)], [None, 48], pad=12)


def _row(book: Book, rank: int = 0) -> ListRow:
    words = f"{book.author} · {book.kind} · {book.chapters}章"
    tap, hold = action_ref("go", page="book", book=book.title), action_ref("go", page="menu", book=book.title)
    cover = Cover(book.title, room=72, radius=4)
    trailing = f"第{rank}名" if rank else None
    return ListRow(book.title, words, leading=cover, lead=54, trailing=trailing, tap=tap, hold=hold)


def _rows(titles: Iterable[str], *, ranked: bool = False) -> list[Widget]:
    return [_row(BOOKS[title], rank if ranked else 0) for rank, title in enumerate(titles, 1)]


# ---- pages


def _shelf_page(view: PageView) -> AppPage:
    cards: list[Widget] = [_on_shelf(view, title) for title in view.state["shelf"]]
    body: list[Widget] = [GridLayout(cards, 3, gap=10, pad=14)]
    if not cards:
        body = [Space(120), Text("书架是空的，去书城看看吧", color=GREY, align="center")]
    header = [Space(4), _search_header(), Heading("我的书架")]
    return AppPage(header=header, body=body, tabs=_tabs("home"), background=PAPER)


def _on_shelf(view: PageView, title: str) -> Card:
    number = view.state["progress"].get(title)
    parts: list[Widget] = [
        Cover(title, room=136, radius=6),
        Text(title, size=14, bold=True),
        Text(f"读到{chapter_name(number)}" if number else "未读", size=12, color=GREY),
    ]
    tap, hold = action_ref("read", book=title), action_ref("go", page="menu", book=title)
    return Card(parts, pad=4, gap=3, radius=8, tap=tap, hold=hold)


def _shop_page(view: PageView) -> AppPage:
    kind = view.arguments.get("kind", KINDS[0])
    names = (*KINDS, RANKING)
    tabs = [Tab(text=name, tap=action_ref("set", kind=name), chosen=name == kind) for name in names]
    if kind == RANKING:
        body = _rows(view.state["ranking"], ranked=True)
    else:
        body = _rows(title for title, book in BOOKS.items() if book.kind == kind)
    header = [Space(4), _search_header(), Tabs(tabs)]
    return AppPage(header=header, body=body, tabs=_tabs("shop"), background=PAPER)


def _mine_page(view: PageView) -> AppPage:
    rows: list[Widget] = [
        ListRow(words, leading=Icon(glyph, size=22, color="#b5651d", room=40), lead=32, trailing=end, tap=tap)
        for words, glyph, end, tap in (
            ("阅读设置", "gear", f"字号{view.state['size']}›", action_ref("go", page="settings")),
            ("我的书架", "book", f"{len(view.state['shelf'])}本›", action_ref("tab", page="home")),
        )
    ]
    me = RowLayout(
        [Cover("我", glyph="person", room=64, radius=32), Text("我的账号", size=20, bold=True)], [64, None]
    )
    body = [Space(4), me, Space(8), Card(rows, pad=2)]
    return AppPage(title="我的", back=False, body=body, pad=14, tabs=_tabs("mine"))


def _search_page(view: PageView) -> AppPage:
    word = view.fields.get("query", "").strip()
    bar = SearchBar(Field("query", SEARCH, glyph="search", enter="搜索"), voice.LISTEN)
    rows = _rows(title for title, book in BOOKS.items() if word in title or word in book.author)
    body: list[Widget] = rows or [Space(100), Text("没有找到这本书", color=GREY, align="center")]
    if not word:
        body = [Heading("大家都在读"), *_rows(view.state["ranking"][:6])]
    return AppPage(title="搜索", header=[bar], body=body, background=PAPER)


def _book_page(view: PageView) -> AppPage:
    book = BOOKS[view.arguments["book"]]
    owned = book.title in view.state["shelf"]
    begun = book.title in view.state["progress"]
    words = ColumnLayout(
        [
            Text(book.title, size=22, bold=True),
            Text(f"{book.author} 著", color=GREY),
            Text(f"{book.kind} · 共{book.chapters}章", color=GREY),
        ],
        gap=4,
    )
    about = Card([Text("简介", bold=True), Text("".join(paragraphs(book.title, 0)[:2]), color=GREY, lines=6)])
    chapters = Card(
        [ListRow("查看目录", trailing=f"共{book.chapters}章›", pad=0)],
        pad=4,
        tap=action_ref("go", page="chapters", book=book.title),
    )
    same = [other.title for other in BOOKS.values() if other.author == book.author and other is not book]
    more: list[Widget] = [Heading(f"{book.author}的其他作品", pad=0), *_rows(same)] if same else []
    shelf = Button("移出书架", action_ref("take", book=book.title), style="tonal")
    if not owned:
        shelf = Button("加入书架", action_ref("put", book=book.title), style="tonal")
    read = Button("继续阅读" if begun else "开始阅读", action_ref("read", book=book.title))
    head = RowLayout([Cover(book.title, room=150, radius=6), words], [110, None], gap=16)
    body = [Space(6), head, about, chapters, *more]
    return AppPage(title="", body=body, pad=16, gap=10, footer=[RowLayout([shelf, read])])


def _chapters_page(view: PageView) -> AppPage:
    book, close = BOOKS[view.arguments["book"]], view.arguments.get("close", 0)
    now = view.state["progress"].get(book.title)
    rows: list[Widget] = []
    for number in range(1, book.chapters + 1):
        mark = "读到这里" if number == now else None
        tap = action_ref("read", book=book.title, chapter=number, close=close)
        rows.append(ListRow(chapter_name(number), chapter_title(book.title, number), trailing=mark, tap=tap))
    return AppPage(title=f"{book.title}目录", body=rows, background=PAPER)


def _reading_page(view: PageView) -> AppPage:
    book, number = BOOKS[view.arguments["book"]], view.arguments["chapter"]
    paper, ink = BACKGROUNDS[view.state["ground"]]
    size = SIZES[view.state["size"]]
    body: list[Widget] = [
        Text(
            f"{chapter_name(number)} {chapter_title(book.title, number)}", size=size + 5, bold=True, color=ink
        )
    ]
    for words in paragraphs(book.title, number):
        body += [Text(f"　　{words}", size=size, color=ink, lines=40), Space(size * 0.7)]
    last, after = max(1, number - 1), min(book.chapters, number + 1)
    turns = {
        side: action_ref("turn", chapter=to)
        for side, to in (("left", after), ("right", last))
        if to != number
    }
    body.append(
        RowLayout(
            [
                Button("上一章", action_ref("turn", chapter=last), style="tonal", enabled=number > 1),
                Button(
                    "下一章", action_ref("turn", chapter=after), style="tonal", enabled=number < book.chapters
                ),
            ]
        )
    )
    contents = action_ref("go", page="chapters", book=book.title, close=2)
    footer = RowLayout(
        [
            Button("目录", contents, style="plain", glyph="list"),
            Button("字体与背景", action_ref("go", page="look"), style="plain", glyph="display"),
        ]
    )
    dark = view.state["ground"] == "夜间"
    return AppPage(
        title=book.title, body=body, footer=[footer], pad=20, gap=4, background=paper, dark=dark, swipes=turns
    )


def _appearance_choices(view: PageView) -> list[Widget]:
    sizes = [(name, action_ref("look", key="size", value=name), name == view.state["size"]) for name in SIZES]
    grounds = [
        (name, action_ref("look", key="ground", value=name), name == view.state["ground"])
        for name in BACKGROUNDS
    ]
    return [Heading("字体大小"), Chips(sizes), Heading("背景颜色"), Chips(grounds)]


def _appearance_sheet(view: PageView) -> Sheet:
    return Sheet(title="字体与背景", body=_appearance_choices(view))


def _settings_page(view: PageView) -> AppPage:
    paper, ink = BACKGROUNDS[view.state["ground"]]
    words = Text(paragraphs("北岸灯火", 1)[0], size=SIZES[view.state["size"]], color=ink, lines=8)
    sample = Card([Text("预览", size=13, color=ink), words], color=paper, margin=14)
    return AppPage(title="阅读设置", body=[*_appearance_choices(view), Space(12), sample])


def _menu_sheet(view: PageView) -> Sheet:
    title = view.arguments["book"]
    shelf = ("放入书架", "add", action_ref("put", book=title, close=1))
    if title in view.state["shelf"]:
        shelf = ("移出书架", "delete", action_ref("take", book=title, close=1))
    rows: list[Widget] = [
        ListRow(words, leading=Icon(glyph, size=20, room=40), lead=36, tap=tap)
        for words, glyph, tap in (
            ("立即阅读", "play", action_ref("read", book=title, close=1)),
            shelf,
            ("书籍详情", "book", action_ref("details", book=title)),
        )
    ]
    return Sheet(title=title, body=rows)


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "home": _shelf_page,
        "shop": _shop_page,
        "mine": _mine_page,
        "search": _search_page,
        "book": _book_page,
        "chapters": _chapters_page,
        "reading": _reading_page,
        "look": _appearance_sheet,
        "settings": _settings_page,
        "menu": _menu_sheet,
        "voice": voice.page("继续阅读", "字体特大", "背景换成夜间"),
    }
)
"""Page functions by name."""


# ---- handlers of taps


def _tab(context: HandlerContext, page: str) -> None:
    """Open a tab with the shelf below it, so that back returns to it."""
    context.root("home")
    if page != "home":
        context.go(page)


def _search(context: HandlerContext) -> None:
    context.go("search")
    context.focus("query")


def _read(context: HandlerContext, book: str, chapter: int | None = None, close: int = 0) -> None:
    """Open the book at a chapter, or where it was left, after closing the topmost `close` pages."""
    number = chapter or context.state["progress"].get(book, 1)
    _set_chapter(context, book, number)
    context.fact("book_opened", book=book, chapter=number)
    context.back(close)
    context.go("reading", book=book, chapter=number)


def _set_chapter(context: HandlerContext, book: str, number: int) -> None:
    context.state["reading"] = {"book": book, "chapter": number}
    context.state["progress"][book] = number


def _turn_page(context: HandlerContext, chapter: int) -> None:
    """Go to the previous or the next chapter."""
    book = context.arguments["book"]
    _set_chapter(context, book, chapter)
    context.fact("chapter_turned", book=book, chapter=chapter)
    context.replace("reading", book=book, chapter=chapter)


def _put(context: HandlerContext, book: str, close: int = 0) -> None:
    context.back(close)
    if book not in context.state["shelf"]:
        context.state["shelf"].insert(0, book)
        context.fact("book_kept", book=book)
    context.toast(f"《{book}》已加入书架")


def _take(context: HandlerContext, book: str, close: int = 0) -> None:
    context.back(close)
    if book in context.state["shelf"]:
        context.state["shelf"].remove(book)
        context.fact("book_removed", book=book)
    context.toast(f"《{book}》已移出书架")


def _set_appearance(context: HandlerContext, key: str, value: str) -> None:
    """Set the text size or the background."""
    context.state[key] = value
    context.fact("look_changed", key=key, value=value)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: set the appearance, read a book (at a chapter), put it on the shelf or take it off."""
    book = next((title for title in BOOKS if title in phrase), None)
    rest = phrase.replace(book, "") if book else phrase
    if "书架" in rest and book:
        (_take if re.search("移|删", rest) else _put)(context, book)
    elif book:
        number = re.search(r"(\d+)[章回]", voice.with_digits(rest))
        _read(context, book, min(BOOKS[book].chapters, max(1, int(number[1]))) if number else None)
    elif "继续" in rest and context.state["shelf"]:
        _read(context, context.state["shelf"][0])
    else:
        return _set_appearance_by_name(context, rest)
    return True


def _set_appearance_by_name(context: HandlerContext, phrase: str) -> bool:
    """Set the text size or background that a phrase names; return whether it names one."""
    key, names = ("size", SIZES) if "字" in phrase else ("ground", BACKGROUNDS)
    matches = [name for name in names if name in phrase]
    if not matches or not re.search("字|背景|底色|模式", phrase):
        return False
    value = max(matches, key=len)
    _set_appearance(context, key, value)
    context.toast(f"已设为{value}")
    return True


HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "tab": _tab,
        "search": _search,
        "read": _read,
        "turn": _turn_page,
        "put": _put,
        "take": _take,
        "details": lambda context, book: context.replace("book", book=book),
        "look": _set_appearance,
        **voice.handlers(_understand),
    }
)
