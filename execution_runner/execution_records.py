"""Records of a run of track 2: run.json, and the lines of steps.jsonl (a step, or the end of an attempt)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from pydantic import Field, JsonValue, field_validator, model_validator

from execution_runner.execution_view import MORE_PARTS, ExecutionView, HiddenPart, MorePart
from fingertip_agents.registry import current_execution_name
from fingertip_dataset.frozen_model import OmitDefaults
from fingertip_dataset.release.settings import Start
from fingertip_models.prices import Prices
from fingertip_runs.device_kinds import DEVICE_KINDS, DeviceKindName
from fingertip_runs.memory_record import MemoryRecord
from fingertip_runs.run_record import AgentRecord, RunRecord

STEPS = "steps.jsonl"
"""File of the lines; append-only."""

SCREENS = "screens"
"""Folder of screenshots and trees: screens/{task_id}/{attempt}/{step:03}.png and .xml."""

AttemptOutcome = Literal[
    "terminated", "truncated", "blocked", "off_trace", "out_of_patience", "device_error", "agent_error"
]
"""End of an attempt: the agent finished; it exceeded the step limit; the safety gate denied an
action; on a recording, an action was not the recorded one, so its effect is unknown; the person who answers
has no patience left; the phone failed; the agent failed. It does not state whether the task is done."""

OUTCOME_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "terminated": "ended by the agent",
        "truncated": "stopped at the step limit",
        "blocked": "stopped by the safety gate",
        "off_trace": "ended where the recording was left",
        "out_of_patience": "ended as the person would answer no more",
        "device_error": "ended by an error of the phone",
        "agent_error": "ended by an error of the agent",
    }
)
"""Outcome -> words for a reader."""

ERRORS: tuple[AttemptOutcome, ...] = ("device_error", "agent_error")
"""Outcomes of an attempt that failed by itself; they are retried."""

BY_COMMAND = "the goal was reached by a command, not by touches"
"""Reason of an attached agent's end whose goal a command such as `settings put` reached."""

ReferenceKind = Literal["same_user", "not_same_task", "other_type", "none"]
"""Reference sequence that a task shows: the same user's (the paper); the same user's most similar one that
is not the same task according to a judge (A.6.7); one of a user of the other type; none."""

# those of `simulated_phone.dialogue.dialogue_kinds` once more: the scorer loads no module of the phone
InstructionLevel = Literal["full", "no_app", "no_arguments", "goal_alone"]
AnsweredBy = Literal["simulated", "model", "human"]
SpokenKind = Literal["value", "choice", "yes", "no", "you_know_that", "not_understood", "out_of_patience"]
RiskKind = Literal["spends", "sends", "deletes"]

RETRIES = 2
"""Default number of further attempts at a task after an error of the phone or of the agent."""

MOST_ATTEMPTS = 10
"""Maximum number of attempts at a task in any run, interrupted ones included. The last one is not carried
out: it ends a task whose attempts were interrupted again and again."""

MOST_RETRIES = MOST_ATTEMPTS - 2
"""Largest number of retries of a run."""


_RECORDED = tuple(name for name, kind in DEVICE_KINDS.items() if kind.recorded)


