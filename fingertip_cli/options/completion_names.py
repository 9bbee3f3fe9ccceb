"""Names that a shell completes: agents, splits, devices, faults and others, from their registries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from fingertip_cli.options.option_groups import option_name

Names = Callable[[click.Context], Iterable[str]]


def _agents(ctx: click.Context) -> Iterable[str]:
    from fingertip_agents.registry import AUTO, HUMAN, agent_names, execution_agent_names, format_names

    command = ctx.command.name
    if command in ("export", "finetune"):
        return format_names()
    if command == "execute":
        return sorted((*execution_agent_names(), AUTO))
    return [*agent_names(), HUMAN] if command == "suggest" else {*agent_names(), *execution_agent_names()}


def _splits(_ctx: click.Context) -> Iterable[str]:
    from fingertip_dataset.split_names import ALL_SPLITS, MOMENT_SPLITS

    return (*ALL_SPLITS, *MOMENT_SPLITS)


def _devices(_ctx: click.Context) -> Iterable[str]:
    from fingertip_runs.device_kinds import OTHER_DEVICES

    return OTHER_DEVICES


def _faults(_ctx: click.Context) -> Iterable[str]:
    from simulated_phone.machine.faults import FAULTS

    return FAULTS


def _languages(_ctx: click.Context) -> Iterable[str]:
    from simulated_phone.language.language import languages

    return languages()


def _designs(_ctx: click.Context) -> Iterable[str]:
    from simulated_phone.screens.skin import designs

    return designs()


def _tables(_ctx: click.Context) -> Iterable[str]:
    from fingertip_metrics.published import published_tables

    return [name.replace(" ", "-") for name in published_tables()]


def _embedders(_ctx: click.Context) -> Iterable[str]:
    from fingertip_metrics.embedders import NAMES

    return NAMES


def _judges(_ctx: click.Context) -> Iterable[str]:
    from fingertip_metrics.judges.judge_kinds import WITHOUT_MODEL

    return WITHOUT_MODEL


OPTIONS: Mapping[str, Names] = {
    "--agent": _agents,
    "--split": _splits,
    "--device": _devices,
    "--fault": _faults,
    "--locale": _languages,
    "--design": _designs,
    "--embedder": _embedders,
    "--judge": _judges,
}
"""Option -> the names that it takes; options with choices need no entry."""

ARGUMENTS: Mapping[tuple[str, str], Names] = {
    ("paper", "table"): _tables,
}
"""Command and argument -> the names that it takes."""


class NamedText(StringParamType):
    """Text that is usually one of several names, which a shell completes; other texts are accepted, too.

    Args:
        names: Returns the names; called only by a shell that completes.
    """

    def __init__(self, names: Names) -> None:
        self._names = names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin with what is typed."""
        return [CompletionItem(name) for name in self._names(ctx) if name.startswith(incomplete)]


def complete_names(command: click.Command) -> None:
    """Let the shell complete the values of a command's options and arguments."""
    for parameter in command.params:
        names = (
            OPTIONS.get(option_name(parameter))
            if isinstance(parameter, click.Option)
            else ARGUMENTS.get((command.name or "", parameter.name or ""))
        )
        if names is not None and type(parameter.type) is StringParamType:
            parameter.type = NamedText(names)
