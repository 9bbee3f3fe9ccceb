"""Memories: how an agent keeps what it has seen of a person, and recalls it for a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fingertip_dataset.lazy_names import lazy_names

if TYPE_CHECKING:
    from fingertip_agents.memory.event import Event
    from fingertip_agents.memory.event_memory import EventMemory, take_latest
    from fingertip_agents.memory.keeper import MemoryKeeper
    from fingertip_agents.memory.memory import Memory, Recollection
    from fingertip_agents.memory.open_memories import open_memories
    from fingertip_agents.memory.registry import memory_names
    from fingertip_agents.memory.setup import MemorySetup, OtherPerson

__all__ = [
    "Event",
    "EventMemory",
    "Memory",
    "MemoryKeeper",
    "MemorySetup",
    "OtherPerson",
    "Recollection",
    "memory_names",
    "open_memories",
    "take_latest",
]

if not TYPE_CHECKING:  # with a module `__getattr__`, a type checker would accept any name
    __getattr__, __dir__ = lazy_names(__name__)
