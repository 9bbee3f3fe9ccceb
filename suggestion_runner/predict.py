"""Query an agent for one task; the answer becomes a log line, any failure a one-line error."""

from __future__ import annotations

from numbers import Real
from typing import Any, Protocol

from pydantic import ValidationError

from fingertip_agents.agent_crash import describe_crash
from fingertip_agents.suggestion.suggestion_agent import SILENT, Suggestion, SuggestionAgent
from fingertip_dataset.errors import FingerTipError, ModelError, PreflightError
from fingertip_dataset.tasks.task import SuggestionInput, SuggestionTask
from fingertip_models.batch_files import Waiting
from fingertip_models.chat.chat_answer import ModelAnswer, whole
from fingertip_models.failure_streak import FailureStreak
from suggestion_runner.suggestion_records import HistoryUsage, Prediction

MOST_REASON = 100
"""Maximum number of characters of a finish reason that are kept."""

RESUME = "the same call resumes from here"
"""End of the message of a run that stops."""


class AsyncSuggestionAgent(SuggestionAgent, Protocol):
    """An agent that answers many tasks concurrently in one event loop."""

    async def suggest_async(self, task_input: SuggestionInput) -> Suggestion:
        """The suggestion for one task, as `suggest` returns it."""


def predict(agent: SuggestionAgent, task: SuggestionTask, *, distribution: bool = False) -> Prediction:
    """Queries the agent for one task; with `distribution` the prediction has the agent's alternatives.

    Raises:
        FingerTipError: The agent raised it; any other exception or an invalid answer becomes a `ModelError`.
        Waiting: The answer is not available yet (batch files).
    """
    try:
        return _line(task, agent.suggest(task.input), distribution)
    except Exception as error:
        raise _describe_failure(agent, task, error) from error


async def predict_async(
    agent: AsyncSuggestionAgent, task: SuggestionTask, *, distribution: bool = False
) -> Prediction:
    """Like `predict`, for an asynchronous agent."""
    try:
        return _line(task, await agent.suggest_async(task.input), distribution)
    except Exception as error:
        raise _describe_failure(agent, task, error) from error


def predict_or_fail(
    agent: SuggestionAgent, task: SuggestionTask, streak: FailureStreak, *, distribution: bool = False
) -> Prediction:
    """Like `predict`, but a task whose query fails gets a line, too.

    Args:
        agent: Agent.
        task: Task.
        streak: Failed tasks in a row of the run.
        distribution: As for `predict`.

    Raises:
        EndpointError: The endpoint of the agent's model is dead, or too many tasks in a row failed.
        FingerTipError: The agent raised it, and it is no `ModelError`.
        Waiting: The answer is not available yet (batch files).
    """
    try:
        line = predict(agent, task, distribution=distribution)
    except ModelError as error:
        return _make_failed_line(streak, task, error)
    streak.reset()
    return line


async def predict_or_fail_async(
    agent: AsyncSuggestionAgent, task: SuggestionTask, streak: FailureStreak, *, distribution: bool = False
) -> Prediction:
    """Like `predict_or_fail`, for an asynchronous agent."""
    try:
        line = await predict_async(agent, task, distribution=distribution)
    except ModelError as error:
        return _make_failed_line(streak, task, error)
    streak.reset()
    return line


def _make_failed_line(streak: FailureStreak, task: SuggestionTask, error: ModelError) -> Prediction:
    streak.add(task.input.task_id, error, advice=RESUME)
    return Prediction.of_failure(task.input, whole(error.message))


def _line(task: SuggestionTask, answer: object, distribution: bool) -> Prediction:
    if not isinstance(answer, Suggestion):
        raise TypeError(f"expected a Suggestion, got {type(answer).__name__}")
    if not isinstance(answer.text, str):
        raise TypeError(f'expected the intent as a text, "" for none, got {type(answer.text).__name__}')
    return prediction_of(
        task.input.task_id,
        answer,
        shown_intents=len(task.input.previous_intents),
        shown_screenshots=len(task.input.screenshots),
        distribution=distribution,
        moments=bool(task.target.kind),
    )


def prediction_of(
    task_id: str,
    answer: Suggestion,
    *,
    shown_intents: int,
    shown_screenshots: int,
    distribution: bool,
    moments: bool = False,
) -> Prediction:
    """The line of an answer.

    Args:
        task_id: The episode id.
        answer: The agent's answer.
        shown_intents: Number of earlier intents that the task showed.
        shown_screenshots: Number of screens that it showed.
        distribution: As for `predict`.
        moments: Whether the task is a moment, at which no text is silence, and which has a confidence.

    Raises:
        ModelError: A moment has an intent and the outcome of silence.
    """
    alternatives = answer.alternatives if distribution else ()
    outcome = answer.outcome
    if moments and not answer.text.strip() and outcome == "answered":
        outcome = SILENT
    elif moments and answer.text.strip() and outcome == SILENT:
        raise ModelError('the answer has both an intent and the outcome "silent"')
    return Prediction(
        task_id=task_id,
        # a lone surrogate, which broken model output may contain, cannot be encoded as UTF-8
        predicted_intent=answer.text.encode("utf-8", "replace").decode(),
        time_s=answer.seconds,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        shown_intents=shown_intents,
        shown_screenshots=shown_screenshots,
        output=whole(answer.output),
        reasoning=whole(answer.reasoning),
        outcome=outcome,
        calls=_count_model_calls(answer),
        cached=answer.cached,
        alternatives=tuple((whole(text), probability) for text, probability in alternatives),
        finish_reason=None if answer.finish_reason is None else whole(answer.finish_reason)[:MOST_REASON],
        first_token_s=answer.first_token_s,
        history_usage=_count_history_usage(answer.history_answer),
        notes=tuple(map(whole, answer.notes)),
        confidence=_read_confidence(answer.confidence) if moments else None,
    )


def _read_confidence(given: object) -> Any:  # noqa: ANN401 - the line refuses what is no number
    """Read the confidence of an agent, which may be a number of another library; a truth value is none."""
    return given if isinstance(given, bool) or not isinstance(given, Real) else float(given)


def _count_model_calls(answer: Suggestion) -> int:
    if answer.calls is not None:
        return answer.calls
    return int(bool(answer.output or answer.prompt_tokens or answer.completion_tokens))


def _count_history_usage(answer: ModelAnswer | None) -> HistoryUsage | None:
    if answer is None:
        return None
    return HistoryUsage(
        time_s=answer.seconds,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        cached=answer.cached,
        finish_reason=None if answer.finish_reason is None else answer.finish_reason[:MOST_REASON],
    )


def _describe_failure(agent: SuggestionAgent, task: SuggestionTask, error: Exception) -> Exception:
    if isinstance(error, PreflightError):
        return error  # before any task
    if isinstance(error, ModelError) and error.episode_id is None:
        # of the same class, so that a dead endpoint is distinguished from a model without an answer
        return type(error)(error.message, episode_id=task.input.task_id)
    # Waiting is no failure: the batch has no answer yet
    if isinstance(error, FingerTipError | Waiting):
        return error
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        got = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    else:
        got = describe_crash(error)
    message = " ".join(f"agent {agent.name} gave no valid answer: {got}".split())
    return ModelError(message, episode_id=task.input.task_id)
