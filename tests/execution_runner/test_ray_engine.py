"""Attempts on Ray workers, on a cluster of loopback nodes, one of which is lost during a task."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from execution_runner.environments.open_environments import open_environments
from execution_runner.execution_log import read_attempts
from execution_runner.execution_run import run_execution
from execution_runner.ray_engine import make_ray_environments
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from tests.command_line import fingertip
from tests.execution_runner.players import Player, golden_ways, result

pytestmark = [pytest.mark.early, pytest.mark.install]

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402 - there is none without ray

from tests.ray_cluster import STORE, cluster  # noqa: E402, F401 - a fixture


@pytest.mark.soak
def test_every_task_is_done_once_although_a_node_is_lost(
    cluster: Cluster,  # noqa: F811
    simulated_dataset: Path,
    adb_port: int,
    tmp_path: Path,
) -> None:
    built, ways = BuiltDataset.open(simulated_dataset), golden_ways(simulated_dataset)
    with open_environments(["simulated"], built, server_port=adb_port) as one:
        run_execution(simulated_dataset, Player(ways), one, tmp_path / "one")
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=STORE) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)

    def lose_a_node(done: int, _tasks: int) -> None:
        if done == 1:
            cluster.remove_node(nodes[1], allow_graceful=False)

    with make_ray_environments(["simulated:2"], simulated_dataset, lambda _: Player(ways)) as workers:
        outcome = run_execution(
            simulated_dataset, Player(ways), workers, tmp_path / "ray", on_progress=lose_a_node
        )
    attempts = read_attempts(tmp_path / "ray")
    assert sum(outcome.outcomes.values()) == outcome.tasks == len(attempts)
    assert {attempt.end.device for attempt in attempts} <= {"ray-1", "ray-2"}
    assert result(attempts, tmp_path / "ray") == result(read_attempts(tmp_path / "one"), tmp_path / "one")
    carried_out_by_the_command(cluster.address, simulated_dataset, tmp_path / "command")


def carried_out_by_the_command(address: str, dataset: Path, run: Path) -> None:
    """`fingertip execute --engine ray` finds a running cluster."""
    call = ("execute", dataset, "--agent", "imitate", "--engine", "ray", "--device", "replay:2", "--limit", 2)
    words = [sys.executable, "-m", "fingertip_cli", *map(str, call), "--out", str(run)]
    done = subprocess.run(
        words, env=os.environ | {"RAY_ADDRESS": address}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "2 of 2 tasks carried out" in done.stdout
    assert len(read_attempts(run)) == 2


@pytest.mark.soak
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("127.0.0.1:1", "no Ray cluster answers at RAY_ADDRESS=127.0.0.1:1 within 10 s: start one there, or"),
        ("my cluster", "Ray did not start: "),
    ],
)
def test_an_address_without_a_cluster_is_one_line(
    simulated_dataset: Path, tmp_path: Path, address: str, words: str
) -> None:
    call = ("execute", simulated_dataset, "--agent", "imitate", "--engine", "ray", "--device", "replay")
    done = fingertip(*call, "--out", tmp_path / "run", env=os.environ | {"RAY_ADDRESS": address})
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.soak
def test_without_a_cluster_one_is_started_on_this_machine_and_ended(
    simulated_dataset: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    call = ("execute", simulated_dataset, "--agent", "imitate", "--engine", "ray", "--device", "simulated:2")
    # short: Ray's sockets are in it
    with tempfile.TemporaryDirectory(prefix="ray") as folder:
        env = os.environ | {"RAY_TMPDIR": folder}
        done = fingertip(*call, "--limit", 2, "--out", run, env=env, timeout=1200)
        assert done.returncode == 0, done.stderr
        assert {attempt.end.device for attempt in read_attempts(run)} <= {"ray-1", "ray-2"}
        assert "oken" not in done.stderr
        assert (Path(folder) / "ray").is_dir()
        left = subprocess.run(["pgrep", "-f", folder], capture_output=True, text=True, check=False)
    assert left.stdout == ""


def test_a_real_phone_cannot_be_on_a_worker(simulated_dataset: Path) -> None:
    def none(_simulations: Mapping[str, Mapping[str, object]]) -> None:
        raise AssertionError

    with (
        pytest.raises(UsageError, match="leave out --engine ray, or give --device simulated:8"),
        make_ray_environments(["R58M"], simulated_dataset, none),  # type: ignore[arg-type]
    ):
        pass


@pytest.mark.parametrize("engine", ["local", pytest.param("ray", marks=pytest.mark.install)])
def test_a_phone_that_is_not_connected_is_one_line_with_every_engine(
    simulated_dataset: Path, adb_port: int, tmp_path: Path, engine: str
) -> None:
    call = ("execute", simulated_dataset, "--agent", "imitate", "--engine", engine, "--device", "R58M")
    env = os.environ | {"ANDROID_ADB_SERVER_PORT": str(adb_port)}
    done = fingertip(*call, "--out", tmp_path / "run", env=env)
    assert (done.returncode, done.stderr) == (
        2,
        "fingertip: no phone R58M is connected (`adb devices` lists the connected ones); other devices: "
        "simulated, replay, teacher-forced\n",
    )
