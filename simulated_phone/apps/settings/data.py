"""The settings app's data: its switches, choices, pages, networks and devices."""

from __future__ import annotations

import random

from simulated_phone.app_definition import State

PACKAGE, LABEL = "com.android.settings", "设置"
SEARCH, DEVICE_NAME = "搜索设置项", "设备名称"

SWITCHES: dict[str, tuple[str, str, str, str]] = {
    "WLAN": ("global", "wifi_on", "wlan", "wifi"),
    "蓝牙": ("global", "bluetooth_on", "bluetooth", "bluetooth"),
    "飞行模式": ("global", "airplane_mode_on", "network", "airplane"),
    "移动数据": ("global", "mobile_data", "network", "data"),
    "个人热点": ("global", "tether_on", "network", "share"),
    "深色模式": ("secure", "ui_night_mode", "display", "moon"),
    "护眼模式": ("secure", "night_display_activated", "display", "eye"),
    "自动旋转": ("system", "accelerometer_rotation", "display", "refresh"),
    "静音": ("global", "zen_mode", "sound", "bell"),
    "位置信息": ("secure", "location_mode", "location", "location"),
    "省电模式": ("global", "low_power", "battery", "battery"),
}
"""Switches by name: the setting's namespace and key, its page in this app, its icon."""
CHOICES: dict[str, tuple[str, str, str, dict[str, str]]] = {
    "亮度": (
        "system",
        "screen_brightness",
        "display",
        {"暗": "30", "较暗": "80", "适中": "128", "较亮": "190", "最亮": "255"},
    ),
    "字体大小": (
        "system",
        "font_scale",
        "display",
        {"小": "0.85", "标准": "1.0", "大": "1.15", "特大": "1.3"},
    ),
    "自动锁屏": (
        "system",
        "screen_off_timeout",
        "display",
        {"30秒": "30000", "1分钟": "60000", "2分钟": "120000", "5分钟": "300000", "10分钟": "600000"},
    ),
    "媒体音量": (
        "system",
        "volume_music",
        "sound",
        {"无": "0", "低": "4", "中": "8", "高": "12", "最大": "15"},
    ),
    "铃声音量": (
        "system",
        "volume_ring",
        "sound",
        {"无": "0", "低": "2", "中": "5", "高": "9", "最大": "15"},
    ),
    "闹钟音量": (
        "system",
        "volume_alarm",
        "sound",
        {"无": "0", "低": "3", "中": "6", "高": "11", "最大": "15"},
    ),
}
"""Settings with several values: namespace, key, page, and value by its wording."""
SECTIONS: dict[str, tuple[str, str, str]] = {
    "wlan": ("WLAN", "wifi", "#2f6fed"),
    "bluetooth": ("蓝牙", "bluetooth", "#2f6fed"),
    "network": ("移动网络", "data", "#1ea672"),
    "display": ("显示与亮度", "brightness", "#e8890c"),
    "sound": ("声音与振动", "sound", "#d6336c"),
    "notices": ("通知管理", "bell", "#8e5bd0"),
    "location": ("位置信息服务", "location", "#17a398"),
    "battery": ("电池", "battery", "#2f9e44"),
    "apps": ("应用管理", "grid", "#3b6fe0"),
    "about": ("关于手机", "phone", "#74777f"),
}
"""Pages that the home page lists: name -> title, icon, colour."""
NETWORKS = (
    "Home-5G", "ChinaNet-Free", "TP-LINK_8F2A", "Office-Guest",
    "Starbucks", "CMCC-WEB", "HUAWEI-A1", "邻居家的网",
)  # fmt: skip
DEVICES = ("蓝牙耳机", "车载蓝牙", "智能手表", "蓝牙音箱", "无线键盘", "体脂秤")
NAMES = ("我的手机", "小明的手机", "工作机", "妈妈的手机", "备用机", "Lucky")


def initial(rng: random.Random) -> State:
    """Draw the networks and devices nearby, and those that the phone knows."""
    near = rng.sample(NETWORKS, 5)
    devices = rng.sample(DEVICES, 4)
    return {"networks": near, "network": near[0], "devices": devices, "paired": devices[:1], "muted": []}
