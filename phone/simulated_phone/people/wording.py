"""Wording of intents: by personal style, partly the age group's, and never the same text twice."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, partial

from simulated_phone.goals.app_definition import App, Arguments, Goal
from simulated_phone.language.formats import short_weekday
from simulated_phone.language.language import CHINESE, translate
from simulated_phone.language.spoken_numbers import write_english_time
from simulated_phone.long_goals.composition import LongGoal
from simulated_phone.people.person import OLDER, Person
from simulated_phone.people.speech import Phrases, read_phrases
from simulated_phone.screens.nodes import ActionValue

TRIES = 60
"""Drafts made before words of time are put before a text that was used already."""

CLOCKS = ("digits", "points", "words")
"""Forms of times: 7:30, 早上7点半, 早上七点半."""
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)")
_NAMED = re.compile(r"\{(\w+)\}")
_DAY_PARTS = ((6, "凌晨"), (9, "早上"), (12, "上午"), (13, "中午"), (18, "下午"), (24, "晚上"))
_NUMERALS = "零一二三四五六七八九十"


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

    @property
    def around(self) -> Phrases:
        """The words of the person's language."""
        return read_phrases(self.person.locale)

    def pick(self, choice: str, options: Sequence[str], rng: random.Random) -> str:
        """Draw one of the options, weighted by the person's preferences for the named choice."""
        weights = [self.person.leaning("words", choice, option) ** 6 + 0.01 for option in options]
        return rng.choices(options, weights)[0]


def draw_wording_style(person: Person) -> WordingStyle:
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
            endings = [ending for ending in self.style.around.endings if text + ending not in self._used]
            if endings:
                self._used.add(text + endings[0])
                return text + endings[0]
        for tries in range(TRIES):
            text = self._draft_wording(app, goal, case, moment, place, rng, freedom=tries / TRIES)
            if text not in self._used:
                break
        while text in self._used:
            words = _word_time(moment, self.style.person.locale, rng)
            text = self.style.around.in_context.format(context=words, core=text)
        self._used.add(text)
        self._phrases.setdefault(key, text.rstrip("".join(self.style.around.endings)))
        return text

    def _draft_wording(
        self,
        app: App,
        goal: Goal,
        case: Arguments,
        moment: datetime,
        place: str,
        rng: random.Random,
        freedom: float,
    ) -> str:
        """Random wording; `freedom` (0-1) raises the probabilities of optional words."""
        style, around = self.style, self.style.around
        locale = style.person.locale
        template = style.pick(f"{app.package}/{goal.name}", goal.words, rng)
        values = {name: word_value(value, style.clock, locale) for name, value in case.items()}
        core = template.format_map(values)
        core = self._replace_by_synonyms(
            core, [value for value in case.values() if isinstance(value, str)], rng
        )
        question = around.question.search(core) is not None
        imperative = _begins(core, around.verbs) and not core.startswith(around.no_verbs)
        takes_opener = imperative and not core.startswith(around.opening_words) and not question
        if takes_opener and rng.random() < style.opener + freedom / 2:
            opener = style.pick("opener", around.openers[style.person.group], rng)
            core = around.opened.format(opener=opener, core=_inside(core, style)) if opener else core
        # a goal over several apps is none of the app that it begins with
        one_app = not isinstance(goal, LongGoal)
        if one_app and app.label not in core and rng.random() < style.mention + freedom / 3:
            core = self._add_app_name(core, app.label, rng)
        if rng.random() < style.context + freedom / 2:
            places = around.at_place.get(place, ())
            at_place = places and rng.random() < 0.5
            context = rng.choice(places) if at_place else _word_time(moment, locale, rng)
            core = around.in_context.format(context=context, core=_inside(core, style))
        if question:
            endings = around.question_endings[: 2 if core.endswith(around.asks) else 4]
            return core + style.pick("ask", endings, rng)
        closed = core.endswith(around.closed)
        if rng.random() < style.closer + freedom / 2:
            closer = style.pick("closer", around.closers[style.person.group], rng)
            core += closer.removeprefix("吧").removeprefix("呗") if closed else closer
        return core

    def _replace_by_synonyms(self, core: str, names: Sequence[str], rng: random.Random) -> str:
        """Replace common words by the person's synonyms, but not within names."""
        for words in self.style.around.synonyms:
            if _says(core, words[0]) and not any(words[0] in name for name in names):
                core = _replaced(core, words[0], self.style.pick(words[0], words, rng))
        return core

    def _add_app_name(self, core: str, label: str, rng: random.Random) -> str:
        forms = self.style.around.with_app
        usable = forms if _is_imperative(core, self.style) else (forms[0], forms[-1])
        return self.style.pick("mention", usable, rng).format(label, _inside(core, self.style))


