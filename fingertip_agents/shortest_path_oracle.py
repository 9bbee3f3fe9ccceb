"""The shortest trajectory to a goal, free of personal habits: an oracle for simulated phones."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Self

from fingertip_agents.execution_agent import Decision, PastStep, ScreenInput
from fingertip_agents.own_agents import OWN_EXECUTORS
from fingertip_agents.touch_actions import convert_gesture
from fingertip_dataset.actions import Action, Finished, Wait, format_action
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.task import ExecutionInput
from simulated_phone import PhoneError
from simulated_phone.people.shortest_path import ShortestPath, find_shortest_path
from simulated_phone.people.simulation import Simulation

if TYPE_CHECKING:
    from fingertip_agents.setup import AgentSetup

PLANS = 256
"""Maximum number of cached plans."""


class SimulationOracle:
    """An agent that sees how the simulated phones of the tasks were set up.

    Args:
        simulations: Task id -> setup of its phone, as `Simulation.to_json` writes it.

    Raises:
        UsageError: `simulations` is empty because the tasks are on real phones.
    """

    name: ClassVar[str]

    def __init__(self, simulations: Mapping[str, Mapping[str, object]]) -> None:
        if not simulations:
            raise UsageError(
                f"the agent {self.name} needs tasks on simulated phones: it takes --device simulated and a "
                "dataset of simulated people"
            )
        self._simulations = simulations

    @classmethod
    def from_setup(cls, setup: AgentSetup) -> Self:
        """Construct the agent for a command.

        Raises:
            UsageError: The tasks are on real phones.
        """
        return cls(setup.simulations)


class ShortestPathOracle(SimulationOracle):
    """Performs each task of a simulated phone with the fewest touches, without personal habits.

    It is an oracle: it knows the task's goal and tries the goal's strategies on its own simulated phone in
    advance, touching each element at its centre. It ignores the screen; the next step follows from the number
    of completed steps.

    Args:
        simulations: Task id -> setup of its phone, as `Simulation.to_json` writes it.

    Raises:
        UsageError: `simulations` is empty because the tasks are on real phones.
    """

    name = "shortest-path-oracle"
    traits = OWN_EXECUTORS["shortest-path-oracle"].traits
    settings: Mapping[str, object] = MappingProxyType(
        {"oracle": "is told the simulated phone's goal and tries every way to it beforehand"}
    )

    def __init__(self, simulations: Mapping[str, Mapping[str, object]]) -> None:
        super().__init__(simulations)
        # only for speed: equal tasks have equal plans
        self._plan = lru_cache(maxsize=PLANS)(self._make_plan)

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        """The next step of the plan.

        Raises:
            UsageError: The setup of the task's phone is missing or invalid, or no strategy reaches its goal.
        """
        start = time.perf_counter()
        actions, words = self._plan(task_input.task_id)
        action = actions[min(len(past), len(actions) - 1)]
        return Decision(
            output=format_action(action),
            actions=(action,),
            thought=words,
            seconds=time.perf_counter() - start,
        )

    def _make_plan(self, task_id: str) -> tuple[tuple[Action, ...], str]:
        """All actions with `finished()` as the last, and a description of the strategy."""
        with name_setup_errors(task_id):
            return list_actions(find_shortest_path(read_simulation(self._simulations, task_id)))


def list_actions(path: ShortestPath) -> tuple[tuple[Action, ...], str]:
    """All actions of a path with `finished()` as the last, and a description of the strategy."""
    actions = tuple(Wait() if gesture is None else convert_gesture(gesture) for gesture in path.gestures)
    opened = f", the app opened by {path.opening}" if path.opening else ""
    return (*actions, Finished(content=path.answer)), f"the way {path.strategy}{opened}"


def read_simulation(simulations: Mapping[str, Mapping[str, object]], task_id: str) -> Simulation:
    """The setup of a task's phone; to be called within `name_setup_errors`.

    Raises:
        UsageError: There is none.
    """
    record = simulations.get(task_id)
    if record is None:
        raise UsageError(
            "the task does not say how its simulated phone was set up: it needs a dataset of "
            "simulated people",
            episode_id=task_id,
        )
    return Simulation.from_json(record)


@contextmanager
def name_setup_errors(task_id: str) -> Iterator[None]:
    """Make failures of a task's setup usage errors, because a retry would not help."""
    try:
        yield
    except PhoneError as error:
        raise UsageError(str(error), episode_id=task_id) from None
    except (LookupError, TypeError, ValueError) as error:
        raise UsageError(
            f"the setup of the simulated phone cannot be read: {error!r}", episode_id=task_id
        ) from None
