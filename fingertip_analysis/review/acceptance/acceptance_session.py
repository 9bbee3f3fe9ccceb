"""The session of suggestions to accept or reject: the distinct suggestions of several runs, mixed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import Field, StrictBool

from fingertip_dataset.errors import UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_models.cache import cache_key
from fingertip_models.messages import Language
from fingertip_runs.annotation import AnnotationSession, check_folders
from fingertip_runs.targets import read_targets
from suggestion_runner.acceptance import ACCEPTANCE_FILE, AcceptanceLabel
from suggestion_runner.answer_text import DEFAULT, answer_text
from suggestion_runner.human.human_session import make_task_texts
from suggestion_runner.prediction_log import read_predictions, read_run
from suggestion_runner.suggestion_records import SuggestionRun
from suggestion_runner.suggestion_tasks import ShownParts, show_tasks


class AcceptanceAnnotation(FrozenModel):
    """A rater's judgement of a suggestion; the fields are those of `AcceptanceLabel`."""

    accepted: StrictBool
    score: int = Field(ge=1, le=5)
    why: str = Field(default="", max_length=2000)
    seconds: float | None = Field(default=None, ge=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSuggestion:
    """A suggestion as the raters see it; the task's id stays in this process.

    Attributes:
        task_id: The episode id.
        text: The suggestion, as the agent gave it.
        runs: Folders of the runs with this suggestion for this task.
    """

    task_id: str
    text: str
    runs: tuple[Path, ...]


class AcceptanceSession(AnnotationSession[ShownSuggestion, AcceptanceAnnotation, AcceptanceLabel]):
    """The distinct suggestions of several runs, and the judgements of them. A context manager.

    Every suggestion is shown with the same facts, whatever its agent was shown: profile, time, place and the
    earlier intents of the dataset's own column, without screenshots, which would show what was wanted. The
    page does not tell which agent made a suggestion. Empty answers are left out: nobody can accept them.

    Args:
        runs: Folders of runs of track 1, of one split of one dataset, which is where the runs found it.
        user_id: The user of the dataset that the raters are: only this user's tasks are shown. None for
            other raters, and for all tasks.

    Attributes:
        user_id: The user that the raters are; None for other raters.

    Raises:
        DatasetError: The dataset is missing or broken.
        RunError: A run is missing or broken, or another process writes its judgements.
        UsageError: A run is given twice, the runs are of different data, or there is nothing to judge.
    """

    def __init__(self, runs: Sequence[Path], *, user_id: str | None = None) -> None:
        check_folders(runs)
        records = [read_run(run) for run in runs]
        built = _open_dataset(runs, records)
        found: dict[tuple[str, str], list[Path]] = {}
        for run, record in zip(runs, records, strict=True):
            for suggestion in dict.fromkeys(_read_suggestions(run, record, user_id)):
                found.setdefault(suggestion, []).append(run)
        if not found:
            whose = "" if user_id is None else f" for user {user_id}"
            raise UsageError(f"the run has no suggestion{whose}: there is nothing to judge")
        self.user_id = user_id
        self._situations = _situations(built, records[0].split, {task_id for task_id, _ in found})
        self._keys = {suggestion: cache_key({"suggestion": suggestion})[:16] for suggestion in found}
        super().__init__(runs, ACCEPTANCE_FILE.open)
        self._begin(
            {
                self._keys[task_id, text]: ShownSuggestion(task_id=task_id, text=text, runs=tuple(of_runs))
                for (task_id, text), of_runs in found.items()
            }
        )

    def situation(self, task_id: str) -> Mapping[Language, str]:
        """Profile, time, place and earlier intents of a task: language -> text in sections."""
        return self._situations[task_id]

    def _folders(self, item: ShownSuggestion) -> Sequence[Path]:
        return item.runs

    def _record(
        self, key: str, rater: str, annotation: AcceptanceAnnotation, at: datetime
    ) -> AcceptanceLabel:
        suggestion = self._items[key]
        return AcceptanceLabel(
            task_id=suggestion.task_id,
            predicted=suggestion.text,
            rater=rater,
            rater_user_id=self.user_id,
            at=at.isoformat(timespec="milliseconds"),
            **annotation.model_dump(),
        )

    def _find_labelled(self, folder: Path, label: AcceptanceLabel) -> tuple[str, str] | None:
        key = self._keys.get((label.task_id, label.predicted))
        return None if key is None else (key, label.rater)

    def _earlier_lines(self) -> Iterator[tuple[Path, AcceptanceLabel]]:
        """Sort lines by time: a suggestion of several runs may have been judged in each in other sessions."""
        return iter(sorted(super()._earlier_lines(), key=lambda found: found[1].at))


def _open_dataset(runs: Sequence[Path], records: Sequence[SuggestionRun]) -> BuiltDataset:
    first = records[0]
    for run, record in zip(runs, records, strict=True):
        if (record.dataset.data_sha256, record.split) != (first.dataset.data_sha256, first.split):
            raise UsageError("the runs are not of one split of the same dataset: review them apart", file=run)
    built = BuiltDataset.open(Path(first.dataset.path))
    if built.manifest.data_sha256 != first.dataset.data_sha256:
        raise UsageError(
            "this is another dataset than the run was made on, or it was built again since: bring "
            "that one back to this path",
            file=first.dataset.path,
        )
    return built


def _read_suggestions(run: Path, record: SuggestionRun, user_id: str | None) -> Iterator[tuple[str, str]]:
    """(task id, suggestion) of each answer of the run that is not empty."""
    predictions = read_predictions(run)
    targets = read_targets(run, [line.task_id for line in predictions])
    for line in predictions:
        text = answer_text(line, DEFAULT, distribution=record.distribution)
        if text.strip() and user_id in (None, targets[line.task_id].user_id):
            yield line.task_id, text


def _situations(built: BuiltDataset, split: str, task_ids: set[str]) -> dict[str, Mapping[Language, str]]:
    """Task id -> what a model's prompt tells of the task's situation, in each language."""
    parts = ShownParts(
        split=split,
        screenshots=0,
        history="20",
        protocol=built.manifest.history,
        history_source="previous_intents",
        without=(),
    )
    return {
        task.input.task_id: make_task_texts(task.input).known
        for task in show_tasks(built, parts, task_ids.__contains__)
    }
