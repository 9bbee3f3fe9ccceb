"""Fuzz tests: any bundle is accepted or refused, and never raises an exception."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from fingertip_dataset.folded_text import make_skeleton
from fingertip_leaderboard import verify_bundle
from fingertip_leaderboard.bundle.file_names import check_name
from fingertip_leaderboard.bundle.lines import PREDICTION
from fingertip_leaderboard.bundle.refusal import Refusals
from fingertip_leaderboard.bundle.strict_json import read_records
from fingertip_leaderboard.verify.confusables import find_disguise, name_keys
from tests.examples import examples

LATER = datetime.now(UTC) + timedelta(hours=1)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(min_value=-(10**20), max_value=10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3), max_leaves=5)


def places(record: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:  # noqa: ANN401 - as JSON has it
    """Every (container, key) below a record."""
    items: Any = enumerate(record) if isinstance(record, list) else ()
    items = record.items() if isinstance(record, dict) else items
    for key, inner in items:
        found.append((record, key))
        places(inner, found)
    return found


@settings(
    max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(seed=st.sampled_from(["judged", "ours", "phone", "points", "forced", "person"]), data=st.data())
def test_any_value_at_any_place_is_accepted_or_refused(
    workshop: Workshop, seed: str, data: st.DataObject
) -> None:
    parts = workshop.parts(seed)
    parts.head.pop("files")
    found = places([parts.head, parts.tasks, parts.verdicts, parts.labels], [])
    container, key = found[data.draw(st.integers(4, len(found) - 1))]
    container[key] = data.draw(VALUES)
    with TemporaryDirectory() as folder:
        report = verify_bundle(parts.write(Path(folder) / "bundle"), workshop.dataset_of(seed), now=LATER)
    assert report.accepted == (not report.problems)
    assert all(str(problem).isprintable() for problem in report.problems)


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_as_lines(content: bytes) -> None:
    found = Refusals()
    assert len(list(read_records(PREDICTION, content, found, "predictions.jsonl"))) == 0
    assert bool(found.refusals) == bool(content)


@given(st.text(max_size=60))
def test_any_text_is_accepted_or_refused_as_a_name(text: str) -> None:
    found = Refusals()
    assert check_name(text, found) == (not found.refusals)
    assert make_skeleton(text) == make_skeleton(f"\u200b{text} ")
    assert name_keys(text) & name_keys(text.upper())
    find_disguise(text)
