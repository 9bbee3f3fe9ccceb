"""The record of a hidden test, which is all that leaves the machine: aggregate scores of one agent.

It holds no task, no value of a single task, and no hash of anything public that tasks could be guessed from.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import BaseModel, Field, JsonValue

from fingertip_dataset.errors import RunError, UsageError
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.manifest import BuildSource
from fingertip_dataset.release.problems import printable
from fingertip_dataset.track import Track
from fingertip_leaderboard.bundle.lines import Sha256
from fingertip_leaderboard.bundle.schema import AgentCard
from fingertip_leaderboard.hidden_secret import HiddenSecret
from fingertip_leaderboard.results_file import check_outside, read_bounded
from fingertip_leaderboard.task_lists import TaskList
from fingertip_leaderboard.verified_records import TASK_LIST_OF, Score, ScoreKind, ShownSetting
from fingertip_models.prices import Prices
from fingertip_runs.line_log import validate_json
from fingertip_runs.run_folder import write_json

RECORD_VERSION = 3
"""Version of the record's layout."""
BENCHMARK_VERSION = 1
"""Version of the hidden benchmark: of its tasks and of how they are scored. It is part of the seed."""
AGAIN = "`fingertip hidden-test`"

LARGEST_RECORD = 1 << 20
"""Maximum size of a record's file in bytes."""

HIDDEN = "hidden-tests.json"
"""File of a Space with the records that it shows."""


class HiddenBenchmark(FrozenModel):
    """The private benchmark, without anything about its tasks.

    Attributes:
        version: Version of the benchmark.
        users: Number of simulated people.
        episodes: Number of episodes of each.
        screen: Width and height of their phones, px.
        commitment: Hash of the secret; see `HiddenSecret.commitment`.
        tasks_mac: Keyed hash of the dataset: the same for the same tasks, and checked only with the secret.
    """

    version: int = Field(ge=1)
    users: int = Field(ge=1)
    episodes: int = Field(ge=1)
    screen: tuple[int, int]
    commitment: Sha256
    tasks_mac: Sha256


class InstalledPackage(FrozenModel):
    """The package of an installed agent.

    Attributes:
        name: Name of the distribution.
        version: Its version.
        isolated: Whether it ran in a sandboxed process; otherwise in that with the targets and the secret.
    """

    name: str = Field(max_length=200)
    version: str = Field(max_length=200)
    isolated: bool

    @property
    def remark(self) -> str:
        """Sentence for the board on what the agent could have read."""
        what = (
            "it ran isolated from the targets"
            if self.isolated
            else "it ran beside the targets and could have read them"
        )
        return f"installed agent of {self.name} {self.version}: {what}; tokens are its own count"


class HiddenRow(FrozenModel):
    """The aggregate scores of one track.

    Attributes:
        track: Track of the benchmark.
        measure: Kind of table.
        protocol: Scoring protocol, "release" or "paper".
        history: "online" or "strict": which earlier episodes the agent could see.
        decided_by: Embedder of Sim_1, or the decider of task success.
        told: Task view.
        agent: Name of the agent that ran.
        installed: Package of an installed agent; None for this package's own agents, also around an endpoint.
        settings: Settings of that agent.
        tasks: Number of tasks.
        users: Number of people that they belong to.
        scores: Score -> its mean with its interval, rounded to `DIGITS`.
        counts: Further counts: name -> number of tasks.
        tokens: Prompt and completion tokens per task, rounded; None if the model does not report them.
        cost: Cost of all tokens; None without prices or token counts.
        prices: Token prices that the maintainer gave; None without prices.
        caveats: Reasons why the scores cannot be compared with the paper's.
        remarks: Further notes on the scores.
    """

    DIGITS: ClassVar[int] = 4

    track: Track
    measure: ScoreKind
    protocol: str
    history: str
    decided_by: str
    told: ShownSetting
    agent: str
    installed: InstalledPackage | None
    settings: dict[str, JsonValue]
    tasks: int = Field(gt=0)
    users: int = Field(gt=0)
    scores: dict[str, Score]
    counts: dict[str, int]
    tokens: int | None = Field(ge=0)
    cost: float | None = Field(default=None, ge=0)
    prices: Prices | None = None
    caveats: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def task_list(self) -> TaskList:
        """Which tasks were run."""
        return TASK_LIST_OF[self.measure]


