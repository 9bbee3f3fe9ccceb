"""Words around a goal: openings, closings, synonyms, mentions of time, place and app, in a language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType

from simulated_phone.language.language import translate
from simulated_phone.people.person import OLDER, YOUNG


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Words of a language around a goal.

    Attributes:
        openers: Openings by age group.
        closers: Closing words and marks by age group.
        closed: Endings after which no other closing word stands.
        question_endings: Endings of a question; only the first two where it ends in one of `asks`.
        asks: Ends of a question that is marked already.
        synonyms: Groups of synonyms; the first of a group is replaced by one of them.
        verbs: How an imperative begins.
        no_verbs: What looks like one and is none.
        opening_words: Beginnings before which no opening stands.
        question: What makes a text a question.
        not_imperative: What begins with a verb and is no imperative.
        with_app: Templates of the app {0} and the intent {1}; the first and the last suit any intent.
        at_hour: Words of time, with the hour until which they fit.
        at_place: Words of a place, by scenario of the release.
        endings: Endings of a repeated phrase; varied so that its texts differ.
        opened, in_context, on_weekday: Templates that join an opening, a context, a weekday.
    """

    openers: Mapping[str, Sequence[str]]
    closers: Mapping[str, Sequence[str]]
    closed: tuple[str, ...]
    question_endings: Sequence[str]
    asks: tuple[str, ...]
    synonyms: Sequence[Sequence[str]]
    verbs: tuple[str, ...]
    no_verbs: str
    opening_words: tuple[str, ...]
    question: re.Pattern[str]
    not_imperative: re.Pattern[str]
    with_app: Sequence[str]
    at_hour: Sequence[tuple[int, Sequence[str]]]
    at_place: Mapping[str, Sequence[str]]
    endings: Sequence[str]
    opened: str
    in_context: str
    on_weekday: str

    @property
    def lowered(self) -> tuple[str, ...]:
        """Beginnings that are written with a small letter within a sentence."""
        openers = (word for words in self.openers.values() for word in words)
        return (*self.verbs, *(word for word in openers if word and word[:2] not in ("I ", "I'")))


@cache
def read_phrases(locale: str) -> Phrases:
    """The words of a language; the catalogue divides their lists by bars."""
    _ = partial(translate, locale)
    verbs = _(
        "播放|放|听|点|来|定|设|关|开|查|看|瞅|删|取消|添加|加|收藏|连|配对|新建|建|创建|做|搜|找|导航|发|给|"
        "买|写|记|读|继续|接着|把|将|存|倒计时"
    )
    synonyms = _(
        "播放|放|听;一份|个|份;看看|看一下|瞅瞅|看下;查一下|查查|查下;删除|删掉;打开|开启|开一下;"
        "关闭|关掉|关上;添加|加上|加个;怎么样|如何|咋样"
    )
    question = _("(吗|呢|没有|没事|不冷|下雨|有空)$|怎么样|如何|咋样|怎么走|几点$|什么|多少|哪|多久|星期几")
    return Phrases(
        openers=MappingProxyType(
            {
                YOUNG: _("|我想|想|给我|我要|帮我|要").split("|"),
                OLDER: _("|帮我|请帮我|麻烦帮我|我要|请|给我").split("|"),
            }
        ),
        closers=MappingProxyType(
            {YOUNG: _("||吧|~|，快点|！|呗").split("|"), OLDER: _("|。|，谢谢|吧。|，谢谢。|吧").split("|")}
        ),
        closed=tuple(_("吧|了|呗|。|）").split("|")),
        question_endings=_("|？|呢|呢？").split("|"),
        asks=tuple(_("吗|呢").split("|")),
        synonyms=[group.split("|") for group in synonyms.split(";")],
        verbs=tuple(verbs.split("|")),
        no_verbs=_("设备", "wording"),
        opening_words=tuple(_("帮|请|我|想|要|麻烦|提醒|给我").split("|")),
        question=re.compile(question),
        not_imperative=re.compile(_("设备|看书|[看听点].*时|开会|加油|点外卖的|给我")),
        with_app=_("打开{0}，{1}|用{0}{1}|打开{0}{1}|在{0}里{1}|{0}，{1}").split("|"),
        at_hour=(
            (9, _("早上|起床了|一早").split("|")),
            (11, _("上午|", "wording").rstrip("|").split("|")),
            (14, _("中午|午休时|中午了").split("|")),
            (18, _("下午|下午没事").split("|")),
            (21, _("晚上|吃完晚饭|晚上了").split("|")),
            (24, _("睡前|临睡|夜里").split("|")),
        ),
        at_place=_read_place_words(locale),
        endings=_("|。|！|.|!|…|！！|。。").split("|"),
        opened=_("{opener}{core}"),
        in_context=_("{context}，{core}"),
        on_weekday=_("{weekday}{part}"),
    )


def _read_place_words(locale: str) -> Mapping[str, Sequence[str]]:
    _ = partial(translate, locale)
    words = {
        "交通工具": _("在路上|地铁上|坐车时|通勤路上"),
        "城市街道": _("走在路上|在街上|出门了"),
        "办公场所": _("上班时|到公司了|工作间隙"),
        "学校": _("课间|在学校|下课了"),
        "餐饮场所": _("吃饭时|在饭店|吃着饭"),
        "住所": _("在家|回到家|在家没事"),
        "自然户外": _("在公园|散步时"),
        "运动场馆": _("健身时|锻炼时"),
        "商场": _("逛商场时|在商场"),
    }
    return MappingProxyType({place: text.split("|") for place, text in words.items()})
