"""Validating Sim_2: does it rank a person's own trajectory above the shortest path and another person's?

Simulated people use simulated phones for a month. Each person's last tasks are carried out again, on phones
reset to their state at that time, by three agents: `imitate` with a reference of the same person,
`shortest-path-oracle`, and `imitate` with a reference of a person of the other type. References are retrieved
as in the dataset. The phones run in this process, without adb and screenshots, which none of these agents
uses; gestures, trees and the rule's verdict are those of a run of `fingertip execute`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from execution_runner.devices.device import Observation
from execution_runner.environments.environment import RuleResult
from execution_runner.environments.phone_session import PhoneSession
from fingertip_agents.execution_agent import ExecutionAgent, PastStep, ScreenInput
from fingertip_agents.imitate import Imitate
from fingertip_agents.query_agent import query_agent
from fingertip_agents.shortest_path_oracle import ShortestPathOracle
from fingertip_agents.touch_actions import action_of
from fingertip_dataset.actions import Finished, format_action
from fingertip_dataset.episodes import Episode, Intent, Step, UserProfile
from fingertip_dataset.tasks.references import Reference, find_references
from fingertip_dataset.tasks.task import ExecutionInput, ExecutionTarget, ExecutionTask, ReferenceSequence
from fingertip_dataset.times import TIME_FORMAT
from fingertip_metrics import Interval, bootstrap_mean, sim2, sr2
from simulated_phone import Phone
from simulated_phone.people.life import Life
from simulated_phone.people.person import GROUPS, make_person
from simulated_phone.people.simulation import Simulation
from simulated_phone.screens.theme import usual_density

SIZE = (270, 600)
AGENTS = ("imitate, own reference", "shortest-path-oracle", "imitate, other type's reference")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """An episode, and how its phone was set up."""

    episode: Episode
    type: int
    simulation: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A task as an agent did it: its action strings, and whether the goal's rule holds at the end."""

    written: tuple[str, ...]
    success: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the table.

    Attributes:
        agent: One of `AGENTS`.
        sim2: With its interval over users.
        s_i: Mean similarity with the person's own way.
        s_ii: With that of a person of the other type.
        sr2: Share of tasks that are done, by rule, with its interval.
        step_ratio: Over the successes; None without one.
        values: Sim_2 of each task.
    """

    agent: str
    sim2: Interval
    s_i: float
    s_ii: float | None
    sr2: Interval
    step_ratio: float | None
    values: tuple[float | None, ...]


class InProcessDevice:
    """What a `PhoneSession` needs of a `Device`, straight on a phone, and no picture."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self.tap, self.long_press, self.swipe = phone.tap, phone.long_press, phone.swipe
        self.type_text, self.press_key = phone.type_text, phone.press_key

    def observe(self) -> Observation:
        """The tree in the dialect of uiautomator, as adb has it."""
        phone = self._phone
        return Observation(screenshot=b"", tree=phone.tree(), size=phone.size, package=phone.foreground[0])

    def size(self) -> tuple[int, int]:
        """Of the screen, px."""
        return self._phone.size


def live(number: int, *, episodes: int, seed: int) -> tuple[Lived, ...]:
    """The month of the person of that number."""
    person = make_person(number, seed)
    life = Life(person, Phone(seed=person.seed, size=SIZE, density=usual_density(SIZE[0])))
    profile = UserProfile(sex=person.sex, age=person.age)
    found = []
    for episode in life.month(episodes):
        intent = Intent(
            user_id=person.user_id,
            time=episode.start.moment.strftime(TIME_FORMAT),
            scenario=episode.place,
            app=episode.aim.package,
            text=episode.intent,
        )
        actions = [action_of(seen.touch) if seen.touch else Finished() for seen in episode.seen]
        steps = tuple(
            Step(raw=format_action(action), action=action, screenshot=None, tree=None) for action in actions
        )
        simulation = Simulation(start=episode.start, aim=episode.aim, size=episode.size)
        found.append(
            Lived(
                episode=Episode(intent=intent, profile=profile, folder=Path(), steps=steps),
                type=1 + tuple(GROUPS).index(person.group),
                simulation=simulation.to_json(),
            )
        )
    return tuple(found)


def tasks_of(months: Sequence[Sequence[Lived]], count: int) -> tuple[ExecutionTask, ...]:
    """The last `count` episodes of each month as tasks, those that have both references."""
    episodes = {lived.episode.episode_id: lived.episode for month in months for lived in month}
    types = {lived.episode.intent.user_id: lived.type for month in months for lived in month}
    asked_for = [lived.episode for month in months for lived in month[-count:]]
    found = find_references((episode.intent for episode in asked_for), episodes.values(), types)

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
    for episode in asked_for:
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
            target = ExecutionTarget(golden_actions=_written(episode), other_type_reference=other)
            tasks.append(ExecutionTask(input=task_input, target=target))
    return tuple(tasks)


