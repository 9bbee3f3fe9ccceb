from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from fingertip_cli.options.dialogue_options import add_answered_by, make_answers
from fingertip_dataset.errors import UsageError
from fingertip_runs.instructed_tasks import InstructedTasks
from fingertip_runs.task_answerers import PeopleByRule
from fingertip_runs.typed_answers import PeopleByTyping
from simulated_phone.dialogue.dialogue_kinds import AnsweredBy

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer


@click.command()
@add_answered_by
def who(answered_by: AnsweredBy | None) -> None:
    """Print who answers."""
    tasks = InstructedTasks(level="no_arguments", answered_by=answered_by, tasks={})
    made = make_answers(tasks)
    if isinstance(made, PeopleByTyping):
        click.echo(made.write("You want tea.", "Which tea?"))
    click.echo(type(made).__name__)


def call_who(*options: str, typed: str = "") -> str:
    return CliRunner().invoke(who, options, input=typed, catch_exceptions=False).output


def test_nobody_and_the_person_by_rule() -> None:
    assert call_who() == "NoneType\n"
    assert call_who("--answered-by", "simulated") == f"{PeopleByRule.__name__}\n"


def test_people_answer_at_the_terminal() -> None:
    shown = call_who("--answered-by", "human", typed="Green tea\n")
    assert shown.splitlines() == ["You want tea.", "", "Which tea?", "> Green tea", PeopleByTyping.__name__]


def test_a_model_answers_behind_any_endpoint(openai_server: OpenAIServer) -> None:
    openai_server.replies = lambda query: openai_server.says("Green tea\nor so")
    endpoint = ("--answer-model", "tiny-1", "--answer-base-url", openai_server.base_url)
    assert call_who("--answered-by", "model", *endpoint).splitlines() == [
        "Green tea",
        PeopleByTyping.__name__,
    ]
    assert "Which tea?" in openai_server.requests[-1].body["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (
            ("--answered-by", "model"),
            "--answered-by model needs --answer-model NAME and --answer-base-url URL",
        ),
        (("--answered-by", "model", "--answer-model", "tiny-1"), "--answer-base-url URL"),
        (("--answered-by", "human", "--answer-model", "tiny-1"), "need --answered-by model"),
        (("--answer-base-url", "http://127.0.0.1:1/v1"), "need --answered-by model"),
    ],
)
def test_options_that_do_not_go_together_are_named(options: tuple[str, ...], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        call_who(*options)
