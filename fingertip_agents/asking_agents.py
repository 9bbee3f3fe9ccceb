"""Agents that ask the person, or not, and then take the shortest way: oracles for simulated phones.

They know which goal of which app a task is of, and what the person's earlier tasks were, from the simulation,
as no other agent does; all but `ask-oracle` know the task's arguments only from what they hear. Each
settles them before the first touch. They show what asking is worth, with the way to the goal held fixed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.own_agents import OWN_EXECUTORS
from fingertip_agents.shortest_path_oracle import (
    SimulationOracle,
    list_actions,
    name_setup_errors,
    read_simulation,
)
from fingertip_dataset.actions import Action, Ask, Finished, format_action
from fingertip_dataset.tasks.task import ExecutionInput
from simulated_phone.dialogue.asking import (
    SlotQuestion,
    find_profile_value,
    is_refusal,
    read_told_values,
    write_consent_question,
    write_questions,
)
from simulated_phone.dialogue.consent import pick_risks
from simulated_phone.dialogue.goal_history import GoalHistory
from simulated_phone.dialogue.knowledge import complete_case, find_sources, take_favourites
from simulated_phone.dialogue.slots import GoalSlot, list_slots
from simulated_phone.dialogue.vague_task import find_task_goal
from simulated_phone.goals.app_definition import Arguments, Goal
from simulated_phone.people.goal_ways import goal_ways
from simulated_phone.people.shortest_path import find_shortest_path
from simulated_phone.people.simulation import Simulation
from simulated_phone.screens.nodes import ActionValue

CACHED = 256
"""Maximum number of tasks, and of ways, that are kept."""

Known: TypeAlias = Mapping[str, tuple[ActionValue, ...]]
"""Name of a slot -> its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _SeenTask:
    """A task as these agents see it.

    Attributes:
        simulation: Setup of the phone, and the goal with the task's arguments.
        goal: The goal.
        slots: Its slots.
        usual: What history and profile say of the slots, right or wrong.
        right: Values of the slots that history or profile know rightly.
    """

    simulation: Simulation
    goal: Goal
    slots: tuple[GoalSlot, ...]
    usual: Known
    right: Known

    @property
    def locale(self) -> str:
        """Language of the person."""
        return self.simulation.setup.locale

    @property
    def seed(self) -> int:
        """Seed of the phone."""
        return self.simulation.setup.seed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Way:
    """The shortest way with some arguments.

    Attributes:
        actions: All actions, `finished()` included.
        words: The strategy, in words.
        risky: Whether it spends, sends or deletes.
    """

    actions: tuple[Action, ...]
    words: str
    risky: bool


class _SlotAsker(SimulationOracle):
    """An agent that settles the arguments of a task's goal, and takes the shortest way with them.

    Args:
        simulations: Episode id -> setup of its phone, of all episodes of the dataset: the earlier ones are
            the people's history.

    Raises:
        UsageError: `simulations` is empty because the tasks are on real phones.
    """

    settings: Mapping[str, object] = MappingProxyType(
        {"oracle": "sees the goal of the task without its arguments, and the goals of earlier ones"}
    )

    def __init__(self, simulations: Mapping[str, Mapping[str, object]]) -> None:
        super().__init__(simulations)
        self._history = GoalHistory(simulations)
        # only for speed: equal tasks are seen equally, and have equal ways
        self._see = lru_cache(maxsize=CACHED)(self._see_task)
        self._find_way = lru_cache(maxsize=CACHED)(self._make_way)

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """The next question, or the next step of the way.

        Raises:
            UsageError: The setup of the task's phone is missing or invalid, or no strategy reaches its goal.
        """
        start = time.perf_counter()
        with name_setup_errors(task_input.task_id):
            seen = self._see(task_input.task_id, task_input.profile.texts)
            action, words = self._choose(seen, task_input, past)
        return Decision(
            output=format_action(action),
            actions=(action,),
            thought=words,
            seconds=time.perf_counter() - start,
        )

    def take_known(self, seen: _SeenTask) -> Known | None:
        """Values that the agent takes without a question; None for one that never asks."""
        raise NotImplementedError

    def _see_task(self, task_id: str, profile: tuple[str, ...]) -> _SeenTask:
        simulation = read_simulation(self._simulations, task_id)
        _, goal = find_task_goal(simulation)
        aim, seed = simulation.goal_instance, simulation.setup.seed
        slots, earlier = list_slots(goal, seed), self._history.list_before(task_id)
        usual = dict(take_favourites(goal, aim.package, earlier, seed))
        for slot in slots:
            value = None if slot.name in usual else find_profile_value(goal, slot, profile, seed)
            if value is not None:
                usual[slot.name] = value
        sources = find_sources(goal, aim, earlier, profile, seed)
        right = {slot.name: slot.value(aim.arguments) for slot in slots if sources[slot.name] != "ask"}
        return _SeenTask(simulation=simulation, goal=goal, slots=slots, usual=usual, right=right)

    def _choose(
        self, seen: _SeenTask, task_input: ExecutionInput, past: Sequence[PastStep]
    ) -> tuple[Action, str]:
        """The next action, and why."""
        known = self.take_known(seen) if task_input.can_ask else None
        replies = [reply for _, reply in task_input.dialogue]
        questions = () if known is None else _write_questions(seen, known)
        if len(replies) < len(questions):
            question = questions[len(replies)]
            return Ask(text=question.text), f"not known: {', '.join(question.slots)}"
        case = _settle(seen, questions, replies, seen.usual if known is None else known)
        way = self._find_way(task_input.task_id, tuple(case.items()))
        if known is not None and way.risky:
            if len(replies) == len(questions):
                words = write_consent_question(seen.slots, case, seen.locale)
                return Ask(text=words), "it spends, sends or deletes"
            if is_refusal(replies[len(questions)], seen.locale):
                return Finished(), "the person does not want it"
        done = sum(not isinstance(step.action, Ask) for step in past)
        return way.actions[min(done, len(way.actions) - 1)], way.words

    def _make_way(self, task_id: str, case: tuple[tuple[str, ActionValue], ...]) -> _Way:
        simulation = read_simulation(self._simulations, task_id)
        aim = replace(simulation.goal_instance, arguments=dict(case))
        wanted = replace(simulation, goal_instance=aim)
        actions, words = list_actions(find_shortest_path(wanted))
        risky = any(pick_risks(way) for way in goal_ways(wanted).ways)
        return _Way(actions=actions, words=words, risky=risky)


