"""Environments on a Ray cluster of loopback nodes, one of which is removed while episodes run."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from fingertip_dataset.errors import ActionSyntaxError, UsageError
from fingertip_environments import PhoneTask, Rollout, ray_rollouts

pytestmark = pytest.mark.early

ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402 - there is none without ray

from tests.ray_cluster import STORE, cluster  # noqa: E402, F401 - a fixture
from tests.test_architecture import ROOT  # noqa: E402

PAGE = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
(BLOCK,) = re.findall(r"^```python ray\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


class Imitator:
    """What each person did, by intent; on one node it stops in the middle of its first task.

    Args:
        actions: The actions by intent.
        doomed: Id of that node.
        folder: Folder of a file for each task that was begun there.
    """

    def __init__(self, actions: Mapping[str, Sequence[str]], doomed: str, folder: Path) -> None:
        self._actions, self._doomed, self._folder = actions, doomed, folder

    def __call__(self, intent: str, tree: str, past: Sequence[str]) -> str:
        assert tree.startswith("<?xml")
        if past and ray.get_runtime_context().get_node_id() == self._doomed:
            (self._folder / "begun").write_text(intent, encoding="utf-8")
            time.sleep(3600)  # until the node is removed
        return self._actions[intent][len(past)]


@pytest.mark.soak
def test_the_task_of_a_removed_node_is_begun_anew_on_another_one(
    cluster: Cluster,  # noqa: F811
    tasks: tuple[PhoneTask, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=STORE) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    actions = {task.intent: task.task.target.golden_actions for task in tasks}
    begun, over = tmp_path / "begun", threading.Event()

    def remove() -> None:
        while not (begun.exists() and begun.read_text(encoding="utf-8")):
            if over.wait(0.05):
                return
        cluster.remove_node(nodes[1], allow_graceful=False)

    remover = threading.Thread(target=remove)
    remover.start()
    with ray_rollouts(Imitator(actions, nodes[1].node_id, tmp_path), actors=2) as roll_out:
        found: list[Rollout] = list(roll_out([*tasks, *tasks]))
    over.set()
    remover.join()
    assert begun.read_text(encoding="utf-8") in actions
    with pytest.raises(ActionSyntaxError, match="expected one of the calls"):
        _unreadable(tasks)
    exec(compile(BLOCK, "docs/environments.md", "exec"), {})  # noqa: S102 - our own page
    assert capsys.readouterr().out.count("False ('press_home()', 'finished()')") == 2
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
