"""Languages: catalogues are complete, and a phone in another language is one in its whole state."""

from __future__ import annotations

import ast
import os
import random
import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

import simulated_phone
from simulated_phone import APPS, App, GesturePlayer, GoalInstance, Phone, PhoneSetupError, Strategy
from simulated_phone.adb.commands.properties import list_properties
from simulated_phone.apps import list_apps
from simulated_phone.language import formats, language
from simulated_phone.language.formats import entries
from simulated_phone.language.language import FOLDER, languages, translate, translate_count

ROOT = Path(simulated_phone.__file__).parent
CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
KEYWORDS = {name: {1: (1,), 2: (1, (2, "c"))} for name in ("_", "gettext")} | {"later": None}
KEYWORDS |= {"_n": (1, 1), "ngettext": (1, 1)}
"""A counted text has one form in Chinese, and as many as its language has in a catalogue."""
ENGLISH = list_apps("en")
SIZE, DENSITY = (540, 1200), 210
SOAK = "FINGERTIP_SOAK" in os.environ


def text_of(message: str | tuple[str, ...]) -> str:
    """The Chinese text of a message; a counted one has it twice."""
    return message if isinstance(message, str) else message[0]


@cache
def marked() -> dict[tuple[str, str], set[str]]:
    """Context and Chinese text -> the files that it stands in."""
    found: dict[tuple[str, str], set[str]] = {}
    for file, _line, text, _comments, context in extract_from_dir(str(ROOT), keywords=KEYWORDS):
        found.setdefault((context or "", text_of(text)), set()).add(file)
    return found


def catalogue(language: str) -> Catalog:
    with (FOLDER / f"{language}.po").open("rb") as file:
        return read_po(file)


def folders(language: str) -> set[str]:
    """Folders of the apps that a phone in the language has."""
    there = {app.package for app in list_apps(language)}
    modules = {
        value.package: name
        for name in (path.stem for path in (ROOT / "apps").iterdir() if (path / "__init__.py").exists())
        for value in vars(__import__(f"simulated_phone.apps.{name}", fromlist=["apps"])).values()
        if isinstance(value, App)
    }
    return {modules[package] for package in there}


def unmarked(source: str) -> Iterator[str]:
    """Chinese texts that no catalogue can have: not marked, or marked within an f-string."""
    tree = ast.parse(source)
    marked = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS
        for inner in ast.walk(node)
    }
    marked |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    joined = {inner for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for inner in ast.walk(node)}
    hidden = (node for node in ast.walk(tree) if node not in marked or node in joined)
    for node in hidden:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and CHINESE.search(node.value):
            yield node.value


def test_every_chinese_text_of_an_app_is_marked() -> None:
    assert list(unmarked('A = f"{_(\'有\')}", _("在"), "不"')) == ["不", "有"]
    files = [path for folder in ("apps", "builders") for path in (ROOT / folder).rglob("*.py")]
    found = {str(path): list(unmarked(path.read_text(encoding="utf-8"))) for path in files}
    assert {path: texts for path, texts in found.items() if texts} == {}


@pytest.mark.parametrize("language", languages()[1:])
def test_every_text_is_translated_and_none_is_left_over(language: str) -> None:
    known = {
        (message.context or "", text_of(message.id))
        for message in catalogue(language)
        if message.string and all(message.string)
    }
    texts = marked()
    apps = folders(language)
    wanted = {
        key
        for key, files in texts.items()
        if any(not file.startswith("apps/") or file.split("/")[1] in apps for file in files)
    }
    assert wanted - known == set()
    assert known - set(texts) - {("", "")} == set()


def placeholders(text: str) -> set[str] | None:
    """Names of a template's placeholders; None for a pattern, whose braces mean other things."""
    try:
        return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}
    except ValueError:
        return None


@pytest.mark.parametrize("language", languages()[1:])
def test_translations_keep_placeholders_groups_and_entries(language: str) -> None:
    for message in catalogue(language):
        if message.pluralizable:
            forms = message.string if any(message.string) else ()
            assert all(placeholders(form) == placeholders(message.id[0]) for form in forms), message.id
            continue
        chinese, other = str(message.id), str(message.string)
        if not (chinese and other):
            continue
        pattern = re.search(r"\\|\(\?|^[\^(]", chinese)
        if message.context == "said":
            re.compile(other)
        elif pattern:
            assert re.compile(other).groups == re.compile(chinese).groups, chinese
        elif "|" not in chinese:
            assert placeholders(other) == placeholders(chinese), chinese
        if "|" in other and not pattern and "|" not in chinese and message.context != "said":
            found = entries(other)
            prices = [entry.partition(":")[2] for entry in found if entry.partition(":")[2].isdigit()]
            expected = entries(chinese)
            assert len(found) == len(set(found)) == len(expected), chinese
            assert prices == [e.partition(":")[2] for e in expected if e.partition(":")[2].isdigit()], chinese


