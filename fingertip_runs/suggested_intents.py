"""Intents that tasks of track 2 show in place of the people's own: suggestions of track 1."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from fingertip_dataset.tasks.task import ExecutionTask, ReferenceSequence


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedIntents:
    """The intent of each task, what the same person did for the most similar one, and the app.

    What a task is scored by stays that of the person's own intent.

    Attributes:
        origin: Whose suggestions they are and who accepted them, in words.
        intents: Task id -> intent.
        references: Task id -> the same user's reference for that intent; None without one.
        apps: Task id -> package that the intent is about; "" if it is not known.
        answer_forms: Task id -> form of the answer; "" for an intent that asks no question.
    """

    origin: str
    intents: Mapping[str, str]
    references: Mapping[str, ReferenceSequence | None]
    apps: Mapping[str, str]
    answer_forms: Mapping[str, str]

    @property
    def label(self) -> str:
        """The origin, and the beginning of the SHA-256 of the intents, which identify a run."""
        text = json.dumps(dict(sorted(self.intents.items())), ensure_ascii=False)
        return f"{self.origin}; sha256 {hashlib.sha256(text.encode()).hexdigest()[:16]}"

    def shown(self, tasks: Iterable[ExecutionTask]) -> list[ExecutionTask]:
        """The tasks as an agent sees them, with the suggestions."""
        return [self._shorten_id(task) for task in tasks]

    def _shorten_id(self, task: ExecutionTask) -> ExecutionTask:
        name = task.task_id
        shown = replace(
            task.input,
            intent=self.intents[name],
            app=self.apps[name],
            reference=self.references[name],
            answer_form=self.answer_forms[name],
        )
        return replace(task, input=shown)
