"""All commands of the command line with their options, from click's own objects."""

from __future__ import annotations

from collections.abc import Iterator

import click

from fingertip_cli.command_list import COMMANDS
from fingertip_cli.main import cli
from fingertip_cli.options.option_groups import option_name


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Yields each command with its name, such as "privacy scan"."""
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        yield from _leaves(name, command)


def _leaves(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield name, command
        return
    for inner, one in command.commands.items():
        yield from _leaves(f"{name} {inner}", one)


def options_of(command: click.Command) -> dict[str, click.Option]:
    """Options of a command by their names, hidden ones left out."""
    return {
        option_name(option): option
        for option in command.params
        if isinstance(option, click.Option) and not option.hidden
    }
