"""The gallery: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import counted_messages, messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Chips, Cover, Heading
from simulated_phone.screens.layouts.widgets import Button, Icon, Space, Text, Widget
from simulated_phone.screens.nodes import ActionRef, action_ref
from simulated_phone.screens.pages import AppPage, Dialog, Sheet
from simulated_phone.screens.theme import PALE, PAPER, WHITE, Exact

from ... import voice
from ...builders import dialogs, likes, list_parts, other_apps, records, search, tables
from ...builders.other_apps import CHAT, CONTACTS, NOTES, give, give_now, share
from ...builders.tabs import bottom_tabs, tab_over
from ...builders.taps import change, go, write
from ...builders.trash import Trash
from ...goals.acquaintances import people
from . import data
from .data import FILTERS, ITEMS, PHOTO, SEARCH, make_photo
from .goals import GOALS

_ = messages(__name__)
_n = counted_messages(__name__)

TABS = bottom_tabs(
    ("home", _("照片"), "image"), ("albums", _("相册集"), "grid"), ("trash", _("最近删除"), "delete")
)
NIGHT = Exact("#101114")
NEW_ALBUM = write("new_album", "name")
TINTS = dict(zip(FILTERS, (None, "#6d6f76", "#8a6a48", "#5fb0a5", "#4d5d7a", "#d98e3f"), strict=True))


def _build_picture(photo: dict[str, Any], room: float, radius: float) -> Cover:
    glyph = "film" if photo["kind"] != PHOTO else data.SCENES.get(photo["name"], "image")
    return _cover(photo, glyph, photo["filter"], room, radius)


def _cover(photo: dict[str, Any], glyph: str, chosen: str, room: float, radius: float) -> Cover:
    tint, subject = TINTS[chosen], "dish" if glyph == "food" else "scene"
    return Cover(
        photo["name"], glyph=glyph, room=room, radius=radius, color=tint, subject=subject, tint=tint or ""
    )


def _build_cell(photo: dict[str, Any], tap: ActionRef | None = None) -> Card:
    name = Text(("♥ " if photo["starred"] else "") + photo["name"], size=12, align="center")
    return Card(
        [_build_picture(photo, 104, 6), name],
        pad=3,
        radius=8,
        tap=tap or ITEMS.open(photo),
        hold=None if tap else ITEMS.menu(photo),
        description=photo["name"],
    )


TRASH = Trash(
    items=ITEMS,
    question=_("恢复照片"),
    empty=_("没有删除的照片"),
    tabs=TABS,
    body=lambda lost: [GridLayout([_build_cell(photo, tap) for photo, tap in lost], 3, gap=4, pad=10)],
)


def _grid(photos: Iterable[dict[str, Any]]) -> GridLayout:
    return GridLayout([_build_cell(photo) for photo in photos], 3, gap=4, pad=10)


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    body: list[Widget] = []
    shown = [photo for photo in reversed(view.state["photos"]) if not photo["hidden"]]
    for (day, place), photos in groupby(shown, key=lambda one: (one["day"], one["place"])):
        body += [Heading(f"{day} · {place}"), _grid(photos)]
    return AppPage(
        title=data.LABEL,
        back=False,
        header=[search.small_pill(SEARCH), Space(2)],
        body=body,
        tabs=TABS("home"),
        background=PAPER,
    )


def _build_albums_page(view: PageView) -> AppPage:
    cells: list[Widget] = []
    for album in view.state["albums"]:
        count = sum(photo["album"] == album for photo in view.state["photos"])
        words = [Text(album, bold=True), Text(_n("{count} 张", count).format(count=count), size=12)]
        cells.append(
            Card([Cover(album, glyph="image", room=110), *words], pad=8, tap=go("album", album=album))
        )
    add = Icon("add", _("新建相册"), NEW_ALBUM)
    grid = GridLayout(cells, 2, gap=8, pad=10)
    return AppPage(title=_("相册集"), back=False, actions=[add], body=[grid], tabs=TABS("albums"))


def _build_album_page(view: PageView) -> AppPage:
    album = view.arguments["album"]
    photos = [photo for photo in view.state["photos"] if photo["album"] == album]
    body = [_grid(photos)] if photos else list_parts.empty(_("相册是空的"), glyph="image")
    return AppPage(title=album, body=body, background=PAPER)


def _build_new_album_dialog(view: PageView) -> Dialog:
    return dialogs.ask_text(_("新建相册"), "name", data.ALBUM_NAME, _("创建"), action_ref("new_album"))


def _find(view: PageView, word: str) -> Sequence[Widget]:
    found = [photo for photo in view.state["photos"] if word in f"{photo['name']}{photo['place']}"]
    return [_grid(found)] if found else []


def _build_photo_page(view: PageView) -> AppPage:
    photo = ITEMS.shown(view)
    heart = likes.heart(photo["starred"], ITEMS.put(photo, "starred", not photo["starred"]), color=WHITE)
    where = Text(f"{photo['day']} · {photo['place']} · {photo['album']}", size=13, color=PALE, align="center")
    body: list[Widget] = [Space(10), where, Space(10), _build_picture(photo, 400, 0)]
    if photo["text"]:
        body += [
            Space(10),
            Text(_("图中文字：{text}").format(text=photo["text"]), size=16, color=WHITE, align="center"),
            Space(8),
        ]
        body.append(Chips([(words, tap, False) for words, tap in _list_buttons(photo)]))
    keys: list[Widget] = [
        Button(_("分享"), share(_("[图片] {name}").format(name=photo["name"])), style="plain", glyph="share"),
        Button(_("编辑"), go("edit", item=photo["id"], filter=photo["filter"]), style="plain", glyph="edit"),
    ]
    more = Icon("more", _("更多"), ITEMS.menu(photo), color=WHITE)
    return AppPage(
        title=photo["name"],
        actions=[heart, more],
        body=body,
        footer=[RowLayout(keys)],
        background=NIGHT,
        dark=True,
    )


def _list_buttons(photo: dict[str, Any]) -> list[tuple[str, ActionRef]]:
    """List what other apps can take from the words on a photo."""
    if photo["who"]:
        return [(_("存为联系人"), give(CONTACTS, name=photo["who"], phone=photo["number"]))]
    return [(_("记到便签"), give(NOTES, text=_("车位 {text}").format(text=photo["text"])))]


def _build_edit_page(view: PageView) -> AppPage:
    photo, chosen = ITEMS.shown(view), view.arguments["filter"]
    shown = _cover(photo, data.SCENES.get(photo["name"], "image"), chosen, 420, 0)
    filters = Chips([(name, change(filter=name), name == chosen) for name in FILTERS])
    save = Button(_("保存"), action_ref("save_filter"))
    return AppPage(
        title=_("编辑照片"),
        body=[Space(20), shown, Space(20), filters],
        footer=[save],
        background=NIGHT,
        dark=True,
    )


def _build_menu_sheet(view: PageView) -> Sheet:
    photo = ITEMS.shown(view)
    edit = action_ref("instead", page="edit", item=photo["id"], filter=photo["filter"])
    return dialogs.menu(
        photo["name"],
        ITEMS.switch(photo, "starred", _("收藏"), _("取消收藏"), "heart"),
        other_apps.share_line(_("[图片] {name}").format(name=photo["name"])),
        (_("编辑"), "edit", edit),
        ITEMS.choose(photo, "album", "folder"),
        ITEMS.switch(photo, "hidden", _("移入私密相册"), _("移出私密相册"), "lock"),
        (_("删除照片"), "delete", ITEMS.delete(photo)),
    )


# ---- handlers of taps


def _receive(context: HandlerContext, name: str, album: str, **more: Any) -> None:  # noqa: ANN401
    """Keep a photo that the camera took."""
    records.save(context.state, "photos", None, make_photo(name, album, **more))
    context.fact("photo_kept", name=name)


def _save_filter(context: HandlerContext) -> None:
    item, chosen = context.arguments["item"], context.arguments["filter"]
    context.back()
    ITEMS.change(context, item, filter=chosen)


def _new_album(context: HandlerContext) -> None:
    name = context.field("name").strip()
    if not name or name in context.state["albums"]:
        context.toast(_("相册已存在") if name else _("请输入名称"))
        return
    context.back()
    likes.put(context, "albums", "album_made", name=name)


def _send(context: HandlerContext, item: int, friend: str) -> None:
    text = _("[图片] {name}").format(name=ITEMS.of(context.state, item)["name"])
    give_now(context, CHAT, contact=friend, text=text)


def _press(context: HandlerContext, item: int) -> None:
    """Do what the button under a photo's words does."""
    photo = ITEMS.of(context.state, item)
    if photo["text"]:
        context.act(data.PACKAGE, _list_buttons(photo)[0][1])
    else:
        context.toast(_("图中没有文字"))


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: make an album, restore a photo, or do something with the photo that it names."""
    if album := re.search(_("新建相册[：:，, ]*(.+)"), phrase):
        likes.put(context, "albums", "album_made", name=album[1])
        return True
    if TRASH.obey(context, phrase):
        return True
    return ITEMS.obey(
        context,
        phrase,
        {
            _("删", "said"): TRASH.drop,
            _("收藏", "said"): {"starred": True},
            _("隐藏|私密", "said"): {"hidden": True},
            _("联系人|便签", "said"): _press,
            _("发给({values})").format(values="|".join(one.name for one in people(context.seed))): _send,
            f"({'|'.join(FILTERS)})": "filter",
            _("移到({values})").format(values="|".join(context.state["albums"])): "album",
        },
    )


GALLERY = App(
    package=data.PACKAGE,
    activity=".GalleryActivity",
    label=data.LABEL,
    english="Gallery",
    glyph="image",
    color=data.ACCENT,
    initial=data.make_state,
    pages={
        **tables.pages_of(__name__),
        **TRASH.pages(),
        **ITEMS.pages(),
        **other_apps.PAGES,
        "search": search.search_page(SEARCH, _find, list_parts.empty(_("没有找到照片")), mic=False),
        "voice": voice.page(_("新建相册旅行"), _("收藏全家福")),
    },
    handlers={
        **ITEMS.handlers(),
        **TRASH.handlers(),
        **tables.handlers(_receive, _save_filter, _new_album),
        **other_apps.HANDLERS,
        **voice.handlers(_understand),
        "tab": tab_over("home"),
    },
    shortcuts=(
        Shortcut(text=_("新建相册"), glyph="add", tap=NEW_ALBUM),
        Shortcut(text=_("最近删除"), glyph="delete", tap=action_ref("tab", page="trash")),
    ),
    goals=GOALS,
    hours=(12, 16, 20, 21),
)
