"""Training samples of track 2: the prompts of `fingertip execute` on recorded screens, and recorded actions.

The teacher-forced environment leads through an episode, so screens, past steps and gaps are those of
`execute --device teacher-forced`. Each answer is read by the agent's own parser again and has to be the
recorded action; a step whose action the agent's format cannot express is left out and counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from execution_runner.environments.recorded_episodes import COLUMNS, RecordedStep, read_recorded_steps
from execution_runner.environments.teacher_forced import TeacherForcedSession
from execution_runner.execution_records import ReferenceKind
from execution_runner.execution_view import EQUATION_2, ExecutionView
from execution_runner.run_plan import EXECUTION_COLUMNS, plan_task
from fingertip_agents.execution_agent import PastStep
from fingertip_agents.model_agent import Format
from fingertip_agents.parsing.reading import Prepared, WrittenAnswer
from fingertip_dataset.actions import Action, Click, LongClick, Scroll, Type, Wait, parse_action
from fingertip_dataset.errors import ActionSyntaxError, DeviceError, InputError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.pictures import read_picture_size
from fingertip_dataset.tasks.task import ExecutionInput, references_from
from fingertip_models.messages import Language
from fingertip_training.dropped_steps import DroppedSteps
from fingertip_training.training_sample import TrainingSample

GRID = 999
"""Units of the coarsest grid in which an agent writes points."""

NO_ACTIONS = "episode without a recorded action"
NO_SCREEN = "step without a screenshot"
NO_ACTION = "text that is no action"
NO_EQUIVALENT = "action that the agent's format cannot express: {}"
NOT_THE_SAME = "answer that is not read back as the recorded action: {}"
UNREADABLE = "screenshot that cannot be read"


def execution_samples(
    built: BuiltDataset,
    split: str,
    episodes: Mapping[str, str],
    dropped: DroppedSteps,
    *,
    format: Format,
    language: Language,
    reference: ReferenceKind = "same_user",
    view: ExecutionView = EQUATION_2,
    excluded: Collection[str] = (),
) -> Iterator[TrainingSample]:
    """Yield a sample per recorded step, in the order of the dataset.

    Args:
        built: The dataset.
        split: Name of the split.
        episodes: Id -> user of the episodes.
        dropped: Counts what is left out.
        format: Prompt and output format of the agent.
        language: Language of the prompt.
        reference: Kind of the reference that a task shows.
        view: Parts of the tasks and the screens that the prompts show.
        excluded: Ids of episodes that no prompt shows as a reference.
    """
    columns = (*EXECUTION_COLUMNS, *(name for name in COLUMNS if name not in EXECUTION_COLUMNS))
    forms = built.answer_forms()
    for row in built.rows(split, columns=columns, config="default", ids=episodes):
        shown = {**row, **dict.fromkeys(references_from(row, excluded))}
        own = built.manifest.settings.language_of(row["user_id"])
        task_input = plan_task(shown, reference, forms, language=own).input
        steps = read_recorded_steps(row)
        if not steps:
            dropped.add(NO_ACTIONS, task_input.task_id)
        yield from episode_samples(
            task_input, row["user_id"], steps, dropped, format=format, language=language, view=view
        )


def episode_samples(
    task_input: ExecutionInput,
    user_id: str,
    steps: Sequence[RecordedStep],
    dropped: DroppedSteps,
    *,
    format: Format,
    language: Language,
    view: ExecutionView = EQUATION_2,
) -> Iterator[TrainingSample]:
    """Yield a sample per recorded step of an episode; the arguments are those of `execution_samples`."""
    shown_input = view.show_task(task_input)
    return _Episode(shown_input, user_id, steps, format, language, view, dropped).samples()


class _Episode:
    """The samples of one episode."""

    def __init__(
        self,
        task_input: ExecutionInput,
        user_id: str,
        steps: Sequence[RecordedStep],
        format: Format,
        language: Language,
        view: ExecutionView,
        dropped: DroppedSteps,
    ) -> None:
        self._task_input = task_input
        self._user_id = user_id
        self._steps = steps
        self._format = format
        self._language = language
        self._view = view
        self._dropped = dropped
        self._session = TeacherForcedSession(steps)
        self._past: list[PastStep] = list(self._session.before())
        self._actions = [_parse_written(step.action) for step in steps]

    def samples(self) -> Iterator[TrainingSample]:
        for gap in self._session.gaps:
            self._drop(NO_SCREEN, gap)
        while len(self._past) < len(self._steps):
            at = len(self._past)
            try:
                screen = self._view.show_screen(self._session.observe())
                past = tuple(self._view.show_past(self._past))
                prepared = self._format.prepare(self._task_input, screen, past, self._language)
            except (DeviceError, InputError):
                # `execute` ends the attempt here, too
                for step in range(at, len(self._steps)):
                    if step not in self._session.gaps:
                        self._drop(UNREADABLE, step)
                return
            answer = self._answer(at, prepared, screen.size)
            if answer is not None:
                yield TrainingSample(
                    track="execution",
                    episode_id=self._task_input.task_id,
                    user_id=self._user_id,
                    step=at + 1,
                    messages=prepared.messages,
                    answer=answer.text,
                )

    def _answer(self, at: int, prepared: Prepared, size: tuple[int, int]) -> WrittenAnswer | None:
        """The answer to a screen, if it is read back as the recorded actions; moves on to the next screen."""
        following = self._following(at)
        answer = prepared.write(following) if following else None
        if answer is None:
            action = self._actions[at]
            self._drop(NO_EQUIVALENT.format(action.name) if action else NO_ACTION, at)
            self._advance(Wait())
            return None
        read, wanted = prepared.read(answer.text).actions, following[: answer.actions]
        reach = _tolerance(prepared, size) if self._format.traits.answer_form == "points" else None
        same = len(read) == len(wanted) and all(map(partial(_is_close, reach=reach), read, wanted))
        # the environment's own comparison as well: it knows the element that a touch meets
        on_trace = [self._advance(own) for own in (read if same else wanted)]
        if same and all(on_trace):
            return answer
        self._drop(NOT_THE_SAME.format(wanted[0].name), at, count=len(wanted))
        return None

    def _following(self, at: int) -> list[Action]:
        """The action on a screen and those after it, as far as each has a screen."""
        found: list[Action] = []
        for index in range(at, len(self._steps)):
            action = self._actions[index]
            if action is None or index in self._session.gaps:
                break
            found.append(action)
        return found

    def _advance(self, action: Action) -> bool:
        """Move on to the next recorded screen; returns whether the action is the recorded one."""
        done = self._session.step(action)
        self._past += (*done.past, *done.skipped)
        return done.on_trace is True

    def _drop(self, kind: str, at: int, *, count: int = 1) -> None:
        self._dropped.add(
            kind, self._task_input.task_id, step=at + 1, detail=self._steps[at].action, count=count
        )


def _parse_written(written: str) -> Action | None:
    try:
        return parse_action(written)
    except ActionSyntaxError:
        return None


def _tolerance(prepared: Prepared, size: tuple[int, int]) -> float:
    """Largest rounding error of a point, device px: a pixel of the picture or a unit of the grid, and one."""
    units = [side / GRID for side in size]
    for picture in (image for message in prepared.messages for image in message.images):
        shown = read_picture_size(picture)
        units += (side / pixels for side, pixels in zip(size, shown, strict=True))
    return 1 + max(units)


def _is_close(own: Action, recorded: Action, *, reach: float | None) -> bool:
    """Whether an action is the recorded one but for rounding; None compares no points."""
    match own, recorded:
        case (Type(), Type()):
            return own.text == recorded.text
        case (Click() | LongClick() | Scroll(), Click() | LongClick() | Scroll()) if reach is not None:
            return max(abs(own.x - recorded.x), abs(own.y - recorded.y)) <= reach
        case _:
            return True