class ExecutionRun(RunRecord, OmitDefaults):
    """run.json of track 2: the attributes of `RunRecord`, and how tasks are carried out.

    Attributes:
        task_ids: Ids of the run's tasks, in their order; a part of the split if the user selects one.
        device: Kind of the devices.
        reference: Kind of the reference sequence that a task shows.
        reference_method: Method by which the dataset found the references, from its manifest, and the judge
            of same tasks, if any.
        user_types: Method by which the dataset assigned users to two types, from its manifest; "" in older
            runs.
        history: Protocol of the references, "online" or "strict", from the manifest.
        step_limit_factor: Step limit as a multiple of the golden steps, including `finished()`.
        safety: SHA-256 of the gate's rules; "off" without a gate.
        dry_run: Whether nothing is carried out.
        action_text: Form of the scored actions in the log: "as written" by the agent and by the release, or
            all in the "canonical" spelling, as in earlier versions.
        faults: Faults of the simulated phones that are on for every task; empty for other devices.
        trees: Kind of the simulated phones' accessibility trees; "clean" for other devices.
        retries: Maximum number of further attempts at a task after an error of the phone or of the agent;
            0 on recordings, and the default in older runs.
        between_tasks: What is done on a person's phone between two tasks; "home" elsewhere.
        settle_s: Seconds that a person's phone must stand still after an action; the default elsewhere.
        more: Parts beyond equation (2) that the agent gets; all of them in older runs, which showed them.
        without: Parts of equation (2) that are hidden.
        start: Where the dataset's episodes and the attempts begin; "home" in older runs.
        attached: Whether the agent drove the phone itself, without this runner: its steps are what the phone
            saw.
        intents: Where the intents that tasks show come from, if they are suggestions of track 1 that were
            accepted; "" for the people's own.
        prices: Prices of the model's tokens; None if the user gives none.
        memory: Memory whose recollections tasks show, which equation (2) does not have; None for none.
        instructions: How much the instruction says; "full" for what people wrote, as everywhere in the
            paper.
        answered_by: Who answers the agent's questions; None if nobody does, as in the paper.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset(
        {
            *("trees", "between_tasks", "settle_s", "more", "without", "start", "attached", "intents"),
            *("memory", "instructions", "answered_by", "versions"),
        }
    )

    version: Literal[1, 2] = 2
    track: Literal["execution"] = "execution"
    task_ids: tuple[str, ...]
    device: DeviceKindName
    reference: ReferenceKind
    reference_method: str
    user_types: str = ""
    history: str
    step_limit_factor: float
    safety: str
    dry_run: bool
    action_text: Literal["as written", "canonical"] = "canonical"
    faults: tuple[str, ...] = ()
    trees: Literal["clean", "rough"] = "clean"
    retries: int = Field(default=RETRIES, ge=0, le=MOST_RETRIES)
    between_tasks: Literal["home", "stop-app", "clear-recents"] = "home"
    settle_s: float = Field(default=1.0, ge=0)
    more: tuple[MorePart, ...] = MORE_PARTS
    without: tuple[HiddenPart, ...] = ()
    start: Start = "home"
    attached: bool = False
    intents: str = Field(default="", max_length=400)
    prices: Prices | None
    memory: MemoryRecord | None = None
    instructions: InstructionLevel = "full"
    answered_by: AnsweredBy | None = None

    @model_validator(mode="after")
    def _set_older_retries(self) -> ExecutionRun:
        # a recording is never retried; records without `retries` would otherwise be another run than today's.
        # After the fields: a validator before them turns JSON into objects, whose lists strict tuples refuse
        if "retries" not in self.model_fields_set and self.device in _RECORDED:
            object.__setattr__(self, "retries", 0)
        return self

    @field_validator("agent")
    @classmethod
    def _with_current_name(cls, agent: AgentRecord) -> AgentRecord:
        # a run made under an agent's earlier name is a run of the same agent: it is resumed and shown as such
        return agent.model_copy(update={"name": current_execution_name(agent.name)})

    @property
    def view(self) -> ExecutionView:
        """The parts that the agent gets."""
        return ExecutionView(more=self.more, without=self.without)

    @property
    def of_dialogue(self) -> bool:
        """Whether tasks say less than people wrote, or somebody answers questions; never in the paper."""
        return self.instructions != "full" or self.answered_by is not None

    def explain_difference(self, earlier: RunRecord) -> str | None:
        """Return why this call cannot continue a run that was begun with the prompts of earlier releases."""
        if not isinstance(earlier, ExecutionRun) or earlier.more != MORE_PARTS or self.more == MORE_PARTS:
            return None
        parts = ",".join(MORE_PARTS)
        # an agent without a prompt is the same agent; its tasks have to show the same
        same = "prompt" not in self.agent.settings and earlier.versions in (None, self.versions)
        own = f"--with {parts} continues it" if same else "finish it with the release that began it"
        begun = f"the run was begun with the earlier prompts, which show {parts} as well"
        return f"{begun}: {own}, or give another folder"

    def identity(self) -> dict[str, Any]:
        """As of `RunRecord`; a recording starts where its dataset does, which older runs do not name."""
        fields = super().identity()
        if self.device in _RECORDED:
            fields.pop("start", None)
        return fields

    @property
    def most_attempts(self) -> int:
        """Maximum number of attempts at a task: the first, the retries, and one per interruption of the run.

        A run that is killed or stopped leaves an attempt without an end, and the task starts again.
        """
        return min(MOST_ATTEMPTS, self.retries + len(self.sessions))


class ReplyRecord(OmitDefaults):
    """Reply to an agent's question.

    Attributes:
        kind: What it is.
        text: The words.
        slots: Slots that it gives, or that a yes or no is about.
        needless: Whether the agent could have known it.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"slots", "needless"})

    kind: SpokenKind
    text: str
    slots: tuple[str, ...] = ()
    needless: bool = False


