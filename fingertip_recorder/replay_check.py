"""Replay check: replay recorded episodes and check each goal's rule, so phone, recorder and actions agree.

Each episode of a simulated release is carried out, action by action and over the real adb, on a simulated
phone that is reset to its state when the person began; then the goal's rule is evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from execution_runner.devices.adb import AdbDevice
from execution_runner.devices.adb_server import run_private_adb_server
from execution_runner.devices.perform import perform
from fingertip_dataset.actions import Action, Finished, parse_action
from fingertip_dataset.errors import DeviceError, ReleaseError
from fingertip_dataset.tasks.task_list import spread
from fingertip_dataset.times import from_milliseconds
from simulated_phone import Phone, PhoneSetupError, SimulatedPhoneServer
from simulated_phone.people.simulation import Simulation


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTrajectory:
    """An episode of a simulated release.

    Attributes:
        episode_id: `{user_id}__{time}`.
        simulation: Setup of the phone, and the goal.
        actions: The actions, `finished()` included.
        moments: Time of each action, by the phone's clock.
        trees: Accessibility tree of the screen before each action, in the release's dialect.
    """

    episode_id: str
    simulation: Simulation
    actions: tuple[Action, ...]
    moments: tuple[datetime, ...]
    trees: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayResult:
    """Result of replaying one episode.

    Attributes:
        trajectory: The recorded episode.
        reached: Whether the goal's rule held at the end but not at the start.
        reason: Why the goal was not reached; "" if it was.
        first_difference: The first step (from 1) whose screen differs from the recorded one.
    """

    trajectory: RecordedTrajectory
    reached: bool
    reason: str = ""
    first_difference: int | None = None

    def __str__(self) -> str:
        goal = self.trajectory.simulation.goal_instance
        episode = f"{self.trajectory.episode_id} {goal.package} {goal.goal}({dict(goal.arguments)})"
        differs = f"; the screens differ from step {self.first_difference}" if self.first_difference else ""
        return f"{episode}: {'reached' if self.reached else self.reason}{differs}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """Results of a replay check.

    Attributes:
        replayed: One result per episode, in the order of the episodes.
    """

    replayed: tuple[ReplayResult, ...]

    @property
    def given(self) -> int:
        """Number of episodes."""
        return len(self.replayed)

    @property
    def reached(self) -> int:
        """Number of episodes whose goal was reached."""
        return sum(one.reached for one in self.replayed)

    @property
    def failures(self) -> tuple[ReplayResult, ...]:
        """Results of the episodes whose goal was not reached."""
        return tuple(one for one in self.replayed if not one.reached)


def read_trajectories(raw: Path) -> tuple[RecordedTrajectory, ...]:
    """Read the episodes of a simulated release, sorted by user and time.

    Raises:
        ReleaseError: The folder has no episodes, or a survey lacks the setup of its phone.
    """
    folders = sorted(path.parent for path in raw.glob("*/*/survey_result.json"))
    if not folders:
        raise ReleaseError("the folder holds no simulated episodes", file=raw)
    return tuple(_read_trajectory(folder) for folder in folders)


def _read_trajectory(folder: Path) -> RecordedTrajectory:
    """Read one episode.

    Raises:
        ReleaseError: It is not an episode of a simulated release.
    """
    try:
        survey = json.loads((folder / "survey_result.json").read_text(encoding="utf-8"))
        lines = (folder / "action.jsonl").read_text(encoding="utf-8").splitlines()
        pairs = [next(iter(json.loads(line).items())) for line in lines]
        screens = folder / "Screenshots"
        trees = [screens / f"tree_{Path(name).stem}.xml" for name, _ in pairs]
        return RecordedTrajectory(
            episode_id=f"{survey['user_id']}__{survey['time']}",
            simulation=Simulation.from_json(survey["simulation"]),
            actions=tuple(parse_action(raw) for _, raw in pairs),
            moments=tuple(from_milliseconds(int(Path(name).stem)) for name, _ in pairs),
            trees=tuple(tree.read_text(encoding="utf-8") if tree.exists() else None for tree in trees),
        )
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise ReleaseError(
            f"the episode of a simulated release cannot be read: {error!r}", file=folder
        ) from None


def replay_release(
    raw: Path,
    *,
    limit: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> ReplayReport:
    """Replay the episodes of a simulated release over the real adb, with an adb server of its own.

    Args:
        raw: The release's folder `raw`.
        limit: Maximum number of episodes, spread evenly over the release.
        on_progress: Called with the number of episodes done and their total.

    Raises:
        ReleaseError: The folder is not a simulated release.
        DeviceError: adb is not installed.
    """
    trajectories = read_trajectories(raw)
    if limit is not None:
        trajectories = tuple(spread(trajectories, limit))
    results: list[ReplayResult] = []
    if on_progress is not None:
        on_progress(0, len(trajectories))
    with run_private_adb_server() as port:
        for result in replay_trajectories(trajectories, server_port=port):
            results.append(result)
            if on_progress is not None:
                on_progress(len(results), len(trajectories))
    return ReplayReport(replayed=tuple(results))


def replay_trajectories(
    trajectories: Sequence[RecordedTrajectory], *, server_port: int
) -> Iterator[ReplayResult]:
    """Replay each trajectory; consecutive ones of one screen size share a phone, reset before each.

    Args:
        trajectories: The recorded episodes.
        server_port: Port of the adb server.

    Raises:
        DeviceError: adb is not installed.
    """
    for begin, end in _list_runs([trajectory.simulation.size for trajectory in trajectories]):
        size = trajectories[begin].simulation.size
        try:
            phone = Phone(size=size)
        except PhoneSetupError as error:
            raise ReleaseError(str(error), episode_id=trajectories[begin].episode_id) from None
        with SimulatedPhoneServer(phone) as server:
            device = AdbDevice.find(server.serial, server_port=server_port)
            try:
                yield from (replay(trajectory, server, device) for trajectory in trajectories[begin:end])
            finally:
                device.client.disconnect()


def _list_runs(values: Sequence[object]) -> Iterator[tuple[int, int]]:
    """(begin, end) of each run of equal values."""
    begin = 0
    for number in range(1, len(values) + 1):
        if number == len(values) or values[number] != values[begin]:
            yield begin, number
            begin = number


def replay(trajectory: RecordedTrajectory, server: SimulatedPhoneServer, device: AdbDevice) -> ReplayResult:
    """Replay one episode, each action at its recorded moment of the phone's clock.

    Args:
        trajectory: The recorded episode.
        server: Server of a simulated phone of the episode's screen size.
        device: The same phone as an adb device.
    """
    simulation = trajectory.simulation
    server.do(simulation.setup.apply)
    goal = simulation.goal_instance
    if server.do(lambda phone: phone.achieved(goal)):
        reason = "the goal was reached before the first action"
        return ReplayResult(trajectory=trajectory, reached=False, reason=reason)
    right = server.do(lambda phone: phone.right_answer(goal))
    first_difference: int | None = None
    steps = zip(trajectory.actions, trajectory.moments, trajectory.trees, strict=True)
    for number, (action, moment, recorded_tree) in enumerate(steps, 1):
        tree = server.do(partial(_find_tree_at, moment=moment))
        if first_difference is None and recorded_tree is not None and recorded_tree != tree:
            first_difference = number
        try:
            perform(device, action, pause=lambda seconds: server.do(lambda phone: phone.wait(seconds)))
        except DeviceError as error:
            return ReplayResult(
                trajectory=trajectory,
                reached=False,
                reason=f"step {number}: {error}",
                first_difference=first_difference,
            )
    last = trajectory.actions[-1] if trajectory.actions else None
    given = last.content if isinstance(last, Finished) else None
    answered = server.do(lambda phone: phone.is_right(goal, given, right))
    reached = server.do(lambda phone: phone.achieved(goal, answered=answered))
    wrong = f"expected the answer {right}, got {given}" if right and not answered else ""
    return ReplayResult(
        trajectory=trajectory,
        reached=reached,
        reason="" if reached else wrong or "the goal's rule does not hold at the end",
        first_difference=first_difference,
    )


def _find_tree_at(phone: Phone, moment: datetime) -> str:
    """Advance the phone's clock to the moment and return the tree of the screen."""
    phone.wait(max(0.0, (moment - phone.now).total_seconds()))
    return phone.tree("release")
