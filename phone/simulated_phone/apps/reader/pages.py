"""The reader: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from simulated_phone.goals.app_definition import App, PageView, Shortcut, generator
from simulated_phone.language.language import counted_messages, messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.feed import Feed
from simulated_phone.screens.layouts.layout import Card, ColumnLayout, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Chips, Cover, Heading, ListRow
from simulated_phone.screens.layouts.widgets import Button, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import CHIP, GREY, PAPER

from ... import voice
from ...builders import dialogs, tables, tabs
from ...builders.account import build_account_page
from ...builders.likes import put, take
from ...builders.list_parts import empty
from ...builders.search import OPEN_SEARCH, search_page, small_pill
from ...builders.taps import change, go, instead
from . import data
from .data import BACKGROUNDS, BOOKS, SIZES, Book, chapter_name, chapter_title
from .goals import GOALS

_ = messages(__name__)
_n = counted_messages(__name__)

ACCENT, RANKING = "#b5651d", _("热门榜")
FEED_ROWS = 10
"""Number of books that the shop draws at a time."""
TABS = tabs.bottom_tabs(
    ("home", _("书架"), "book"), ("shop", _("书城"), "shop"), ("mine", _("我的"), "person")
)
PILL = small_pill(data.SEARCH, CHIP)


def _build_row(seed: int, book: Book, rank: int = 0) -> ListRow:
    words = _("{author} · {kind} · {chapters}章").format(
        author=book.author, kind=book.kind, chapters=data.chapters_of(book.title, seed)
    )
    tap, hold = go("book", book=book.title), go("menu", book=book.title)
    cover = Cover(book.title, room=72, radius=4, subject="poster")
    trailing = _("第{rank}名").format(rank=rank) if rank else None
    return ListRow(book.title, words, leading=cover, lead=54, trailing=trailing, tap=tap, hold=hold)


def _rows(seed: int, titles: Iterable[str], *, ranked: bool = False) -> list[Widget]:
    return [_build_row(seed, BOOKS[title], rank if ranked else 0) for rank, title in enumerate(titles, 1)]


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    cards = [_list_shelf(view, title) for title in view.state["shelf"]]
    body = (
        [GridLayout(cards, 3, gap=10, pad=14)] if cards else empty(_("书架是空的，去书城看看吧"), space=120)
    )
    header = [Space(4), PILL, Heading(_("我的书架"))]
    return AppPage(header=header, body=body, tabs=TABS("home"), background=PAPER)


def _list_shelf(view: PageView, title: str) -> Card:
    number = view.state["progress"].get(title)
    words = Text(
        _("读到{chapter_name}").format(chapter_name=chapter_name(number)) if number else _("未读"),
        size=12,
        color=GREY,
    )
    parts = [Cover(title, room=136, radius=6, subject="poster"), Text(title, size=14, bold=True), words]
    return Card(
        parts, pad=4, gap=3, radius=8, tap=action_ref("read", book=title), hold=go("menu", book=title)
    )


def _build_shop_page(view: PageView) -> AppPage:
    kind = view.arguments.get("kind", data.KINDS[0])
    kinds = tabs.top_tabs((*data.KINDS, RANKING), kind, lambda name: change(kind=name))
    ranked = kind == RANKING
    titles = view.state["ranking"] if ranked else [one.title for one in BOOKS.values() if one.kind == kind]
    body = _rows(view.seed, titles, ranked=ranked)
    if not ranked:
        body += [Heading(_("猜你喜欢")), Feed(_list_more_books, view.seed)]
    return AppPage(header=[Space(4), PILL, kinds], body=body, tabs=TABS("shop"), background=PAPER)


def _list_more_books(seed: int, block: int) -> Sequence[Widget]:
    titles = generator(f"{data.PACKAGE} feed {block}", seed).sample(sorted(BOOKS), FEED_ROWS)
    return _rows(seed, titles)


def _build_mine_page(view: PageView) -> AppPage:
    settings = (_("阅读设置"), "gear", _("字号{size}›").format(size=view.state["size"]), go("settings"))
    count = len(view.state["shelf"])
    shelf = (
        _("我的书架"),
        "book",
        _n("{count}本›", count).format(count=count),
        action_ref("tab", page="home"),
    )
    return build_account_page(settings, shelf, color=ACCENT, tabs=TABS("mine"))


def _find(view: PageView, word: str) -> Sequence[Widget]:
    titles = (title for title, book in BOOKS.items() if word in title or word in book.author)
    return _rows(view.seed, titles)


def _build_book_page(view: PageView) -> AppPage:
    book = BOOKS[view.arguments["book"]]
    chapters = data.chapters_of(book.title, view.seed)
    names = [
        Text(book.title, size=22, bold=True),
        Text(_("{author} 著").format(author=book.author), color=GREY),
        Text(_("{kind} · 共{chapters}章").format(kind=book.kind, chapters=chapters), color=GREY),
    ]
    words = Text("".join(data.list_paragraphs(book.title, 0)[:2]), color=GREY, lines=6)
    contents = ListRow(_("查看目录"), trailing=_("共{chapters}章›").format(chapters=chapters), pad=0)
    same = [other.title for other in BOOKS.values() if other.author == book.author and other is not book]
    more: list[Widget] = (
        [Heading(_("{author}的其他作品").format(author=book.author), pad=0), *_rows(view.seed, same)]
        if same
        else []
    )
    label, handler = (_("移出书架"), "take") if book.title in view.state["shelf"] else (_("加入书架"), "put")
    shelf = Button(label, action_ref(handler, book=book.title), style="tonal")
    begun = _("继续阅读") if book.title in view.state["progress"] else _("开始阅读")
    body: list[Widget] = [
        Space(6),
        RowLayout(
            [Cover(book.title, room=150, radius=6, subject="poster"), ColumnLayout(names, gap=4)],
            [110, None],
            gap=16,
        ),
        Card([Text(_("简介"), bold=True), words]),
        Card([contents], pad=4, tap=go("chapters", book=book.title)),
        *more,
    ]
    footer = RowLayout([shelf, Button(begun, action_ref("read", book=book.title))])
    return AppPage(title="", body=body, pad=16, gap=10, footer=[footer])


def _build_chapters_page(view: PageView) -> AppPage:
    book, close = BOOKS[view.arguments["book"]], view.arguments.get("close", 0)
    now = view.state["progress"].get(book.title)
    rows: list[Widget] = []
    for number in range(1, data.chapters_of(book.title, view.seed) + 1):
        mark = _("读到这里") if number == now else None
        tap = action_ref("read", book=book.title, chapter=number, close=close)
        rows.append(ListRow(chapter_name(number), chapter_title(book.title, number), trailing=mark, tap=tap))
    return AppPage(title=_("{title}目录").format(title=book.title), body=rows, background=PAPER)


def _build_reading_page(view: PageView) -> AppPage:
    book, number = BOOKS[view.arguments["book"]], view.arguments["chapter"]
    paper, ink = BACKGROUNDS[view.state["ground"]]
    size = SIZES[view.state["size"]]
    title = f"{chapter_name(number)} {chapter_title(book.title, number)}"
    body: list[Widget] = [Text(title, size=size + 5, bold=True, color=ink)]
    for words in data.list_paragraphs(book.title, number):
        body += [
            Text(_("　　{words}").format(words=words), size=size, color=ink, lines=40),
            Space(size * 0.7),
        ]
    sides = (
        ("right", _("上一章"), max(1, number - 1)),
        ("left", _("下一章"), min(data.chapters_of(book.title, view.seed), number + 1)),
    )
    turns = {side: action_ref("turn", chapter=to) for side, _unused, to in sides}
    keys = [Button(name, turns[side], style="tonal", enabled=to != number) for side, name, to in sides]
    contents = go("chapters", book=book.title, close=2)
    footer = [
        Button(_("目录"), contents, style="plain", glyph="list"),
        Button(_("字体与背景"), go("look"), style="plain", glyph="display"),
    ]
    return AppPage(
        title=book.title,
        body=[*body, RowLayout(keys)],
        footer=[RowLayout(footer)],
        pad=20,
        gap=4,
        background=paper,
        dark=view.state["ground"] == _("夜间"),
        swipes={side: turns[side] for side, _unused, to in sides if to != number},
    )


def _look_choices(view: PageView) -> list[Widget]:
    parts: list[Widget] = []
    for key, title, names in (("size", _("字体大小"), SIZES), ("ground", _("背景颜色"), BACKGROUNDS)):
        chips = [(name, action_ref("look", key=key, value=name), name == view.state[key]) for name in names]
        parts += [Heading(title), Chips(chips)]
    return parts


def _build_look_sheet(view: PageView) -> Sheet:
    return Sheet(title=_("字体与背景"), body=_look_choices(view))


def _build_settings_page(view: PageView) -> AppPage:
    paper, ink = BACKGROUNDS[view.state["ground"]]
    words = Text(
        data.list_paragraphs(_("北岸灯火"), 1)[0], size=SIZES[view.state["size"]], color=ink, lines=8
    )
    sample = Card([Text(_("预览"), size=13, color=ink), words], color=paper, margin=14)
    return AppPage(title=_("阅读设置"), body=[*_look_choices(view), Space(12), sample])


def _build_menu_sheet(view: PageView) -> Sheet:
    title = view.arguments["book"]
    shelf = (_("放入书架"), "add", action_ref("put", book=title, close=1))
    if title in view.state["shelf"]:
        shelf = (_("移出书架"), "delete", action_ref("take", book=title, close=1))
    read = (_("立即阅读"), "play", action_ref("read", book=title, close=1))
    return dialogs.menu(title, read, shelf, (_("书籍详情"), "book", instead("book", book=title)))


# ---- handlers of taps


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


def _turn(context: HandlerContext, chapter: int) -> None:
    """Go to the previous or the next chapter."""
    book = context.arguments["book"]
    _set_chapter(context, book, chapter)
    context.fact("chapter_turned", book=book, chapter=chapter)
    context.replace("reading", book=book, chapter=chapter)


def _put(context: HandlerContext, book: str, close: int = 0) -> None:
    context.back(close)
    put(context, "shelf", "book_kept", first=True, book=book)
    context.toast(_("《{book}》已加入书架").format(book=book))


def _take(context: HandlerContext, book: str, close: int = 0) -> None:
    context.back(close)
    take(context, "shelf", "book_removed", book=book)
    context.toast(_("《{book}》已移出书架").format(book=book))


def _look(context: HandlerContext, key: str, value: str) -> None:
    """Set the text size or the background."""
    context.state[key] = value
    context.fact("look_changed", key=key, value=value)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: set the look, read a book (at a chapter), put it on the shelf or take it off."""
    book = next((title for title in BOOKS if title in phrase), None)
    rest = phrase.replace(book, "") if book else phrase
    if voice.says(rest, _("书架", "said")) and book:
        (_take if re.search(_("移|删"), rest) else _put)(context, book)
    elif book:
        number = re.search(_(r"(\d+)[章回]"), voice.write_digits(rest))
        last = data.chapters_of(book, context.seed)
        _read(context, book, min(last, max(1, int(number[1]))) if number else None)
    elif voice.says(rest, _("继续", "said")) and context.state["shelf"]:
        _read(context, context.state["shelf"][0])
    else:
        return _set_look_by_name(context, rest)
    return True


