"""Tasks of the environments: a task of track 2, and the setup of the person's phone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from execution_runner.environments.simulated import simulation_of
from execution_runner.execution_view import EQUATION_2, ExecutionView
from execution_runner.run_plan import plan_tasks
from fingertip_agents.touch_actions import convert_gesture
from fingertip_dataset.actions import Finished, format_action
from fingertip_dataset.episodes import UserProfile
from fingertip_dataset.errors import UnknownNameError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.settings import Start
from fingertip_dataset.split_names import TRAIN
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTask, TaskTarget
from fingertip_dataset.times import format_time
from fingertip_recorder.place_words import write_place
from fingertip_runs.instructed_tasks import InstructedTasks, instruct_tasks
from simulated_phone import Phone, PhoneSetupError
from simulated_phone.dialogue.dialogue_kinds import Level
from simulated_phone.dialogue.instructions import LEVELS
from simulated_phone.dialogue.vague_task import begin_at_home
from simulated_phone.language.language import CHINESE, check_language
from simulated_phone.people.life import EpisodeStart, Life, SimulatedEpisode
from simulated_phone.people.person import Person, make_person
from simulated_phone.people.simulation import Simulation


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneTask:
    """A task of the environments.

    Attributes:
        task: The task: what an agent is given, and the person's own actions, which set the step limit.
        simulation: State of the phone at the beginning, the goal with its rule, and the size of the screen.
        view: Parts of the task that an agent is told.
        instructed: The instruction, with which questions the person answers; None where nobody does.
    """

    task: ExecutionTask
    simulation: Simulation
    view: ExecutionView = EQUATION_2
    instructed: InstructedTasks | None = None

    @property
    def task_id(self) -> str:
        """The episode id."""
        return self.task.task_id

    @property
    def intent(self) -> str:
        """The person's intent, in the person's words; with the form of the answer to a question."""
        return self.task.input.request

    @property
    def start(self) -> EpisodeStart:
        """Where it begins: in its app, on the home screen, or there because it needs several apps."""
        return self.simulation.setup.start

    @property
    def shown_input(self) -> ExecutionInput:
        """The input of the task as an agent gets it."""
        return self.view.show_task(self.task.input)


def load_tasks(
    dataset: Path | str,
    *,
    split: str = TRAIN,
    start: Start = "app",
    limit: int | None = None,
    task_ids: Collection[str] | None = None,
    view: ExecutionView = EQUATION_2,
    instructions: Level = "full",
    can_ask: bool = False,
) -> tuple[PhoneTask, ...]:
    """The tasks of a split of a built dataset of simulated people.

    Args:
        dataset: Folder of the dataset.
        split: Name of the split.
        start: Where tasks begin, which has to be where the dataset's episodes do.
        limit: Maximum number of tasks, spread evenly over the split.
        task_ids: Ids of the wanted tasks; None for all.
        view: Parts of the tasks that an agent is told; by default the terms of the paper's equation (2).
        instructions: How much the instructions say; tasks that lack the level are left out, and below "full"
            all begin on the home screen and show no app.
        can_ask: Whether the person answers `ask(text='...')`, and expects to be asked before what is risky.

    Raises:
        UsageError: There is no such split, task or level, the dataset has another start, or a person of it
            is not simulated.
        DatasetError: The dataset cannot be read.
    """
    built = BuiltDataset.open(Path(dataset))
    if instructions != "full" or can_ask:
        return _load_instructed(built, split, instructions, can_ask, limit, task_ids, view)
    plan = plan_tasks(built, split=split, limit=limit, task_ids=task_ids)
    built.require_start(start)
    simulations = built.simulations()
    recorded = [task.task_id for task in plan.tasks if task.task_id not in simulations]
    if recorded:
        raise UsageError(
            f"{len(recorded)} of {len(plan.tasks)} tasks have no simulated person, {recorded[0]} first: "
            "environments need a dataset of simulated people, which `fingertip sample people` makes"
        )
    return tuple(
        PhoneTask(task=task, simulation=simulation_of(simulations, task.task_id), view=view)
        for task in plan.tasks
    )


def _load_instructed(
    built: BuiltDataset,
    split: str,
    level: Level,
    can_ask: bool,
    limit: int | None,
    task_ids: Collection[str] | None,
    view: ExecutionView,
) -> tuple[PhoneTask, ...]:
    """The tasks of a split under instructions of a level, with or without answers."""
    if level not in LEVELS:
        raise UnknownNameError("a level of instructions", level, LEVELS)
    instructed = instruct_tasks(built, split, level, "simulated" if can_ask else None)
    plan = plan_tasks(
        built, split=split, limit=limit, task_ids=instructed.choose(task_ids),
        reference=instructed.choose_reference("same_user"),
    )  # fmt: skip
    simulations = built.simulations()
    if instructed.at_home:
        simulations = begin_at_home(simulations)
    return tuple(
        PhoneTask(
            task=task,
            simulation=simulation_of(simulations, task.task_id),
            view=view,
            instructed=instructed if can_ask else None,
        )
        for task in instructed.shown(plan.tasks)
    )


def live_tasks(
    *,
    people: int = 3,
    episodes: int = 8,
    seed: int = 0,
    first: int = 0,
    size: tuple[int, int] = (540, 1200),
    locale: str = CHINESE,
    start: Start = "app",
    view: ExecutionView = EQUATION_2,
) -> tuple[PhoneTask, ...]:
    """The tasks of simulated people who live them now, without a dataset: about 30 a second.

    They have no reference and no person of another type.

    Args:
        people: Number of people.
        episodes: Number of tasks a person.
        seed: Seed of the population.
        first: Number of the first person, from 0.
        size: Width and height of the screens, px.
        locale: Language of the people and their phones.
        start: Where tasks begin; those that need several apps begin on the home screen.
        view: Parts of the tasks that an agent is told; by default the terms of the paper's equation (2).

    Raises:
        UsageError: No people or episodes, an impossible size, or no such language or start.
    """
    if people < 1 or episodes < 1:
        raise UsageError(f"expected at least 1 person and 1 episode, got {people} and {episodes}")
    if len(size) != 2 or not all(isinstance(side, int) for side in size):
        raise UsageError(f"expected a size as (width, height) in px, such as (540, 1200), got {size!r}")
    check_locale((), locale)
    check_start((), start)
    return tuple(
        _make_live_task(episode, view)
        for number in range(first, first + people)
        for episode in _simulate_month(make_person(number, seed, locale), episodes, size, locale, start)
    )


@contextmanager
def check_setup() -> Iterator[None]:
    """Turn what a phone says of a wrong setup into an error of the call.

    Raises:
        UsageError: The phone refuses its setup.
    """
    try:
        yield
    except PhoneSetupError as error:
        raise UsageError(str(error)) from None


def check_locale(tasks: Sequence[PhoneTask], locale: str | None) -> None:
    """Refuse a language that no phone speaks, and tasks in another one; None allows any.

    Raises:
        UsageError: There is no such language, or a task is in another one.
    """
    if locale is None:
        return
    with check_setup():
        check_language(locale)
    for task in tasks:
        if task.simulation.setup.locale != locale:
            own = task.simulation.setup.locale
            raise UsageError(f"expected tasks in the language {locale!r}, got {task.task_id} in {own!r}")


def check_start(tasks: Sequence[PhoneTask], start: Start) -> None:
    """Refuse tasks that begin elsewhere.

    Raises:
        UsageError: There is no such start, or a task has another one.
    """
    if start not in get_args(Start):
        raise UsageError(f"expected a start of {', '.join(get_args(Start))}, got {start!r}")
    for task in tasks:
        own = task.start
        if (own == "home") != (start == "home"):
            raise UsageError(
                f"expected tasks with the start {start!r}, got {task.task_id} with {own!r}: make or load "
                "tasks with the same start"
            )


def _simulate_month(
    person: Person, episodes: int, size: tuple[int, int], locale: str, start: Start
) -> Iterator[SimulatedEpisode]:
    with check_setup():
        phone = Phone(seed=person.seed, size=size, locale=locale)
    return islice(Life(person, phone, start=start).month(episodes), episodes)


def _make_live_task(episode: SimulatedEpisode, view: ExecutionView) -> PhoneTask:
    person, moment = episode.person, episode.setup.moment
    task_id = f"{person.user_id}__{format_time(moment)}"
    app = episode.goal_instance.package
    actions = [convert_gesture(frame.gesture) for frame in episode.frames if frame.gesture]
    task_input = ExecutionInput(
        task_id=task_id,
        profile=UserProfile(
            sex=person.sex,
            age=person.age,
            occupation=person.occupation,
            address=person.address,
            marital_status=person.family,
            phone_brand=person.phone_brand,
        ),
        intent=episode.intent,
        app=app,
        time=moment,
        scenario=write_place(episode.place, person.locale),
        reference=None,
        answer_form=episode.answer_form,
        language=person.locale,
    )
    target = TaskTarget(
        task_id=task_id,
        user_id=person.user_id,
        time=moment.isoformat(),
        app=app,
        intent=episode.intent,
        intent_category=None,
        golden_actions=tuple(map(format_action, (*actions, Finished(content=episode.answer)))),
    )
    simulation = Simulation.of_episode(episode)
    return PhoneTask(task=ExecutionTask(input=task_input, target=target), simulation=simulation, view=view)


def find_task(tasks: Sequence[PhoneTask], task_id: str) -> PhoneTask:
    """The task with this id.

    Raises:
        UsageError: There is none.
    """
    for task in tasks:
        if task.task_id == task_id:
            return task
    known = ", ".join(task.task_id for task in tasks[:3])
    more = f" and {len(tasks) - 3} more" if len(tasks) > 3 else ""
    raise UsageError(f"there is no task {task_id!r}; there are {known}{more}")


def task_info(task: PhoneTask) -> dict[str, Any]:
    """Return the information of `reset` beside the observation: the input that an agent gets, and no target.

    Parts that the task's view hides are left out.
    """
    task_input = task.shown_input
    reference = task_input.reference
    found: dict[str, Any] = {
        "task_id": task.task_id,
        "intent": task_input.request,
        "answer_form": task_input.answer_form,
        "profile": {name: getattr(task_input.profile, name) for name in task_input.profile.__slots__},
        "reference": None
        if reference is None
        else {
            **({"intent": reference.intent} if reference.intent else {}),
            "actions": list(reference.actions),
        },
        "step_limit": task.task.target.step_limit,
    }
    if task_input.time is not None:
        found["time"] = task_input.time.isoformat()
    return found | ({"scenario": task_input.scenario} if task_input.scenario else {})
