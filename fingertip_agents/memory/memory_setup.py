"""Setup of a memory: the person, the model, other people's earlier data, and the clock of its tasks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol

from fingertip_dataset.episodes import Intent, UserProfile
from fingertip_dataset.errors import UsageError
from fingertip_dataset.release.settings import CHINESE

if TYPE_CHECKING:
    from fingertip_models.model import Model


class Notebook(Protocol):
    """Values by key that outlive the process, such as `fingertip_models.cache.AppendOnlyCache`."""

    def get(self, key: str) -> Mapping[str, object] | None:
        """Return the value of a key; None if the key is unknown."""

    def put(self, key: str, value: Mapping[str, object]) -> None:
        """Add a value."""


@dataclass(slots=True)
class TaskClock:
    """Moment of the task that is recalled for; memories of one person share it.

    Attributes:
        now: The moment; None before the first task.
    """

    now: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherPerson:
    """Person whose training data a memory may use for somebody else.

    Attributes:
        user_id: Id of the person.
        profile: Profile of the person.
        language: Language that the person writes, by its ISO 639 code.
        intents: Intents of the training part, in the order of time.
    """

    user_id: str
    profile: UserProfile
    language: str
    intents: tuple[Intent, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySetup:
    """Everything a memory of one person may need for its construction.

    Attributes:
        user_id: Id of the person.
        language: Language that the person writes, by its ISO 639 code.
        model: Model of the run's agent; None if it has none.
        clock: TaskClock of the tasks; a memory reads it and never sets it.
        read_people: Function that reads the training part of all people; None without a dataset.
        notebook: Where a memory writes down what a model answered; None for nowhere.
    """

    user_id: str = ""
    language: str = CHINESE
    model: Model | None = field(default=None, repr=False)
    clock: TaskClock = field(default_factory=TaskClock)
    read_people: Callable[[], Sequence[OtherPerson]] | None = field(default=None, repr=False)
    notebook: Notebook | None = field(default=None, repr=False)

    def list_others(self) -> tuple[OtherPerson, ...]:
        """Return everybody else who writes the person's language, with what they wanted before the clock."""
        now, people = self.clock.now, self.read_people() if self.read_people else ()
        return tuple(
            replace(other, intents=() if now is None else _take_earlier(other.intents, now))
            for other in people
            if other.user_id != self.user_id and other.language == self.language
        )

    def require_model(self, memory: str) -> Model:
        """Return the model of the run's agent.

        Raises:
            UsageError: The agent has no model.
        """
        if self.model is None:
            raise UsageError(f"the memory {memory} needs a model: give --agent model and --model NAME")
        return self.model


def _take_earlier(intents: tuple[Intent, ...], now: datetime) -> tuple[Intent, ...]:
    return intents[: bisect_left(intents, now, key=attrgetter("moment"))]
