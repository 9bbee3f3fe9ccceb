"""Check a run before its bundle is made: whether boards refuse it, and what counts against it.

The rules are those of the verifier: `check_data` for data, versions and settings, and the tasks that it
restores from the dataset. A run that every board refuses is an error of the call; the rest is noted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from execution_runner.execution_log import read_attempts
from execution_runner.execution_log import read_run as read_execution_run
from execution_runner.execution_records import ERRORS, ExecutionRun
from fingertip_dataset.errors import DatasetError, RunError, UsageError
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_dataset.release.problems import printable
from fingertip_leaderboard.bundle.refusal import RefusalKind, Refusals
from fingertip_leaderboard.verify.checks.check_tries import find_missing_tries
from fingertip_leaderboard.verify.checks.coverage import check_data, find_wrong_split
from fingertip_leaderboard.verify.restored_targets import (
    restore_execution,
    restore_suggestion_targets,
)
from fingertip_recorder.published_sample import DATA_SHA256
from fingertip_runs.cells import DIGEST
from fingertip_runs.run_folder import track_of
from suggestion_runner.prediction_log import read_predictions
from suggestion_runner.prediction_log import read_run as read_suggestion_run
from suggestion_runner.suggestion_records import CUT, FAILED, Prediction, SuggestionRun

AnyRun = SuggestionRun | ExecutionRun

SHOWN = 3
"""Largest number of missing tasks that are named."""

REFUSED = "every board refuses this run"
"""Beginning of the notes on a run that no board shows."""

WHOLE = "run it on the whole test: without --limit, --sample, --task and --only-users, with another --out"


def check_submittable(tries: Sequence[Path], dataset: Path | None, *, partial: bool) -> tuple[str, ...]:
    """Check the tries of a run, of which most have one.

    Args:
        tries: Folders of the tries.
        dataset: The dataset of the run; None for the one that the run names, if it is there.
        partial: Whether a run of a part of the test passes, with a note.

    Returns:
        Notes on what a board will do with it.

    Raises:
        RunError: A try is not finished or broken.
        UsageError: Every board refuses it.
    """
    records = [read_either_run(one) for one in tries]
    notes: list[str] = []
    refusals = [*filter(None, (find_missing_tries(records), find_wrong_split(records[0])))]
    for folder, record in zip(tries, records, strict=True):
        ended, found = _read_ends(folder)
        _check_finished(folder, record, ended)
        notes += [*found, *_note_answerers(record)]
        built = _open_dataset(dataset or Path(record.dataset.path))
        if built is None:
            notes.append(
                f"the dataset {printable(record.dataset.path, 200)} is not there, so nobody has checked that "
                "the run has every task of the test: --dataset DATASET names it"
            )
            refusals += _refuse_selection(record)
        else:
            refused, found = _compare(record, ended, built)
            refusals += refused
            notes += found
    if refusals and not partial:
        words = "; ".join(dict.fromkeys(refusals))
        raise UsageError(f"{REFUSED}: {words}; --partial makes the bundle all the same", file=tries[0])
    notes += [f"{REFUSED}: {one}" for one in refusals]
    return tuple(dict.fromkeys(notes))


def is_refused(notes: Sequence[str]) -> bool:
    """Whether the notes of `check_submittable` say that no board shows the run."""
    return any(note.startswith(REFUSED) for note in notes)


def read_either_run(folder: Path) -> AnyRun:
    """Read the record of a run of either track."""
    return read_execution_run(folder) if track_of(folder) == "execution" else read_suggestion_run(folder)


def _read_ends(folder: Path) -> tuple[list[str], list[str]]:
    """Ids of the tasks that are over, and notes on those that count as not done."""
    if track_of(folder) == "execution":
        ends = [attempt.end for attempt in read_attempts(folder)]
        failed = sum(end.outcome in ERRORS for end in ends)
        words = "attempts that an error ended, which count as not done"
        return [end.task_id for end in ends], [f"{failed} of {len(ends)} {words}"] if failed else []
    predictions = read_predictions(folder)
    return [one.task_id for one in predictions], list(_note_answers(predictions))


def _note_answers(predictions: Sequence[Prediction]) -> Iterator[str]:
    counts = {
        "answers that the limit of tokens cut off, which count as they are": CUT,
        "tasks whose query failed, which count as not answered": FAILED,
    }
    for words, outcome in counts.items():
        if count := sum(one.outcome.startswith(outcome) for one in predictions):
            yield f"{count} of {len(predictions)} {words}"


def _note_answerers(record: AnyRun) -> Iterator[str]:
    """Note that nobody can make the replies of a run again."""
    if isinstance(record, ExecutionRun) and record.answered_by in ("model", "human"):
        who = "a model" if record.answered_by == "model" else "people"
        yield f"questions were answered by {who}: a board shows the run on your word, in a table of its own"


def _check_finished(folder: Path, record: AnyRun, ended: Collection[str]) -> None:
    if len(ended) >= record.tasks:
        return
    command = "suggest" if isinstance(record, SuggestionRun) else "phone" if record.attached else "execute"
    raise RunError(
        f"the run is not finished ({len(ended)} of {record.tasks} tasks), and a board takes whole runs: the "
        f"same `fingertip {command}` call goes on with it",
        file=folder,
    )


def _open_dataset(path: Path) -> BuiltDataset | None:
    try:
        return BuiltDataset.open(path)
    except DatasetError:
        return None


def _refuse_selection(record: AnyRun) -> list[str]:
    """Refuse what a record alone says to be a part of the test that nobody takes."""
    selection = record.selection if isinstance(record, SuggestionRun) else None
    if selection is None or selection.users or selection.kind == "sample":
        return []
    return [f"it has {selection.describe(record.tasks)}: {WHOLE}"]


def _compare(record: AnyRun, ended: Collection[str], built: BuiltDataset) -> tuple[list[str], list[str]]:
    """Refusals and notes of a run on this dataset."""
    if record.dataset.data_sha256 != built.manifest.data_sha256:
        ours, theirs = built.manifest.data_sha256[:DIGEST], record.dataset.data_sha256[:DIGEST]
        words = f"the dataset {built.path} has other data ({ours}) than the run ({theirs})"
        return [], [f"{words}, so nobody has checked that the run has every task of the test"]
    found = Refusals()
    check_data(record, built, found)
    refusals = [_describe(one.kind, one.reason) for one in found.refusals]
    if not any(one.kind == RefusalKind.NOT_A_TEST for one in found.refusals):
        refusals += _find_missing_tasks(record, ended, built)
    notes = []
    if record.dataset.provenance == "simulated" and record.dataset.data_sha256 != DATA_SHA256:
        notes.append(
            f"the run is of simulated people of your own (data {record.dataset.data_sha256[:DIGEST]}), not "
            f"of fingertip-sim (data {DATA_SHA256[:DIGEST]}): only a board with the same data takes it"
        )
    return refusals, notes


def _describe(kind: RefusalKind, reason: str) -> str:
    return f"{reason}: {WHOLE}" if kind == RefusalKind.NOT_A_TEST else reason


def _find_missing_tasks(record: AnyRun, ended: Collection[str], built: BuiltDataset) -> list[str]:
    if find_wrong_split(record) or record.split not in built.manifest.splits:
        return []
    expected: Collection[str] = (
        restore_execution(built, record).tasks
        if isinstance(record, ExecutionRun)
        else restore_suggestion_targets(built, record)
    )
    known = set(ended)
    missing = [task_id for task_id in expected if task_id not in known]
    if not missing:
        return []
    names = ", ".join(missing[:SHOWN]) + (", ..." if len(missing) > SHOWN else "")
    return [f"{len(missing):,} of the {len(expected):,} tasks of the test are missing ({names}): {WHOLE}"]
