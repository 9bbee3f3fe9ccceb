"""What is looked at in one sitting, in whose order, and what each rater has said."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from pydantic import Field

from execution_runner.review.trajectories import Trajectory, read_trajectories
from execution_runner.scoring.label_agreement import PairAgreement, agreements
from execution_runner.scoring.success_labels import LabelRecord, open_labels
from fingertip_dataset.episodes import BEIJING
from fingertip_dataset.errors import UsageError
from fingertip_runs.line_log import LineLog
from fingertip_runs.raters import RULE
from fingertip_runs.run_record import FrozenModel

_ANSWERS = {"yes": True, "no": False, "unsure": None}


class Annotation(FrozenModel):
    """What a rater says of one attempt; the fields are those of `LabelRecord`."""

    success: Literal["yes", "no", "unsure"]
    rating: int | None = Field(default=None, ge=1, le=5)
    why: str = Field(default="", max_length=2000)
    seconds: float | None = Field(default=None, ge=0)


class AnnotationSession:
    """The attempts of several runs, mixed, and the labels on them. A context manager.

    It holds the runs' label files, so that nobody else writes them meanwhile.

    Each attempt has a key that tells neither run nor task. Each rater has an order of their own, always the
    same for the same name, and is told nothing of the other raters' labels.

    Args:
        runs: Folders of runs of track 2.

    Raises:
        RunError: A run is missing or broken, or its labels are being written by another process.
        UsageError: A run is given twice or not fit to be looked at, or there is nothing to look at.
    """

    def __init__(self, runs: Sequence[Path]) -> None:
        if len({run.resolve() for run in runs}) != len(runs):
            raise UsageError("expected each run once, got one twice")
        shown = [trajectory for run in runs for trajectory in read_trajectories(run)]
        if not shown:
            raise UsageError(
                "expected an attempt that came to its end, got none: there is nothing to look at"
            )
        self._turn = threading.Lock()
        self._trajectories = {secrets.token_hex(8): trajectory for trajectory in shown}
        self._labels: dict[tuple[str, str], LabelRecord] = {}
        self._logs: dict[Path, LineLog[LabelRecord]] = {}
        with ExitStack() as stack:
            for run in runs:
                self._logs[run] = stack.enter_context(open_labels(run))
            self._stack = stack.pop_all()
        self._read_labels()

    def __getitem__(self, key: str) -> Trajectory:
        """The attempt of that key.

        Raises:
            KeyError: There is none.
        """
        return self._trajectories[key]

    def __len__(self) -> int:
        return len(self._trajectories)

    def order(self, rater: str) -> tuple[str, ...]:
        """Every key, shuffled by the rater's name."""

        def place(key: str) -> bytes:
            shown = self._trajectories[key]
            text = "\0".join((rater, shown.task_id, shown.started, shown.run.resolve().name))
            return hashlib.sha256(text.encode(errors="surrogateescape")).digest()

        return tuple(sorted(self._trajectories, key=place))

    def label(self, key: str, rater: str) -> LabelRecord | None:
        """What that rater said last of the attempt; None where they have said nothing."""
        return self._labels.get((key, rater))

    def labelled(self, rater: str) -> int:
        """Of how many attempts the rater has said something."""
        return sum(name == rater for _, name in self._labels)

    def say(self, key: str, rater: str, word: Annotation) -> None:
        """Adds a line to the run's labels; it is on the disk when this returns.

        Raises:
            KeyError: There is no attempt of that key.
            RunError: There is no room for the line.
        """
        shown = self._trajectories[key]
        record = LabelRecord(
            task_id=shown.task_id,
            attempt=shown.attempt,
            rater=rater,
            kind="person",
            at=datetime.now(BEIJING).isoformat(timespec="seconds"),
            **word.model_dump(),
        )
        with self._turn:
            self._logs[shown.run].append(record)
            self._labels[key, rater] = record

    def raters(self) -> tuple[str, ...]:
        """Everybody who has said something, persons and judges, sorted."""
        return tuple(sorted({rater for _, rater in self._labels}))

    def agreements(self) -> tuple[PairAgreement, ...]:
        """How far each two raters agree over the runs of this sitting; the rule counts as one."""
        answers: dict[str, dict[str, bool | None]] = {rater: {} for rater in self.raters()}
        for (key, rater), label in self._labels.items():
            answers[rater][key] = _ANSWERS[label.success]
        ruled: dict[str, bool | None] = {
            key: shown.success_by_rule
            for key, shown in self._trajectories.items()
            if shown.success_by_rule is not None
        }
        return agreements(answers | {RULE: ruled})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _read_labels(self) -> None:
        """Takes in what was said before; what was said of another attempt at a task is no answer here."""
        keys = {(shown.run, shown.task_id, shown.attempt): key for key, shown in self._trajectories.items()}
        for run, log in self._logs.items():
            for label in log.lines:
                key = keys.get((run, label.task_id, label.attempt))
                if key is not None:
                    self._labels[key, label.rater] = label
