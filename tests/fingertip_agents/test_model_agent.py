"""A model as an agent of track 2: what a decision holds of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.model_agent import ModelAgent
from fingertip_agents.parsing.reading import Prepared, Reading, WrittenAnswer
from fingertip_agents.prompts.given_prompt import GivenPrompt
from fingertip_agents.prompts.prompt_text import PromptText
from fingertip_agents.registry import make_format
from fingertip_dataset.actions import Finished, Wait, format_action, parse_action
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import ActionSyntaxError, ModelError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.messages import Language, Message
from fingertip_models.options import ModelOptions

if TYPE_CHECKING:
    from tests.shared_fixtures import OpenAIServer

TASK = ExecutionInput(
    task_id="1", profile=UserProfile(), intent="买咖啡", app="com.app", time=datetime(2025, 5, 1, tzinfo=UTC),
    scenario="家", reference=None,
)  # fmt: skip
SCREEN = ScreenInput(screenshot=b"\x89PNG\r\n\x1a\n", tree=None, size=(1080, 2400), package="com.app")


class Bare:
    """The shortest format there can be: the intent and the screenshot, and the answer as an action."""

    name = "bare"
    version = "3"
    settings: Mapping[str, object] = MappingProxyType({"max_pixels": 784_000})

    def prepare(
        self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep], language: Language
    ) -> Prepared:
        shown_text = f"{language} {task_input.intent} {len(past)}"
        return Prepared(
            messages=(Message(role="user", text=shown_text, images=(screen.screenshot,)),),
            parse=self.read,
            write=lambda actions: WrittenAnswer(text=format_action(actions[0])),
        )

    @staticmethod
    def read(output: str) -> Reading:
        thought, _, action = output.rpartition("|")
        try:
            return Reading(actions=(parse_action(action),), thought=thought)
        except ActionSyntaxError as error:
            return Reading(problem=str(error), thought=thought)


@pytest.fixture
def agent(openai_server: OpenAIServer) -> Iterator[ModelAgent]:
    options = ModelOptions(base_url=openai_server.base_url, model="tiny", language="en", retries=1, seed=3)
    with ChatClient(options, backoff_s=0.01) as client:
        yield ModelAgent(Bare(), client)


def test_a_decision_holds_the_whole_answer(openai_server: OpenAIServer, agent: ModelAgent) -> None:
    openai_server.play(openai_server.says("<think>渴</think>\n口渴|finished()"))
    past = PastStep(action=Finished(), written="finished()", output="")
    decision = agent.act(TASK, SCREEN, [past])
    assert decision.output == "口渴|finished()"
    assert decision.actions == (Finished(),)
    assert decision.problem is None
    assert decision.thought == "渴\n口渴"
    assert (decision.prompt_tokens, decision.completion_tokens, decision.queries) == (700, 20, 1)
    assert 0 < decision.seconds < 60
    picture, text = openai_server.requests[0].body["messages"][0]["content"]
    assert text["text"] == "en 买咖啡 1"
    assert picture["image_url"]["url"].startswith("data:image/png;base64,")


@pytest.mark.parametrize("output", ["", "好的，我来点咖啡", "click(", "\x1b[2J", "从前" * 10_000])
def test_an_unparsable_output_is_kept_with_its_problem(
    openai_server: OpenAIServer, agent: ModelAgent, output: str
) -> None:
    openai_server.play(openai_server.says(output, usage={}))
    decision = agent.act(TASK, SCREEN, [])
    assert (decision.output, decision.actions) == (output, ())
    assert decision.problem is not None
    assert decision.problem.startswith("expected")
    assert (decision.prompt_tokens, decision.completion_tokens) == (None, None)


def test_a_cut_answer_is_named_in_the_problem(openai_server: OpenAIServer, agent: ModelAgent) -> None:
    reply = openai_server.says("click(coordina")
    reply.body["choices"][0]["finish_reason"] = "length"
    openai_server.play(reply)
    problem = agent.act(TASK, SCREEN, []).problem
    assert problem is not None
    assert problem.endswith("; the answer was cut at the limit of tokens")


def test_a_server_that_fails_is_an_error_of_the_agent(openai_server: OpenAIServer, agent: ModelAgent) -> None:
    openai_server.play(openai_server.Reply(status=500, body=b"oops"))
    with pytest.raises(ModelError, match="did not answer: status 500: oops after 2 attempts"):
        agent.act(TASK, SCREEN, [])


def test_the_runs_log_names_format_prompt_and_model(openai_server: OpenAIServer, agent: ModelAgent) -> None:
    assert agent.name == "bare"
    assert agent.settings == {
        "format": "bare",
        "prompt": "3",
        "base_url": openai_server.base_url,
        "model": "tiny",
        "language": "en",
        "temperature": 0.0,
        "seed": 3,
        "max_tokens": 8192,
        "max_pixels": 784_000,
    }


@pytest.mark.parametrize(
    ("name", "notes"),
    [("qwen3.5", ()), ("qwen3-vl", ("server: the call was written as XML, and was converted to JSON",))],
)
def test_xml_is_no_news_from_a_model_that_is_asked_for_it(
    openai_server: OpenAIServer, blank_screenshot: bytes, name: str, notes: tuple[str, ...]
) -> None:
    call = "<tool_call><function=mobile_use><parameter=action>wait</parameter></function></tool_call>"
    openai_server.replies = lambda _: openai_server.says(call)
    options = ModelOptions(base_url=openai_server.base_url, model="tiny-1")
    with ChatClient(options, preflight=False) as client:
        prompted = GivenPrompt(format=make_format(name), system=PromptText(name="s.txt", text="Tap."))
        for form in (make_format(name), prompted):
            decision = ModelAgent(form, client).act(TASK, replace(SCREEN, screenshot=blank_screenshot), ())
            assert decision.actions == (Wait(),)
            assert decision.notes == notes
