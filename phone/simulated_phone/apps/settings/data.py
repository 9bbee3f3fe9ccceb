"""The settings app's data: its switches, choices, pages, networks and devices."""

from __future__ import annotations

import random

from simulated_phone.goals.app_definition import State
from simulated_phone.language.language import messages

_ = messages(__name__)

PACKAGE, LABEL = "com.android.settings", _("设置")
SEARCH, DEVICE_NAME = _("搜索设置项"), _("设备名称")

SWITCHES: dict[str, tuple[str, str, str, str]] = {
    "WLAN": ("global", "wifi_on", "wlan", "wifi"),
    _("蓝牙"): ("global", "bluetooth_on", "bluetooth", "bluetooth"),
    _("飞行模式"): ("global", "airplane_mode_on", "network", "airplane"),
    _("移动数据"): ("global", "mobile_data", "network", "data"),
    _("个人热点"): ("global", "tether_on", "network", "share"),
    _("深色模式"): ("secure", "ui_night_mode", "display", "moon"),
    _("护眼模式"): ("secure", "night_display_activated", "display", "eye"),
    _("自动旋转"): ("system", "accelerometer_rotation", "display", "refresh"),
    _("静音"): ("global", "zen_mode", "sound", "bell"),
    _("位置信息"): ("secure", "location_mode", "location", "location"),
    _("省电模式"): ("global", "low_power", "battery", "battery"),
}
"""Switches by name: the setting's namespace and key, its page in this app, its icon."""
CHOICES: dict[str, tuple[str, str, str, dict[str, str]]] = {
    _("亮度"): (
        "system",
        "screen_brightness",
        "display",
        {_("暗"): "30", _("较暗"): "80", _("适中"): "128", _("较亮"): "190", _("最亮"): "255"},
    ),
    _("字体大小"): (
        "system",
        "font_scale",
        "display",
        {_("小"): "0.85", _("标准"): "1.0", _("大"): "1.15", _("特大"): "1.3"},
    ),
    _("自动锁屏"): (
        "system",
        "screen_off_timeout",
        "display",
        {
            _("30秒"): "30000",
            _("1分钟"): "60000",
            _("2分钟"): "120000",
            _("5分钟"): "300000",
            _("10分钟"): "600000",
        },
    ),
    _("媒体音量"): (
        "system",
        "volume_music",
        "sound",
        {_("无"): "0", _("低"): "4", _("中"): "8", _("高"): "12", _("最大"): "15"},
    ),
    _("铃声音量"): (
        "system",
        "volume_ring",
        "sound",
        {_("无"): "0", _("低"): "2", _("中"): "5", _("高"): "9", _("最大"): "15"},
    ),
    _("闹钟音量"): (
        "system",
        "volume_alarm",
        "sound",
        {_("无"): "0", _("低"): "3", _("中"): "6", _("高"): "11", _("最大"): "15"},
    ),
}
"""Settings with several values: namespace, key, page, and value by its wording."""
SECTIONS: dict[str, tuple[str, str, str]] = {
    "wlan": ("WLAN", "wifi", "#2f6fed"),
    "bluetooth": (_("蓝牙"), "bluetooth", "#2f6fed"),
    "network": (_("移动网络"), "data", "#1ea672"),
    "display": (_("显示与亮度"), "brightness", "#e8890c"),
    "sound": (_("声音与振动"), "sound", "#d6336c"),
    "notices": (_("通知管理"), "bell", "#8e5bd0"),
    "location": (_("位置信息服务"), "location", "#17a398"),
    "battery": (_("电池"), "battery", "#2f9e44"),
    "apps": (_("应用管理"), "grid", "#3b6fe0"),
    "about": (_("关于手机"), "phone", "#74777f"),
}
"""Pages that the home page lists: name -> title, icon, colour."""
NETWORKS = (
    "Home-5G", "ChinaNet-Free", "TP-LINK_8F2A", "Office-Guest",
    "Starbucks", "CMCC-WEB", "HUAWEI-A1", _("邻居家的网"),
)  # fmt: skip
DEVICES = (_("蓝牙耳机"), _("车载蓝牙"), _("智能手表"), _("蓝牙音箱"), _("无线键盘"), _("体脂秤"))
NAMES = (_("我的手机"), _("小明的手机"), _("工作机"), _("妈妈的手机"), _("备用机"), "Lucky")


def make_state(rng: random.Random) -> State:
    """Draw the networks and devices nearby, and those that the phone knows."""
    near = rng.sample(NETWORKS, 5)
    devices = rng.sample(DEVICES, 4)
    return {"networks": near, "network": near[0], "devices": devices, "paired": devices[:1], "muted": []}
