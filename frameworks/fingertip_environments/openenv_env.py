"""OpenEnv's types of the simulated phone: action, observation, state, environment and client."""

from __future__ import annotations

import reprlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from random import Random
from typing import Any, Literal
from uuid import uuid4

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient
from openenv.core.env_server import Action, Environment, Observation, State
from openenv.core.env_server.types import EnvironmentMetadata
from pydantic import Field

from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import UsageError, is_memory_shortage
from fingertip_environments.phone_core import CoreStep, PhoneCore
from fingertip_environments.phone_task import PhoneTask, find_task, task_info
from fingertip_environments.rewards import Reward, goal_reward

Screenshot = Literal["jpeg", "png"]
MAX_ACTION = 4_000
"""Largest number of characters of an action."""
NAME = "fingertip_phone"
"""Name of the environment on a hub."""


class PhoneAction(Action):
    """An action of table 2, in the release's spelling.

    Attributes:
        action: The action, e.g. "click(coordinates=(270, 600))".
    """

    action: str = Field(max_length=MAX_ACTION, description="e.g. click(coordinates=(270, 600))")


class PhoneObservation(Observation):
    """The phone as an agent sees it.

    Attributes:
        intent: What the person wants.
        tree: The accessibility tree, as `uiautomator dump` writes it; "" if the phone gives none.
        screenshot: The screen as a file, base64; None if the server sends none.
        note: Why the last action was not carried out, or what could not be checked about it.
        reply: The person's words to a question, in tasks in which somebody answers; "" for an action.
    """

    intent: str
    tree: str
    screenshot: str | None = None
    note: str = ""
    reply: str = ""

    def image(self) -> bytes:
        """The screenshot's file.

        Raises:
            UsageError: The server sends no screenshots.
        """
        if self.screenshot is None:
            raise UsageError("the server sends no screenshots: give phone_app screenshots='jpeg' or 'png'")
        return b64decode(self.screenshot)


class PhoneState(State):
    """The state of an episode.

    Attributes:
        task_id: Id of its task; None before the first reset.
        success: Whether it has ended with its goal reached, by its rule, within the step limit.
    """

    task_id: str | None = None
    success: bool = False


