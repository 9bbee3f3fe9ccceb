"""Memories of a run of track 1: their record, and the keeper that shows each task what they recall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_runs.memory_record import MEMORY, MemoryRecord
from suggestion_runner.suggestion_records import HistoryLength, SuggestionRun

if TYPE_CHECKING:
    from fingertip_agents.memory.keeper import MemoryKeeper
    from fingertip_agents.memory.memory_files import MemoryUse
    from fingertip_models.model import Model

HISTORIES: Mapping[str, HistoryLength] = {"none": "none", "last-20": "20"}
"""Memory -> the history that shows the same earlier intents; any other may draw on all of them."""


def open_keeper(
    built: BuiltDataset,
    record: SuggestionRun,
    *,
    model: Model | None = None,
    folder: Path | None = None,
    episodes: bool = True,
) -> MemoryKeeper | None:
    """Open the memories of a run.

    Args:
        built: The run's dataset.
        record: Record of the run.
        model: Model of the run's agent, for a memory that asks one.
        folder: Folder in which memories are saved and what they recalled is noted; None to write nothing.
        episodes: Whether the episodes that the run's protocol allows are known to the memories, each once it
            is in the past; otherwise they know only what the keeper is given.

    Returns:
        The keeper; None for a run without a memory.

    Raises:
        UsageError: The memory needs a model, and there is none.
        ModelError: A memory of another package cannot be loaded.
        RunError: The folder cannot be written.
    """
    if record.memory is None:
        return None
    from fingertip_agents.memory.dataset_events import read_events
    from fingertip_agents.memory.open_memories import open_memories

    return open_memories(
        record.memory.name,
        built,
        budget=record.memory.budget,
        events=read_events(built, record.protocol) if episodes else None,
        model=model,
        folder=folder,
    )


@contextmanager
def keep_memories(
    built: BuiltDataset,
    record: SuggestionRun,
    agent: object,
    out: Path,
    *,
    finished: bool,
    episodes: bool = True,
) -> Iterator[MemoryKeeper | None]:
    """Open the memories of a run in its folder; afterwards they are saved there.

    Args:
        built: The run's dataset.
        record: Record of the run.
        agent: Agent of the run; its property `model`, if it has one, is the model of a memory that asks one.
        out: The run's folder.
        finished: Whether no task is left, so that nothing is opened.
        episodes: As in `open_keeper`.

    Yields:
        The keeper; None for a run without a memory.
    """
    model = getattr(agent, "model", None)
    keeper = None
    if not finished:
        keeper = open_keeper(built, record, model=model, folder=out / MEMORY, episodes=episodes)
    if keeper is None:
        yield None
        return
    with closing(keeper):
        yield keeper


def open_repeatable(
    built: BuiltDataset, record: SuggestionRun, *, episodes: bool = True
) -> MemoryKeeper | None:
    """Open the memories of a run if they recall the same again from the dataset alone; None for others."""
    from fingertip_agents.memory.memory_registry import MEMORIES

    memory = record.memory
    if memory is None or memory.name not in MEMORIES or not MEMORIES[memory.name].repeatable:
        return None
    return open_keeper(built, record, episodes=episodes)


def read_run_memory(folder: Path, record: SuggestionRun) -> MemoryUse | None:
    """Read size and cost of a run's memory; None without one, or where its files are not at hand."""
    from fingertip_agents.memory.memory_files import read_memory_use

    return read_memory_use(folder / MEMORY) if record.memory else None


def describe_memory(name: str, budget: int | None, model: Model | None) -> MemoryRecord:
    """Make the record of a memory.

    Args:
        name: Name of the memory.
        budget: Maximum size, characters; None for the memory's default.
        model: Model of the run's agent.

    Raises:
        UsageError: There is no such memory, or it needs a model and there is none.
        ModelError: A memory of another package cannot be loaded, or its settings are not JSON.
    """
    from fingertip_agents.memory.memory_registry import find_budget, make_memory
    from fingertip_agents.memory.memory_setup import MemorySetup

    memory = make_memory(name, MemorySetup(model=model))
    return MemoryRecord.of(name, memory.settings, find_budget(name, budget))