class DialogueRecord(OmitDefaults):
    """Questions of an attempt, and whether what is risky was agreed to.

    Attributes:
        questions: Number of questions.
        needless: Number of those whose reply the agent could have known.
        not_understood: Number of those that the person did not understand.
        agreed: Number of risky changes with the person's consent.
        unasked: Kind of each risky change without it.
        after_no: Number of risky changes after a no; such an attempt has failed.
    """

    questions: int = Field(ge=0)
    needless: int = Field(ge=0)
    not_understood: int = Field(ge=0)
    agreed: int = Field(ge=0)
    unasked: tuple[RiskKind, ...] = ()
    after_no: int = Field(ge=0)


class StepRecord(OmitDefaults):
    """A step of an attempt.

    Attributes:
        task_id: The episode id.
        attempt: Number of the attempt, from 1; a new one starts after an error or a crash.
        step: Counted from 1.
        action: As performed, in the release's spelling.
        written: As scored: the action as the agent wrote it where its own syntax is the release's in device
            px, else the same as `action`; `choose_scored_text` of the agent's output if it cannot be parsed.
        output: Raw output of the agent.
        problem: Why the output cannot be parsed; None if it can.
        thought: Reasoning that the agent gives.
        screenshot: File under the run's folder: a PNG, or on a recording the recorded picture; None without
            one.
        tree: File of the accessibility tree; None if the phone gave none.
        size: Width and height of the screenshot, px; the frame of the action's coordinates.
        package: The app in front.
        seen_problems: Problems of the observation, in words.
        verdict: Verdict of the safety gate: "allow", "confirm" (a person agreed), "deny" (not performed).
        reason: The gate's reason; else why the action was not performed, or what could not be checked.
        performed: Whether the action was carried out on the phone.
        on_trace: Replay: whether the action is the recorded one; None elsewhere.
        state_sha256: Simulated phone: hash of its state after the action, by which the action can be replayed
            and compared; None elsewhere, for an action that was not performed, and in older runs.
        agent_s: Seconds the agent took; 0 for the second action of a decision, None if nobody measured them.
        device_s: Seconds the phone took, to show and to act; None if nobody measured them.
        prompt_tokens: Number of prompt tokens; None if unknown.
        completion_tokens: Number of completion tokens; None if unknown.
        queries: Number of model calls; None if nobody counted them.
        notes: What of the output was left out, completed or converted, and what the server did to it, each
            beginning with its kind: "left_out: ...", "server: ..."; with the first action of a decision only.
        reply: Reply to a question (`ask`), which is no step of the phone: it counts in no limit and no score
            of actions. None for an action.
        at: Time of the step, in ISO 8601 with its zone.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"notes", "reply"})

    kind: Literal["step"] = "step"
    task_id: str
    attempt: int = Field(ge=1)
    step: int = Field(ge=1)
    action: str
    written: str
    output: str
    problem: str | None
    thought: str
    screenshot: str | None
    tree: str | None
    size: tuple[int, int]
    package: str
    seen_problems: tuple[str, ...]
    verdict: Literal["allow", "confirm", "deny"]
    reason: str
    performed: bool
    on_trace: bool | None = None
    state_sha256: str | None = None
    agent_s: float | None = Field(ge=0)
    device_s: float | None = Field(ge=0)
    prompt_tokens: int | None = Field(ge=0)
    completion_tokens: int | None = Field(ge=0)
    queries: int | None = Field(ge=0)
    notes: tuple[str, ...] = ()
    reply: ReplyRecord | None = None
    at: str

    @property
    def is_answer(self) -> bool:
        """Whether the step begins an answer of a model; the second action of an answer does not."""
        return (self.queries, self.prompt_tokens, self.completion_tokens) != (0, 0, 0)


class StateRecord(OmitDefaults):
    """How far the state of a simulated phone is on the way to a task's goal, at the end of an attempt.

    Attributes:
        conditions: Number of the goal's conditions: what all of the person's ways to it change, and its
            rule or the answer to its question.
        met: Number of those that are met; all of them where the rule holds.
        side_effects: What changed on the phone and has no part in the goal, each in words; at most 100.
        answer_seen: Whether a screen before one of the actions showed the answer to the goal's question; None
            for a goal that asks none, and in older runs.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"answer_seen"})

    conditions: int = Field(ge=1)
    met: int = Field(ge=0)
    side_effects: tuple[str, ...]
    answer_seen: bool | None = None

    @model_validator(mode="after")
    def _check_met(self) -> StateRecord:
        if self.met > self.conditions:
            raise ValueError(f"expected at most {self.conditions} conditions met, got {self.met}")
        return self


