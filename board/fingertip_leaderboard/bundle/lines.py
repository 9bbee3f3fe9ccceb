"""Line models of a bundle: the records of a run's log with bounds on their sizes.

Bundles come from untrusted submitters, so a verifier bounds every field. The bounds are one table by field
name and not part of the records themselves, because there they would make runs fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, Field, StringConstraints, create_model

from execution_runner.execution_records import (
    DialogueRecord,
    EndRecord,
    ReplyRecord,
    StartRecord,
    StateRecord,
    StepRecord,
)
from fingertip_runs.input_lines import MOST_INPUTS, InputLine, InputsEndLine
from simulated_phone.dialogue.dialogue_kinds import Risk
from suggestion_runner.suggestion_records import Prediction

AnyLine = TypeVar("AnyLine", bound=BaseModel)

Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Seconds = Annotated[float, Field(ge=0, le=1_000_000)]
Number = Annotated[int, Field(ge=1, le=10_000)]
"""Number of an attempt or a step, counted from 1."""

Side = Annotated[int, Field(gt=0, le=8_192)]
"""Width or height of a screen, px."""

TaskId = Annotated[str, StringConstraints(min_length=1, max_length=200)]
IntentText = Annotated[str, StringConstraints(max_length=20_000)]
Output = Annotated[str, StringConstraints(max_length=400_000)]
"""One output of a model; its reasoning is a separate field."""

Note = Annotated[str, StringConstraints(max_length=20_000)]
"""Note on the reading of an output."""

Moment = Annotated[str, StringConstraints(max_length=40)]
"""Time in ISO 8601 with its zone."""

Sha256 = Annotated[str, StringConstraints(max_length=64, pattern=r"^[0-9a-f]{64}$")]
Screen = Annotated[str, StringConstraints(max_length=100)]
Chance = Annotated[float, Field(ge=0, le=1)]
Gap = Annotated[int, Field(ge=0, le=10_000)]
"""Number of gaps, or of whatever else an attempt has at most 10,000 of."""

SideEffect = Annotated[str, StringConstraints(max_length=1_000)]


Millis = Annotated[int, Field(ge=0, le=604_800_000)]
"""Time on a phone's clock since the start of an attempt, ms; at most a week."""

Coordinate = Annotated[int, Field(ge=-100_000, le=10_000_000)] | Annotated[float, Field(ge=-1e6, le=1e6)]
"""Number of an input: a point, px, which an agent may well put off the screen, or a duration, ms."""

Speed = Annotated[float, Field(ge=-1e6, le=1e6)]
InputWord = Annotated[str, StringConstraints(max_length=20_000)]
InputWords = Annotated[tuple[InputWord, ...], Field(max_length=100)]


class BoundedState(StateRecord):
    """A `StateRecord` with bounds on its sizes."""

    conditions: Annotated[int, Field(ge=1, le=10_000)]
    met: Gap
    side_effects: Annotated[tuple[SideEffect, ...], Field(max_length=100)]


class BoundedStart(StartRecord):
    """A `StartRecord` with bounds on its sizes; which window came up is private, like `package` of a step."""

    app: TaskId | Literal[""] = ""
    found: Literal[""] = ""


class BoundedReply(ReplyRecord):
    """A `ReplyRecord` with bounds on its sizes."""

    text: Note
    slots: Annotated[tuple[Annotated[str, StringConstraints(max_length=40)], ...], Field(max_length=20)] = ()


class BoundedDialogue(DialogueRecord):
    """A `DialogueRecord` with bounds on its sizes."""

    questions: Gap
    needless: Gap
    not_understood: Gap
    agreed: Gap
    unasked: Annotated[tuple[Risk, ...], Field(max_length=1_000)] = ()
    after_no: Gap


_BLANK_TEXTS, _BLANK_LISTS = ("package", "reason", "device"), ("seen_problems", "facts")

BLANK: Mapping[str, Any] = MappingProxyType(dict.fromkeys(_BLANK_TEXTS, "") | dict.fromkeys(_BLANK_LISTS, ()))
"""Private fields, blank in a bundle: the foreground app, reasons (which may hold a path, a serial or the
person's own action), the phone's serial, problems of a step's screen, and device facts."""

