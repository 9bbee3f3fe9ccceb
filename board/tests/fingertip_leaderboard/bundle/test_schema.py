from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from board.tests.fingertip_leaderboard.bundle_factory import MODEL_CARD, Workshop
from execution_runner.execution_records import EndRecord, StepRecord
from fingertip_leaderboard import make_bundle, verify_bundle
from fingertip_leaderboard.bundle.lines import (
    END,
    PREDICTION,
    STEP,
    BoundedDialogue,
    BoundedReply,
    BoundedStart,
    BoundedState,
)
from fingertip_leaderboard.bundle.schema import AgentCard, Bundle, json_schema, schema_text
from suggestion_runner.suggestion_records import Prediction

DOCS = Path(__file__).parents[4] / "docs" / "bundle.schema.json"
RENEW = (
    "renew it: python -c "
    "\"from fingertip_leaderboard.bundle.schema import schema_text; print(schema_text(), end='')\" "
    "> docs/bundle.schema.json"
)


def test_the_schema_in_docs_is_current() -> None:
    assert DOCS.read_text(encoding="utf-8") == schema_text(), RENEW


def test_the_schema_has_every_kind_of_record() -> None:
    parts = json_schema()["properties"]
    assert set(parts) == {
        "bundle",
        "prediction",
        "step",
        "end",
        "input",
        "inputs_end",
        "verdict_line",
        "label",
    }
    assert json_schema()["$defs"]["Bundle"]["additionalProperties"] is False


@pytest.mark.parametrize("seed", ["model", "phone"])
def test_no_target_is_in_a_bundle(workshop: Workshop, seed: str) -> None:
    parts = workshop.parts(seed)
    names = set(parts.tasks[0]) | {name for step in parts.tasks[0].get("steps", ()) for name in step}
    assert not names & {
        "original_intent",
        "golden",
        "golden_actions",
        "other_type_actions",
        "intent",
    }


@pytest.mark.parametrize("seed", ["replayed", "replayed screens", "phone", "person"])
def test_private_fields_are_blank_in_a_bundle(workshop: Workshop, seed: str) -> None:
    run = [json.loads(line) for line in (workshop.run(seed) / "steps.jsonl").read_bytes().splitlines()]
    parts = workshop.parts(seed)
    lines = parts.log_lines()
    blank = {"package": "", "seen_problems": [], "reason": "", "device": "", "facts": []}
    for line in lines:
        assert {name: line[name] for name in blank.keys() & line.keys()} == {
            name: value for name, value in blank.items() if name in line
        }
    assert {"package", "device"} <= {name for line in run for name in line if line[name]}
    screens = ("screenshot", "tree", "final_screenshot")
    named = {line[name] for line in lines for name in screens if line.get(name)}
    assert named == set(parts.screens)
    assert bool(named) == (seed == "replayed screens")
    less = {*blank, *screens}
    assert [{k: v for k, v in line.items() if k not in less} for line in lines] == [
        {k: v for k, v in line.items() if k not in less} for line in run
    ]


@pytest.mark.parametrize("seed", ["model", "ours", "people"])
def test_predictions_are_those_of_the_run(workshop: Workshop, seed: str, tmp_path: Path) -> None:
    run = workshop.run(seed)
    bundle = make_bundle(run, tmp_path, MODEL_CARD, embedder=("lexical", workshop.embedder))
    assert (bundle / "predictions.jsonl").read_bytes() == (run / "predictions.jsonl").read_bytes()
    assert not (bundle / "targets.jsonl").exists()


@pytest.mark.parametrize("seed", ["model", "replayed screens"])
def test_a_bundle_of_version_1_is_refused_with_the_remedy(
    workshop: Workshop, seed: str, tmp_path: Path
) -> None:
    parts = workshop.parts(seed)
    parts.head["version"] = 1
    parts.raw["tasks.jsonl"] = "".join(json.dumps(task) + "\n" for task in parts.tasks).encode()
    parts.screens = {
        f"trajectories/{number:05}/001.png": screen
        for number, screen in enumerate(parts.screens.values(), start=1)
    }
    parts.tasks = []
    (problem,) = verify_bundle(parts.write(tmp_path / "bundle"), workshop.dataset_of(seed)).problems
    assert str(problem) == (
        "bundle.json: expected version 3, got 1: make the bundle again from its run with `fingertip submit` "
        "[older_version]"
    )


