"""Validation of Sim_2 on simulated people: own trajectory > shortest path > trajectory of the other type.

Sim_2 of `imitate` with the person's own reference, of `shortest-path-oracle`, and of `imitate` with the
reference of a person of the other type: on 22 people (`make soak`) the paired differences are clear, on 2 the
means are in this order. Agents get the same results on an in-process phone as over the real adb.
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from fingertip_metrics.aggregate import paired_difference
from fingertip_studies.sim2_validation import AGENTS, Row, measure

pytestmark = pytest.mark.early

TASKS = 6


@pytest.fixture(scope="module", params=[2, pytest.param(22, marks=pytest.mark.soak)], ids="{} people".format)
def people(request: pytest.FixtureRequest) -> int:
    """Number of simulated people."""
    count: int = request.param
    return count


@pytest.fixture(scope="module")
def table(people: int) -> tuple[Row, ...]:
    workers = 2 if people > 2 else 1
    return measure(users=people, episodes=30, seed=1, tasks=TASKS, workers=workers)


def test_sim2_ranks_own_trajectory_then_shortest_path_then_other_type(
    table: tuple[Row, ...], people: int
) -> None:
    assert tuple(row.agent for row in table) == AGENTS
    for row in table:
        assert (row.sim2.n, row.sim2.clusters, row.sim2.undefined) == (people * TASKS, people, 0)
    for higher, lower in pairwise(table):
        assert higher.sim2.mean is not None
        assert lower.sim2.mean is not None
        assert higher.sim2.mean > lower.sim2.mean
        if people >= 20:
            # the same tasks of the same people: the intervals of the means may well overlap
            assert higher.users == lower.users
            between = paired_difference(higher.values, lower.values, higher.users)
            assert between.low is not None
            assert between.low > 0, f"{higher.agent} and {lower.agent} are not told apart"


def test_success_follows_the_rule(table: tuple[Row, ...]) -> None:
    """The oracle solves all tasks; `imitate` some with the own reference, fewer with the other type's."""
    own, oracle, other = (row.sr2.mean for row in table)
    assert oracle == 1
    assert oracle > own > other
