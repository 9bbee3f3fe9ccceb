from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import UsageError
from fingertip_metrics.similarity import TEXT_METHODS, sequence_similarity, text_similarity
from tests.examples import examples

Slow = Callable[[Sequence[object], Sequence[object]], float]
FEW = st.text(alphabet="ab打开，'()", max_size=12)
ANY = st.text(max_size=30)


@pytest.fixture(scope="module")
def fuzzywuzzy() -> Any:  # noqa: ANN401 - it has no types
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it is the slow one; that one is wanted
        return importlib.import_module("fuzzywuzzy.fuzz")


@settings(deadline=None, max_examples=examples(300))
@given(a=FEW | ANY, b=FEW | ANY)
def test_release_is_the_indel_similarity_in_whole_percents(slow_indel: Slow, a: str, b: str) -> None:
    value = text_similarity(a, b)
    assert value == round(round(value * 100) / 100, 2)
    expected = 100 * slow_indel(a, b)
    assert abs(100 * value - expected) <= 0.5 + 1e-9
    assert value == text_similarity(b, a)


@settings(deadline=None, max_examples=examples(300))
@given(a=FEW | ANY, b=FEW | ANY)
def test_levenshtein_equals_the_textbook_formula(slow_levenshtein: Slow, a: str, b: str) -> None:
    assert text_similarity(a, b, "levenshtein") == pytest.approx(slow_levenshtein(a, b), abs=1e-12)


@settings(deadline=None, max_examples=examples(300))
@given(a=FEW | ANY, b=FEW | ANY)
def test_fuzzywuzzy_difflib_is_fuzzywuzzy(fuzzywuzzy: Any, a: str, b: str) -> None:  # noqa: ANN401
    assert text_similarity(a, b, "fuzzywuzzy-difflib") == fuzzywuzzy.ratio(a, b) / 100


def test_half_percents_are_rounded_to_even() -> None:
    assert text_similarity("abcdefgh", "aijklmno") == 0.12
    assert text_similarity("abcdefgh", "abcjklmn") == 0.38


@settings(deadline=None, max_examples=examples(200))
@given(
    a=st.lists(st.sampled_from(["a", "b", "press_home()", "finished()"]), max_size=8),
    b=st.lists(st.sampled_from(["a", "b", "press_home()", "finished()"]), max_size=8),
)
def test_tokens_is_levenshtein_over_whole_actions(slow_levenshtein: Slow, a: list[str], b: list[str]) -> None:
    assert sequence_similarity(a, b, "tokens") == pytest.approx(slow_levenshtein(a, b), abs=1e-12)


def test_sequences_are_joined_with_the_full_width_comma() -> None:
    a, b = ["press_home()", "finished()"], ("finished()",)
    for method in TEXT_METHODS:
        assert sequence_similarity(a, b, method) == text_similarity(
            "press_home()\uff0cfinished()", b[0], method
        )


@pytest.mark.parametrize("method", [*TEXT_METHODS, "tokens"])
def test_an_answer_counts_for_nothing(method: str) -> None:
    home, plain, answered = "press_home()", "finished()", "finished(content='a long answer: 7:30, 8,892')"
    for other in ([home, plain], ["press_back()", plain], [home]):
        expected = sequence_similarity(other, [home, plain], method)
        assert sequence_similarity(other, [home, answered], method) == expected
        assert sequence_similarity([*other[:-1], answered], [home, plain], method) == sequence_similarity(
            [*other[:-1], plain], [home, plain], method
        )
    # as written, what is no answer stays what it is
    assert sequence_similarity(["finished( )"], ["finished()"], "tokens") == 0


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(UsageError, match="levenshtein, fuzzywuzzy-difflib, got 'tokens'"):
        text_similarity("a", "b", "tokens")
    with pytest.raises(UsageError, match="fuzzywuzzy-difflib, tokens, got 'cosine'"):
        sequence_similarity(["a"], ["b"], "cosine")
