"""Model agent of track 1: one query per task, or two if it first selects relevant earlier intents."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from fingertip_agents.moments import moment_prompt
from fingertip_agents.moments.moment_answer import read_moment
from fingertip_agents.own_agents import OWN_SUGGESTERS
from fingertip_agents.parsing.reading import LEFT_OUT
from fingertip_agents.prompts.placeholders import SUGGESTION_TERMS
from fingertip_agents.prompts.prompt_files import PromptFiles
from fingertip_agents.suggestion import relevant, suggestion_prompt
from fingertip_agents.suggestion.distribution_answer import read_distribution
from fingertip_agents.suggestion.intent_answer import read_intent
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import SuggestionInput
from fingertip_metrics.aggregate import sum_known
from fingertip_models.chat.chat_answer import CALLS_IN_FIELD, ModelAnswer
from fingertip_models.messages import Language, Message
from fingertip_models.model import Model, read_software

if TYPE_CHECKING:
    from fingertip_agents.setup import AgentSetup

_INTENT_KEY = re.compile(r'"[\w ]{0,30}intent[\w ]{0,30}":|"意图":', re.IGNORECASE)

ModelQuestion = tuple[Model, tuple[Message, ...]]
"""A model and its messages."""

Talk = Generator[ModelQuestion, ModelAnswer, Suggestion]
"""Yields each question, is sent its answer, and returns the suggestion; the caller queries the models."""


class ModelSuggester:
    """Agent that queries a model for the person's next intent.

    Args:
        model: Model; the agent never closes it.
        language: Language of the prompts; None for that of the model's options.
        distribution: Whether to request several intents with probabilities (A.6.5).
        relevant: Whether the model first selects relevant earlier intents and summarizes them (A.6.3); the
            task then has to show all of them.
        history_model: With `relevant`: another model for the selection; the agent never closes it either.
        files: Texts of the user's in place of our prompt; that of the selection stays ours.
        moments: Whether the tasks are moments: the answer is an intent or nothing, with the probability that
            the person wants something.

    Raises:
        UsageError: A history model without `relevant`, texts that do not show a task, or a distribution on
            moments.
    """

    name = "model"
    traits = OWN_SUGGESTERS["model"].traits

    def __init__(
        self,
        model: Model,
        language: Language | None = None,
        *,
        distribution: bool = False,
        relevant: bool = False,
        history_model: Model | None = None,
        files: PromptFiles | None = None,
        moments: bool = False,
    ) -> None:
        if history_model is not None and not relevant:
            raise UsageError(
                "a history model needs relevant=True (--history relevant): it has nothing to pick"
            )
        if moments and distribution:
            raise UsageError(
                "moments have one answer, an intent or nothing: leave out --distribution (distribution=True)"
            )
        self._moments = moments
        self._history_model = history_model
        self._model = model
        self._language: Language = language or model.options.language
        self._distribution = distribution
        self._relevant = relevant
        self._files = files
        if files is not None:
            suggestion_prompt.check_files(files, relevant=relevant)

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command.

        Raises:
            UsageError: The setup has no model.
        """
        from fingertip_models.model import open_model

        opened = setup.opened or open_model(setup.options_of_model(cls.name), preflight=setup.preflight)
        return cls(
            opened,
            distribution=setup.distribution,
            relevant=setup.relevant,
            history_model=setup.history_model,
            files=setup.prompt_files,
            moments=setup.moments,
        )

    @property
    def settings(self) -> Mapping[str, object]:
        """The model with its sampling settings, and the versions of our prompts; never an API key."""
        second = self._history_model
        return {
            **self._model.settings(),
            "language": self._language,
            "prompt": moment_prompt.VERSION if self._moments else suggestion_prompt.VERSION,
            "distribution": self._distribution,
            **({"moments": True} if self._moments else {}),
            "relevant": relevant.VERSION if self._relevant else None,
            **({} if second is None else {"history_model": dict(second.settings())}),
            **({} if self._files is None else describe_files(self._files)),
        }

    @property
    def model(self) -> Model:
        """The model, for a memory that asks one."""
        return self._model

    @property
    def software(self) -> Mapping[str, str]:
        """Software of the model and of a history model; see `read_software`."""
        second = read_software(self._history_model)
        return {
            **read_software(self._model),
            **{f"history model: {name}": text for name, text in second.items()},
        }

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """Predict the person's intent.

        Seconds and tokens are the sums over the model's answers; those of a history model are separate, in
        `history_answer`. The output of the selection query is kept in the reasoning; a selection that could
        not be parsed is noted in the outcome, as in "answered, selection unreadable". An answer that ended
        at the token limit has the outcome "cut", even if an intent could be read.

        Raises:
            ModelError: The model does not answer.
            InputError: A screenshot has to be scaled and is no picture.
            UsageError: The pixel limit is too small to be legible.
        """
        talk = self._talk(task_input)
        model, messages = next(talk)
        while True:
            answer = model.ask(messages)
            try:
                model, messages = talk.send(answer)
            except StopIteration as done:
                return _get_suggestion(done)

    async def suggest_async(self, task_input: SuggestionInput) -> Suggestion:
        """Asynchronous `suggest`, which does not block the event loop."""
        talk = self._talk(task_input)
        model, messages = next(talk)
        while True:
            answer = await model.ask_async(messages)
            try:
                model, messages = talk.send(answer)
            except StopIteration as done:
                return _get_suggestion(done)

    def _talk(self, task_input: SuggestionInput) -> Talk:
        answers: list[ModelAnswer] = []
        summary, readable = "", True
        if self._relevant and task_input.previous_intents:
            picker = self._history_model or self._model
            answers.append((yield picker, relevant.make_relevant_messages(task_input, self._language)))
            picked = relevant.read_relevant(answers[0].text, task_input.previous_intents)
            task_input = replace(task_input, previous_intents=picked.intents)
            summary, readable = picked.summary, picked.readable
        messages = suggestion_prompt.make_suggestion_messages(
            task_input,
            self._language,
            distribution=self._distribution,
            summary=summary,
            max_pixels=self._model.options.max_pixels,
            files=self._files,
            moments=self._moments,
        )
        answers.append((yield self._model, messages))
        return self._read(answers, readable=readable)

    def _read(self, answers: Sequence[ModelAnswer], *, readable: bool) -> Suggestion:
        return read_suggestion(
            answers,
            distribution=self._distribution,
            moments=self._moments,
            readable=readable,
            history_apart=self._history_model is not None,
        )


