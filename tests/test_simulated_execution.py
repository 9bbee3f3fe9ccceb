"""Validating Sim_2: a person's own trajectory scores above the shortest, and that above a stranger's.

On simulated people, whose habits are known: Sim_2 of `imitate` with the person's own reference, of
`shortest-path-oracle`, and of `imitate` with the reference of a person of the other type. On 22 people
(`make soak`) their intervals do not touch, on 4 their means are in this order. And what agents do on a phone
in hand is what they do over the real adb.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.personal_ways import AGENTS, Carried, Row, attempt, measure
from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts
from execution_runner.execution_run import run_execution
from fingertip_agents.registry import get_execution_agent
from fingertip_agents.setup import AgentSetup
from fingertip_dataset import BuiltDataset, build, execution_task
from fingertip_metrics import bootstrap_mean
from fingertip_recorder.simulated_life import SampleOrder, write_sample
from simulated_phone import Phone
from simulated_phone.people.simulation import Simulation
from simulated_phone.screens.theme import usual_density

pytestmark = pytest.mark.early

TASKS = 6


@pytest.fixture(scope="module", params=[4, pytest.param(22, marks=pytest.mark.soak)], ids="{} people".format)
def people(request: pytest.FixtureRequest) -> int:
    """Number of simulated people."""
    count: int = request.param
    return count


@pytest.fixture(scope="module")
def table(people: int) -> tuple[Row, ...]:
    return measure(users=people, episodes=30, seed=1, tasks=TASKS)


def test_own_trajectory_scores_above_shortest_above_a_strangers(table: tuple[Row, ...], people: int) -> None:
    assert tuple(row.agent for row in table) == AGENTS
    for row in table:
        assert (row.sim2.n, row.sim2.clusters, row.sim2.undefined) == (people * TASKS, people, 0)
    for higher, lower in pairwise(table):
        assert higher.sim2.mean is not None
        assert lower.sim2.mean is not None
        assert higher.sim2.mean > lower.sim2.mean
        if people >= 20:
            assert higher.sim2.low is not None
            assert lower.sim2.high is not None
            assert higher.sim2.low > lower.sim2.high, f"{higher.agent} and {lower.agent} touch"


def test_each_difference_is_above_zero(table: tuple[Row, ...], people: int) -> None:
    users = [str(number // TASKS) for number in range(people * TASKS)]
    for higher, lower in pairwise(table):
        pairs = zip(higher.values, lower.values, strict=True)
        apart = bootstrap_mean([one - other for one, other in pairs if one and other], users)
        assert apart.low is not None
        assert apart.low > 0


def test_success_is_by_rule(table: tuple[Row, ...]) -> None:
    """The oracle does all; who repeats a similar task does some; a stranger's way leads elsewhere."""
    own, generic, other = (row.sr2.mean for row in table)
    assert generic == 1
    assert generic > own > other


def test_a_phone_in_hand_is_the_phone_over_adb(tmp_path: Path) -> None:
    order = SampleOrder(out=tmp_path / "sample", users=3, episodes=5, seed=2, size=(270, 600))
    write_sample(order)
    dataset = tmp_path / "built"
    build(order.out / "raw", dataset, tables=order.out / "tables", workers=1)
    built = BuiltDataset.open(dataset)
    simulations = built.simulations()
    agents = [
        get_execution_agent(name, AgentSetup(simulations=simulations))
        for name in ("imitate", "shortest-path-oracle")
    ]
    with open_environments(["simulated"], built, split="test_execution") as environments:
        for agent in agents:
            run_execution(dataset, agent, environments, tmp_path / agent.name)
    tasks = [execution_task(row) for row in built.rows("test_execution")]
    assert len(tasks) == order.users
    for agent in agents:
        over_adb = {
            done.end.task_id: Carried(
                written=tuple(step.written for step in done.steps), success=bool(done.end.success)
            )
            for done in read_attempts(tmp_path / agent.name)
        }
        in_hand = {}
        for task in tasks:
            simulation = Simulation.from_json(simulations[task.input.task_id])
            phone = Phone(size=simulation.size, density=usual_density(simulation.size[0]))
            limit = task.target.step_limit
            in_hand[task.input.task_id] = attempt(agent, task.input, simulation, phone, limit=limit)
        assert over_adb == in_hand