class StartRecord(OmitDefaults):
    """Where an attempt began.

    Attributes:
        at: In the app of the task, which was launched before the first screen, or on the home screen.
        reason: Why it began on the home screen although the run begins in apps; "" otherwise.
        app: Package that was launched; "" for none.
        found: Package of the window that came up: the app's, or that of a dialog that asks for one of its
            permissions; "" if none was launched.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"reason", "app", "found"})

    at: Start
    reason: str = Field(default="", max_length=100)
    app: str = ""
    found: str = ""


class EndRecord(OmitDefaults):
    """The end of one attempt at a task. The final attempt of a task is the one that counts.

    Attributes:
        task_id: The episode id.
        attempt: Counted from 1.
        device: Serial of the phone, or the name of the environment.
        outcome: How it ended.
        reason: Reason in words; "" if the outcome needs none.
        final: Whether the task is over; False after an error that is retried. A run that stops because no
            answer could be read writes the ends of such tasks again, with False: they are asked again.
        steps: Number of steps of the attempt, questions included.
        success: Whether the task is done, by a rule; None if a person or a judge must say so.
        success_by: "rule" where `success` is known, else None.
        facts: Facts that the simulated phone noted during the attempt.
        state: Simulated phone: what the attempt did to its state; None elsewhere, after an error, and in
            older runs.
        start: Where it began; None on a recording, if its app did not come up, and in older runs.
        final_screenshot: Screenshot at the end, a file under the run's folder; None without one.
        gaps: On recordings: indices of the golden actions, from 0, whose screen was not recorded. The agent
            is not queried for them, and they are left out of the score on both sides. Empty on a phone.
        reference_id: Episode id of the reference that was shown; None if none was.
        wrong_app: In a bundle, whose steps do not name apps: whether the gate ended the attempt in another
            app than the task's. None in a run's own log, whose steps do, and for other outcomes.
        dialogue: Questions and consent, where somebody answers; None elsewhere, and after an error.
        at: Time of the end, in ISO 8601 with its zone.
    """

    OMIT_DEFAULTS: ClassVar[frozenset[str]] = frozenset({"state", "start", "dialogue"})

    kind: Literal["end"] = "end"
    task_id: str
    attempt: int = Field(ge=1)
    device: str
    outcome: AttemptOutcome
    reason: str
    final: bool
    steps: int = Field(ge=0)
    success: bool | None
    success_by: Literal["rule"] | None
    facts: tuple[dict[str, JsonValue], ...] = ()
    state: StateRecord | None = None
    start: StartRecord | None = None
    final_screenshot: str | None
    gaps: tuple[int, ...] = ()
    reference_id: str | None
    wrong_app: bool | None = None
    dialogue: DialogueRecord | None = None
    at: str

    @property
    def reopens(self) -> bool:
        """Whether the line takes the final end of its task back."""
        return not self.final and self.outcome not in ERRORS

    @property
    def showed_no_reference(self) -> bool:
        """Whether the agent was shown none; False if the phone failed before anything was shown."""
        return self.reference_id is None and not (self.outcome == "device_error" and not self.steps)
