from __future__ import annotations

import numpy as np
import pytest

from fingertip_dataset.errors import MetricInputError
from fingertip_metrics.check_arguments import check_booleans, check_lengths, check_sequences, check_texts
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        *VECTORS["texts"],
        ([b"a"], r"expected predictions\[0\] to be a string, got bytes"),
    ],
)
def test_texts(texts: object, message: str) -> None:
    with pytest.raises(MetricInputError, match=message):
        check_texts("predictions", texts)


@pytest.mark.parametrize(("sequences", "message"), VECTORS["sequences"])
def test_sequences(sequences: object, message: str) -> None:
    with pytest.raises(MetricInputError, match=message):
        check_sequences("others", sequences, empty=False)


@pytest.mark.parametrize("value", [1, 0, "True", None, 1.0, np.True_])
def test_booleans_are_booleans(value: object) -> None:
    with pytest.raises(MetricInputError, match=r"expected success\[1\] to be True or False, got"):
        check_booleans("success", [True, value])


def test_lengths() -> None:
    with pytest.raises(MetricInputError, match=r"expected as many references as predictions \(2\), got 1"):
        check_lengths(predictions=["a", "b"], references=["a"])
    with pytest.raises(MetricInputError, match="expected at least one row in predictions, got none"):
        check_lengths(predictions=[], references=[])


def test_valid_arguments_pass() -> None:
    check_texts("predictions", ("", "打开"))
    check_sequences("predictions", [[], ("a",)], empty=True)
    check_booleans("success", [True, False])
    check_lengths(predictions=["a"], references=["b"])