def _write_questions(seen: _SeenTask, known: Known) -> tuple[SlotQuestion, ...]:
    names = tuple(slot.name for slot in seen.slots)
    wanted = tuple(name for name in names if name not in known)
    return write_questions(names, wanted, seen.locale) if wanted else ()


def _settle(
    seen: _SeenTask, questions: Sequence[SlotQuestion], replies: Sequence[str], known: Known
) -> Arguments:
    """The arguments that go with the replies, then with what is known; else the first of the goal."""
    heard: dict[str, tuple[ActionValue, ...]] = {}
    for question, reply in zip(questions, replies, strict=False):
        slots = [slot for name in question.slots for slot in seen.slots if slot.name == name]
        values = read_told_values(seen.goal, slots, reply, seed=seen.seed, locale=seen.locale)
        if len(values) < len(slots):
            # who says that the agent knows it, or leaves it out, means what is usual
            new = [slot for slot in slots if slot.name not in seen.usual]
            values = read_told_values(seen.goal, new, reply, seed=seen.seed, locale=seen.locale) or values
        usual = {slot.name: seen.usual[slot.name] for slot in slots if slot.name in seen.usual}
        heard |= usual | dict(values)
    taken = heard | {name: value for name, value in known.items() if name not in heard}
    while taken:
        case = complete_case(seen.goal, taken, seen.seed)
        if case is not None:
            return case
        # favourites of single slots need not go together: the last ones give way
        taken.popitem()
    return seen.goal.cases(seen.seed)[0]


class NeverAsk(_SlotAsker):
    """Takes what is usual, else the first choice, and asks neither for it nor for consent."""

    name = "never-ask"
    traits = OWN_EXECUTORS["never-ask"].traits

    def take_known(self, seen: _SeenTask) -> Known | None:
        """None."""
        return None


class AskAll(_SlotAsker):
    """Asks for every argument, and before what is risky."""

    name = "ask-all"
    traits = OWN_EXECUTORS["ask-all"].traits

    def take_known(self, seen: _SeenTask) -> Known | None:
        """Nothing."""
        return {}


class HabitElseAsk(_SlotAsker):
    """Takes what is usual, right or wrong, asks for the rest, and before what is risky."""

    name = "habit-else-ask"
    traits = OWN_EXECUTORS["habit-else-ask"].traits

    def take_known(self, seen: _SeenTask) -> Known | None:
        """The person's favourites, and what the profile says."""
        return seen.usual


class AskOracle(_SlotAsker):
    """Asks for exactly what nobody could know, and before what is risky: it sees which that is."""

    name = "ask-oracle"
    traits = OWN_EXECUTORS["ask-oracle"].traits
    settings = MappingProxyType({"oracle": "sees the goal of the task, and which arguments are usual"})

    def take_known(self, seen: _SeenTask) -> Known | None:
        """Values that history and profile know rightly."""
        return seen.right
