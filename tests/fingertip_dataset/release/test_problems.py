"""Problems are safe to print, and their kinds say what they mean."""

from __future__ import annotations

import copy
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.release.problems import (
    DETAIL_LENGTH,
    Effect,
    Problem,
    ProblemKind,
    Subject,
    count_problems,
    printable,
)

TEXT = st.text(st.characters(exclude_categories=()))


@given(TEXT)
def test_printable_text_has_no_control_characters_and_is_utf8(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    shown.encode()
    assert printable(shown) == shown
    if text.isprintable():
        assert shown == text


@given(TEXT, st.integers(4, 50))
def test_long_text_is_cut(text: str, limit: int) -> None:
    assert len(printable(text, limit)) <= limit * len("\\U00110000")
    if len(text) <= limit:
        assert printable(text, limit) == printable(text)


@given(TEXT, TEXT, TEXT)
def test_a_problem_is_safe_whatever_the_data_say(detail: str, file: str, episode_id: str) -> None:
    problem = Problem(kind=ProblemKind.BAD_ROW, detail=detail, file=file, episode_id=episode_id)
    for text in (problem.detail, problem.file, problem.episode_id):
        assert text is not None
        assert text.isprintable()
        text.encode()


def test_a_detail_is_bounded() -> None:
    assert len(Problem(kind=ProblemKind.BAD_ROW, detail="x" * 10**6).detail) == DETAIL_LENGTH


def test_each_kind_has_a_meaning() -> None:
    for kind in ProblemKind:
        assert kind == kind.value == kind.name.lower()
        assert ProblemKind(kind.value) is kind
        assert isinstance(kind.subject, Subject)
        assert isinstance(kind.effect, Effect)
        assert 20 < len(kind.meaning) < 110
        assert "\n" not in kind.meaning
    assert len({kind.meaning for kind in ProblemKind}) == len(ProblemKind)
    assert copy.deepcopy(ProblemKind.BAD_AGE).subject == "user"


@given(st.lists(st.sampled_from(ProblemKind)))
def test_counts_are_those_of_the_list_in_the_order_of_the_kinds(kinds: list[ProblemKind]) -> None:
    counts = count_problems(Problem(kind=kind, detail="") for kind in kinds)
    assert counts == Counter(kind.value for kind in kinds)
    assert list(counts) == [kind.value for kind in ProblemKind if kind in kinds]
