"""Registry of memories by name: ours, and those of installed packages by entry points.

An installed package adds a memory with a line in its pyproject.toml. The named class is called without
arguments, or its `from_setup` with a `MemorySetup` if it has one, once for each person::

    [project.entry-points."fingertip.memories"]
    mine = "my_package.my_module:MyMemory"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from fingertip_agents.memory.memory import Memory
from fingertip_agents.memory.memory_setup import MemorySetup
from fingertip_dataset.errors import FingerTipError, ModelError, UnknownNameError

MEMORY_GROUP = "fingertip.memories"
"""Group of entry points."""

DEFAULT_BUDGET = 2_000
"""Default budget of most memories, characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMemory:
    """Memory of this package.

    Attributes:
        place: Module within this folder, and class.
        summary: One-sentence description.
        plain: Whether it recalls intents alone, so that a task may hide their times and places.
        budget: Its default budget, characters; None for no limit.
        needs_model: Whether it asks a model.
    """

    place: str
    summary: str
    plain: bool = False
    budget: int | None = DEFAULT_BUDGET
    needs_model: bool = False

    @property
    def repeatable(self) -> bool:
        """Whether it recalls the same again from the same events, without anything else."""
        return not self.needs_model


MEMORIES: Mapping[str, OwnMemory] = {
    "none": OwnMemory(place="event_memory:NoMemory", summary="Nothing.", plain=True, budget=None),
    "last-20": OwnMemory(
        place="event_memory:LatestMemory",
        summary="The latest 20 intents, as in the paper.",
        plain=True,
        budget=None,
    ),
    "all": OwnMemory(place="event_memory:WholeMemory", summary="All intents and all answers.", budget=None),
    "habits": OwnMemory(
        place="habit_table:HabitTable", summary="A table of habits, and the intents that fit the moment."
    ),
    "profile": OwnMemory(
        place="profile:RevisedProfile",
        summary="Notes on the person that the agent's model revises after each day.",
        needs_model=True,
    ),
    "similar": OwnMemory(
        place="similar:SimilarPeople",
        summary="The latest 20 intents, and of similar people those that are missing.",
    ),
}
"""Our memories, in the order of tables. An installed package cannot use one of these names."""


def memory_names() -> tuple[str, ...]:
    """Names of all memories: ours, then those of installed packages, sorted; none is imported."""
    installed = sorted(point.name for point in entry_points(group=MEMORY_GROUP))
    return tuple(dict.fromkeys((*MEMORIES, *installed)))


def check_memory_name(name: str) -> None:
    """Check that there is a memory of this name.

    Raises:
        UnknownNameError: There is none.
    """
    if name not in MEMORIES and name not in (names := memory_names()):
        raise UnknownNameError("a memory", name, names)


def find_budget(name: str, budget: int | None) -> int | None:
    """Return the budget of a memory: the given one, or else its default; None for no limit."""
    if budget is not None:
        return budget
    return MEMORIES[name].budget if name in MEMORIES else DEFAULT_BUDGET


def make_memory(name: str, setup: MemorySetup) -> Memory:
    """Construct the memory of one person by name.

    Raises:
        UnknownNameError: Unknown name.
        UsageError: The setup lacks something that the memory needs.
        ModelError: An installed memory cannot be imported or constructed, or is no memory.
    """
    if name in MEMORIES:
        module, _, cls = MEMORIES[name].place.partition(":")
        return _construct(getattr(import_module(f"fingertip_agents.memory.{module}"), cls), setup)
    check_memory_name(name)
    point = next(point for point in entry_points(group=MEMORY_GROUP) if point.name == name)
    try:
        memory = _construct(point.load(), setup)
        missing = [part for part in _PARTS if not hasattr(memory, part)]
    except FingerTipError:
        raise
    except Exception as error:
        raise ModelError(
            f"the memory {name} could not be loaded from {point.value}: {type(error).__name__}: {error}"
        ) from error
    if missing:
        raise ModelError(
            f"the memory {name} from {point.value} must have {', '.join(_PARTS)}: "
            f"it has no {' and no '.join(missing)}"
        )
    return memory


_PARTS = ("name", "settings", "observe", "recall", "save", "load")


def _construct(cls: Any, setup: MemorySetup) -> Memory:  # noqa: ANN401 - a class, or a function that makes one
    made: Memory = cls.from_setup(setup) if hasattr(cls, "from_setup") else cls()
    return made
