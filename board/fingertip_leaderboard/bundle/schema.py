"""Schema of a bundle: the folder of a run without targets.jsonl and without private fields.

bundle.json is a `Bundle`, with the run's run.json in it. predictions.jsonl and steps.jsonl hold the run's own
records (`bundle.lines` bounds their sizes), verdicts.jsonl a `VerdictLine` per task, labels.jsonl a
`LabelRecord` per label. True intents and golden actions are not in it, because a verifier has the dataset.
docs/bundle.schema.json is generated from these classes.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, JsonValue, StringConstraints, create_model

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.success_labels import LabelRecord
from fingertip_dataset.frozen_model import FrozenModel, OmitDefaults
from fingertip_dataset.track import Track
from fingertip_leaderboard.bundle.bundle_files import HEAD_LIMIT
from fingertip_leaderboard.bundle.lines import LINES, Count, Moment, Output, Sha256, TaskId
from fingertip_metrics.judges.verdicts import JudgeProblem, State
from fingertip_runs.try_names import MOST_REPEATS
from suggestion_runner.suggestion_records import SuggestionRun

BUNDLE_VERSION = 3
"""Version of the layout; others are refused. In version 1 the answers had line formats of their own; in
version 2 the steps of a simulated phone had no `state_sha256`."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=100)]
ShortText = Annotated[str, StringConstraints(max_length=300)]
Link = Annotated[str, StringConstraints(max_length=300, pattern=r"^https://[^\s/@:]+\.[^\s/@:]+(/\S*)?$")]
"""An address with https, without a user or a port."""

Embedding = Literal["official", "lexical"]
"""Embedder names of `get_embedder` that a bundle may use: a verifier loads no other model."""


