"""Wording of intents: by personal style, partly the age group's, and never the same text twice."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from simulated_phone.app_definition import App, Arguments, Goal
from simulated_phone.people.person import OLDER, YOUNG, Person
from simulated_phone.screens.nodes import ActionValue

ENDINGS = ("", "。", "！", ".", "!", "…", "！！", "。。")
"""Endings of a repeated phrase; varied so that its texts differ."""
TRIES = 60
"""Drafts made before words of time are put before a text that was used already."""

_OPENERS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        YOUNG: ("", "我想", "想", "给我", "我要", "帮我", "要"),
        OLDER: ("", "帮我", "请帮我", "麻烦帮我", "我要", "请", "给我"),
    }
)
_CLOSERS: Mapping[str, Sequence[str]] = MappingProxyType(
    {YOUNG: ("", "", "吧", "~", "，快点", "！", "呗"), OLDER: ("", "。", "，谢谢", "吧。", "，谢谢。", "吧")}
)
_QUESTION_ENDINGS = ("", "？", "呢", "呢？")
_SYNONYMS: Sequence[Sequence[str]] = (
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
"""Groups of synonyms; the first of a group is replaced by one of them."""
_VERBS = (
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
_OPENING_WORDS = ("帮", "请", "我", "想", "要", "麻烦", "提醒", "给我")
_QUESTION = re.compile(
    "(吗|呢|没有|没事|不冷|下雨|有空)$|怎么样|如何|咋样|怎么走|几点$|什么|多少|哪|多久|星期几"
)
_NOT_IMPERATIVE = re.compile("设备|看书|[看听点].*时|开会|加油|点外卖的")
CLOCKS = ("digits", "points", "words")
"""Forms of times: 7:30, 早上7点半, 早上七点半."""
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)")
_DAY_PARTS = ((6, "凌晨"), (9, "早上"), (12, "上午"), (13, "中午"), (18, "下午"), (24, "晚上"))
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
class WordingStyle:
    """Probabilities of the features of a person's wording.

    Args:
        person: The person.
        opener: Probability of an opening like "帮我", 0-1.
        closer: Probability of a closing word or mark, 0-1.
        context: Probability that time or place is mentioned, 0-1.
        mention: Probability that the app is named, 0-1.
        clock: Form of times, one of `CLOCKS`.
        phrases: Probability that an earlier phrase is repeated but for its ending, 0-1.
    """

    person: Person
    opener: float
    closer: float
    context: float
    mention: float
    clock: str
    phrases: float

    def pick(self, choice: str, options: Sequence[str], rng: random.Random) -> str:
        """Draw one of the options, weighted by the person's preferences for the named choice."""
        weights = [self.person.leaning("words", choice, option) ** 6 + 0.01 for option in options]
        return rng.choices(options, weights)[0]


def wording_style(person: Person) -> WordingStyle:
    """Draw the person's wording style; styles within an age group are more alike."""

    def probability(feature: str, low: float, high: float) -> float:
        return low + (high - low) * person.leaning("style", feature)

    older = person.group == OLDER
    clocks = {"digits": 0.2, "points": 0.1, "words": 0.3 if older else 0.0}
    return WordingStyle(
        person=person,
        opener=probability("opener", 0.4, 0.9) if older else probability("opener", 0.05, 0.5),
        closer=probability("closer", 0.3, 0.8) if older else probability("closer", 0.1, 0.5),
        context=probability("context", 0.05, 0.35),
        mention=probability("mention", 0.2, 0.5) if older else probability("mention", 0.0, 0.25),
        clock=max(clocks, key=lambda name: clocks[name] + person.leaning("clock", name)),
        phrases=probability("phrases", 0.15, 0.6),
    )


