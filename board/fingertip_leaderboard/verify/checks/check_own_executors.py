"""Remark runs of track 2 whose attempts are those of one of our agents without a model, under another name.

The agents decide again on the same tasks and screens, where a run can be replayed. A run that does the goals
in the fewest steps is that of the oracle, whatever stands between its steps without an effect. An honest
agent may agree with one of ours, so that it is no reason to refuse a bundle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from execution_runner.devices.device import Observation
from execution_runner.environments.environment import StepResult
from execution_runner.environments.simulated import simulation_of
from execution_runner.execution_log import Attempt
from execution_runner.execution_records import ExecutionRun, StepRecord
from fingertip_agents.execution_agent import ExecutionAgent, PastStep
from fingertip_agents.registry import (
    agent_traits,
    baseline_names,
    get_execution_agent,
    list_repeatable_executors,
)
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.actions import Wait, format_action, parse_action
from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard.bundle.read import Numbered, ReadBundle
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.verify.checks.equal_agent import SHARE, list_seeds_of_run, remark_equal
from fingertip_leaderboard.verify.repeat_decisions import RepeatedAgent
from fingertip_leaderboard.verify.restored_targets import RestoredExecution
from fingertip_runs.device_kinds import DEVICE_KINDS
from simulated_phone import PhoneError
from simulated_phone.people.shortest_path import find_shortest_path

ENOUGH_ATTEMPTS = 2
"""Minimum number of tasks for a remark: an attempt is several decisions."""

SHORTEST_SHARE = 0.7
"""Share of tasks done in the fewest steps above which a run gets a remark: a good agent does so now and then.
Our choice."""

MOST_STEPS = 0.9
"""Minimum share of an attempt's decisions that are those of our agent."""

TRIED = 8
"""Number of attempts that are decided again first; all others only if enough of these are equal."""

ORACLE = "shortest-path-oracle"


def remark_shortest(
    read: ReadBundle,
    run: ExecutionRun,
    restored: RestoredExecution,
    found: Refusals,
) -> None:
    """Add a remark if most tasks of simulated people were done in the fewest steps.

    The steps with an effect are compared with the shortest way, as long as enough may be equal.

    Args:
        read: A bundle of track 2 with an attempt for every task, of another agent than ours.
        run: Its run.
        restored: Its tasks.
        found: Gets the remark.
    """
    attempts, simulations = [one.record for one in read.executions], restored.simulations
    tasks = restored.tasks
    if len(attempts) < ENOUGH_ATTEMPTS or not (DEVICE_KINDS[run.device].simulated and simulations):
        return
    needed = SHORTEST_SHARE * len(attempts)
    # nobody's shortest way is longer than the person's own
    left = [
        one
        for one in attempts
        if one.end.success and _count_effects(one) <= len(tasks[one.end.task_id].target.golden_actions)
    ]
    short = 0
    for place, one in enumerate(left):
        if short + len(left) - place <= needed:
            return
        try:
            way = find_shortest_path(simulation_of(simulations, one.end.task_id))
        except (PhoneError, FingerTipError, LookupError, TypeError, ValueError):
            continue
        short += _count_effects(one) <= len(way.gestures) + 1
    if short > needed:
        found.remark(
            f"{short} of {len(attempts)} tasks were done in the fewest steps, as our agent {ORACLE} does, "
            "which looks into the simulated app"
        )


def _count_effects(attempt: Attempt) -> int:
    """Number of steps that are no wait and changed the phone's state; the first and the last one count."""
    before = None
    count = 0
    for place, step in enumerate(attempt.steps, start=1):
        idle = step.state_sha256 in (None, before) or isinstance(parse_action(step.action), Wait)
        count += place == len(attempt.steps) or not idle
        before = step.state_sha256 or before
    return count


