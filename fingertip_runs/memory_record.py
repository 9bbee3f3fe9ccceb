"""Record of the memory of a run, in run.json of either track."""

from __future__ import annotations

from pydantic import Field, JsonValue

from fingertip_dataset.frozen_model import FrozenModel

MEMORY = "memory"
"""Folder of a run's memories, in the run's folder."""


class MemoryRecord(FrozenModel):
    """Memory that recalls what an agent is shown of a person's past.

    Attributes:
        name: Name of the memory.
        settings: All that it depends on besides the events.
        budget: Maximum size of what it recalls for a task, characters; None for any.
        section: Version of the part of the prompt that shows it.
    """

    name: str = Field(min_length=1, max_length=100)
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    budget: int | None = Field(default=None, ge=0)
    section: str = "1"

    def describe(self) -> str:
        """A phrase for notes and tables.

        >>> MemoryRecord(name="habits", budget=2000).describe()
        'habits, at most 2,000 characters'
        """
        return self.name if self.budget is None else f"{self.name}, at most {self.budget:,} characters"
