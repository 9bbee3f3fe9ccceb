"""Typed answers: the spellings that are read, and that everything else is refused."""

from __future__ import annotations

from datetime import date, time
from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulated_phone import Goal
from simulated_phone.goals.answer_form import MAX_LENGTH, AnswerForm, AnswerKind
from simulated_phone.goals.app_definition import any_state

KINDS = get_args(AnswerKind)
NUMBERS = st.decimals(-(10**9), 10**9, places=2)


def form(kind: AnswerKind, unit: str = "") -> AnswerForm:
    return AnswerForm(kind=kind, unit=unit)


@given(moment=st.times())
def test_a_time_is_read_in_every_spelling(moment: time) -> None:
    hour, minute = moment.hour, moment.minute
    small, half = (hour - 1) % 12 + 1, "am" if hour < 12 else "PM"
    texts = [
        f"{hour}:{minute:02d}",
        f"{hour:02d}：{minute:02d}",
        f" {hour}点{minute}分。",
        f"{hour}时{minute:02d}",
    ]
    texts += [f"{small}:{minute:02d} {half}", f"{small}:{minute:02d}{half.lower()}"]
    texts += [f"{hour}点半"] if minute == 30 else []
    for text in texts:
        assert form("time").read(text) == (hour, minute), text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("七点半", (7, 30)),
        ("早上七点半", (7, 30)),
        ("晚上七点一刻", (19, 15)),
        ("下午3:05", (15, 5)),
        ("中午12点", (12, 0)),
        ("凌晨12点", (0, 0)),
        ("十二点整", (12, 0)),
        ("12 a.m.", (0, 0)),
        ("7 pm", (19, 0)),
    ],
)
def test_words_of_the_day_count_and_no_word_means_24_hours(text: str, value: object) -> None:
    assert form("time").read(text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("time", "24:00"),
        ("time", "7:3"),
        ("time", "7:30 or 8:30"),
        ("time", "730"),
        ("time", "13 pm"),
        ("time", "晚上12点"),
        ("number", "twelve"),
        ("number", "12 km"),
        ("number", "1,23"),
        ("number", "٣"),
        ("amount", "12.345"),
        ("amount", "-5"),
        ("date", "2025-02-30"),
        ("date", "03-10"),
        ("date", "13月1日"),
        ("name", "《》"),
        ("code", "12/34"),
        ("phone", "138 1234 567a"),
        ("phone", "13"),
        ("phone", "1" * 16),
        ("phone", "(+86 13812345678"),
        ("phone", "138  1234 5678"),
        ("phone", "+1 555 0100"),
        ("phone", "-13812345678"),
        ("code", "密码"),
        ("yes_no", "yes, it is"),
        ("yes_no", "是否"),
    ],
)
def test_what_is_not_of_the_form_is_refused(kind: AnswerKind, text: str) -> None:
    assert form(kind, "分钟" if kind == "number" else "").read(text) is None


@given(value=NUMBERS)
def test_a_number_is_compared_by_value(value: Decimal) -> None:
    right = str(value)
    for text in (f"{value:,}", f"{value} 分钟", f"{value}min", f"{value:+}。"):
        assert form("number", "分钟").same(text, right)
    assert not form("number", "分钟").same(str(value + 1), right)
    assert not form("number", "步").same(f"{value} 分钟", right)


@given(fen=st.integers(0, 10**9))
def test_an_amount_may_name_its_currency(fen: int) -> None:
    plain = f"{Decimal(fen) / 100:.2f}"
    for text in (
        plain,
        f"¥{plain}",
        f"￥ {plain}",
        f"{plain}元",
        f"${Decimal(fen) / 100:,.2f}",
        f"{plain} yuan",
    ):
        assert form("amount").same(text, plain), text
    assert not form("amount").same(f"{Decimal(fen + 1) / 100}", plain)


@given(day=st.dates(min_value=date(1900, 1, 1)))
def test_a_date_may_leave_out_its_year(day: date) -> None:
    right = day.isoformat()
    month = day.strftime("%B")
    texts = [
        f"{day.year}/{day.month}/{day.day}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{day.month}月{day.day}号",
    ]
    texts += [f"{month} {day.day}, {day.year}", f"{day.day} {month[:3]}", f"{month[:3]}. {day.day}"]
    for text in texts:
        assert form("date").same(text, right), text
    assert not form("date").same(f"{day.year + 1}年{day.month}月{day.day}日", right)


def test_names_and_codes_are_compared_without_space_case_and_quotes() -> None:
    assert form("name").same("《 Blank space 》", "blank Space")
    assert form("name").same("160 6819 4369", "16068194369")
    assert not form("name").same("王伟先生", "王伟")
    assert form("code").same("55 2700", "55-2700")
    assert form("code").same("g1234", "G1234")
    assert not form("code").same("5-27000", "55-2701")


@given(
    groups=st.lists(st.text("0123456789", min_size=2, max_size=5), min_size=2, max_size=3),
    mark=st.sampled_from(" -."),
    code=st.sampled_from(["", "+86 ", "+86", "0086-", "(+86) "]),
)
def test_a_telephone_number_is_read_in_every_grouping(groups: list[str], mark: str, code: str) -> None:
    digits = "".join(groups)
    for text in (code + mark.join(groups), f"{code}({groups[0]}) {mark.join(groups[1:])}", code + digits):
        if code or not digits.startswith("0086"):
            assert form("phone").same(text, digits), text
            assert form("caller").same(f"“{text}”。", digits), text
    assert not form("phone").same(digits[:-1] + str((int(digits[-1]) + 1) % 10), digits)


def test_a_caller_is_a_name_or_a_number() -> None:
    assert form("caller").same("154-1234-5678", "154 1234 5678")
    assert form("caller").same(" 王伟 ", "王伟")
    assert form("caller").same("Li Ming", "li ming")
    assert not form("caller").same("王伟 154 1234 5678", "154 1234 5678")


def test_yes_and_no_are_single_words() -> None:
    assert form("yes_no").same("是。", "yes")
    assert form("yes_no").same("No", "否")
    assert not form("yes_no").same("yes", "否")


@given(text=st.text(), kind=st.sampled_from(KINDS))
def test_any_text_is_read_or_refused(text: str, kind: AnswerKind) -> None:
    value = form(kind).read(text)
    assert form(kind).same(text, text) == (value is not None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_long_text_and_an_empty_one_are_no_answer(kind: AnswerKind) -> None:
    assert form(kind).read("1" * (MAX_LENGTH + 1)) is None
    assert form(kind).read(" ") is None


@pytest.mark.parametrize("locale", ["zh", "en"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_form_names_an_answer_of_the_form(kind: AnswerKind, locale: str) -> None:
    words = form(kind).words(locale)
    named = (
        words.replace("：", ": ")
        .replace("，", ", ")
        .rpartition("例如" if locale == "zh" else "example")[2]
        .strip()
    )
    if kind not in ("name", "code", "caller", "yes_no"):
        assert form(kind).read(named) is not None, words


def test_a_goal_wants_a_state_or_asks_a_question() -> None:
    with pytest.raises(ValueError, match="the goal 'none' needs a rule or a question"):
        Goal(name="none", words=(), cases=lambda seed: [], strategies=(), rule=any_state)