BOUNDS: Mapping[str, Any] = MappingProxyType(
    {
        **dict.fromkeys(_BLANK_TEXTS, Literal[""]),
        **dict.fromkeys(_BLANK_LISTS, tuple[()]),
        "task_id": TaskId,
        "predicted_intent": IntentText,
        "output": Output,
        "reasoning": Output,
        "thought": Output,
        "action": Output,
        "written": Output,
        "problem": Output | None,
        "notes": Annotated[tuple[Note, ...], Field(max_length=1_000)],
        "time_s": Seconds,
        "agent_s": Seconds | None,
        "device_s": Seconds | None,
        "first_token_s": Seconds | None,
        "prompt_tokens": Count | None,
        "completion_tokens": Count | None,
        "calls": Count,
        "queries": Count | None,
        "shown_intents": Count,
        "shown_screenshots": Count,
        "alternatives": Annotated[tuple[tuple[IntentText, Chance], ...], Field(max_length=1_000)],
        "attempt": Number,
        "step": Number,
        "steps": Annotated[int, Field(ge=0, le=10_000)],
        "size": tuple[Side, Side],
        "gaps": Annotated[tuple[Gap, ...], Field(max_length=10_000)],
        "state": BoundedState | None,
        "start": BoundedStart | None,
        "reply": BoundedReply | None,
        "dialogue": BoundedDialogue | None,
        "reference_id": TaskId | None,
        "screenshot": Screen | None,
        "tree": Screen | None,
        "final_screenshot": Screen | None,
        "state_sha256": Sha256 | None,
        "at": Moment,
        "input": Annotated[int, Field(ge=1, le=MOST_INPUTS)],
        "inputs": Annotated[int, Field(ge=0, le=MOST_INPUTS)],
        "at_ms": Millis,
        "numbers": Annotated[tuple[Coordinate, ...], Field(max_length=5)],
        "words": InputWords,
        "writes": Annotated[tuple[InputWords, ...], Field(max_length=1_000)],
        "velocity": tuple[Speed, Speed] | None,
        "screen_sha256": Sha256 | Literal[""],
    }
)
"""Field of a line -> its bounded type, for every record that has the field."""


def _bound_field(model: type[AnyLine], **own: Any) -> type[AnyLine]:  # noqa: ANN401 - types of fields
    """Make a subclass of a record with bounded fields; runners and scorers accept it as the record."""
    bounds = {name: of for name, of in BOUNDS.items() if name in model.model_fields}
    fields: dict[str, Any] = {}
    for name, of in (bounds | own).items():
        field = model.model_fields[name]
        fields[name] = of if field.is_required() else (of, field.default)
    subclass = create_model(model.__name__, __base__=model, __module__=__name__, **fields)
    subclass.__doc__ = model.__doc__
    return subclass


SCREEN_FIELDS = ("screenshot", "tree", "final_screenshot")

Outcome = Annotated[str, StringConstraints(max_length=60)]
Reason = Annotated[str, StringConstraints(max_length=20_000)]

PREDICTION = _bound_field(Prediction, outcome=Outcome)
STEP = _bound_field(StepRecord)
END = _bound_field(EndRecord, reason=Reason)
"""End of an attempt. `check_execution_input` refuses its reason later: on recordings it leaks the target."""

ATTEMPT_LINES = MappingProxyType({"step": STEP, "end": END})
"""`kind` of a line of steps.jsonl -> record."""

INPUT_LINES = MappingProxyType(
    {
        "input": _bound_field(InputLine, state_sha256=Sha256),
        "inputs_end": _bound_field(InputsEndLine, state_sha256=Sha256),
    }
)
"""`kind` of a line of inputs.jsonl -> record."""

LINES: Mapping[str, type[BaseModel]] = MappingProxyType(
    {"prediction": PREDICTION, **ATTEMPT_LINES, **INPUT_LINES}
)
"""Name in bundle.schema.json -> record."""


def public_line(record: AnyLine, *, screens: bool) -> AnyLine:
    """Copy of a line of a run's steps.jsonl with its private fields blank.

    Args:
        record: A step or an end.
        screens: Whether the bundle has the screens; otherwise their names are left out.
    """
    left_out = BLANK if screens else {**BLANK, **dict.fromkeys(SCREEN_FIELDS)}
    fields = type(record).model_fields
    public = record.model_copy(update={name: blank for name, blank in left_out.items() if name in fields})
    if isinstance(record, EndRecord) and record.start is not None:
        public = public.model_copy(update={"start": record.start.model_copy(update={"found": ""})})
    return public
