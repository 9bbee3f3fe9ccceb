"""The clock's goals: set, switch off and delete alarms, add a city, start a timer."""

from __future__ import annotations

from simulated_phone.app_definition import Arguments, Goal, States, Strategy
from simulated_phone.apps.clock.data import CITIES, LABEL, PACKAGE, PRESETS, REPEATS, initial, time_of
from simulated_phone.builders.goals import GoalBuilder, each
from simulated_phone.people.steps import Hold, Press, TypeText

CLOCK = GoalBuilder(PACKAGE, LABEL, initial)


def _free_times(seed: int) -> list[Arguments]:
    taken = {time_of(alarm) for alarm in CLOCK.fresh(seed)["alarms"]}
    grid = [{"hour": hour, "minute": minute} for hour in range(5, 24) for minute in range(0, 60, 15)]
    return [{**time, "time": time_of(time)} for time in grid if time_of(time) not in taken]


def _repeated_times(seed: int) -> list[Arguments]:
    return [{**time, "repeat": repeat} for time in _free_times(seed)[::5] for repeat in list(REPEATS)[1:]]


def _alarm_cases(seed: int, *, on: bool) -> list[Arguments]:
    return [{"time": time_of(alarm)} for alarm in CLOCK.fresh(seed)["alarms"] if alarm["on"] or not on]


def has_alarm(states: States, arguments: Arguments) -> bool:
    """Whether an alarm is on at the argument `time`, with the days of `repeat` (once if there is none)."""
    days = REPEATS.get(str(arguments.get("repeat", "仅一次")))
    at_time = [alarm for alarm in states[PACKAGE]["alarms"] if time_of(alarm) == arguments["time"]]
    return any(alarm["on"] and alarm["days"] == days for alarm in at_time)


def _is_off(states: States, arguments: Arguments) -> bool:
    return not any(alarm["on"] and time_of(alarm) == arguments["time"] for alarm in states[PACKAGE]["alarms"])


def _is_gone(states: States, arguments: Arguments) -> bool:
    return arguments["time"] not in [time_of(alarm) for alarm in states[PACKAGE]["alarms"]]


def _alarm_strategies(spoken: str, *repeat: str) -> tuple[Strategy, ...]:
    pick = ("{hour}时", "{minute:02d}分", *repeat, "保存")
    fields = (TypeText("{hour}", into="小时"), TypeText("{minute}", into="分钟"), Press("back"))
    return (
        CLOCK.way("picked", "添加闹钟", *pick),
        CLOCK.way("typed", "添加闹钟", "输入时间", *fields, *repeat, "保存"),
        CLOCK.voice(spoken),
        CLOCK.shortcut("新建闹钟", *pick),
        CLOCK.widget("新建闹钟", *pick),
    )


NEW_ALARM = _alarm_strategies("{time}的闹钟")
"""Ways to an alarm with the arguments `time`, `hour` and `minute`."""

GOALS = (
    Goal(
        name="set_alarm",
        words=("定一个{time}的闹钟", "{time}叫我", "设个{time}的闹钟", "帮我定{time}的闹铃"),
        cases=_free_times,
        rule=has_alarm,
        strategies=NEW_ALARM,
    ),
    Goal(
        name="set_repeating_alarm",
        words=(
            "{repeat}{time}的闹钟",
            "设一个{repeat}{time}响的闹钟",
            "{repeat}{time}提醒我",
            "定{repeat}的{time}闹铃",
        ),
        cases=_repeated_times,
        rule=has_alarm,
        strategies=_alarm_strategies("{repeat}{time}的闹钟", "{repeat}"),
    ),
    Goal(
        name="turn_alarm_off",
        words=("关掉{time}的闹钟", "{time}的闹钟不要响了", "取消{time}的闹铃", "把{time}的闹钟关了"),
        cases=lambda seed: _alarm_cases(seed, on=True),
        rule=_is_off,
        strategies=(CLOCK.way("switch", "闹钟 {time}"), CLOCK.voice("关闭{time}的闹钟")),
    ),
    Goal(
        name="delete_alarm",
        words=("删除{time}的闹钟", "把{time}那个闹钟删了", "不要{time}的闹钟了", "删掉{time}的闹铃"),
        cases=lambda seed: _alarm_cases(seed, on=False),
        rule=_is_gone,
        strategies=(
            CLOCK.way("held", Hold("{time}"), "删除"),
            CLOCK.way("opened", "{time}", "删除闹钟", "删除"),
        ),
    ),
    Goal(
        name="start_timer",
        words=("倒计时{minutes}分钟", "{minutes}分钟计时", "帮我计时{minutes}分钟", "{minutes}分钟后提醒我"),
        cases=each("minutes", PRESETS),
        rule=lambda states, arguments: (
            states[PACKAGE]["timer"]["seconds"] == 60 * int(str(arguments["minutes"]))
        ),
        strategies=(
            CLOCK.way("preset", "计时器", "{minutes}分钟"),
            CLOCK.way("typed", "计时器", TypeText("{minutes}", into="自定义分钟数"), "开始"),
            CLOCK.voice("{minutes}分钟倒计时"),
            CLOCK.shortcut("倒计时", "{minutes}分钟"),
        ),
    ),
    Goal(
        name="add_city",
        words=("看看{city}现在几点", "世界时钟加上{city}", "添加{city}时间", "把{city}加到世界时钟"),
        cases=CLOCK.lacking("cities", "city", [{"city": city} for city in sorted(CITIES)]),
        rule=CLOCK.holds("cities", "city"),
        strategies=(
            CLOCK.way("browse", "世界时钟", "添加城市", "{city}"),
            CLOCK.way("search", "世界时钟", "添加城市", TypeText("{city}", into="搜索城市"), "{city}"),
        ),
    ),
)
