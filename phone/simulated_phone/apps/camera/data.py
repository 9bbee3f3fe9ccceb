"""The data of the camera: its modes and options, and what is set on a fresh phone."""

from __future__ import annotations

import random

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL, ACCENT = "com.android.camera", _("相机"), "#f5c518"
BACK, FRONT = _("后置"), _("前置")
PHOTO_MODES = {
    _("拍照"): "camera",
    _("人像"): "person",
    _("夜景"): "moon",
    _("美食"): "food",
    _("微距"): "search",
    _("全景"): "map",
}
VIDEO_MODES = {_("录像"): "film", _("慢动作"): "timer", _("延时摄影"): "stopwatch"}
SCAN = _("文档", "mode")
MODES = {**PHOTO_MODES, **VIDEO_MODES, SCAN: "note"}
"""Every mode and its icon."""
QUICK = (_("拍照"), _("人像"), _("录像"), SCAN)
"""Modes at the shutter; the others are on a page of their own."""
FLASH, TIMER, RATIO = (
    (_("自动"), _("常亮"), _("不闪")),
    (_("不延时"), _("3秒"), _("5秒"), _("10秒")),
    ("4:3", "16:9", "1:1"),
)
SWITCHES = (_("网格线"), _("拍照声音"), _("时间水印"), _("镜像自拍"), _("笑脸快门"), _("地理位置"))
PICTURE, VIDEO, DOCUMENT = "IMG_{:04d}", "VID_{:04d}", _("扫描件{}.pdf")
"""Names of what is taken, by its number."""


def make_state(rng: random.Random) -> State:
    """Draw the flash, the ratio and what is switched on."""
    return {
        "flash": rng.choice(FLASH),
        "timer": TIMER[0],
        "ratio": rng.choice(RATIO),
        "album": _("相机"),
        "on": rng.sample(SWITCHES, 2),
        "shots": 0,
    }
