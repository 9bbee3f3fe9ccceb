"""Runs with vague instructions, whose simulated person answers, on phones of this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pytest

from execution_runner.attached.attached_environment import AttachedAgent, AttachedEnvironment
from execution_runner.attached.attached_run import run_attached
from execution_runner.devices.in_process_device import InProcessDevice, begin_in_process
from execution_runner.devices.perform import perform
from execution_runner.environments.dialogue_session import DialogueSession, MakeAnswerer
from execution_runner.environments.simulated import SimulatedSession
from execution_runner.execution_run import run_execution
from fingertip_agents.execution_agent import Decision, ExecutionAgent, PastStep, ScreenInput
from fingertip_agents.registry import get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.shortest_path_oracle import list_actions
from fingertip_dataset.actions import Ask, Finished, format_action
from fingertip_dataset.errors import NoFocusError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTask
from fingertip_runs.instructed_tasks import InstructedTasks, instruct_tasks
from fingertip_runs.task_answerers import PeopleByRule
from fingertip_runs.typed_answers import PeopleByTyping
from simulated_phone import Phone
from simulated_phone.dialogue.dialogue_kinds import AnsweredBy, Level
from simulated_phone.dialogue.vague_task import Simulations, begin_at_home
from simulated_phone.people.shortest_path import find_shortest_path
from simulated_phone.people.simulation import Simulation
from tests.shared_datasets import simulated_people


def share_asked_people(factory: pytest.TempPathFactory) -> Path:
    """The dataset of four people; three tasks have an instruction of each level, and one sends something."""
    return simulated_people(factory, users=4, episodes=3, seed=7, locales=("zh", "en")) / "dataset"


@dataclass(slots=True, kw_only=True)
class AskedPhones:
    """An `Environment` of phones of this process whose people answer; the states of those over adb."""

    simulations: Simulations
    answers: MakeAnswerer | None
    kind: Literal["simulated"] = "simulated"
    name: str = "simulated"
    faults: tuple[str, ...] = ()
    trees: Literal["clean"] = "clean"

    def begin(self, task: ExecutionTask) -> SimulatedSession | DialogueSession:
        simulation = Simulation.from_json(self.simulations[task.task_id])
        session = begin_in_process(simulation, Phone(size=simulation.size))
        if self.answers is None:
            return session
        return DialogueSession(session, session.do, self.answers(task, simulation), simulation)

    def restart(self) -> None:
        """There is no connection."""

    def close(self) -> None:
        """There is no connection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """A third-party agent that asks its questions, and then does as one of ours."""

    name: str
    then: ExecutionAgent
    questions: Sequence[str]
    settings: Mapping[str, object] = field(default_factory=dict)

    def act(self, task_input: ExecutionInput, screen: ScreenInput, past: Sequence[PastStep]) -> Decision:
        if len(task_input.dialogue) < len(self.questions):
            action = Ask(text=self.questions[len(task_input.dialogue)])
            return Decision(output=format_action(action), actions=(action,), seconds=0.25)
        done = self.then.act(task_input, screen, [one for one in past if not isinstance(one.action, Ask)])
        return replace(done, seconds=0.125 + len(past) / 64)


def run_asking(
    dataset: Path,
    run: Path,
    agent: str | Callable[[Simulations], ExecutionAgent],
    *,
    level: Level = "goal_alone",
    answered_by: AnsweredBy | None = "simulated",
    typed: Callable[[str, str], str] | None = None,
    limit: int | None = None,
) -> Path:
    """Make a run.

    Args:
        dataset: Dataset of simulated people.
        run: Its folder.
        agent: One of ours by its name, or what makes one from the phones' setups.
        level: Level of the instructions.
        answered_by: Who answers.
        typed: Types the replies of a model or of people.
        limit: Number of tasks; None for all.
    """
    built = BuiltDataset.open(dataset)
    instructed = instruct_tasks(built, "test_execution", level, answered_by)
    simulations: Any = begin_at_home(built.simulations()) if instructed.at_home else built.simulations()
    made = (
        get_execution_agent(agent, AgentSetup(simulations=simulations))
        if isinstance(agent, str)
        else agent(simulations)
    )
    phones = AskedPhones(simulations=simulations, answers=_make_answers(instructed, typed))
    run_execution(dataset, made, [phones], run, instructed=instructed, limit=limit)
    return run


def _make_answers(
    instructed: InstructedTasks, typed: Callable[[str, str], str] | None
) -> MakeAnswerer | None:
    if instructed.answered_by is None:
        return None
    return PeopleByRule(tasks=instructed) if typed is None else PeopleByTyping(tasks=instructed, write=typed)


def run_attached_asker(dataset: Path, run: Path, questions: Sequence[str]) -> Path:
    """Make a run of an attached agent that asks by broadcast, and then goes the shortest way to the goal."""
    built = BuiltDataset.open(dataset)
    instructed = instruct_tasks(built, "test_execution", "goal_alone", "simulated")
    simulations: Any = begin_at_home(built.simulations())

    def drive(phone: Phone, task: ExecutionTask) -> None:
        for question in questions:
            phone.wait(0.5)
            phone.put_question(question)
        way = find_shortest_path(Simulation.from_json(simulations[task.task_id]))
        for number, action in enumerate(list_actions(way)[0]):
            phone.wait(0.75 + number / 8)
            if isinstance(action, Finished):
                if action.content is not None:
                    phone.take_answer(action.content)
                continue
            with suppress(NoFocusError):
                perform(InProcessDevice(phone), action, pause=phone.wait)

    def begin(task: ExecutionTask, _serial: str) -> None:
        session = environment.session
        assert session is not None
        session._do(lambda phone: drive(phone, task))
        session.finish()

    environment = AttachedEnvironment(
        "simulated", simulations, real_time=False, on_begin=begin, answers=PeopleByRule(tasks=instructed)
    )
    agent = AttachedAgent("mine", [environment], real_time=False)
    try:
        run_attached(dataset, [environment], agent, run, instructed=instructed)
    finally:
        environment.close()
    return run
