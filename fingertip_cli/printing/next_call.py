"""The last line of a command's output: the call that usually follows, ready for a shell."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from fingertip_dataset.shell_line import write_call


def print_next(*words: str | Path) -> None:
    """Print the next call.

    Args:
        words: Its command, arguments and options, without quotes.
    """
    click.echo(f"next: {write_call(*words)}")


def print_next_score(run: str | Path, *, suggestion: bool) -> None:
    """Print the call that scores a run, with an embedder that is installed.

    Args:
        run: The run's folder.
        suggestion: Whether it is of track 1, whose default embedder needs packages of the extra `embeddings`.
    """
    lacking = suggestion and find_spec("sentence_transformers") is None
    print_next("score", run, *(("--embedder", "lexical") if lacking else ()))


def repeat_call(*more: str) -> str:
    """Return the call that is running as a line of a shell, with more options.

    Args:
        more: The options, which come first: `--` may end those of the call.
    """
    context = click.get_current_context()
    command = context.command_path.split()
    rest = sys.argv[len(command) :]
    return " ".join((*command, shlex.join((*more, *rest))))