class HiddenResult(FrozenModel):
    """Part of a record that a deterministic agent gets again: the benchmark, the agent, a row per track.

    Attributes:
        benchmark: The private benchmark.
        card: The maintainer's description of the agent.
        rows: Aggregate scores, at most one per track.
        source: The code that made the benchmark, ran the agent and scored it.
    """

    benchmark: HiddenBenchmark
    card: AgentCard
    rows: tuple[HiddenRow, ...] = Field(min_length=1, max_length=2)
    source: BuildSource


class Measured(FrozenModel):
    """Part of a record that differs from run to run.

    Attributes:
        made: Time in ISO 8601 at which the record was made.
        seconds: `HiddenRow.task_list` -> agent seconds per task.
    """

    made: str
    seconds: dict[TaskList, float]


class HiddenTestRecord(FrozenModel):
    """The content of a record's file.

    Attributes:
        version: Version of the layout.
        result: The part that a deterministic agent gets again.
        measured: Seconds and dates.
        sha256: Hash over result and measured, by which the board finds an edited record.
        mac: Keyed hash of the same, by which the maintainer finds one whose hash was made again.
    """

    version: Literal[3] = 3
    result: HiddenResult
    measured: Measured
    sha256: Sha256
    mac: Sha256

    def row(self, track: TaskList) -> HiddenRow | None:
        """The row of a track or of the moments, or None if these were not run."""
        return next((row for row in self.result.rows if row.task_list == track), None)


