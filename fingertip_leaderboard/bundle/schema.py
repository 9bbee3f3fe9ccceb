"""What a bundle holds: a run as the world may see it, without what its tasks are scored against.

bundle.json is a `Bundle`, tasks.jsonl a `SuggestionLine` or an `ExecutionLine` a task, verdicts.jsonl a
`VerdictLine` a task, labels.jsonl a `LabelRecord` a label. The true intents and the golden actions are not in
it: whoever verifies takes them from the dataset. docs/bundle.schema.json is the same as a JSON Schema.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, JsonValue, StringConstraints

from execution_runner.execution_records import AttemptOutcome, ExecutionRun
from execution_runner.scoring.success_labels import LabelRecord
from fingertip_dataset.frozen_model import FrozenModel
from fingertip_metrics.judges.verdicts import JudgeProblem, State
from suggestion_runner.suggestion_records import HistoryUsage, SuggestionRun

BUNDLE_VERSION = 1
"""Of the layout. A newer one is refused."""

LONGEST_OUTPUT = 400_000
"""Characters of one output of a model, reasoning apart."""

Side = Annotated[int, Field(gt=0, le=8_192)]
"""Of a screen, px."""

Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Seconds = Annotated[float, Field(ge=0, le=1_000_000)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=100)]
ShortText = Annotated[str, StringConstraints(max_length=300)]
IntentText = Annotated[str, StringConstraints(max_length=20_000)]
Output = Annotated[str, StringConstraints(max_length=LONGEST_OUTPUT)]
TaskId = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Moment = Annotated[str, StringConstraints(max_length=40)]
"""In ISO 8601 with its zone."""

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
        version: Of the whole layout.
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

    version: Literal[1] = 1
    made: Moment
    track: Literal["suggestion", "execution"]
    card: AgentCard
    run: SuggestionRun | ExecutionRun = Field(discriminator="track")
    judge: JudgeRecord | None
    scores: SuggestionClaims | ExecutionClaims
    files: dict[Annotated[str, StringConstraints(max_length=100)], FileRecord] = Field(max_length=50_000)


class SuggestionLine(StrictModel):
    """A line of tasks.jsonl on track 1; the fields are those of `Prediction` that hold no target.

    Attributes:
        task_id: The episode id.
        predicted_intent: The agent's; "" where it has none.
        output: What a model wrote, as it came; "" without a model.
        reasoning: What a thinking model wrote before.
        outcome: How the output was read.
        time_s: Seconds the agent took.
        prompt_tokens: Tokens it read; None where it does not say.
        completion_tokens: Tokens it wrote; likewise.
        calls: Of a model.
        cached: Whether a cache answered all of them.
        alternatives: Intents with their probabilities, where the agent answers with a distribution.
        history_usage: Of the call of a history model; None without one.
        finish_reason: Why the model stopped, in the server's word; None where it is not known.
        first_token_s: Seconds until the first token of a streamed answer; None where it was not streamed.
        shown_intents: Earlier intents it was shown.
        shown_screenshots: Screens it was shown.
    """

    task_id: TaskId
    predicted_intent: IntentText
    output: Output = ""
    reasoning: Output = ""
    outcome: Annotated[str, StringConstraints(max_length=60)] = "answered"
    time_s: Seconds
    prompt_tokens: Count | None
    completion_tokens: Count | None
    calls: Count = 1
    cached: bool = False
    alternatives: Annotated[
        tuple[tuple[IntentText, Annotated[float, Field(ge=0, le=1)]], ...], Field(max_length=1_000)
    ] = ()
    history_usage: HistoryUsage | None = None
    finish_reason: Annotated[str, StringConstraints(max_length=100)] | None = None
    first_token_s: Seconds | None = None
    shown_intents: Count
    shown_screenshots: Count


class StepLine(StrictModel):
    """A step within a line of tasks.jsonl on track 2; the fields are those of `StepRecord`.

    Attributes:
        action: As performed, in the release's spelling.
        written: As scored.
        output: What the agent wrote.
        problem: Why it cannot be parsed; None where it can.
        thought: What the agent says of its reasons.
        size: Width and height of the screenshot, px.
        verdict: What the safety gate said.
        performed: Whether the action was carried out.
        on_trace: On recordings: whether the action is the recorded one; None elsewhere.
        agent_s: Seconds the agent took.
        device_s: Seconds the phone took.
        prompt_tokens: Tokens read; None where the model does not say.
        completion_tokens: Tokens written; likewise.
        queries: Calls of a model.
        at: When.
    """

    action: Output
    written: Output
    output: Output
    problem: Output | None
    thought: Output
    size: tuple[Side, Side]
    verdict: Literal["allow", "confirm", "deny"]
    performed: bool
    on_trace: bool | None
    agent_s: Seconds
    device_s: Seconds
    prompt_tokens: Count | None
    completion_tokens: Count | None
    queries: Count
    at: Moment


class ExecutionLine(StrictModel):
    """A line of tasks.jsonl on track 2: the final attempt at a task; the fields are those of `EndRecord`.

    Attributes:
        task_id: The episode id.
        attempt: Counted from 1.
        outcome: How it ended.
        reason: In words; "" on recordings, where it would tell the person's action.
        success: What a rule says; None where a person or a judge must.
        reference_id: Episode id of the reference that was shown; None where there was none.
        gaps: On recordings: indices of the golden actions without a screen, which nobody was asked for.
        steps: From the first one on.
        at: When it ended.
    """

    task_id: TaskId
    attempt: Annotated[int, Field(ge=1, le=10_000)]
    outcome: AttemptOutcome
    reason: Annotated[str, StringConstraints(max_length=20_000)]
    success: bool | None
    reference_id: TaskId | None
    gaps: Annotated[tuple[Annotated[int, Field(ge=0, le=10_000)], ...], Field(max_length=10_000)] = ()
    steps: Annotated[tuple[StepLine, ...], Field(max_length=10_000)]
    at: Moment


class VerdictLine(StrictModel):
    """A line of verdicts.jsonl: what the judge says of one task; the fields are those of `Sr1Item`."""

    task_id: TaskId
    state: State
    reason: Output
    problem: JudgeProblem
    output: Output
    votes: Annotated[tuple[State, ...], Field(max_length=100)]


class _Document(StrictModel):
    """A whole bundle as one JSON Schema: a definition a file."""

    bundle: Bundle
    suggestion_line: SuggestionLine
    execution_line: ExecutionLine
    verdict_line: VerdictLine
    label: LabelRecord


def json_schema() -> dict[str, Any]:
    """docs/bundle.schema.json: the parts of a bundle, each under the name of what it is."""
    schema = _Document.model_json_schema(mode="validation")
    return (
        {"$schema": "https://json-schema.org/draft/2020-12/schema"}
        | schema
        | {
            "title": f"A bundle of FingerTip 20K, version {BUNDLE_VERSION}",
            "description": "bundle.json is `bundle`, a line of tasks.jsonl `suggestion_line` or "
            "`execution_line`, of verdicts.jsonl `verdict_line`, of labels.jsonl `label`.",
        }
    )


def schema_text() -> str:
    """The content of docs/bundle.schema.json."""
    return json.dumps(json_schema(), ensure_ascii=False, indent=2) + "\n"
