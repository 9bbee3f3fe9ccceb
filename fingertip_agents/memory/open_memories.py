"""Opening of the memories of a run: its dataset, its model, and the files in its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fingertip_agents.memory.dataset_events import read_people
from fingertip_agents.memory.event import Event
from fingertip_agents.memory.keeper import MemoryKeeper
from fingertip_agents.memory.memory_files import MemoryFiles
from fingertip_agents.memory.memory_setup import MemorySetup
from fingertip_dataset.parquet.built import BuiltDataset

if TYPE_CHECKING:
    from fingertip_models.model import Model


def open_memories(
    name: str,
    built: BuiltDataset,
    *,
    budget: int | None,
    events: Mapping[str, Sequence[Event]] | None = None,
    model: Model | None = None,
    folder: Path | None = None,
) -> MemoryKeeper:
    """Open the memories of a run by name.

    Args:
        name: Name of the memory.
        built: The run's dataset.
        budget: Maximum size of what is recalled, characters; None for any.
        events: User id -> events that memories may know, each once it is in the past.
        model: Model of the run's agent.
        folder: Folder for saved memories and notes, made if missing; None to write nothing.

    Raises:
        UsageError: There is no such memory, or it needs a model and there is none.
        ModelError: A memory of another package cannot be loaded.
    """
    files = None if folder is None else MemoryFiles(folder)
    settings = built.manifest.settings
    setup = MemorySetup(
        model=model,
        read_people=cache(lambda: read_people(built)),
        notebook=files,
    )
    return MemoryKeeper(
        name,
        setup,
        budget=budget,
        events=events,
        find_language=settings.language_of,
        folder=folder,
        on_recall=files.note_recall if files else None,
        on_close=files.close if files else lambda: None,
    )
