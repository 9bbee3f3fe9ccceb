"""Interface of a memory: it observes the events of one person in order, and recalls within a budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fingertip_agents.memory.event import Event
from fingertip_dataset.episodes import Intent
from fingertip_dataset.tasks.task import ExecutionInput, SuggestionInput

NO_LIMIT = 1_000_000_000
"""Budget that limits nothing, characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """All that a memory recalls for a task.

    Attributes:
        intents: Earlier intents of the person, oldest first, shown as the earlier intents of the task.
        text: Text that is shown in a section of its own; each line of it is one line of data.
        similar_intents: Earlier intents of other people, oldest first, shown in a section of their own.
    """

    intents: tuple[Intent, ...] = ()
    text: str = ""
    similar_intents: tuple[Intent, ...] = ()

    @property
    def size(self) -> int:
        """Number of characters: of the text, and of words, place and time of each intent."""
        return len(self.text) + sum(map(measure_intent, (*self.intents, *self.similar_intents)))


def measure_intent(intent: Intent) -> int:
    """Number of characters that an intent takes of a budget: its words, place and time."""
    return len(intent.text) + len(intent.scenario) + len(intent.time)


class Memory(Protocol):
    """Memory of one person.

    Each person of a run has a memory of its own, which is given events in the order of time and is asked
    only about tasks that are later than all of them: what it was never given it cannot show.
    """

    @property
    def name(self) -> str:
        """Name of the memory in the run's record."""

    @property
    def settings(self) -> Mapping[str, object]:
        """All that its recollections depend on besides the events, JSON-serializable."""

    def observe(self, event: Event) -> None:
        """Take an event in; it is no earlier than the one before."""

    def recall(self, task: SuggestionInput | ExecutionInput, budget: int) -> Recollection:
        """Return what the agent is shown for a task, at most `budget` characters by `Recollection.size`.

        Args:
            task: The task as the agent gets it, without earlier intents; parts that the run hides are empty.
            budget: Largest size; `NO_LIMIT` for any.
        """

    def save(self, folder: Path) -> None:
        """Write the memory into a folder, which exists and is empty."""

    def load(self, folder: Path) -> None:
        """Take over, into a new memory, what `save` has written, in place of the events of before."""
