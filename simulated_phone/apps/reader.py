"""Reading: a shelf of books, a shop to find more, chapters, and how the pages look."""

from __future__ import annotations

import re

from simulated_phone import voice
from simulated_phone.app_definition import App, Shortcut
from simulated_phone.apps.reader_pages import PAGES
from simulated_phone.apps.reader_world import BOOKS, GOALS, GROUNDS, PACKAGE, SIZES, initial
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.nodes import action_ref


def _tab(context: HandlerContext, page: str) -> None:
    """Open a tab; back leads from it to the shelf."""
    context.root("home")
    if page != "home":
        context.go(page)


def _search(context: HandlerContext) -> None:
    context.go("search")
    context.focus("query")


def _read(context: HandlerContext, book: str, chapter: int | None = None, close: int = 0) -> None:
    """Open the book at a chapter, or where it was left; `close` pages on top go first."""
    number = chapter or context.state["progress"].get(book, 1)
    _reach(context, book, number)
    context.fact("book_opened", book=book, chapter=number)
    context.back(close)
    context.go("reading", book=book, chapter=number)


def _reach(context: HandlerContext, book: str, number: int) -> None:
    context.state["reading"] = {"book": book, "chapter": number}
    context.state["progress"][book] = number


def _context(context: HandlerContext, chapter: int) -> None:
    """The chapter before or after."""
    book = context.arguments["book"]
    _reach(context, book, chapter)
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


def _look(context: HandlerContext, key: str, value: str) -> None:
    """Size of the text or colour of the paper."""
    context.state[key] = value
    context.fact("look_changed", key=key, value=value)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """How pages look; a book to read, at a chapter if named, or to put on the shelf or take off it."""
    book = next((title for title in BOOKS if title in phrase), None)
    rest = phrase.replace(book, "") if book else phrase
    if "书架" in rest and book:
        (_take if re.search("移|删", rest) else _put)(context, book)
    elif book:
        named = re.search(r"(\d+)[章回]", voice.with_digits(rest))
        _read(context, book, min(BOOKS[book].chapters, max(1, int(named[1]))) if named else None)
    elif "继续" in rest and context.state["shelf"]:
        _read(context, context.state["shelf"][0])
    else:
        return _say_look(context, rest)
    return True


def _say_look(context: HandlerContext, phrase: str) -> bool:
    """A size or a colour of the paper by its name."""
    key, names = ("size", SIZES) if "字" in phrase else ("ground", GROUNDS)
    named = [name for name in names if name in phrase]
    if not named or not re.search("字|背景|底色|模式", phrase):
        return False
    value = max(named, key=len)
    _look(context, key, value)
    context.toast(f"已设为{value}")
    return True


READER = App(
    package=PACKAGE,
    activity=".MainActivity",
    label="阅读",
    english="Reader",
    glyph="book",
    color="#b5651d",
    initial=initial,
    home="home",
    pages=PAGES,
    handlers={
        "tab": _tab,
        "search": _search,
        "read": _read,
        "turn": _context,
        "put": _put,
        "take": _take,
        "details": lambda context, book: context.replace("book", book=book),
        "look": _look,
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text="搜索图书", glyph="search", tap=action_ref("search")),
        Shortcut(text="阅读设置", glyph="gear", tap=action_ref("go", page="settings")),
    ),
    goals=GOALS,
)
