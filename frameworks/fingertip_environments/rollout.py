"""Rollouts: an agent of `fingertip execute` carries out a task on a phone of this process, for a reward.

It is the attempt of `fingertip execute` itself (`run_task`), so a model that is trained sees the prompts that
it is scored with, and its answers are read in the same way. Adapters for frameworks differ in who answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from execution_runner.attempt import run_task
from execution_runner.devices.device import Observation
from execution_runner.environments.environment import AttemptEnd, RuleResult, StepResult
from execution_runner.execution_records import AttemptOutcome, ReplyRecord, StartRecord, StepRecord
from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep, ScreenInput
from fingertip_agents.model_agent import ModelAgent
from fingertip_agents.parsing.reading import choose_scored_text
from fingertip_agents.registry import format_names, is_format, make_format
from fingertip_dataset.actions import Action, Ask, format_action
from fingertip_dataset.errors import UnknownNameError
from fingertip_dataset.tasks.task import ExecutionInput
from fingertip_environments.phone_core import CoreStep, PhoneCore
from fingertip_environments.phone_task import PhoneTask
from fingertip_models.chat.chat_answer import ModelAnswer
from fingertip_models.messages import Language, Message
from fingertip_models.options import ModelOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollout:
    """A finished episode.

    Attributes:
        task_id: Id of the task.
        actions: The actions.
        reward: The reward; 0 if the phone failed.
        success: Whether the goal is reached, by its rule, within the step limit.
        answer_seen: As of `CoreStep`.
        interrupted: Whether the phone failed, so that the episode says nothing of the agent.
        reason: Why the episode ended, where neither the agent nor the step limit ended it.
    """

    task_id: str
    actions: tuple[str, ...]
    reward: float
    success: bool
    answer_seen: bool | None = None
    interrupted: bool = False
    reason: str = ""


def roll_out_agent(core: PhoneCore, task: PhoneTask, agent: ExecutionAgent) -> Rollout:
    """Carry out a task with an agent, as `fingertip execute` does, from its beginning to its end.

    An agent that fails, as when its model gives no answer, does no more: the episode is scored as it stands.

    Args:
        core: The phone.
        task: The task.
        agent: What decides.

    Raises:
        UsageError: The agent lacks something that it needs for every task.
        EndpointError: The model's endpoint is dead.
    """
    core.reset(task)
    session = _CoreSession(core)
    end = run_task(
        task.task, session, _Noting(agent, session), _NoLog(), attempt=1, device="core", view=task.view
    )
    reason = "" if end is None else end.reason
    done = core.stop() if session.last is None or not session.last.over else session.last
    return Rollout(
        task_id=task.task_id,
        actions=core.actions,
        reward=done.reward,
        success=done.success,
        answer_seen=done.answer_seen,
        interrupted=done.interrupted,
        reason=reason or (done.note if done.interrupted else ""),
    )


def make_answered_agent(
    format_name: str,
    answer: Callable[[Sequence[Message]], str],
    *,
    language: Language = "zh",
    max_pixels: int | None = None,
) -> ModelAgent:
    """Make an agent of a format whose model is a function: a framework's own way to its model.

    Args:
        format_name: Name of the prompt and output format, such as "qwen3-vl"; see `fingertip agents`.
        answer: Function of the messages that returns the model's text.
        language: Language of the prompts.
        max_pixels: Maximum pixels of a picture; None for the format's own limit.

    Raises:
        UsageError: There is no such format or language, or the limit is too small for a picture.
    """
    if not is_format(format_name):
        raise UnknownNameError("a format", format_name, format_names())
    return ModelAgent(make_format(format_name, max_pixels=max_pixels), _AnsweredModel(answer, language))


class _CoreSession:
    """An `EnvironmentSession` of a phone core, on which a task has begun."""

    inputs = b""
    gaps: tuple[int, ...] = ()
    start: StartRecord | None = None

    def __init__(self, core: PhoneCore) -> None:
        self._core = core
        self.last: CoreStep | None = None
        self.written: list[str] = []

    def before(self) -> tuple[PastStep, ...]:
        return ()

    def observe(self) -> Observation:
        core = self._core
        return Observation(
            screenshot=core.png(),
            tree=core.tree() or None,
            size=core.phone.size,
            package=core.phone.foreground[0],
        )

    def step(self, action: Action) -> StepResult:
        written = self.written.pop(0) if self.written else None
        done = self.last = self._core.step(action, written=written)
        end = None
        if done.interrupted:
            end = AttemptEnd(outcome="device_error", reason=done.note)
        elif done.over:
            early: AttemptOutcome = "out_of_patience" if isinstance(action, Ask) else "truncated"
            end = AttemptEnd(outcome=early if done.truncated else "terminated")
        # the words alone reach the agent; the core has the kind
        reply = ReplyRecord(kind="value", text=done.reply) if isinstance(action, Ask) else None
        return StepResult(performed=done.performed, note=done.note, end=end, reply=reply)

    def last_screen(self) -> bytes | None:
        return None

    def evaluate(self) -> RuleResult:
        """Nothing: the core has judged the episode at its end."""
        return RuleResult()


class _Noting:
    """An agent whose texts, by which Sim_2 is scored, are noted for the session that carries them out."""

    def __init__(self, agent: ExecutionAgent, session: _CoreSession) -> None:
        self._agent, self._session = agent, session

    @property
    def name(self) -> str:
        return self._agent.name

    @property
    def settings(self) -> Mapping[str, object]:
        return self._agent.settings

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        decision = self._agent.act(task_input, screen, past)
        texts = decision.raw or [format_action(action) for action in decision.actions]
        self._session.written[:] = texts or [choose_scored_text(decision.output)]
        return decision


class _NoLog:
    """An attempt's log that keeps nothing."""

    def save(self, file: str, content: bytes) -> None:
        pass

    def step(self, line: StepRecord) -> None:
        pass


class _AnsweredModel:
    """A model that is a function of the messages."""

    def __init__(self, answer: Callable[[Sequence[Message]], str], language: Language) -> None:
        self._answer = answer
        self.options = ModelOptions(model="framework", language=language)

    def settings(self) -> Mapping[str, object]:
        return {"model": self.options.model}

    def ask(self, messages: Sequence[Message]) -> ModelAnswer:
        begun = perf_counter()
        text = self._answer(messages)
        return ModelAnswer(
            text=text,
            reasoning="",
            seconds=perf_counter() - begun,
            prompt_tokens=None,
            completion_tokens=None,
            model=self.options.model,
            attempts=1,
            finish_reason=None,
        )

    async def ask_async(self, messages: Sequence[Message]) -> ModelAnswer:
        return self.ask(messages)

    def close(self) -> None:
        pass
