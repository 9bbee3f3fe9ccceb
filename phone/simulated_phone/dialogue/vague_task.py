"""A simulated task under an instruction of some level: its words, and where its arguments are known from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from simulated_phone.apps import list_apps
from simulated_phone.dialogue.dialogue_kinds import Level
from simulated_phone.dialogue.goal_history import GoalHistory
from simulated_phone.dialogue.instructions import WRITTEN, write_instruction
from simulated_phone.dialogue.knowledge import Source, find_sources
from simulated_phone.dialogue.slots import is_ambiguous
from simulated_phone.goals.app_definition import App, Goal, GoalInstance, find_goal
from simulated_phone.people.simulation import HOME, START, Simulation

AMBIGUOUS = "two sets of arguments satisfy it, and no answer could tell them apart"

Simulations: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Episode id -> setup of its phone, as `Simulation.to_json` writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VagueTask:
    """A task under an instruction.

    Attributes:
        level: Level of the instruction.
        text: The instruction; "" where the task is left out.
        left_out: Why the task is left out; "" if it is not.
        sources: Name of each slot of the goal -> where an agent can know it from, beyond the instruction.
    """

    level: Level
    text: str
    left_out: str = ""
    sources: Mapping[str, Source] = field(default_factory=dict)

    @property
    def says_arguments(self) -> bool:
        """Whether the instruction itself says the arguments."""
        return self.level not in WRITTEN


def find_task_goal(simulation: Simulation) -> tuple[App, Goal]:
    """App and goal of a task, in the language of its phone.

    Raises:
        UnknownGoalError: There is no such app or goal.
        PhoneSetupError: There is no such language.
    """
    aim = simulation.goal_instance
    apps = {app.package: app for app in list_apps(simulation.setup.locale)}
    goal = find_goal(apps, aim)
    return apps[aim.package], goal


def describe_task(
    simulation: Simulation,
    level: Level,
    *,
    intent: str,
    earlier: Sequence[GoalInstance],
    profile: Sequence[str],
) -> VagueTask:
    """A task under an instruction of a level.

    Args:
        simulation: Setup of its phone, and the goal.
        level: The level.
        intent: What the person wrote.
        earlier: Goals of the person's strictly earlier episodes.
        profile: Texts of the person's profile.

    Raises:
        UnknownGoalError: There is no such app or goal.
    """
    app, goal = find_task_goal(simulation)
    aim, setup = simulation.goal_instance, simulation.setup
    written = write_instruction(
        app, goal, aim.arguments, level, intent=intent, locale=setup.locale, seed=setup.seed
    )
    lacks = written.lacks
    if not lacks and level in WRITTEN and is_ambiguous(goal, aim.arguments, setup.seed):
        lacks = AMBIGUOUS
    sources = find_sources(goal, aim, earlier, profile, setup.seed)
    return VagueTask(level=level, text="" if lacks else written.text, left_out=lacks, sources=sources)


def describe_tasks(
    simulations: Simulations,
    level: Level,
    tasks: Mapping[str, tuple[str, Sequence[str]]],
) -> dict[str, VagueTask]:
    """Each of these tasks under an instruction of a level.

    Args:
        simulations: Setups of all episodes of the dataset, earlier ones of the same people among them.
        level: The level.
        tasks: Id of each task -> what the person wrote, and the texts of their profile.

    Raises:
        LookupError: A setup is missing, or lacks a field.
        TypeError, ValueError: A field has the wrong type or form.
        PhoneNameError: There is no such app or goal.
    """
    history = GoalHistory(simulations)
    return {
        task_id: describe_task(
            Simulation.from_json(simulations[task_id]),
            level,
            intent=intent,
            earlier=history.list_before(task_id),
            profile=profile,
        )
        for task_id, (intent, profile) in tasks.items()
    }


class _SetupsAtHome(Mapping[str, Mapping[str, Any]]):
    """Setups that begin on the home screen; each is made when it is read, as those of a dataset are."""

    def __init__(self, simulations: Simulations) -> None:
        self._simulations = simulations

    def __getitem__(self, episode_id: str) -> Mapping[str, Any]:
        return {**self._simulations[episode_id], START: HOME}

    def __iter__(self) -> Iterator[str]:
        return iter(self._simulations)

    def __len__(self) -> int:
        return len(self._simulations)


def begin_at_home(simulations: Simulations) -> Simulations:
    """Setups that begin on the home screen, as tasks whose instruction names no app do."""
    return _SetupsAtHome(simulations)
