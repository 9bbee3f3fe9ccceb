"""The notes app's pages and the handlers of their taps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from simulated_phone import voice
from simulated_phone.app_definition import Handler, PageFunction, PageView, State, choose
from simulated_phone.apps.notes.data import ADD_ITEM, FOLDERS, SEARCH, WRITE
from simulated_phone.handler_context import HandlerContext
from simulated_phone.screens.layout import Card, RowLayout
from simulated_phone.screens.lists import Chips, ListRow, SearchBar
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import BACK, AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY, INK, PAPER
from simulated_phone.screens.widgets import Button, CheckMark, Field, Icon, Space, Text, Widget

ACCENT = "#b8860b"
EVERYTHING, LISTS = "全部", "清单"


def _note(state: State, number: int) -> dict[str, Any]:
    return next(note for note in state["notes"] if note["id"] == number)


def _ordered(state: State) -> list[dict[str, Any]]:
    """The notes: pinned ones first, then the newest."""
    return sorted(state["notes"], key=lambda note: (not note["pinned"], -note["id"]))


# ---- pages


def _home_page(view: PageView) -> AppPage:
    chosen = view.arguments.get("folder", EVERYTHING)
    names = (EVERYTHING, LISTS, *FOLDERS)
    chips = [(name, action_ref("set", folder=name), name == chosen) for name in names]
    notes = [note for note in _ordered(view.state) if _is_in_folder(note, chosen)]
    rows: list[Widget] = [_note_card(note) for note in notes]
    if not rows:
        rows = [Space(90), Text("没有便签", color=GREY, align="center")]
    icons = [
        Icon("search", SEARCH, action_ref("open_search")),
        Icon("mic", "语音", voice.LISTEN),
        Icon("add", "新建便签", action_ref("write")),
    ]
    return AppPage(
        title="便签", back=False, actions=icons, header=[Chips(chips), Space(6)], body=rows, gap=10
    )


def _is_in_folder(note: dict[str, Any], folder: str) -> bool:
    return folder in (EVERYTHING, note["folder"]) or (folder == LISTS and note["items"] is not None)


def _note_card(note: dict[str, Any]) -> Card:
    words = note["folder"]
    if note["items"] is not None:
        words += f" · 已完成 {sum(item['done'] for item in note['items'])}/{len(note['items'])}"
    glyph = "note" if note["items"] is None else "list"
    row = ListRow(
        note["text"],
        ("置顶 · " if note["pinned"] else "") + words,
        leading=Icon(glyph, size=22, color=PAPER, plate=ACCENT if note["pinned"] else "#c8b27a", room=44),
        lead=40,
        pad=10,
        tap=action_ref("show", note=note["id"]),
        hold=action_ref("go", page="menu", note=note["id"]),
    )
    return Card([row], pad=2, margin=14)


def _search_page(view: PageView) -> AppPage:
    word = view.fields.get("query", "").strip()
    matches = [note for note in _ordered(view.state) if word and word in _full_text(note)]
    rows: list[Widget] = [_note_card(note) for note in matches]
    if not rows:
        rows = [Space(60), Text("没有找到便签" if word else "输入要找的内容", color=GREY, align="center")]
    bar = SearchBar(Field("query", SEARCH, glyph="search", enter="搜索"))
    return AppPage(title="搜索", header=[bar], body=[Space(4), *rows], gap=10)


def _full_text(note: dict[str, Any]) -> str:
    return "\n".join([note["text"], *(item["text"] for item in note["items"] or [])])


def _write_page(view: PageView) -> AppPage:
    number, folder = view.arguments["note"], view.arguments["folder"]
    chips = [(name, action_ref("set", folder=name), name == folder) for name in FOLDERS]
    start = "" if number is None else _note(view.state, number)["text"]
    icons = [] if number is None else [Icon("more", "更多", action_ref("go", page="menu", note=number))]
    return AppPage(
        title="新建便签" if number is None else "编辑便签",
        actions=icons,
        body=[
            Field("text", WRITE, start=start, room=64),
            Space(10),
            Text("文件夹", bold=True),
            Chips(chips, pad=0),
        ],
        pad=16,
        gap=4,
        footer=[Button("保存", action_ref("save"))],
        background=PAPER,
    )


def _list_page(view: PageView) -> AppPage:
    note = _note(view.state, view.arguments["note"])
    number = note["id"]
    rows = [
        ListRow(
            item["text"],
            color=GREY if item["done"] else INK,
            leading=CheckMark(item["done"], round=False),
            lead=28,
            trailing=Icon(
                "close", f"移除{item['text']}", action_ref("drop", note=number, place=place), size=16
            ),
            trail=44,
            pad=6,
            tap=action_ref("tick", note=number, place=place),
        )
        for place, item in enumerate(note["items"])
    ]
    add = action_ref("add_item", note=number)
    field = Field("item", ADD_ITEM, glyph="add", submit=add, enter="添加")
    return AppPage(
        title=note["text"],
        actions=[Icon("more", "更多", action_ref("go", page="menu", note=number))],
        body=[Space(6), Card(rows, pad=8, margin=14, gap=0)] if rows else [Space(40)],
        footer=[RowLayout([field, Button("添加", add)], [None, 84])],
    )


def _menu_sheet(view: PageView) -> Sheet:
    note = _note(view.state, view.arguments["note"])
    pin = ListRow(
        "取消置顶" if note["pinned"] else "置顶",
        leading=Icon("flag", size=20, room=40),
        lead=36,
        tap=action_ref("pin", note=note["id"]),
    )
    ask = action_ref("go", page="ask_delete", note=note["id"])
    bin_ = ListRow("删除", leading=Icon("delete", size=20, room=40), lead=36, tap=ask)
    return Sheet(title=note["text"], body=[pin, bin_])


def _ask_delete_dialog(view: PageView) -> Dialog:
    note = _note(view.state, view.arguments["note"])
    buttons = [
        Button("取消", BACK, style="tonal"),
        Button("确定删除", action_ref("delete", note=note["id"]), style="danger"),
    ]
    return Dialog(title="删除便签", message=f"要删除“{note['text']}”吗？", buttons=buttons)


def home_widget(view: PageView) -> Widget:
    """The first note."""
    notes = _ordered(view.state)
    first = notes[0]["text"] if notes else "还没有便签"
    add = Icon("edit", "记便签", action_ref("write"), size=20, color=PAPER, plate="#5b7db1")
    return RowLayout(
        [Icon("note", size=24, color=PAPER, room=44), Text(first, color=PAPER), add], [30, None, 52]
    )


# ---- handlers of taps


def _write(context: HandlerContext) -> None:
    context.go("write", note=None, folder=FOLDERS[0])
    context.focus("text")


def _open_search(context: HandlerContext) -> None:
    context.go("search")
    context.focus("query")


def _show(context: HandlerContext, note: int) -> None:
    context.unfocus()
    found = _note(context.state, note)
    if found["items"] is None:
        context.go("write", note=note, folder=found["folder"])
    else:
        context.go("list", note=note)


def _save(context: HandlerContext) -> None:
    number = context.arguments["note"]
    start = "" if number is None else _note(context.state, number)["text"]
    text = context.field("text", start).strip()
    if not text:
        context.toast("便签是空的")
        return
    if number is None:
        _save_note(context, text, context.arguments["folder"])
    else:
        _note(context.state, number).update(text=text, folder=context.arguments["folder"])
        context.fact("note_changed", text=text)
    context.back()
    context.toast("已保存")


def _save_note(context: HandlerContext, text: str, folder: str) -> None:
    note = {"id": context.state["next"], "text": text, "items": None, "folder": folder, "pinned": False}
    context.state["notes"].append(note)
    context.state["next"] += 1
    context.fact("note_written", text=text)


def _tick(context: HandlerContext, note: int, place: int) -> None:
    item = _note(context.state, note)["items"][place]
    item["done"] = not item["done"]
    context.fact("item_ticked", item=item["text"], on=item["done"])


def _drop(context: HandlerContext, note: int, place: int) -> None:
    item = _note(context.state, note)["items"].pop(place)
    context.fact("item_dropped", item=item["text"])


def _add_item(context: HandlerContext, note: int) -> None:
    text = context.field("item").strip()
    if not text:
        context.toast("请输入事项")
        return
    context.fill("item", "")
    _append_item(context, note, text)


def _append_item(context: HandlerContext, note: int, text: str) -> None:
    _note(context.state, note)["items"].append({"text": text, "done": False})
    context.fact("item_added", item=text)


def _pin(context: HandlerContext, note: int) -> None:
    context.back()
    found = _note(context.state, note)
    found["pinned"] = not found["pinned"]
    context.fact("note_pinned", text=found["text"], on=found["pinned"])
    context.toast("已置顶" if found["pinned"] else "已取消置顶")


def _delete(context: HandlerContext, note: int) -> None:
    found = _note(context.state, note)
    context.state["notes"].remove(found)
    context.fact("note_deleted", text=found["text"])
    context.root("home")
    context.toast("便签已删除")


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: delete or pin a note, add or tick an item; another phrase with "记" becomes a note."""
    matches = [note for note in context.state["notes"] if note["text"] in phrase]
    note = max(matches, key=lambda note: len(note["text"]), default=None)
    remainder = phrase if note is None else phrase.replace(note["text"], "", 1)
    if note is None or (phrase.startswith(("记", "写")) and note["items"] is None):
        text = re.sub("^(帮我)?(记一下|记个|记上|记|写)[：:，, ]*", "", phrase)
        if text and text != phrase:
            _save_note(context, text, FOLDERS[0])
            context.toast("已记下")
        return text != phrase
    if "删" in remainder:
        _delete(context, note["id"])
    elif "置顶" in remainder:
        note["pinned"] = True
        context.fact("note_pinned", text=note["text"], on=True)
        context.toast("已置顶")
    elif note["items"] is not None and (added := re.search("(?:加上|添加|加个|加)(.+)", remainder)):
        _append_item(context, note["id"], added[1].strip())
        context.toast(f"已加到{note['text']}")
    elif note["items"] is not None and re.search("完成|勾|划掉", remainder):
        name = choose(remainder, [item["text"] for item in note["items"]])
        for item in note["items"]:
            if item["text"] == name:
                item["done"] = True
                context.fact("item_ticked", item=name, on=True)
        context.go("list", note=note["id"])
    else:
        _show(context, note["id"])
    return True


PAGES: Mapping[str, PageFunction] = MappingProxyType(
    {
        "home": _home_page,
        "search": _search_page,
        "write": _write_page,
        "list": _list_page,
        "menu": _menu_sheet,
        "ask_delete": _ask_delete_dialog,
        "voice": voice.page("记一下明天取快递", "购物清单加上牛奶"),
    }
)

HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "write": _write,
        "open_search": _open_search,
        "show": _show,
        "save": _save,
        "tick": _tick,
        "drop": _drop,
        "add_item": _add_item,
        "pin": _pin,
        "delete": _delete,
        **voice.handlers(_understand),
    }
)
