"""The clock's goals: set, switch off and delete alarms, add a city, start a timer."""

from __future__ import annotations

from simulated_phone.goals.app_definition import Arguments, States, Strategy
from simulated_phone.goals.steps import Hold, Press, SetWheel, Step, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, goal, list_each
from ...builders.wheels import HOUR, MINUTE
from .data import CITIES, LABEL, MINUTES, PACKAGE, PRESETS, REPEATS, make_state, time_of

_ = messages(__name__)

CLOCK = GoalBuilder(PACKAGE, LABEL, make_state)
PICK_TIME = (SetWheel(HOUR, "{hour}"), SetWheel(MINUTE, "{minute}"))
"""Steps that turn the wheels to the arguments `hour` and `minute`."""


def _list_free_times(seed: int) -> list[Arguments]:
    taken = {time_of(alarm) for alarm in CLOCK.fresh(seed)["alarms"]}
    grid = [{"hour": hour, "minute": minute} for hour in range(5, 24) for minute in range(0, 60, 15)]
    return [{**time, "time": time_of(time)} for time in grid if time_of(time) not in taken]


def _repeated_times(seed: int) -> list[Arguments]:
    return [
        {**time, "repeat": repeat} for time in _list_free_times(seed)[::5] for repeat in list(REPEATS)[1:]
    ]


def _list_alarm_cases(seed: int, *, on: bool) -> list[Arguments]:
    return [{"time": time_of(alarm)} for alarm in CLOCK.fresh(seed)["alarms"] if alarm["on"] or not on]


def has_alarm(states: States, arguments: Arguments) -> bool:
    """Whether an alarm is on at the argument `time`, with the days of `repeat` (once if there is none)."""
    days = REPEATS.get(str(arguments.get("repeat", _("仅一次"))))
    at_time = [alarm for alarm in states[PACKAGE]["alarms"] if time_of(alarm) == arguments["time"]]
    return any(alarm["on"] and alarm["days"] == days for alarm in at_time)


def _is_off(states: States, arguments: Arguments) -> bool:
    return not any(alarm["on"] and time_of(alarm) == arguments["time"] for alarm in states[PACKAGE]["alarms"])


def _is_gone(states: States, arguments: Arguments) -> bool:
    return arguments["time"] not in [time_of(alarm) for alarm in states[PACKAGE]["alarms"]]


def _list_alarm_strategies(spoken: str, *repeat: str) -> tuple[Strategy, ...]:
    pick: tuple[Step | str, ...] = (*PICK_TIME, *repeat, _("保存"))
    fields = (TypeText("{hour}", into=_("小时")), TypeText("{minute}", into=_("分钟")), Press("back"))
    return (
        CLOCK.way("picked", _("添加闹钟"), *pick),
        CLOCK.way("typed", _("添加闹钟"), _("输入时间"), *fields, *repeat, _("保存")),
        CLOCK.voice(spoken),
        CLOCK.shortcut(_("新建闹钟"), *pick),
        CLOCK.widget(_("新建闹钟"), *pick),
    )


NEW_ALARM = _list_alarm_strategies(_("{time}的闹钟"))
"""Ways to an alarm with the arguments `time`, `hour` and `minute`."""

GOALS = (
    goal(
        "set_alarm",
        _("定一个{time}的闹钟"),
        _("{time}叫我"),
        _("设个{time}的闹钟"),
        _("帮我定{time}的闹铃"),
        *NEW_ALARM,
        cases=_list_free_times,
        rule=has_alarm,
    ),
    goal(
        "set_repeating_alarm",
        _("{repeat}{time}的闹钟"),
        _("设一个{repeat}{time}响的闹钟"),
        _("{repeat}{time}提醒我"),
        _("定{repeat}的{time}闹铃"),
        *_list_alarm_strategies(_("{repeat}{time}的闹钟"), "{repeat}"),
        cases=_repeated_times,
        rule=has_alarm,
    ),
    goal(
        "turn_alarm_off",
        _("关掉{time}的闹钟"),
        _("{time}的闹钟不要响了"),
        _("取消{time}的闹铃"),
        _("把{time}的闹钟关了"),
        CLOCK.way("switch", _("闹钟 {time}")),
        CLOCK.way("opened", "{time}", _("关闭闹钟")),
        CLOCK.voice(_("关闭{time}的闹钟")),
        cases=lambda seed: _list_alarm_cases(seed, on=True),
        rule=_is_off,
    ),
    goal(
        "delete_alarm",
        _("删除{time}的闹钟"),
        _("把{time}那个闹钟删了"),
        _("不要{time}的闹钟了"),
        _("删掉{time}的闹铃"),
        CLOCK.way("held", Hold("{time}"), _("删除")),
        CLOCK.way("opened", "{time}", _("删除闹钟"), _("删除")),
        CLOCK.voice(_("删除{time}的闹钟")),
        cases=lambda seed: _list_alarm_cases(seed, on=False),
        rule=_is_gone,
    ),
    goal(
        "start_timer",
        _("倒计时{minutes}分钟"),
        _("{minutes}分钟计时"),
        _("帮我计时{minutes}分钟"),
        _("{minutes}分钟后提醒我"),
        CLOCK.way("preset", _("计时器"), _("{minutes}分钟")),
        CLOCK.way("picked", _("计时器"), SetWheel(MINUTES, "{minutes}"), _("开始")),
        CLOCK.way("typed", _("计时器"), TypeText("{minutes}", into=MINUTES), _("开始")),
        CLOCK.voice(_("{minutes}分钟倒计时")),
        CLOCK.shortcut(_("倒计时"), _("{minutes}分钟")),
        cases=list_each("minutes", PRESETS),
        rule=lambda states, arguments: (
            states[PACKAGE]["timer"]["seconds"] == 60 * int(str(arguments["minutes"]))
        ),
    ),
    goal(
        "add_city",
        _("看看{city}现在几点"),
        _("世界时钟加上{city}"),
        _("添加{city}时间"),
        _("把{city}加到世界时钟"),
        CLOCK.way("browse", _("世界时钟"), _("添加城市"), "{city}"),
        CLOCK.way("search", _("世界时钟"), _("添加城市"), TypeText("{city}", into=_("搜索城市")), "{city}"),
        CLOCK.voice(_("世界时钟加上{city}")),
        **CLOCK.added("cities", "city", [{"city": city} for city in sorted(CITIES)]),
    ),
)
