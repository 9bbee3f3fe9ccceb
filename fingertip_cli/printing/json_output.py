"""`--json` of every command that prints a table or a list: one object on stdout, all else on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from typing import Any

import click

VERSION = 1
"""Version of objects: a member that is gone or means something else raises it (docs/reference/json.md)."""

_STREAM = "fingertip.json"
"""Key of the real standard output among the data of a call with --json."""


def _keep_stdout_free(ctx: click.Context, _option: click.Parameter, given: bool) -> bool:
    """Let whatever a command or a library prints go to stderr, for the rest of the call."""
    if given and not ctx.resilient_parsing:
        ctx.meta[_STREAM] = sys.stdout
        ctx.with_resource(redirect_stdout(sys.stderr))
    return given


def as_json() -> Callable[[Any], Any]:
    """Option --json, received as `as_json`; `print_json` then prints the object."""
    return click.option(
        "--json",
        "as_json",
        is_flag=True,
        callback=_keep_stdout_free,
        help="Print one JSON object on stdout, and all else on stderr.",
    )


def print_json(content: Mapping[str, Any]) -> None:
    """Print the one object of a call with --json, with the version of its form."""
    stream = click.get_current_context().meta[_STREAM]
    indent = 2 if stream.isatty() else None
    text = json.dumps({"version": VERSION, **content}, ensure_ascii=False, allow_nan=False, indent=indent)
    click.echo(text, file=stream)