def _written(episode: Episode) -> tuple[str, ...]:
    return tuple(step.raw for step in episode.steps)


def carry_out(
    tasks: Sequence[ExecutionTask], simulations: Mapping[str, Mapping[str, object]]
) -> list[tuple[Carried, ...]]:
    """Each task by each of `AGENTS`."""
    imitate, generic = Imitate(), ShortestPathOracle(simulations)
    found = []
    for task in tasks:
        simulation = Simulation.from_json(simulations[task.input.task_id])
        strange = replace(task.input, reference=task.target.other_type_reference)
        phone = Phone(
            seed=simulation.start.seed, size=simulation.size, density=usual_density(simulation.size[0])
        )
        attempts = ((imitate, task.input), (generic, task.input), (imitate, strange))
        found.append(
            tuple(
                attempt(agent, task_input, simulation, phone, limit=task.target.step_limit)
                for agent, task_input in attempts
            )
        )
    return found


def attempt(
    agent: ExecutionAgent, task_input: ExecutionInput, simulation: Simulation, phone: Phone, *, limit: float
) -> Carried:
    """One attempt, ended as `execution_runner.attempt` ends it: by `finished()`, or beyond the limit."""
    simulation.start.put(phone)
    session = PhoneSession(
        InProcessDevice(phone),  # type: ignore[arg-type]
        pause=phone.wait,
        evaluate=lambda: RuleResult(success=phone.achieved(simulation.aim)),
    )
    past: list[PastStep] = []
    while len(past) <= limit:
        seen = session.observe()
        screen = ScreenInput(screenshot=seen.screenshot, tree=seen.tree, size=seen.size, package=seen.package)
        decision = query_agent(agent, task_input, screen, past)
        (action,) = decision.actions
        past.append(PastStep(action=action, written=format_action(action), output=decision.output))
        if session.step(action).end is not None:
            break
    return Carried(written=tuple(step.written for step in past), success=bool(session.evaluate().success))


def measure(*, users: int, episodes: int, seed: int, tasks: int, workers: int = 2) -> tuple[Row, ...]:
    """The table, a row an agent.

    Args:
        users: How many people.
        episodes: Of each person.
        seed: Of the people.
        tasks: Of each person, the last ones.
        workers: Processes.
    """
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        months = list(pool.map(partial(live, episodes=episodes, seed=seed), range(users)))
        task_inputs = tasks_of(months, tasks)
        by_user: dict[str, list[ExecutionTask]] = {}
        for task in task_inputs:
            by_user.setdefault(_user(task), []).append(task)
        simulations = {
            lived.episode.episode_id: lived.simulation for month in months for lived in month[-tasks:]
        }
        jobs = [
            (own, {task.input.task_id: simulations[task.input.task_id] for task in own})
            for own in by_user.values()
        ]
        carried = [one for done in pool.map(carry_out, *zip(*jobs, strict=True)) for one in done]
    return tuple(_rows(task_inputs, carried))


def _rows(tasks: Sequence[ExecutionTask], carried: Sequence[tuple[Carried, ...]]) -> Iterator[Row]:
    users = [_user(task) for task in tasks]
    golden = [task.target.golden_actions for task in tasks]
    others = [
        task.target.other_type_reference.actions if task.target.other_type_reference else () for task in tasks
    ]
    for place, agent in enumerate(AGENTS):
        written = [done[place].written for done in carried]
        likeness = sim2(written, golden, others)
        success = sr2(written, golden, [done[place].success for done in carried])
        values = tuple(item.sim2 for item in likeness.per_item)
        yield Row(
            agent=agent,
            sim2=bootstrap_mean(values, users),
            s_i=likeness.s_i,
            s_ii=likeness.s_ii,
            sr2=bootstrap_mean([float(item.success) for item in success.per_item], users, share=True),
            step_ratio=success.step_ratio,
            values=values,
        )


def _user(task: ExecutionTask) -> str:
    return task.input.task_id.partition("__")[0]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=60)
    parser.add_argument("--episodes", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tasks", type=int, default=5, help="Of each person, the last ones.")
    asked_for = parser.parse_args()
    rows = measure(
        users=asked_for.users, episodes=asked_for.episodes, seed=asked_for.seed, tasks=asked_for.tasks
    )
    print(f"{asked_for.users} people, {asked_for.episodes} episodes each; {rows[0].sim2.n} tasks")
    for row in rows:
        low, high = row.sim2.low or 0.0, row.sim2.high or 0.0
        print(
            f"{row.agent:32} Sim_2 {row.sim2.mean:.3f} [{low:.3f}, {high:.3f}]  S_I {row.s_i:.3f}  "
            f"S_II {row.s_ii or 0.0:.3f}  SR_2 {row.sr2.mean:.3f}  steps x {row.step_ratio or 0.0:.2f}"
        )


if __name__ == "__main__":
    main()
