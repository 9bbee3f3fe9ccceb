"""The pairs of intents that are looked at in one sitting, in whose order, and what each rater has said."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from pydantic import Field

from fingertip_dataset.episodes import BEIJING
from fingertip_dataset.errors import UsageError
from fingertip_metrics.judges.pair_labels import LABELS, PairLabel, read_pair_label
from fingertip_metrics.judges.verdicts import IntentPair
from fingertip_models.cache import cache_key
from fingertip_runs.line_log import LineLog
from fingertip_runs.run_record import FrozenModel
from suggestion_runner.answer_text import DEFAULT, answer_text
from suggestion_runner.prediction_log import read_predictions, read_run


class PairAnnotation(FrozenModel):
    """What a rater says of a pair; the fields are those of `PairLabel`."""

    same: Literal["yes", "no", "unsure"]
    why: str = Field(default="", max_length=2000)
    seconds: float | None = Field(default=None, ge=0)


class PairAnnotationSession:
    """The pairs of several runs, mixed, each once, and the labels on them. A context manager.

    It holds the runs' label files, so that nobody else writes them meanwhile. A label goes into every run
    that has the pair. Each rater has an order of their own and is told nothing of the other raters' labels,
    nor which agent it was. An answer is shown as it was given, for so it is scored. Empty ones are not shown:
    they are different.

    Args:
        runs: Folders of runs of track 1.

    Raises:
        RunError: A run is missing or broken, or its labels are being written by another process.
        InputError: A label is broken.
        UsageError: A run is given twice, or there is nothing to look at.
    """

    def __init__(self, runs: Sequence[Path]) -> None:
        if len({run.resolve() for run in runs}) != len(runs):
            raise UsageError("expected each run once, got one twice")
        self._runs: dict[IntentPair, list[Path]] = {}
        for run in runs:
            record = read_run(run)
            answered = [
                (answer_text(line, DEFAULT, distribution=record.distribution), line.original_intent)
                for line in read_predictions(run)
            ]
            for pair in dict.fromkeys(answered):
                if pair[0].strip():
                    self._runs.setdefault(pair, []).append(run)
        if not self._runs:
            raise UsageError("expected a run with answers, got none: there is nothing to look at")
        self._pairs = {cache_key({"pair": pair})[:16]: pair for pair in self._runs}
        self._turn = threading.Lock()
        self._logs: dict[Path, LineLog[PairLabel]] = {}
        with ExitStack() as stack:
            for run in runs:
                self._logs[run] = stack.enter_context(LineLog(run / LABELS, read_pair_label, sync=True))
            self._stack = stack.pop_all()
        lines = [label for log in self._logs.values() for label in log.lines]
        self._labels = {
            ((label.predicted, label.intended), label.rater): label
            for label in sorted(lines, key=lambda label: label.at)
        }

    def __getitem__(self, key: str) -> IntentPair:
        """The predicted and the intended text of a key.

        Raises:
            KeyError: There is none.
        """
        return self._pairs[key]

    def __len__(self) -> int:
        return len(self._pairs)

    def order(self, rater: str) -> tuple[str, ...]:
        """Every key, shuffled by the rater's name."""
        return tuple(sorted(self._pairs, key=lambda key: hashlib.sha256(f"{rater}\0{key}".encode()).digest()))

    def label(self, key: str, rater: str) -> PairLabel | None:
        """What that rater said last of the pair; None where they have said nothing."""
        return self._labels.get((self._pairs[key], rater))

    def labelled(self, rater: str) -> int:
        """Of how many pairs of this sitting the rater has said something."""
        return sum(self.label(key, rater) is not None for key in self._pairs)

    def raters(self) -> tuple[str, ...]:
        """Everybody who has said something, sorted."""
        return tuple(sorted({rater for pair, rater in self._labels if pair in self._runs}))

    def say(self, key: str, rater: str, word: PairAnnotation) -> None:
        """Adds a line to the labels of each run that has the pair; it is on the disk when this returns.

        Raises:
            KeyError: There is no pair of that key.
            RunError: There is no room for the line.
        """
        predicted, intended = pair = self._pairs[key]
        label = PairLabel(
            predicted=predicted,
            intended=intended,
            rater=rater,
            at=datetime.now(BEIJING).isoformat(timespec="milliseconds"),
            **word.model_dump(),
        )
        with self._turn:
            for run in self._runs[pair]:
                self._logs[run].append(label)
            self._labels[pair, rater] = label

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
