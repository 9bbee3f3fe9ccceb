"""Remark runs whose answers are those of one of our agents without a model, under another name.

The agents decide again on the same tasks, and on the same screens where a run can be replayed. A run that
does the goals in the fewest steps is that of the oracle, whatever stands between its steps without an effect.
An honest agent may agree with one of ours, so that it is no reason to refuse a bundle.
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
from fingertip_agents.registry import agent_traits, baseline_names, get_agent, get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_agents.suggestion.suggestion_agent import SuggestionAgent
from fingertip_dataset.actions import Wait, format_action, parse_action
from fingertip_dataset.errors import FingerTipError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import ExecutionTask, SuggestionTask
from fingertip_leaderboard.bundle.read import ReadBundle
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.verify.checks.check_replay import SESSIONS
from fingertip_leaderboard.verify.near_texts import holds_text
from fingertip_leaderboard.verify.repeat_decisions import RepeatedAgent
from fingertip_runs.device_kinds import DEVICE_KINDS
from simulated_phone import Phone, PhoneError, Pictures
from simulated_phone.people.shortest_path import find_shortest_path
from simulated_phone.people.simulation import Simulation
from suggestion_runner.suggestion_records import SuggestionRun

ENOUGH, ENOUGH_ATTEMPTS = 4, 2
"""Minimum number of tasks for a remark, on track 1 and on track 2, where an attempt is several decisions."""

SHARE = 0.5
"""Share of tasks with the answers of our agent above which a run gets a remark. Honest models reach 0.34."""

SHORTEST_SHARE = 0.7
"""The same for tasks that are done in the fewest steps: a good agent does so now and then. Our choice."""

MOST_STEPS = 0.9
"""Minimum share of an attempt's decisions that are those of our agent."""

TRIED = 8
"""Number of attempts that are decided again first; all others only if enough of these are equal."""

ORACLE = "shortest-path-oracle"


def remark_own_suggester(read: ReadBundle, tasks: Mapping[str, SuggestionTask], found: Refusals) -> None:
    """Add a remark if most intents are those that one of our agents without a model gives.

    Args:
        read: A bundle of track 1 with a line for every task, of another agent than these.
        tasks: Task id -> task as the run showed it.
        found: Gets the remark.
    """
    run = read.bundle.run
    answers = {
        one.record.task_id: one.record.predicted_intent
        for one in read.suggestions
        if one.record.predicted_intent.strip()
    }
    if not isinstance(run, SuggestionRun) or len(read.suggestions) < ENOUGH:
        return
    counts: dict[str, int] = {}
    for name, agent in _list_suggesters(run):
        same = sum(_suggests(agent, tasks[task_id], answer) for task_id, answer in answers.items())
        counts[name] = max(same, counts.get(name, 0))
    best = max(counts, key=counts.__getitem__)
    _remark_equal(best, counts[best], len(read.suggestions), found)


def _remark_equal(name: str, same: int, of: int, found: Refusals) -> None:
    if same > SHARE * of:
        found.remark(f"equals our agent {name}, which needs no model, on {same} of {of} tasks")


def _list_suggesters(run: SuggestionRun) -> Iterator[tuple[str, SuggestionAgent]]:
    for name in baseline_names("suggestion"):
        for seed in _list_seeds(run) if agent_traits(name, "suggestion").seeded else (None,):
            yield name, get_agent(name, AgentSetup(seed=seed))


def _list_seeds(run: SuggestionRun | ExecutionRun) -> Sequence[int | None]:
    """Seeds that an agent that draws its answers may have had: none, the first, and the run's own."""
    return tuple(dict.fromkeys((None, 0, AgentSetup.read_seed(run.agent.settings))))


def _suggests(agent: SuggestionAgent, task: SuggestionTask, answer: str) -> bool:
    try:
        return holds_text(answer, agent.suggest(task.input).text)
    except FingerTipError:
        return False


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
    decide = _DecidedAgain(run, built, tasks)
    names = [name for name in baseline_names("execution") if name != ORACLE]
    counts = {name: decide.count_equal(name, attempts) for name in names}
    best = max(counts, key=counts.__getitem__)
    _remark_equal(best, counts[best], len(attempts), found)


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

    def count_equal(self, name: str, attempts: Sequence[Attempt]) -> int:
        """Number of attempts with our agent's decisions; of a few of them if these are of another agent."""
        seeds = _list_seeds(self.run) if agent_traits(name, "execution").seeded else (None,)
        setup = {seed: AgentSetup(simulations=self.built.simulations(), seed=seed) for seed in seeds}
        agents = [get_execution_agent(name, setup[seed]) for seed in seeds]
        begin = self._open_sessions()
        counts = []
        for agent in agents:
            first = attempts[:: max(1, len(attempts) // TRIED)]
            same = sum(self._is_equal(agent, one, begin) for one in first)
            if same > SHARE * len(first):
                same = sum(self._is_equal(agent, one, begin) for one in attempts)
            counts.append(same)
        return max(counts)

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

    def _is_equal(
        self, agent: ExecutionAgent, attempt: Attempt, begin: Callable[[str], EnvironmentSession]
    ) -> bool:
        """Whether the agent decides at nearly every step as the attempt did."""
        if not attempt.steps:
            return False
        task_id = attempt.end.task_id
        try:
            session = begin(task_id)
            task_input = self.tasks[task_id].input
            again = RepeatedAgent(agent, self.run.view, task_input, session.before())
            most = (1 - MOST_STEPS) * len(attempt.steps)
            other = 0
            for step in attempt.steps:
                other += format_action(again.decide(session.observe()).actions[0]) != step.action
                if other > most:
                    return False
                if step.performed:
                    again.add(step, session.step(parse_action(step.action)))
        except (FingerTipError, PhoneError):
            return False
        return True
