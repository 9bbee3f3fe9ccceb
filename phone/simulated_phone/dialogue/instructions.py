"""Instructions of four levels for a goal with its arguments, from as usual to the need alone.

"full" is what the person wrote. "no_app" is the same without saying which app to use. "no_arguments" names
what is to be done and none of its arguments ("Order my usual food"), and "goal_alone" only the need ("I'm
hungry"). The last two are written for each goal, in `instructions/<package>.toml`, in every language that
has them. A goal whose only set of arguments follows from the phone ("Update every app") needs no level
without them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias, get_args

from simulated_phone.goals.app_definition import App, Arguments, Goal
from simulated_phone.people.speech import read_phrases
from simulated_phone.people.wording import list_bare_wordings

Level: TypeAlias = Literal["full", "no_app", "no_arguments", "goal_alone"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""Levels of an instruction, each saying less than the one before."""

WRITTEN: tuple[Level, ...] = ("no_arguments", "goal_alone")
"""The levels that are written for each goal."""

ONE_CASE = "the goal has one set of arguments, which follows from the phone"
NOT_WRITTEN = "it is not written in the language {locale}"
NAMES_APP = "every wording of the goal names the app"

OTHER_MENTIONS = ("the {0} app", "{0}软件", "{0}应用", "{0} app")
"""How goals' own wordings name an app."""

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
    written = read_instructions(app.package).get(goal.name)
    if written is None:
        one = len(goal.cases(seed)) == 1
        return Instruction(level=level, lacks=ONE_CASE if one else NOT_WRITTEN.format(locale=locale))
    text = written[level].get(locale, "")
    return Instruction(level=level, text=text, lacks="" if text else NOT_WRITTEN.format(locale=locale))


def _leave_out_app(app: App, goal: Goal, case: Arguments, intent: str, locale: str) -> str:
    """The intent if it does not mention the app, else the first wording of the goal that does not, or ""."""
    if not _mentions(intent, app, locale):
        return intent
    for wording in list_bare_wordings(goal, case, locale):
        if not _mentions(wording.text, app, locale):
            return wording.text
    return ""


def _mentions(text: str, app: App, locale: str) -> bool:
    """Whether the text says which app to use, as "in Mail" does; a thing may have the app's name."""
    folded = text.casefold()
    return any(piece in folded for piece in _list_mentions(app.label, app.english, locale))


@cache
def _list_mentions(label: str, english: str, locale: str) -> tuple[str, ...]:
    """Pieces of text by which people say which app to use, in small letters."""
    forms = [part for form in read_phrases(locale).with_app for part in form.split("{1}") if "{0}" in part]
    names = {label, english}
    return tuple(
        {form.format(name).casefold().strip() for form in (*forms, *OTHER_MENTIONS) for name in names}
        # the bare name may be that of a thing
        - {name.casefold() for name in names}
    )


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