class OwnExecutors:
    """Our agents, which decide on the screens of a replay as long as they may have made its run.

    Args:
        run: The run.
        restored: Its tasks.
        attempts: Its attempts, one for every task.
    """

    def __init__(self, run: ExecutionRun, restored: RestoredExecution, attempts: Sequence[Attempt]) -> None:
        self._run, self._tasks, self._of = run, restored.tasks, len(attempts)
        self._first = {one.end.task_id for one in attempts[:: max(1, len(attempts) // TRIED)]}
        self._agents = dict(enumerate(_list_agents(run, restored.simulations)))
        self._equal: Counter[int] = Counter()
        self._chosen = False

    @classmethod
    def find(
        cls, run: ExecutionRun, built: BuiltDataset, restored: RestoredExecution, read: ReadBundle
    ) -> OwnExecutors | None:
        """Agents that may have made a run; None for too few attempts, or such as cannot be replayed.

        Args:
            run: The run, of another agent than these.
            built: The verifier's dataset.
            restored: The run's tasks.
            read: Its bundle.
        """
        simulated = DEVICE_KINDS[run.device].simulated and bool(restored.simulations)
        recorded = DEVICE_KINDS[run.device].recorded and bool(built.shards(run.split, "default"))
        if run.attached or not (simulated or recorded) or len(read.executions) < ENOUGH_ATTEMPTS:
            return None
        return cls(run, restored, [one.record for one in read.executions])

    def sort(self, executions: Sequence[Numbered[Attempt]]) -> list[Numbered[Attempt]]:
        """The attempts in the order in which to replay them: a few from all over the run first."""
        return sorted(executions, key=lambda one: one.record.end.task_id not in self._first)

    def watch(self, attempt: Attempt, before: Sequence[PastStep] = ()) -> WatchedAttempt | None:
        """Begin an attempt; None if none of the agents may have made the run.

        Args:
            attempt: The attempt.
            before: Steps that are taken as done before the first screen.
        """
        if attempt.end.task_id not in self._first and not self._chosen:
            self._chosen = True
            likely = {place for place in self._agents if self._equal[place] > SHARE * len(self._first)}
            self._agents = {place: agent for place, agent in self._agents.items() if place in likely}
        if not self._agents or not attempt.steps:
            return None
        task_input = self._tasks[attempt.end.task_id].input
        again = {
            place: RepeatedAgent(agent, self._run.view, task_input, before)
            for place, agent in self._agents.items()
        }
        return WatchedAttempt(again, (1 - MOST_STEPS) * len(attempt.steps), self._equal)

    def remark(self, found: Refusals) -> None:
        """Add a remark if most attempts are those of one of the agents."""
        counts: dict[str, int] = {}
        for place, agent in self._agents.items():
            counts[agent.name] = max(self._equal[place], counts.get(agent.name, 0))
        if counts:
            best = max(counts, key=counts.__getitem__)
            remark_equal(best, counts[best], self._of, found)


class WatchedAttempt:
    """Our agents on the screens of one attempt.

    Args:
        again: Place of an agent -> the agent.
        most: Largest number of other decisions of an agent that may have made the attempt.
        equal: Place of an agent -> number of attempts that it may have made; `end` counts this one.
    """

    def __init__(self, again: dict[int, RepeatedAgent], most: float, equal: Counter[int]) -> None:
        self._again, self._most, self._equal = again, most, equal
        self._other: Counter[int] = Counter()

    def see(self, step: StepRecord, seen: Observation) -> bool:
        """Let the agents decide where the attempt did; False once none may have made it."""
        for place, agent in list(self._again.items()):
            try:
                decided = format_action(agent.decide(seen).actions[0])
            except FingerTipError:
                del self._again[place]
                continue
            self._other[place] += decided != step.action
            if self._other[place] > self._most:
                del self._again[place]
        return bool(self._again)

    def add(self, step: StepRecord, done: StepResult) -> None:
        """Add a step that was carried out to what the agents know."""
        for agent in self._again.values():
            agent.add(step, done)

    def end(self) -> None:
        """Count the attempt for the agents that may have made it."""
        self._equal.update(self._again.keys())


def _list_agents(run: ExecutionRun, simulations: Mapping[str, Mapping[str, Any]]) -> Iterator[ExecutionAgent]:
    """Our agents, but the oracle, whose way is known by its length; one that draws, once per seed."""
    names = list_repeatable_executors() if run.of_dialogue else baseline_names("execution")
    for name in names:
        if name != ORACLE:
            seeds = list_seeds_of_run(run) if agent_traits(name, "execution").seeded else (None,)
            for seed in seeds:
                yield get_execution_agent(name, AgentSetup(seed=seed, simulations=simulations))
