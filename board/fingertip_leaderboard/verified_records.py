"""Records of verified.json: recomputed results, complete enough for a page without the dataset."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from fingertip_dataset.frozen_model import FrozenModel, OmitDefaults
from fingertip_dataset.parquet.manifest import BuildSource
from fingertip_dataset.split_names import TEST_LONG
from fingertip_dataset.tasks.step_limit import STEP_LIMIT_FACTOR
from fingertip_dataset.track import Track
from fingertip_leaderboard.bundle.lines import Sha256
from fingertip_leaderboard.bundle.schema import AgentCard
from fingertip_leaderboard.evidence import Evidence
from fingertip_leaderboard.task_lists import TaskList
from fingertip_leaderboard.verify.copies import MarkKind, describe_mark
from fingertip_runs.device_kinds import DeviceKindName
from simulated_phone.dialogue.dialogue_kinds import AnsweredBy, Level

RESULTS_VERSION = 3
"""Version of verified.json; others are refused. Earlier ones do not say what each score rests on."""

SHORTEST = "shortest path"
"""Grouping of track 2 by the fewest steps to the goal, in the bins of difficulty; simulated phones only."""

KNOWN_FROM = "known from"
"""Grouping by the hardest source of a task's arguments, where its instruction leaves them out."""

SIMULATED_SPLITS = (KNOWN_FROM, SHORTEST, "language", "trouble")
"""Groupings that only tasks on simulated phones have, in the order of pages."""

ScoreKind = Literal["sim1", "sr1", "execution", "moments", "asking"]
"""Kind of table. Sim_1 depends on an embedder and SR_1 on a judge, so each has its own tables."""

TASK_LIST_OF: Mapping[ScoreKind, TaskList] = MappingProxyType(
    {
        "sim1": "suggestion",
        "sr1": "suggestion",
        "execution": "execution",
        "moments": "moments",
        "asking": "asking",
    }
)
"""Kind of table -> the list of its tasks."""


class Score(FrozenModel):
    """A mean with its interval over users, by the rule of `fingertip_metrics.aggregate`.

    Attributes:
        mean: Mean over the tasks with a value; None if no task has one.
        low: Lower end of the interval; None with one user, or if all users have the same mean.
        high: Upper end of the interval; None if `low` is.
        n: Number of tasks in the mean.
        undefined: Number of tasks without a value.
        users: Number of users with a value.
        best: For SR_1 and SR_2, the mean if each task without a decision were done; the mean itself is the
            worst case. None for other scores, and if there is no mean.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int = Field(ge=0)
    undefined: int = Field(ge=0)
    users: int = Field(ge=0)
    best: float | None = None


class GroupRow(FrozenModel):
    """A row of a breakdown: the group's name (None if unknown), its number of tasks and their scores."""

    group: str | None
    tasks: int = Field(gt=0)
    scores: dict[str, Score]


