"""The camera: its pages, the handlers of their taps, and the app."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simulated_phone.goals.app_definition import App, PageView, Shortcut
from simulated_phone.language.language import messages
from simulated_phone.machine.handler_context import HandlerContext
from simulated_phone.screens.layouts.layout import Card, GridLayout, RowLayout
from simulated_phone.screens.layouts.lists import Chips, Cover, ListRow, switch_row
from simulated_phone.screens.layouts.widgets import Icon, Space, Text, Widget
from simulated_phone.screens.nodes import action_ref
from simulated_phone.screens.pages import AppPage, Sheet
from simulated_phone.screens.theme import PALE, WHITE, Exact

from ... import voice
from ...builders import dialogs, likes, list_parts, other_apps, tables
from ...builders.other_apps import FILES, GALLERY, give_now
from ...builders.search import MICROPHONE
from ...builders.taps import change, go
from ..gallery import data as gallery
from . import data
from .data import BACK, FRONT, SCAN
from .goals import GOALS

_ = messages(__name__)

NIGHT, SHUTTER, KNOB = Exact("#0b0c0e"), Exact("#9aa0a8"), Exact("#2c3036")
TILE, SELF_SIDE, REAR_SIDE = Exact("#23272d"), "#57493f", "#3c4650"
FIRST_MODE = data.QUICK[0]
OPTIONS = {
    "flash": (_("闪光灯"), data.FLASH),
    "timer": (_("定时拍摄"), data.TIMER),
    "ratio": (_("画面比例"), data.RATIO),
}
"""Key of the state -> title and values of an option."""


def _list_options(view: PageView, key: str) -> tuple[str, Sequence[str]]:
    if key == "album":
        return _("保存到"), view.states[GALLERY]["albums"] if GALLERY in view.states else (
            view.state["album"],
        )
    return OPTIONS[key]


# ---- pages


def _build_home_page(view: PageView) -> AppPage:
    mode, lens = view.arguments.get("mode", FIRST_MODE), view.arguments.get("lens", BACK)
    recording = bool(view.arguments.get("recording"))
    icons = [
        Icon(glyph, OPTIONS[key][0], go("option", key=key), color=WHITE)
        for key, glyph in (("flash", "flash"), ("timer", "stopwatch"), ("ratio", "display"))
    ]
    settings = Icon("gear", _("相机设置"), go("settings"), color=WHITE)
    top: list[Widget] = [*icons, Icon("mic", MICROPHONE.description, voice.LISTEN, color=WHITE), settings]
    glyph = "person" if lens == FRONT else "image"
    preview = Cover(
        f"{lens}{mode}",
        glyph=glyph,
        room=470,
        radius=0,
        color=REAR_SIDE if lens == BACK else SELF_SIDE,
        subject="scene" if lens == BACK else "face",
    )
    status = _("正在录制 00:03") if recording else f"{lens} · {mode} · {view.state['ratio']}"
    names = [*data.QUICK, *([] if mode in data.QUICK else [mode])]
    chips = [(name, change(mode=name), name == mode) for name in names]
    modes = Chips([*chips, (_("更多模式"), go("modes"), False)], pad=12)
    return AppPage(
        header=[RowLayout(top, pad=12), Text(status, size=13, color=PALE, align="center")],
        body=[preview],
        footer=[modes, Space(8), _build_shutter_row(view, mode, recording=recording), Space(6)],
        background=NIGHT,
        dark=True,
    )


def _build_shutter_row(view: PageView, mode: str, *, recording: bool) -> RowLayout:
    photos = view.states[GALLERY]["photos"] if GALLERY in view.states else []
    last: dict[str, Any] = photos[-1] if photos else {"id": 0, "name": _("相机")}
    look = Card(
        [Cover(last["name"], glyph="image", room=46, subject="scene")],
        pad=0,
        color=NIGHT,
        tap=other_apps.show(GALLERY, "photo", item=last["id"]),
        description=_("查看照片"),
    )
    video = mode in data.VIDEO_MODES
    words = (_("停止录制") if recording else _("开始录制")) if video else _("快门")
    shutter = Icon(
        "radio_on",
        words,
        action_ref("shoot"),
        size=44,
        color=Exact("#e5484d") if video else SHUTTER,
        plate=WHITE,
        room=84,
    )
    turn = Icon("refresh", _("切换前后镜头"), action_ref("turn"), size=26, color=WHITE, plate=KNOB, room=60)
    return RowLayout([look, shutter, turn], [60, None, 60], pad=12)


def _build_modes_page(view: PageView) -> AppPage:
    cells: list[Widget] = [
        Card(
            [Icon(glyph, size=30, color=WHITE, room=56), Text(mode, color=WHITE, align="center")],
            color=TILE,
            tap=action_ref("mode", mode=mode),
        )
        for mode, glyph in data.MODES.items()
    ]
    grid = GridLayout(cells, 3, gap=10, pad=14)
    return AppPage(title=_("更多模式"), body=[Space(8), grid], background=NIGHT, dark=True)


def _build_option_sheet(view: PageView) -> Sheet:
    key = view.arguments["key"]
    return dialogs.choices(
        *_list_options(view, key), view.state[key], lambda value: action_ref("choose", key=key, value=value)
    )


def _build_settings_page(view: PageView) -> AppPage:
    lines = [
        ListRow(_list_options(view, key)[0], trailing=f"{view.state[key]}›", tap=go("option", key=key))
        for key in (*OPTIONS, "album")
    ]
    switches = [
        switch_row(name, on=name in view.state["on"], tap=action_ref("flip", setting=name))
        for name in data.SWITCHES
    ]
    return AppPage(
        title=_("相机设置"), body=[Space(6), list_parts.panel(*lines), list_parts.panel(*switches)], gap=10
    )


def _build_keep_sheet(view: PageView) -> Sheet:
    """The folder that a scan is saved in."""
    folders = view.states[FILES]["folders"] if FILES in view.states else ()
    icon = Icon("folder", size=26, color=data.ACCENT, room=40)
    rows = [
        ListRow(folder, leading=icon, lead=34, tap=action_ref("keep", folder=folder)) for folder in folders
    ]
    return Sheet(title=_("扫描件保存到"), body=rows)


# ---- handlers of taps


def _turn(context: HandlerContext) -> None:
    context.set(lens=FRONT if context.arguments.get("lens", BACK) == BACK else BACK)


def _mode(context: HandlerContext, mode: str) -> None:
    context.back()
    context.act(data.PACKAGE, change(mode=mode))


def _choose(context: HandlerContext, key: str, value: str) -> None:
    context.close("option")
    context.state[key] = value
    context.fact("option_set", key=key, value=value)


def _shoot(context: HandlerContext) -> None:
    mode = context.arguments.get("mode", FIRST_MODE)
    if mode == SCAN:
        context.go("keep")
    elif mode in data.VIDEO_MODES and not context.arguments.get("recording"):
        context.set(recording=True)
    else:
        context.set(recording=False)
        _take(context, mode, context.arguments.get("lens", BACK))


def _take(context: HandlerContext, mode: str, lens: str, **more: str) -> None:
    """Give the gallery a photo or a video."""
    video = mode in data.VIDEO_MODES
    context.state["shots"] += 1
    name = (data.VIDEO if video else data.PICTURE).format(context.state["shots"])
    values = {"album": context.state["album"], "timer": context.state["timer"], **more}
    if give_now(
        context,
        GALLERY,
        name=name,
        kind=gallery.VIDEO if video else gallery.PHOTO,
        mode=mode,
        lens=lens,
        **values,
    ):
        context.toast(_("视频已保存") if video else _("已拍摄"))


def _keep(context: HandlerContext, folder: str) -> None:
    context.close("keep")
    context.state["shots"] += 1
    give_now(context, FILES, name=data.DOCUMENT.format(context.state["shots"]), folder=folder)


def _understand(context: HandlerContext, phrase: str) -> bool:
    """Act on a phrase: take or scan something, choose an option, switch something on."""
    if setting := voice.find_name(phrase, data.SWITCHES):
        (likes.take if voice.says(phrase, _("关", "said")) else likes.put)(
            context, "on", "switched", setting=setting
        )
        return True
    chosen = {key: voice.find_name(phrase, list(values)) for key, (_title, values) in OPTIONS.items()}
    shoots = voice.says(phrase, _("拍", "said")) and not voice.says(phrase, _("定时", "said"))
    mode = voice.find_name(phrase, list(data.MODES)) or FIRST_MODE
    if voice.says(phrase, _("扫描", "said")):
        folders = context.states[FILES]["folders"] if FILES in context.states else ()
        folder = voice.find_last_name(phrase, folders)  # 文档 is a folder, and what is scanned
        if folder:
            _keep(context, folder)
        return folder is not None
    if shoots or mode in data.VIDEO_MODES:
        albums = context.states[GALLERY]["albums"] if GALLERY in context.states else ()
        album = voice.find_name(phrase, albums)
        more: dict[str, Any] = {"album": album} if album else {}
        if chosen["timer"]:
            more["timer"] = chosen["timer"]
        _take(context, mode, FRONT if voice.says(phrase, _("前置|自拍", "said")) else BACK, **more)
        return True
    for key, value in chosen.items():
        if value and (key != "flash" or voice.says(phrase, _("闪光", "said"))):
            _choose(context, key, value)
            return True
    return False


CAMERA = App(
    package=data.PACKAGE,
    activity=".CameraActivity",
    label=data.LABEL,
    english="Camera",
    glyph="camera",
    color="#3d4653",
    initial=data.make_state,
    pages={**tables.pages_of(__name__), "voice": voice.page(_("拍一张人像"), _("闪光灯常亮"))},
    handlers={
        **tables.handlers(_turn, _mode, _choose, _shoot, _keep),
        **other_apps.HANDLERS,
        **voice.handlers(_understand),
        "flip": likes.flipping("on", "setting", "switched", on=""),
    },
    shortcuts=(
        Shortcut(text=_("自拍"), glyph="person", tap=action_ref("turn")),
        Shortcut(text=_("更多模式"), glyph="grid", tap=go("modes")),
        Shortcut(text=_("扫描文档"), glyph="note", tap=change(mode=SCAN)),
        Shortcut(text=_("相机设置"), glyph="gear", tap=go("settings")),
    ),
    goals=GOALS,
    hours=(8, 12, 15, 18),
)
