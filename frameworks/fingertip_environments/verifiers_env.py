"""The simulated phone in verifiers and prime-rl: tasks, and a harness that carries them out (verifiers 0.4).

A model call of the harness is a screen of `fingertip execute`, with the same prompt; the core rewards it.
The phone runs in the process of verifiers' environment worker: no program is started, nothing is installed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

import verifiers.v1 as vf
from openai import APIError, OpenAI
from pydantic import Field, PrivateAttr, model_validator

from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import DeviceError, FingerTipError
from fingertip_dataset.split_names import TRAIN
from fingertip_environments.phone_core import PhoneCore
from fingertip_environments.phone_task import PhoneTask, check_locale, find_task
from fingertip_environments.rollout import make_answered_agent, roll_out_agent
from fingertip_environments.task_source import RewardName, list_source_tasks, make_reward
from fingertip_models.chat.request import make_request_body
from fingertip_models.messages import Language, Message
from fingertip_models.options import ModelOptions


class PhoneTaskConfig(vf.TaskConfig):
    """Where the tasks come from, and how a model sees them: `--env.taskset.task.*`.

    Attributes:
        dataset: Folder of a built dataset of simulated people; None for people who live now.
        split: Name of the dataset's split.
        limit: Maximum number of the split's tasks, spread evenly.
        people: Number of people who live now.
        episodes: Number of tasks of each of them.
        first: Number of the first of them, from 0; people with other numbers are strangers.
        locale: Language of people who live now, and of their phones.
        format: Prompt and output format of the model, such as "qwen3-vl".
        language: Language of the prompts.
        max_pixels: Maximum pixels of a picture; None for the format's own limit.
        reward: Name of the reward.
    """

    dataset: Path | None = None
    split: str = TRAIN
    limit: int | None = Field(None, ge=1)
    people: int = Field(3, ge=1)
    episodes: int = Field(8, ge=1)
    first: int = Field(0, ge=0)
    locale: str = "zh"
    format: str = "qwen3-vl"
    language: Language = "zh"
    max_pixels: int | None = None
    reward: RewardName = "goal"

    @model_validator(mode="after")
    def _check(self) -> Self:
        try:
            check_locale((), self.locale)
            self.make_agent(str)
            if self.dataset is not None:
                self.list_tasks()  # kept for the run
        except FingerTipError as error:
            # pydantic makes its own error of this one, with the name of the option
            raise ValueError(str(error)) from None
        return self

    def make_agent(self, answer: Callable[[Sequence[Message]], str]) -> ExecutionAgent:
        """The agent whose model is a function; errors as of `make_answered_agent`."""
        return make_answered_agent(self.format, answer, language=self.language, max_pixels=self.max_pixels)

    def list_tasks(self) -> tuple[PhoneTask, ...]:
        """The tasks; errors as of `list_source_tasks`."""
        return list_source_tasks(
            dataset=self.dataset,
            split=self.split,
            limit=self.limit,
            people=self.people,
            episodes=self.episodes,
            first=self.first,
            locale=self.locale,
        )


class PhoneTasksetConfig(vf.TasksetConfig):
    """The configuration of the taskset: `--env.taskset.*`."""

    task: PhoneTaskConfig = PhoneTaskConfig()


class PhoneTaskData(vf.TaskData):
    """The wire's view of a task: its id, and in `prompt` what the person wants."""


class PhoneRunState(vf.State):
    """The state of a rollout.

    Attributes:
        reward: The reward.
        success: Whether the goal is reached, by its rule.
        steps: Number of actions.
        reason: Why the episode ended early; "" if it did not.
    """

    reward: float = 0.0
    success: bool = False
    steps: int = 0
    reason: str = ""
    _task: PhoneVerifiersTask = PrivateAttr()


class PhoneVerifiersTask(vf.Task[PhoneTaskData, PhoneRunState, PhoneTaskConfig]):
    """A task on the phone."""

    @property
    def key(self) -> str:
        """The task's id."""
        return str(self.data.id)

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Hand the task to the harness."""
        trace.state._task = self  # verifiers gives the harness the trace alone

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the person's own actions reach the goal, by its rule."""

        def imitate() -> bool:
            task, core = find_task(self.config.list_tasks(), self.data.id), PhoneCore()
            core.reset(task)
            return [core.step(parse_action(one)).success for one in task.task.target.golden_actions][-1]

        return await asyncio.to_thread(imitate)

    @vf.reward(weight=1.0)
    async def phone(self, trace: vf.Trace) -> float:
        """The reward of the episode."""
        return float(trace.state.reward)

    @vf.metric
    async def success(self, trace: vf.Trace) -> float:
        """Whether the goal is reached, by its rule."""
        return float(trace.state.success)

    @vf.metric
    async def steps(self, trace: vf.Trace) -> float:
        """Number of actions."""
        return float(trace.state.steps)

    def roll_out(self, answer: Callable[[Sequence[Message]], str], state: PhoneRunState) -> None:
        """Carry out the task with a model.

        Args:
            answer: Function of the messages that returns the model's text.
            state: The rollout's state, in which the result is noted.

        Raises:
            UsageError: There is no such task.
            DeviceError: The phone failed, so that the rollout says nothing of the model.
        """
        config = self.config
        task = find_task(config.list_tasks(), self.data.id)
        core = PhoneCore(reward=make_reward(config.reward))
        done = roll_out_agent(core, task, config.make_agent(answer))
        if done.interrupted:
            raise DeviceError(done.reason, episode_id=task.task_id)
        state.reward, state.success = done.reward, done.success
        state.steps, state.reason = len(done.actions), done.reason


class PhoneTaskset(vf.Taskset[PhoneVerifiersTask, PhoneTasksetConfig]):
    """The tasks of a dataset, or of people who live now."""

    def load(self) -> Iterator[PhoneVerifiersTask]:
        """Yield the tasks; errors as of `list_source_tasks`."""
        for task in self.config.task.list_tasks():
            data = PhoneTaskData(id=task.task_id, name=task.task_id, prompt=task.intent)
            yield PhoneVerifiersTask(data, self.config.task)


class PhoneHarness(vf.Harness[vf.HarnessConfig]):
    """The loop of `fingertip execute`, in the process of the worker: each screen is one call of the model."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: Mapping[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Carry out the trace's task; the endpoint records the calls.

        Raises:
            APIError: The model gave no answer, and no limit of the rollout is the reason.
        """
        task = trace.state._task
        options = ModelOptions(model=ctx.model, language=task.config.language)
        failures: list[APIError] = []
        with OpenAI(base_url=endpoint, api_key=secret, max_retries=0) as client:

            def answer(messages: Sequence[Message]) -> str:
                body = make_request_body(options, messages)
                try:
                    # the sampling is the trainer's, which the endpoint adds
                    done = client.chat.completions.create(model=ctx.model, messages=body["messages"])
                except APIError as error:
                    failures.append(error)
                    raise
                return done.choices[0].message.content or ""

            await asyncio.to_thread(task.roll_out, answer, trace.state)
        if failures and trace.stop_condition is None:
            # a zero for a model that was never asked would be learned from
            raise failures[0]
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


class PhoneRunsConfig(vf.EnvConfig):
    """The configuration of a run: the model's seat, without a sandbox, which the phone does not need.

    Attributes:
        agent: The seat.
    """

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class PhoneRuns(vf.Env[PhoneRunsConfig]):
    """Episodes of one rollout each, in the worker's own process."""

    async def run(self, task: PhoneVerifiersTask, agents: vf.Agents) -> None:
        """Carry out a task once."""
        await agents.agent.run(task)
