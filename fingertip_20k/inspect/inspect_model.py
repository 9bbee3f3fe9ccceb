"""Inspect's model in the place of ours: our messages in Inspect's types, and its output as our answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import inspect_ai
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    Model,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.util import LimitExceededError

from fingertip_dataset.errors import ModelError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_models.chat.chat_answer import ModelAnswer, count, find_text, whole
from fingertip_models.chat.request import make_data_uri, merge_system
from fingertip_models.chat.tool_calls import ToolCall
from fingertip_models.thinking import split_thinking

if TYPE_CHECKING:
    from fingertip_models.messages import Language, Message
    from fingertip_models.options import ModelOptions

FINISH = {"max_tokens": "length", "model_length": "length", "unknown": None}
"""Inspect's stop reasons -> the finish reasons of OpenAI, where they differ."""


def chat_messages(options: ModelOptions, messages: Sequence[Message]) -> list[ChatMessage]:
    """Our messages as Inspect's, with the pictures before the text as in our own requests.

    Args:
        options: Options of the model; its `system_role` is applied.
        messages: The messages.

    Raises:
        InputError: An image is neither PNG, JPEG, GIF nor WebP.
    """
    return [_make_chat_message(message) for message in merge_system(options, messages)]


def _make_chat_message(message: Message) -> ChatMessage:
    text = whole(message.text)
    if message.role == "system":
        return ChatMessageSystem(content=text)
    if message.role == "assistant":
        return ChatMessageAssistant(content=text)
    if not message.images:
        return ChatMessageUser(content=text)
    pictures: list[Content] = [ContentImage(image=make_data_uri(image)) for image in message.images]
    words: list[Content] = [ContentText(text=text)] if text else []
    return ChatMessageUser(content=[*words, *pictures] if message.images_last else [*pictures, *words])


def ask_model(output: ModelOutput) -> ModelAnswer:
    """The answer of a model of Inspect, read as one of our own client.

    Its seconds are those that Inspect measured, retries within the provider included.
    """
    choice = output.choices[0] if output.choices else None
    content = choice.message.content if choice else ""
    thoughts = [part.reasoning for part in content if isinstance(part, ContentReasoning)] if content else []
    split = split_thinking(whole(choice.message.text if choice else ""))
    stop = choice.stop_reason if choice else "unknown"
    text, _, notes = find_text(split, "", _list_calls(choice.message if choice else None))
    return ModelAnswer(
        text=text,
        notes=notes,
        reasoning="\n".join(
            part for part in (*(whole(thought).strip() for thought in thoughts), split.thought) if part
        ),
        seconds=output.time or 0.0,
        prompt_tokens=_count_prompt_tokens(output.usage),
        completion_tokens=(count(output.usage.output_tokens) or None) if output.usage else None,
        model=output.model,
        attempts=1,
        finish_reason=FINISH.get(stop, stop),
        reasoning_tokens=count(output.usage.reasoning_tokens) if output.usage else None,
    )


def _list_calls(message: ChatMessageAssistant | None) -> list[ToolCall]:
    """The calls that Inspect's reader of a provider has taken out of the text."""
    calls = (message.tool_calls if message else None) or ()
    return [ToolCall(name=call.function, arguments=call.arguments) for call in calls]


def _count_prompt_tokens(usage: ModelUsage | None) -> int | None:
    """All tokens of the prompt: Inspect counts cached ones apart, OpenAI's servers do not."""
    if usage is None:
        return None
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return count(usage.input_tokens + cached) or None


class StopAttempt(BaseException):
    """Ends an attempt in a worker thread: no error of the agent, which would be tried again."""


class InspectModel:
    """A model of Inspect as a `fingertip_models.Model`, for agents that run in a worker thread of anyio.

    Its queries are Inspect's: they count against the sample's limits and stand in its transcript.

    Args:
        model: Inspect's model.
        options: What our prompts need of it: language, pixels, system role; and what is recorded.
    """

    def __init__(self, model: Model, options: ModelOptions) -> None:
        self._model = model
        self._stopped = False
        self.options = options

    @property
    def name(self) -> str:
        """Inspect's name of the model."""
        return str(self._model)

    def stop(self) -> None:
        """Makes further queries of a worker thread end it: Inspect has cancelled the sample."""
        self._stopped = True

    def settings(self) -> Mapping[str, object]:
        """Settings for the record of a run: Inspect's model in place of an endpoint."""
        ours = {name: value for name, value in self.options.settings().items() if name != "base_url"}
        return {**ours, "model": self.name, "api": f"inspect_ai {inspect_ai.__version__}"}

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model from a worker thread.

        Raises:
            ModelError: The model's content filter left no text, or Inspect's provider failed.
            StopAttempt: The sample was cancelled, or is at a limit of Inspect's.
        """
        from anyio import from_thread

        if self._stopped:
            raise StopAttempt
        request = chat_messages(self.options, messages)
        try:
            output = from_thread.run(self._model.generate, request)
        except LimitExceededError as error:
            raise StopAttempt from error
        return _check_options(self.name, ask_model(output))

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        """Query the model from Inspect's event loop."""
        request = chat_messages(self.options, messages)
        return _check_options(self.name, ask_model(await self._model.generate(request)))

    def close(self) -> None:
        """Nothing: Inspect closes its models."""


def _check_options(model: str, answer: ModelAnswer) -> ModelAnswer:
    if answer.refusal:
        raise ModelError(f"{model} did not answer: {answer.refusal}")
    return answer


def choose_language(dataset: str, language: str | None) -> Language:
    """Choose the language of prompts: the given one, or else that of the dataset.

    Raises:
        DatasetError: No language is given, and the dataset cannot be read.
    """
    if language is not None:
        return cast("Language", language)
    return BuiltDataset.open(Path(dataset)).manifest.settings.prompt_language


def parse_text_list(value: object, name: str) -> tuple[str, ...]:
    """A value of `-T NAME=A,B`, which Inspect gives as one text or as a list.

    Raises:
        UsageError: It is neither.

    >>> [parse_text_list(words, "users") for words in ("profile,time", ["a"], "")]
    [('profile', 'time'), ('a',), ()]
    """
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list | tuple):
        return tuple(str(part) for part in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return (str(value),)
    raise UsageError(f"expected -T {name}=A,B, got {value!r}")
