"""Memories of all people of a run: each is given only what is strictly earlier than the task."""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from fingertip_agents.agent_crash import describe_crash
from fingertip_agents.memory.event import Event
from fingertip_agents.memory.event_memory import write_event
from fingertip_agents.memory.memory import NO_LIMIT, Memory, Recollection
from fingertip_agents.memory.memory_registry import make_memory
from fingertip_agents.memory.memory_setup import MemorySetup, TaskClock
from fingertip_agents.memory.memory_words import take_lines, write_intents
from fingertip_dataset.errors import FingerTipError, ModelError, RunError, UsageError
from fingertip_dataset.release.settings import CHINESE
from fingertip_dataset.tasks.task import ExecutionInput, SuggestionInput

AnyInput = TypeVar("AnyInput", SuggestionInput, ExecutionInput)

PEOPLE, STATE = "people", "state.json"
"""Folder of the saved memories, one folder a person, and the file that says what a saved memory was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Facts of one recollection.

    Attributes:
        task_id: The task.
        characters: Size of what was recalled; see `Recollection.size`.
        events: Number of events that the memory had been given.
        seconds: Duration of observing and recalling, without the model's.
        text: The recalled text.
    """

    task_id: str
    characters: int
    events: int
    seconds: float
    text: str


@dataclass(slots=True)
class _Kept:
    """Memory of a person, its clock, and the number of events that it was given."""

    memory: Memory
    clock: TaskClock
    given: int = 0
    saved: int = -1


@dataclass(slots=True)
class _Known:
    """Events of a person in the order of time, with a running hash of each beginning."""

    events: list[Event] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)

    def hash_first(self, count: int) -> str:
        """SHA-256 chain over the first events."""
        while len(self.hashes) < count:
            event = json.dumps(write_event(self.events[len(self.hashes)]), sort_keys=True)
            before = self.hashes[-1] if self.hashes else ""
            self.hashes.append(hashlib.sha256(f"{before} {event}".encode()).hexdigest())
        return self.hashes[count - 1] if count else ""


