"""The settings app's goals: flip a switch, choose a value, join, pair, rename, mute an app."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, States
from simulated_phone.goals.steps import Hold, Press, TypeText
from simulated_phone.language.language import messages
from simulated_phone.machine.state import is_on, make_fresh_settings

from ...builders.goals import GoalBuilder, goal, list_each
from . import data
from .data import CHOICES, LABEL, PACKAGE, SEARCH, SWITCHES, make_state

_ = messages(__name__)

SETTINGS = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


def _list_switch_cases(seed: int) -> list[Arguments]:
    settings = make_fresh_settings(seed)
    cases: list[Arguments] = []
    for name, (namespace, key, page, _unused) in SWITCHES.items():
        on = is_on(settings, namespace, key)
        cases.append(
            {
                "switch": name,
                "page": data.SECTIONS[page][0],
                "state": _("关闭", "switch") if on else _("打开", "switch"),
            }
        )
    return cases


def _is_flipped(states: States, arguments: Arguments) -> bool:
    namespace, key, _unused, _unused = SWITCHES[str(arguments["switch"])]
    return is_on(states["android"]["settings"], namespace, key) == (arguments["state"] == _("打开", "switch"))


def _list_choice_cases(seed: int) -> list[Arguments]:
    settings = make_fresh_settings(seed)
    return [
        {"what": what, "value": words, "page": data.SECTIONS[page][0]}
        for what, (namespace, key, page, values) in CHOICES.items()
        for words, value in values.items()
        if settings[namespace][key] != value
    ]


def _is_chosen(states: States, arguments: Arguments) -> bool:
    namespace, key, _unused, values = CHOICES[str(arguments["what"])]
    return bool(states["android"]["settings"][namespace][key] == values[str(arguments["value"])])


def _list_app_cases(seed: int) -> list[Arguments]:
    apps = ((_("时钟"), "com.android.deskclock"), (_("音乐"), "com.netease.cloudmusic"))
    return [{"app": name, "package": package} for name, package in apps]


_RENAME = (data.DEVICE_NAME, TypeText("{name}", into=_("新的名称")), _("保存"))

GOALS = (
    goal(
        "flip_switch",
        _("{state}{switch}"),
        _("把{switch}{state}"),
        _("帮我{state}{switch}"),
        _("{switch}给我{state}"),
        SETTINGS.way("browse", "{page}", "{switch}"),
        SETTINGS.search("{switch}", "{switch}"),
        SETTINGS.voice(_("{state}{switch}")),
        SETTINGS.outside("quick", Press("quick"), "{switch}"),
        SETTINGS.outside("quick_page", Press("quick"), Hold("{switch}"), "{switch}"),
        cases=_list_switch_cases,
        rule=_is_flipped,
    ),
    goal(
        "choose_value",
        _("把{what}调成{value}"),
        _("{what}改为{value}"),
        _("{what}设成{value}"),
        _("将{what}调到{value}"),
        SETTINGS.way("browse", "{page}", "{what}", "{value}"),
        SETTINGS.search("{what}", "{what}", "{value}"),
        SETTINGS.voice(_("{what}调到{value}")),
        cases=_list_choice_cases,
        rule=_is_chosen,
    ),
    goal(
        "join_network",
        _("连上{network}的WiFi"),
        _("连接无线网{network}"),
        _("WLAN换成{network}"),
        _("用{network}上网"),
        SETTINGS.way("browse", "WLAN", "{network}"),
        SETTINGS.outside("quick", Press("quick"), Hold("WLAN"), "{network}"),
        SETTINGS.shortcut("WLAN", "{network}"),
        **SETTINGS.chosen(
            "network",
            "network",
            lambda seed: [{"network": name} for name in SETTINGS.fresh(seed)["networks"][1:]],
        ),
    ),
    goal(
        "pair_device",
        _("连接{device}"),
        _("配对{device}"),
        _("用蓝牙连上{device}"),
        _("把{device}连到手机"),
        SETTINGS.way("browse", _("蓝牙"), "{device}"),
        SETTINGS.outside("quick", Press("quick"), Hold(_("蓝牙")), "{device}"),
        SETTINGS.voice(_("连接{device}")),
        **SETTINGS.added(
            "paired",
            "device",
            lambda seed: [{"device": name} for name in SETTINGS.fresh(seed)["devices"][1:]],
        ),
    ),
    goal(
        "mute_app",
        _("关闭{app}的通知"),
        _("不让{app}发通知"),
        _("把{app}的消息通知关了"),
        _("{app}别再推送通知"),
        SETTINGS.way("notices", _("通知管理"), "{app}"),
        SETTINGS.way("apps", _("应用管理"), "{app}", _("允许通知")),
        SETTINGS.outside("icon", Press("home"), Hold("{app}"), _("应用信息"), _("允许通知")),
        **SETTINGS.added("muted", "package", _list_app_cases),
    ),
    goal(
        "rename_phone",
        _("把手机名称改成{name}"),
        _("设备名称改为{name}"),
        _("给手机起名{name}"),
        _("手机名字换成{name}"),
        SETTINGS.way("about", _("关于手机"), *_RENAME),
        SETTINGS.way("bluetooth", _("蓝牙"), *_RENAME),
        SETTINGS.search(data.DEVICE_NAME, *_RENAME),
        cases=list_each("name", data.NAMES),
        rule=lambda states, arguments: (
            states["android"]["settings"]["global"]["device_name"] == arguments["name"]
        ),
    ),
)
