"""The files app: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut, State
from simulated_phone.language import formats
from simulated_phone.language.language import counted_messages, messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, RowLayout
from simulated_phone.screens.layouts.lists import ListRow, ProgressBar
from simulated_phone.screens.layouts.widgets import Field, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import ASH, BACKGROUND, FIELD, GREY, PAPER, WHITE

from ... import voice
from ...builders import dialogs, likes, list_parts, other_apps, records, search, tables
from ...builders.other_apps import CALENDAR, CHAT, give_now
from ...builders.tabs import bottom_tabs, tab_over
from ...builders.taps import go, write
from ...builders.trash import Trash
from ...goals.acquaintances import people
from . import data
from .data import ITEMS, SEARCH, ending, make_file, size_words, stem
from .goals import GOALS

_ = messages(__name__)
_n = counted_messages(__name__)

TABS = bottom_tabs(
    ("home", _("最近"), "clock"), ("folders", _("文件夹"), "folder"), ("trash", _("最近删除"), "delete")
)
NEW_FOLDER, SORT = write("new_folder", "name"), go("sort")


def _build_icon(name: str, room: float = 44) -> Icon:
    glyph, color = data.GLYPHS.get(ending(name), ("note", ASH))
    return Icon(glyph, size=room * 0.5, color=WHITE, plate=color, square=True, room=room)


def _build_row(file: dict[str, Any], tap: ActionRef | None = None) -> ListRow:
    marks = ("★" if file["starred"] else "") + (_(" 已加密") if file["locked"] else "")
    return ListRow(
        file["name"],
        f"{file['folder']} · {size_words(file['size'])} · {file['day']}",
        leading=_build_icon(file["name"]),
        trailing=marks or None,
        tap=tap or ITEMS.open(file),
        hold=None if tap else ITEMS.menu(file),
    )


TRASH = Trash(
    items=ITEMS,
    question=_("恢复文件"),
    empty=_("没有删除的文件"),
    tabs=TABS,
    body=lambda lost: [_build_row(file, tap) for file, tap in lost],
)


def _sort_files(state: State) -> list[dict[str, Any]]:
    """The files in the chosen order; the latest have the highest numbers."""
    keys = {
        _("按时间"): lambda one: -one["id"],
        _("按名称"): lambda one: one["name"].encode("gbk", "replace"),
        _("按大小"): lambda one: -one["size"],
    }
    return sorted(state["files"], key=keys[state["order"]])


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    sort = Icon("data", _("排序"), SORT)
    card = Card(
        [
            Text(_("内部存储"), bold=True),
            ProgressBar(0.53),
            Text(_("已用 68 GB / 128 GB"), size=13, color=GREY),
        ],
        margin=12,
    )
    return AppPage(
        title=data.LABEL,
        back=False,
        actions=[sort],
        header=[search.small_pill(SEARCH), Space(8)],
        body=[card, Space(6), *map(_build_row, _sort_files(view.state))],
        tabs=TABS("home"),
        background=BACKGROUND,
    )


def _build_sort_sheet(view: PageView) -> Sheet:
    now = view.state["order"]
    return dialogs.choices(_("排序方式"), data.ORDERS, now, lambda order: action_ref("sort", order=order))


def _build_folders_page(view: PageView) -> AppPage:
    rows = []
    for folder in view.state["folders"]:
        count = sum(one["folder"] == folder for one in view.state["files"])
        icon = Icon("folder", size=30, color=data.ACCENT, room=44)
        rows.append(
            ListRow(
                folder,
                _n("{count} 个文件", count).format(count=count),
                leading=icon,
                trailing="›",
                tap=go("folder", folder=folder),
            )
        )
    add = Icon("add", _("新建文件夹"), NEW_FOLDER)
    return AppPage(
        title=_("文件夹"), back=False, actions=[add], body=rows, tabs=TABS("folders"), background=PAPER
    )


def _build_folder_page(view: PageView) -> AppPage:
    folder = view.arguments["folder"]
    rows = [_build_row(one) for one in _sort_files(view.state) if one["folder"] == folder]
    return AppPage(
        title=folder, body=rows or list_parts.empty(_("文件夹是空的"), glyph="folder"), background=PAPER
    )


def _build_new_folder_dialog(view: PageView) -> Dialog:
    return dialogs.ask_text(_("新建文件夹"), "name", data.FOLDER_NAME, _("创建"), action_ref("new_folder"))


def _find(view: PageView, word: str) -> Sequence[Widget]:
    return [_build_row(one) for one in view.state["files"] if word.casefold() in one["name"].casefold()]


def _build_file_page(view: PageView) -> AppPage:
    file = ITEMS.shown(view)
    words = f"{size_words(file['size'])} · {file['folder']} · {file['day']}"
    lines: list[Widget] = [Text(stem(file["name"]), size=20, bold=True, align="center"), Space(10)]
    if file["ends"]:
        ends = date.fromisoformat(file["ends"])
        add = Icon(
            "calendar", _("到期日加到日历"), action_ref("end", item=file["id"]), size=22, color=data.ACCENT
        )
        day = Text(
            _("{event}：{day}").format(event=file["event"], day=formats.day_of_month(_, ends)), size=16
        )
        lines += [RowLayout([day, add], [None, 48]), Space(6)]
    lines += [Card([Space(5)], color=FIELD, pad=2, radius=3) for _unused in range(9)]
    return AppPage(
        title=file["name"],
        actions=[ITEMS.star(file, _("收藏"), _("取消收藏")), ITEMS.more(file)],
        body=[
            _build_icon(file["name"], 84),
            Text(words, size=13, color=GREY, align="center"),
            Card(lines, pad=20, gap=8),
        ],
        gap=12,
        pad=20,
    )


def _build_menu_sheet(view: PageView) -> Sheet:
    file = ITEMS.shown(view)
    return dialogs.menu(
        file["name"],
        ITEMS.switch(file, "starred", _("收藏"), _("取消收藏"), "star"),
        other_apps.share_line(_("[文件] {name}").format(name=file["name"])),
        (_("重命名"), "edit", action_ref("instead", page="rename", item=file["id"])),
        ITEMS.choose(file, "folder", "folder"),
        (_("压缩"), "bag", action_ref("pack", item=file["id"])),
        ITEMS.switch(file, "locked", _("移入保险箱"), _("移出保险箱"), "lock"),
        (_("删除文件"), "delete", ITEMS.delete(file)),
    )


def _build_rename_dialog(view: PageView) -> Dialog:
    rename = action_ref("rename", item=view.arguments["item"])
    field = Field("name", data.NEW_NAME, start=ITEMS.shown(view)["name"], submit=rename)
    clear = Icon("close", _("清空"), action_ref("clear"), size=16, color=GREY)
    return dialogs.ask(_("重命名"), _("确定"), rename, body=[RowLayout([field, clear], [None, 40])])


def _build_share_page(view: PageView) -> AppPage:
    """The folder that something is saved in that another app shares."""
    what = view.arguments["what"]
    icon = Icon("folder", size=30, color=data.ACCENT, room=44)
    rows = [
        ListRow(folder, leading=icon, tap=action_ref("keep", folder=folder, what=what))
        for folder in view.state["folders"]
    ]
    header = [RowLayout([Text(what, color=GREY)], pad=16)]
    return AppPage(title=_("保存到"), header=header, body=rows, background=PAPER)


# ---- handlers of taps


def _receive(context: HandlerContext, name: str, folder: str = data.FOLDERS[0]) -> None:
    """Save a file that another app gives."""
    records.save(context.state, "files", None, make_file(name, folder))
    context.fact("file_saved", name=name)
    context.toast(_("已保存到{folder}").format(folder=folder))


def _keep(context: HandlerContext, folder: str, what: str) -> None:
    kind, _unused, name = what.partition("] ")
    _receive(context, f"{name}.jpg" if kind == _("[图片") else name, folder)
    context.root("home")


_sort = dialogs.choosing("order", "order", "sorted", closes="sort")


def _new_folder(context: HandlerContext) -> None:
    name = context.field("name").strip()
    if not name or name in context.state["folders"]:
        context.toast(_("文件夹已存在") if name else _("请输入名称"))
        return
    context.back()
    likes.put(context, "folders", "folder_made", name=name)


def _clear(context: HandlerContext) -> None:
    context.fill("name", "")
    context.focus("name")


def _rename(context: HandlerContext, item: int) -> None:
    name = context.field("name").strip()
    others = [one["name"] for one in context.state["files"] if one["id"] != item]
    if not name or name in others:
        context.toast(_("已有同名文件") if name else _("请输入名称"))
        return
    context.back()
    ITEMS.change(context, item, name=name)


def _pack(context: HandlerContext, item: int) -> None:
    context.close("menu")
    file = ITEMS.of(context.state, item)
    _receive(context, f"{stem(file['name'])}.zip", file["folder"])


def _end(context: HandlerContext, item: int) -> None:
    file = ITEMS.of(context.state, item)
    give_now(context, CALENDAR, title=file["event"], day=file["ends"], hour=9)


def _send(context: HandlerContext, item: int, friend: str) -> None:
    text = _("[文件] {name}").format(name=ITEMS.of(context.state, item)["name"])
    give_now(context, CHAT, contact=friend, text=text)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: sort, make a folder, restore a file, or do something with the file that it names."""
    if order := voice.find_name(phrase, data.ORDERS):
        _sort(context, order=order)
        return True
    if folder := re.search(_("新建文件夹[：:，, ]*(.+)"), phrase):
        likes.put(context, "folders", "folder_made", name=folder[1])
        return True
    if TRASH.obey(context, phrase):
        return True
    return ITEMS.obey(
        context,
        phrase,
        {
            _("删", "said"): TRASH.drop,
            _("日历|到期"): _end,
            _("收藏|星标"): {"starred": True},
            _("保险箱|加密"): {"locked": True},
            _("压缩"): _pack,
            _("重命名为?(.+)"): "name",
            _("移到({values})").format(values="|".join(context.state["folders"])): "folder",
            _("发给({values})").format(values="|".join(one.name for one in people(context.seed))): _send,
        },
    )


FILES = App(
    package=data.PACKAGE,
    activity=".FilesActivity",
    label=data.LABEL,
    english="Files",
    glyph="folder",
    color=data.ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **TRASH.pages(),
        **ITEMS.pages(),
        **other_apps.PAGES,
        "search": search.search_page(SEARCH, _find, list_parts.empty(_("没有找到文件")), mic=False),
        "voice": voice.page(_("按名称排序"), _("新建文件夹照片")),
    },
    handlers={
        **ITEMS.handlers(),
        **TRASH.handlers(),
        "sort": _sort,
        **tables.handlers(_receive, _keep, _new_folder, _clear, _rename, _pack, _end),
        **other_apps.HANDLERS,
        **voice.handlers(_understand),
        "tab": tab_over("home"),
    },
    shortcuts=(
        Shortcut(text=_("新建文件夹"), glyph="add", tap=NEW_FOLDER),
        Shortcut(text=_("最近删除"), glyph="delete", tap=action_ref("tab", page="trash")),
        Shortcut(text=_("排序方式"), glyph="data", tap=SORT),
    ),
    goals=GOALS,
    hours=(9, 14, 16),
)
