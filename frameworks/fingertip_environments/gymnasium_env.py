"""The simulated phone as a Gymnasium environment: `gymnasium.make("fingertip/Phone-v1")`.

Importing this module, or the package after Gymnasium, makes the environment known.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle
from numpy.typing import NDArray

from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.settings import Start
from fingertip_dataset.split_names import TRAIN
from fingertip_environments.phone_core import CoreStep, PhoneCore, check_kinds
from fingertip_environments.phone_task import (
    PhoneTask,
    check_locale,
    check_start,
    find_task,
    live_tasks,
    load_tasks,
    task_info,
)
from fingertip_environments.registration import register
from fingertip_environments.rewards import Reward, goal_reward
from fingertip_environments.spaces import action_space, observation_space, option, to_action
from simulated_phone.language.language import CHINESE

Observation = dict[str, Any]
"""The intent under "intent", and the screen under each of its kinds."""


class PhoneEnv(gymnasium.Env[Observation, Any], EzPickle):
    """Carries out tasks of simulated people on a phone of this process.

    `reset(seed=...)` draws the tasks in a reproducible order; `reset(options={"task": id})` names one.
    A copy or a pickle is a new environment of the same tasks and settings, without the episode.

    Args:
        tasks: The tasks; by default those of `dataset`.
        dataset: Folder of a built dataset of simulated people; by default three people live their first
            eight tasks now.
        split: Split of the dataset.
        observations: Kinds of the screen in an observation: "array", "tree", "png", "jpeg".
        reward: Function of the outcome, called at the end of an episode.
        stop_at_goal: Whether an episode ends as soon as the goal is reached, without `finished()`.
        faults: Faults that are on in addition to those of a task.
        size: Width and height of the screen, px, of tasks that are lived now.
        locale: Language of the tasks; None for any, and for Chinese tasks that are lived now.
        start: Where tasks begin: in their app, which is open, or on the home screen.
        trees: "clean" for tidy accessibility trees, "rough" for trees as untidy as real ones.
        design: Design language of every phone; None for that of the task's person.
        dark: Whether every phone is in dark mode; None as in the task.
        render_mode: "rgb_array" or None.

    Raises:
        UsageError: An unknown observation, split, fault, language, design or kind of trees, no tasks, tasks
            in another language, or screens of several sizes.
        DatasetError: The dataset cannot be read.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 2}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
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
    ) -> None:
        self.kinds = check_kinds(observations)
        self.tasks = choose_tasks(tasks, dataset, split, size, locale, start)
        self.render_mode = render_mode
        settings: dict[str, Any] = {
            "reward": reward,
            "stop_at_goal": stop_at_goal,
            "faults": faults,
            "trees": trees,
            "design": design,
            "dark": dark,
        }
        EzPickle.__init__(
            self,
            self.tasks,
            observations=self.kinds,
            locale=locale,
            start=start,
            render_mode=render_mode,
            **settings,
        )
        self.core = PhoneCore(**settings)
        self.observation_space = observation_space(self.kinds, self.tasks[0].simulation.size)
        self.action_space = action_space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins the task named in the options, else a drawn one.

        Raises:
            UsageError: There is no such task.
        """
        super().reset(seed=seed)
        task_id = option(options, "task")
        if task_id is None:
            task = self.tasks[int(self.np_random.integers(len(self.tasks)))]
        else:
            task = find_task(self.tasks, str(task_id))
        self.core.reset(task)
        return self._observation(), task_info(task)

    def step(self, action: object) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carries out an action: an element of the action space, a string of the release, or an `Action`.

        Raises:
            UsageError: It is no action, or the episode is over.
        """
        done = self.core.step(to_action(action, self.core.phone.size))
        return (
            self._observation(),
            done.reward,
            done.terminated,
            done.truncated,
            read_step_info(self.core, done),
        )

    def render(self) -> NDArray[np.uint8]:
        """The screen's pixels, RGB, shape (height, width, 3)."""
        return self.core.array()

    def _observation(self) -> Observation:
        return {"intent": self.core.task.intent, **self.core.observe(self.kinds)}


def choose_tasks(
    tasks: Sequence[PhoneTask] | None,
    dataset: Path | str | None,
    split: str,
    size: tuple[int, int],
    locale: str | None,
    start: Start = "app",
) -> tuple[PhoneTask, ...]:
    """The tasks of an environment, all with screens of one size.

    Raises:
        UsageError: No tasks, screens of several sizes, an unknown split or language, tasks in another
            language or with another start, or both tasks and a dataset.
        DatasetError: The dataset cannot be read.
    """
    if tasks is not None and dataset is not None:
        raise UsageError("give an environment tasks or a dataset, not both")
    if tasks is not None:
        found = tuple(tasks)
    else:
        found = (
            live_tasks(size=size, locale=CHINESE if locale is None else locale, start=start)
            if dataset is None
            else load_tasks(dataset, split=split, start=start)
        )
    if not found:
        raise UsageError("an environment needs at least one task")
    check_locale(found, locale)
    check_start(found, start)
    sizes = sorted({task.simulation.size for task in found})
    if len(sizes) > 1:
        named = ", ".join(f"{width}x{height}" for width, height in sizes)
        raise UsageError(f"expected tasks with screens of one size, got {named}: make one environment a size")
    return found


def read_step_info(core: PhoneCore, done: CoreStep) -> dict[str, Any]:
    """The information that `step` returns with observation and reward."""
    info = {
        "success": done.success,
        "performed": done.performed,
        "note": done.note,
        "steps": len(core.actions),
    }
    if done.interrupted:
        info["interrupted"] = True
    if core.task.instructed is not None:
        info |= {"reply": done.reply, "dialogue": core.spoken}
    return info if done.answer_seen is None else {**info, "answer_seen": done.answer_seen}


register()
