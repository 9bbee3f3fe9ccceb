"""A Ray cluster of loopback nodes, for tests that remove a node while work goes on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

STORE = 80 * 2**20
"""Size of a node's object store, in bytes."""

PATIENT = {"health_check_period_ms": 1000, "health_check_failure_threshold": 10}
"""A node is lost after ten seconds without an answer: on a loaded machine none is lost by chance."""


@pytest.fixture
def cluster(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """A `ray.cluster_utils.Cluster` whose head takes no tasks; a parameter replaces `PATIENT`."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    )
    made = Cluster(
        initialize_head=True,
        head_node_args={
            "num_cpus": 0,
            "object_store_memory": STORE,
            "include_dashboard": False,
            "_system_config": getattr(request, "param", PATIENT),
        },
    )
    yield made
    ray.shutdown()
    made.shutdown()  # type: ignore[no-untyped-call]
