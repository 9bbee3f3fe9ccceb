"""Base of memories that keep the events as they are, and the three memories of plain intents."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

from fingertip_agents.memory.event import Event
from fingertip_agents.memory.memory import Recollection, measure_intent
from fingertip_agents.memory.memory_words import write_answers
from fingertip_dataset.episodes import Intent
from fingertip_dataset.tasks.history import HISTORY_LIMIT
from fingertip_dataset.tasks.task import ExecutionInput, SuggestionInput

EVENTS = "events.jsonl"
"""Name of the file with the events that a memory keeps."""


class EventMemory(ABC):
    """Memory that keeps every event; a subclass says what it recalls.

    Attributes:
        events: The events so far, in the order of time.
        intents: The intents of the episodes among them.
    """

    name: ClassVar[str]

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.intents: list[Intent] = []

    @property
    def settings(self) -> Mapping[str, object]:
        """All that its recollections depend on besides the events."""
        return {}

    def observe(self, event: Event) -> None:
        """Keep an event."""
        self.events.append(event)
        if event.kind == "episode":
            self.intents.append(event.intent)

    @abstractmethod
    def recall(self, task: SuggestionInput | ExecutionInput, budget: int) -> Recollection:
        """Return what the agent is shown for a task; see `Memory.recall`."""

    def save(self, folder: Path) -> None:
        """Write the events, one a line."""
        lines = (json.dumps(write_event(event), ensure_ascii=False) for event in self.events)
        (folder / EVENTS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def load(self, folder: Path) -> None:
        """Take the events of `save` in, into a new memory."""
        for line in (folder / EVENTS).read_text(encoding="utf-8").splitlines():
            self.observe(read_event(json.loads(line)))


class NoMemory(EventMemory):
    """Memory of nothing."""

    name = "none"

    def observe(self, event: Event) -> None:
        """Forget an event."""

    def recall(self, task: SuggestionInput | ExecutionInput, budget: int) -> Recollection:
        """Return nothing."""
        return Recollection()


class LatestMemory(EventMemory):
    """Memory of the latest 20 intents, as in the paper; answers to suggestions are not shown."""

    name = "last-20"

    @property
    def settings(self) -> Mapping[str, object]:
        """The number of intents."""
        return {"intents": HISTORY_LIMIT}

    def recall(self, task: SuggestionInput | ExecutionInput, budget: int) -> Recollection:
        """Return the latest intents, as many as fit."""
        return Recollection(intents=take_latest(self.intents[-HISTORY_LIMIT:], budget))


class WholeMemory(EventMemory):
    """Memory of all intents and of all answers to suggestions, the latest if not all fit."""

    name = "all"

    def recall(self, task: SuggestionInput | ExecutionInput, budget: int) -> Recollection:
        """Return the answers, in at most half the budget, and the latest intents in the rest."""
        answers = [event for event in self.events if event.kind != "episode"]
        text = write_answers(answers, task.language, budget // 2)
        return Recollection(intents=take_latest(self.intents, budget - len(text)), text=text)


def take_latest(intents: Sequence[Intent], budget: int) -> tuple[Intent, ...]:
    """Return the latest intents that fit a budget of characters, oldest first."""
    left, first = budget, len(intents)
    while first and (left := left - measure_intent(intents[first - 1])) >= 0:
        first -= 1
    return tuple(intents[first:])


def write_event(event: Event) -> dict[str, Any]:
    """Return an event in JSON types, as `read_event` reads it."""
    intent = event.intent
    return {
        "time": event.time.isoformat(),
        "kind": event.kind,
        "intent": {
            "user_id": intent.user_id,
            "time": intent.time,
            "scenario": intent.scenario,
            "app": intent.app,
            "text": intent.text,
            "category": intent.category,
            "offset_s": intent.offset.total_seconds(),
        },
        **({"suggestion": event.suggestion} if event.suggestion else {}),
    }


def read_event(value: Mapping[str, Any]) -> Event:
    """Return the event that `write_event` wrote."""
    intent = dict(value["intent"])
    offset = timedelta(seconds=intent.pop("offset_s"))
    return Event(
        time=datetime.fromisoformat(value["time"]),
        kind=value["kind"],
        intent=Intent(**intent, offset=offset),
        suggestion=value.get("suggestion", ""),
    )
