"""The session of intent pairs: the distinct pairs of several runs, and each rater's labels on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import Field

from fingertip_dataset.errors import UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_metrics.judges.pair_labels import LABELS, PairLabel, read_pair_label
from fingertip_metrics.judges.verdicts import IntentPair
from fingertip_models.cache import cache_key
from fingertip_runs.annotation import AnnotationSession, LabelFile, check_folders
from fingertip_runs.targets import read_targets
from suggestion_runner.answer_text import DEFAULT, answer_text
from suggestion_runner.prediction_log import read_predictions, read_run

_FILE = LabelFile(LABELS, read_pair_label)


class PairAnnotation(FrozenModel):
    """A rater's answer about a pair; the fields are those of `PairLabel`."""

    same: Literal["yes", "no", "unsure"]
    why: str = Field(default="", max_length=2000)
    seconds: float | None = Field(default=None, ge=0)


class PairAnnotationSession(AnnotationSession[IntentPair, PairAnnotation, PairLabel]):
    """The distinct pairs of several runs, mixed, and the labels on them. A context manager.

    A label goes into every run that has the pair. The page does not tell which agent predicted. An answer is
    shown as it was given, since that text is scored. Empty answers are left out: they are always different.

    Args:
        runs: Folders of runs of track 1.

    Raises:
        RunError: A run is missing or broken, or another process writes its labels.
        InputError: A label is broken.
        UsageError: A run is given twice, or no run has an answer.
    """

    def __init__(self, runs: Sequence[Path]) -> None:
        check_folders(runs)
        self._runs: dict[IntentPair, list[Path]] = {}
        for run in runs:
            for pair in dict.fromkeys(_read_pairs(run)):
                self._runs.setdefault(pair, []).append(run)
        if not self._runs:
            raise UsageError("the run has no answers: there is nothing to label")
        super().__init__(runs, _FILE.open)
        self._keys = {pair: cache_key({"pair": pair})[:16] for pair in self._runs}
        self._begin({key: pair for pair, key in self._keys.items()})

    def _folders(self, item: IntentPair) -> Sequence[Path]:
        return self._runs[item]

    def _record(self, key: str, rater: str, annotation: PairAnnotation, at: datetime) -> PairLabel:
        predicted, intended = self._items[key]
        return PairLabel(
            predicted=predicted,
            intended=intended,
            rater=rater,
            at=at.isoformat(timespec="milliseconds"),
            **annotation.model_dump(),
        )

    def _find_labelled(self, folder: Path, label: PairLabel) -> tuple[str, str] | None:
        key = self._keys.get((label.predicted, label.intended))
        return None if key is None else (key, label.rater)

    def _earlier_lines(self) -> Iterator[tuple[Path, PairLabel]]:
        """Sort lines by time: a pair of several runs may have been labelled in each in other sessions."""
        return iter(sorted(super()._earlier_lines(), key=lambda found: found[1].at))


def _read_pairs(run: Path) -> Iterator[IntentPair]:
    """(predicted, intended) of each prediction that is not empty."""
    record, predictions = read_run(run), read_predictions(run)
    targets = read_targets(run, [line.task_id for line in predictions])
    for line in predictions:
        predicted = answer_text(line, DEFAULT, distribution=record.distribution)
        if predicted.strip():
            yield predicted, targets[line.task_id].intent