class ShownSetting(OmitDefaults):
    """Task view shared by all submissions of a table; fields of the other track keep the paper's values.

    Attributes:
        screenshots: Track 1: number of first screens.
        history: Track 1: history setting, such as the number of earlier intents.
        history_model: Track 1: model that selects and summarizes earlier intents.
        without: Track 1: names of the hidden inputs, sorted.
        distribution: Track 1: whether the prompt asks for several intents with probabilities.
        reference: Track 2: kind of the reference episode.
        step_limit_factor: Track 2: step limit as a multiple of the golden steps.
        more: Track 2: parts beyond equation (2) that the agent gets, such as what a memory recalls.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"more"})

    screenshots: int = Field(default=0, ge=0, le=3)
    history: str = "20"
    history_model: str | None = None
    without: tuple[str, ...] = ()
    distribution: bool = False
    reference: str = "same_user"
    step_limit_factor: float = STEP_LIMIT_FACTOR
    more: tuple[str, ...] = ()


class Conditions(OmitDefaults):
    """Conditions that must be equal for two submissions to be in one table.

    Attributes:
        track: Track of the benchmark.
        measure: Kind of table.
        data_sha256: sha256 of the dataset.
        split: Split that was run.
        provenance: Origin of the dataset's screens: "recorded", "simulated", ...
        split_method: Method by which the dataset was split.
        protocol: Scoring protocol, "release" or "paper".
        answers: Track 1: which text of an answer is scored, "raw" or "read".
        history: "online" or "strict": which earlier episodes an agent may see.
        device: Track 2: kind of device that ran the tasks.
        faults: Track 2: faults that were injected into simulated phones.
        decided_by: Embedder of Sim_1, judge of SR_1, or on track 2 the deciders of task success.
        sample: Number of tasks in a human sample of the test; None if all tasks were run.
        people: Language of the people whose tasks were run, as an ISO 639 code; "" for all people.
        told: Task view.
        evidence: What the score that ranks the table rests on.
        as_the_paper: Whether the tasks are the authors' own test and the scores were taken as the paper's:
            only then are published rows of the same setting in the table.
        versions: Versions of harness, phone, suite and people, in words; "" for runs without them.
        attached: Track 2: whether the agents drove the phone themselves, so that their steps are what the
            phone saw.
        outdated: Whether the runs record no versions, or a harness before the verifier's: their rows have no
            rank, so that nobody is first in a table of an own version.
        moments_sha256: sha256 of the dataset's moments; "" for runs of episodes.
        ceiling: Highest expected utility on these moments, by the generator's own odds; None for episodes.
        instructions: Track 2: how much the instructions say; "full" for what people wrote.
        answered_by: Track 2: who answers questions; None if nobody does.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset(
        {"moments_sha256", "ceiling", "instructions", "answered_by"}
    )

    track: Track
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
    people: str = ""
    told: ShownSetting
    evidence: Evidence
    as_the_paper: bool = False
    versions: str = ""
    attached: bool = False
    outdated: bool = False
    moments_sha256: Sha256 | Literal[""] = ""
    ceiling: float | None = None
    instructions: Level = "full"
    answered_by: AnsweredBy | None = None

    @property
    def task_list(self) -> TaskList:
        """Name of the tasks in `Benchmark.task_ids`."""
        return "long" if self.split == TEST_LONG else TASK_LIST_OF[self.measure]