def _set_look_by_name(context: HandlerContext, phrase: str) -> bool:
    """Set the text size or background that a phrase names; return whether it names one."""
    key, names = ("size", SIZES) if voice.says(phrase, _("字", "said")) else ("ground", BACKGROUNDS)
    matches = [name for name in names if name in phrase]
    if not matches or not re.search(_("字|背景|底色|模式"), phrase):
        return False
    value = max(matches, key=len)
    _look(context, key, value)
    context.toast(_("已设为{value}").format(value=value))
    return True


READER = App(
    package=data.PACKAGE,
    label=data.LABEL,
    english="Reader",
    glyph="book",
    color=ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        "search": search_page(
            data.SEARCH,
            _find,
            empty(_("没有找到这本书"), space=100),
            lambda view: [Heading(_("大家都在读")), *_rows(view.seed, view.state["ranking"][:6])],
        ),
        "voice": voice.page(_("继续阅读"), _("字体特大"), _("背景换成夜间")),
    },
    handlers={
        **tables.handlers(_read, _turn, _put, _take, _look),
        "tab": tabs.tab_over("home"),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("搜索图书"), glyph="search", tap=OPEN_SEARCH),
        Shortcut(text=_("阅读设置"), glyph="gear", tap=go("settings")),
    ),
    goals=GOALS,
    position=9,
    hours=(8, 13, 22),
    seen=("progress", "reading"),
)
