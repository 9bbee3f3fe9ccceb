"""Pinyin: syllables and candidates, and that everything that people type can be typed."""

from __future__ import annotations

import re
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypinyin import lazy_pinyin

from phone.builders.pinyin_table import list_standard_characters, load_readings, make_table
from simulated_phone.apps import APPS
from simulated_phone.goals.steps import TypeText
from simulated_phone.touch.pinyin import MOST_LETTERS, Candidate, candidates, read_table, syllables

load_readings()


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("fangan", ("fang", "an")),
        ("fan'gan", ("fan", "gan")),
        ("xi''an'", ("xi", "an")),
        ("NiHao", ("ni", "hao")),
        ("'", ()),
    ],
)
def test_letters_are_divided_into_syllables(letters: str, expected: tuple[str, ...]) -> None:
    assert syllables(letters) == expected


@pytest.mark.parametrize(
    ("letters", "text", "length"),
    [
        ("nihao", "你好", 5),
        ("xian", "西安", 4),
        ("xi'an", "西安", 5),
        ("qt", "晴天", 2),
        ("woxiangting", "我想", 7),
        ("lv", "绿", 2),
        ("huankuan", "还款", 8),
        ("changan", "长按", 7),
        ("chongmingming", "重命名", 13),
        ("tanchu", "弹出", 6),
        ("chuanzhuo", "穿着", 9),
        ("chongzhi", "重置", 8),
    ],
)
def test_candidates_of_letters(letters: str, text: str, length: int) -> None:
    assert Candidate(text, length) in candidates(letters)


def test_the_usual_characters_of_a_syllable_come_before_its_words() -> None:
    texts = [one.text for one in candidates("xian")]
    assert texts.index("先") < texts.index("西安") < 6 <= texts.index("鲜")
    assert candidates("wo")[0] == ("我", 2)


def test_a_separator_keeps_words_apart_that_have_none_there() -> None:
    assert "西安" not in [one.text for one in candidates("xia'n")]


@given(st.text(ascii_lowercase + "'ABC", min_size=1, max_size=MOST_LETTERS))
def test_any_letters_have_candidates_that_end_them(letters: str) -> None:
    assert "".join(syllables(letters)) == letters.lower().replace("'", "")
    count = 0
    while letters:
        found = candidates(letters)
        assert len(found) == len(set(found))
        assert all(one.text and 0 < one.length <= len(letters) for one in found)
        letters = letters[found[0].length :]
        count += 1
    assert count <= MOST_LETTERS


def _typed_texts() -> set[str]:
    texts = set()
    for app in APPS:
        for goal in app.goals:
            for case in list(goal.cases(3))[:4]:
                steps = [step for strategy in goal.strategies for step in strategy.steps(case)]
                texts |= {step.text for step in steps if isinstance(step, TypeText)}
    return texts


def test_every_text_that_people_type_can_be_typed() -> None:
    runs = {run for text in _typed_texts() for run in re.findall("[\u4e00-\u9fff]+", text)}
    assert len(runs) > 100
    for run in sorted(runs)[::4]:
        rest, letters, taps = run, "".join(lazy_pinyin(run)), 0
        while rest:
            fitting = [one for one in candidates(letters[:MOST_LETTERS]) if rest.startswith(one.text)]
            assert fitting, (run, rest, letters)
            longest = max(fitting, key=lambda one: len(one.text))
            # the rest is typed afresh where a division of the letters took more than the word's own
            rest, taps = rest[len(longest.text) :], taps + 1
            letters = "".join(lazy_pinyin(rest))
        assert taps <= len(run)


def test_each_standard_character_is_a_candidate_of_its_reading() -> None:
    for character in list(list_standard_characters())[::37]:
        assert character in {one.text for one in candidates(lazy_pinyin(character)[0])}, character


@pytest.mark.install
def test_the_table_is_that_of_its_script() -> None:
    assert read_table() == make_table(), "python -m phone.builders.pinyin_table writes it again"