class StrictModel(FrozenModel):
    """Base of a bundle's records: frozen, without unknown fields, type conversion or nan."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)


class AgentCard(StrictModel):
    """The submitter's description of an agent on the leaderboard.

    Attributes:
        name: Displayed name.
        description: Description in a few sentences.
        weights: Whether the model's weights are public ("open") or not; "none" for an agent without a model.
        model: Model that the agent uses; None without a model.
        size: Size of the model, such as "7B" or "72B"; None if unknown.
        links: Links to the paper, code or weights.
        contact: E-mail address or https link of the submitter; it is displayed.
    """

    name: Name
    description: Annotated[str, StringConstraints(max_length=2_000)] = ""
    weights: Literal["open", "closed", "none"]
    model: Name | None = None
    size: Annotated[str, StringConstraints(pattern=r"^[0-9]{1,5}(\.[0-9]{1,3})?[MBT]$")] | None = None
    links: Annotated[tuple[Link, ...], Field(max_length=10)] = ()
    contact: Annotated[
        str, StringConstraints(max_length=200, pattern=r"^([^\s@]+@[^\s@]+\.[^\s@]+|https://\S+\.\S+)$")
    ]


class JudgeRecord(StrictModel):
    """The judge that gave the verdicts of SR_1.

    Attributes:
        name: Name that distinguishes it from other judges.
        settings: Settings that its verdicts depend on.
        why_not_comparable: Reason why its SR_1 cannot be compared with the paper's; None if it can.
        remark: Further note on the judge.
    """

    name: ShortText
    settings: dict[str, JsonValue]
    why_not_comparable: Annotated[str, StringConstraints(max_length=1_000)] | None
    remark: Annotated[str, StringConstraints(max_length=1_000)] | None


class SuggestionClaims(StrictModel):
    """Scores of track 1, as `fingertip score` gives them; the names are those of `Sim1` and `Sr1`.

    Attributes:
        protocol: Scoring protocol, "release" or "paper".
        embedder: Embedder of the cosine similarity.
        answers: Text that is scored: "raw", the agent's answer as given, or "read", the intent extracted from
            it. A bundle without this field predates "raw", so its default is "read".
        n: Number of tasks.
        unanswered: Number of tasks without an answer.
        sim1: Mean Sim_1.
        cosine: Mean cosine similarity.
        levenshtein: Mean text similarity.
        sr1: SR_1 over all tasks; None without a judge.
        unscored: Number of tasks without a verdict, which count as not done; None without a judge.
    """

    protocol: Literal["release", "paper"]
    embedder: Embedding
    answers: Literal["raw", "read"] = "read"
    n: Count
    unanswered: Count
    sim1: float
    cosine: float
    levenshtein: float
    sr1: float | None
    unscored: Count | None


class ExecutionClaims(StrictModel):
    """Scores of track 2, as `fingertip score` gives them.

    Attributes:
        protocol: Scoring protocol, "release" or "paper".
        n: Number of tasks.
        counted: Number of tasks that the agent itself ended, not an error.
        decided: Number of counted tasks whose success is known.
        successes: Number of tasks that succeeded.
        sr2: SR_2 over all tasks; None if nothing was carried out.
        sim2: Mean Sim_2; None if it is undefined for all tasks.
        s_i: Mean S_I; None if it is undefined.
        s_ii: Mean S_II; None if it is undefined.
        action_similarity: Mean action similarity; None if it is undefined.
        step_ratio: Mean step ratio over the successes; None without one.
        step_ratio_all: Mean step ratio over all tasks.
        progress: Mean share of the goals' conditions that are met; None but on simulated phones.
        false_completion: Share of tasks that the agent finished and that are not done; None if not known.
        side_effects: Share of tasks with a side effect; None but on simulated phones.
        without_looking: Share of answered questions whose answer no screen had shown; None without any.
    """

    protocol: Literal["release", "paper"]
    n: Count
    counted: Count
    decided: Count
    successes: Count
    sr2: float | None
    sim2: float | None
    s_i: float | None
    s_ii: float | None
    action_similarity: float | None
    step_ratio: float | None
    step_ratio_all: float | None
    progress: float | None = None
    false_completion: float | None = None
    side_effects: float | None = None
    without_looking: float | None = None


class MomentClaims(StrictModel):
    """Scores of a run of moments, as `fingertip score` gives them; see `fingertip_metrics.moment_scores`.

    Whether an offer is a hit is decided by the rule for simulated people, which a verifier applies again.

    Attributes:
        protocol: Scoring protocol of `offer_sim1`, "release" or "paper".
        embedder: Embedder of `offer_sim1`.
        n: Number of moments.
        with_intent: Number of moments at which something is wanted.
        spoken: Number of offers.
        hits: Number of offers of what was wanted.
        false_triggers: Number of offers where nothing is wanted.
        missed: Number of silent moments at which something is wanted.
        utility: (hits - false triggers) / moments.
        false_trigger_rate: Share of offers among the moments without an intent; None without such moments.
        missed_rate: Share of silence among the moments with an intent; None without such moments.
        precision: Share of the offers that are at moments with an intent; None without an offer.
        recall: Share of offers among the moments with an intent; None without such moments.
        hit_rate: Share of hits among the moments with an intent; None without such moments.
        offer_sr1: Share of hits among the offers at moments with an intent; None without such offers.
        offer_sim1: Mean Sim_1 of the same offers; None without such offers.
        brier: Brier score of the confidences; None without confidences, as the next three.
        calibration_error: Calibration error of the confidences.
        auroc: Area under the ROC curve of the confidences.
        risk_area: Area under the curve of risk and coverage.
    """

    protocol: Literal["release", "paper"]
    embedder: Embedding
    n: Count
    with_intent: Count
    spoken: Count
    hits: Count
    false_triggers: Count
    missed: Count
    utility: float
    false_trigger_rate: float | None
    missed_rate: float | None
    precision: float | None
    recall: float | None
    hit_rate: float | None
    offer_sr1: float | None
    offer_sim1: float | None
    brier: float | None
    calibration_error: float | None
    auroc: float | None
    risk_area: float | None


Claims = SuggestionClaims | ExecutionClaims | MomentClaims
"""Claims of a run of any kind."""


class FileRecord(StrictModel):
    """sha256 and size in bytes of one of the bundle's other files."""

    sha256: Sha256
    bytes: Count


