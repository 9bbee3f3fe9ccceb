"""The last line of a command's output: the call that usually follows, ready for a shell."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from fingertip_dataset.shell_line import write_call


def print_next(*words: str | Path) -> None:
    """Print the next call.

    Args:
        words: Its command, arguments and options, without quotes.
    """
    click.echo(f"next: {write_call(*words)}")


def repeat_call(*more: str) -> str:
    """Return the call that is running as a line of a shell, with more options.

    Args:
        more: The options, which come first: `--` may end those of the call.
    """
    context = click.get_current_context()
    command = context.command_path.split()
    rest = sys.argv[len(command) :]
    return " ".join((*command, shlex.join((*more, *rest))))
