"""Simulated phones for TRL's GRPOTrainer: each action is a tool, the observation is text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

from fingertip_agents.formats.prompt_wording import make_task_text
from fingertip_agents.parsing.native_syntax import drop_points, rewrite_reference
from fingertip_dataset.actions import (
    DIRECTIONS,
    Action,
    Ask,
    Click,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    Scroll,
    Type,
)
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.settings import Start
from fingertip_dataset.ui_tree.accessibility import BoxState, parse_tree
from fingertip_environments.phone_core import PhoneCore, check_trees
from fingertip_environments.phone_task import PhoneTask, check_locale, check_start
from fingertip_environments.picture_tools import PictureTools, make_picture_rows
from fingertip_environments.rewards import Reward, goal_reward
from fingertip_environments.screen_pictures import ScreenPictures
from fingertip_environments.trl_attempt import OVER, AttemptCounts, TrlAttempt
from fingertip_models.messages import Language
from simulated_phone.screens.drawing.frame_buffer import FrameBuffer

MOST_LABELS = 40
"""Largest number of labels in the text of a screen."""


class PhoneTools(TrlAttempt):
    """A phone of `GRPOTrainer(environment_factory=...)`; its public methods are the model's tools.

    A call that names nothing on the screen, or no direction or text, raises ValueError, which TRL shows to
    the model.

    Args:
        tasks: The tasks; a row of the training data names one under "task_id".
        reward: Function of the outcome.
        stop_at_goal: Whether an episode ends as soon as the goal is reached.
        trees: "clean" for tidy accessibility trees, "rough" for trees as untidy as real ones.
        counts: Where attempts are counted; None for numbers of this phone alone.
    """

    def __init__(
        self,
        tasks: Sequence[PhoneTask],
        reward: Reward = goal_reward,
        stop_at_goal: bool = True,
        trees: str = "clean",
        counts: AttemptCounts | None = None,
    ) -> None:
        super().__init__(tasks, PhoneCore(reward=reward, stop_at_goal=stop_at_goal, trees=trees), counts)

    def reset(self, task_id: str = "", **row: object) -> str:
        """Begin the task of a row; returns what the screen shows.

        Raises:
            UsageError: There is no such task.
        """
        self._begin(task_id)
        return self._show_screen()

    def click(self, label: str) -> str:
        """Touch the element with this text or description.

        Args:
            label: The text or description of the element.

        Returns:
            What the screen shows then.
        """
        return self._touch_label(label, lambda x, y: Click(x=x, y=y, content=label))

    def long_click(self, label: str) -> str:
        """Press and hold the element with this text or description.

        Args:
            label: The text or description of the element.

        Returns:
            What the screen shows then.
        """
        return self._touch_label(label, lambda x, y: LongClick(x=x, y=y, content=label))

    def type_text(self, text: str) -> str:
        """Type text into the field that has the focus.

        Args:
            text: The text.

        Returns:
            What the screen shows then.
        """
        return self._do(Type(text=_list_words(text)))

    def scroll(self, direction: Literal["up", "down", "left", "right"]) -> str:
        """Scroll the screen.

        Args:
            direction: The side of the content to reveal.

        Returns:
            What the screen shows then.
        """
        if direction not in DIRECTIONS:
            raise ValueError(f"there is no direction {direction!r}; there are {', '.join(DIRECTIONS)}")
        width, height = self._core.phone.size
        return self._do(Scroll(x=width // 2, y=height // 2, direction=direction))

    def press_back(self) -> str:
        """Press the back key.

        Returns:
            What the screen shows then.
        """
        return self._do(PressBack())

    def press_home(self) -> str:
        """Press the home key.

        Returns:
            What the screen shows then.
        """
        return self._do(PressHome())

    def finished(self, answer: str = "") -> str:
        """Say that the task is done, with the answer if the task asks a question.

        Args:
            answer: The answer, in the form that the task names; empty for a task without a question.

        Returns:
            That the episode is over.
        """
        return self._do(Finished(content=_list_words(answer) or None))

    def _touch_label(self, label: str, action: Callable[[int, int], Action]) -> str:
        self._called = True
        if self._over:
            return OVER
        for words, point in self._list_labels():
            if label and label in words:
                return self._do(action(*point))
        raise ValueError(f"nothing on the screen says {label!r}")

    def _do(self, action: Action) -> str:
        self._called = True
        if self._over:
            return OVER
        done = self._carry_out(action)
        if done.over:
            return OVER
        try:
            return done.note or self._show_screen()
        except Exception as error:
            self._interrupt(error)
            return OVER

    def _list_labels(self) -> Iterator[tuple[tuple[str, str], tuple[int, int]]]:
        """Text, description and centre (px) of each element: of the screen, or of its untidy tree."""
        if self._core.trees == "rough":
            for element in parse_tree(self._core.tree(), screen=self._core.phone.size).elements:
                if element.box is not None and element.box_state is BoxState.PROPER:
                    yield (element.text, element.description), element.box.center
            return
        for window in self._core.phone.screen().windows:
            if not window.behind and not window.chrome:
                for node in window.root.walk():
                    if not node.box.empty:
                        yield (node.text, node.description), node.box.centre

    def _show_screen(self) -> str:
        labels = dict.fromkeys(
            text or description for (text, description), _point in self._list_labels() if text or description
        )
        return "Screen: " + " / ".join(list(labels)[:MOST_LABELS])


class AskingTools(PhoneTools):
    """`PhoneTools` for tasks in which the person answers questions: one tool more."""

    def ask(self, question: str) -> str:
        """Ask the person something about the task, or whether something may be done.

        Args:
            question: The question, in the person's language.

        Returns:
            The person's reply.
        """
        self._called = True
        return OVER if self._over else self._carry_out(Ask(text=_list_words(question))).reply


def _list_words(given: object) -> str:
    """Text of a model's call, which may be a number of JSON.

    Raises:
        ValueError: It is neither.
    """
    if not isinstance(given, str | int | float) or isinstance(given, bool):
        raise ValueError(f"expected a text, got {given!r}")
    return str(given)


def phone_tools(
    tasks: Sequence[PhoneTask],
    *,
    reward: Reward = goal_reward,
    stop_at_goal: bool = True,
    locale: str | None = None,
    start: Start = "app",
    trees: str = "clean",
    screens: ScreenPictures | None = None,
) -> Callable[[], PhoneTools] | Callable[[], PictureTools]:
    """The `environment_factory` of a GRPOTrainer: phones for these tasks.

    One argument more, and the model sees: its screens are pictures, and its answers in its own format.

    Args:
        tasks: The tasks, which the rows name.
        reward: Function of the outcome.
        stop_at_goal: Whether an episode ends as soon as the goal is reached.
        locale: Language of the tasks; None for any.
        start: Where all tasks begin: in their app, which is open, or on the home screen.
        trees: "clean" for tidy accessibility trees, "rough" for trees as untidy as real ones.
        screens: How the model sees pictures of the screens; None for tools that name elements by their text.

    Raises:
        UsageError: There are no tasks, no such language or kind of trees, a task is in another language or
            has another start, or as of `ScreenPictures.check`.
    """
    if not tasks:
        raise UsageError("expected at least one task, got none")
    check_locale(tasks, locale)
    check_start(tasks, start)
    check_trees(trees)
    counts = AttemptCounts()
    if screens is not None:
        screens.check(tasks)
        # the phones are drawn one after the other: a buffer each would take 1.9 MB at 540x1200
        make_core = partial(
            PhoneCore,
            reward=reward,
            stop_at_goal=stop_at_goal,
            trees=trees,
            frames=FrameBuffer(tasks[0].simulation.size),
        )
        return lambda: PictureTools(tasks, make_core(), screens, counts)
    kind = AskingTools if any(task.instructed is not None for task in tasks) else PhoneTools
    return lambda: kind(tasks, reward, stop_at_goal, trees, counts)


def prompt_rows(
    tasks: Sequence[PhoneTask], language: Language = "zh", *, screens: ScreenPictures | None = None
) -> list[dict[str, Any]]:
    """Rows of the training data of a GRPOTrainer: the prompt, and the task that the phone begins.

    The prompt has what an agent of track 2 gets beside the screen. The tools touch by labels, so the actions
    of the reference stand without coordinates. With pictures, it is the prompt of the model's format.

    Args:
        tasks: The tasks.
        language: Language of the headings; with pictures, that of `screens` counts.
        screens: How the model sees pictures of the screens, as for `phone_tools`.
    """
    if screens is not None:
        return make_picture_rows(tasks, screens)
    return [
        {"prompt": [{"role": "user", "content": _write_prompt(task, language)}], "task_id": task.task_id}
        for task in tasks
    ]


def _write_prompt(task: PhoneTask, language: Language) -> str:
    shown_input = rewrite_reference(task.shown_input, drop_points)
    return make_task_text(shown_input, None, language, answer_call='finished(answer="...")')
