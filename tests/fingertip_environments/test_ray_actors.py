"""Environments on a Ray cluster of loopback nodes, one of which is removed while episodes run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from fingertip_dataset.errors import ActionSyntaxError, UsageError
from fingertip_environments import PhoneTask, Rollout, ray_rollouts

pytestmark = pytest.mark.early

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402 - there is none without ray

from tests.ray_cluster import STORE, cluster  # noqa: E402, F401 - a fixture


class Imitator:
    """What each person did, by intent."""

    def __init__(self, actions: Mapping[str, Sequence[str]]) -> None:
        self._actions = actions

    def __call__(self, intent: str, tree: str, past: Sequence[str]) -> str:
        assert tree.startswith("<?xml")
        return self._actions[intent][len(past)]


@pytest.mark.soak
def test_every_task_has_its_rollout_although_a_node_is_removed(
    cluster: Cluster,  # noqa: F811
    tasks: tuple[PhoneTask, ...],
) -> None:
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=STORE) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    policy = Imitator({task.intent: task.task.target.golden_actions for task in tasks})
    found: list[Rollout] = []
    with ray_rollouts(policy, actors=2) as roll_out:
        for rollout in roll_out([*tasks, *tasks]):
            found.append(rollout)
            if len(found) == 1:
                cluster.remove_node(nodes[1], allow_graceful=False)
    with pytest.raises(ActionSyntaxError, match="expected one of the calls"):
        _unreadable(tasks)
    assert sorted(rollout.task_id for rollout in found) == sorted([task.task_id for task in tasks] * 2)
    assert all(rollout.success and rollout.reward == 1.0 for rollout in found)
    golden = {task.task_id: task.task.target.golden_actions for task in tasks}
    assert all(rollout.actions == golden[rollout.task_id] for rollout in found)


def _unreadable(tasks: Sequence[PhoneTask]) -> None:
    """What goes wrong in a policy is raised here as it is."""
    with ray_rollouts(lambda _intent, _tree, _past: "jump()", actors=1) as roll_out:
        list(roll_out(tasks[:1]))


def test_bad_numbers_have_one_line() -> None:
    with (
        pytest.raises(UsageError, match="expected at least one actor, got 0"),
        ray_rollouts(lambda _intent, _tree, _past: "wait()", actors=0),
    ):
        pass