def test_the_language_is_that_of_the_system_and_chinese_is_the_usual_one() -> None:
    chinese, english = Phone(), Phone(locale="en")
    assert list_properties(chinese)["persist.sys.locale"] == "zh-CN"
    assert list_properties(english)["persist.sys.locale"] == "en-US"
    assert english.settings["system"]["system_locales"] == "en-US"
    assert [app.label for app in APPS][:2] == ["桌面", "时钟"]
    assert [app.label for app in ENGLISH][:2] == ["Home screen", "Clock"]


def test_a_phone_learns_a_language_and_forgets_it() -> None:
    phone, english = Phone(seed=4), Phone(seed=4, locale="en")
    before = phone.state_sha256()
    phone.tap(300, 300)
    phone.speak("en")
    assert phone.state_sha256() == english.state_sha256() != before
    assert phone.tree() == english.tree()
    phone.speak("zh")
    assert phone.state_sha256() == before


def test_an_unknown_language_is_named_with_those_there_are() -> None:
    with pytest.raises(PhoneSetupError, match=f"no phone speaks 'xx'; there are {', '.join(languages())}"):
        Phone(locale="xx")


def test_a_language_begins_with_a_handful_of_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a new catalogue lacks stays Chinese; the launcher is there from the beginning."""
    clock = next(app for app in APPS if app.english == "Clock")
    wordings = [words for goal in clock.goals for words in goal.words]
    texts = {clock.label: "Horloĝo", **{shortcut.text: "Menuo" for shortcut in clock.shortcuts}}
    texts |= {words: f"{n} {re.sub('[^a-z{}]', '', words)}" for n, words in enumerate(wordings)}
    monkeypatch.setattr(language, "FOLDER", tmp_path)
    for locale, known, apps in (("eo", {}, ["桌面"]), ("io", texts, ["桌面", "Horloĝo"])):
        catalogue = Catalog(locale="eo")
        for text, other in known.items():
            catalogue.add(text, other)
        with (tmp_path / f"{locale}.po").open("wb") as file:
            write_po(file, catalogue)
        assert [app.label for app in Phone(locale=locale).apps.values()] == apps


def test_numbers_and_counts_are_those_of_the_language() -> None:
    _, _n = partial(translate, "en"), partial(translate_count, "en")
    assert [formats.money(_, fen) for fen in (1250, 123_400)] == ["$12.50", "$1,234.00"]
    assert (formats.number(_, 9435), formats.amount(_, 1_562_967)) == ("9,435", "15,629.67")
    assert (formats.short_number(_, 306), formats.short_number(_, 7)) == ("3.1M", "70K")
    forms = [_n("{count}首", count).format(count=count) for count in (0, 1, 2)]
    assert forms == ["0 songs", "1 song", "2 songs"]
    assert translate_count("zh", "{count}首", 1) == "{count}首"


def test_equal_seeds_give_worlds_of_equal_size() -> None:
    chinese = {app.package: app for app in APPS}
    for app in ENGLISH:
        mine, other = app.fresh(3), chinese[app.package].fresh(3)
        assert [type(value) for value in mine.values()] == [type(value) for value in other.values()]
        assert [goal.name for goal in app.goals] == [goal.name for goal in chinese[app.package].goals]


def strategies(app: App) -> Iterator[tuple[str, Strategy]]:
    """One strategy of each goal; in `make soak`, all of them."""
    rng = random.Random(app.package)  # noqa: S311 - a test, not a secret
    for goal in app.goals:
        for strategy in goal.strategies if SOAK else [rng.choice(goal.strategies)]:
            yield goal.name, strategy


@pytest.mark.parametrize("app", ENGLISH, ids=lambda app: app.english)
def test_strategies_reach_their_goals_in_english(app: App) -> None:
    phone = Phone(seed=8, size=SIZE, density=DENSITY, locale="en")
    rng, failed = random.Random(1), []  # noqa: S311 - a test, not a secret
    for name, strategy in strategies(app):
        goal = app.goal(name)
        case = rng.choice(list(goal.cases(8)))
        assert not any(CHINESE.search(words.format_map(case)) for words in goal.words)
        phone.reset()
        for gesture in GesturePlayer(phone).gestures(strategy.steps(case)):
            gesture.perform(phone.finger)
        wanted = GoalInstance(package=app.package, goal=name, arguments=case)
        if not phone.achieved(wanted, answered=True) or CHINESE.search(phone.tree()):
            failed.append((name, strategy.name, case))
    assert failed == []


@pytest.mark.parametrize("app", ENGLISH, ids=lambda app: app.english)
def test_a_walk_through_an_english_app_shows_no_chinese(app: App) -> None:
    phone = Phone(seed=5, size=SIZE, density=DENSITY, locale="en")
    rng, shown = random.Random(app.package), set()  # noqa: S311 - a test, not a secret
    for number in range(600 if SOAK else 24):
        if phone.foreground[0] != app.package or number % 12 == 11:
            phone.start(app.package)
        nodes = [node for node in phone.screen().nodes() if node.clickable or node.hold]
        x, y = rng.choice(nodes).box.centre
        (phone.long_press if rng.random() < 0.15 else phone.tap)(x, y)
        words = [(node.text, node.description, node.hint) for node in phone.screen().nodes()]
        shown |= {text for texts in words for text in texts if CHINESE.search(text)}
    assert shown == set()
