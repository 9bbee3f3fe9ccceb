"""The command line: finds the command's file, and turns every error of ours into one line.

Exit codes: 0 done, 1 the work found problems (check, verify), 2 the call was wrong.
"""

from __future__ import annotations

import importlib
import sys
from io import TextIOWrapper

import click

from fingertip_dataset.errors import FingerTipError

COMMANDS = {
    "demo": "Simulated people's month, all the way to the scores of both tracks, offline.",
    "check": "Every problem of a raw release, by kind.",
    "build": "A raw release becomes a dataset that load_dataset reads.",
    "stats": "Tables and figures of a built dataset.",
    "suggest": "Track 1: an agent predicts the intents of a split.",
    "execute": "Track 2: an agent carries out the tasks of a split on a phone.",
    "review": "A page on this computer where people say what is done, or is the same.",
    "experiment": "The paper's tables and figures, cell by cell, beside what was published.",
    "paper": "The numbers that the paper published, table by table.",
    "score": "The scores of a run.",
    "score-csv": "The scores of results in the columns of the authors' scripts.",
    "report": "Runs as one page to look at.",
    "submit": "A run becomes a bundle for the leaderboard: a look first, then the files, then the push.",
    "verify": "Whether a bundle is what it says, and its scores recomputed.",
    "leaderboard": "A board of bundles, of what was recomputed alone.",
    "phone": "A simulated phone that any adb can connect to.",
    "sample": "A month of simulated people's phones, in the raw layout.",
    "doctor": "What a phone lacks to be used, and how to mend it.",
    "record": "A person's own episodes on a phone, looked through before they are kept.",
    "install-metrics": 'Makes evaluate.load("fingertip_sim2") work from any folder, offline.',
}
"""Each command's file is `fingertip_cli/<name>.py` and holds a click command called `command`."""


class LazyGroup(click.Group):
    """A group that imports a command's file only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which one meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"fingertip_cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in --help, without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fingertip-20k", prog_name="fingertip")
def cli() -> None:
    """FingerTip 20K: how proactive and how personal is a phone agent?"""


def main() -> None:
    """Entry point of the console script; never lets an error of ours become a traceback."""
    for stream in (sys.stdout, sys.stderr):
        # a terminal that has no Chinese shows escapes instead of a traceback
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(cli.main(prog_name="fingertip", standalone_mode=False))
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.exceptions.NoArgsIsHelpError as asked_nothing:
        asked_nothing.show()
        sys.exit(2)
    except click.ClickException as error:
        command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "fingertip"
        click.echo(f"{command}: {' '.join(error.format_message().split())} (see {command} --help)", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("fingertip: stopped", err=True)
        sys.exit(130)
    except FingerTipError as error:
        click.echo(f"fingertip: {error}", err=True)
        sys.exit(2)
