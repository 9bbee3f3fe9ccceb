"""A model as an agent of track 1, over a real HTTP server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from fingertip_agents.suggestion import relevant, suggestion_prompt
from fingertip_agents.suggestion.model_suggester import ModelSuggester
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.errors import ModelError, UsageError
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_models.chat.chat_client import ChatClient
from fingertip_models.options import ModelOptions

if TYPE_CHECKING:
    from conftest import OpenAIServer

PICKED = '{"numbers": [3, 1], "summary": "晚上听歌"}'


@pytest.fixture
def client(openai_server: OpenAIServer) -> Iterator[ChatClient]:
    options = ModelOptions(base_url=openai_server.base_url, model="tiny", language="en", retries=0)
    with ChatClient(options) as client:
        yield client


@pytest.fixture
def shown_text(morning: SuggestionInput) -> SuggestionInput:
    return replace(morning, screenshots=(b"\x89PNG\r\n\x1a\n first",))


def query(openai_server: OpenAIServer) -> list[Any]:
    return [request.body["messages"][-1]["content"] for request in openai_server.requests]


def test_one_question_and_nothing_of_the_answer_is_lost(
    openai_server: OpenAIServer, client: ChatClient, shown_text: SuggestionInput
) -> None:
    output = "**意图：** 打开QQ音乐，播放晴天\n理由：\x07习惯"
    openai_server.play(openai_server.says(output, reasoning_content="早上八点"))
    answer = ModelSuggester(client, "zh").suggest(shown_text)
    assert answer.seconds > 0
    assert answer == Suggestion(
        calls=1,
        text="打开QQ音乐，播放晴天",
        seconds=answer.seconds,
        prompt_tokens=700,
        completion_tokens=20,
        output=output,
        reasoning="早上八点",
        outcome="long",
        finish_reason="stop",
        notes=("left_out: other sentences",),
    )
    (content,) = query(openai_server)
    assert [part["type"] for part in content] == ["image_url", "text"]
    assert content[-1]["text"] == suggestion_prompt.make_suggestion_messages(shown_text, "zh")[1].text


def test_the_language_is_the_models_unless_another_is_given(
    openai_server: OpenAIServer, client: ChatClient, shown_text: SuggestionInput
) -> None:
    suggester = ModelSuggester(client)
    suggester.suggest(shown_text)
    assert "# Owner of the phone" in query(openai_server)[0][-1]["text"]
    assert suggester.settings["language"] == "en"
    assert ModelSuggester(client, "zh").settings["language"] == "zh"


def test_a_distribution_has_alternatives(
    openai_server: OpenAIServer, client: ChatClient, shown_text: SuggestionInput
) -> None:
    openai_server.play(openai_server.says('{"打车": 0.5, "听歌": 1.5}'), openai_server.says("听歌"))
    suggester = ModelSuggester(client, distribution=True)
    first, second = suggester.suggest(shown_text), suggester.suggest(shown_text)
    assert (first.text, first.outcome, first.alternatives) == (
        "听歌",
        "answered",
        (("听歌", 0.75), ("打车", 0.25)),
    )
    assert (second.text, second.outcome, second.alternatives) == ("听歌", "unreadable distribution", ())


def test_the_relevant_intents_are_picked_first_and_both_calls_count(
    openai_server: OpenAIServer, client: ChatClient, shown_text: SuggestionInput
) -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 3}
    openai_server.play(
        openai_server.says(PICKED, usage=usage, reasoning_content="想"), openai_server.says("听歌")
    )
    answer = ModelSuggester(client, "zh", relevant=True).suggest(shown_text)
    assert (answer.text, answer.output, answer.outcome) == ("听歌", "听歌", "answered")
    assert (answer.calls, answer.prompt_tokens, answer.completion_tokens) == (2, 705, 23)
    assert answer.reasoning == f"想\n{PICKED}"
    first, second = query(openai_server)
    assert first == relevant.make_relevant_messages(shown_text, "zh")[1].text
    assert "麻辣烫" not in second[-1]["text"]
    assert second[-1]["text"].index("晴天") < second[-1]["text"].index("稻香")
    assert '# 对以前意图的概括\n"晚上听歌"\n' in second[-1]["text"]


def test_a_history_model_picks_and_its_usage_stands_apart(
    openai_server: OpenAIServer, client: ChatClient, shown_text: SuggestionInput
) -> None:
    openai_server.replies = lambda query: openai_server.says(
        PICKED if query.body["model"] == "picker" else "听歌"
    )
    with ChatClient(ModelOptions(base_url=openai_server.base_url, model="picker")) as picker:
        suggester = ModelSuggester(client, "zh", relevant=True, history_model=picker)
        answer = suggester.suggest(shown_text)
        with pytest.raises(UsageError, match="--history relevant"):
            ModelSuggester(client, history_model=picker)
    assert [request.body["model"] for request in openai_server.requests] == ["picker", "tiny"]
    assert (answer.calls, answer.prompt_tokens, answer.reasoning) == (1, 700, PICKED)
    assert answer.history_answer is not None
    assert answer.history_answer.text == PICKED
    assert answer.seconds > 0
    settings = suggester.settings["history_model"]
    assert isinstance(settings, dict)
    assert settings["model"] == "picker"


@pytest.mark.parametrize("distribution", [False, True])
@pytest.mark.parametrize(
    ("content", "text"), [("", ""), ("打开微信", "打开微信"), ("打开微信。然后打", None)]
)
def test_an_answer_that_the_limit_ended_is_cut(
    openai_server: OpenAIServer,
    client: ChatClient,
    shown_text: SuggestionInput,
    distribution: bool,
    content: str,
    text: str | None,
) -> None:
    reply = openai_server.says(content, reasoning_content="想了又想")
    reply.body["choices"][0]["finish_reason"] = "length"
    openai_server.play(reply)
    answer = ModelSuggester(client, distribution=distribution).suggest(shown_text)
    assert (answer.outcome, answer.finish_reason, answer.output) == ("cut", "length", content)
    assert text is None or answer.text == text


@pytest.mark.parametrize(
    ("selection", "finish", "outcome"),
    [
        ('{"numb', "length", "wrapped, selection cut"),
        ("都很相关", "stop", "wrapped, selection unreadable"),
    ],
)
def test_a_selection_without_numbers_is_named_and_kept_in_the_reasoning(
    openai_server: OpenAIServer,
    client: ChatClient,
    shown_text: SuggestionInput,
    selection: str,
    finish: str,
    outcome: str,
) -> None:
    reply = openai_server.says(selection)
    reply.body["choices"][0]["finish_reason"] = finish
    openai_server.play(reply, openai_server.says("“听歌”", usage={"prompt_tokens": 1}))
    answer = ModelSuggester(client, relevant=True).suggest(shown_text)
    assert (answer.text, answer.outcome) == ("听歌", outcome)
    assert (answer.reasoning, answer.prompt_tokens, answer.completion_tokens) == (selection, 701, None)
    assert "麻辣烫" in query(openai_server)[1][-1]["text"]


def test_without_earlier_intents_there_is_nothing_to_pick(
    openai_server: OpenAIServer, client: ChatClient, shown_text: SuggestionInput
) -> None:
    answer = ModelSuggester(client, relevant=True).suggest(replace(shown_text, previous_intents=()))
    assert (answer.calls, answer.outcome, len(openai_server.requests)) == (1, "answered", 1)


def test_awaited_answers_are_the_same(
    openai_server: OpenAIServer, client: ChatClient, shown_text: SuggestionInput
) -> None:
    openai_server.replies = lambda query: openai_server.says(
        PICKED if query.text.endswith("？") and "相关" in query.text else f"听歌{len(query.text)}"
    )
    suggester = ModelSuggester(client, "zh", relevant=True)
    tasks = [replace(shown_text, scenario=place) for place in ("住所", "学校", "办公场所", "")]

    async def all_at_once() -> list[Suggestion]:
        return await asyncio.gather(*(suggester.suggest_async(task) for task in tasks))

    awaited = [replace(answer, seconds=0) for answer in asyncio.run(all_at_once())]
    assert awaited == [replace(suggester.suggest(task), seconds=0) for task in tasks]
    assert {answer.calls for answer in awaited} == {2}


def test_a_failure_is_a_model_error(
    openai_server: OpenAIServer, client: ChatClient, shown_text: SuggestionInput
) -> None:
    openai_server.play(openai_server.Reply(status=400, body={"error": {"message": "no"}}))
    with pytest.raises(ModelError, match=r"tiny at .* did not answer"):
        ModelSuggester(client).suggest(shown_text)
    with pytest.raises(ModelError, match=r"tiny at .* did not answer"):
        asyncio.run(ModelSuggester(client, relevant=True).suggest_async(shown_text))


def test_the_settings_contain_model_and_prompts(client: ChatClient) -> None:
    plain = dict(ModelSuggester(client).settings)
    assert plain["model"] == "tiny"
    assert plain["prompt"] == suggestion_prompt.VERSION
    assert (plain["distribution"], plain["relevant"]) == (False, None)
    whole = dict(ModelSuggester(client, distribution=True, relevant=True).settings)
    assert (whole["distribution"], whole["relevant"]) == (True, relevant.VERSION)
    assert json.loads(json.dumps(whole)) == whole


@pytest.mark.parametrize(
    ("text", "function", "intent"),
    [
        ("打开微信，给妈妈发消息", {"name": "get_time", "arguments": "{}"}, "打开微信，给妈妈发消息"),
        (
            "打开微信，给妈妈发消息",
            {"name": "mobile_use", "arguments": '{"action": "click"}'},
            "打开微信，给妈妈发消息",
        ),
        ("I call the tool.", {"name": "predict", "arguments": '{"intent": "打开微信"}'}, "打开微信"),
        (None, {"name": "predict", "arguments": '{"intent": "打开微信"}'}, "打开微信"),
    ],
)
def test_a_text_beside_a_call_is_the_intent(
    openai_server: OpenAIServer,
    client: ChatClient,
    shown_text: SuggestionInput,
    text: str | None,
    function: dict[str, str],
    intent: str,
) -> None:
    openai_server.play(openai_server.says(text, tool_calls=[{"function": function}]))
    answer = ModelSuggester(client, "zh").suggest(shown_text)
    assert answer.text == intent
    assert answer.notes[0].startswith("server: the call came in the field tool_calls")
    beside = "left_out: the call beside the text" in answer.notes
    assert beside == (intent == text)
