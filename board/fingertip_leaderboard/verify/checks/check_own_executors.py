"""Remark runs of track 2 whose attempts are those of one of our agents without a model, under another name.

The agents decide again on the same tasks and screens, where a run can be replayed. A run that does the goals
in the fewest steps is that of the oracle, whatever stands between its steps without an effect. An honest
agent may agree with one of ours, so that it is no reason to refuse a bundle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from execution_runner.devices.in_process_device import begin_in_process
from execution_runner.environments.environment import EnvironmentSession
from execution_runner.environments.recorded_episodes import RecordedEpisodes
from execution_runner.environments.simulated import simulation_of
from execution_runner.execution_log import Attempt
from execution_runner.execution_records import ExecutionRun
from fingertip_agents.execution_agent import ExecutionAgent
from fingertip_agents.registry import agent_traits, baseline_names, get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset.actions import Wait, format_action, parse_action
from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.verify.checks.check_replay import SESSIONS
from fingertip_leaderboard.verify.checks.equal_agent import SHARE, list_seeds_of_run, remark_equal
from fingertip_leaderboard.verify.repeat_decisions import RepeatedAgent
from fingertip_runs.device_kinds import DEVICE_KINDS
from simulated_phone import Phone, PhoneError, Pictures
from simulated_phone.people.shortest_path import find_shortest_path
from simulated_phone.people.simulation import Simulation

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


def remark_own_executor(
    read: ReadBundle,
    run: ExecutionRun,
    built: BuiltDataset,
    tasks: Mapping[str, ExecutionTask],
    found: Refusals,
) -> None:
    """Add a remark if most attempts are those of one of our agents without a model.

    Args:
        read: A bundle of track 2 with an attempt for every task, of another agent than these.
        run: Its run.
        built: The verifier's dataset.
        tasks: Task id -> task.
        found: Gets the remarks.
    """
    attempts = [one.record for one in read.executions]
    if len(attempts) < ENOUGH_ATTEMPTS:
        return
    simulated = DEVICE_KINDS[run.device].simulated and bool(built.simulations())
    if simulated:
        _remark_shortest(attempts, built, tasks, found)
    if run.attached or not (simulated or (run.device in SESSIONS and built.shards(run.split, "default"))):
        return
    counts = _DecidedAgain(run, built, tasks).count_equal(attempts)
    if counts:
        best = max(counts, key=counts.__getitem__)
        remark_equal(best, counts[best], len(attempts), found)


def _remark_shortest(
    attempts: Sequence[Attempt], built: BuiltDataset, tasks: Mapping[str, ExecutionTask], found: Refusals
) -> None:
    """Compare the steps with an effect with the fewest steps to the goal, as long as enough may be equal."""
    simulations, needed = built.simulations(), SHORTEST_SHARE * len(attempts)
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


@dataclass(frozen=True, slots=True)
class _DecidedAgain:
    """Our agents on the screens of a run's attempts.

    Attributes:
        run: The run.
        built: The verifier's dataset.
        tasks: Task id -> task.
    """

    run: ExecutionRun
    built: BuiltDataset
    tasks: Mapping[str, ExecutionTask]

    def count_equal(self, attempts: Sequence[Attempt]) -> dict[str, int]:
        """Name of our agent -> number of attempts with its decisions; of those that made most of a few."""
        agents = list(self._list_agents())
        begin = self._open_sessions()
        first = attempts[:: max(1, len(attempts) // TRIED)]
        counts = self._count(agents, first, begin)
        likely = [agent for agent, count in zip(agents, counts, strict=True) if count > SHARE * len(first)]
        counts = self._count(likely, attempts, begin) if likely else []
        found: dict[str, int] = {}
        for agent, count in zip(likely, counts, strict=True):
            found[agent.name] = max(count, found.get(agent.name, 0))
        return found

    def _list_agents(self) -> Iterator[ExecutionAgent]:
        """Our agents, but the oracle, whose way is known by its length; one that draws, once per seed."""
        for name in baseline_names("execution"):
            if name != ORACLE:
                for seed in (
                    list_seeds_of_run(self.run) if agent_traits(name, "execution").seeded else (None,)
                ):
                    yield get_execution_agent(name, AgentSetup(seed=seed))

    def _count(
        self,
        agents: Sequence[ExecutionAgent],
        attempts: Sequence[Attempt],
        begin: Callable[[str], EnvironmentSession],
    ) -> list[int]:
        """Number of attempts with each agent's decisions."""
        equal = [self._find_equal(agents, attempt, begin) for attempt in attempts]
        return [sum(place in one for one in equal) for place in range(len(agents))]

    def _open_sessions(self) -> Callable[[str], EnvironmentSession]:
        """Make the function that begins a task by its id, on a phone of this process or on the recording."""
        if self.run.device in SESSIONS:
            recordings, session = RecordedEpisodes(self.built, self.run.split), SESSIONS[self.run.device]
            return lambda task_id: session(recordings.steps(task_id))
        simulations, pictures = self.built.simulations(), Pictures()

        def begin(task_id: str) -> EnvironmentSession:
            simulation: Simulation = simulation_of(simulations, task_id)
            return begin_in_process(simulation, Phone(size=simulation.size, pictures=pictures))

        return begin

    def _find_equal(
        self,
        agents: Sequence[ExecutionAgent],
        attempt: Attempt,
        begin: Callable[[str], EnvironmentSession],
    ) -> set[int]:
        """Places of the agents that decide at nearly every step as the attempt did."""
        if not attempt.steps:
            return set()
        task_id, most = attempt.end.task_id, (1 - MOST_STEPS) * len(attempt.steps)
        try:
            session = begin(task_id)
            task_input, before = self.tasks[task_id].input, session.before()
            again = {
                place: RepeatedAgent(agent, self.run.view, task_input, before)
                for place, agent in enumerate(agents)
            }
            other = dict.fromkeys(again, 0)
            for step in attempt.steps:
                seen = session.observe()
                for place, agent in list(again.items()):
                    other[place] += format_action(agent.decide(seen).actions[0]) != step.action
                    if other[place] > most:
                        del again[place]
                if not again:
                    break
                if step.performed:
                    done = session.step(parse_action(step.action))
                    for agent in again.values():
                        agent.add(step, done)
        except (FingerTipError, PhoneError):
            return set()
        return set(again)
