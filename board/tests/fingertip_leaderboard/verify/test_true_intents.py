"""The attack on track 1 with public targets: the true intents as answers, as they are or a little changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from board.tests.fingertip_leaderboard.bundle_factory import Workshop
from board.tests.fingertip_leaderboard.test_honest import LATER
from board.tests.fingertip_leaderboard.verify.test_one_denominator import claim
from fingertip_dataset.parquet.built import BuiltDataset
from fingertip_leaderboard import verify_bundle
from fingertip_leaderboard.bundle.schema import Bundle
from fingertip_leaderboard.verify.restored_targets import restore_suggestion_targets
from suggestion_runner.suggestion_records import SuggestionRun

REMARK = "predicted intents are the true ones almost letter by letter"


def remarks(workshop: Workshop, place: Path, change: Callable[[str, str], str]) -> tuple[str, ...]:
    """Remarks on a run of track 1 whose answers are made of the true intents and its own answers."""
    parts = workshop.parts("model")
    run = Bundle.model_validate_json(json.dumps(parts.head)).run
    assert isinstance(run, SuggestionRun)
    targets = restore_suggestion_targets(BuiltDataset.open(workshop.dataset_of("model")), run)
    parts.verdicts.clear()
    parts.head["judge"] = None
    for task in parts.tasks:
        answer = change(targets[task["task_id"]].target.intent, task["predicted_intent"])
        task.update(output=answer, predicted_intent=answer)
    claim(parts, workshop, "model", place / "claimed")
    report = verify_bundle(parts.write(place / "bundle"), workshop.dataset_of("model"), now=LATER)
    assert report.accepted, [str(problem) for problem in report.problems]
    return report.remarks


@pytest.mark.parametrize(
    "change",
    [lambda true, _: true, lambda true, _: f"{true}\u3002", lambda true, _: f" {true[:4]} {true[4:]}"],
    ids=["as they are", "with a full stop", "with blanks"],
)
def test_true_intents_as_answers_get_a_remark(
    workshop: Workshop, tmp_path: Path, change: Callable[[str, str], str]
) -> None:
    assert any(REMARK in remark for remark in remarks(workshop, tmp_path, change))


def test_an_agent_that_is_sometimes_right_gets_no_remark(workshop: Workshop, tmp_path: Path) -> None:
    given = remarks(workshop, tmp_path, lambda true, own: true if true < own else own)
    assert not any(REMARK in remark for remark in given)
