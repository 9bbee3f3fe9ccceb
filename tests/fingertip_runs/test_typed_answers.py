from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fingertip_dataset.errors import UsageError
from fingertip_models.model import Model, open_model
from fingertip_models.options import ModelOptions
from fingertip_runs.typed_answers import (
    TypedAnswers,
    describe_person,
    measure_agreement,
    query_model,
    query_terminal,
)
from simulated_phone.apps import list_apps
from simulated_phone.dialogue.knowledge import Source
from simulated_phone.dialogue.person_answers import PersonAnswers
from simulated_phone.dialogue.question_words import read_slot_words
from simulated_phone.dialogue.reply import PersonReply
from simulated_phone.goals.app_definition import Goal

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer, ReceivedRequest
    from tests.shared_fixtures import PersonReply as ServerReply

SEED = 7
PROFILE = ("female", "teacher")
GOALS: Mapping[tuple[str, str, str], Goal] = {
    (locale, app.english, goal.name): goal
    for locale in ("en", "zh")
    for app in list_apps(locale)
    for goal in app.goals
}
SEEN = Path(__file__).parents[2] / "phone" / "tests" / "simulated_phone" / "dialogue" / "seen_questions.toml"


Script = Callable[[str, str], str]
"""What a model or people say, given the description of the person and the question."""


@pytest.fixture
def model(openai_server: OpenAIServer) -> Iterator[Model]:
    opened = open_model(ModelOptions(model="tiny-1", base_url=openai_server.base_url))
    yield opened
    opened.close()


@pytest.fixture
def answer_with(openai_server: OpenAIServer, model: Model) -> Callable[..., TypedAnswers]:
    """Makes who answers by a model that follows a script."""

    def make(script: Script, person: PersonAnswers | None = None) -> TypedAnswers:
        def reply(query: ReceivedRequest) -> ServerReply:
            description, _, question = query.body["messages"][-1]["content"].rpartition("\n\n")
            return openai_server.says(script(description, question))

        openai_server.replies = reply
        return TypedAnswers(person=person or make_person(), profile=PROFILE, write=query_model(model))

    return make


def make_person(
    locale: str = "en",
    app: str = "Food",
    name: str = "order_drink",
    sources: Mapping[str, Source] | None = None,
    patience: int = 9,
) -> PersonAnswers:
    goal = GOALS[locale, app, name]
    case = goal.cases(SEED)[0]
    return PersonAnswers(
        goal=goal, case=case, sources=sources or {}, locale=locale, seed=SEED, patience=patience
    )


