"""How a person words what they want: by habit, partly their age group's, and never quite as the last time."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from simulated_phone.app_definition import App, Arguments, Goal
from simulated_phone.people.person import OLDER, YOUNG, Person
from simulated_phone.screens.nodes import ActionValue

ENDINGS = ("", "。", "！", ".", "!", "…", "！！", "。。")
"""How a set phrase ends: as the thumb has it, so that a set phrase is not the same text either."""
TRIES = 60
"""How often a person looks for other words before a word more is added."""

_OPENERS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        YOUNG: ("", "我想", "想", "给我", "我要", "帮我", "要"),
        OLDER: ("", "帮我", "请帮我", "麻烦帮我", "我要", "请", "给我"),
    }
)
_CLOSERS: Mapping[str, Sequence[str]] = MappingProxyType(
    {YOUNG: ("", "", "吧", "~", "，快点", "！", "呗"), OLDER: ("", "。", "，谢谢", "吧。", "，谢谢。", "吧")}
)
_ASKS = ("", "？", "呢", "呢？")
_SWAPS: Sequence[Sequence[str]] = (
    ("播放", "放", "听"),
    ("一份", "个", "份"),
    ("看看", "看一下", "瞅瞅", "看下"),
    ("查一下", "查查", "查下"),
    ("删除", "删掉"),
    ("打开", "开启", "开一下"),
    ("关闭", "关掉", "关上"),
    ("添加", "加上", "加个"),
    ("怎么样", "如何", "咋样"),
)
"""A common word, and what some people say for it."""
_ACTS = (
    *(
        "播放",
        "放",
        "听",
        "点",
        "来",
        "定",
        "设",
        "关",
        "开",
        "查",
        "看",
        "瞅",
        "删",
        "取消",
        "添加",
        "加",
        "收藏",
    ),
    *(
        "连",
        "配对",
        "新建",
        "建",
        "创建",
        "做",
        "搜",
        "找",
        "导航",
        "发",
        "给",
        "买",
        "写",
        "记",
        "读",
        "继续",
    ),
    *("接着", "把", "将", "存", "倒计时"),
)
_MANNERED = ("帮", "请", "我", "想", "要", "麻烦", "提醒", "给我")
_QUESTION = re.compile(
    "(吗|呢|没有|没事|不冷|下雨|有空)$|怎么样|如何|咋样|怎么走|几点$|什么|多少|哪|多久|星期几"
)
_NO_ORDER = re.compile("设备|看书|[看听点].*时|开会|加油|点外卖的")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)")
_PARTS = ((6, "凌晨"), (9, "早上"), (12, "上午"), (13, "中午"), (18, "下午"), (24, "晚上"))
_NUMERALS = "零一二三四五六七八九十"

_AT_HOUR = (
    (9, ("早上", "起床了", "一早")),
    (11, ("上午",)),
    (14, ("中午", "午休时", "中午了")),
    (18, ("下午", "下午没事")),
    (21, ("晚上", "吃完晚饭", "晚上了")),
    (24, ("睡前", "临睡", "夜里")),
)
_AT_PLACE: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "交通工具": ("在路上", "地铁上", "坐车时", "通勤路上"),
        "城市街道": ("走在路上", "在街上", "出门了"),
        "办公场所": ("上班时", "到公司了", "工作间隙"),
        "学校": ("课间", "在学校", "下课了"),
        "餐饮场所": ("吃饭时", "在饭店", "吃着饭"),
        "住所": ("在家", "回到家", "在家没事"),
        "自然户外": ("在公园", "散步时"),
        "运动场馆": ("健身时", "锻炼时"),
        "商场": ("逛商场时", "在商场"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How often a person does what when wording an intent.

    Args:
        person: Whose.
        opener: How often they begin with "帮我" or the like, 0-1.
        closer: How often they end with a word or a mark, 0-1.
        context: How often they say when or where, 0-1.
        mention: How often they name the app, 0-1.
        clock: How they say a time, "digits", "points" or "words".
        phrases: How often they say a thing in the same words as before but for the ending, 0-1.
    """

    person: Person
    opener: float
    closer: float
    context: float
    mention: float
    clock: str
    phrases: float

    def pick(self, what: str, options: Sequence[str], rng: random.Random) -> str:
        """One of the options, mostly those the person likes."""
        weights = [self.person.leaning("words", what, option) ** 6 + 0.01 for option in options]
        return rng.choices(options, weights)[0]


def style_of(person: Person) -> Style:
    """The person's style; those of an age group are more alike."""

    def part(what: str, low: float, high: float) -> float:
        return low + (high - low) * person.leaning("style", what)

    older = person.group == OLDER
    clocks = {"digits": 0.2, "points": 0.1, "words": 0.3 if older else 0.0}
    return Style(
        person=person,
        opener=part("opener", 0.4, 0.9) if older else part("opener", 0.05, 0.5),
        closer=part("closer", 0.3, 0.8) if older else part("closer", 0.1, 0.5),
        context=part("context", 0.05, 0.35),
        mention=part("mention", 0.2, 0.5) if older else part("mention", 0.0, 0.25),
        clock=max(clocks, key=lambda name: clocks[name] + person.leaning("clock", name)),
        phrases=part("phrases", 0.15, 0.6),
    )