class MemoryKeeper:
    """Memories of all people of a run by name, one for each person.

    Before a task is recalled for, its person's memory is given the known events that are strictly earlier
    than the task. If it has been given later ones, a new memory takes its place: so no memory ever holds an
    event of the time of its task or after, in whatever order tasks come.

    Args:
        name: Name of the memory.
        setup: Setup of the run; person, language and clock are put in for each person.
        budget: Maximum size of a recollection, characters; None for any.
        events: User id -> known events, in the order of time.
        find_language: Function that returns the language of a user, by its ISO 639 code.
        folder: Folder of saved memories; None to save none.
        on_recall: Called with the facts of each recollection.
        on_close: Called at the end, to close what the others write into.

    Attributes:
        name: Name of the memory.
        budget: Its budget; None for any.
        settings: Its settings.

    Raises:
        UsageError: There is no such memory, or the setup lacks something that it needs.
        ModelError: An installed memory cannot be loaded.
    """

    def __init__(
        self,
        name: str,
        setup: MemorySetup | None = None,
        *,
        budget: int | None = None,
        events: Mapping[str, Sequence[Event]] | None = None,
        find_language: Callable[[str], str] = lambda user_id: CHINESE,
        folder: Path | None = None,
        on_recall: Callable[[Recall], None] | None = None,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        self.name, self.budget = name, budget
        self._budget = NO_LIMIT if budget is None else budget
        self._setup = setup or MemorySetup()
        self.settings = make_memory(name, self._setup).settings
        self._find_language = find_language
        self._folder = folder
        self._on_recall = on_recall
        self._on_close = on_close
        self._known = {user: _Known(events=list(known)) for user, known in (events or {}).items()}
        self._kept: dict[str, _Kept] = {}

    def observe(self, event: Event) -> None:
        """Add an event to the known ones of its person.

        Raises:
            UsageError: It is earlier than the last one.
        """
        known = self._known.setdefault(event.intent.user_id, _Known()).events
        if known and event.time < known[-1].time:
            raise UsageError(
                f"events of a person must come in the order of time: got one of {event.time.isoformat()} "
                f"after one of {known[-1].time.isoformat()}",
                episode_id=event.intent.episode_id,
            )
        known.append(event)

    def recall(self, user_id: str, moment: datetime, task: AnyInput) -> AnyInput:
        """Return a task with what the person's memory recalls for it.

        On track 1 the recalled intents take the place of the earlier ones; on track 2, whose tasks have none,
        they are lines of the text.

        Args:
            user_id: The person.
            moment: Moment of the task, which the task itself may hide.
            task: The task as the agent gets it.

        Raises:
            ModelError: The memory failed, or recalled more than the budget allows.
        """
        try:
            return self._recall(user_id, moment, task)
        except FingerTipError:
            raise
        # a memory that calls sys.exit would end the run without a word, as if it were done
        except (Exception, SystemExit) as error:
            raise self._describe_crash(error, task.task_id) from error

    def catch_up(self, user_id: str, moment: datetime, task: AnyInput) -> None:
        """Give the memory of a person all that is known of them, so that `save` writes it whole.

        Args:
            user_id: The person.
            moment: Moment of the person's last task.
            task: That task.

        Raises:
            ModelError: The memory failed.
        """
        known = self._known.setdefault(user_id, _Known())
        try:
            kept = self._give_events(user_id, known, len(known.events))
            kept.clock.now = moment
            # after a stop nothing was recalled for the tasks that were done, and a memory may be made by it
            kept.memory.recall(task, self._budget)
        except FingerTipError:
            raise
        except (Exception, SystemExit) as error:
            raise self._describe_crash(error, task.task_id) from error

    def save(self) -> None:
        """Write the memories that have changed into the folder, one folder a person.

        Raises:
            RunError: They cannot be written.
            ModelError: A memory failed.
        """
        for user_id, kept in self._kept.items():
            if self._folder is not None and kept.saved != kept.given:
                self._save(self._folder / PEOPLE / _name_folder(user_id), user_id, kept)

    def _describe_crash(self, error: BaseException, task_id: str) -> ModelError:
        text = f"the memory {self.name} failed: {describe_crash(error)}"
        return ModelError(" ".join(text.split()), episode_id=task_id)

    def close(self) -> None:
        """Save the memories, and close their files.

        Raises:
            RunError: They cannot be written.
            ModelError: A memory failed.
        """
        try:
            self.save()
        finally:
            self._on_close()

    def _recall(self, user_id: str, moment: datetime, task: AnyInput) -> AnyInput:
        known = self._known.setdefault(user_id, _Known())
        begun = time.perf_counter()
        kept = self._give_events(user_id, known, bisect_left(known.events, moment, key=attrgetter("time")))
        kept.clock.now = moment
        shown = replace(task, previous_intents=()) if isinstance(task, SuggestionInput) else task
        found = kept.memory.recall(shown, self._budget)
        if not isinstance(found, Recollection):
            raise ModelError(
                f"the memory {self.name} recalled {type(found).__name__}, not a Recollection",
                episode_id=task.task_id,
            )
        if found.size > self._budget:
            raise ModelError(
                f"the memory {self.name} recalled {found.size:,} characters, more than its budget of "
                f"{self._budget:,}",
                episode_id=task.task_id,
            )
        recalled = _show(task, found, self._budget)
        if self._on_recall:
            self._on_recall(
                Recall(
                    task_id=task.task_id,
                    characters=found.size if isinstance(task, SuggestionInput) else len(recalled.memory),
                    events=kept.given,
                    seconds=time.perf_counter() - begun,
                    text=recalled.memory,
                )
            )
        return recalled

    def _give_events(self, user_id: str, known: _Known, count: int) -> _Kept:
        """Return the memory of a person that was given the first events, and no others."""
        kept = self._kept.get(user_id)
        if kept is None or kept.given > count:
            kept = self._kept[user_id] = self._make(user_id, known, count)
        for event in known.events[kept.given : count]:
            kept.memory.observe(event)
            kept.given += 1
        return kept

    def _make(self, user_id: str, known: _Known, count: int) -> _Kept:
        """Return a new memory, or the saved one if all that it was given is among the first events."""
        clock = TaskClock()
        setup = replace(self._setup, user_id=user_id, language=self._find_language(user_id), clock=clock)
        kept = _Kept(make_memory(self.name, setup), clock)
        if self._folder is None:
            return kept
        folder = self._folder / PEOPLE / _name_folder(user_id)
        try:
            state = json.loads((folder / STATE).read_text(encoding="utf-8"))
            given = state["events"] if state["name"] == self.name else -1
            usable = 0 <= given <= count and state["sha256"] == known.hash_first(given)
        except (OSError, ValueError, KeyError, TypeError):
            # nothing was saved, or a killed process wrote it: the events tell it again
            return kept
        if usable:
            kept.memory.load(folder)
            kept.given = kept.saved = given
        return kept

    def _save(self, folder: Path, user_id: str, kept: _Kept) -> None:
        known = self._known[user_id]
        state = {"name": self.name, "user_id": user_id, "events": kept.given}
        state["sha256"] = known.hash_first(kept.given)
        begun = folder.with_name(f".{folder.name}.tmp")
        try:
            shutil.rmtree(begun, ignore_errors=True)
            begun.mkdir(parents=True)
            kept.memory.save(begun)
            (begun / STATE).write_text(json.dumps(state, ensure_ascii=False) + "\n", encoding="utf-8")
            shutil.rmtree(folder, ignore_errors=True)
            begun.rename(folder)
        except OSError as error:
            raise RunError(
                f"the memory {self.name} could not be saved: {error.strerror or error}", file=folder
            ) from error
        except (Exception, SystemExit) as error:
            text = f"the memory {self.name} could not be saved: {describe_crash(error)}"
            raise ModelError(" ".join(text.split())) from error
        kept.saved = kept.given


def _show(task: AnyInput, found: Recollection, budget: int) -> AnyInput:
    """Return the task with a recollection."""
    if isinstance(task, SuggestionInput):
        return replace(
            task,
            previous_intents=found.intents,
            memory=found.text,
            similar_intents=found.similar_intents,
        )
    text: list[str] = [found.text] if found.text else []
    lines = write_intents((*found.similar_intents, *found.intents), task.language)
    # as lines they are a little longer than what they were measured by
    newest: list[str] = take_lines(reversed(lines), budget - sum(len(part) + 1 for part in text))
    return replace(task, memory="\n".join((*text, *reversed(newest))))


def _name_folder(user_id: str) -> str:
    """Name of the folder of a person: the id, with characters escaped that a path may not have.

    >>> _name_folder("1001"), _name_folder("../a")
    ('1001', '%2E.%2Fa')
    """
    name = quote(user_id, safe="")
    return f"%2E{name[1:]}" if name.startswith(".") else name
