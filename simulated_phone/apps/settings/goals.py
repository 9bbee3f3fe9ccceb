"""The settings app's goals: flip a switch, choose a value, join, pair, rename, mute an app."""

from __future__ import annotations

from simulated_phone.app_definition import Arguments, Goal, State, States, Strategy, generator
from simulated_phone.apps.settings.data import CHOICES, NAMES, PACKAGE, SECTIONS, SWITCHES, initial
from simulated_phone.people.steps import Hold, Open, Press, Step, Tap, TypeText
from simulated_phone.state import fresh_settings, is_on
from simulated_phone.voice import voice_strategy


def _fresh_state(seed: int) -> State:
    return initial(generator(PACKAGE, seed))


def _switch_cases(seed: int) -> list[Arguments]:
    settings = fresh_settings(seed)
    cases: list[Arguments] = []
    for name, (namespace, key, page, _) in SWITCHES.items():
        on = is_on(settings, namespace, key)
        cases.append({"switch": name, "page": SECTIONS[page][0], "state": "关闭" if on else "打开"})
    return cases


def _is_flipped(states: States, arguments: Arguments) -> bool:
    namespace, key, _, _ = SWITCHES[str(arguments["switch"])]
    return is_on(states["android"]["settings"], namespace, key) == (arguments["state"] == "打开")


def _choice_cases(seed: int) -> list[Arguments]:
    settings = fresh_settings(seed)
    return [
        {"what": what, "value": words, "page": SECTIONS[page][0]}
        for what, (namespace, key, page, values) in CHOICES.items()
        for words, value in values.items()
        if settings[namespace][key] != value
    ]


def _is_chosen(states: States, arguments: Arguments) -> bool:
    namespace, key, _, values = CHOICES[str(arguments["what"])]
    return bool(states["android"]["settings"][namespace][key] == values[str(arguments["value"])])


def _app_cases(seed: int) -> list[Arguments]:
    apps = (("时钟", "com.android.deskclock"), ("音乐", "com.netease.cloudmusic"))
    return [{"app": name, "package": package} for name, package in apps]


def _search_steps(word: str, *after: Step) -> tuple[Step, ...]:
    return (Open(PACKAGE), Tap("搜索设置项"), TypeText(word, into="搜索设置项"), Tap(word), *after)


GOALS = (
    Goal(
        name="flip_switch",
        words=("{state}{switch}", "把{switch}{state}", "帮我{state}{switch}", "{switch}给我{state}"),
        cases=_switch_cases,
        rule=_is_flipped,
        strategies=(
            Strategy("browse", (Open(PACKAGE), Tap("{page}"), Tap("{switch}"))),
            Strategy("search", _search_steps("{switch}", Tap("{switch}"))),
            voice_strategy(PACKAGE, "{state}{switch}"),
            Strategy("quick", (Press("quick"), Tap("{switch}"))),
            Strategy("quick_page", (Press("quick"), Hold("{switch}"), Tap("{switch}"))),
        ),
    ),
    Goal(
        name="choose_value",
        words=("把{what}调成{value}", "{what}改为{value}", "{what}设成{value}", "将{what}调到{value}"),
        cases=_choice_cases,
        rule=_is_chosen,
        strategies=(
            Strategy("browse", (Open(PACKAGE), Tap("{page}"), Tap("{what}"), Tap("{value}"))),
            Strategy("search", _search_steps("{what}", Tap("{what}"), Tap("{value}"))),
            voice_strategy(PACKAGE, "{what}调到{value}"),
        ),
    ),
    Goal(
        name="join_network",
        words=("连上{network}的WiFi", "连接无线网{network}", "WLAN换成{network}", "用{network}上网"),
        cases=lambda seed: [{"network": name} for name in _fresh_state(seed)["networks"][1:]],
        rule=lambda states, arguments: states[PACKAGE]["network"] == arguments["network"],
        strategies=(
            Strategy("browse", (Open(PACKAGE), Tap("WLAN"), Tap("{network}"))),
            Strategy("quick", (Press("quick"), Hold("WLAN"), Tap("{network}"))),
            Strategy("shortcut", (Press("home"), Hold("设置"), Tap("WLAN"), Tap("{network}"))),
        ),
    ),
    Goal(
        name="pair_device",
        words=("连接{device}", "配对{device}", "用蓝牙连上{device}", "把{device}连到手机"),
        cases=lambda seed: [{"device": name} for name in _fresh_state(seed)["devices"][1:]],
        rule=lambda states, arguments: arguments["device"] in states[PACKAGE]["paired"],
        strategies=(
            Strategy("browse", (Open(PACKAGE), Tap("蓝牙"), Tap("{device}"))),
            Strategy("quick", (Press("quick"), Hold("蓝牙"), Tap("{device}"))),
        ),
    ),
    Goal(
        name="mute_app",
        words=("关闭{app}的通知", "不让{app}发通知", "把{app}的消息通知关了", "{app}别再推送通知"),
        cases=_app_cases,
        rule=lambda states, arguments: arguments["package"] in states[PACKAGE]["muted"],
        strategies=(
            Strategy("notices", (Open(PACKAGE), Tap("通知管理"), Tap("{app}"))),
            Strategy("apps", (Open(PACKAGE), Tap("应用管理"), Tap("{app}"), Tap("允许通知"))),
            Strategy("icon", (Press("home"), Hold("{app}"), Tap("应用信息"), Tap("允许通知"))),
        ),
    ),
    Goal(
        name="rename_phone",
        words=("把手机名称改成{name}", "设备名称改为{name}", "给手机起名{name}", "手机名字换成{name}"),
        cases=lambda seed: [{"name": name} for name in NAMES],
        rule=lambda states, arguments: (
            states["android"]["settings"]["global"]["device_name"] == arguments["name"]
        ),
        strategies=(
            Strategy(
                "about",
                (
                    Open(PACKAGE),
                    Tap("关于手机"),
                    Tap("设备名称"),
                    TypeText("{name}", into="新的名称"),
                    Tap("保存"),
                ),
            ),
            Strategy(
                "bluetooth",
                (
                    Open(PACKAGE),
                    Tap("蓝牙"),
                    Tap("设备名称"),
                    TypeText("{name}", into="新的名称"),
                    Tap("保存"),
                ),
            ),
        ),
    ),
)
