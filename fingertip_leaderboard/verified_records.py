"""What verified.json holds: only what was recomputed, with all that a page without the dataset needs."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from fingertip_dataset.frozen_model import FrozenModel
from fingertip_dataset.parquet.manifest import BuildSource
from fingertip_leaderboard.bundle.schema import AgentCard, Sha256
from fingertip_runs.device_kinds import DeviceKindName

RESULTS_VERSION = 2
"""Of verified.json. A newer one is refused; version 1 is read, and does not say what tasks showed."""

ScoreKind = Literal["sim1", "sr1", "execution"]
"""What a table is of. Sim_1 hangs on an embedder and SR_1 on a judge, so each has tables of its own."""


class Score(FrozenModel):
    """A mean with its interval over users, by the rule of `fingertip_metrics.aggregate`.

    Attributes:
        mean: Over the tasks for which it is defined; None where it is for none.
        low: Lower end; None where there is none: of one user, or where all users have the same mean.
        high: Upper end; likewise.
        n: Tasks in the mean.
        undefined: Tasks without a value.
        users: With a value.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int = Field(ge=0)
    undefined: int = Field(ge=0)
    users: int = Field(ge=0)


class GroupRow(FrozenModel):
    """A row of a breakdown: its name (None where no table says it) and the scores of its tasks."""

    group: str | None
    tasks: int = Field(gt=0)
    scores: dict[str, Score]


class ShownSetting(FrozenModel):
    """What tasks show every agent of a table; what a track does not have is as in the paper.

    Attributes:
        screenshots: Track 1: first screens.
        history: Track 1: how many earlier intents.
        history_model: Track 1: who picks and sums them up; None for nobody.
        without: Track 1: what is hidden, sorted.
        distribution: Track 1: whether several intents are asked for.
        reference: Track 2: whose earlier way is shown.
        step_limit_factor: Track 2: of the golden steps, where an agent is stopped.
    """

    screenshots: int = Field(default=0, ge=0, le=3)
    history: str = "20"
    history_model: str | None = None
    without: tuple[str, ...] = ()
    distribution: bool = False
    reference: str = "same_user"
    step_limit_factor: float = 2.5


class Conditions(FrozenModel):
    """What must be equal for two submissions to stand in one table.

    Attributes:
        track: Of the benchmark.
        measure: What the table is of.
        data_sha256: Of the dataset.
        split: Of it.
        provenance: Of its screens: "recorded", "simulated", ...
        split_method: How it was split.
        protocol: "release" or "paper": how the scores are taken.
        answers: Track 1: which text of an answer is scored, "raw" or "read".
        history: "online" or "strict": which earlier episodes an agent may see.
        device: Track 2: what the tasks were carried out on.
        faults: Track 2: what went wrong on purpose on simulated phones.
        decided_by: The embedder of Sim_1, the judge of SR_1; on track 2 who says that a task is done.
        sample: Tasks of people's sample of the test; None where all tasks were asked.
        told: What the tasks show; None in results of version 1, which do not say it.
        as_the_paper: Whether the tasks are the authors' own test and the scores were taken as the paper's:
            only then do published rows of the same setting stand beside.
    """

    track: Literal["suggestion", "execution"]
    measure: ScoreKind
    data_sha256: Sha256
    split: str
    provenance: str
    split_method: str
    protocol: Literal["release", "paper"]
    answers: Literal["raw", "read"] | None = None
    history: str
    device: DeviceKindName | None
    faults: tuple[str, ...]
    decided_by: str
    sample: int | None = Field(default=None, gt=0)
    told: ShownSetting | None = None
    as_the_paper: bool = False


class Submission(FrozenModel):
    """One bundle that was verified.

    Attributes:
        sha256: Of its bundle.json, which names the sha256 of all else.
        file: Name of the bundle's file or folder.
        made: When, as the bundle says, in ISO 8601.
        card: Who it is, as the submitter says.
        agent: Name of the agent that ran.
        settings: Of that agent.
        conditions: Of every table that it stands in.
        told: What its tasks showed the agent, in words.
        scores: Recomputed; the names are those of `fingertip_leaderboard.score_columns.SCORES`.
        values: A value a task behind those scores that can be compared pairwise, in the order of the
            benchmark's task ids; None where undefined.
        by: "app", "category", "difficulty", "user type" -> rows.
        seconds: Of the agent, a task.
        tokens: Read and written, a task; None where the model does not say.
        counts: What else was counted: name -> tasks.
        caveats: Why the numbers cannot stand next to the paper's; empty where they can.
        remarks: What else must be known of them.
        source: The code that ran.
    """

    sha256: Sha256
    file: str
    made: str
    card: AgentCard
    agent: str
    settings: dict[str, JsonValue]
    conditions: tuple[Conditions, ...] = Field(min_length=1)
    told: str
    scores: dict[str, Score]
    values: dict[str, tuple[float | None, ...]]
    by: dict[str, tuple[GroupRow, ...]]
    seconds: float = Field(ge=0)
    tokens: float | None = Field(ge=0)
    counts: dict[str, int]
    caveats: tuple[str, ...]
    remarks: tuple[str, ...]
    source: BuildSource

    @property
    def name(self) -> str:
        """What it is called in an address: the head of its sha256."""
        return self.sha256[:12]


class RefusalRecord(FrozenModel):
    """One reason: what is wrong, in which file and line of the bundle, and of what kind."""

    file: str
    line: int | None
    reason: str
    kind: str


class Refused(FrozenModel):
    """A bundle that is not on the board.

    Attributes:
        sha256: Of its bundle.json; None where it cannot be read.
        file: Name of its file or folder.
        reasons: At least one, and at most `results.MOST_REASONS`.
        more: Further ones.
    """

    sha256: Sha256 | None
    file: str
    reasons: tuple[RefusalRecord, ...] = Field(min_length=1)
    more: int = Field(ge=0)


class Benchmark(FrozenModel):
    """A dataset that scores were recomputed on.

    Attributes:
        data_sha256: Which.
        name: As its folder is called.
        task_ids: Track -> ids of its test's tasks, in the order of `Submission.values`.
    """

    data_sha256: Sha256
    name: str
    task_ids: dict[str, tuple[str, ...]]


class VerifiedResults(FrozenModel):
    """verified.json.

    Attributes:
        LATEST: Version that is written; a newer one is refused.
        version: Of this file.
        checked: When the last bundle was verified, in ISO 8601 with its zone.
        source: The code that verified. Other code verifies anew.
        benchmarks: The datasets, by name.
        given: File or folder of each bundle that was looked at -> sha256 over all that is in it.
        submissions: Verified.
        refused: Not verified.
    """

    LATEST: ClassVar[int] = RESULTS_VERSION

    version: Literal[1, 2] = 2
    checked: str
    source: BuildSource
    benchmarks: tuple[Benchmark, ...]
    given: dict[str, Sha256]
    submissions: tuple[Submission, ...]
    refused: tuple[Refused, ...]

    def benchmark(self, data_sha256: str) -> Benchmark:
        """The dataset of that sha256, which a submission of this file names."""
        return next(found for found in self.benchmarks if found.data_sha256 == data_sha256)