def read_some_questions(number: int) -> Iterator[tuple[str, str, str, str, list[str]]]:
    """Questions spread over the goals: language, app, goal, question, slots."""
    table = tomllib.loads(SEEN.read_text(encoding="utf-8"))
    rows = [
        (locale, app, goal, text, slots.split())
        for app, goals in table.items()
        for goal, locales in goals.items()
        for locale, questions in locales.items()
        for text, slots in questions.items()
    ]
    return islice(iter(rows[:: len(rows) // number]), number)


def script_answer(locale: str, slots: Sequence[str], form: str) -> Script:
    """What somebody says who understands which slots are asked for, and finds their values above."""

    def script(description: str, question: str) -> str:
        values = []
        for slot in slots:
            noun = re.escape(read_slot_words(slot, locale).nouns[0])
            found = re.search(rf"^- {noun}[:：] ?(.*)$", description, flags=re.MULTILINE)
            values.append(found[1] if found else "?")
        return form.format(", ".join(values))

    return script


def test_rule_model_and_people_agree_on_a_hundred_questions(
    answer_with: Callable[..., TypedAnswers], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_rule, by_model, by_hand = [], [], []
    for locale, app, goal, text, slots in read_some_questions(100):
        by_rule.append(make_person(locale, app, goal).answer(text))
        model = answer_with(script_answer(locale, slots, "{0}."), make_person(locale, app, goal))
        by_model.append(model.answer(text))
        person = make_person(locale, app, goal)
        typed = script_answer(locale, slots, "hm {0}" if locale == "en" else "嗯嗯{0}吧")
        description = describe_person(person, PROFILE)
        monkeypatch.setattr("sys.stdin", io.StringIO(typed(description, text) + "\n"))
        by_hand.append(TypedAnswers(person=person, profile=PROFILE, write=query_terminal).answer(text))
    assert len(by_rule) == 100
    agreement = {
        "rule and model": measure_agreement(by_rule, by_model),
        "rule and people": measure_agreement(by_rule, by_hand),
        "model and people": measure_agreement(by_model, by_hand),
    }
    assert min(agreement.values()) >= 0.95, agreement


def test_agreement_counts_what_replies_give_and_not_their_words() -> None:
    gives = PersonReply(kind="value", text="Half sugar", slots=("sugar",))
    chooses = PersonReply(kind="choice", text="half sugar please", slots=("sugar",))
    other = PersonReply(kind="value", text="Less ice", slots=("ice",))
    yes, no = PersonReply(kind="yes", text="Yes"), PersonReply(kind="no", text="No", slots=("ice",))
    assert measure_agreement([gives, yes, no, gives], [chooses, yes, yes, other]) == 0.5
    assert measure_agreement([], []) == 0.0
    with pytest.raises(ValueError, match="zip"):
        measure_agreement([yes], [])


def test_a_description_has_the_task_and_what_the_assistant_can_know() -> None:
    text = describe_person(make_person(sources={"sugar": "history", "ice": "ask"}), PROFILE)
    assert "You: female, teacher" in text
    assert "- sugar: Half sugar (the assistant can know this)" in text
    assert "- ice: Less ice\n" in text + "\n"
    assert "芋泥波波奶茶" in describe_person(make_person("zh"), PROFILE)


@pytest.mark.parametrize(
    ("question", "typed", "kind", "slots"),
    [
        ("Which sugar level?", "Half sugar please", "value", "sugar"),
        ("Half sugar or no sugar?", "half sugar", "choice", "sugar"),
        ("Shall I order it?", "Yes, do it", "yes", ""),
        ("Is it half sugar?", "Yes", "yes", "sugar"),
        ("Is it no sugar?", "No", "no", ""),
        ("Is it no sugar?", "No, half sugar", "value", "sugar"),
        ("Which shop?", "You know that", "you_know_that", ""),
        ("What is your password?", "I don't understand", "not_understood", ""),
        ("Which shop?", "", "not_understood", ""),
    ],
)
def test_typed_replies_are_read_by_rule(
    answer_with: Callable[..., TypedAnswers], question: str, typed: str, kind: str, slots: str
) -> None:
    reply = answer_with(lambda _description, _question: typed).answer(question)
    assert (reply.kind, set(reply.slots)) == (kind, set(slots.split()))


def test_a_wrong_value_of_a_model_is_withheld_and_counted(answer_with: Callable[..., TypedAnswers]) -> None:
    answers = answer_with(lambda _description, question: "No sugar" if "sugar" in question else "Less ice")
    assert answers.wrong_share == 0.0
    withheld = answers.answer("Which sugar level?")
    assert (withheld.kind, withheld.slots) == ("not_understood", ())
    assert "No sugar" not in withheld.text
    assert answers.answer("How much ice?").text == "Less ice"
    assert (answers.withheld, answers.replies, answers.wrong_share) == (1, 2, 0.5)


def test_a_model_is_as_patient_as_the_person_and_is_not_asked_empty_or_long_questions(
    answer_with: Callable[..., TypedAnswers],
) -> None:
    answers = answer_with(lambda _description, _question: "Less ice", make_person(patience=3))
    kinds = [
        answers.answer(question).kind for question in ("", "x" * 10_000, "How much ice?", "How much ice?")
    ]
    assert kinds == ["not_understood", "not_understood", "value", "out_of_patience"]
    assert answers.replies == 1


def test_the_end_of_standard_input_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(UsageError, match="answer at a terminal"):
        query_terminal("You want tea", "Which tea?")