def describe_files(files: PromptFiles) -> dict[str, object]:
    """Describe texts of the user's for the record of a run: label, and what of equation (1) they show."""
    return {"prompt_text": files.label, "prompt_fields": files.describe_fields(SUGGESTION_TERMS)}


def read_suggestion(
    answers: Sequence[ModelAnswer],
    *,
    distribution: bool = False,
    moments: bool = False,
    readable: bool = True,
    history_apart: bool = False,
) -> Suggestion:
    """The suggestion in a model's answers.

    Args:
        answers: The answer to the prompt of `suggestion_prompt`, and before it that of the selection of
            earlier intents, if there was one.
        distribution: Whether several intents with probabilities were requested.
        moments: Whether an intent or nothing was requested, with the probability that one is wanted.
        readable: Whether the selection could be read.
        history_apart: Whether another model made the selection.
    """
    *before, last = answers
    text, beside = _find_own_text(last)
    alternatives: tuple[tuple[str, float], ...] = ()
    confidence = None
    if moments:
        moment = read_moment(text)
        intent, outcome, notes = moment.intent, moment.outcome, moment.notes
        confidence = moment.confidence
    elif distribution:
        several = read_distribution(text)
        intent, outcome, alternatives = several.intent, several.outcome, several.alternatives
        notes = several.notes
    else:
        one = read_intent(text)
        intent, outcome, notes = one.intent, one.outcome, one.notes
    apart = before[0] if before and history_apart else None
    own = [last] if apart else answers
    thoughts = [part for answer in before for part in (answer.reasoning, answer.text)]
    return Suggestion(
        text=intent,
        seconds=sum(answer.seconds for answer in own),
        prompt_tokens=sum_known([answer.prompt_tokens for answer in own]),
        completion_tokens=sum_known([answer.completion_tokens for answer in own]),
        output=last.text,
        reasoning="\n".join(filter(None, (*thoughts, last.reasoning))),
        outcome=("cut" if last.cut else outcome) + _describe_selection(before, readable=readable),
        calls=len(own),
        cached=all(answer.cached for answer in own),
        alternatives=alternatives,
        history_answer=apart,
        finish_reason=last.finish_reason,
        first_token_s=last.first_token_s,
        notes=tuple(f"server: {note}" for note in last.notes) + beside + notes,
        confidence=confidence,
    )


def _find_own_text(answer: ModelAnswer) -> tuple[str, tuple[str, ...]]:
    """Find the part of an answer that may be the intent, with a note on what is left out.

    A server's parser of tool calls puts a call beside the text that the model has written for the person. The
    text is the intent, unless the call names one.
    """
    text, tag, call = answer.text.partition("\n<tool_call>\n{")
    if CALLS_IN_FIELD not in answer.notes or not tag or not text.strip() or _INTENT_KEY.search(call):
        return answer.text, ()
    return text, (f"{LEFT_OUT}: the call beside the text",)


def _describe_selection(before: Sequence[ModelAnswer], *, readable: bool) -> str:
    """Suffix of the outcome for the selection of earlier intents; "" if there is none or it was readable."""
    if readable:
        return ""
    return ", selection cut" if any(answer.cut for answer in before) else ", selection unreadable"


def _get_suggestion(done: StopIteration) -> Suggestion:
    suggestion: Suggestion = done.value
    return suggestion
