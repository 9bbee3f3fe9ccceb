"""Reading goals back, against people whose goals are known because they were drawn here."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_metrics.judges.read_back import (
    LONGEST,
    PhoneWordings,
    WordedGoal,
    bare,
    is_word_in,
    make_bare,
    mark_numbers,
    phone_wordings,
)
from simulated_phone.apps import list_apps
from simulated_phone.people.person import Person, make_person
from simulated_phone.people.routine import plan_month
from simulated_phone.people.wording import IntentWriter, draw_wording_style


def worded_month(person: Person, count: int) -> list[tuple[WordedGoal, str]]:
    apps = [app for app in list_apps(person.locale) if app.goals]
    writer, rng = IntentWriter(draw_wording_style(person)), person.generator("told")
    return [
        (
            WordedGoal.of(one.app.package, one.goal.name, one.case),
            writer.write(one.app, one.goal, one.case, one.moment, one.place, rng),
        )
        for one in plan_month(person, apps, count)
    ]


CALLS = [
    WordedGoal.of("com.android.dialer", "remind_to_call_back", {"caller": "Peter Ellis", "hour": hour})
    for hour in (11, 12, 17)
]


@pytest.fixture(scope="module")
def person() -> Person:
    return make_person(0, 0)


@pytest.fixture(scope="module")
def phone(person: Person) -> PhoneWordings:
    return phone_wordings(person.seed)


@pytest.mark.parametrize("locale", ["zh", "en"])
def test_all_intents_of_a_month_are_read_back_with_their_arguments(locale: str) -> None:
    person = make_person(0, 0, locale)
    phone = phone_wordings(person.seed, locale)
    for goal, text in worded_month(person, 100):
        reading = phone.read(text)
        # "follow its author" leaves open which of the author's videos is meant
        assert goal in reading.exact, text
        assert all(goal.same_goal(read) for read in reading.goals), text


def test_a_missing_character_outside_of_the_arguments_changes_nothing(phone: PhoneWordings) -> None:
    whole, less = phone.read("播放歌单通勤路上"), phone.read("播歌单通勤路上")
    assert whole.exact == less.exact != frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "！！",
        "修一下自行车",
        "今天天气不错",
        "看手机",
        "打开应用",
        "How do I get to the store?",
        "听" * (LONGEST + 1),
    ],
)
def test_a_text_that_words_no_goal_of_the_phone_is_read_as_none(phone: PhoneWordings, text: str) -> None:
    reading = phone.read(text)
    assert not reading.goals
    assert not reading.several


def test_a_list_of_goals_is_read_as_several(person: Person, phone: PhoneWordings) -> None:
    (first, one), *others = worded_month(person, 40)
    another = next(text for goal, text in others if not goal.same_goal(first))
    assert phone.read(f"{one}，或者{another}").several
    assert not phone.read(f"{one}，{one}").several


@pytest.mark.parametrize(
    ("text", "same"), [("倒计时10分钟", True), ("倒计时110分钟", False), ("倒计时分钟", False)]
)
def test_an_argument_counts_where_it_stands_in_the_text_as_a_whole(
    phone: PhoneWordings, text: str, *, same: bool
) -> None:
    ten = WordedGoal.of("com.android.deskclock", "start_timer", {"minutes": 10})
    reading = phone.read(text)
    assert any(goal.same_goal(ten) for goal in reading.goals)
    assert (ten in reading.exact) is same


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Set an alarm at 17:00 to call Peter Ellis back", True),
        ("Phone: set an alarm at 17:00 to call Peter Ellis back, thanks", True),
        ("Set an alarm at 17:30 to call Peter Ellis back", False),
        ("Set an alarm at 7:00 to call Peter Ellis back", False),
        ("Set an alarm at 11:00 to call Peter Ellis back", False),
    ],
)
def test_an_hour_is_read_with_its_minutes(text: str, *, same: bool) -> None:
    five = WordedGoal.of("com.android.dialer", "remind_to_call_back", {"caller": "Peter Ellis", "hour": 17})
    reading = PhoneWordings(1, "en", only=CALLS).read(text)
    assert any(goal.same_goal(five) for goal in reading.goals)
    assert (five in reading.exact) is same


@pytest.mark.parametrize(
    ("value", "text", "stands"),
    [
        ("12", "没接到160 2740 6515，12点闹钟提醒我回拨", True),
        ("16027406515", "没接到160 2740 6515，12点闹钟提醒我回拨", True),
        ("g7920", "订一张G7920，4月21日到西安", True),
        ("30", "at 7:30", False),
        ("7", "at 7:30", False),
        ("730", "at 17:30", False),
        ("6", "on 2025-06-05", False),
        ("12", "12,000 steps", False),
        ("12", "12.5 km", False),
    ],
)
def test_numbers_end_where_a_blank_or_another_sign_parts_them(value: str, text: str, *, stands: bool) -> None:
    assert is_word_in(value, mark_numbers(text)) is stands


@given(st.text())
def test_a_marked_text_has_the_letters_of_the_bare_one(text: str) -> None:
    assert bare(mark_numbers(text)) == bare(bare(text))


@given(st.lists(st.text(st.characters(exclude_characters="\0")), min_size=1))
def test_texts_are_made_bare_together_as_one_by_one(texts: list[str]) -> None:
    assert make_bare(texts) == [bare(text) for text in texts]
