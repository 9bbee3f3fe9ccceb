"""N simulated phones of one process as a Gymnasium vector environment."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, iterate
from numpy.typing import NDArray

from fingertip_dataset.actions import Action, Wait
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.settings import Start
from fingertip_dataset.split_names import TRAIN
from fingertip_environments.gymnasium_env import choose_tasks, read_step_info
from fingertip_environments.phone_core import CoreStep, PhoneCore, check_kinds
from fingertip_environments.phone_task import PhoneTask, find_task, task_info
from fingertip_environments.rewards import Reward, goal_reward
from fingertip_environments.spaces import action_space, observation_space, option, to_action

MOST_SPARE, SPARES = 32_000_000, 3
"""Largest array, bytes, whose memory is used again once nobody holds it, and number of such arrays."""
_ONLY_HERE = 3
"""References to an array that nobody else holds: of the list, of the loop, and of the call that counts."""

Observations = dict[str, Any]
"""Under "array" an array of shape (N, height, width, 3), under all else a tuple of N."""


class PhoneVectorEnv(VectorEnv[Observations, Any, NDArray[Any]]):
    """N phones of this process, which share the tasks and whatever is drawn alike.

    A phone whose episode is over begins a new one with the next step, which ignores its action and has the
    reward 0 (Gymnasium's autoreset mode NEXT_STEP).

    Args:
        num_envs: Number of phones.
        copy: Whether each call returns a new array of pixels; otherwise one that the next call changes.
        tasks, dataset, split, observations, reward, stop_at_goal, faults, size, locale, start, trees, design,
            dark, render_mode: As of `PhoneEnv`.

    Raises:
        UsageError: Less than one phone, or as of `PhoneEnv`.
        DatasetError: The dataset cannot be read.
    """

    metadata = {  # noqa: RUF012 - Gymnasium's own form
        "render_modes": ["rgb_array"],
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        tasks: Sequence[PhoneTask] | None = None,
        *,
        dataset: Path | str | None = None,
        split: str = TRAIN,
        observations: Sequence[str] = ("array", "tree"),
        reward: Reward = goal_reward,
        stop_at_goal: bool = False,
        faults: Collection[str] = (),
        size: tuple[int, int] = (540, 1200),
        locale: str | None = None,
        start: Start = "app",
        trees: str = "clean",
        design: str | None = None,
        dark: bool | None = None,
        render_mode: str | None = "rgb_array",
        copy: bool = True,
    ) -> None:
        if num_envs < 1:
            raise UsageError(f"expected at least one phone, got {num_envs}")
        self.kinds = check_kinds(observations)
        self.tasks = choose_tasks(tasks, dataset, split, size, locale, start)
        self.num_envs, self.render_mode = num_envs, render_mode
        width, height = self.tasks[0].simulation.size
        self.single_observation_space = observation_space(self.kinds, (width, height))
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._spares: list[NDArray[np.uint8]] = []
        self._pixels: NDArray[np.uint8] | None = None
        if "array" in self.kinds:
            # each phone draws in its part of the batch
            self._pixels = np.zeros((num_envs, height, width, 3), np.uint8)
        self._cores = [
            PhoneCore(
                reward=reward,
                stop_at_goal=stop_at_goal,
                faults=faults,
                trees=trees,
                design=design,
                dark=dark,
                pixels=None if self._pixels is None else self._pixels[number],
            )
            for number in range(num_envs)
        ]
        self._over = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Begins a drawn task on each phone, or the tasks named in `options={"tasks": [id, ...]}`.

        Args:
            seed: Seed of the draws; of a list, one a phone, the first one counts.
            options: The tasks by id, one a phone.

        Raises:
            UsageError: There is no such task, or there are not as many tasks or seeds as phones.
        """
        if isinstance(seed, list) and len(seed) != self.num_envs:
            raise UsageError(f"expected {self.num_envs} seeds, one a phone, got {len(seed)}")
        super().reset(seed=seed[0] if isinstance(seed, list) else seed)
        named = option(options, "tasks")
        if named is not None and len(named) != self.num_envs:
            raise UsageError(f"expected {self.num_envs} tasks, one a phone, got {len(named)}")
        infos: dict[str, Any] = {}
        for number in range(self.num_envs):
            task = self._drawn() if named is None else find_task(self.tasks, str(named[number]))
            self._begin(number, task, infos)
        self._over[:] = False
        return self._take_observations(), infos

    def step(
        self,
        actions: Any,  # noqa: ANN401 - a batch of the action space, or a sequence of actions
    ) -> tuple[Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Carries out an action on each phone: a batch of the action space, or a sequence of N actions.

        Raises:
            UsageError: There are not as many actions as phones, or one is none; then no phone does a step.
        """
        given = self._apply_each(actions)
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        terminated = np.zeros(self.num_envs, dtype=np.bool_)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        infos: dict[str, Any] = {}
        for number, core in enumerate(self._cores):
            if self._over[number]:
                self._begin(number, self._drawn(), infos)
                continue
            done: CoreStep = core.step(given[number])
            rewards[number] = done.reward
            terminated[number], truncated[number] = done.terminated, done.truncated
            infos = self._add_info(infos, read_step_info(core, done), number)
        self._over = terminated | truncated
        return self._take_observations(), rewards, terminated, truncated, infos

    def render(self) -> tuple[NDArray[np.uint8], ...]:
        """The pixels of each phone, RGB, shape (height, width, 3)."""
        return tuple(core.array() for core in self._cores)

    def _apply_each(self, actions: Any) -> list[Action]:  # noqa: ANN401 - as of `step`
        if isinstance(actions, str | Action) or not isinstance(actions, Iterable):
            raise UsageError(f"expected {self.num_envs} actions, one a phone, got {str(actions)[:80]!r}")
        found = list(iterate(self.action_space, actions)) if isinstance(actions, dict) else list(actions)
        if len(found) != self.num_envs:
            raise UsageError(f"expected {self.num_envs} actions, one a phone, got {len(found)}")
        return [
            Wait() if over else to_action(action, core.phone.size)  # ignored where a new episode begins
            for action, core, over in zip(found, self._cores, self._over, strict=True)
        ]

    def _drawn(self) -> PhoneTask:
        return self.tasks[int(self.np_random.integers(len(self.tasks)))]

    def _begin(self, number: int, task: PhoneTask, infos: dict[str, Any]) -> None:
        self._cores[number].reset(task)
        infos.update(self._add_info(infos, task_info(task), number))

    def _take_observations(self) -> Observations:
        found: Observations = {"intent": tuple(core.task.intent for core in self._cores)}
        for kind in self.kinds:
            if kind == "array":
                found[kind] = self._draw_pixels()
            else:
                found[kind] = tuple(core.observe((kind,))[kind] for core in self._cores)
        return found

    def _draw_pixels(self) -> NDArray[np.uint8]:
        """The pixels of all phones, in an array of their own or in one that nobody else holds."""
        assert self._pixels is not None  # noqa: S101 - there is one for this kind
        target = self._find_spare(self._pixels) if self._copy else None
        for number, core in enumerate(self._cores):
            drawn = core.draw()
            if target is not None:
                # each by itself, while it is in the processor's cache
                np.copyto(target[number], drawn)
        return self._pixels if target is None else target

    def _find_spare(self, pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """An array to copy to; a small one that nobody holds any more serves again: new memory costs time."""
        if pixels.nbytes > MOST_SPARE:
            return np.empty_like(pixels)
        for spare in self._spares:
            if sys.getrefcount(spare) == _ONLY_HERE:
                return spare
        made = np.empty_like(pixels)
        self._spares = [*self._spares[1 - SPARES :], made]
        return made
