"""Environments by device spec; `fingertip_runs.device_kinds` parses the specs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from execution_runner.devices.adb_client import AdbClient
from execution_runner.devices.adb_server import run_private_adb_server
from execution_runner.devices.settling import SETTLE_LIMIT_SECONDS, STILL_SECONDS
from execution_runner.environments.adb_environment import AdbEnvironment
from execution_runner.environments.between_tasks import BetweenTasks
from execution_runner.environments.dialogue_session import DialogueEnvironment, MakeAnswerer
from execution_runner.environments.environment import Environment
from execution_runner.environments.recorded_episodes import RecordedEpisodes
from execution_runner.environments.replay import ReplayEnvironment
from execution_runner.environments.simulated import SimulatedEnvironment, check_faults
from execution_runner.environments.teacher_forced import TeacherForcedEnvironment
from fingertip_dataset.errors import DeviceError, DeviceNotFoundError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.settings import Start
from fingertip_dataset.similar_names import did_you_mean
from fingertip_dataset.split_names import TEST_EXECUTION, split_name
from fingertip_runs.device_kinds import (
    DEVICE_KINDS,
    OTHER_DEVICES,
    UIAUTOMATOR2,
    DeviceKindName,
    device_kind,
    expand_devices,
    serial_of,
)
from simulated_phone.dialogue.vague_task import begin_at_home
from simulated_phone.screens.rough_trees import TreeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCall:
    """The arguments of `open_environments` as the makers of `MAKERS` read them.

    Attributes:
        built: Dataset of the tasks.
        split: Name of the split.
        faults: Names of the faults of simulated phones.
        trees: Kind of accessibility trees of simulated phones.
        between_tasks: What is done between two tasks on a person's phone.
        start: Where tasks begin, as the dataset's episodes do.
        settle_s: Seconds that a person's phone must stand still after an action.
        server_port: TCP port of the adb server; None for the default of the device kind.
        at_home: Whether tasks begin on the home screen, wherever the dataset's episodes do.
        answers: Makes who answers questions; None if nobody does.
        stack: Closed with the environments; owns what several of them share.
    """

    built: BuiltDataset
    split: str
    faults: Collection[str]
    trees: TreeKind
    between_tasks: BetweenTasks
    start: Start
    settle_s: float
    server_port: int | None
    at_home: bool
    answers: MakeAnswerer | None
    stack: ExitStack


@contextmanager
def open_environments(
    specs: Sequence[str],
    built: BuiltDataset,
    *,
    split: str = TEST_EXECUTION,
    faults: Collection[str] = (),
    trees: TreeKind = "clean",
    between_tasks: BetweenTasks = "home",
    start: Start | None = None,
    settle_s: float | None = None,
    server_port: int | None = None,
    at_home: bool = False,
    answers: MakeAnswerer | None = None,
) -> Iterator[tuple[Environment, ...]]:
    """Opens the environments for the tasks of a dataset; does not connect to a phone yet.

    Args:
        specs: Devices as on the command line; "simulated" and recordings may be repeated, also as
            "simulated:8".
        built: The dataset.
        split: Name of the split.
        faults: Faults of simulated phones.
        trees: Kind of accessibility trees of simulated phones.
        between_tasks: What is done between two tasks on a person's phone; a simulated one is always reset.
        start: Where tasks begin, which has to be where the dataset's episodes do; None for that.
        settle_s: Seconds that a person's phone must stand still after an action; None for the default.
        server_port: TCP port of the adb server; None for the default one of real phones, and a private one
            of simulated phones.
        at_home: Whether simulated phones begin on the home screen, wherever the dataset's episodes do.
        answers: Makes who answers an agent's questions, on simulated phones; None if nobody does.

    Raises:
        UsageError: An unknown device or fault, another start than the dataset's, or simulated phones for a
            dataset that is not simulated.
        DatasetError: The dataset's recordings cannot be read.
        DeviceError: The adb server for the simulated phones does not start.
    """
    specs = expand_devices(specs)
    kind = device_kind(specs)
    if between_tasks != "home" and not DEVICE_KINDS[kind].real_phone:
        raise UsageError(f"what is done between tasks can be chosen only on a person's phone, not on {kind}")
    if settle_s is not None:
        _check_settle(kind, settle_s)
    if faults and not DEVICE_KINDS[kind].simulated:
        raise UsageError(f"faults work only on simulated phones, not on {kind}")
    if trees != "clean" and not DEVICE_KINDS[kind].simulated:
        raise UsageError(f"{trees} trees can be had only from simulated phones, not from {kind}")
    if (at_home or answers) and not DEVICE_KINDS[kind].simulated:
        raise UsageError(
            f"instructions of other levels, and answers, work only on simulated phones, not on {kind}"
        )
    if start is not None:
        built.require_start(start)
    with ExitStack() as stack:
        make = MAKERS[kind](
            OpenCall(
                built=built,
                split=split_name(split),
                faults=faults,
                trees=trees,
                between_tasks=between_tasks,
                start=built.start() if start is None else start,
                settle_s=STILL_SECONDS if settle_s is None else settle_s,
                server_port=server_port,
                at_home=at_home,
                answers=answers,
                stack=stack,
            )
        )
        environments = tuple(map(make, specs if DEVICE_KINDS[kind].real_phone else _names(specs)))
        for environment in environments:
            stack.callback(environment.close)
        yield environments


def _check_settle(kind: DeviceKindName, settle_s: float) -> None:
    if not DEVICE_KINDS[kind].real_phone:
        raise UsageError(
            f"settle_s is for a person's phone, not for {kind}, whose screen stands still at once"
        )
    if not 0 <= settle_s < SETTLE_LIMIT_SECONDS:
        raise UsageError(
            f"expected settle_s from 0 to less than {SETTLE_LIMIT_SECONDS:g} seconds, the longest wait for a "
            f"still screen, got {settle_s:g}"
        )


def check_connected(specs: Sequence[str], *, server_port: int | None = None) -> None:
    """Check before a run that at least one of its phones is connected; other devices need no check.

    Args:
        specs: Devices as on the command line.
        server_port: TCP port of the adb server; None for the default one.

    Raises:
        DeviceError: No phone can be reached; of several, the error is the first one's.
    """
    specs = expand_devices(specs)
    if not DEVICE_KINDS[device_kind(specs)].real_phone:
        return
    errors: list[DeviceError] = []
    for spec in specs:
        try:
            AdbClient.find(serial_of(spec), server_port=server_port)
        except DeviceNotFoundError as error:
            others = ", ".join(OTHER_DEVICES)
            meant = did_you_mean(spec.partition(":")[0], OTHER_DEVICES)
            errors.append(DeviceNotFoundError(f"{error.message}; other devices: {others}{meant}"))
        except DeviceError as error:
            errors.append(error)
        else:
            return
    raise errors[0]


def find_missing_apps(
    specs: Sequence[str], built: BuiltDataset, *, split: str = TEST_EXECUTION, server_port: int | None = None
) -> dict[str, tuple[str, ...]]:
    """Serial of each connected phone -> apps of the split's tasks that are not installed on it.

    Args:
        specs: Devices as on the command line; only real phones are looked at.
        built: Dataset of the tasks.
        split: Name of the split.
        server_port: TCP port of the adb server; None for the default one.

    Raises:
        DeviceError: A phone does not list its apps.
    """
    specs = expand_devices(specs)
    if not DEVICE_KINDS[device_kind(specs)].real_phone:
        return {}
    rows = built.rows(split_name(split), columns=("app",))
    wanted = {str(row["app"] or "").partition("/")[0] for row in rows} - {""}
    found = {}
    for spec in specs:
        with suppress(DeviceNotFoundError):
            client = AdbClient.find(serial_of(spec), server_port=server_port)
            found[client.serial] = tuple(sorted(wanted - client.list_apps()))
    return found


EnvironmentMaker = Callable[[str], Environment]
"""Makes the environment of one device: its spec for a real phone, its name for all others."""


def _adb(call: OpenCall) -> EnvironmentMaker:
    return lambda spec: AdbEnvironment(
        serial_of(spec),
        uiautomator2=spec.startswith(UIAUTOMATOR2),
        between_tasks=call.between_tasks,
        start=call.start,
        settle_s=call.settle_s,
        server_port=call.server_port,
    )


def simulations_of(built: BuiltDataset) -> Mapping[str, Mapping[str, Any]]:
    """Task id -> setup of its simulated phone.

    Raises:
        UsageError: The dataset is not of simulated people.
    """
    simulations = built.simulations()
    if not simulations:
        raise UsageError(
            "the simulated phone needs a dataset of simulated people (fingertip sample makes a "
            f"release of them); this one is {built.manifest.provenance}",
            file=built.path,
        )
    return simulations


def _open_simulated(call: OpenCall) -> EnvironmentMaker:
    check_faults(call.faults)
    simulations = simulations_of(call.built)
    if call.at_home:
        simulations = begin_at_home(simulations)
    port = call.server_port or call.stack.enter_context(run_private_adb_server())

    def make(name: str) -> Environment:
        phone = SimulatedEnvironment(
            name, simulations, server_port=port, faults=call.faults, trees=call.trees
        )
        return phone if call.answers is None else DialogueEnvironment(phone, call.answers)

    return make


def _replay(call: OpenCall) -> EnvironmentMaker:
    recordings = RecordedEpisodes(call.built, call.split)
    return lambda name: ReplayEnvironment(name, recordings)


def _open_teacher_forced(call: OpenCall) -> EnvironmentMaker:
    recordings = RecordedEpisodes(call.built, call.split)
    return lambda name: TeacherForcedEnvironment(name, recordings)


MAKERS: Mapping[DeviceKindName, Callable[[OpenCall], EnvironmentMaker]] = MappingProxyType(
    {
        AdbEnvironment.kind: _adb,
        SimulatedEnvironment.kind: _open_simulated,
        ReplayEnvironment.kind: _replay,
        TeacherForcedEnvironment.kind: _open_teacher_forced,
    }
)
"""Device kind -> how its environments are made; one entry for each record of `DEVICE_KINDS`."""


def _names(specs: Sequence[str]) -> list[str]:
    """A name per environment: its kind, numbered if there are several."""
    if len(specs) == 1:
        return [specs[0].replace("_", "-")]
    return [f"{spec.replace('_', '-')}-{number}" for number, spec in enumerate(specs, 1)]