@dataclass(slots=True)
class Voice:
    """A person's voice through a month: it remembers what was said and does not say it again.

    Args:
        style: The person's.
    """

    style: Style
    _spoken: set[str] = field(default_factory=set)
    _phrases: dict[tuple[object, ...], str] = field(default_factory=dict)

    def word(
        self, app: App, goal: Goal, case: Arguments, moment: datetime, place: str, rng: random.Random
    ) -> str:
        """The goal in the person's words of now."""
        thing = (app.package, goal.name, *case.values())
        text = self._phrases.get(thing, "")
        if text and rng.random() < self.style.phrases:
            endings = [ending for ending in ENDINGS if text + ending not in self._spoken]
            if endings:
                self._spoken.add(text + endings[0])
                return text + endings[0]
        for tries in range(TRIES):
            text = self._once(app, goal, case, moment, place, rng, freedom=tries / TRIES)
            if text not in self._spoken:
                break
        while text in self._spoken:
            text = f"{_time_words(moment, rng)}，{text}"
        self._spoken.add(text)
        self._phrases.setdefault(thing, text.rstrip("".join(ENDINGS)))
        return text

    def _once(
        self,
        app: App,
        goal: Goal,
        case: Arguments,
        moment: datetime,
        place: str,
        rng: random.Random,
        freedom: float,
    ) -> str:
        style = self.style
        template = style.pick(f"{app.package}/{goal.name}", goal.words, rng)
        core = template.format_map({name: self._value(value) for name, value in case.items()})
        core = self._swapped(core, [value for value in case.values() if isinstance(value, str)], rng)
        asks, acts = (
            _QUESTION.search(core) is not None,
            core.startswith(_ACTS) and not core.startswith("设备"),
        )
        if acts and not core.startswith(_MANNERED) and not asks and rng.random() < style.opener + freedom / 2:
            core = style.pick("opener", _OPENERS[style.person.group], rng) + core
        if app.label not in core and rng.random() < style.mention + freedom / 3:
            core = self._mentioned(core, app.label, rng)
        if rng.random() < style.context + freedom / 2:
            where = _AT_PLACE.get(place, ())
            core = (
                f"{rng.choice(where) if where and rng.random() < 0.5 else _time_words(moment, rng)}，{core}"
            )
        if asks:
            return core + style.pick("ask", _ASKS[: 2 if core.endswith(("吗", "呢")) else 4], rng)
        ended = core.endswith(("吧", "了", "呗", "。", "）"))
        if rng.random() < style.closer + freedom / 2:
            closer = style.pick("closer", _CLOSERS[style.person.group], rng)
            core += closer.removeprefix("吧").removeprefix("呗") if ended else closer
        return core

    def _value(self, value: ActionValue) -> ActionValue:
        found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
        if found is None or self.style.clock == "digits":
            return value
        number: Callable[[int], str] = str if self.style.clock == "points" else _numeral
        hour, minute = int(found[1]), int(found[2])
        part = next(name for last, name in _PARTS if hour < last)
        after = {0: "", 15: "一刻", 30: "半", 45: "三刻"}.get(minute, number(minute) + "分")
        return f"{part}{number(hour - 12 if hour > 12 else hour)}点{after}"

    def _swapped(self, core: str, kept: Sequence[str], rng: random.Random) -> str:
        """The same with the person's own words for common things, where they are not part of a name."""
        for words in _SWAPS:
            if words[0] in core and not any(words[0] in name for name in kept):
                core = core.replace(words[0], self.style.pick(words[0], words, rng), 1)
        return core

    def _mentioned(self, core: str, label: str, rng: random.Random) -> str:
        forms = ("打开{0}，{1}", "用{0}{1}", "打开{0}{1}", "在{0}里{1}", "{0}，{1}")
        plain = _is_order(core) and not core.startswith("给我")
        return self.style.pick("mention", forms if plain else (forms[0], forms[4]), rng).format(label, core)


def _is_order(core: str) -> bool:
    """Whether it begins with a verb, so that "帮我" can stand before it."""
    return core.startswith(_ACTS) and _NO_ORDER.match(core) is None


def _time_words(moment: datetime, rng: random.Random) -> str:
    words = next(words for hour, words in _AT_HOUR if moment.hour < hour)
    if rng.random() < 0.25:
        return f"{'周' + '一二三四五六日'[moment.weekday()]}{words[0]}"
    return rng.choice(words)


def _numeral(number: int) -> str:
    """A number below 100 in words.

    >>> _numeral(7), _numeral(10), _numeral(45)
    ('七', '十', '四十五')
    """
    tens, ones = divmod(number, 10)
    if not tens:
        return _NUMERALS[ones]
    return ("" if tens == 1 else _NUMERALS[tens]) + "十" + (_NUMERALS[ones] if ones else "")
