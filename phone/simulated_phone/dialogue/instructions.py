"""Instructions of four levels for a goal with its arguments, from as usual to the need alone.

"full" is what the person wrote. "no_app" is the same without saying which app to use. "no_arguments" names
what is to be done and none of its arguments ("Order my usual food"), and "goal_alone" only the need ("I'm
hungry"). The last two are written for each goal, in `instructions/<package>.toml`, in every language that
has them. A goal whose only set of arguments follows from the phone ("Update every app") needs no level
without them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import get_args

from simulated_phone.dialogue.dialogue_kinds import Level
from simulated_phone.goals.app_definition import App, Arguments, Goal
from simulated_phone.language.language import CHINESE
from simulated_phone.long_goals.composition import LongGoal
from simulated_phone.people.speech import read_phrases
from simulated_phone.people.wording import list_bare_wordings

LEVELS: tuple[Level, ...] = get_args(Level)
"""Levels of an instruction, each saying less than the one before."""

WRITTEN: tuple[Level, ...] = ("no_arguments", "goal_alone")
"""The levels that are written for each goal."""

ONE_CASE = "the goal has one set of arguments, which follows from the phone"
NOT_WRITTEN = "it is not written in the language {locale}"
NAMES_APP = "every wording of the goal names the app"
SEVERAL_APPS = "a goal over several apps has no words for the need alone"

OTHER_MENTIONS = ("the {0} app", "{0}软件", "{0}应用", "{0} app")
"""How goals' own wordings name an app."""

PLACES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        CHINESE: ("{0}里", "{0}管理", "{0}给", "用{0}", "在{0}", "到{0}", "打开{0}", "让{0}"),
        "en": tuple(
            f"{word} {{0}}"
            for word in (
                *("in", "in the", "in my", "to the", "into the", "into", "from the", "with the", "open the"),
                *("have the", "let the", "use the", "of the"),
            )
        ),
    }
)
"""How they name it as a place, where no thing is meant: language -> forms."""

FOLDER = "instructions"
"""Folder with a file for each app, by its package name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """An instruction, or why there is none.

    Attributes:
        level: Its level.
        text: The words; "" where the goal lacks this level.
        lacks: Why the goal lacks the level; "" if it has it.
    """

    level: Level
    text: str = ""
    lacks: str = ""


def write_instruction(
    app: App, goal: Goal, case: Arguments, level: Level, *, intent: str, locale: str, seed: int
) -> Instruction:
    """Write the instruction for a goal with its arguments.

    Args:
        app: The goal's app, in the language of the phone.
        goal: The goal, in that language.
        case: The arguments.
        level: The level.
        intent: What the person wrote; this is the level "full".
        locale: Language of the person.
        seed: Seed of the person's phone, which the sets of arguments depend on.
    """
    if level == "full":
        return Instruction(level=level, text=intent)
    if level == "no_app":
        text = _leave_out_app(app, goal, case, intent, locale)
        return Instruction(level=level, text=text, lacks="" if text else NAMES_APP)
    if isinstance(goal, LongGoal):
        return Instruction(level=level, lacks=SEVERAL_APPS)
    written = read_instructions(app.package).get(goal.name)
    if written is None:
        one = len(goal.cases(seed)) == 1
        return Instruction(level=level, lacks=ONE_CASE if one else NOT_WRITTEN.format(locale=locale))
    text = written[level].get(locale, "")
    return Instruction(level=level, text=text, lacks="" if text else NOT_WRITTEN.format(locale=locale))


def _leave_out_app(app: App, goal: Goal, case: Arguments, intent: str, locale: str) -> str:
    """The intent, or the wording of the goal that says least of the app; "" if each names it as a place.

    Some things cannot be wanted without a word that is an app's name, too: a mail, the weather, a file.
    """
    values = tuple(str(value) for value in case.values())
    wordings = ((one.text, one.values) for one in list_bare_wordings(goal, case, locale))
    best, least = "", NAMED
    for text, own in ((intent, values), *wordings):
        mention = _rate_mention(text, own, app, locale)
        if mention < least:
            best, least = text, mention
        if not least:
            break
    return best


UNNAMED, THING, PLACE, NAMED = range(4)
"""How a text mentions an app: not at all; as a thing, such as "a mail"; as the place where something is; as
what is to be used."""


def _rate_mention(text: str, values: Sequence[str], app: App, locale: str) -> int:
    """How a text mentions an app, outside the arguments: one of `UNNAMED` to `NAMED`.

    Args:
        text: The text.
        values: The arguments, as worded.
        app: The app.
        locale: Language of the text.
    """
    own = text.casefold()
    for value in sorted((value.casefold() for value in values if value), key=len, reverse=True):
        own = own.replace(value, "#")
    if _mentions(own, app, locale):
        return NAMED
    names = _compile_pieces(("{0}",), app.label, app.english, locale)
    if not names.search(own):
        return UNNAMED
    places = _compile_pieces(PLACES.get(locale, ()), app.label, app.english, locale)
    # in Chinese the place comes first: "邮件给...发文件"
    first = locale == CHINESE and any(names.match(clause.strip()) for clause in _CLAUSES.split(own))
    return PLACE if first or places.search(own) else THING


def _mentions(text: str, app: App, locale: str) -> bool:
    """Whether the text says which app to use, as "in Mail" does; a thing may have the app's name."""
    around = (part for form in read_phrases(locale).with_app for part in form.split("{1}") if "{0}" in part)
    # the bare name may be that of a thing
    forms = tuple(form.strip() for form in (*around, *OTHER_MENTIONS) if form.strip() != "{0}")
    return _compile_pieces(forms, app.label, app.english, locale).search(text.casefold()) is not None


_CLAUSES = re.compile("[，。：；！？:]")


@cache
def _compile_pieces(forms: tuple[str, ...], label: str, english: str, locale: str) -> re.Pattern[str]:
    """Finds forms with the name of an app, in small letters; as words, where a language has spaces.

    A form that ends with a mark and begins with the name stands at the beginning of a clause.
    """
    found = []
    for form in forms:
        for name in {label, english}:
            piece = form.format(name).casefold()
            edge = "" if locale == CHINESE else r"\b"
            begins = (
                rf"(?:^|{_CLAUSES.pattern})\s*"
                if form.startswith("{0}") and not piece[-1].isalnum()
                else edge
            )
            found.append(f"{begins}{re.escape(piece)}{edge if piece[-1].isalnum() else ''}")
    return re.compile("|".join(found) or r"(?!)")


@cache
def read_instructions(package: str) -> Mapping[str, Mapping[Level, Mapping[str, str]]]:
    """The instructions that are written for an app: goal -> level -> language -> words; empty without any.

    Args:
        package: Package name of the app.
    """
    file = files("simulated_phone.dialogue") / FOLDER / f"{package}.toml"
    if not file.is_file():
        return {}
    found: Mapping[str, Mapping[Level, Mapping[str, str]]] = tomllib.loads(file.read_text(encoding="utf-8"))
    return found
