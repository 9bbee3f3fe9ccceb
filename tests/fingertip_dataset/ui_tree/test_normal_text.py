"""Normal forms: disguised words, traditional letters, resource ids."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.ui_tree.normal_text import id_words, normal, plain
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *VECTORS["words_however_written"],
        ("Pаy now", "pay now"),  # a Cyrillic letter
        ("рау", "pay"),  # all Cyrillic
    ],
)
def test_words_however_written(text: str, words: str) -> None:
    assert normal(text) == words


@pytest.mark.parametrize(("view_id", "words"), VECTORS["words_of_a_resource_id"])
def test_words_of_a_resource_id(view_id: str, words: str) -> None:
    assert id_words(view_id) == words


@given(st.text())
def test_a_normal_form_is_its_own(text: str) -> None:
    assert normal(normal(text)) == normal(text)
    assert plain(normal(text)) == plain(text)


@given(st.text(alphabet="支付转账確認匯款pay0"), st.data())
def test_invisible_letters_change_nothing(text: str, data: st.DataObject) -> None:
    hidden = data.draw(st.lists(st.sampled_from("\u200b\u2060\u00ad\ufe0f\u202e\u3164\u115f\u2800")))
    places = [data.draw(st.integers(0, len(text))) for _ in hidden]
    disguised = text
    for letter, place in zip(hidden, places, strict=True):
        disguised = disguised[:place] + letter + disguised[place:]
    assert normal(disguised) == normal(text)


def test_traditional_letters_become_simplified_ones() -> None:
    pairs = {
        "轉": "转",
        "帳": "账",
        "賬": "账",
        "購": "购",
        "買": "买",
        "賣": "卖",
        "儲": "储",
        "刪": "删",
        "確": "确",
        "認": "认",
    }
    assert {old: normal(old) for old in pairs} == pairs
    assert all(unicodedata.category(letter) == "Lo" for letter in pairs.values())
