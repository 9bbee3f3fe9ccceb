"""Numbers and mailboxes in every form that people, programs and screen readers write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_privacy.finds import FindKind
from fingertip_privacy.planted.written_forms import FORMS, WrittenForm, write_mailbox_forms
from fingertip_privacy.recognisers.bank_cards import luhn
from fingertip_privacy.recognisers.identity_numbers import check_digit
from fingertip_privacy.recognisers.recognise import recognise
from fingertip_privacy.recognisers.recognised_span import TextInput
from fingertip_privacy.redaction.value_spellings import SecretValue

_DATES = r"19[4-9][0-9](?:0[1-9]|1[0-2])(?:0[1-9]|1[0-9])"
NUMBERS = {
    FindKind.PHONE: st.from_regex(r"1[3-9][0-9]{9}", fullmatch=True),
    FindKind.RESIDENT_ID: st.from_regex(rf"(?:11|31|44)0[1-9]0[1-9]{_DATES}[0-9]{{3}}", fullmatch=True).map(
        lambda digits: digits + check_digit(digits)
    ),
    FindKind.BANK_CARD: st.from_regex(r"62[0-9]{16}", fullmatch=True).map(
        lambda digits: next(f"{digits}{last}" for last in range(10) if luhn(f"{digits}{last}"))
    ),
}


def spans(text: str) -> list[tuple[str, str]]:
    found = recognise(TextInput(text=text, is_line=False), frozenset(FindKind))
    return [(span.kind, text[span.start : span.end]) for span in found if span.confidence >= 0.5]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
@pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: kind.value)
@given(data=st.data())
@settings(max_examples=20)
def test_a_number_is_found_in_each_form(form: WrittenForm, kind: FindKind, data: st.DataObject) -> None:
    number = data.draw(NUMBERS[kind])
    written = form.write(number)
    if written is None:
        return
    found = dict(spans(f"我的是 {written} 。"))
    assert SecretValue.of(kind, found[kind]).core == SecretValue.of(kind, number).core


@pytest.mark.parametrize("mailbox", write_mailbox_forms("zhang.wei88", "example", "com"))
def test_a_mailbox_is_found_in_each_form(mailbox: str) -> None:
    assert [kind for kind, _ in spans(f"write to {mailbox} today")] == [FindKind.EMAIL]


@pytest.mark.parametrize("mailbox", ["zhang@例子.公司", "张三@例子.中国", "info@公司.com"])
def test_a_mailbox_of_a_chinese_domain_is_found(mailbox: str) -> None:
    assert spans(f"邮箱 {mailbox} 收到") == [(FindKind.EMAIL, mailbox)]


@pytest.mark.parametrize(
    "text",
    [
        "Chrome 138.0.7204.158", "192.168.100.20", "13 14 15 16 17 1", "2025-03-10 12-30", "1995-01-02 100",
        "15:30 16:30 17:5", "13,451,230,145", "13.45 12.30 14.5", "[138,1234][567,890]", "1990/12/31/100",
        "13 20 35 40 55 6", "meet me at example.com", "三三两两五六个人", "一二三四五六七八九",
        "1-800-555-0199", "1741070588433.jpg",
        "1001__20250304_144306", "[0,136][1080,2400]", "一心一意三心二意",
    ],
)  # fmt: skip
def test_other_numbers_are_left_alone(text: str) -> None:
    assert spans(text) == []
