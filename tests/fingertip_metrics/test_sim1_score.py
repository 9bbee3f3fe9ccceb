from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fingertip_dataset.errors import MetricInputError, ModelError
from fingertip_metrics import get_embedder, sim1
from fingertip_metrics.embedders import Embedder
from tests.examples import examples
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


LEXICAL = get_embedder("lexical")


@dataclass
class Given:
    """An embedder whose vectors are given, one a text."""

    vectors: Sequence[Sequence[float]]
    name: str = "given"
    comparable: bool = True
    why_not_comparable: str | None = None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.asarray(self.vectors, dtype=np.float32)


@pytest.mark.parametrize("protocol", ["release", "paper"])
def test_golden(golden: Callable[[str], dict[str, Any]], protocol: str) -> None:
    cases = golden("sim1")["cases"]
    result = sim1(
        [case["prediction"] for case in cases],
        [case["reference"] for case in cases],
        embedder=LEXICAL,
        protocol=protocol,
    )
    for case, item in zip(cases, result.per_item, strict=True):
        assert item.cosine == pytest.approx(case["cosine"], abs=1e-6), case["name"]
        assert item.levenshtein == pytest.approx(case[protocol]["levenshtein"], abs=1e-12), case["name"]
        # to the digit where the release rounds
        tolerance = 0 if protocol == "release" else 1e-6
        assert item.sim1 == pytest.approx(case[protocol]["sim1"], abs=tolerance), case["name"]
    assert (result.n, result.empty, result.protocol) == (len(cases), 1, protocol)
    assert result.sim1 == pytest.approx(sum(item.sim1 for item in result.per_item) / len(cases))
    assert result.cosine == pytest.approx(sum(item.cosine for item in result.per_item) / len(cases))
    assert result.levenshtein == pytest.approx(sum(item.levenshtein for item in result.per_item) / len(cases))


def test_the_cosine_is_the_raw_one() -> None:
    opposite = sim1(["a", "b"], ["c", "d"], embedder=Given([[1, 0], [3, 4], [-1, 0], [4, 3]]))
    assert [item.cosine for item in opposite.per_item] == [-1.0, pytest.approx(0.96)]
    assert [item.sim1 for item in opposite.per_item] == [-0.5, 0.48]


def test_the_papers_cosine_is_clipped_at_zero() -> None:
    vectors = Given([[1, 0], [3, 4], [-1, 0], [4, 3]])
    result = sim1(["a", "b"], ["c", "d"], embedder=vectors, protocol="paper")
    assert [item.cosine for item in result.per_item] == [0.0, pytest.approx(0.96)]
    assert [item.sim1 for item in result.per_item] == [0.0, pytest.approx(0.48)]
    # the mean is over what was clipped, not clipped itself
    assert result.cosine == pytest.approx(0.48)


@settings(deadline=None, max_examples=examples(60))
@given(
    texts=st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), min_size=1, max_size=6),
    seed=st.integers(0, 10_000),
)
def test_by_the_paper_sim1_and_both_parts_lie_between_0_and_1(
    texts: list[tuple[str, str]], seed: int
) -> None:
    vectors = np.random.default_rng(seed).normal(size=(2 * len(texts), 3)).tolist()
    reply, wanted = [pair[0] for pair in texts], [pair[1] for pair in texts]
    paper = sim1(reply, wanted, embedder=Given(vectors), protocol="paper")
    raw = sim1(reply, wanted, embedder=Given(vectors), protocol="release")
    for item, before in zip(paper.per_item, raw.per_item, strict=True):
        assert 0 <= item.cosine <= 1
        assert 0 <= item.levenshtein <= 1
        assert 0 <= item.sim1 <= 1
        assert item.cosine == max(0.0, before.cosine)
    assert 0 <= paper.sim1 <= 1


def test_the_result_names_its_settings() -> None:
    result = sim1(["a"], ["a"], embedder=Given([[1], [1]]))
    assert (result.embedder, result.protocol, result.similarity) == ("given", "release", "release")
    assert (result.comparable, result.why_not_comparable) == (True, None)
    result = sim1(["a"], ["a"], embedder=LEXICAL, protocol="paper", similarity="fuzzywuzzy-difflib")
    assert result.similarity == "fuzzywuzzy-difflib"
    assert not result.comparable
    assert "embedder lexical" in str(result.why_not_comparable)
    assert "protocol paper" in str(result.why_not_comparable)


def test_similarity_takes_the_persons_text_first() -> None:
    result = sim1(["diet"], ["tide"], embedder=LEXICAL, similarity="fuzzywuzzy-difflib")
    assert result.levenshtein == 0.25


@pytest.mark.parametrize(("predictions", "references", "message"), VECTORS["bad_input"])
def test_bad_input(predictions: Any, references: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(MetricInputError, match=message):
        sim1(predictions, references, embedder=LEXICAL)


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0, 0.0], [float("nan"), 1.0]], "expected finite vectors of given, got nan or inf in row 1"),
        ([[1.0, float("inf")], [1.0, 1.0]], "in row 0"),
        ([[1.0, 0.0]], r"expected 2 vectors of given, got shape \(1, 2\)"),
        ([1.0, 0.0], r"got shape \(2,\)"),
    ],
)
def test_invalid_vectors_are_refused(vectors: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(ModelError, match=message):
        sim1(["a"], ["b"], embedder=Given(vectors))


def test_a_text_without_direction_has_cosine_zero() -> None:
    result = sim1(["", "x"], ["a", "y"], embedder=Given([[0, 0], [1, 0], [1, 0], [1, 0]]))
    assert [item.cosine for item in result.per_item] == [0.0, 1.0]
    assert [item.empty for item in result.per_item] == [True, False]


@settings(deadline=None, max_examples=examples(100))
@given(rows=st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), min_size=1, max_size=6))
def test_any_text_is_scored_in_range_and_apart_from_the_others(rows: list[tuple[str, str]]) -> None:
    embedder: Embedder = LEXICAL
    result = sim1([a for a, _ in rows], [b for _, b in rows], embedder=embedder)
    for (prediction, reference), item in zip(rows, result.per_item, strict=True):
        assert -0.5 <= item.sim1 <= 1
        assert sim1([prediction], [reference], embedder=embedder).per_item == (item,)
