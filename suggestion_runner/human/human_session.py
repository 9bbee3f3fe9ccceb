"""The session of the human baseline: people answer a run's tasks, which become its predictions.

Every answer is a line of rater_answers.jsonl, on the disk before the page continues. predictions.jsonl is
rewritten from these lines after each answer. If two raters answered a task, the answer of the rater with its
first place counts (the first to be dealt it, or who took it over); until that rater answers, the other's
counts. The run is scored, reported and submitted like any other.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from pydantic import Field

from fingertip_agents.suggestion import suggestion_prompt
from fingertip_agents.suggestion.suggestion_agent import Suggestion
from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.tasks.task import SuggestionInput, SuggestionTask
from fingertip_dataset.times import now_text
from fingertip_models.messages import Language
from fingertip_models.options import LANGUAGES
from fingertip_runs import run_folder
from fingertip_runs.annotation import AnnotationSession, rater_name
from fingertip_runs.targets import write_targets
from suggestion_runner.human.dealing import Dealing
from suggestion_runner.human.rater_answers import (
    ANSWERS,
    LONGEST_ANSWER,
    RaterAnswer,
    RaterJoined,
    RaterLine,
    open_answers,
)
from suggestion_runner.predict import predict
from suggestion_runner.prediction_log import PREDICTIONS
from suggestion_runner.suggestion_records import HUMAN, Prediction
from suggestion_runner.suggestion_tasks import open_tasks, suggestion_targets
from suggestion_runner.task_view import TaskView

OVERLAP = 0.1
"""Default share of the tasks that two raters answer; the paper gives none."""


class HumanRaters:
    """The agent of a run that people answer, as run.json names it.

    Args:
        overlap: Share of the tasks that two raters answer.
        seed: Seed of the dealing.
        suggestion: Returned by `suggest`; None for an agent that only stands in run.json.
    """

    name = HUMAN

    def __init__(self, *, overlap: float, seed: int, suggestion: Suggestion | None = None) -> None:
        self._given = suggestion
        self.settings: Mapping[str, object] = MappingProxyType(
            {
                "answered_by": "people on a page",
                "prompt": suggestion_prompt.VERSION,
                "distribution": False,
                "overlap": overlap,
                "dealing_seed": seed,
            }
        )

    def suggest(self, task_input: SuggestionInput) -> Suggestion:
        """The answer that a person has given to this task.

        Raises:
            UsageError: There is none: people answer on the page.
        """
        if self._given is None:
            raise UsageError("people answer on the page of `fingertip suggest --agent human`, not in a call")
        return self._given


class SavedAnswer(FrozenModel):
    """An answer as the page posts it; the fields are those of `RaterAnswer`."""

    text: str = Field(max_length=LONGEST_ANSWER, pattern=r"\S")
    seconds: float = Field(ge=0)
    language: Language


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskTexts:
    """The texts of a model's prompt for a task, each by language.

    Attributes:
        rules: The system message.
        known: Profile, time, place and earlier intents, in sections.
        question: The question at the end.
    """

    rules: dict[Language, str]
    known: dict[Language, str]
    question: dict[Language, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTask:
    """A task as a rater sees it: the same text as in the user message of a model's prompt.

    Attributes:
        task_id: The episode id; it stays in this process.
        texts: The texts of the prompt.
        screens: Files of the first screens; deleted with the session.
    """

    task_id: str
    texts: TaskTexts
    screens: tuple[Path, ...]


class HumanSession(AnnotationSession[ShownTask, SavedAnswer, RaterLine]):
    """A run whose tasks people answer, held by this process. A context manager.

    Args:
        dataset: A folder that `fingertip build` wrote.
        out: The run's folder: missing, empty, or of the same run.
        view: The task view: what of a task is shown.
        overlap: Share of the tasks that two raters answer, 0-1.
        raters: Raters who are dealt tasks at once; others may join later.

    Attributes:
        record: run.json.

    Raises:
        UsageError: An argument is invalid, or does not go with people.
        DatasetError: The dataset is missing or broken.
        RunError: `out` holds something else, is held by another process, or cannot be written.
    """

    def __init__(
        self,
        dataset: Path,
        out: Path,
        *,
        view: TaskView,
        overlap: float = OVERLAP,
        raters: Sequence[str] = (),
    ) -> None:
        names = sorted({rater_name(rater) for rater in raters})
        self._overlap, self._seed = overlap, view.seed
        built = BuiltDataset.open(dataset)
        record = view.record(dataset, built, HumanRaters(overlap=overlap, seed=view.seed))
        self._out = out
        self._tasks: dict[str, SuggestionTask] = {}
        run_folder.check_folder(out, lines=ANSWERS, track=record.track)
        super().__init__([out], open_answers)
        try:
            # only checks that `out` is this run: as a finished one, nothing is written
            self.record = run_folder.start_run(out, record, finished=True)
            items = self._read_tasks(built)
            self._keys = {task.task_id: key for key, task in items.items()}
            self._dealing = Dealing(tuple(self._tasks), overlap=overlap, seed=view.seed)
            self._begin(items)
            if not self.complete:
                self.record = run_folder.start_run(out, record)
            for name in names:
                self.join(name)
            write_targets(out, suggestion_targets(built, self.record))
            self._write_predictions()
        except BaseException:
            self.close()
            raise

    @property
    def complete(self) -> bool:
        """Whether every task has all the answers that it needs."""
        return self._dealing.complete

    @property
    def open_places(self) -> int:
        """Number of answers still to be given."""
        return self._dealing.open_places

    @property
    def answered_tasks(self) -> int:
        """Number of tasks with an answer."""
        return len({key for key, _ in self._labels})

    def raters(self) -> tuple[str, ...]:
        """Everybody who has joined, in that order."""
        return self._dealing.raters

    def join(self, rater: str) -> None:
        """Deals a rater in; it is on the disk when this returns. A rater who has joined before keeps theirs.

        Raises:
            RunError: The line could not be written (for example, disk full).
        """
        with self._lock:
            if rater not in self._dealing.raters:
                self._logs[self._out].append(RaterJoined(rater=rater, at=now_text("milliseconds")))
                self._dealing.join(rater)

    def answered(self, rater: str) -> tuple[tuple[str, RaterAnswer], ...]:
        """(key, answer) of each task that the rater has answered, in the order of their first answers."""
        with self._lock:
            given = [(key, answer) for (key, name), answer in self._labels.items() if name == rater]
        return tuple((key, answer) for key, answer in given if isinstance(answer, RaterAnswer))

    def open_for(self, rater: str) -> tuple[tuple[str, ...], bool]:
        """Keys of the rater's next tasks, in their order, and whether they are the rater's own.

        First the tasks dealt to the rater; once these are answered, the open tasks of others.
        """
        with self._lock:
            own = self._dealing.own(rater)
            found = own or self._dealing.others(rater)
        return tuple(self._keys[task_id] for task_id in found), bool(own) or not found

    def add(self, key: str, rater: str, annotation: SavedAnswer) -> None:
        """Stores an answer; it and predictions.jsonl are on the disk when this returns.

        A later answer of the rater replaces it. Blanks around the text are dropped, a line break becomes a
        blank.

        Raises:
            KeyError: There is no task of that key.
            RunError: The answer could not be written (for example, disk full).
        """
        task_id = self[key].task_id
        with self._lock:
            self.join(rater)
            super().add(key, rater, annotation)
            self._dealing.answer(task_id, rater)
            self._write_predictions()

    def _folders(self, item: ShownTask) -> Sequence[Path]:
        return (self._out,)

    def _record(self, key: str, rater: str, annotation: SavedAnswer, at: datetime) -> RaterAnswer:
        return RaterAnswer(
            task_id=self._items[key].task_id,
            rater=rater,
            text=" ".join(annotation.text.split()),
            seconds=annotation.seconds,
            language=annotation.language,
            at=_time(at),
        )

    def _find_labelled(self, folder: Path, label: RaterLine) -> tuple[str, str] | None:
        return (self._keys[label.task_id], label.rater) if isinstance(label, RaterAnswer) else None

    def _restore(self, folder: Path, line: RaterLine) -> None:
        """Replays a line of rater_answers.jsonl, so that a resumed run deals the same."""
        if isinstance(line, RaterJoined):
            self._dealing.join(line.rater)
            return
        if line.task_id not in self._tasks:
            raise RunError(
                "an answer to a task that is not one of this run",
                file=folder / ANSWERS,
                line=self._logs[folder].lines.index(line) + 1,
                episode_id=line.task_id,
            )
        self._dealing.answer(line.task_id, line.rater)
        super()._restore(folder, line)

    def _read_tasks(self, built: BuiltDataset) -> dict[str, ShownTask]:
        """The run's tasks by key; screens go into files, as they may be large."""
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="fingertip-human-")))
        items = {}
        for task in open_tasks(built, self.record, ()):
            task_id = task.input.task_id
            texts = make_task_texts(task.input)
            screens = []
            for number, picture in enumerate(task.input.screenshots):
                screens.append(folder / f"{len(self._tasks)}_{number}")
                screens[-1].write_bytes(picture)
            key = hashlib.sha256(f"{self._seed}\0{task_id}".encode()).hexdigest()[:16]
            items[key] = ShownTask(task_id=task_id, texts=texts, screens=tuple(screens))
            # the prediction records how many screenshots were shown, so their number is kept
            task_input = replace(task.input, screenshots=(b"",) * len(screens), accessibility_trees=())
            self._tasks[task_id] = replace(task, input=task_input)
        return items

    def _write_predictions(self) -> None:
        lines = [self._make_prediction(counted) for counted in self._list_counted()]
        content = "".join(line.model_dump_json() + "\n" for line in lines)
        run_folder.write_text(self._out / PREDICTIONS, content)

    def _list_counted(self) -> list[RaterAnswer]:
        """The answer that counts of each answered task, in the order of the dataset."""
        found = []
        for task_id in self._tasks:
            given = (self.label(self._keys[task_id], rater) for rater in self._dealing.dealt(task_id))
            answer = next((answer for answer in given if isinstance(answer, RaterAnswer)), None)
            if answer is not None:
                found.append(answer)
        return found

    def _make_prediction(self, answer: RaterAnswer) -> Prediction:
        suggestion = Suggestion(text=answer.text, seconds=answer.seconds, calls=0)
        people = HumanRaters(overlap=self._overlap, seed=self._seed, suggestion=suggestion)
        return predict(people, self._tasks[answer.task_id])


def make_task_texts(task_input: SuggestionInput) -> TaskTexts:
    """Return the texts of a model's prompt in each language."""
    texts = TaskTexts(rules={}, known={}, question={})
    for language in LANGUAGES:
        system, message = suggestion_prompt.make_suggestion_messages(task_input, language)
        texts.rules[language] = system.text
        texts.known[language], _, texts.question[language] = message.text.rpartition("\n\n")
    return texts


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds")
