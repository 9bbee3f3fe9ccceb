"""Entry point of the command line: loads a command's file on demand and prints errors as one line.

Exit codes: 0 done, 1 problems found (check, verify) or every task failed (suggest, execute, phone), 2 wrong
call, 130 interrupted.
"""

from __future__ import annotations

import importlib
import sys
from io import TextIOWrapper

import click

from fingertip_cli.checked_path import check_paths
from fingertip_dataset.errors import AllTasksFailedError, FingerTipError

COMMANDS = {
    "demo": "Run the whole pipeline on simulated users, up to the scores of both tracks, offline.",
    "check": "List every problem of a raw release, by kind.",
    "build": "Build a dataset that load_dataset reads from a raw release.",
    "stats": "Write tables and figures of a built dataset.",
    "quality": "Find flaws of the demonstrations in a built dataset, and score each episode.",
    "infer-intents": "Track 1: infer intents from earlier episodes, as a history in place of declared ones.",
    "suggest": "Track 1: run an agent that predicts the intents of a split.",
    "execute": "Track 2: run an agent that carries out the tasks of a split on a phone.",
    "review": "Open a local page where people label or rate the results of runs.",
    "experiment": "Reproduce the paper's tables and figures, beside the published numbers.",
    "paper": "Print the numbers that the paper published, by table.",
    "export": "Write prompts and right answers of a built dataset as rows for fine-tuning.",
    "finetune": "Fine-tune a model on training episodes: LoRA or full, checkpoints chosen by score.",
    "score": "Score runs of either track.",
    "score-csv": "Score results in the CSV columns of the authors' scripts.",
    "report": "Write runs as one HTML page.",
    "submit": "Make leaderboard bundles of runs: preview, write, and push to the Hub.",
    "verify": "Check bundles against the dataset and recompute their scores.",
    "leaderboard": "Show a leaderboard of bundles, with recomputed scores only.",
    "publish": "Send a built dataset, a metric or a board to the Hub, after a look at what would go.",
    "hidden-test": "Run an agent on a private benchmark made from a secret seed, as the board itself.",
    "phone": "Run a simulated phone that any adb can connect to.",
    "sample": "Record a month of simulated users' phones in the raw layout.",
    "doctor": "Check what a phone needs for track 2, and how to fix it.",
    "record": "Record your own episode on a phone, with a review before it is kept.",
    "privacy": "Find, review and redact private parts of a raw release or built dataset.",
    "install-metrics": 'Make evaluate.load("fingertip_sim2") work from any folder, offline.',
}
"""Command name -> its line in --help. `fingertip_cli/<name>.py` holds the click command, called `command`."""


class LazyGroup(click.Group):
    """Click group that imports a command's file only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands, in the order in which a new user needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of that name; None if it is unknown."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"fingertip_cli.{cmd_name.replace('-', '_')}")
        return check_paths(module.command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands of --help without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fingertip-20k", prog_name="fingertip")
def cli() -> None:
    """FingerTip 20K: how proactive and how personal is a phone agent?"""


def main() -> None:
    """Entry point of the console script: prints each error of the project's error tree as one line."""
    for stream in (sys.stdout, sys.stderr):
        # a terminal whose encoding lacks Chinese shows escapes instead of a traceback
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        sys.exit(cli.main(prog_name="fingertip", standalone_mode=False))
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.exceptions.NoArgsIsHelpError as bare_call:
        bare_call.show()
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
        sys.exit(1 if isinstance(error, AllTasksFailedError) else 2)
    except Exception as error:
        from fingertip_cli.outside_errors import as_known

        known = as_known(error)
        if known is None:
            raise
        click.echo(f"fingertip: {known}", err=True)
        sys.exit(2)
