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
from execution_runner.environments.environment import RuleResult, StepResult
from execution_runner.environments.simulated import SimulatedSession, check_faults
from fingertip_agents.agent_crash import describe_crash
from fingertip_dataset.actions import Action, Ask, Finished, format_action
from fingertip_dataset.errors import DatasetError, DeviceError, UsageError, is_memory_shortage
from fingertip_environments.phone_task import PhoneTask, check_setup
from fingertip_environments.rewards import EpisodeEnd, EpisodeOutcome, Reward, goal_reward, needs_states
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
        truncated: Whether the step limit is exceeded, the person would answer no more, or the episode was
            stopped or interrupted; such an episode is no success.
        success: Whether the goal is reached, by its rule, and the step limit is kept.
        performed: Whether the action was carried out.
        note: Why it was not, or what could not be checked about it, in words.
        answer_seen: Whether a screen before one of the actions so far showed the answer to the goal's
            question, which tells looking from guessing; None for a goal that asks none.
        reply: The person's words to a question of the agent; "" for an action.
        interrupted: Whether the phone failed, as `note` says: the episode says nothing of the agent, its
            reward is 0, and the reward function is not called.
    """

    reward: float
    terminated: bool
    truncated: bool
    success: bool
    performed: bool
    note: str
    answer_seen: bool | None = None
    reply: str = ""
    interrupted: bool = False

    @property
    def over(self) -> bool:
        """Whether the episode is over."""
        return self.terminated or self.truncated


class PhoneCore:
    """A simulated phone of this process on which tasks are carried out, as `fingertip execute` does over adb.

    The same task and the same actions lead to the same screens, rewards and success.

    Args:
        reward: Function of the outcome, called at the end of an episode. If it asks for the states of the
            phone (`needs_states`), the outcome has progress and side effects, which slows steps down.
        stop_at_goal: Whether an episode ends as soon as the goal is reached. By default it ends with
            `finished()` or at the step limit, as in the benchmark.
        faults: Faults that are on in addition to those of a task.
        trees: "clean" for tidy accessibility trees, "rough" for trees as untidy as real ones
            (docs/developers/trees.md).
        design: Design language of every phone; None for that of the task's person.
        dark: Whether every phone is in dark mode; None as in the task.
        pixels: Array of shape (height, width, 3) that screens are drawn in; by default a new one.
        frames: Frame buffer that is shared with other phones, which saves memory and draws more; None for one
            of its own. Of a task with another size of screen it is not used.

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
        frames: FrameBuffer | None = None,
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
        self._frames, self._shared_frames = frames, frames
        self._task: PhoneTask | None = None
        self._actions: list[str] = []
        self._written: list[str] = []
        self._met_at_start = 0
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
        states = needs_states(self._reward)
        session = begin_in_process(dressed, self._phone, faults=self._faults, states=states)
        session.check_goal()
        self._session, self._task, self._over = session, task, False
        self._dialogue = None
        self._met_at_start = _count_met(session.evaluate()) if needs_states(self._reward) else 0
        if task.instructed is not None:
            person = PeopleByRule(tasks=task.instructed)(task.task, task.simulation)
            self._dialogue = DialogueSession(session, session.do, person, dressed)
        self._actions.clear()
        self._written.clear()
        self._spoken.clear()

    def _select_design(self, simulation: Simulation) -> Simulation:
        """The task's setup, in the design and mode of this environment."""
        setup = simulation.setup
        design = setup.design if self._design is None else self._design
        dark = setup.dark if self._dark is None else self._dark
        return replace(simulation, setup=replace(setup, design=design, dark=dark))

    def step(self, action: Action, *, written: str | None = None) -> CoreStep:
        """Carries out one action; one that the phone cannot perform is noted, and counts as a step.

        Such are text without a focused field, and text that no keyboard of the phone can type. A question to
        a person who answers is no step. A phone that fails interrupts the episode; the next one has another.

        Args:
            action: The action.
            written: The action as the agent wrote it, which Sim_2 compares; None for the release's spelling.

        Raises:
            UsageError: The episode is over, or there was no reset yet.
        """
        if self._over or self._session is None:
            raise UsageError("the episode is over, or has not begun: call reset() first")
        try:
            if isinstance(action, Ask) and self._dialogue is not None:
                return self._ask(self._dialogue, action)
            return self._do(self._dialogue or self._session, action, written)
        except UsageError:
            raise
        except Exception as error:
            if is_memory_shortage(error):
                raise
            return self.interrupt(error)

    def _do(
        self, session: SimulatedSession | DialogueSession, action: Action, written: str | None
    ) -> CoreStep:
        """Carry out an action of the phone."""
        assert self._session is not None  # noqa: S101 - `step` has looked
        try:
            done = session.step(action)
        except DeviceError as error:
            done = StepResult(performed=False, note=error.message)
        self._actions.append(format_action(action))
        self._written.append(self._actions[-1] if written is None else written)
        truncated = self.task.task.target.over_limit(len(self._actions))
        finished = isinstance(action, Finished)
        judged = not truncated and (finished or self._stop_at_goal)
        rule = session.evaluate() if judged else RuleResult()
        success = judged and rule.success is True
        terminated = not truncated and (finished or success)
        self._over = terminated or truncated
        end: EpisodeEnd = "step_limit" if truncated else "finished" if finished else "goal"
        return CoreStep(
            reward=self._earn(end, rule if judged else None, success=success) if self._over else 0.0,
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
        if not self._over:
            return self._continue(reply)
        reward = self._earn("patience", None, success=False)
        return replace(self._continue(reply), reward=reward, truncated=True)

    def score_stop(self) -> float:
        """Return what `stop` would earn now; the episode goes on.

        Raises:
            UsageError: The episode is over, or there was no reset yet.
        """
        if self._over or self._session is None:
            raise UsageError("the episode is over, or has not begun: call reset() first")
        return self._earn("stopped", None, success=False)

    def stop(self) -> CoreStep:
        """End an episode whose agent does no more, without `finished()`: it is no success.

        Raises:
            UsageError: The episode is over, or there was no reset yet.
        """
        reward = self.score_stop()
        self._over = True
        return replace(self._continue(), reward=reward, truncated=True)

    def interrupt(self, error: Exception) -> CoreStep:
        """End an episode whose phone failed. A new phone shows the first screen of the same task.

        Args:
            error: What the phone raised.
        """
        actions, written, spoken = [*self._actions], [*self._written], [*self._spoken]
        self._phone, self._over = None, True
        self.reset(self.task)
        self._actions[:], self._written[:], self._spoken[:] = actions, written, spoken
        self._over = True
        return CoreStep(
            reward=0.0,
            terminated=False,
            truncated=True,
            success=False,
            performed=False,
            note=f"the phone failed: {describe_crash(error)}",
            interrupted=True,
        )

    def _continue(self, reply: str = "") -> CoreStep:
        """A step that ends nothing and does nothing on the phone."""
        return CoreStep(
            reward=0.0,
            terminated=False,
            truncated=False,
            success=False,
            performed=True,
            note="",
            answer_seen=None if self._session is None else self._session.answer_seen,
            reply=reply,
        )

    def _earn(self, end: EpisodeEnd, rule: RuleResult | None, *, success: bool) -> float:
        """The reward of the episode, of the rule's result if it was applied already."""
        session = self._dialogue or self._session
        wants_rule = self._dialogue is not None or needs_states(self._reward)
        if rule is None and wants_rule and session is not None:
            rule = session.evaluate()
        return self._reward(self._make_outcome(end, rule or RuleResult(), success=success))

    def _make_outcome(self, end: EpisodeEnd, rule: RuleResult, *, success: bool) -> EpisodeOutcome:
        target, state, dialogue = self.task.task.target, rule.state, rule.dialogue
        missing = None if state is None else state.conditions - self._met_at_start
        return EpisodeOutcome(
            success=success,
            actions=tuple(self._written),
            person=target.golden_actions,
            other=target.other_type_actions,
            task_id=target.task_id,
            end=end,
            progress=None
            if state is None or not missing
            else max(0.0, (state.met - self._met_at_start) / missing),
            side_effects=0 if state is None else len(state.side_effects),
            questions=0 if dialogue is None else dialogue.questions,
            needless=0 if dialogue is None else dialogue.needless,
            unasked=0 if dialogue is None else len(dialogue.unasked),
            after_no=0 if dialogue is None else dialogue.after_no,
        )

    # ---- what is seen

    def draw(self) -> NDArray[np.uint8]:
        """The screen's pixels as `array` gives them, in memory that the next drawing changes."""
        return self._find_buffer().draw(self.phone.screen())

    def _find_buffer(self) -> FrameBuffer:
        size = self.phone.size
        if self._shared_frames is not None and self._shared_frames.size == size:
            return self._shared_frames
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


def _count_met(rule: RuleResult) -> int:
    """Number of the goal's conditions that a state meets; 0 if nothing is known of them."""
    return 0 if rule.state is None else rule.state.met


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