class PhoneEnvironment(Environment):
    """A session: one phone, and the tasks of all splits. A closed one has no phone and takes no more calls.

    Args:
        splits: The tasks by the name of their split.
        reward: Function of the outcome, called at the end of an episode.
        stop_at_goal: Whether an episode ends as soon as the goal is reached, without `finished()`.
        screenshots: Kind of the screenshots; None for none.
        trees: "clean" for tidy accessibility trees, "rough" for trees as untidy as real ones.
        design: Design language of every phone; None for that of the task's person.
        dark: Whether every phone is in dark mode; None as in the task.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        splits: Mapping[str, Sequence[PhoneTask]],
        *,
        reward: Reward = goal_reward,
        stop_at_goal: bool = False,
        screenshots: Screenshot | None = "jpeg",
        trees: str = "clean",
        design: str | None = None,
        dark: bool | None = None,
    ) -> None:
        super().__init__()
        self._splits = splits
        self._screenshots = screenshots
        self._make_core = partial(
            PhoneCore, reward=reward, stop_at_goal=stop_at_goal, trees=trees, design=design, dark=dark
        )
        self._live_core: PhoneCore | None = self._make_core()
        self._rng = Random()  # noqa: S311 - draws tasks, no secret
        self._state = PhoneState()

    # ---- OpenEnv's Task API, which the server finds by these names

    def list_splits(self) -> list[str]:
        """The names of the splits."""
        return list(self._splits)

    def num_tasks(self, split: str) -> int:
        """Number of the split's tasks."""
        return len(self._find_tasks(split))

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """The split's tasks."""
        return self.get_task_range(split)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Give a task of the split: its id, and what the person wants."""
        return _described(index, self._find_task(split, index))

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """The tasks from `start` to before `stop`."""
        return [_described(index, task) for index, task in enumerate(self._find_tasks(split))][start:stop]

    # ---- episodes

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str | None = None,
        index: int | None = None,
        task_id: str | None = None,
        **unknown: object,
    ) -> PhoneObservation:
        """Begins a task: the one of the id, else the one at the index, else a drawn one.

        Args:
            seed: Seed of the draws from now on.
            episode_id: A name for the episode.
            split: Name of the split; by default the first one.
            index: Number of the task in the split, from 0.
            task_id: Id of the task.
            unknown: Nothing.

        Raises:
            UsageError: There is no such split or task, or no such option, or the session is closed.
        """
        if unknown:
            known = "seed, episode_id, split, index and task_id"
            raise UsageError(f"reset has no option {min(unknown)!r}: there are {known}")
        _check_types({"seed": seed, "index": index}, int, "a whole number")
        _check_types({"episode_id": episode_id, "split": split, "task_id": task_id}, str, "a text")
        if index is not None and task_id is not None:
            raise UsageError("reset takes an index or a task_id, not both")
        if seed is not None:
            self._rng.seed(seed)
        split = next(iter(self._splits)) if split is None else split
        if task_id is not None:
            task = find_task(self._find_tasks(split), task_id)
        else:
            task = self._find_task(
                split, self._rng.randrange(self.num_tasks(split)) if index is None else index
            )
        self._core.reset(task)
        self._state = PhoneState(episode_id=episode_id or str(uuid4()), task_id=task.task_id)
        return self._take_observation(metadata=task_info(task))

    def step(self, action: PhoneAction, timeout_s: float | None = None, **kwargs: object) -> PhoneObservation:
        """Carries out an action.

        Raises:
            UsageError: The episode is over, there was no reset yet, or the session is closed.
            ActionSyntaxError: The action cannot be read; the episode goes on.
        """
        done = self._core.step(parse_action(action.action))
        self._state.step_count += 1
        self._state.success = done.success
        try:
            return self._show_step(done)
        except Exception as error:
            if is_memory_shortage(error):
                raise
            return self._show_step(self._core.interrupt(error))

    def _show_step(self, done: CoreStep) -> PhoneObservation:
        """The observation of a step; without a reward if the phone failed: that says nothing of the agent."""
        return self._take_observation(
            reward=None if done.interrupted else done.reward,
            done=done.over,
            note=done.note,
            reply=done.reply,
            metadata={
                "success": done.success,
                "truncated": done.truncated,
                "performed": done.performed,
                "answer_seen": done.answer_seen,
                "interrupted": done.interrupted,
            },
        )

    @property
    def state(self) -> PhoneState:
        """The state of the episode."""
        return self._state

    def close(self) -> None:
        """Free the phone; the server does so when the session ends or was idle for too long."""
        self._live_core = None

    def get_metadata(self) -> EnvironmentMetadata:
        """Metadata of the environment, which a hub shows."""
        return EnvironmentMetadata(
            name=NAME,
            description="A simulated Android phone of a person who has a task: see, touch, type, finish.",
            version=version("fingertip-20k"),
        )

    @property
    def _core(self) -> PhoneCore:
        if self._live_core is None:
            raise UsageError(
                "this session is closed and its phone is free: it ended, or waited longer than the server's "
                "session_timeout; connect again"
            )
        return self._live_core

    def _take_observation(self, **details: object) -> PhoneObservation:
        core, shot = self._core, None
        if self._screenshots is not None:
            shot = b64encode(core.jpeg() if self._screenshots == "jpeg" else core.png()).decode("ascii")
        return PhoneObservation(intent=core.task.intent, tree=core.tree(), screenshot=shot, **details)

    def _find_tasks(self, split: str) -> Sequence[PhoneTask]:
        if split not in self._splits:
            raise UsageError(f"there is no split {split!r}; there are {', '.join(self._splits)}")
        return self._splits[split]

    def _find_task(self, split: str, index: int) -> PhoneTask:
        tasks = self._find_tasks(split)
        if not 0 <= index < len(tasks):
            raise UsageError(f"there is no task {index} in {split}: expected 0 to {len(tasks) - 1}")
        return tasks[index]


def _described(index: int, task: PhoneTask) -> dict[str, Any]:
    return {"id": task.task_id, "index": index, "intent": task.intent}


class PhoneClient(EnvClient):
    """A client of a server of phones.

    Its `reset` takes the options of `PhoneEnvironment.reset`, its `step` a string or a `PhoneAction`.
    """

    def _step_payload(self, action: PhoneAction | str) -> dict[str, Any]:
        found = PhoneAction(action=action) if isinstance(action, str) else action
        payload: dict[str, Any] = found.model_dump()
        return payload

    def _parse_result(self, payload: dict[str, Any]) -> StepResult:
        seen = PhoneObservation(
            **payload["observation"], reward=payload.get("reward"), done=payload.get("done", False)
        )
        return StepResult(observation=seen, reward=seen.reward, done=seen.done, metadata=seen.metadata)

    def _parse_state(self, payload: dict[str, Any]) -> PhoneState:
        return PhoneState(**payload)


def _check_types(given: Mapping[str, object], wanted: type, words: str) -> None:
    """Refuse options of another type, which JSON can have; None is left out."""
    for name, value in given.items():
        if value is not None and (not isinstance(value, wanted) or isinstance(value, bool)):
            raise UsageError(f"reset expects {words} as {name}, got {reprlib.repr(value)}")
