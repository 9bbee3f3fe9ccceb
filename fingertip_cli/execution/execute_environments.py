"""The environments of `fingertip execute`: on this machine, or on Ray workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.execution.small_heap import keep_heap_small
from fingertip_dataset.errors import UsageError

_SHOWN_APPS = 5

SETTLE = "settle_s"
"""Setting of --set that is not of the agent but of a person's phone."""

if TYPE_CHECKING:
    from execution_runner.environments.between_tasks import BetweenTasks
    from execution_runner.environments.dialogue_session import MakeAnswerer
    from execution_runner.safety.gate import Gate
    from execution_runner.task_attempts import AnyEnvironment
    from fingertip_agents.setup import AgentSetup
    from fingertip_dataset.parquet.built import BuiltDataset
    from fingertip_dataset.release.settings import Start
    from simulated_phone.screens.rough_trees import TreeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceOrder:
    """Devices that tasks are to be carried out on, as on the command line.

    Attributes:
        engine: "local" or "ray".
        devices: The devices.
        dataset: Folder of the dataset.
        split: Name of the split.
        faults: Faults of simulated phones.
        trees: Kind of accessibility trees of simulated phones.
        between_tasks: What is done between two tasks on a person's phone.
        start: Where tasks begin.
        settle_s: Seconds that a person's phone must stand still after an action; None for the default.
        dry_run: Whether nothing is carried out.
        resume: Whether the call continues a run.
        at_home: Whether tasks begin on the home screen, wherever the dataset's episodes do.
        answers: Makes who answers an agent's questions; None if nobody does.
        typed_answers: Whether a model or a person at the terminal answers.
    """

    engine: str
    devices: tuple[str, ...]
    dataset: Path
    split: str
    faults: tuple[str, ...]
    trees: TreeKind
    between_tasks: BetweenTasks
    start: Start
    settle_s: float | None
    dry_run: bool
    resume: bool
    at_home: bool = False
    answers: MakeAnswerer | None = None
    typed_answers: bool = False


def read_settle(value: object) -> float | None:
    """The value of the setting `settle_s`; None if it is not given.

    Raises:
        UsageError: It is no number.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"the setting {SETTLE} is a number of seconds, got {str(value)[:40]!r}")
    return float(value)


def open_devices(
    order: DeviceOrder, built: BuiltDataset, agent: str, setup: AgentSetup, gate: Gate | None
) -> AbstractContextManager[tuple[AnyEnvironment, ...]]:
    """Open the devices on this machine, or start a Ray worker for each.

    Args:
        order: The devices.
        built: The dataset.
        agent: Name of the agent; of Ray workers each makes its own.
        setup: Set-up of the agent.
        gate: Safety gate of the run.

    Raises:
        UsageError: What is wanted works only on this machine, or the dataset has another start.
        DeviceError: No phone can be reached.
    """
    from execution_runner.environments.open_environments import check_connected
    from execution_runner.ray_engine import check_ray_devices

    if not order.at_home:
        built.require_start(order.start)
    # for every engine: a misspelt device is the serial of a phone that nobody has
    check_connected(order.devices)
    if order.engine == "local":
        if len(order.devices) > 1:
            keep_heap_small()
        return _here(order, built)
    check_ray_devices(order.devices)
    if gate is not None:
        raise UsageError("a safety gate asks on this terminal: leave out --rules, or --engine ray")
    if setup.opened is not None:
        raise UsageError(
            "Ray workers query a model at its endpoint: leave out --backend local, or --engine ray"
        )
    if order.typed_answers:
        raise UsageError(
            "Ray workers have nobody at a terminal, and query no second model: leave out --engine ray, or "
            "give --answered-by simulated"
        )
    if order.trees != "clean":
        raise UsageError(f"the phones of Ray workers have clean trees: leave out --trees {order.trees}")
    given = ["--between-tasks"] if order.between_tasks != "home" else []
    given += [f"--set {SETTLE}"] if order.settle_s is not None else []
    if given:
        raise UsageError(f"Ray workers have no person's phones: leave out {' and '.join(given)}")
    return _on_ray(order, agent, setup)


@contextmanager
def _here(order: DeviceOrder, built: BuiltDataset) -> Iterator[tuple[AnyEnvironment, ...]]:
    from execution_runner.environments.open_environments import find_missing_apps, open_environments

    for serial, apps in find_missing_apps(order.devices, built, split=order.split).items():
        if apps:
            names = ", ".join(apps[:_SHOWN_APPS]) + (", ..." if len(apps) > _SHOWN_APPS else "")
            click.echo(f"{serial} lacks {len(apps)} of the apps of this split's tasks: {names}", err=True)
    with open_environments(
        order.devices,
        built,
        split=order.split,
        faults=order.faults,
        trees=order.trees,
        between_tasks=order.between_tasks,
        start=None if order.at_home else order.start,
        settle_s=order.settle_s,
        at_home=order.at_home,
        answers=order.answers,
    ) as environments:
        yield environments


@contextmanager
def _on_ray(order: DeviceOrder, agent: str, setup: AgentSetup) -> Iterator[tuple[AnyEnvironment, ...]]:
    from execution_runner.environments.simulated import check_faults
    from execution_runner.ray_engine import build_agent, make_ray_environments

    check_faults(order.faults)
    # each worker reads the set-ups of the phones from its own copy of the dataset
    script = setup.script and setup.script.absolute()
    make_agent = partial(build_agent, agent, replace(setup, simulations={}, script=script))
    with make_ray_environments(
        order.devices,
        order.dataset,
        make_agent,
        split=order.split,
        faults=order.faults,
        dry_run=order.dry_run,
        resume=order.resume,
        at_home=order.at_home,
        answers=order.answers,
    ) as environments:
        yield environments
