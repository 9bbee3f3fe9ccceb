"""Model agent of track 2: a prompt and output format with a chat client."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.parsing.questions import read_with_questions
from fingertip_agents.parsing.reading import Prepared, Reading, is_completed
from fingertip_agents.traits import AgentTraits
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_models.chat.chat_answer import CALL_IN_XML, ModelAnswer
from fingertip_models.messages import Language
from fingertip_models.model import Model, read_software


class Format(Protocol):
    """Prompt and output format of an agent."""

    @property
    def name(self) -> str:
        """Name of the agent."""

    @property
    def traits(self) -> AgentTraits:
        """Declared traits, such as how answers are read."""

    @property
    def version(self) -> str:
        """Version of our prompt."""

    @property
    def settings(self) -> Mapping[str, object]:
        """Other settings of prompts and parsing; they override model options of the same name."""

    def prepare(
        self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep], language: Language
    ) -> Prepared:
        """Prepare the messages for this screen and the reader of the answer."""


class ModelAgent:
    """Agent that queries a model once per screen.

    Args:
        format: The agent's prompt and output format.
        client: The model; the agent never closes it.
    """

    def __init__(self, format: Format, client: Model) -> None:
        self._format = format
        self._client = client

    @property
    def name(self) -> str:
        """The format's name."""
        return self._format.name

    @property
    def traits(self) -> AgentTraits:
        """Traits of the format."""
        return self._format.traits

    @property
    def settings(self) -> Mapping[str, object]:
        """Format, version of the prompt, the model with its sampling, and the format's own settings."""
        return {
            "format": self._format.name,
            "prompt": self._format.version,
            **self._client.settings(),
            **self._format.settings,
        }

    @property
    def model(self) -> Model:
        """The model, for a memory that asks one."""
        return self._client

    @property
    def software(self) -> Mapping[str, str]:
        """Software of the model; see `read_software`."""
        return read_software(self._client)

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """Query the model once; an output that cannot be parsed is kept, with its problem.

        Raises:
            ModelError: The model does not answer.
        """
        begun = time.perf_counter()
        prepared = self._format.prepare(task_input, screen, past, self._client.options.language)
        own = time.perf_counter() - begun
        answer = self._client.ask(prepared.messages)
        begun = time.perf_counter()
        reading = _refuse_cut(_read(prepared, answer, can_ask=task_input.can_ask), answer)
        own += time.perf_counter() - begun
        return Decision(
            output=answer.text,
            actions=reading.actions,
            raw=reading.raw,
            problem=_describe_problem(reading, answer),
            thought="\n".join(part for part in (answer.reasoning, reading.thought) if part),
            notes=(*self._list_server_notes(answer), *reading.notes),
            seconds=own + answer.seconds,
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            queries=1,
        )

    def _list_server_notes(self, answer: ModelAnswer) -> Iterator[str]:
        """Yield what the client noted, without the XML that the prompt itself asks for."""
        usual = list_usual_notes(self._format)
        for note in answer.notes:
            if note not in usual:
                yield f"server: {note}"


def list_usual_notes(format: Format) -> tuple[str, ...]:
    """List the notes of a client that are no news for a format: XML, where its own prompt asks for that."""
    return (CALL_IN_XML,) if getattr(format, "xml_calls", False) else ()


def _read(prepared: Prepared, answer: ModelAnswer, *, can_ask: bool) -> Reading:
    return read_with_questions(answer.text, prepared.read) if can_ask else prepared.read(answer.text)


def _refuse_cut(reading: Reading, answer: ModelAnswer) -> Reading:
    """The reading, or a refusal if it completes what the token limit has cut: more than that is missing."""
    if not answer.cut or not is_completed(reading.notes):
        return reading
    return Reading(problem="expected the end of the call, got none", thought=reading.thought)


def _describe_problem(reading: Reading, answer: ModelAnswer) -> str | None:
    """The parsing problem, with a note if the token limit cut the answer and so may be the cause."""
    if reading.problem is None or not answer.cut:
        return reading.problem
    return f"{reading.problem}; the answer was cut at the limit of tokens"
