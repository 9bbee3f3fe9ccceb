"""Environments as Ray actors, on many machines: a lost one is replaced, and its episode begins anew."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from fingertip_dataset.actions import parse_action
from fingertip_dataset.errors import DeviceError, UsageError
from fingertip_dataset.parquet.engines import ray_cluster
from fingertip_environments.phone_core import PhoneCore
from fingertip_environments.phone_task import PhoneTask
from fingertip_environments.rewards import Reward, goal_reward
from fingertip_environments.rollout import Rollout

CPUS = 0.5
"""CPUs that an actor asks the cluster for."""
MOST_LOSSES = 5
"""How often a task may lose its actor before the rollout gives up."""

Policy = Callable[[str, str, Sequence[str]], str]
"""Function of the intent, the tree and the actions so far; returns the next action in the release's spelling.

It is sent to the actors.
"""


class PhoneActor:
    """A phone in a process of the cluster.

    Args:
        policy: What decides.
        reward: Function of the outcome.
    """

    def __init__(self, policy: Policy, reward: Reward = goal_reward) -> None:
        self._core = PhoneCore(reward=reward)
        self._policy = policy

    def roll_out(self, task: PhoneTask) -> Rollout:
        """Carry out a task from its beginning to its end."""
        self._core.reset(task)
        while True:
            action = self._policy(task.intent, self._core.tree(), self._core.actions)
            done = self._core.step(parse_action(action))
            if done.over:
                return Rollout(
                    task_id=task.task_id,
                    actions=self._core.actions,
                    reward=done.reward,
                    success=done.success,
                    answer_seen=done.answer_seen,
                )


@contextmanager
def ray_rollouts(
    policy: Policy, *, actors: int, reward: Reward = goal_reward
) -> Iterator[Callable[[Sequence[PhoneTask]], Iterator[Rollout]]]:
    """Starts phones on the connected cluster, that of RAY_ADDRESS, or this machine.

    Args:
        policy: What decides; it is sent to the actors.
        actors: Number of phones.
        reward: Function of the outcome.

    Yields:
        Function of tasks that yields each one's rollout, as they finish. The task of a lost actor is begun
        anew on another one.

    Raises:
        UsageError: Less than one actor.
        MissingExtraError: Ray is not installed.
        DeviceError: A task lost its actor `MOST_LOSSES` times.
    """
    if actors < 1:
        raise UsageError(f"expected at least one actor, got {actors}")
    with ray_cluster():
        pool = _Pool(policy, reward, actors)
        try:
            yield pool.roll_out
        finally:
            pool.close()


class _Pool:
    """Actors, of which lost ones are replaced."""

    def __init__(self, policy: Policy, reward: Reward, size: int) -> None:
        import ray

        self._make = ray.remote(num_cpus=CPUS, scheduling_strategy="SPREAD")(PhoneActor)
        self._arguments = policy, reward
        self._idle: deque[Any] = deque(self._make.remote(policy, reward) for _ in range(size))

    def roll_out(self, tasks: Sequence[PhoneTask]) -> Iterator[Rollout]:
        import ray

        waiting = deque((task, 0) for task in tasks)
        running: dict[Any, tuple[Any, PhoneTask, int]] = {}
        try:
            while waiting or running:
                while waiting and self._idle:
                    actor, (task, losses) = self._idle.popleft(), waiting.popleft()
                    running[actor.roll_out.remote(task)] = actor, task, losses
                (done,), _ = ray.wait(list(running), num_returns=1)
                actor, task, losses = running.pop(done)
                try:
                    rollout = ray.get(done)
                except ray.exceptions.RayTaskError as error:
                    self._idle.append(actor)
                    raise error.cause from error
                except ray.exceptions.RayError as error:
                    self._idle.append(self._make.remote(*self._arguments))
                    if losses + 1 >= MOST_LOSSES:
                        kind = type(error).__name__
                        raise DeviceError(
                            f"{MOST_LOSSES} actors were lost ({kind}): see the cluster's logs",
                            episode_id=task.task_id,
                        ) from error
                    waiting.appendleft((task, losses + 1))
                    continue
                self._idle.append(actor)
                yield rollout
        finally:
            # of an iteration that was ended early, what still runs is of no use
            for actor, _, _ in running.values():
                ray.kill(actor)
                self._idle.append(self._make.remote(*self._arguments))

    def close(self) -> None:
        import ray

        for actor in self._idle:
            ray.kill(actor)
