"""Validating Sim_2: does it rank a person's own trajectory above the shortest path and another person's?

Simulated people use simulated phones for a month. Three agents then attempt each person's last tasks, on
phones reset to their state at that time: `imitate` with a reference of the same person,
`shortest-path-oracle`, and `imitate` with a reference of a person of the other type. References are retrieved
as in the dataset. The phones run in this process, without adb and screenshots, which none of these agents
uses; gestures, trees and the rule's verdict are those of a run of `fingertip execute`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from execution_runner.attempt import run_task
from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.remote_attempt import CollectingLog
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_agents.imitate import Imitate
from fingertip_agents.shortest_path_oracle import ShortestPathOracle
from fingertip_agents.touch_actions import convert_gesture
from fingertip_dataset.actions import Finished, format_action
from fingertip_dataset.episodes import Episode, Intent, Step, UserProfile
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import SPLITS, TEST_EXECUTION
from fingertip_dataset.tasks.references import Reference, find_references
from fingertip_dataset.tasks.task import (
    ExecutionInput,
    ExecutionTask,
    ReferenceSequence,
    TaskTarget,
    execution_task,
)
from fingertip_dataset.times import TIME_FORMAT
from fingertip_metrics import Interval, bootstrap_mean, sim2, sr2
from simulated_phone import Phone
from simulated_phone.people.life import Life
from simulated_phone.people.person import GROUPS, make_person
from simulated_phone.people.simulation import Simulation

SIZE = (270, 600)
COLUMNS = (
    *("episode_id", "user_id", "user_profile", "time", "scenario", "app", "intent", "intent_category"),
    *("actions", "same_user_reference", "other_type_reference"),
)
"""Columns of a task of track 2, without its pictures and trees."""
AGENTS = ("imitate, own reference", "shortest-path-oracle", "imitate, other type's reference")


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedTask:
    """An episode, its user's type, and the setup of its phone."""

    episode: Episode
    type: int
    simulation: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptResult:
    """Result of an attempt: the action strings, and whether the goal's rule holds at the end."""

    written: tuple[str, ...]
    success: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the table.

    Attributes:
        agent: One of `AGENTS`.
        sim2: Sim_2 with its interval over users.
        s_i: Mean similarity to the person's own trajectory.
        s_ii: Mean similarity to the trajectory of a person of the other type.
        sr2: Share of successful tasks, by rule, with its interval over users.
        step_ratio: Step ratio of the successful tasks; None if there are none.
        values: Sim_2 of each task.
        users: User of each task.
    """

    agent: str
    sim2: Interval
    s_i: float
    s_ii: float | None
    sr2: Interval
    step_ratio: float | None
    values: tuple[float | None, ...]
    users: tuple[str, ...]


def simulate_month(number: int, *, episodes: int, seed: int) -> tuple[SimulatedTask, ...]:
    """Simulate the month of person `number` (from 0)."""
    person = make_person(number, seed)
    life = Life(person, Phone(seed=person.seed, size=SIZE))
    profile = UserProfile(sex=person.sex, age=person.age)
    found = []
    for simulated in life.month(episodes):
        intent = Intent(
            user_id=person.user_id,
            time=simulated.setup.moment.strftime(TIME_FORMAT),
            scenario=simulated.place,
            app=simulated.goal_instance.package,
            text=simulated.intent,
        )
        last = Finished(content=simulated.answer)
        actions = [convert_gesture(frame.gesture) if frame.gesture else last for frame in simulated.frames]
        steps = tuple(
            Step(raw=format_action(action), action=action, screenshot=None, tree=None) for action in actions
        )
        simulation = Simulation(
            setup=simulated.setup, goal_instance=simulated.goal_instance, size=simulated.size
        )
        found.append(
            SimulatedTask(
                episode=Episode(intent=intent, profile=profile, folder=Path(), steps=steps),
                type=1 + tuple(GROUPS).index(person.group),
                simulation=simulation.to_json(),
            )
        )
    return tuple(found)


def tasks_of(months: Sequence[Sequence[SimulatedTask]], count: int) -> tuple[ExecutionTask, ...]:
    """Make tasks from the last `count` episodes of each month, as far as they have both references."""
    episodes = {item.episode.episode_id: item.episode for month in months for item in month}
    types = {item.episode.intent.user_id: item.type for month in months for item in month}
    test_episodes = [item.episode for month in months for item in month[-count:]]
    found = find_references((episode.intent for episode in test_episodes), episodes.values(), types)

    def sequence(reference: Reference | None) -> ReferenceSequence | None:
        if reference is None:
            return None
        episode = episodes[reference.episode_id]
        return ReferenceSequence(
            episode_id=episode.episode_id,
            intent=episode.intent.text,
            similarity=reference.similarity,
            actions=_written(episode),
        )

    tasks = []
    for episode in test_episodes:
        references = found[episode.episode_id]
        task_input = ExecutionInput(
            task_id=episode.episode_id,
            profile=episode.profile,
            intent=episode.intent.text,
            app=episode.intent.app,
            time=episode.intent.moment,
            scenario=episode.intent.scenario,
            reference=sequence(references.same_user),
        )
        other = sequence(references.other_type)
        if task_input.reference is not None and other is not None:
            target = TaskTarget(
                task_id=episode.episode_id,
                user_id=episode.intent.user_id,
                app=task_input.app,
                intent=task_input.intent,
                intent_category=None,
                golden_actions=_written(episode),
            )
            tasks.append(ExecutionTask(input=task_input, target=target, other_type_reference=other))
    return tuple(tasks)


def _written(episode: Episode) -> tuple[str, ...]:
    return tuple(step.raw for step in episode.steps)


def attempt_all(
    tasks: Sequence[ExecutionTask], simulations: Mapping[str, Mapping[str, object]]
) -> list[tuple[AttemptResult, ...]]:
    """Attempt each task with each of `AGENTS`."""
    imitate, oracle = Imitate(), ShortestPathOracle(simulations)
    found = []
    for task in tasks:
        simulation = Simulation.from_json(simulations[task.input.task_id])
        with_other_type = replace(task, input=replace(task.input, reference=task.other_type_reference))
        phone = Phone(seed=simulation.setup.seed, size=simulation.size)
        attempts = ((imitate, task), (oracle, task), (imitate, with_other_type))
        found.append(tuple(attempt(agent, shown, simulation, phone) for agent, shown in attempts))
    return found


def attempt(
    agent: ExecutionAgent, task: ExecutionTask, simulation: Simulation, phone: Phone
) -> AttemptResult:
    """Run one attempt in this process."""
    log = CollectingLog()
    session = begin_in_process(simulation, phone, states=False)
    end = run_task(task, session, agent, log, attempt=1, device="in process")
    return AttemptResult(
        written=tuple(step.written for step in log.steps), success=end is not None and end.success is True
    )


def measure(*, users: int, episodes: int, seed: int, tasks: int, workers: int = 2) -> tuple[Row, ...]:
    """Compute the table, one row for each agent.

    Args:
        users: Number of people.
        episodes: Number of episodes of each person.
        seed: Seed of the population.
        tasks: Number of tasks of each person: their last episodes.
        workers: Number of processes; 1 runs in this process.
    """
    with _map_parallel(workers) as parallel_map:
        months = list(parallel_map(partial(simulate_month, episodes=episodes, seed=seed), range(users)))
    simulations = {item.episode.episode_id: item.simulation for month in months for item in month[-tasks:]}
    return _measure_people(tasks_of(months, tasks), simulations, workers)


def measure_built(dataset: Path, *, tasks: int, workers: int = 2) -> tuple[Row, ...]:
    """Compute the table on a built dataset of simulated people, one row for each agent.

    Args:
        dataset: The dataset.
        tasks: Number of tasks of each person: their last episodes that have both references; 1 takes the
            dataset's own test of track 2.
        workers: Number of processes; 1 runs in this process.
    """
    built = BuiltDataset.open(dataset)
    splits = (TEST_EXECUTION,) if tasks == 1 else SPLITS
    found: dict[str, dict[str, ExecutionTask]] = {}
    for row in (row for split in splits for row in built.rows(split, columns=COLUMNS)):
        task = execution_task(row)
        if task.input.reference is not None and task.other_type_reference is not None:
            found.setdefault(_user(task), {})[task.input.task_id] = task
    latest = [own[task_id] for own in found.values() for task_id in sorted(own)[-tasks:]]
    return _measure_people(tuple(latest), built.simulations(), workers)


def _measure_people(
    tasks: Sequence[ExecutionTask], simulations: Mapping[str, Mapping[str, object]], workers: int
) -> tuple[Row, ...]:
    """Attempt all tasks, a process for one person at a time."""
    by_user: dict[str, list[ExecutionTask]] = {}
    for task in tasks:
        by_user.setdefault(_user(task), []).append(task)
    jobs = [
        (own, {task.input.task_id: simulations[task.input.task_id] for task in own})
        for own in by_user.values()
    ]
    with _map_parallel(workers) as parallel_map:
        results = [one for batch in parallel_map(attempt_all, *zip(*jobs, strict=True)) for one in batch]
    return tuple(_make_rows([task for own in by_user.values() for task in own], results))


def differences(rows: Sequence[Row]) -> Iterator[tuple[str, Interval]]:
    """For each agent and the next one: the difference in Sim_2, task by task, with its interval."""
    for one, other in pairwise(rows):
        values = [
            None if mine is None or theirs is None else mine - theirs
            for mine, theirs in zip(one.values, other.values, strict=True)
        ]
        yield f"{one.agent} over {other.agent}", bootstrap_mean(values, one.users)


@contextmanager
def _map_parallel(workers: int) -> Iterator[Callable[..., Iterable[Any]]]:
    if workers <= 1:
        yield map
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield pool.map


def _make_rows(tasks: Sequence[ExecutionTask], results: Sequence[tuple[AttemptResult, ...]]) -> Iterator[Row]:
    users = [_user(task) for task in tasks]
    golden = [task.target.golden_actions for task in tasks]
    others = [task.other_type_reference.actions if task.other_type_reference else () for task in tasks]
    for place, agent in enumerate(AGENTS):
        written = [result[place].written for result in results]
        similarity = sim2(written, golden, others)
        success = sr2(written, golden, [result[place].success for result in results])
        values = tuple(item.sim2 for item in similarity.per_item)
        yield Row(
            agent=agent,
            sim2=bootstrap_mean(values, users),
            s_i=similarity.s_i,
            s_ii=similarity.s_ii,
            sr2=bootstrap_mean([float(item.success) for item in success.per_item], users, share=True),
            step_ratio=success.step_ratio,
            values=values,
            users=tuple(users),
        )


def _user(task: ExecutionTask) -> str:
    return task.input.task_id.partition("__")[0]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--dataset", type=Path, help="A built dataset of simulated people, instead of new ones."
    )
    parser.add_argument("--users", type=int, default=60)
    parser.add_argument("--episodes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--tasks", type=int, default=5, help="Number of tasks of each person: their last episodes."
    )
    options = parser.parse_args()
    if options.dataset:
        rows = measure_built(options.dataset, tasks=options.tasks)
    else:
        rows = measure(users=options.users, episodes=options.episodes, seed=options.seed, tasks=options.tasks)
    print(f"{rows[0].sim2.clusters} simulated people, {rows[0].sim2.n} tasks")
    print("| agent | Sim_2 [95 %] | S_I | S_II | SR_2, by rule |")
    print("|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row.agent} | {_describe(row.sim2)} | {row.s_i:.3f} | {row.s_ii or 0.0:.3f} | "
            f"{row.sr2.mean or 0.0:.0%} |"
        )
    for name, difference in differences(rows):
        print(f"{name}: {_describe(difference)}")


def _describe(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return f"{interval.mean:.3f}"
    return f"{interval.mean:.3f} [{interval.low:.3f}, {interval.high:.3f}]"


if __name__ == "__main__":
    main()
