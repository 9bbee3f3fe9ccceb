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
from execution_runner.devices.adb_server import private_adb_server
from execution_runner.devices.perform import perform
from fingertip_dataset.actions import Action, parse_action
from fingertip_dataset.errors import DeviceError, ReleaseError
from fingertip_dataset.times import from_milliseconds
from simulated_phone import Phone, PhoneSetupError, SimulatedPhoneServer
from simulated_phone.people.simulation import Simulation
from simulated_phone.screens.theme import usual_density


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTrajectory:
    """An episode of a simulated release.

    Attributes:
        episode_id: `{user_id}__{time}`.
        simulation: How the phone was set up, and what the person wanted.
        actions: What was done, `finished()` included.
        moments: When each was done, by the phone's clock.
        trees: Of the screen before each action, in the release's dialect; None where there is none.
    """

    episode_id: str
    simulation: Simulation
    actions: tuple[Action, ...]
    moments: tuple[datetime, ...]
    trees: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """Outcome of the replay of one episode.

    Attributes:
        trajectory: The episode.
        reached: Whether the goal's rule held at the end, and not at the start.
        reason: Why the goal was not reached; "" if it was.
        parted: The first step (from 1) before which the screen differed from the recorded one; None if all
            were equal.
    """

    trajectory: RecordedTrajectory
    reached: bool
    reason: str = ""
    parted: int | None = None

    def __str__(self) -> str:
        goal = self.trajectory.simulation.aim
        words = f"{self.trajectory.episode_id} {goal.package} {goal.goal}({dict(goal.arguments)})"
        apart = f"; the screens part before step {self.parted}" if self.parted else ""
        return f"{words}: {'reached' if self.reached else self.reason}{apart}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """Outcomes of the replay of every episode.

    Attributes:
        replayed: In the order of the episodes.
    """

    replayed: tuple[Replayed, ...]

    @property
    def given(self) -> int:
        """Episodes in all."""
        return len(self.replayed)

    @property
    def reached(self) -> int:
        """Episodes whose goal was reached."""
        return sum(one.reached for one in self.replayed)

    @property
    def failures(self) -> tuple[Replayed, ...]:
        """Those that did not reach it."""
        return tuple(one for one in self.replayed if not one.reached)


def recorded_trajectories(raw: Path) -> tuple[RecordedTrajectory, ...]:
    """The episodes of a simulated release, by user and time.

    Raises:
        ReleaseError: There are none, or one does not say how its phone was set up.
    """
    folders = sorted(path.parent for path in raw.glob("*/*/survey_result.json"))
    if not folders:
        raise ReleaseError("expected simulated episodes, got none", file=raw)
    return tuple(_read_way(folder) for folder in folders)


def _read_way(folder: Path) -> RecordedTrajectory:
    """One episode.

    Raises:
        ReleaseError: It is not one of a simulated release.
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
            f"expected an episode of a simulated release, got {error!r}", file=folder
        ) from None


def replay_release(
    raw: Path,
    *,
    limit: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> ReplayReport:
    """Replay the trajectories of a simulated release over the real adb, with a private adb server.

    Args:
        raw: The release's folder `raw`.
        limit: Maximum number of episodes, spread evenly over the release.
        on_progress: Called with the numbers of replayed and of all episodes.

    Raises:
        ReleaseError: It is no simulated release.
        DeviceError: There is no adb.
    """
    trajectories = recorded_trajectories(raw)
    if limit is not None and limit < len(trajectories):
        trajectories = tuple(trajectories[number * len(trajectories) // limit] for number in range(limit))
    done: list[Replayed] = []
    with private_adb_server() as port:
        for one in replay_trajectories(trajectories, server_port=port):
            done.append(one)
            if on_progress is not None:
                on_progress(len(done), len(trajectories))
    return ReplayReport(replayed=tuple(done))


def replay_trajectories(
    trajectories: Sequence[RecordedTrajectory], *, server_port: int
) -> Iterator[Replayed]:
    """Replay trajectories; those of one screen size share a phone, which is reset before each.

    Args:
        trajectories: Recorded episodes.
        server_port: Port of the adb server.

    Raises:
        DeviceError: There is no adb.
    """
    for begin, end in _runs([trajectory.simulation.size for trajectory in trajectories]):
        size = trajectories[begin].simulation.size
        try:
            phone = Phone(size=size, density=usual_density(size[0]))
        except PhoneSetupError as error:
            raise ReleaseError(str(error), episode_id=trajectories[begin].episode_id) from None
        with SimulatedPhoneServer(phone) as server:
            device = AdbDevice.find(server.serial, server_port=server_port)
            try:
                yield from (replay(trajectory, server, device) for trajectory in trajectories[begin:end])
            finally:
                device.client.disconnect()


def _runs(values: Sequence[object]) -> Iterator[tuple[int, int]]:
    """(begin, end) of each run of equal values."""
    begin = 0
    for number in range(1, len(values) + 1):
        if number == len(values) or values[number] != values[begin]:
            yield begin, number
            begin = number


def replay(trajectory: RecordedTrajectory, server: SimulatedPhoneServer, device: AdbDevice) -> Replayed:
    """Replay one trajectory, with the person's timing by the phone's clock.

    Args:
        trajectory: Recorded episode.
        server: Serves a simulated phone of that screen size.
        device: The same phone over adb.
    """
    server.do(trajectory.simulation.start.put)
    if server.do(lambda phone: phone.achieved(trajectory.simulation.aim)):
        return Replayed(
            trajectory=trajectory, reached=False, reason="the goal was reached before anything was done"
        )
    parted: int | None = None
    steps = zip(trajectory.actions, trajectory.moments, trajectory.trees, strict=True)
    for number, (action, moment, tree) in enumerate(steps, 1):
        shown = server.do(partial(_shown_at, moment=moment))
        if parted is None and tree is not None and tree != shown:
            parted = number
        try:
            perform(device, action, pause=lambda seconds: server.do(lambda phone: phone.wait(seconds)))
        except DeviceError as error:
            return Replayed(
                trajectory=trajectory, reached=False, reason=f"step {number}: {error}", parted=parted
            )
    reached = server.do(lambda phone: phone.achieved(trajectory.simulation.aim))
    reason = "" if reached else "the goal's rule does not hold at the end"
    return Replayed(trajectory=trajectory, reached=reached, reason=reason, parted=parted)


def _shown_at(phone: Phone, moment: datetime) -> str:
    """Let the phone's clock come to that moment, and give the tree of the screen then."""
    phone.wait(max(0.0, (moment - phone.now).total_seconds()))
    return phone.tree("release")
