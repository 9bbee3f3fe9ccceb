from __future__ import annotations

from collections import Counter

import pytest

from simulated_phone.apps import list_apps
from simulated_phone.dialogue.instructions import (
    LEVELS,
    NAMED,
    ONE_CASE,
    PLACE,
    UNNAMED,
    WRITTEN,
    _mentions,
    _rate_mention,
    read_instructions,
    write_instruction,
)
from simulated_phone.goals.app_definition import App, Goal

LOCALES = ("zh", "en")
SEEDS = (1, 7, 2025)


def list_goals(locale: str) -> list[tuple[App, Goal]]:
    return [(app, goal) for app in list_apps(locale) for goal in app.goals]


@pytest.mark.parametrize("locale", LOCALES)
def test_every_goal_has_all_levels_or_says_why_not(locale: str) -> None:
    lacking = Counter[str]()
    for app, goal in list_goals(locale):
        for seed in SEEDS:
            for case in goal.cases(seed)[:2]:
                intent = goal.words[0].format_map(case)
                for level in LEVELS:
                    found = write_instruction(app, goal, case, level, intent=intent, locale=locale, seed=seed)
                    assert bool(found.text) != bool(found.lacks)
                    assert found.text or len(goal.cases(seed)) == 1, "with a choice each level is written"
                    lacking[found.lacks] += 1
    assert set(lacking) == {"", ONE_CASE}


@pytest.mark.parametrize("locale", LOCALES)
def test_what_leaves_out_arguments_names_none_and_the_need_names_no_app(locale: str) -> None:
    for app, goal in list_goals(locale):
        for case in goal.cases(7):
            for level in WRITTEN:
                found = write_instruction(app, goal, case, level, intent="", locale=locale, seed=7)
                names = [str(value) for value in case.values() if len(str(value)) > 2]
                assert not [name for name in names if name in found.text], (goal.name, found)
                assert level == "no_arguments" or not _mentions(found.text, app, locale)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("level", WRITTEN)
def test_no_two_goals_have_one_instruction(locale: str, level: str) -> None:
    texts = Counter(
        texts[level][locale]  # type: ignore[index]
        for app in list_apps(locale)
        for texts in read_instructions(app.package).values()
    )
    assert [text for text, count in texts.items() if count > 1] == []


def test_only_goals_are_written_and_in_both_languages() -> None:
    for app in list_apps("zh"):
        written = read_instructions(app.package)
        assert written.keys() <= {goal.name for goal in app.goals}
        for levels in written.values():
            assert [*levels] == [*WRITTEN]
            assert all(words.keys() == set(LOCALES) for words in levels.values())


def test_the_app_is_left_out_of_what_a_person_wrote() -> None:
    app = next(app for app in list_apps("en") if app.english == "Mail")
    goal, case = app.goal("star_mail"), app.goal("star_mail").cases(1)[0]
    written = f"Open Mail and star the mail {case['subject']}"
    found = write_instruction(app, goal, case, "no_app", intent=written, locale="en", seed=1)
    assert str(case["subject"]) in found.text
    assert "open mail" not in found.text.casefold()
    plain = f"Star the mail {case['subject']}!"
    assert write_instruction(app, goal, case, "no_app", intent=plain, locale="en", seed=1).text == plain
    assert write_instruction(app, goal, case, "full", intent=written, locale="en", seed=1).text == written
    other = write_instruction(app, goal, case, "goal_alone", intent=written, locale="fr", seed=1)
    assert other.lacks == "it is not written in the language fr"


@pytest.mark.parametrize("locale", LOCALES)
def test_without_the_app_no_instruction_names_it_but_as_a_thing(locale: str) -> None:
    found = Counter[int]()
    for app, goal in list_goals(locale):
        for case in goal.cases(7)[:2]:
            values = tuple(map(str, case.values()))
            for words in goal.words:
                intent = words.format_map(case)
                text = write_instruction(app, goal, case, "no_app", intent=intent, locale=locale, seed=7).text
                found[_rate_mention(text, values, app, locale)] += 1
    assert not found[NAMED]
    assert found[PLACE] < 0.01 * found.total()
    assert found[UNNAMED] > 0.8 * found.total()


@pytest.mark.parametrize(
    ("label", "goal", "words"),
    [("文件", "sort_files", "文件管理里{order}显示"), ("邮件", "mail_file", "邮件给{contact}发文件{file}"),
     ("打车", "call_ride", "打车去{place}"), ("天气", "add_city", "天气里加上{city}")],
)  # fmt: skip
def test_a_chinese_place_is_no_part_of_it(label: str, goal: str, words: str) -> None:
    app = next(app for app in list_apps("zh") if app.label == label)
    case = app.goal(goal).cases(7)[0]
    found = write_instruction(
        app, app.goal(goal), case, "no_app", intent=words.format_map(case), locale="zh", seed=7
    )
    assert found.text
    assert words[:3] not in found.text
    assert all(
        str(case[name]) in found.text
        for name in ("order", "contact", "file", "place", "city")
        if name in case
    )
