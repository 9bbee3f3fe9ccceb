"""A judge beside persons."""

from __future__ import annotations

import pytest

from fingertip_dataset.errors import MetricInputError
from fingertip_metrics.judges import Verdict, judge_agreement

SAME, DIFFERENT, NONE = (Verdict(state=state) for state in ("same", "different", "unscored"))


def test_kappa_is_that_of_the_pairs_that_both_have_answered() -> None:
    verdicts = [SAME, SAME, DIFFERENT, DIFFERENT, SAME, NONE, SAME, NONE] * 5
    labels = [SAME, DIFFERENT, DIFFERENT, DIFFERENT, SAME, SAME, NONE, NONE] * 5
    found = judge_agreement(verdicts, labels)
    assert (found.unscored, found.unlabelled) == (5, 10)
    assert found.kappa is not None
    from sklearn.metrics import cohen_kappa_score

    expected = cohen_kappa_score([1, 1, 0, 0, 1] * 5, [1, 0, 0, 0, 1] * 5)
    assert found.kappa.kappa == pytest.approx(expected)
    assert found.kappa.matrix == ((10, 0), (5, 10))
    assert found.kappa.low is not None
    assert found.kappa.warning is None


def test_no_pair_with_both_answers_has_no_kappa() -> None:
    found = judge_agreement([SAME, NONE], [NONE, SAME])
    assert (found.kappa, found.unscored, found.unlabelled) == (None, 1, 1)
    with pytest.raises(MetricInputError, match="expected at least one row in verdicts, got none"):
        judge_agreement([], [])
    with pytest.raises(MetricInputError, match="expected as many labels as verdicts"):
        judge_agreement([SAME], [])
