"""The proof that phone, recorder, actions and success rules agree: a recorded way is walked again.

Each episode of a simulated release is carried out, action by action and over the real adb, on a simulated
phone that was just reset to what it was when the person took it up; then the goal's rule is asked.
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
    """How an episode went the second time.

    Attributes:
        way: The episode.
        reached: Whether the goal's rule held at the end, and not at the start.
        reason: Why not; "" where it was reached.
        parted: The first step (from 1) before which the screen was another than the recorded one; None where
            all were the same.
    """

    way: RecordedTrajectory
    reached: bool
    reason: str = ""
    parted: int | None = None

    def __str__(self) -> str:
        aim = self.way.simulation.aim
        words = f"{self.way.episode_id} {aim.package} {aim.goal}({dict(aim.arguments)})"
        apart = f"; the screens part before step {self.parted}" if self.parted else ""
        return f"{words}: {'reached' if self.reached else self.reason}{apart}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """Every episode's second time.

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
    """Walk the recorded ways of a simulated release again, over the real adb with a server of its own.

    Args:
        raw: The release's folder `raw`.
        limit: At most so many episodes, spread evenly over the release.
        on_progress: Called with the episodes done and all of them.

    Raises:
        ReleaseError: It is no simulated release.
        DeviceError: There is no adb.
    """
    ways = recorded_trajectories(raw)
    if limit is not None and limit < len(ways):
        ways = tuple(ways[number * len(ways) // limit] for number in range(limit))
    done: list[Replayed] = []
    with private_adb_server() as port:
        for one in replay_trajectories(ways, server_port=port):
            done.append(one)
            if on_progress is not None:
                on_progress(len(done), len(ways))
    return ReplayReport(replayed=tuple(done))


def replay_trajectories(ways: Sequence[RecordedTrajectory], *, server_port: int) -> Iterator[Replayed]:
    """Walk each way again; ways of one screen size share a phone, which is reset before each.

    Args:
        ways: What was recorded.
        server_port: Of the adb server.

    Raises:
        DeviceError: There is no adb.
    """
    for begin, end in _runs([way.simulation.size for way in ways]):
        size = ways[begin].simulation.size
        try:
            phone = Phone(size=size, density=usual_density(size[0]))
        except PhoneSetupError as error:
            raise ReleaseError(str(error), episode_id=ways[begin].episode_id) from None
        with SimulatedPhoneServer(phone) as server:
            device = AdbDevice.find(server.serial, server_port=server_port)
            try:
                yield from (replay(way, server, device) for way in ways[begin:end])
            finally:
                device.client.disconnect()


def _runs(values: Sequence[object]) -> Iterator[tuple[int, int]]:
    """(begin, end) of each run of equal values."""
    begin = 0
    for number in range(1, len(values) + 1):
        if number == len(values) or values[number] != values[begin]:
            yield begin, number
            begin = number


def replay(way: RecordedTrajectory, server: SimulatedPhoneServer, device: AdbDevice) -> Replayed:
    """Walk one way again, as slowly by the phone's clock as the person did.

    Args:
        way: What was recorded.
        server: Serves a simulated phone of that screen size.
        device: The same phone on ADB.
    """
    server.do(way.simulation.start.put)
    if server.do(lambda phone: phone.achieved(way.simulation.aim)):
        return Replayed(way=way, reached=False, reason="the goal was reached before anything was done")
    parted: int | None = None
    steps = zip(way.actions, way.moments, way.trees, strict=True)
    for number, (action, moment, tree) in enumerate(steps, 1):
        shown = server.do(partial(_shown_at, moment=moment))
        if parted is None and tree is not None and tree != shown:
            parted = number
        try:
            perform(device, action, pause=lambda seconds: server.do(lambda phone: phone.wait(seconds)))
        except DeviceError as error:
            return Replayed(way=way, reached=False, reason=f"step {number}: {error}", parted=parted)
    reached = server.do(lambda phone: phone.achieved(way.simulation.aim))
    reason = "" if reached else "the goal's rule does not hold at the end"
    return Replayed(way=way, reached=reached, reason=reason, parted=parted)


def _shown_at(phone: Phone, moment: datetime) -> str:
    """Let the phone's clock come to that moment, and give the tree of the screen then."""
    phone.wait(max(0.0, (moment - phone.now).total_seconds()))
    return phone.tree("release")
