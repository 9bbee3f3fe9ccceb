"""Options of a memory, which chooses what an agent is shown of a person's past."""

from __future__ import annotations

from collections.abc import Callable

import click

from fingertip_cli.options.model_options import add_options
from fingertip_dataset.errors import UsageError


def memory_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --memory and --memory-budget to a command."""
    options = (
        click.option(
            "--memory",
            metavar="NAME",
            help="Memory that chooses what the agent is shown of the person's past: none, last-20 (the "
            "paper's on track 1), all, habits, profile, similar, or one of an installed package.",
        ),
        click.option(
            "--memory-budget",
            type=click.IntRange(0),
            metavar="N",
            help="Maximum number of characters that the memory recalls for a task.  [default: 2,000; no "
            "limit for last-20 and all]",
        ),
    )
    return add_options(command, options)


def check_memory(memory: str | None, agent: str, backend: str) -> None:
    """Refuse a memory where nobody would read it, or where it cannot ask its model.

    Args:
        memory: Name of the memory; None without one.
        agent: Name of the agent.
        backend: Value of --backend.

    Raises:
        UsageError: It has no effect with this agent, or asks a model that answers by batch files.
    """
    from fingertip_agents.memory.registry import MEMORIES
    from fingertip_agents.registry import HUMAN

    if memory is None:
        return
    if agent == HUMAN:
        raise UsageError("people answer from what the page shows: leave out --memory for --agent human")
    if backend == "batch" and memory in MEMORIES and MEMORIES[memory].needs_model:
        raise UsageError(
            f"the memory {memory} asks its model before a task, which batch files cannot: leave out "
            "--backend batch"
        )
