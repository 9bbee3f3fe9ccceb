"""Environments by device spec; `fingertip_runs.device_kinds` parses the specs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import MappingProxyType

from execution_runner.devices.adb_client import AdbClient
from execution_runner.devices.adb_server import private_adb_server
from execution_runner.environments.adb_environment import AdbEnvironment
from execution_runner.environments.environment import Environment
from execution_runner.environments.recorded_episodes import RecordedEpisodes
from execution_runner.environments.replay import ReplayEnvironment
from execution_runner.environments.simulated import SimulatedEnvironment, check_faults
from execution_runner.environments.teacher_forced import TeacherForcedEnvironment
from fingertip_dataset.errors import DeviceError, DeviceNotFoundError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TEST_EXECUTION, split_name
from fingertip_runs.device_kinds import (
    DEVICE_KINDS,
    OTHER_DEVICES,
    UIAUTOMATOR2,
    DeviceKindName,
    device_kind,
    serial_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCall:
    """The arguments of `open_environments` as the makers of `MAKERS` read them.

    Attributes:
        built: Dataset of the tasks.
        split: Name of the split.
        faults: Names of the faults of simulated phones.
        server_port: TCP port of the adb server; None for the default of the device kind.
        stack: Closed with the environments; owns what several of them share.
    """

    built: BuiltDataset
    split: str
    faults: Collection[str]
    server_port: int | None
    stack: ExitStack


@contextmanager
def open_environments(
    specs: Sequence[str],
    built: BuiltDataset,
    *,
    split: str = TEST_EXECUTION,
    faults: Collection[str] = (),
    server_port: int | None = None,
) -> Iterator[tuple[Environment, ...]]:
    """Opens the environments for the tasks of a dataset; does not connect to a phone yet.

    Args:
        specs: Devices as on the command line; "simulated" and recordings may be repeated.
        built: The dataset.
        split: Name of the split.
        faults: Faults of simulated phones.
        server_port: TCP port of the adb server; None for the default one of real phones, and a private one
            of simulated phones.

    Raises:
        UsageError: An unknown device or fault, or simulated phones for a dataset that is not simulated.
        DatasetError: The dataset's recordings cannot be read.
        DeviceError: The adb server for the simulated phones does not start.
    """
    kind = device_kind(specs)
    if faults and not DEVICE_KINDS[kind].simulated:
        raise UsageError(f"faults work only on simulated phones, not on {kind}")
    with ExitStack() as stack:
        make = MAKERS[kind](
            OpenCall(
                built=built,
                split=split_name(split),
                faults=faults,
                server_port=server_port,
                stack=stack,
            )
        )
        environments = tuple(map(make, specs if DEVICE_KINDS[kind].real_phone else _names(specs)))
        for environment in environments:
            stack.callback(environment.close)
        yield environments


def check_connected(specs: Sequence[str], *, server_port: int | None = None) -> None:
    """Check before a run that at least one of its phones is connected; other devices need no check.

    Args:
        specs: Devices as on the command line.
        server_port: TCP port of the adb server; None for the default one.

    Raises:
        DeviceError: No phone can be reached; of several, the error is the first one's.
    """
    if not DEVICE_KINDS[device_kind(specs)].real_phone:
        return
    errors: list[DeviceError] = []
    for spec in specs:
        try:
            AdbClient.find(serial_of(spec), server_port=server_port)
        except DeviceNotFoundError as error:
            others = ", ".join(OTHER_DEVICES)
            errors.append(DeviceNotFoundError(f"{error.message}; other devices: {others}"))
        except DeviceError as error:
            errors.append(error)
        else:
            return
    raise errors[0]


EnvironmentMaker = Callable[[str], Environment]
"""Makes the environment of one device: its spec for a real phone, its name for all others."""


def _adb(call: OpenCall) -> EnvironmentMaker:
    return lambda spec: AdbEnvironment(
        serial_of(spec), uiautomator2=spec.startswith(UIAUTOMATOR2), server_port=call.server_port
    )


def _simulated(call: OpenCall) -> EnvironmentMaker:
    check_faults(call.faults)
    simulations = call.built.simulations()
    if not simulations:
        raise UsageError(
            "the simulated phone needs a dataset of simulated people (fingertip sample makes a "
            f"release of them); this one is {call.built.manifest.provenance}",
            file=call.built.path,
        )
    port = call.server_port or call.stack.enter_context(private_adb_server())
    return lambda name: SimulatedEnvironment(name, simulations, server_port=port, faults=call.faults)


def _replay(call: OpenCall) -> EnvironmentMaker:
    recordings = RecordedEpisodes(call.built, call.split)
    return lambda name: ReplayEnvironment(name, recordings)


def _teacher_forced(call: OpenCall) -> EnvironmentMaker:
    recordings = RecordedEpisodes(call.built, call.split)
    return lambda name: TeacherForcedEnvironment(name, recordings)


MAKERS: Mapping[DeviceKindName, Callable[[OpenCall], EnvironmentMaker]] = MappingProxyType(
    {
        AdbEnvironment.kind: _adb,
        SimulatedEnvironment.kind: _simulated,
        ReplayEnvironment.kind: _replay,
        TeacherForcedEnvironment.kind: _teacher_forced,
    }
)
"""Device kind -> how its environments are made; one entry for each record of `DEVICE_KINDS`."""


def _names(specs: Sequence[str]) -> list[str]:
    """A name per environment: its kind, numbered if there are several."""
    if len(specs) == 1:
        return [specs[0].replace("_", "-")]
    return [f"{spec.replace('_', '-')}-{number}" for number, spec in enumerate(specs, 1)]