class Submission(OmitDefaults):
    """A verified bundle.

    Attributes:
        sha256: sha256 of its bundle.json, which names that of every other file.
        file: Name of the bundle's file or folder.
        made: Time in ISO 8601 at which the bundle was made, according to the bundle.
        card: The submitter's description of the agent.
        agent: Name of the agent that ran.
        settings: Settings of that agent.
        conditions: Conditions of every table that has this submission.
        told: Task view in words.
        scores: Recomputed scores; the names are those of `fingertip_leaderboard.score_columns.SCORES`.
        evidence: What each score rests on, by its name, and also "seconds", "tokens" and, on track 2,
            "device".
        values: Score -> its value for each task, in the order of the benchmark's task ids, for the scores
            that are compared pairwise; None where undefined.
        by: Breakdowns: "app", "category", "difficulty", "user type", those of `SIMULATED_SPLITS`, and under
            instructions that leave arguments out "known from" -> rows.
        seconds: Agent seconds per task; None if nobody measured them.
        tokens: Prompt and completion tokens per task; None if the model does not report them.
        cost: Price of the tokens per task, in `currency`; None without prices or token counts.
        currency: Currency of the prices that the submitter gave; None without prices.
        counts: Further counts: name -> number of tasks.
        caveats: Reasons why the scores cannot be compared with the paper's; empty if they can.
        remarks: Further notes on the scores.
        source: The code that ran.
        submitted: When the bundle was submitted, in words; None if the order is unknown.
        page: Address of the public bundle, with every step and output; None if it is unknown.
        marks: What it has in common with other submissions.
        kept: The maintainers' reason to keep it in spite of its marks; None without a decision.
        repeats: Number of tries of each task; above 1 scores are means over them, and seconds, tokens and
            cost are those of a try.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"repeats"})

    sha256: Sha256
    file: str
    made: str
    card: AgentCard
    agent: str
    settings: dict[str, JsonValue]
    conditions: tuple[Conditions, ...] = Field(min_length=1)
    told: str
    scores: dict[str, Score]
    evidence: dict[str, Evidence]
    values: dict[str, tuple[float | None, ...]]
    by: dict[str, tuple[GroupRow, ...]]
    seconds: float | None = Field(ge=0)
    tokens: float | None = Field(ge=0)
    cost: float | None = Field(default=None, ge=0)
    currency: str | None = None
    counts: dict[str, int]
    caveats: tuple[str, ...]
    remarks: tuple[str, ...]
    source: BuildSource
    submitted: str | None = None
    page: str | None = None
    marks: tuple[Mark, ...] = ()
    kept: str | None = None
    repeats: int = Field(default=1, ge=1)

    @property
    def name(self) -> str:
        """Name in URLs: the first 12 digits of its sha256."""
        return self.sha256[:12]

    @property
    def attached(self) -> bool:
        """Whether the agent drove the phone itself."""
        return any(one.attached for one in self.conditions)

    @property
    def undecided(self) -> bool:
        """Whether a person has to decide about its marks."""
        return bool(self.marks) and self.kept is None


class Mark(FrozenModel):
    """Likeness of a submission to another one; it is on both, and a person decides what follows.

    Attributes:
        kind: What they have in common: nearly equal answers, equal seconds, or names that look alike.
        other: sha256 of the other's bundle.json.
        same: Number of tasks in which they have it; 0 for a name.
        of: Number of comparable tasks; 0 for a name.
        earlier: Which of the two was submitted earlier.
    """

    kind: MarkKind
    other: Sha256
    same: int = Field(ge=0)
    of: int = Field(ge=0)
    earlier: Literal["this", "other", "unknown"]


def mark_text(mark: Mark, other: str) -> str:
    """A mark in words, with the name of the other submission.

    >>> mark_text(Mark(kind="answers", other="0" * 64, same=8, of=11, earlier="unknown"), "Habit")
    'answers nearly equal to Habit (8 of 11), order unknown'
    """
    earlier = {"this": "this one is earlier", "other": f"{other} is earlier", "unknown": "order unknown"}
    return f"{describe_mark(mark.kind, other, mark.same, mark.of)}, {earlier[mark.earlier]}"


class Removed(FrozenModel):
    """An accepted bundle that the maintainers took off the board.

    Attributes:
        sha256: sha256 of its bundle.json.
        file: Name of its file or folder.
        name: Name of its agent.
        reason: The maintainers' reason.
    """

    sha256: Sha256
    file: str
    name: str
    reason: str


class RefusalRecord(FrozenModel):
    """A reason for a refusal, with its file, line and kind."""

    file: str
    line: int | None
    reason: str
    kind: str


class Refused(FrozenModel):
    """A refused bundle.

    Attributes:
        sha256: sha256 of its bundle.json; None if it cannot be read.
        file: Name of its file or folder.
        reasons: Reasons, at least one and at most `verify_folder.MOST_REASONS`.
        more: Number of further reasons.
    """

    sha256: Sha256 | None
    file: str
    reasons: tuple[RefusalRecord, ...] = Field(min_length=1)
    more: int = Field(ge=0)


class Benchmark(FrozenModel):
    """A dataset on which scores were recomputed.

    Attributes:
        data_sha256: sha256 of the dataset.
        name: Name of its folder.
        task_ids: `TaskList` -> ids of its tasks, in the order of `Submission.values`; without those that the
            dataset does not have.
    """

    data_sha256: Sha256
    name: str
    task_ids: dict[str, tuple[str, ...]]


class VerifiedResults(FrozenModel):
    """The content of verified.json.

    Attributes:
        LATEST: Version that is written; others are refused.
        version: Version of this file.
        checked: Time of the last verification, in ISO 8601 with its zone.
        source: Version of the code that verified.
        benchmarks: The datasets, by name.
        given: File or folder name of each checked bundle -> sha256 over its whole content.
        submissions: Accepted bundles.
        refused: Refused bundles.
        removed: Bundles that the maintainers took off the board.
        order: Source of the order of submission, in words.
    """

    LATEST: ClassVar[int] = RESULTS_VERSION

    version: Literal[3] = 3
    checked: str
    source: BuildSource
    benchmarks: tuple[Benchmark, ...]
    given: dict[str, Sha256]
    submissions: tuple[Submission, ...]
    refused: tuple[Refused, ...]
    removed: tuple[Removed, ...] = ()
    order: str = "unknown"

    def benchmark(self, data_sha256: str) -> Benchmark:
        """The dataset with that sha256, which a submission of this file names."""
        return next(found for found in self.benchmarks if found.data_sha256 == data_sha256)
