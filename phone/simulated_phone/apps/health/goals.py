"""The health app's goals: records, goals of a day, medicines; some with the clock, chat and notes."""

from __future__ import annotations

from typing import Any

from simulated_phone.goals.app_definition import Arguments, States, generator
from simulated_phone.goals.steps import Hold, Press, SetWheel, Step, TypeText
from simulated_phone.language.language import messages

from ...builders.goals import GoalBuilder, asks, by_ways, goal, in_turn
from ...builders.records import record
from ...builders.wheels import HOUR, MINUTE
from ..chat.goals import MESSAGE_WAYS, has_sent, people
from ..clock.goals import NEW_ALARM, has_alarm
from ..notes.goals import WRITE_NOTE, has_note
from . import data
from .data import LABEL, PACKAGE, SEARCH, kilos, make_state, time_of

_ = messages(__name__)

HEALTH = GoalBuilder(PACKAGE, LABEL, make_state, SEARCH)


def _list_medicines(seed: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = HEALTH.fresh(seed)["medicines"]
    return found


def _list_weight_cases(seed: int) -> list[Arguments]:
    known = {weight["grams"] for weight in HEALTH.fresh(seed)["weights"]}
    rng = generator(f"{PACKAGE}:weights", seed)
    return [{"kg": kilos(grams)} for grams in rng.sample(range(45000, 90000, 100), 20) if grams not in known]


def _list_new_medicine_cases(seed: int) -> list[Arguments]:
    have = {medicine["name"] for medicine in _list_medicines(seed)}
    rng = generator(f"{PACKAGE}:medicines", seed)
    times = [
        (name, {"hour": rng.choice(data.HOURS), "minute": rng.choice((0, 15, 30, 45))})
        for name in data.MEDICINES * 3
    ]
    return [{"medicine": name, **time, "time": time_of(time)} for name, time in times if name not in have]


def _list_medicine_cases(seed: int) -> list[Arguments]:
    return [
        {"medicine": one["name"], "hour": one["hour"], "minute": one["minute"], "time": time_of(one)}
        for one in _list_medicines(seed)
    ]


def _list_told_cases(seed: int) -> list[Arguments]:
    kg = kilos(HEALTH.fresh(seed)["weights"][0]["grams"])
    return [
        {"contact": contact, "kg": kg, "text": _("我现在{kg}公斤").format(kg=kg)} for contact in people(seed)
    ]


def _steps_case(seed: int) -> list[Arguments]:
    steps = HEALTH.fresh(seed)["steps"][-2]
    return [{"steps": steps, "text": _("昨天走了{steps}步").format(steps=steps)}]


def _is_weighed(states: States, arguments: Arguments) -> bool:
    return kilos(states[PACKAGE]["weights"][0]["grams"]) == arguments["kg"]


_MEDICINE = (HEALTH.way("tab", _("用药")), HEALTH.way("home", _("今日用药")))
_STEPS = (HEALTH.way("card", _("步数")), HEALTH.search(_("步数")))
_KG = (HEALTH.way("card", _("体重")), HEALTH.search(_("体重")))
_WEIGH: tuple[Step | str, ...] = (TypeText("{kg}", into=data.WEIGHT), _("保存"))
_TIME = (SetWheel(HOUR, "{hour}"), SetWheel(MINUTE, "{minute}"), _("保存"))

GOALS = (
    goal(
        "log_weight",
        _("记录体重{kg}公斤"),
        _("今天体重{kg}，记一下"),
        _("体重秤显示{kg}公斤，记到健康里"),
        _("把体重{kg}公斤记下来"),
        *by_ways(_KG, _("记录体重"), *_WEIGH),
        HEALTH.shortcut(_("记体重"), *_WEIGH),
        HEALTH.voice(_("体重{kg}公斤")),
        cases=_list_weight_cases,
        rule=_is_weighed,
    ),
    goal(
        "drink_water",
        _("今天喝了{cups}杯水，记上"),
        _("喝水记到{cups}杯"),
        _("喝水打卡，一共{cups}杯"),
        _("把今天的饮水改成{cups}杯"),
        HEALTH.way("card", _("喝水"), _("{cups}杯")),
        HEALTH.search(_("喝水"), _("{cups}杯")),
        HEALTH.shortcut(_("记喝水"), _("{cups}杯")),
        HEALTH.voice(_("喝了{cups}杯水")),
        **HEALTH.chosen("water", "cups", tuple(data.CUPS)),
    ),
    goal(
        "step_goal",
        _("每天步数目标改成{steps}步"),
        _("步数目标定{steps}"),
        _("一天走{steps}步，把目标改一下"),
        _("目标步数调到{steps}步"),
        *by_ways(_STEPS, _("步数目标"), _("{steps}步")),
        HEALTH.way("mine", _("我的"), _("步数目标"), _("{steps}步")),
        HEALTH.voice(_("步数目标{steps}步")),
        **HEALTH.chosen("step_goal", "steps", data.STEP_GOALS),
    ),
    goal(
        "bedtime",
        _("就寝目标改到{time}"),
        _("打算{time}睡觉，设成就寝时间"),
        _("每天{time}上床，健康里改一下"),
        _("睡眠目标改成{time}就寝"),
        HEALTH.way("card", _("睡眠"), _("就寝时间"), "{time}"),
        HEALTH.way("mine", _("我的"), _("就寝时间"), "{time}"),
        HEALTH.search(_("睡眠"), _("就寝时间"), "{time}"),
        HEALTH.voice(_("就寝时间{time}")),
        **HEALTH.chosen("bedtime", "time", data.BEDTIMES),
    ),
    goal(
        "log_sport",
        _("记一次{sport}，{minutes}分钟"),
        _("刚{sport}了{minutes}分钟，记到健康"),
        _("添加运动记录：{sport}{minutes}分钟"),
        _("{sport}{minutes}分钟，打个卡"),
        HEALTH.way("tab", _("运动"), "{sport}", _("{minutes}分钟"), _("保存")),
        HEALTH.search("{sport}", _("{minutes}分钟"), _("保存")),
        HEALTH.shortcut(_("记运动"), "{sport}", _("{minutes}分钟"), _("保存")),
        HEALTH.voice(_("{sport}{minutes}分钟")),
        cases=lambda seed: [
            {"sport": sport, "minutes": minutes} for sport in data.SPORTS for minutes in data.MINUTES
        ],
        rule=HEALTH.has("sports", sport="sport", minutes="minutes"),
    ),
    goal(
        "add_medicine",
        _("提醒我{time}吃{medicine}"),
        _("用药提醒加上{medicine}，{time}"),
        _("每天{time}吃{medicine}，设个用药提醒"),
        _("添加用药{medicine}，时间{time}"),
        HEALTH.way("picked", _("用药"), _("添加用药"), "{medicine}", *_TIME),
        HEALTH.way(
            "typed",
            _("用药"),
            _("添加用药"),
            TypeText("{medicine}", into=data.MEDICINE),
            Press("back"),
            *_TIME,
        ),
        HEALTH.shortcut(_("添加用药"), "{medicine}", *_TIME),
        HEALTH.voice(_("{time}吃{medicine}")),
        cases=_list_new_medicine_cases,
        rule=HEALTH.has("medicines", name="medicine", hour="hour", minute="minute"),
    ),
    goal(
        "take_medicine",
        _("{medicine}吃过了，打个勾"),
        _("用药里把{medicine}标成已服"),
        _("刚吃了{medicine}，记一下"),
        _("{medicine}今天已经服用"),
        *by_ways(_MEDICINE, _("已服{medicine}")),
        HEALTH.voice(_("{medicine}吃过了")),
        cases=_list_medicine_cases,
        rule=HEALTH.marked("medicines", "name", "medicine", taken=True),
    ),
    goal(
        "stop_medicine",
        _("{medicine}停药了，删掉提醒"),
        _("不用再吃{medicine}，用药提醒删了"),
        _("删除用药{medicine}"),
        _("用药里去掉{medicine}"),
        HEALTH.way("held", _("用药"), Hold("{medicine}"), _("删除用药")),
        HEALTH.way("opened", _("用药"), "{medicine}", _("删除用药")),
        HEALTH.voice(_("删除用药{medicine}")),
        cases=_list_medicine_cases,
        rule=HEALTH.gone("medicines", "name", "medicine"),
    ),
    goal(
        "blood_type",
        _("急救卡的血型填{blood}"),
        _("我是{blood}血，写到急救卡"),
        _("急救卡血型改成{blood}"),
        _("健康里血型设为{blood}"),
        HEALTH.way("mine", _("我的"), _("急救卡"), "{blood}"),
        HEALTH.search(_("急救卡"), "{blood}"),
        HEALTH.voice(_("血型{blood}")),
        **HEALTH.chosen("blood", "blood", data.BLOOD),
    ),
    goal(
        "medicine_alarm",
        _("{medicine}几点吃，按那个时间定闹钟"),
        _("看用药里{medicine}的时间，设一个闹钟"),
        _("给吃{medicine}定个闹钟，时间在健康里"),
        _("吃{medicine}怕忘，照用药时间定闹钟"),
        *in_turn(_MEDICINE, NEW_ALARM[:2]),
        cases=_list_medicine_cases,
        rule=has_alarm,
    ),
    goal(
        "tell_weight",
        _("把我最近的体重发给{contact}"),
        _("聊天告诉{contact}我现在多重"),
        _("查一下我的体重，发消息给{contact}"),
        _("跟{contact}说我最新的体重"),
        *in_turn(_KG, MESSAGE_WAYS[:2]),
        cases=_list_told_cases,
        rule=lambda states, arguments: has_sent(states, arguments["contact"], str(arguments["kg"])),
    ),
    goal(
        "note_steps",
        _("把昨天走的步数记到便签"),
        _("昨天走了多少步，写进便签"),
        _("便签里记下我昨天的步数"),
        _("看健康里昨天的步数，记个便签"),
        *in_turn(_STEPS, WRITE_NOTE[:2]),
        cases=_steps_case,
        rule=lambda states, arguments: has_note(states, str(arguments["steps"])),
    ),
    goal(
        "ask_steps",
        _("我今天走了多少步"),
        _("今天走了几步，帮我看看"),
        _("健康里今天的步数是多少"),
        _("查一下今天走的步数"),
        *_STEPS,
        HEALTH.way("glance"),
        cases=lambda seed: [{}],
        question=asks("number", lambda view: view.state["steps"][-1], _("步", "unit")),
    ),
    goal(
        "ask_medicine_time",
        _("{medicine}每天几点吃"),
        _("我几点该吃{medicine}"),
        _("查一下{medicine}的服药时间"),
        _("{medicine}的用药提醒定在几点"),
        *_MEDICINE,
        HEALTH.way("opened", _("用药"), "{medicine}"),
        cases=_list_medicine_cases,
        question=asks(
            "time", lambda view: time_of(record(view.state["medicines"], view.arguments["medicine"], "name"))
        ),
    ),
)
