"""The core of all environments: a simulated phone of this process, one task at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.environments.dialogue_session import DialogueSession
from execution_runner.environments.environment import StepResult
from execution_runner.environments.simulated import SimulatedSession, check_faults
from fingertip_dataset.actions import Action, Ask, Finished, format_action
from fingertip_dataset.errors import DatasetError, DeviceError, UsageError
from fingertip_environments.phone_task import PhoneTask, check_setup
from fingertip_environments.rewards import EpisodeOutcome, Reward, goal_reward
from fingertip_runs.task_answerers import PeopleByRule
from simulated_phone import Phone, PhoneSetupError, TreeUnavailableError
from simulated_phone.machine.faults import ROTATION
from simulated_phone.people.simulation import Simulation
from simulated_phone.screens.drawing.frame_buffer import FrameBuffer
from simulated_phone.screens.rough_trees import TreeKind, find_tree_kind
from simulated_phone.screens.skin import skin

Kind = Literal["array", "tree", "png", "jpeg"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Kinds of observations: RGB pixels, accessibility tree, PNG file, JPEG file."""

ScreenValue: TypeAlias = NDArray[np.uint8] | str | bytes

JPEG_QUALITY = 70
"""JPEG quality, 0-100: that of the recorded screens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreStep:
    """The result of a step.

    Attributes:
        reward: 0 before the end; at the end, what the reward function gives.
        terminated: Whether the agent said `finished()`, or the goal is reached and ends the episode.
        truncated: Whether the step limit is exceeded, or the person would answer no more; such an episode is
            no success.
        success: Whether the goal is reached, by its rule, and the step limit is kept.
        performed: Whether the action was carried out.
        note: Why it was not, or what could not be checked about it, in words.
        answer_seen: Whether a screen before one of the actions so far showed the answer to the goal's
            question, which tells looking from guessing; None for a goal that asks none.
        reply: The person's words to a question of the agent; "" for an action.
    """

    reward: float
    terminated: bool
    truncated: bool
    success: bool
    performed: bool
    note: str
    answer_seen: bool | None = None
    reply: str = ""

    @property
    def over(self) -> bool:
        """Whether the episode is over."""
        return self.terminated or self.truncated


class PhoneCore:
    """A simulated phone of this process on which tasks are carried out, as `fingertip execute` does over adb.

    The same task and the same actions lead to the same screens, rewards and success.

    Args:
        reward: Function of the outcome, called at the end of an episode.
        stop_at_goal: Whether an episode ends as soon as the goal is reached. By default it ends with
            `finished()` or at the step limit, as in the benchmark.
        faults: Faults that are on in addition to those of a task.
        trees: "clean" for tidy accessibility trees, "rough" for trees as untidy as real ones
            (docs/developers/trees.md).
        design: Design language of every phone; None for that of the task's person.
        dark: Whether every phone is in dark mode; None as in the task.
        pixels: Array of shape (height, width, 3) that screens are drawn in; by default a new one.

    Attributes:
        trees: As given.

    Raises:
        UsageError: There are no such trees or no such design, or there is no such fault, or it turns the
            screen, whose size must not change.
    """

    def __init__(
        self,
        *,
        reward: Reward = goal_reward,
        stop_at_goal: bool = False,
        faults: Collection[str] = (),
        trees: str = "clean",
        design: str | None = None,
        dark: bool | None = None,
        pixels: NDArray[np.uint8] | None = None,
    ) -> None:
        check_faults(faults)
        if ROTATION in faults:
            raise UsageError(f"the fault {ROTATION} turns the screen: environments have one size of screen")
        self.trees = check_trees(trees)
        check_design(design)
        self._design, self._dark = design, dark
        self._pixels = pixels
        self._reward = reward
        self._stop_at_goal = stop_at_goal
        self._faults = tuple(faults)
        self._phone: Phone | None = None
        self._session: SimulatedSession | None = None
        self._dialogue: DialogueSession | None = None
        self._spoken: list[tuple[str, str]] = []
        self._frames: FrameBuffer | None = None
        self._task: PhoneTask | None = None
        self._actions: list[str] = []
        self._over = True

    @property
    def phone(self) -> Phone:
        """The phone.

        Raises:
            UsageError: There was no reset yet.
        """
        if self._phone is None:
            raise UsageError("the environment has no task yet: call reset() first")
        return self._phone

    @property
    def task(self) -> PhoneTask:
        """The current task.

        Raises:
            UsageError: There was no reset yet.
        """
        if self._task is None:
            raise UsageError("the environment has no task yet: call reset() first")
        return self._task

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions of this episode so far, without the questions."""
        return tuple(self._actions)

    @property
    def spoken(self) -> tuple[tuple[str, str], ...]:
        """The questions of this episode so far, each with its reply."""
        return tuple(self._spoken)

    def reset(self, task: PhoneTask) -> None:
        """Puts the phone into the state in which the person began the task.

        Raises:
            DatasetError: The setup does not fit the phone.
            DeviceLockedError: The phone's lock asks for a PIN.
        """
        size = task.simulation.size
        if self._phone is None or self._phone.physical_size != size:
            try:
                self._phone = Phone(size=size, trees=self.trees)
            except PhoneSetupError as error:
                raise DatasetError(str(error), episode_id=task.task_id) from None
        dressed = self._select_design(task.simulation)
        session = begin_in_process(
            dressed, self._phone, faults=self._faults, states=task.instructed is not None
        )
        session.check_goal()
        self._session, self._task, self._over = session, task, False
        self._dialogue = None
        if task.instructed is not None:
            person = PeopleByRule(tasks=task.instructed)(task.task, task.simulation)
            self._dialogue = DialogueSession(session, session.do, person, dressed)
        self._actions.clear()
        self._spoken.clear()

    def _select_design(self, simulation: Simulation) -> Simulation:
        """The task's setup, in the design and mode of this environment."""
        setup = simulation.setup
        design = setup.design if self._design is None else self._design
        dark = setup.dark if self._dark is None else self._dark
        return replace(simulation, setup=replace(setup, design=design, dark=dark))

    def step(self, action: Action) -> CoreStep:
        """Carries out one action; one that the phone cannot perform is noted, and counts as a step.

        Such are text without a focused field, and text that no keyboard of the phone can type. A question to
        a person who answers is no step.

        Raises:
            UsageError: The episode is over, or there was no reset yet.
        """
        if self._over or self._session is None:
            raise UsageError("the episode is over, or has not begun: call reset() first")
        if isinstance(action, Ask) and self._dialogue is not None:
            return self._ask(self._dialogue, action)
        session = self._dialogue or self._session
        try:
            done = session.step(action)
        except DeviceError as error:
            done = StepResult(performed=False, note=error.message)
        self._actions.append(format_action(action))
        truncated = self.task.task.target.over_limit(len(self._actions))
        finished = isinstance(action, Finished)
        judged = not truncated and (finished or self._stop_at_goal)
        success = judged and session.evaluate().success is True
        terminated = not truncated and (finished or success)
        self._over = terminated or truncated
        return CoreStep(
            reward=self._reward(self._make_outcome(success)) if self._over else 0.0,
            terminated=terminated,
            truncated=truncated,
            success=success,
            performed=done.performed,
            note=done.note,
            answer_seen=self._session.answer_seen,
        )

    def _ask(self, dialogue: DialogueSession, question: Ask) -> CoreStep:
        """Put a question to the person."""
        done = dialogue.step(question)
        reply = "" if done.reply is None else done.reply.text
        self._spoken.append((question.text, reply))
        self._over = done.end is not None
        return CoreStep(
            reward=self._reward(self._make_outcome(success=False)) if self._over else 0.0,
            terminated=False,
            truncated=self._over,
            success=False,
            performed=True,
            note="",
            reply=reply,
        )

    def _make_outcome(self, success: bool) -> EpisodeOutcome:
        target = self.task.task.target
        return EpisodeOutcome(
            success=success,
            actions=tuple(self._actions),
            person=target.golden_actions,
            other=target.other_type_actions,
        )

    # ---- what is seen

    def draw(self) -> NDArray[np.uint8]:
        """The screen's pixels as `array` gives them, in memory that the next drawing changes."""
        return self._find_buffer().draw(self.phone.screen())

    def _find_buffer(self) -> FrameBuffer:
        size = self.phone.size
        if self._frames is None or self._frames.size != size:
            self._frames = FrameBuffer(size, self._pixels)
        return self._frames

    def array(self) -> NDArray[np.uint8]:
        """The screen's pixels, RGB, shape (height, width, 3), in a new array."""
        return self.draw().copy()

    def png(self) -> bytes:
        """The screen as a PNG file."""
        return self._find_buffer().png(self.phone.screen())

    def jpeg(self, quality: int = JPEG_QUALITY) -> bytes:
        """The screen as a JPEG file."""
        stream = BytesIO()
        Image.fromarray(self.draw()).save(stream, "JPEG", quality=quality)
        return stream.getvalue()

    def tree(self) -> str:
        """The accessibility tree in the dialect of `uiautomator dump`; "" if the phone gives none."""
        try:
            return self.phone.tree()
        except TreeUnavailableError:
            return ""

    def observe(self, kinds: Sequence[Kind]) -> dict[str, ScreenValue]:
        """The screen in each of these kinds."""
        takes: Mapping[Kind, Callable[[], ScreenValue]] = {
            "array": self.array,
            "tree": self.tree,
            "png": self.png,
            "jpeg": self.jpeg,
        }
        return {kind: takes[kind]() for kind in kinds}


def check_trees(trees: str) -> TreeKind:
    """The kind of accessibility trees, checked.

    Raises:
        UsageError: It is unknown.
    """
    with check_setup():
        return find_tree_kind(trees)


def check_design(design: str | None) -> None:
    """Refuse a design that phones do not have; None for that of each task.

    Raises:
        UsageError: There is no such design.
    """
    if design is not None:
        with check_setup():
            skin(design)


def check_kinds(kinds: Sequence[str]) -> tuple[Kind, ...]:
    """The kinds of observations, checked; a single name is one of them.

    Raises:
        UsageError: One of them is unknown or named twice.
    """
    if isinstance(kinds, str):
        kinds = (kinds,)
    names: dict[str, Kind] = {kind: kind for kind in KINDS}
    unknown = [kind for kind in kinds if kind not in names]
    if unknown or len(set(kinds)) < len(kinds):
        what = f"there is no observation {unknown[0]!r}" if unknown else "an observation is named twice"
        raise UsageError(f"{what}; there are {', '.join(KINDS)}")
    return tuple(names[kind] for kind in kinds)
