"""Hashes of what simulated scores depend on; a new hash needs a new version (docs/developers/versioning.md).

    python -m phone.tests.simulated_phone.content_hash            says which parts differ from versions.toml
    python -m phone.tests.simulated_phone.content_hash suite=1.3  writes the current hash as that version's

The phone's hash is that of trees and states while the first goal of each app is reached; the suite's that of
all goals with their cases, scripts and rules; the people's that of persons and their first episodes; all of
them in both languages. What a rule calls is hashed only as far as one of these shows it.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path

from simulated_phone import App, Goal, GoalInstance, Phone
from simulated_phone.apps import list_apps
from simulated_phone.language.language import CHINESE
from simulated_phone.people.gestures import GesturePlayer
from simulated_phone.people.life import Life
from simulated_phone.people.person import make_person
from simulated_phone.versions import PARTS, VERSIONS_FILE, content_hashes

SEED, SIZE, DENSITY = 5, (540, 1200), 210
LOCALES = (CHINESE, "en")
"""The languages of the published benchmark; a further one changes none of its scores."""
PEOPLE, EPISODES = 4, 3
"""Persons, and episodes of each, that stand for all."""

HEADERS = {
    "phone": "layout, accessibility trees, what gestures do",
    "suite": "the apps' data, goals, their cases, rules and strategies",
    "people": "persons, their routines, wordings, habits and slips",
}


def _digest(values: Iterable[object]) -> str:
    digest = hashlib.sha256()
    for value in values:
        digest.update(json.dumps(value, sort_keys=True, ensure_ascii=False, default=str).encode())
    return digest.hexdigest()


def _apps() -> Iterator[tuple[str, App]]:
    """Each app in each of the languages, which comes first."""
    for locale in LOCALES:
        yield from ((locale, app) for app in list_apps(locale))


def _first_play(app: App, goal: Goal, locale: str) -> Iterator[object]:
    """Each screen's tree and the state after it, while the goal's first strategy is played."""
    case = next(iter(goal.cases(SEED)))
    wanted = GoalInstance(package=app.package, goal=goal.name, arguments=case)
    phone = Phone(seed=SEED, size=SIZE, density=DENSITY, locale=locale)
    for gesture in GesturePlayer(phone).gestures(goal.strategies[0].steps(case)):
        gesture.perform(phone.finger)
        yield phone.tree()
        yield phone.state_sha256()
    yield phone.achieved(wanted, answered=True)


def phone_content() -> Iterator[object]:
    """Trees and states, the first goal of each app."""
    for locale, app in _apps():
        for goal in app.goals[:1]:
            yield from _first_play(app, goal, locale)


def _source(function: Callable[..., object]) -> list[str]:
    """The lines of a rule or answer without spaces and kinds of quotes, and the values that it holds."""
    code = "".join(inspect.getsource(function).split()).replace("'", '"')
    cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    inner = [line for value in cells if inspect.isfunction(value) for line in _source(value)]
    return [code, *(repr(value) for value in cells if isinstance(value, str | int | tuple)), *inner]


def _question(goal: Goal) -> list[object]:
    if goal.question is None:
        return []
    form = goal.question.form
    return [form.kind, form.unit, *_source(goal.question.right)]


def suite_content() -> Iterator[object]:
    """Every goal as it is defined, and every app's fresh state."""
    for locale, app in _apps():
        yield [locale, app.package, app.label, app.english, app.hours, app.fresh(SEED)]
        for goal in app.goals:
            scripts = [[strategy.name, repr(strategy.script)] for strategy in goal.strategies]
            in_app = [strategy.name for strategy in goal.strategies_in(app.package)]
            yield [
                goal.name,
                goal.words,
                list(goal.cases(SEED)),
                scripts,
                in_app,
                _source(goal.rule),
                _question(goal),
            ]


def people_content() -> Iterator[object]:
    """Persons with the first episodes of their months."""
    for locale, number in product(LOCALES, range(PEOPLE)):
        person = make_person(number, SEED, locale)
        yield repr(person)
        life = Life(person, Phone(seed=person.seed, size=SIZE, density=DENSITY, locale=locale))
        for episode in life.month(EPISODES):
            yield [episode.intent, episode.place, episode.strategy, episode.slips]
            yield [repr(frame.gesture) for frame in episode.frames]


CONTENT = {"phone": phone_content, "suite": suite_content, "people": people_content}


def hashes() -> dict[str, str]:
    """Part -> sha256 of today's content."""
    return {part: _digest(CONTENT[part]()) for part in PARTS}


def write(versions: dict[str, dict[str, str]]) -> None:
    """Write versions.toml, the current version of each part last."""
    text = VERSIONS_FILE.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("# ")]
    for part in PARTS:
        lines += ["", f"[{part}]  # {HEADERS[part]}"]
        lines += [f'"{name}" = "{sha}"' for name, sha in versions[part].items()]
    Path(str(VERSIONS_FILE)).write_text("\n".join([*lines, ""]), encoding="utf-8")


def main(words: list[str]) -> str:
    """Compare today's content with versions.toml, or write new versions; return what is wrong."""
    parsed = [(word, *word.split("=", 1)) if "=" in word else (word, "", "") for word in words]
    for word, part, version in parsed:
        if part not in PARTS or not version:
            return f"{word!r}: give PART=VERSION, with a part of {', '.join(PARTS)}"
    known, today = content_hashes(), hashes()
    for _, part, version in parsed:
        known[part].pop(version, None)
        known[part][version] = today[part]
    if words:
        write(known)
    return "\n".join(problems(known, today))


def problems(known: dict[str, dict[str, str]], today: dict[str, str]) -> list[str]:
    """The parts whose content is not that of their current version."""
    return [
        f"{part}: the content is not that of version {list(known[part])[-1]}; {part}=NEXT writes a new one"
        for part in PARTS
        if list(known[part].values())[-1] != today[part]
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or 0)