class BundledTry(StrictModel):
    """A further try of a repeated run; its files are in a folder of its name, those of the first in none.

    Attributes:
        name: Name of the folder, "try-2" for the second.
        run: run.json of the try, as `Bundle.run`.
        scores: Claimed scores of the try.
    """

    name: Annotated[str, StringConstraints(pattern=r"^try-([2-9]|[1-9][0-9]{1,2})$")]
    run: SuggestionRun | ExecutionRun = Field(discriminator="track")
    scores: Claims


class Bundle(StrictModel, OmitDefaults):
    """The content of bundle.json.

    Attributes:
        LATEST: Version that is written.
        OUTDATED: Remedy for a bundle of an older version.
        version: Version of the whole layout.
        made: Time at which the bundle was made, in ISO 8601 with its zone.
        track: Track of the benchmark.
        card: The submitter's description of the agent.
        run: run.json of the run: agent with its settings, data, split, protocol, device, code. The dataset's
            `path` is "".
        judge: Judge of SR_1; None on track 2 and without verdicts.
        scores: Claimed scores.
        files: Name within the bundle -> sha256 and size, for every file but bundle.json.
        tries: Further tries of a repeated run (`--repeats`); `run` and `scores` are those of the first. Empty
            for a run of one try.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"tries"})

    LATEST: ClassVar[int] = BUNDLE_VERSION
    OUTDATED: ClassVar[str] = "make the bundle again from its run with `fingertip submit`"

    version: Literal[3] = 3
    made: Moment
    track: Track
    card: AgentCard
    run: SuggestionRun | ExecutionRun = Field(discriminator="track")
    judge: JudgeRecord | None
    scores: Claims
    files: dict[Annotated[str, StringConstraints(max_length=100)], FileRecord] = Field(max_length=50_000)
    tries: Annotated[tuple[BundledTry, ...], Field(max_length=MOST_REPEATS - 1)] = ()

    def of_try(self, one: BundledTry) -> Bundle:
        """The bundle that a further try would be on its own, with the names of its files in its folder."""
        prefix = f"{one.name}/"
        files = {
            name.removeprefix(prefix): record
            for name, record in self.files.items()
            if name.startswith(prefix)
        }
        return self.model_copy(update={"run": one.run, "scores": one.scores, "files": files, "tries": ()})

    @property
    def first(self) -> Bundle:
        """The bundle that the first try would be on its own."""
        prefixes = tuple(f"{one.name}/" for one in self.tries)
        files = {name: record for name, record in self.files.items() if not name.startswith(prefixes)}
        return self.model_copy(update={"files": files, "tries": ()}) if prefixes else self


def measure_head(bundle: Bundle) -> int:
    """Bytes of bundle.json without its list of files."""
    return len(bundle.model_dump_json(exclude={"files"}).encode())


def limit_head(bundle: Bundle) -> int:
    """Maximum of these bytes: each try of a repeated run has a record of its own."""
    return HEAD_LIMIT * (1 + len(bundle.tries))


class VerdictLine(StrictModel):
    """A line of verdicts.jsonl: the judge's verdict on one task; the fields are those of `Sr1Item`."""

    task_id: TaskId
    state: State
    reason: Output
    problem: JudgeProblem
    output: Output
    votes: Annotated[tuple[State, ...], Field(max_length=100)]


class _Document(StrictModel):
    """JSON Schema of a whole bundle: one definition per kind of record."""

    bundle: Bundle
    verdict_line: VerdictLine
    label: LabelRecord


def json_schema() -> dict[str, Any]:
    """The JSON Schema in docs/bundle.schema.json, with one property per kind of record."""
    lines: dict[str, Any] = {name: (model, ...) for name, model in LINES.items()}
    document = create_model("_Document", __base__=_Document, **lines)
    document.__doc__ = _Document.__doc__
    return (
        {"$schema": "https://json-schema.org/draft/2020-12/schema"}
        | document.model_json_schema(mode="validation")
        | {
            "title": f"A bundle of FingerTip 20K, version {BUNDLE_VERSION}",
            "description": "bundle.json is `bundle`, a line of predictions.jsonl `prediction`, "
            "of steps.jsonl `step` or `end`, of inputs.jsonl `input` or `inputs_end`, of verdicts.jsonl "
            "`verdict_line`, of labels.jsonl `label`.",
        }
    )


def schema_text() -> str:
    """The content of docs/bundle.schema.json."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"
