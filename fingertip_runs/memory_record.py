"""Record of the memory of a run, in run.json of either track."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import Field, JsonValue

from fingertip_dataset.errors import ModelError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_runs.run_record import AgentRecord

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

    @classmethod
    def of(cls, name: str, settings: Mapping[str, object], budget: int | None) -> Self:
        """Make the record of a memory; what fields named as secrets hold is masked.

        Raises:
            ModelError: The settings cannot be written as JSON.
        """
        try:
            plain = AgentRecord.of(name, settings).settings
        except ModelError as error:
            raise ModelError(error.message.replace("of agent", "of the memory", 1)) from error
        return cls(name=name, settings=plain, budget=budget)

    def describe(self) -> str:
        """A phrase for notes and tables.

        >>> MemoryRecord(name="habits", budget=2000).describe()
        'habits, at most 2,000 characters'
        """
        return self.name if self.budget is None else f"{self.name}, at most {self.budget:,} characters"