def word_value(value: ActionValue, form: str, locale: str) -> ActionValue:
    """An argument as it is worded: clock times in the given form."""
    clock = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if clock is None or form == "digits":
        return value
    if locale != CHINESE:
        # a language without words for times says them in digits
        hour, minute = int(clock[1]), int(clock[2])
        return write_english_time(hour, minute, in_words=form == "words") if locale == "en" else value
    number: Callable[[int], str] = str if form == "points" else _write_numeral
    hour, minute = int(clock[1]), int(clock[2])
    part = next(name for last, name in _DAY_PARTS if hour < last)
    after = {0: "", 15: "一刻", 30: "半", 45: "三刻"}.get(minute, number(minute) + "分")
    return f"{part}{number(hour - 12 if hour > 12 else hour)}点{after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BareWording:
    """Way to word a goal, without opening, closing, app name and context.

    Attributes:
        text: The wording.
        values: The arguments that it mentions, as worded.
    """

    text: str
    values: tuple[str, ...]


def list_bare_wordings(goal: Goal, case: Arguments, locale: str = CHINESE) -> Iterator[BareWording]:
    """Every way in which any person words a goal with its arguments; `IntentWriter` decorates one of them."""
    for template, worded, texts in _word_templates(goal, case, locale):
        named = _list_named(template)
        values = tuple(value for name, value in worded.items() if name in named)
        yield from (BareWording(text=text, values=values) for text in texts)


def list_bare_texts(goal: Goal, case: Arguments, locale: str = CHINESE) -> list[str]:
    """The texts of `list_bare_wordings`, in its order: they are made for all goals of many phones."""
    return [text for _, _, texts in _word_templates(goal, case, locale) for text in texts]


def _word_templates(
    goal: Goal, case: Arguments, locale: str
) -> Iterator[tuple[str, Mapping[str, str], list[str]]]:
    """Yield each template of a goal in each form of clock times: its arguments, and its texts."""
    names = "\n".join(value for value in case.values() if isinstance(value, str))
    groups = [words for words in read_phrases(locale).synonyms if words[0] not in names]
    for worded in _word_by_clock(case, locale):
        for template in goal.words:
            texts = [template.format_map(worded)]
            together = texts[0]
            for words in groups:
                # most of some dozens of words stand in none of the texts
                if words[0] in together and any(_says(text, words[0]) for text in texts):
                    texts = [_replaced(text, words[0], word) for text in texts for word in words]
                    together = "\n".join(texts)
            yield template, worded, texts


def _word_by_clock(case: Arguments, locale: str) -> list[dict[str, str]]:
    """The arguments as they are worded, in each form of clock times; once if none is a time."""
    digits = {name: str(value) for name, value in case.items()}
    if not any(":" in value for value in digits.values()):
        return [digits]
    others = [
        {name: str(word_value(value, clock, locale)) for name, value in case.items()} for clock in CLOCKS[1:]
    ]
    return [digits] if others[0] == digits else [digits, *others]


@cache
def _list_named(template: str) -> frozenset[str]:
    """Names of the arguments that a template words."""
    return frozenset(_NAMED.findall(template))


@cache
def _compile_any(options: tuple[str, ...]) -> re.Pattern[str]:
    """Finds words that are no part of longer ones, which scripts without small letters do not tell."""

    def ends(letter: str) -> str:
        return "" if letter.lower() == letter.upper() else r"\b"

    return re.compile("|".join(f"{ends(one[0])}{re.escape(one)}{ends(one[-1])}" for one in options))


def _begins(text: str, options: tuple[str, ...]) -> bool:
    return _compile_any(options).match(text) is not None


def _says(text: str, words: str) -> bool:
    return _compile_any((words,)).search(text) is not None


def _replaced(text: str, words: str, other: str) -> str:
    """The text with other words in place of the first ones."""
    return _compile_any((words,)).sub(lambda _: other, text, count=1)


def _is_imperative(core: str, style: WordingStyle) -> bool:
    """Whether the text begins with a verb, so that "用…" can precede it."""
    return _begins(core, style.around.verbs) and style.around.not_imperative.match(core) is None


def _inside(core: str, style: WordingStyle) -> str:
    """The text as it stands within a sentence: a verb or opening is no longer begun by a capital."""
    return core[:1].lower() + core[1:] if _begins(core, style.around.lowered) else core


def _word_time(moment: datetime, locale: str, rng: random.Random) -> str:
    around = read_phrases(locale)
    words = next(words for hour, words in around.at_hour if moment.hour < hour)
    if rng.random() < 0.25:
        weekday = short_weekday(partial(translate, locale), moment.weekday())
        return around.on_weekday.format(weekday=weekday, part=words[0])
    return rng.choice(words)


def _write_numeral(number: int) -> str:
    """A number below 100 in Chinese numerals.

    >>> _write_numeral(7), _write_numeral(10), _write_numeral(45)
    ('七', '十', '四十五')
    """
    tens, ones = divmod(number, 10)
    if not tens:
        return _NUMERALS[ones]
    return ("" if tens == 1 else _NUMERALS[tens]) + "十" + (_NUMERALS[ones] if ones else "")
