"""Recognisers: every kind in Chinese and English, harmless texts, check digits, and spans of any text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_privacy.finds import FindKind
from fingertip_privacy.planted.planted_rows import RowSource
from fingertip_privacy.recognisers.bank_cards import luhn
from fingertip_privacy.recognisers.identity_numbers import check_digit
from fingertip_privacy.recognisers.recognise import recognise
from fingertip_privacy.recognisers.recognised_span import TextInput

ALL = frozenset(FindKind)
LEAST = 0.5


def found(text: str, **more: str) -> list[tuple[str, str]]:
    spans = recognise(TextInput(text=text, **more), ALL)
    return [(span.kind.value, text[span.start : span.end]) for span in spans if span.confidence >= LEAST]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("电话13912345678打我", "phone", "13912345678"),
        ("＋86 139 1234 5678", "phone", "＋86 139 1234 5678"),
        ("尾号是138****5678的用户", "phone", "138****5678"),
        ("总机 010-62781234", "phone", "010-62781234"),
        ("call (212) 555-0142 now", "phone", "(212) 555-0142"),
        ("身份证110101199003074514已登记", "resident_id", "110101199003074514"),
        ("卡号6222 0212 3456 7890 128", "bank_card", "6222 0212 3456 7890 128"),
        ("邮件：li.lei@example.com。", "email", "li.lei@example.com"),
        ("浙江省杭州市西湖区文一路88号3单元502室", "address", "浙江省杭州市西湖区文一路88号3单元502室"),
        ("Ship to 12 Baker Street, London", "address", "12 Baker Street, London"),
        ("收货人：欧阳明月", "name", "欧阳明月"),
        ("给王静发消息", "name", "王静"),
        ("Dear Grace Hopper, welcome", "name", "Grace Hopper"),
        ("浙A·12345", "plate", "浙A·12345"),
        ("【淘乐】验证码 482913，五分钟内有效", "code", "482913"),
        ("取件码：12-3-4567", "code", "12-3-4567"),
        ("微信号：wx_lilei88", "account", "wx_lilei88"),
        ("Order number 7712345678", "account", "7712345678"),
        ("已转账￥1,234.50给对方", "amount", "1,234.50"),
        ("Balance $88.20", "amount", "88.20"),
    ],
)
def test_private_parts_are_found(text: str, kind: str, value: str) -> None:
    assert (kind, value) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "周五上午 09:30",
        "版本 8.0.50.123",
        "2025年3月10日",
        "限时特价 ¥39.90",
        "共1024件商品",
        "人民广场",
        "高德地图",
        "客户端软件",
        "周杰伦",
        "Central Park",
        "Battery at 61%",
        "1080x2400",
        "年利率 1.50%",
    ],
)
def test_harmless_texts_have_no_finds(text: str) -> None:
    assert found(text) == []


def test_a_label_beside_a_value_counts_and_another_value_does_not() -> None:
    assert found("482913", label="验证码") == [("code", "482913")]
    assert found("共3388件商品", label="验证码：482913") == []
    assert found("冼星海", label="收货人") == [("name", "冼星海")]


def test_a_wrong_check_digit_lowers_the_confidence_and_drops_nothing() -> None:
    right, wrong = (
        recognise(TextInput(text=f"11010119900307451{digit}"), ALL)[0].confidence for digit in "45"
    )
    assert check_digit("11010119900307451") == "4"
    assert LEAST <= wrong < right


@given(st.from_regex(r"[0-9]{12,18}", fullmatch=True))
def test_exactly_one_last_digit_passes_luhn(digits: str) -> None:
    assert sum(luhn(f"{digits}{last}") for last in range(10)) == 1


@given(st.text(max_size=80), st.text(max_size=12))
def test_spans_lie_in_the_text_and_do_not_overlap(text: str, label: str) -> None:
    spans = recognise(TextInput(text=text, label=label), ALL)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_values_that_no_rule_was_written_from_are_found(language: str) -> None:
    rows, missed, wrong = RowSource(language, 424_242), [], []
    for _ in range(40):
        for kind in rows.kinds():
            row = rows.draw(kind)
            if not any(value in row.value or row.value in value for _, value in found(row.text)):
                missed.append(row.text)
        harmless = rows.draw_harmless().text
        wrong += [harmless] if found(harmless) else []
    assert len(missed) <= 4, missed
    assert wrong == []
