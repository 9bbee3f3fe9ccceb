"""The goals of the camera: take photos and videos, set options, send what was taken, scan a document."""

from __future__ import annotations

from simulated_phone.goals.app_definition import States, Strategy
from simulated_phone.goals.steps import Hold, Open, Step
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, goal, list_each
from ...goals.acquaintances import people
from ..files import data as files
from ..files.goals import is_in_chat
from ..gallery import data as gallery
from . import data
from .data import LABEL, PACKAGE, make_state

_ = messages(__name__)

CAMERA = GoalBuilder(PACKAGE, LABEL, make_state)
_FIRST = data.PICTURE.format(1)


def _taken(states: States, **values: object) -> bool:
    """Whether the gallery has something that was taken with these values."""
    return any(values.items() <= photo.items() for photo in states[gallery.PACKAGE]["photos"])


def _option(title: str, key: str, spoken: str, *then: Step | str) -> tuple[Strategy, ...]:
    """Ways to choose a value of an option, and further steps."""
    value = f"{{{key}}}"
    return (
        CAMERA.way("icon", title, value, *then),
        CAMERA.way("settings", _("相机设置"), title, value, *((_("返回"), *then) if then else ())),
        CAMERA.shortcut(_("相机设置"), title, value, *((_("返回"), *then) if then else ())),
        CAMERA.voice(spoken),
    )


def _mode_ways(spoken: str, *then: Step | str) -> tuple[Strategy, ...]:
    return (
        CAMERA.way("modes", _("更多模式"), "{mode}", *then),
        CAMERA.shortcut(_("更多模式"), "{mode}", *then),
        CAMERA.voice(spoken),
    )


_SEND = (_("分享"), _("聊天"), "{friend}")
_ALBUM = (_("移动到相册"), "{album}")