LIMITED = {
    "minimum", "maximum", "minLength", "maxLength", "exclusiveMinimum", "minItems", "maxItems", "pattern",
}  # fmt: skip


OWN_RECORDS: dict[str, type[BaseModel]] = {
    "state": BoundedState,
    "start": BoundedStart,
    "reply": BoundedReply,
    "dialogue": BoundedDialogue,
}
"""Field of a line -> the bounded record that it holds."""


def unlimited(schema: Any) -> Any:  # noqa: ANN401 - as JSON has it
    """A JSON Schema without its limits."""
    if isinstance(schema, dict):
        return {name: unlimited(part) for name, part in schema.items() if name not in LIMITED}
    return [unlimited(part) for part in schema] if isinstance(schema, list) else schema


@pytest.mark.parametrize(("line", "record"), [(PREDICTION, Prediction), (STEP, StepRecord), (END, EndRecord)])
def test_a_line_of_a_bundle_is_the_record_of_a_run_with_limits(
    line: type[BaseModel], record: type[BaseModel]
) -> None:
    assert issubclass(line, record)
    private = {"package", "seen_problems", "reason", "device", "facts"}
    theirs, ours = unlimited(line.model_json_schema()), unlimited(record.model_json_schema())
    for schema in (theirs, ours):
        schema.pop("$defs", None)
        schema["properties"] = {
            name: part for name, part in schema["properties"].items() if name not in private
        }
    # records within a line are compared by their fields
    for bounded in OWN_RECORDS.values():
        (free,) = bounded.__bases__
        assert issubclass(free, BaseModel)
        assert bounded.model_fields.keys() == free.model_fields.keys()
        if bounded is not BoundedStart:  # which has private fields
            assert unlimited(bounded.model_json_schema()["properties"]) == unlimited(
                free.model_json_schema()["properties"]
            )
    for schema in (theirs, ours):
        for name in OWN_RECORDS:
            schema["properties"].pop(name, None)
    assert theirs == ours


@pytest.mark.parametrize("line", [PREDICTION, STEP, END])
def test_every_text_number_and_list_of_a_line_has_a_limit(line: type[BaseModel]) -> None:
    """For a union, the limits are in its branches."""

    def bounded(part: dict[str, Any]) -> bool:
        if "anyOf" in part:
            return all(bounded(branch) for branch in part["anyOf"])
        if "enum" in part or "const" in part or part["type"] in ("boolean", "null"):
            return True
        wanted = {"string": "maxLength", "integer": "maximum", "number": "maximum", "array": "maxItems"}
        return wanted[part["type"]] in part

    properties = line.model_json_schema()["properties"]
    properties.pop("history_usage", None)  # a record of its own, with limits of its own
    for name, own in OWN_RECORDS.items():
        if properties.pop(name, None):
            properties |= own.model_json_schema()["properties"]
    assert [name for name, part in properties.items() if not bounded(part)] == []


def test_a_bundle_is_read_as_it_was_written(workshop: Workshop) -> None:
    head = workshop.parts("phone").head
    assert json.loads(Bundle.model_validate_json(json.dumps(head)).model_dump_json()) == head


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("contact", "somebody"),
        ("contact", "http://example.org"),
        ("size", "large"),
        ("links", ("https://user:word@example.org/",)),
        ("links", ("https://localhost/",)),
        ("links", ("ftp://example.org/",)),
        ("name", ""),
        ("weights", "half"),
    ],
)
def test_an_invalid_card_is_refused(field: str, value: object) -> None:
    fields = {"name": "A", "weights": "none", "contact": "a@example.org"}
    AgentCard.model_validate(fields)
    with pytest.raises(ValidationError):
        AgentCard.model_validate(fields | {field: value})
