from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from fingertip_leaderboard.bundle.schema import AgentCard, Bundle, json_schema, schema_text
from tests.fingertip_leaderboard.bundle_factory import Workshop

DOCS = Path(__file__).parents[3] / "docs" / "bundle.schema.json"
RENEW = (
    "renew it: python -c "
    "\"from fingertip_leaderboard.bundle.schema import schema_text; print(schema_text(), end='')\" "
    "> docs/bundle.schema.json"
)


def test_the_schema_in_docs_is_current() -> None:
    assert DOCS.read_text(encoding="utf-8") == schema_text(), RENEW


def test_the_schema_names_every_part() -> None:
    parts = json_schema()["properties"]
    assert set(parts) == {"bundle", "suggestion_line", "execution_line", "verdict_line", "label"}
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
        "device",
    }


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
def test_a_card_is_held_to_its_form(field: str, value: object) -> None:
    fields = {"name": "A", "weights": "none", "contact": "a@example.org"}
    AgentCard.model_validate(fields)
    with pytest.raises(ValidationError):
        AgentCard.model_validate(fields | {field: value})
