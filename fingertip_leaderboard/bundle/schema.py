"""What a bundle holds: the folder of a run less targets.jsonl and less what is private.

bundle.json is a `Bundle`, with the run's run.json in it. predictions.jsonl and steps.jsonl hold the run's own
records (`bundle.lines` bounds their sizes), verdicts.jsonl a `VerdictLine` per task, labels.jsonl a
`LabelRecord` per label. True intents and golden actions are not in it: whoever verifies has the dataset.
docs/bundle.schema.json is the same as a JSON Schema.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, JsonValue, StringConstraints, create_model

from execution_runner.execution_records import ExecutionRun
from execution_runner.scoring.success_labels import LabelRecord
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_leaderboard.bundle.lines import LINES, Count, Moment, Output, TaskId
from fingertip_metrics.judges.verdicts import JudgeProblem, State
from suggestion_runner.suggestion_records import SuggestionRun

BUNDLE_VERSION = 2
"""Version of the layout; any other one is refused. In version 1 the answers were lines of their own form."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=100)]
ShortText = Annotated[str, StringConstraints(max_length=300)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Link = Annotated[str, StringConstraints(max_length=300, pattern=r"^https://[^\s/@:]+\.[^\s/@:]+(/\S*)?$")]
"""An address with https, without a user or a port."""

Embedding = Literal["official", "lexical"]
"""By name of `get_embedder`: a verifier loads no model that a submission names."""


class StrictModel(FrozenModel):
    """A part of a bundle: no unknown field, no conversion of types, no change, no nan."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)


class AgentCard(StrictModel):
    """Who is on the leaderboard, as the submitter says.

    Attributes:
        name: As shown.
        description: In a few sentences.
        weights: Whether anybody can have the model's weights; "none" for an agent without a model.
        model: What the agent runs on; None without a model.
        size: Of the model, as people write it: "7B", "72B"; None where it is not known.
        links: Paper, code, weights.
        contact: E-mail address or https link of somebody who answers; it is shown.
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
    """Who gave the verdicts of SR_1.

    Attributes:
        name: With all that tells it from others.
        settings: What its verdicts depend on.
        why_not_comparable: Why its SR_1 cannot stand next to the paper's; None where it can.
        remark: What is to be known of it all the same; None where nothing is.
    """

    name: ShortText
    settings: dict[str, JsonValue]
    why_not_comparable: Annotated[str, StringConstraints(max_length=1_000)] | None
    remark: Annotated[str, StringConstraints(max_length=1_000)] | None


class SuggestionClaims(StrictModel):
    """Scores of track 1, as `fingertip score` gives them; the names are those of `Sim1` and `Sr1`.

    Attributes:
        protocol: "release" or "paper".
        embedder: Of the cosine.
        answers: Which text is scored: "raw", as the agent gave it, or "read", the intent that was read out of
            it. Bundles that do not say it are of the time when only the latter was scored.
        sr1: None where there is no judge, or no verdict.
        unscored: Tasks without a verdict; None where there is no judge.
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
        protocol: "release" or "paper".
        n: Tasks.
        counted: Those that ended by the agent's own doing.
        decided: Of these, those of which is known whether they are done.
        successes: Of these, those that are done.
        sr2: None where it cannot be said.
        step_ratio: Over the successes; None without one.
        step_ratio_all: Over the counted tasks; None without one.
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


class FileRecord(StrictModel):
    """One of the bundle's other files."""

    sha256: Sha256
    bytes: Count


class Bundle(StrictModel):
    """bundle.json.

    Attributes:
        LATEST: Version that is written.
        OUTDATED: What to do about a bundle of an older version.
        version: Version of the whole layout.
        made: When.
        track: The benchmark's.
        card: Who is on the leaderboard.
        run: run.json of the run: agent with its settings, data, split, protocol, device, code. Its `path` of
            the dataset is "".
        judge: Of SR_1; None on track 2, and where nobody has judged.
        scores: As claimed.
        files: Name within the bundle -> what it is; every file but this one.
    """

    LATEST: ClassVar[int] = BUNDLE_VERSION
    OUTDATED: ClassVar[str] = "make the bundle again from its run with `fingertip submit`"

    version: Literal[2] = 2
    made: Moment
    track: Literal["suggestion", "execution"]
    card: AgentCard
    run: SuggestionRun | ExecutionRun = Field(discriminator="track")
    judge: JudgeRecord | None
    scores: SuggestionClaims | ExecutionClaims
    files: dict[Annotated[str, StringConstraints(max_length=100)], FileRecord] = Field(max_length=50_000)


class VerdictLine(StrictModel):
    """A line of verdicts.jsonl: what the judge says of one task; the fields are those of `Sr1Item`."""

    task_id: TaskId
    state: State
    reason: Output
    problem: JudgeProblem
    output: Output
    votes: Annotated[tuple[State, ...], Field(max_length=100)]


class _Document(StrictModel):
    """A whole bundle as one JSON Schema: a definition per kind of record."""

    bundle: Bundle
    verdict_line: VerdictLine
    label: LabelRecord


def json_schema() -> dict[str, Any]:
    """docs/bundle.schema.json: the parts of a bundle, each under the name of what it is."""
    lines: dict[str, Any] = {name: (model, ...) for name, model in LINES.items()}
    document = create_model("_Document", __base__=_Document, **lines)
    document.__doc__ = _Document.__doc__
    return (
        {"$schema": "https://json-schema.org/draft/2020-12/schema"}
        | document.model_json_schema(mode="validation")
        | {
            "title": f"A bundle of FingerTip 20K, version {BUNDLE_VERSION}",
            "description": "bundle.json is `bundle`, a line of predictions.jsonl `prediction`, "
            "of steps.jsonl `step` or `end`, of verdicts.jsonl `verdict_line`, of labels.jsonl `label`.",
        }
    )


def schema_text() -> str:
    """The content of docs/bundle.schema.json."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"
