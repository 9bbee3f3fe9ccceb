from __future__ import annotations

import pytest

from execution_runner.scoring.resolved_labels import Resolved, resolve
from execution_runner.scoring.success_labels import LabelRecord


def label(rater: str, success: str, *, kind: str = "person") -> LabelRecord:
    return LabelRecord.model_validate(
        {
            "task_id": "1__t",
            "attempt": 1,
            "rater": rater,
            "kind": kind,
            "success": success,
            "at": "2025-05-01T10:00:00+08:00",
        }
    )


def words(*given: str) -> list[LabelRecord]:
    return [label(f"rater {number}", word) for number, word in enumerate(given)]


@pytest.mark.parametrize(
    ("given", "success", "disputed"),
    [
        ((), None, False),
        (("yes",), True, False),
        (("no",), False, False),
        (("unsure",), None, True),
        (("yes", "no"), None, True),
        (("yes", "unsure"), None, True),
        (("yes", "yes", "no"), True, False),
        (("no", "no", "unsure"), False, False),
        (("yes", "yes", "no", "unsure"), None, True),
        (("yes", "no", "unsure"), None, True),
    ],
)
def test_a_majority_of_people_decides(given: tuple[str, ...], success: bool | None, disputed: bool) -> None:
    resolved = resolve(words(*given))
    assert (resolved.success, resolved.disputed) == (success, disputed)
    assert resolved.by == tuple(f"rater {number}" for number in range(len(given)))


def test_a_judge_counts_only_without_a_person() -> None:
    judge = label("judge:m@1", "yes", kind="judge")
    assert resolve([judge]) == Resolved(success=True, by=("judge:m@1",), disputed=False)
    assert resolve([judge, label("anna", "no")]) == Resolved(success=False, by=("anna",), disputed=False)
    assert resolve([judge, label("anna", "unsure")]) == Resolved(success=None, by=("anna",), disputed=True)


def test_a_raters_last_label_counts() -> None:
    changed = [label("anna", "no"), label("ben", "yes"), label("anna", "yes")]
    assert resolve(changed) == Resolved(success=True, by=("anna", "ben"), disputed=False)
