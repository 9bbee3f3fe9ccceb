"""Simulated phones for TRL's GRPOTrainer whose screens are pictures; answers are in the model's own format.

Each answer of the model is one call of the tool `act`, which the format's own reader turns into actions, as
in `fingertip execute`: what it cannot read is `wait()`, and counts as a step. The result is the next screen.

TRL goes on while answers are calls, and every answer is one here. It drops a result that does not fit into
`max_completion_length` and ends the attempt with the model's last answer (TRL 1.16, `_tool_call_loop`), so
the result of the last answer is a text that is too long: nothing follows the end, and nothing behind it is
learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fingertip_agents.execution_agent import PastStep, ScreenInput
from fingertip_agents.parsing.questions import read_with_questions
from fingertip_agents.parsing.reading import MAX_OUTPUT, Prepared, Reading, choose_scored_text
from fingertip_dataset.actions import Action, Ask, Wait, format_action
from fingertip_environments.phone_core import CoreStep, PhoneCore
from fingertip_environments.phone_task import PhoneTask
from fingertip_environments.screen_pictures import Parts, ScreenPictures, list_parts, make_blank_screen
from fingertip_environments.trl_attempt import OVER, AttemptCounts, TrlAttempt


class PictureTools(TrlAttempt):
    """A phone of `GRPOTrainer(environment_factory=...)` whose screens are pictures.

    Args:
        tasks: The tasks; a row of the training data names one under "task_id".
        core: The phone.
        screens: How the model sees the screens.
        counts: Where attempts are counted; None for numbers of this phone alone.
    """

    def __init__(
        self,
        tasks: Sequence[PhoneTask],
        core: PhoneCore,
        screens: ScreenPictures,
        counts: AttemptCounts | None = None,
    ) -> None:
        super().__init__(tasks, core, counts)
        self._screens = screens
        self._most = screens.count_screens(tasks)
        self._past: list[PastStep] = []
        self._prepared: Prepared | None = None
        self._shown = 0

    def reset(self, task_id: str = "", **row: object) -> list[dict[str, Any]]:
        """Begin the task of a row.

        Returns:
            The last message of the prompt, with the picture of the first screen.

        Raises:
            UsageError: There is no such task.
        """
        self._begin(task_id)
        self._past.clear()
        self._shown = 0
        return self._show_screen()

    def act(self, answer: str) -> list[dict[str, Any]] | str:
        """Carry out an answer of the model.

        Args:
            answer: The whole answer, in the model's own format.

        Returns:
            The next screen, or the reply to a question.
        """
        self._called = True
        if self._over or self._prepared is None:
            return self._end_conversation()
        output = str(answer)[:MAX_OUTPUT]
        done = self._perform(self._read(self._prepared, output), output)
        if done.over:
            return self._end_conversation()
        if done.reply:
            return [{"type": "text", "text": done.reply}]
        if self._shown == self._most:
            self._note(self._core.stop())
            return self._end_conversation()
        try:
            return self._show_screen()
        except Exception as error:
            self._interrupt(error)
            return self._end_conversation()

    def _read(self, prepared: Prepared, answer: str) -> Reading:
        if self._core.task.instructed is not None:
            return read_with_questions(answer, prepared.read)
        return prepared.read(answer)

    def _perform(self, reading: Reading, answer: str) -> CoreStep:
        """Perform the actions of an answer until the episode is over; returns the last step."""
        scored = reading.raw
        actions: Sequence[Action] = reading.actions
        if reading.problem is not None or not actions:
            actions, scored = (Wait(),), (choose_scored_text(answer),)
        for number, action in enumerate(actions):
            written = scored[number] if number < len(scored) else format_action(action)
            done = self._carry_out(action, written)
            if not isinstance(action, Ask):
                self._past.append(
                    PastStep(action=action, written=written, output=answer, thought=reading.thought)
                )
            if done.over:
                break
        return done

    def _show_screen(self) -> Parts:
        core = self._core
        screen = ScreenInput(
            screenshot=core.png(),
            tree=core.tree(),
            size=core.phone.size,
            package=core.phone.foreground[0],
        )
        self._prepared = self._screens.prepare(core.task, screen, self._past)
        self._shown += 1
        return self._screens.list_new_parts(self._prepared, first=self._shown == 1)

    def _end_conversation(self) -> str:
        """A result that is too long for the context, with which TRL ends the attempt."""
        return f"{OVER} {' '.join(map(str, range(self._screens.max_completion_length + 1)))}"


def write_answer(tools: PictureTools, action: Action) -> str | None:
    """Write the answer with an action to the screen that is shown, as for a demonstration.

    It is no method, as each public method is a tool of the model.

    Args:
        tools: The phone.
        action: The action, px of the phone's screen.

    Returns:
        The answer in the model's format; None if it has no equivalent, or nothing is shown yet.
    """
    written = None if tools._prepared is None else tools._prepared.write([action])
    return None if written is None else written.text


def make_picture_rows(tasks: Sequence[PhoneTask], screens: ScreenPictures) -> list[dict[str, Any]]:
    """Rows of the training data: the prompt without its last message, which `reset` gives, and the task.

    Args:
        tasks: The tasks.
        screens: How the model sees the screens.
    """
    rows: list[dict[str, Any]] = []
    for task in tasks:
        messages = screens.prepare(task, make_blank_screen(task.simulation.size), ()).messages
        prompt = [{"role": one.role, "content": list_parts(one)} for one in messages[:-1]]
        rows.append({"prompt": [*prompt, {"role": "user", "content": []}], "task_id": task.task_id})
    return rows
