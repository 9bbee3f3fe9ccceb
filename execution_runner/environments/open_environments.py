"""Environments by device spec: `adb:SERIAL` or a bare serial, `simulated`, `replay`, `teacher-forced`.

`uiautomator2:SERIAL` is a phone on ADB whose trees and typing go through uiautomator2.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from execution_runner.devices.adb_server import private_adb_server
from execution_runner.environments.adb_environment import AdbEnvironment
from execution_runner.environments.environment import Environment
from execution_runner.environments.recorded_episodes import RecordedEpisodes
from execution_runner.environments.replay import ReplayEnvironment
from execution_runner.environments.simulated import SimulatedEnvironment, check_faults
from execution_runner.environments.teacher_forced import TeacherForcedEnvironment
from fingertip_dataset.errors import UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.split_names import TEST_EXECUTION, split_name
from fingertip_runs.device_kinds import DEVICE_KINDS, DEVICE_SPECS, DeviceKindName

UIAUTOMATOR2 = "uiautomator2:"


def device_kind(specs: Sequence[str]) -> DeviceKindName:
    """The kind of the devices that a call names.

    Raises:
        UsageError: No device, several kinds, or one phone twice.

    >>> device_kind(["simulated", "simulated"]), device_kind(["adb:R58M123"]), device_kind(["10.0.0.7:5555"])
    ('simulated', 'adb', 'adb')
    """
    kinds = {DEVICE_SPECS.get(spec, AdbEnvironment.kind) for spec in specs}
    if len(kinds) != 1:
        raise UsageError(f"expected devices of one kind, got {' and '.join(sorted(kinds)) or 'none'}")
    kind = kinds.pop()
    if DEVICE_KINDS[kind].real_phone:
        serials = [serial_of(spec) for spec in specs]
        for serial in serials:
            if serials.count(serial) > 1:
                raise UsageError(f"expected each phone once, got {serial} {serials.count(serial)} times")
    return kind


def serial_of(spec: str) -> str:
    """The serial of a phone, with or without "adb:" or "uiautomator2:" before it.

    Raises:
        UsageError: It has no serial.
    """
    serial = spec.removeprefix("adb:").removeprefix(UIAUTOMATOR2)
    if not serial or serial.startswith("-") or not serial.isprintable() or " " in serial:
        kinds = [kind.spec for kind in DEVICE_KINDS.values() if not kind.real_phone]
        raise UsageError(
            f"expected a device: adb:SERIAL, {', '.join(kinds[:-1])} or {kinds[-1]}, got {spec!r}"
        )
    return serial


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
        raise UsageError(f"expected faults for simulated phones alone, got them for {kind}")
    with ExitStack() as stack:
        make = _maker(kind, built, split_name(split), faults, server_port, stack)
        environments = tuple(map(make, specs if DEVICE_KINDS[kind].real_phone else _names(specs)))
        for environment in environments:
            stack.callback(environment.close)
        yield environments


def _maker(
    kind: DeviceKindName,
    built: BuiltDataset,
    split: str,
    faults: Collection[str],
    server_port: int | None,
    stack: ExitStack,
) -> Callable[[str], Environment]:
    if kind == AdbEnvironment.kind:
        return lambda spec: AdbEnvironment(
            serial_of(spec), uiautomator2=spec.startswith(UIAUTOMATOR2), server_port=server_port
        )
    if kind == SimulatedEnvironment.kind:
        check_faults(faults)
        simulations = built.simulations()
        if not simulations:
            raise UsageError(
                "expected a dataset of simulated people for the simulated phone (fingertip sample makes a "
                f"release of them), got one that is {built.manifest.provenance}",
                file=built.path,
            )
        port = server_port or stack.enter_context(private_adb_server())
        return lambda name: SimulatedEnvironment(name, simulations, server_port=port, faults=faults)
    recordings = RecordedEpisodes(built, split)
    if kind == ReplayEnvironment.kind:
        return lambda name: ReplayEnvironment(name, recordings)
    return lambda name: TeacherForcedEnvironment(name, recordings)


def _names(specs: Sequence[str]) -> list[str]:
    """A name per environment: its kind, numbered if there are several."""
    if len(specs) == 1:
        return [specs[0].replace("_", "-")]
    return [f"{spec.replace('_', '-')}-{number}" for number, spec in enumerate(specs, 1)]
