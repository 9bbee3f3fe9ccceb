"""Spellings are read where they can mean one thing only."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.release.spelling import normalize_text, normalize_time, normalize_user, plain_key
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


@pytest.mark.parametrize(("text", "user"), VECTORS["users"])
def test_users(text: str, user: str | None) -> None:
    assert normalize_user(text) == user


@given(
    st.datetimes(min_value=datetime(1970, 1, 1)),
    st.sampled_from("-_ T"),
    st.sampled_from(["-", ":", ".", ""]),
)
def test_every_moment_reads_back(moment: datetime, between: str, mark: str) -> None:
    date = moment.strftime(f"%Y{mark.replace(':', '-')}%m{mark.replace(':', '-')}%d")
    time = moment.strftime(f"%H{mark}%M{mark}%S")
    assert normalize_time(f" {date}{between}{time}\n") == moment.strftime("%Y%m%d_%H%M%S")


@pytest.mark.parametrize("text", VECTORS["no_time"])
def test_no_time(text: str) -> None:
    assert normalize_time(text) is None


@given(st.text())
def test_a_time_is_none_or_a_time(text: str) -> None:
    time = normalize_time(text)
    assert time is None or datetime.strptime(time, "%Y%m%d_%H%M%S")


@given(st.text(st.characters(exclude_categories=())))
def test_plain_text_is_utf8_and_keeps_what_is(text: str) -> None:
    plain = normalize_text(text)
    plain.encode()
    if not any("\ud800" <= c <= "\udfff" for c in text):
        assert plain == text


def test_names_of_columns() -> None:
    assert {
        plain_key(name) for name in ("intentDescription", "Intent_Description", "\ufeffintent description ")
    } == {"intentdescription"}
