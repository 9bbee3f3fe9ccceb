from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulated_phone.apps import list_apps
from simulated_phone.dialogue.knowledge import Source
from simulated_phone.dialogue.person_answers import (
    LEAST_PATIENCE,
    MOST_PATIENCE,
    PersonAnswers,
    draw_patience,
)
from simulated_phone.dialogue.question_words import UnwrittenLanguageError, read_slot_words
from simulated_phone.dialogue.reply import MAX_QUESTION, PersonReply
from simulated_phone.dialogue.slots import list_slots
from simulated_phone.goals.app_definition import Goal
from simulated_phone.long_goals.composition import list_long_goals

SEED = 7
LOCALES = ("en", "zh")
GOALS: Mapping[str, Mapping[tuple[str, str], Goal]] = {
    locale: {(app.english, goal.name): goal for app in list_apps(locale) for goal in app.goals}
    for locale in LOCALES
}
SEEN_RATE, UNSEEN_RATE = 0.99, 0.90
FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question of the two files, and the slots that it asks for."""

    app: str
    goal: str
    locale: str
    text: str
    slots: frozenset[str]


def read_questions(half: str) -> Iterator[AskedQuestion]:
    table = tomllib.loads((FOLDER / f"{half}_questions.toml").read_text(encoding="utf-8"))
    for app, goals in table.items():
        for goal, locales in goals.items():
            for locale, questions in locales.items():
                for text, slots in questions.items():
                    yield AskedQuestion(
                        app=app, goal=goal, locale=locale, text=text, slots=frozenset(slots.split())
                    )


def make_person(
    locale: str,
    app: str,
    name: str,
    *,
    number: int = 0,
    sources: Mapping[str, Source] | None = None,
    patience: int = 99,
    person_seed: int = 1,
) -> PersonAnswers:
    goal = GOALS[locale][app, name]
    return PersonAnswers(
        goal=goal,
        case=goal.cases(SEED)[number],
        sources=sources or {},
        locale=locale,
        seed=SEED,
        patience=patience,
        person_seed=person_seed,
    )


def is_understood(question: AskedQuestion) -> bool:
    """Whether the person says exactly the slots that a question asks for; nothing, where it asks for none."""
    cases = GOALS[question.locale][question.app, question.goal].cases(SEED)
    person = make_person(question.locale, question.app, question.goal, number=len(cases) // 2)
    reply = person.answer(question.text)
    return question.slots == (set(reply.slots) if reply.kind in ("value", "choice") else set())


@pytest.mark.parametrize(
    ("half", "least", "number"), [("seen", SEEN_RATE, 280), ("unseen", UNSEEN_RATE, 300)]
)
def test_most_questions_are_understood(
    half: str, least: float, number: int, record_property: Callable[[str, object], None]
) -> None:
    understood = [is_understood(question) for question in read_questions(half)]
    rate = sum(understood) / len(understood)
    record_property(f"{half}_rate", round(rate, 3))
    print(f"{half}: {sum(understood)} of {len(understood)} questions are understood, {rate:.1%}")  # noqa: T201
    # which ones failed is not shown: the unseen half is for measuring alone
    assert len(understood) >= number
    assert rate >= least


FOOD, CHAT = ("Food", "order_drink"), ("Chat", "transfer")
"""Their first sets of arguments: Taro milk tea at Tea Garden, half sugar, less ice; 100 to Dad."""


@pytest.mark.parametrize(
    ("locale", "goal", "question", "kind", "slots"),
    [
        ("en", FOOD, "Which drink?", "value", "dish"),
        ("en", FOOD, "Half sugar or no sugar?", "choice", "sugar"),
        ("en", FOOD, "Full sugar or no sugar?", "choice", ""),
        ("en", FOOD, "How sweet: full sugar or no sugar?", "value", "sugar"),
        ("en", FOOD, "Half sugar or no sugar, and less ice or no ice?", "choice", "sugar ice"),
        ("en", FOOD, "Do you have a preferred sugar level?", "value", "sugar"),
        ("en", FOOD, "Should I order Taro milk tea at Tea Garden?", "yes", "dish shop"),
        ("en", FOOD, "Should I order at Starbucks?", "no", ""),
        ("en", FOOD, "No sugar?", "no", "sugar"),
        ("en", FOOD, "Shall I place the order?", "yes", ""),
        ("en", FOOD, "Should I order something else instead?", "no", ""),
        ("en", FOOD, "Shall I delete it?", "no", ""),
        ("zh", FOOD, "半糖还是全糖？", "choice", "sugar"),
        ("zh", FOOD, "要全糖少冰吗", "no", "sugar"),
        ("zh", FOOD, "要半糖少冰，对吗", "yes", "sugar ice"),
        ("zh", FOOD, "可以下单吗？", "yes", ""),
        ("en", CHAT, "Should I send $50 to Dad?", "no", "yuan"),
        ("en", CHAT, "Should I send $100 to Dad?", "yes", "contact yuan"),
        ("en", CHAT, "Should I transfer it to Gandalf?", "no", ""),
        ("en", CHAT, "Is it 100 or 50 dollars?", "choice", "yuan"),
        ("en", CHAT, "Is it for Mom? If not, who gets it?", "value", "contact"),
        ("zh", CHAT, "转给爸爸一百元对吗", "yes", "contact yuan"),
        ("zh", CHAT, "转给王芳吗？", "no", ""),
        ("zh", CHAT, "现在转账可以吗？", "yes", ""),
        ("zh", CHAT, "您在家吗", "not_understood", ""),
        ("en", ("Clock", "set_alarm"), "At five in the morning?", "yes", "time"),
        ("en", ("Clock", "set_alarm"), "Should I set it for 6:30?", "no", "time"),
        ("zh", ("Clock", "set_alarm"), "下午五点吗", "no", "time"),
        ("zh", ("Clock", "set_alarm"), "5点还是6点？", "choice", "time"),
        ("en", ("Calendar", "add_event"), "Is it on June 16 at 3 pm?", "yes", "day hour"),
        ("en", ("Calendar", "add_event"), "Is it on the 17th of June?", "no", "day"),
        (
            "en",
            ("Contacts", "share_card"),
            "Should I send Dad's card to Diana Quinn?",
            "yes",
            "contact friend",
        ),
        ("en", ("Contacts", "share_card"), "Should I send Diana Quinn's card to Dad?", "no", ""),
    ],
)
def test_kinds_of_replies(locale: str, goal: tuple[str, str], question: str, kind: str, slots: str) -> None:
    reply = make_person(locale, *goal).answer(question)
    assert (reply.kind, set(reply.slots)) == (kind, set(slots.split()))


def test_a_wrong_value_is_refused_without_saying_the_right_one() -> None:
    assert "100" not in make_person("en", *CHAT).answer("Should I send $50 to Dad?").text
    assert "Less" not in make_person("en", *FOOD).answer("No ice?").text


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize(
    "question",
    [
        *(
            "",
            "   ",
            "?",
            "x" * 10_000,
            "Which drink? " * 1_000,
            "Quelle boisson ?",
            "Was möchten Sie trinken?",
        ),
        *("What is your password?", "你的密码是多少？", "What's the card number?", "身份证号是多少"),
        *("Who are you?", "你是谁", "The screen shows a list.", "我打开了应用。"),
    ],
)
def test_what_is_no_question_for_a_slot_is_not_understood(locale: str, question: str) -> None:
    reply = make_person(locale, *FOOD).answer(question)
    assert (reply.kind, reply.slots, reply.needless) == ("not_understood", (), False)


def test_a_question_in_the_other_language_is_not_understood() -> None:
    assert make_person("zh", *FOOD).answer("Which drink?").kind == "not_understood"
    assert make_person("en", *FOOD).answer("喝什么？").kind == "not_understood"
    goal = GOALS["en"][FOOD]
    with pytest.raises(UnwrittenLanguageError, match="'fr'; take en, zh"):
        PersonAnswers(goal=goal, case=goal.cases(SEED)[0], sources={}, locale="fr", seed=SEED)


def test_what_the_history_knows_is_said_only_when_it_is_asked_for_again() -> None:
    person = make_person("en", *FOOD, sources={"sugar": "history", "dish": "profile", "ice": "ask"})
    first, second = person.answer("Which sugar level?"), person.answer("Which sugar level?")
    assert (first.kind, first.slots, first.needless) == ("you_know_that", ("sugar",), True)
    assert (second.kind, second.slots, second.needless) == ("value", ("sugar",), True)
    assert "Half sugar" not in first.text
    assert "Half sugar" in second.text
    mixed = person.answer("Which drink, and how much ice?")
    assert (mixed.kind, mixed.slots, mixed.needless) == ("value", ("ice",), False)


def test_asking_whether_a_known_value_is_right_is_needless_and_asking_for_consent_is_not() -> None:
    person = make_person("en", *FOOD, sources={"sugar": "history"})
    assert person.answer("Is it half sugar?").needless
    assert not person.answer("Shall I order it with half sugar?").needless


def test_patience_is_a_persons_own_and_ends() -> None:
    drawn = {draw_patience(seed) for seed in range(60)}
    assert drawn == set(range(LEAST_PATIENCE, MOST_PATIENCE + 1))
    person = make_person("en", *FOOD, patience=-1, person_seed=5)
    replies = [person.answer("Which drink?").kind for _ in range(draw_patience(5) + 2)]
    assert replies[-3:] == ["value", "out_of_patience", "out_of_patience"]


def test_people_word_replies_in_their_own_way() -> None:
    texts = {make_person("en", *FOOD, person_seed=seed).answer("Which drink?").text for seed in range(20)}
    assert len(texts) > 2
    goal = GOALS["en"]["Clock", "set_alarm"]
    by_clock = {
        clock: PersonAnswers(
            goal=goal, case=goal.cases(SEED)[0], sources={}, locale="en", seed=SEED, clock=clock
        ).answer("At what time?")
        for clock in ("digits", "words")
    }
    assert "05:00" in by_clock["digits"].text
    assert "five in the morning" in by_clock["words"].text.replace(" o'clock", "")


def test_no_value_of_another_set_of_arguments_is_ever_said() -> None:
    goal = GOALS["en"]["Weather", "see_city"]
    cities = {str(case["city"]) for case in goal.cases(SEED)}
    for number in range(len(cities)):
        reply = make_person("en", "Weather", "see_city", number=number).answer("Which city?")
        assert {city for city in cities if city in reply.text} == {goal.cases(SEED)[number]["city"]}


ASKED_FOR_CONSENT = {"en": "Shall I go ahead: {0}?", "zh": "可以继续吗：{0}？"}


def word_values(goal: Goal, number: int, locale: str) -> str:
    case = goal.cases(SEED)[number]
    values = [(read_slot_words(slot.name, locale).say, case[slot.name]) for slot in list_slots(goal, SEED)]
    return ", ".join(say.format(value, clock=f"{value}:00") for say, value in values)


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("locale", LOCALES)
def test_consent_is_given_to_a_goals_own_values_and_to_no_others(locale: str, every: int) -> None:
    goals = [goal for app in list_apps(locale) for goal in app.goals if list_slots(goal, SEED)]
    for goal in (goals + [goal for _, goal in list_long_goals(locale)])[::every]:
        worded = [word_values(goal, number, locale) for number in range(len(goal.cases(SEED)[:2]))]
        for mine, other in product(range(len(worded)), repeat=2):
            person = PersonAnswers(
                goal=goal, case=goal.cases(SEED)[mine], sources={}, locale=locale, seed=SEED
            )
            reply = person.answer(ASKED_FOR_CONSENT[locale].format(worded[other]))
            assert reply.kind == ("yes" if worded[mine] == worded[other] else "no"), (
                goal.name,
                worded[other],
            )
            assert person.answer(ASKED_FOR_CONSENT[locale].format("")).kind == "yes"


@pytest.mark.parametrize(
    ("goal", "question", "kind"),
    [
        (CHAT, "Shall I transfer the money now?", "yes"),
        (CHAT, "Should I delete the chat?", "no"),
        (("Phone", "delete_call"), "Shall I delete it?", "yes"),
        (("Calendar", "see_day"), "Should I pay now?", "no"),
        (("Chat", "send_text"), "Can I send it?", "yes"),
        (("Clock", "set_alarm"), "Shall I post it?", "no"),
    ],
)
def test_a_deed_that_is_not_the_goals_gets_a_no(goal: tuple[str, str], question: str, kind: str) -> None:
    assert make_person("en", *goal).answer(question).kind == kind


PIECES = (
    *(
        "which",
        "what",
        "who",
        "where",
        "when",
        "how much",
        "the",
        "dish",
        "shop",
        "sugar",
        "ice",
        "amount",
        "or",
    ),
    *(
        "should i",
        "send",
        "order",
        "Half sugar",
        "No sugar",
        "Tea Garden",
        "Dad",
        "Mom",
        "100",
        "50",
        "?",
        "and",
    ),
    *(
        "哪个",
        "什么",
        "谁",
        "多少钱",
        "店",
        "甜度",
        "冰",
        "饮料",
        "还是",
        "吗",
        "半糖",
        "全糖",
        "茶小满",
        "爸爸",
        "转",
    ),
)


@settings(max_examples=150)
@given(
    pieces=st.lists(st.sampled_from(PIECES), max_size=9),
    place=st.sampled_from(list(product(LOCALES, (FOOD, CHAT)))),
    number=st.integers(0, 20),
)
def test_a_reply_says_only_what_it_says_that_it_gives(
    pieces: list[str], place: tuple[str, tuple[str, str]], number: int
) -> None:
    locale, goal = place
    question = ("" if locale == "zh" else " ").join(pieces)
    reply = make_person(locale, *goal, number=number).answer(question)
    assert reply == make_person(locale, *goal, number=number).answer(question)
    check_values(reply, locale, goal, number)


@settings(max_examples=100)
@given(question=st.text(max_size=2 * MAX_QUESTION))
def test_any_text_gets_a_reply(question: str) -> None:
    reply = make_person("en", *FOOD).answer(question)
    check_values(reply, "en", FOOD, 0)


def check_values(reply: PersonReply, locale: str, name: tuple[str, str], number: int) -> None:
    goal = GOALS[locale][name]
    case, given_slots = goal.cases(SEED)[number], reply.slots if reply.kind in ("value", "choice") else ()
    slots = {slot.name: str(case[slot.name]) for slot in list_slots(goal, SEED)}
    own = " ".join(slots[slot] for slot in given_slots)
    rest = reply.text
    for slot in given_slots:
        assert slots[slot] in rest
        rest = rest.replace(slots[slot], "", 1)
    values = {str(one[slot]) for one in goal.cases(SEED) for slot in slots}
    assert not [value for value in values if value in rest and value not in own]
