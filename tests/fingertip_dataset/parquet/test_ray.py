"""Shards as Ray tasks, on a cluster of loopback nodes of which one is lost while the work goes on."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fingertip_dataset.parquet.build import build
from fingertip_dataset.parquet.build_plan import BuildConfig, BuildPlan
from fingertip_dataset.parquet.engines import open_workshop
from fingertip_dataset.parquet.manifest import Manifest
from fingertip_dataset.parquet.shards import ShardJob
from fingertip_dataset.release.read_release import read_release
from tests.fixtures.drawn_sample import sample_release

pytestmark = pytest.mark.early

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402 - there is none without ray

from tests.ray_cluster import STORE, cluster  # noqa: E402, F401 - a fixture


@pytest.fixture(scope="module")
def jobs() -> list[ShardJob]:
    """Jobs that take long enough for a node to be lost in the middle of one."""
    plan = BuildPlan(read_release(sample_release() / "raw", sample_release() / "tables"), BuildConfig())
    whole = plan.job(plan.shard_specs[0])
    return [
        dataclasses.replace(
            whole,
            name=f"train-{number:05d}-of-00024",
            episodes=whole.episodes[number % 8 :],
            rows=whole.rows[number % 8 :],
        )
        for number in range(24)
    ]


def content(folder: Path) -> dict[str, str]:
    """Every file with its hash, but what the lost node had begun."""
    files = [file for file in folder.iterdir() if file.suffix != ".tmp"]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.mark.parametrize(
    "cluster", [{"health_check_period_ms": 500, "health_check_failure_threshold": 2}], indirect=True
)
@pytest.mark.soak
def test_every_shard_is_made_although_a_node_is_lost(
    cluster: Cluster,  # noqa: F811
    jobs: list[ShardJob],
    tmp_path: Path,
) -> None:
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=STORE) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    records = []
    with open_workshop("ray", workers=4) as make:
        for record in make(jobs, tmp_path / "ray"):
            records.append(record)
            if len(records) == 4:
                cluster.remove_node(nodes[1], allow_graceful=False)
    with open_workshop() as make:
        local = list(make(jobs, tmp_path / "local"))
    by_name = {record.files[0].file: record for record in records}
    assert by_name == {record.files[0].file: record for record in local}
    assert content(tmp_path / "ray") == content(tmp_path / "local")
    built_by_the_command(cluster.address, tmp_path)


def built_by_the_command(address: str, folder: Path) -> None:
    """`fingertip build --engine ray` finds a running cluster, and makes what the local engine makes."""
    raw, tables = sample_release() / "raw", sample_release() / "tables"
    call = [sys.executable, "-c", "from fingertip_cli.main import main; main()", "build", str(raw)]
    call += ["--tables", str(tables), "--out", str(folder / "out"), "--engine", "ray"]
    subprocess.run(call, env=os.environ | {"RAY_ADDRESS": address}, check=True, capture_output=True)
    ours = Manifest.read(folder / "out" / "manifest.json")
    assert ours.data_sha256 == build(raw, folder / "here", tables=tables).data_sha256