def leave_learned_out(settings: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Settings without numbers that our agents learned from the private moments: these tell about people."""
    learned = settings.get("learned_from")
    return dict(settings) if learned is None else {"moments": True, "learned_from": learned}


def record_content(result: HiddenResult, measured: Measured) -> bytes:
    """The bytes that the hashes of a record are over."""
    fields = {"result": result.model_dump(mode="json"), "measured": measured.model_dump(mode="json")}
    return json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def read_hidden_record(file: Path) -> HiddenTestRecord:
    """Read a record and check its version and its hash.

    Raises:
        RunError: The file cannot be read, is no record, is of another version, or was edited.
    """
    text = read_bounded(file, LARGEST_RECORD, "the record", kind=RunError)
    kind = "a record that `fingertip hidden-test` wrote"
    version = validate_json(_RecordHead, text, file, expected=kind).version
    if version != RECORD_VERSION:
        raise RunError(
            f"expected a record of version {RECORD_VERSION}, got {version}: run {AGAIN} again",
            file=file,
        )
    return _check_version_and_hash(validate_json(HiddenTestRecord, text, file, expected=kind), file)


def _check_version_and_hash(record: HiddenTestRecord, file: Path) -> HiddenTestRecord:
    if record.result.benchmark.version != BENCHMARK_VERSION:
        raise RunError(
            f"expected a hidden benchmark of version {BENCHMARK_VERSION}, got "
            f"{record.result.benchmark.version}: run {AGAIN} again",
            file=file,
        )
    if hashlib.sha256(record_content(record.result, record.measured)).hexdigest() != record.sha256:
        raise RunError(f"the record was edited: its hash is another one; run {AGAIN} again", file=file)
    tracks = [row.task_list for row in record.result.rows]
    if len(set(tracks)) < len(tracks):
        raise RunError("the record has two rows of one track", file=file)
    return record


def problem_with_secret(record: HiddenTestRecord, secret: HiddenSecret) -> str | None:
    """Why a record is not one that the holder of a secret made; None if it is."""
    if record.result.benchmark.commitment != secret.commitment:
        return "of another secret"
    mac = secret.mac("record", record_content(record.result, record.measured))
    return None if hmac.compare_digest(mac, record.mac) else "changed by somebody without the secret"


def read_hidden_records(
    files: Sequence[Path], submissions: Path | None, secrets: Sequence[HiddenSecret]
) -> tuple[HiddenTestRecord, ...]:
    """Read the records that a board's maintainer names, and check that they were made with a secret.

    Args:
        files: Files of records.
        submissions: Folder of the bundles; None if none is read. A record in it is refused, because
            submitters write there.
        secrets: Secrets of the records.

    Raises:
        UsageError: A record lies in `submissions` or among bundles, or two are of the same agent and
            commitment.
        RunError: A record cannot be read, is of another version, was edited, or is of none of the secrets.
    """
    for file in files:
        check_outside(file)
        if submissions is not None and _lies_in(file, submissions):
            raise UsageError(
                "a record in the folder of submissions may be a submitter's: keep those that you made "
                "elsewhere, and name them there",
                file=file,
            )
    records = [(read_hidden_record(file), file) for file in files]
    for record, file in records:
        check_secret(record, secrets, file)
    return _refuse_twins(records)


def check_secret(record: HiddenTestRecord, secrets: Sequence[HiddenSecret], file: Path | None = None) -> None:
    """Check that a record was made with one of the secrets.

    Args:
        record: The record.
        secrets: The secrets.
        file: Its file, for messages.

    Raises:
        RunError: It is of none of them, or was changed.
    """
    commitment = record.result.benchmark.commitment
    secret = next((secret for secret in secrets if secret.commitment == commitment), None)
    if secret is None:
        raise RunError(
            f"the record is of none of the given secrets: its commitment is {commitment[:12]}...", file=file
        )
    problem = problem_with_secret(record, secret)
    if problem is not None:
        raise RunError(f"the record was {problem}; run {AGAIN} again", file=file)


def write_shown(records: Sequence[HiddenTestRecord], file: Path) -> None:
    """Write the records of a Space, or remove the file if there are none.

    Raises:
        RunError: The file cannot be written.
    """
    if records:
        write_json(file, {"records": [record.model_dump(mode="json") for record in records]})
    else:
        file.unlink(missing_ok=True)


def read_shown(file: Path) -> tuple[HiddenTestRecord, ...]:
    """Read the records of a Space, with the checks of each; none without the file.

    Raises:
        RunError: The file cannot be read, or a record is refused.
        UsageError: Two records are of the same agent and commitment.
    """
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise RunError(f"the records cannot be read: {error.strerror or error}", file=file) from error
    records = validate_json(_Shown, text, file, expected="records of hidden tests").records
    return _refuse_twins([(_check_version_and_hash(record, file), file) for record in records])


def _lies_in(file: Path, folder: Path) -> bool:
    """Whether a file lies in a folder, itself or as a link."""
    return any(
        path.is_relative_to(folder.resolve()) for path in (file.resolve(), file.parent.resolve() / file.name)
    )


def _refuse_twins(records: Sequence[tuple[HiddenTestRecord, Path]]) -> tuple[HiddenTestRecord, ...]:
    """The records, of which no two may be of the same agent, track and commitment."""
    found: dict[tuple[str, str, str], Path] = {}
    for record, file in records:
        name, commitment = record.result.card.name, record.result.benchmark.commitment
        for row in record.result.rows:
            key = commitment, row.task_list, name.casefold()
            if key in found:
                raise UsageError(
                    f"{found[key]} is also of the agent {printable(name)} on track {row.task_list} with this "
                    "commitment: leave one of them out",
                    file=file,
                )
            found[key] = file
    return tuple(record for record, _ in records)


class _Shown(FrozenModel):
    records: tuple[HiddenTestRecord, ...]


class _RecordHead(BaseModel):
    version: int
