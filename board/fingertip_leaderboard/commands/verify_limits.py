"""Options of the commands that verify bundles: limits of time and memory for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

# those of `verify.process.process_limits.VerifyLimits`, which is imported only when a command runs
SECONDS, MEGABYTES = 300.0, 2048


def limit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --time-limit and --memory-limit to a command."""
    memory = click.option(
        "--memory-limit",
        type=click.IntRange(min=1),
        default=MEGABYTES,
        show_default=True,
        metavar="MB",
        help="Memory for each bundle (on Linux).",
    )
    seconds = click.option(
        "--time-limit",
        type=click.FloatRange(min=0, min_open=True),
        default=SECONDS,
        show_default=True,
        metavar="SECONDS",
        help="Time for each bundle.",
    )
    return seconds(memory(command))