@dataclass(slots=True)
class IntentWriter:
    """Words a person's intents through a month, without writing a text twice.

    Args:
        style: The person's wording style.
    """

    style: WordingStyle
    _used: set[str] = field(default_factory=set)
    _phrases: dict[tuple[object, ...], str] = field(default_factory=dict)

    def write(
        self, app: App, goal: Goal, case: Arguments, moment: datetime, place: str, rng: random.Random
    ) -> str:
        """Word a goal with its arguments at a moment and place."""
        key = (app.package, goal.name, *case.values())
        text = self._phrases.get(key, "")
        if text and rng.random() < self.style.phrases:
            endings = [ending for ending in ENDINGS if text + ending not in self._used]
            if endings:
                self._used.add(text + endings[0])
                return text + endings[0]
        for tries in range(TRIES):
            text = self._draft(app, goal, case, moment, place, rng, freedom=tries / TRIES)
            if text not in self._used:
                break
        while text in self._used:
            text = f"{_time_words(moment, rng)}，{text}"
        self._used.add(text)
        self._phrases.setdefault(key, text.rstrip("".join(ENDINGS)))
        return text

    def _draft(
        self,
        app: App,
        goal: Goal,
        case: Arguments,
        moment: datetime,
        place: str,
        rng: random.Random,
        freedom: float,
    ) -> str:
        """One random wording; `freedom` (0-1) raises the probabilities of optional words."""
        style = self.style
        template = style.pick(f"{app.package}/{goal.name}", goal.words, rng)
        core = template.format_map({name: _worded_value(value, style.clock) for name, value in case.items()})
        core = self._with_synonyms(core, [value for value in case.values() if isinstance(value, str)], rng)
        question = _QUESTION.search(core) is not None
        imperative = core.startswith(_VERBS) and not core.startswith("设备")
        takes_opener = imperative and not core.startswith(_OPENING_WORDS) and not question
        if takes_opener and rng.random() < style.opener + freedom / 2:
            core = style.pick("opener", _OPENERS[style.person.group], rng) + core
        if app.label not in core and rng.random() < style.mention + freedom / 3:
            core = self._with_app_name(core, app.label, rng)
        if rng.random() < style.context + freedom / 2:
            places = _AT_PLACE.get(place, ())
            context = rng.choice(places) if places and rng.random() < 0.5 else _time_words(moment, rng)
            core = f"{context}，{core}"
        if question:
            endings = _QUESTION_ENDINGS[: 2 if core.endswith(("吗", "呢")) else 4]
            return core + style.pick("ask", endings, rng)
        closed = core.endswith(("吧", "了", "呗", "。", "）"))
        if rng.random() < style.closer + freedom / 2:
            closer = style.pick("closer", _CLOSERS[style.person.group], rng)
            core += closer.removeprefix("吧").removeprefix("呗") if closed else closer
        return core

    def _with_synonyms(self, core: str, names: Sequence[str], rng: random.Random) -> str:
        """Replace common words by the person's synonyms, but not within names."""
        for words in _SYNONYMS:
            if words[0] in core and not any(words[0] in name for name in names):
                core = core.replace(words[0], self.style.pick(words[0], words, rng), 1)
        return core

    def _with_app_name(self, core: str, label: str, rng: random.Random) -> str:
        forms = ("打开{0}，{1}", "用{0}{1}", "打开{0}{1}", "在{0}里{1}", "{0}，{1}")
        imperative = _is_imperative(core) and not core.startswith("给我")
        return self.style.pick("mention", forms if imperative else (forms[0], forms[4]), rng).format(
            label, core
        )


def _worded_value(value: ActionValue, form: str) -> ActionValue:
    """An argument as it is worded: clock times in the given form."""
    clock = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if clock is None or form == "digits":
        return value
    number: Callable[[int], str] = str if form == "points" else _numeral
    hour, minute = int(clock[1]), int(clock[2])
    part = next(name for last, name in _DAY_PARTS if hour < last)
    after = {0: "", 15: "一刻", 30: "半", 45: "三刻"}.get(minute, number(minute) + "分")
    return f"{part}{number(hour - 12 if hour > 12 else hour)}点{after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BareWording:
    """One way to word a goal, without opening, closing, app name and context.

    Attributes:
        text: The wording.
        values: The arguments that it mentions, as worded.
    """

    text: str
    values: tuple[str, ...]


def bare_wordings(goal: Goal, case: Arguments) -> Iterator[BareWording]:
    """Every way in which any person words a goal with its arguments; `IntentWriter` decorates one of them."""
    names = [value for value in case.values() if isinstance(value, str)]
    groups = [words for words in _SYNONYMS if not any(words[0] in name for name in names)]
    by_clock = [{name: str(_worded_value(value, clock)) for name, value in case.items()} for clock in CLOCKS]
    for worded in by_clock if by_clock[0] != by_clock[1] else by_clock[:1]:
        for template in goal.words:
            values = tuple(value for name, value in worded.items() if f"{{{name}}}" in template)
            texts = [template.format_map(worded)]
            for words in groups:
                if any(words[0] in text for text in texts):
                    texts = [text.replace(words[0], word, 1) for text in texts for word in words]
            yield from (BareWording(text=text, values=values) for text in texts)


def _is_imperative(core: str) -> bool:
    """Whether the text begins with a verb, so that "用…" can precede it."""
    return core.startswith(_VERBS) and _NOT_IMPERATIVE.match(core) is None


def _time_words(moment: datetime, rng: random.Random) -> str:
    words = next(words for hour, words in _AT_HOUR if moment.hour < hour)
    if rng.random() < 0.25:
        return f"{'周' + '一二三四五六日'[moment.weekday()]}{words[0]}"
    return rng.choice(words)


def _numeral(number: int) -> str:
    """A number below 100 in Chinese numerals.

    >>> _numeral(7), _numeral(10), _numeral(45)
    ('七', '十', '四十五')
    """
    tens, ones = divmod(number, 10)
    if not tens:
        return _NUMERALS[ones]
    return ("" if tens == 1 else _NUMERALS[tens]) + "十" + (_NUMERALS[ones] if ones else "")