GOALS = (
    goal(
        "take_photo",
        _("用{mode}模式拍一张照片"),
        _("打开{mode}拍张照"),
        _("拍一张{mode}照片"),
        _("相机切到{mode}拍一张"),
        *_mode_ways(_("拍一张{mode}"), _("快门")),
        cases=list_each("mode", tuple(data.PHOTO_MODES)),
        rule=lambda states, arguments: _taken(states, mode=arguments["mode"], lens=data.BACK),
    ),
    goal(
        "take_selfie",
        _("用{mode}模式自拍一张"),
        _("前置{mode}拍张自拍"),
        _("自拍一张{mode}"),
        _("拿前置镜头用{mode}拍一张"),
        CAMERA.way("lens_first", _("切换前后镜头"), _("更多模式"), "{mode}", _("快门")),
        CAMERA.way("mode_first", _("更多模式"), "{mode}", _("切换前后镜头"), _("快门")),
        CAMERA.shortcut(_("自拍"), _("更多模式"), "{mode}", _("快门")),
        CAMERA.voice(_("用前置拍一张{mode}")),
        cases=list_each("mode", tuple(data.PHOTO_MODES)),
        rule=lambda states, arguments: _taken(states, mode=arguments["mode"], lens=data.FRONT),
    ),
    goal(
        "record_video",
        _("拍一段{mode}视频"),
        _("用{mode}录一段"),
        _("相机录个{mode}"),
        _("打开{mode}拍一段"),
        *_mode_ways(_("录一段{mode}"), _("开始录制"), _("停止录制")),
        cases=list_each("mode", tuple(data.VIDEO_MODES)),
        rule=lambda states, arguments: _taken(states, mode=arguments["mode"], kind=gallery.VIDEO),
    ),
    goal(
        "set_flash",
        _("相机闪光灯设为{flash}"),
        _("把拍照的闪光灯改成{flash}"),
        _("闪光灯{flash}"),
        _("拍照时闪光灯调到{flash}"),
        *_option(_("闪光灯"), "flash", _("闪光灯{flash}")),
        **CAMERA.chosen("flash", "flash", data.FLASH),
    ),
    goal(
        "set_timer",
        _("相机定时{timer}拍摄"),
        _("把拍照延时设为{timer}"),
        _("自拍倒计时改成{timer}"),
        _("相机的定时拍摄调到{timer}"),
        *_option(_("定时拍摄"), "timer", _("定时{timer}")),
        **CAMERA.chosen("timer", "timer", data.TIMER),
    ),
    goal(
        "set_ratio",
        _("照片比例改成{ratio}"),
        _("相机画面设为{ratio}"),
        _("拍照用{ratio}的画幅"),
        _("把相机比例调到{ratio}"),
        *_option(_("画面比例"), "ratio", _("比例{ratio}")),
        **CAMERA.chosen("ratio", "ratio", data.RATIO),
    ),
    goal(
        "switch_on",
        _("打开相机的{setting}"),
        _("拍照时开启{setting}"),
        _("相机设置里打开{setting}"),
        _("把相机{setting}开了"),
        CAMERA.way("settings", _("相机设置"), "{setting}"),
        CAMERA.shortcut(_("相机设置"), "{setting}"),
        CAMERA.voice(_("打开{setting}")),
        **CAMERA.added("on", "setting", [{"setting": setting} for setting in data.SWITCHES]),
    ),
    goal(
        "timed_photo",
        _("定时{timer}拍一张照片"),
        _("{timer}倒计时拍张照"),
        _("延时{timer}拍一张"),
        _("相机设{timer}后拍一张"),
        *_option(_("定时拍摄"), "timer", _("{timer}后拍一张"), _("快门")),
        cases=list_each("timer", data.TIMER[1:]),
        rule=lambda states, arguments: _taken(states, timer=arguments["timer"]),
    ),
    goal(
        "send_new_photo",
        _("拍张照片发给{friend}"),
        _("现拍一张照片用聊天发给{friend}"),
        _("给{friend}拍一张现在的照片发过去"),
        _("拍一张，发聊天给{friend}看"),
        CAMERA.way("shot", _("快门"), _("查看照片"), *_SEND),
        CAMERA.way("gallery", _("快门"), Open(gallery.PACKAGE), _FIRST, *_SEND),
        CAMERA.way("held", _("快门"), Open(gallery.PACKAGE), Hold(_FIRST), *_SEND),
        cases=lambda seed: [{"friend": one.name} for one in people(seed)],
        rule=lambda states, arguments: is_in_chat(
            states, arguments["friend"], _("[图片] {first}").format(first=_FIRST)
        ),
    ),
    goal(
        "photo_to_album",
        _("拍一张照片放进{album}相册"),
        _("拍张照存到{album}相册里"),
        _("拍照，保存到{album}"),
        _("新拍一张归到{album}相册"),
        CAMERA.way("shot", _("快门"), _("查看照片"), _("更多"), *_ALBUM),
        CAMERA.way("settings", _("相机设置"), _("保存到"), "{album}", _("返回"), _("快门")),
        CAMERA.way("held", _("快门"), Open(gallery.PACKAGE), Hold(_FIRST), *_ALBUM),
        CAMERA.voice(_("拍一张存到{album}")),
        cases=list_each("album", gallery.ALBUMS[1:]),
        rule=lambda states, arguments: _taken(states, name=_FIRST, album=arguments["album"]),
    ),
    goal(
        "scan_document",
        _("扫描一份文档存到{folder}"),
        _("用相机扫描文档，放进文件的{folder}"),
        _("拍文档扫描件保存到{folder}"),
        _("扫一份文件存进{folder}文件夹"),
        CAMERA.way("quick", data.SCAN, _("快门"), "{folder}"),
        CAMERA.way("modes", _("更多模式"), data.SCAN, _("快门"), "{folder}"),
        CAMERA.shortcut(_("扫描文档"), _("快门"), "{folder}"),
        CAMERA.voice(_("扫描文档到{folder}")),
        cases=list_each("folder", files.FOLDERS),
        rule=lambda states, arguments: any(
            one["name"] == data.DOCUMENT.format(1) and one["folder"] == arguments["folder"]
            for one in states[files.PACKAGE]["files"]
        ),
    ),
)
