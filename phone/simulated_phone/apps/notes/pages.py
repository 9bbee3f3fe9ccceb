"""Notes: the pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut, State, choose
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import ListRow
from simulated_phone.screens.layouts.widgets import Button, CheckMark, Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import GREY, INK, PAPER, STEEL, WHITE

from ... import voice
from ...builders import dialogs, forms, list_parts, tables
from ...builders.records import record
from ...builders.search import MICROPHONE, OPEN_SEARCH, search_page
from ...builders.taps import go, write
from .data import ADD_ITEM, FOLDERS, LABEL, PACKAGE, SEARCH, WRITE, make_state
from .goals import GOALS

_ = messages(__name__)

ACCENT, UNPINNED = "#b8860b", "#c8b27a"
EVERYTHING, LISTS = _("全部"), _("清单")
NEW_NOTE = write("write", "text", note=None, folder=FOLDERS[0])


def _ordered(state: State) -> list[dict[str, Any]]:
    """The notes: pinned ones first, then the newest."""
    return sorted(state["notes"], key=lambda note: (not note["pinned"], -note["id"]))


def _shown_note(view: PageView) -> dict[str, Any]:
    return record(view.state["notes"], view.arguments["note"])


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    chosen = view.arguments.get("folder", EVERYTHING)
    chips = list_parts.build_picks("folder", (EVERYTHING, LISTS, *FOLDERS), chosen)
    cards = [_build_note_card(note) for note in _ordered(view.state) if _is_in_folder(note, chosen)]
    icons = [Icon("search", SEARCH, OPEN_SEARCH), MICROPHONE, Icon("add", _("新建便签"), NEW_NOTE)]
    body = cards or list_parts.empty(_("没有便签"), space=90)
    return AppPage(title=LABEL, back=False, actions=icons, header=[chips, Space(6)], body=body, gap=10)


def _is_in_folder(note: dict[str, Any], folder: str) -> bool:
    return folder in (EVERYTHING, note["folder"]) or (folder == LISTS and note["items"] is not None)


def _build_note_card(note: dict[str, Any]) -> Card:
    glyph, words = "note", note["folder"]
    if note["items"] is not None:
        glyph = "list"
        words += _(" · 已完成 {sum}/{count}").format(
            sum=sum(item["done"] for item in note["items"]), count=len(note["items"])
        )
    row = ListRow(
        note["text"],
        (_("置顶 · ") if note["pinned"] else "") + words,
        leading=Icon(glyph, size=22, color=WHITE, plate=ACCENT if note["pinned"] else UNPINNED, room=44),
        lead=40,
        pad=10,
        tap=action_ref("show", note=note["id"]),
        hold=go("menu", note=note["id"]),
    )
    return list_parts.panel(row, margin=14)


def _found_notes(view: PageView, word: str) -> list[Widget]:
    return [_build_note_card(note) for note in _ordered(view.state) if word in _full_text(note)]


def _full_text(note: dict[str, Any]) -> str:
    return "\n".join([note["text"], *(item["text"] for item in note["items"] or [])])


def _build_write_page(view: PageView) -> AppPage:
    new = view.arguments["note"] is None
    return AppPage(
        title=_("新建便签") if new else _("编辑便签"),
        actions=[] if new else [_build_more_icon(view)],
        body=[
            Field("text", WRITE, start="" if new else _shown_note(view)["text"], room=64),
            Space(10),
            Text(_("文件夹"), bold=True),
            list_parts.build_picks("folder", FOLDERS, view.arguments["folder"], pad=0),
        ],
        pad=16,
        gap=4,
        footer=[Button(_("保存"), action_ref("save"))],
        background=PAPER,
    )


def _build_more_icon(view: PageView) -> Icon:
    return Icon("more", _("更多"), go("menu", note=view.arguments["note"]))


def _build_list_page(view: PageView) -> AppPage:
    note = _shown_note(view)
    number = note["id"]
    items = [
        ListRow(
            item["text"],
            color=GREY if item["done"] else INK,
            leading=CheckMark(item["done"], round=False),
            lead=28,
            trailing=Icon(
                "close",
                _("移除{text}").format(text=item["text"]),
                action_ref("drop", note=number, place=place),
                size=16,
            ),
            trail=44,
            pad=6,
            tap=action_ref("tick", note=number, place=place),
        )
        for place, item in enumerate(note["items"])
    ]
    add = action_ref("add_item", note=number)
    field = Field("item", ADD_ITEM, glyph="add", submit=add, enter=_("添加"))
    return AppPage(
        title=note["text"],
        actions=[_build_more_icon(view)],
        body=[Space(6), Card(items, pad=8, margin=14, gap=0)] if items else [Space(40)],
        footer=[RowLayout([field, Button(_("添加"), add)], [None, 84])],
    )


def _build_menu_sheet(view: PageView) -> Sheet:
    note = _shown_note(view)
    pin = (_("取消置顶") if note["pinned"] else _("置顶"), "flag", action_ref("pin", note=note["id"]))
    return dialogs.menu(note["text"], pin, (_("删除"), "delete", go("ask_delete", note=note["id"])))


def _build_ask_delete_dialog(view: PageView) -> Dialog:
    note = _shown_note(view)
    delete, message = action_ref("delete", note=note["id"]), _("要删除“{text}”吗？").format(text=note["text"])
    return dialogs.ask(_("删除便签"), _("确定删除"), delete, message=message, style="danger")


def _build_home_widget(view: PageView) -> Widget:
    notes = _ordered(view.state)
    first = Text(notes[0]["text"] if notes else _("还没有便签"), color=WHITE)
    add = Icon("edit", _("记便签"), NEW_NOTE, size=20, color=WHITE, plate=STEEL)
    return RowLayout([Icon("note", size=24, color=WHITE, room=44), first, add], [30, None, 52])


# ---- handlers of taps


def _show(context: HandlerContext, note: int) -> None:
    context.unfocus()
    found = record(context.state["notes"], note)
    if found["items"] is None:
        context.go("write", note=note, folder=found["folder"])
    else:
        context.go("list", note=note)


def _save(context: HandlerContext) -> None:
    number, folder = context.arguments["note"], context.arguments["folder"]
    start = "" if number is None else record(context.state["notes"], number)["text"]
    text = forms.read_typed(context, "text", _("便签是空的"), start=start)
    if not text:
        return
    if number is None:
        _save_note(context, text, folder)
    else:
        record(context.state["notes"], number).update(text=text, folder=folder)
        context.fact("note_changed", text=text)
    context.back()
    context.toast(_("已保存"))


def _save_note(context: HandlerContext, text: str, folder: str) -> None:
    note = {"id": context.state["next"], "text": text, "items": None, "folder": folder, "pinned": False}
    context.state["notes"].append(note)
    context.state["next"] += 1
    context.fact("note_written", text=text)


def _receive(context: HandlerContext, text: str) -> None:
    """Write a note that another app gives."""
    _save_note(context, text, FOLDERS[0])
    context.toast(_("已记下"))


def _tick(context: HandlerContext, note: int, place: int) -> None:
    item = record(context.state["notes"], note)["items"][place]
    item["done"] = not item["done"]
    context.fact("item_ticked", item=item["text"], on=item["done"])


def _drop(context: HandlerContext, note: int, place: int) -> None:
    item = record(context.state["notes"], note)["items"].pop(place)
    context.fact("item_dropped", item=item["text"])


def _add_item(context: HandlerContext, note: int) -> None:
    if text := forms.read_typed(context, "item", _("请输入事项")):
        context.fill("item", "")
        _append_item(context, note, text)


def _append_item(context: HandlerContext, note: int, text: str) -> None:
    record(context.state["notes"], note)["items"].append({"text": text, "done": False})
    context.fact("item_added", item=text)


def _pin(context: HandlerContext, note: int) -> None:
    context.back()
    found = record(context.state["notes"], note)
    _set_pinned(context, found, not found["pinned"])


def _set_pinned(context: HandlerContext, note: dict[str, Any], on: bool) -> None:
    note["pinned"] = on
    context.fact("note_pinned", text=note["text"], on=on)
    context.toast(_("已置顶") if on else _("已取消置顶"))


def _delete(context: HandlerContext, note: int) -> None:
    found = record(context.state["notes"], note)
    context.state["notes"].remove(found)
    context.fact("note_deleted", text=found["text"])
    context.root("home")
    context.toast(_("便签已删除"))


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: delete or pin a note, add or tick an item; another phrase with "记" becomes a note."""
    matches = [note for note in context.state["notes"] if note["text"] in phrase]
    note = max(matches, key=lambda note: len(note["text"]), default=None)
    remainder = phrase if note is None else phrase.replace(note["text"], "", 1)
    if note is None or (voice.says(phrase, _("^(记|写)", "said")) and note["items"] is None):
        text = re.sub(_("^(帮我)?(记一下|记个|记上|记|写)[：:，, ]*"), "", phrase)
        if text and text != phrase:
            _receive(context, text)
        return text != phrase
    if voice.says(remainder, _("删", "said")):
        _delete(context, note["id"])
    elif voice.says(remainder, _("置顶", "said")):
        _set_pinned(context, note, True)
    elif note["items"] is not None and (added := re.search(_("(?:加上|添加|加个|加)(.+)"), remainder)):
        _append_item(context, note["id"], added[1].strip())
        context.toast(_("已加到{text}").format(text=note["text"]))
    elif note["items"] is not None and re.search(_("完成|勾|划掉"), remainder):
        name = choose(remainder, [item["text"] for item in note["items"]])
        for item in note["items"]:
            if item["text"] == name:
                item["done"] = True
                context.fact("item_ticked", item=name, on=True)
        context.go("list", note=note["id"])
    else:
        _show(context, note["id"])
    return True


NOTES = App(
    package=PACKAGE,
    activity=".NotesActivity",
    label=LABEL,
    english="Notes",
    glyph="note",
    color=ACCENT,
    initial=make_state,
    pages={
        **tables.pages_of(__name__),
        "search": search_page(
            SEARCH,
            _found_notes,
            list_parts.empty(_("没有找到便签"), space=60),
            lambda view: list_parts.empty(_("输入要找的内容"), space=60),
            mic=False,
            gap=10,
        ),
        "voice": voice.page(_("记一下明天取快递"), _("购物清单加上牛奶")),
    },
    handlers={
        **tables.handlers(_show, _save, _tick, _drop, _add_item, _pin, _delete, _receive),
        **voice.handlers(_understand),
    },
    shortcuts=(
        Shortcut(text=_("新建便签"), glyph="add", tap=NEW_NOTE),
        Shortcut(text=_("搜索便签"), glyph="search", tap=OPEN_SEARCH),
    ),
    widget=_build_home_widget,
    goals=GOALS,
    position=10,
    hours=(9, 10, 15, 16),
)
