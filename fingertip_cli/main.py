"""Entry point of the command line: loads a command's file on demand and prints errors as one line.

Exit codes: 0 done, 1 problems found (check, verify) or every task failed (suggest, execute, phone), 2 wrong
call, 130 interrupted.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from functools import cache
from typing import TYPE_CHECKING

import click

from fingertip_cli.command_list import COMMANDS, ENTRY_POINTS, FOLDERS, SECTIONS
from fingertip_cli.printing.missing_characters import replace_missing_characters
from fingertip_dataset.errors import (
    AllTasksFailedError,
    FingerTipError,
    UnreadableAnswersError,
    UsageError,
)

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


@cache
def _load_command(name: str) -> click.Command:
    """Import the file of a command and add what all commands have."""
    from fingertip_cli.prepared_command import prepare_command

    return prepare_command(_import_command(name), name)


def _import_command(name: str) -> click.Command:
    section = next(title for title, commands in SECTIONS.items() if name in commands)
    module = f"fingertip_cli.{FOLDERS.get(section, 'start')}.{name.replace('-', '_')}"
    if importlib.util.find_spec(module) is not None:
        command: click.Command = importlib.import_module(module).command
        return command
    from importlib.metadata import entry_points

    for entry in entry_points(group=ENTRY_POINTS, name=name):
        found: click.Command = entry.load()
        return found
    raise UsageError(f"this install lacks the command {name}: install fingertip-20k again")


class LazyGroup(click.Group):
    """Click group that imports a command's file only when that command is called."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the options of the group; --help-all is --help here, which shows everything."""
        from fingertip_cli.options.common_options import help_all_option

        return [*super().get_params(ctx), help_all_option(hidden=True)]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands, in the order in which a new user needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of that name; None if it is unknown."""
        if cmd_name not in COMMANDS:
            return None
        return _load_command(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands of --help without importing any of them."""
        width = max(map(len, COMMANDS))
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", line) for name, line in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete a command without importing any."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=line) for name, line in COMMANDS.items() if name.startswith(incomplete)
        ]
        # options of the group itself, such as --version
        return found or click.Command.shell_complete(self, ctx, incomplete)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fingertip-20k", prog_name="fingertip")
def cli() -> None:
    """FingerTip 20K: how proactive and how personal is a phone agent?"""


def main() -> None:
    """Entry point of the console script: prints each error of the project's error tree as one line."""
    for stream in (sys.stdout, sys.stderr):
        replace_missing_characters(stream)
    try:
        sys.exit(cli.main(prog_name="fingertip", standalone_mode=False))
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.exceptions.NoArgsIsHelpError as bare_call:
        bare_call.show()
        sys.exit(2)
    except click.ClickException as error:
        from fingertip_cli.prepared_command import describe_wrong_call

        command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "fingertip"
        click.echo(f"{command}: {describe_wrong_call(error)} (see {command} --help)", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("fingertip: stopped", err=True)
        sys.exit(130)
    except FingerTipError as error:
        from fingertip_cli.printing.disk_errors import advise_on_disk

        click.echo(f"fingertip: {error}{advise_on_disk(error)}", err=True)
        sys.exit(1 if isinstance(error, AllTasksFailedError | UnreadableAnswersError) else 2)
    except Exception as error:
        from fingertip_cli.printing.outside_errors import explain_error

        known = explain_error(error)
        if known is None:
            raise
        from fingertip_cli.printing.disk_errors import advise_on_disk

        click.echo(f"fingertip: {known}{advise_on_disk(error)}", err=True)
        sys.exit(2)
