"""Options of a memory, which chooses what an agent is shown of a person's past."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fingertip_cli.options.model_options import add_options
from fingertip_dataset.errors import UsageError

if TYPE_CHECKING:
    from fingertip_agents.memory.keeper import MemoryKeeper
    from fingertip_agents.prompts.prompt_text import PromptText
    from fingertip_dataset.parquet.built import BuiltDataset

NOTHING = "none"
"""Memory that recalls nothing, which on track 2 is the same as none."""


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
    from fingertip_agents.memory.memory_registry import MEMORIES
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


def choose_execution_memory(
    memory: str | None, budget: int | None, agent: str, prompt: PromptText | None = None
) -> tuple[str, int | None] | None:
    """Return name and budget of the memory of a run of track 2; None without one.

    Args:
        memory: Value of --memory.
        budget: Value of --memory-budget.
        agent: Name of the agent.
        prompt: Prompt of its own; None without one.

    Raises:
        UsageError: There is no such memory, or the agent does not read what it recalls.
    """
    from fingertip_agents.memory.memory_registry import check_memory_name, find_budget
    from fingertip_agents.registry import EXECUTION_AGENTS

    if memory is None and budget is not None:
        raise UsageError("--memory-budget needs --memory: it limits what a memory recalls")
    if memory is None:
        return None
    check_memory_name(memory)
    if memory == NOTHING:
        return None
    if agent in EXECUTION_AGENTS:
        raise UsageError(
            f"the agent {agent} reads no memory: leave out --memory, or choose an agent with a model"
        )
    if prompt is not None and not {"task", "memory"}.intersection(prompt.placeholders):
        raise UsageError(
            f"{prompt.name}: the prompt has no {{memory}}: put it in, or leave out --memory {memory}"
        )
    return memory, find_budget(memory, budget)


@contextmanager
def open_execution_memory(
    memory: tuple[str, int | None] | None, built: BuiltDataset, agent: object, out: Path
) -> Iterator[MemoryKeeper | None]:
    """Open the memories of a run of track 2 in its folder; afterwards they are saved there.

    Args:
        memory: From `choose_execution_memory`.
        built: The dataset.
        agent: Agent of the run; its property `model`, if it has one, is the model of a memory that asks one.
        out: The run's folder.
    """
    if memory is None:
        yield None
        return
    from fingertip_agents.memory.dataset_events import read_events
    from fingertip_agents.memory.open_memories import open_memories
    from fingertip_runs.memory_record import MEMORY

    name, budget = memory
    keeper = open_memories(
        name,
        built,
        budget=budget,
        events=read_events(built, built.manifest.history),
        model=getattr(agent, "model", None),
        folder=out / MEMORY,
    )
    with closing(keeper):
        yield keeper
