"""Pseudonyms: same kind and length, stable, different for different values, in the text's spelling."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_privacy.finds import FindKind
from fingertip_privacy.planted.written_forms import FORMS, WrittenForm
from fingertip_privacy.redaction.pseudonym_forms import UNASSIGNED_MOBILE, check_character, luhn_digit
from fingertip_privacy.redaction.pseudonyms import Pseudonyms, TextReplacer
from fingertip_privacy.redaction.value_spellings import SecretValue

KEY = b"0123456789abcdef"

DIGITS = "0123456789"
NAMES = st.text("王李张刘陈晓明伟芳娜秀英敏静", min_size=2, max_size=4)
MOBILES = st.from_regex(r"1[3-9][0-9]{9}", fullmatch=True)
IDS = st.from_regex(r"[1-6][0-9]{5}19[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|1[0-9])[0-9]{3}", fullmatch=True).map(
    lambda first: first + check_character(first)
)
CARDS = (
    st.text(DIGITS, min_size=14, max_size=17).map(lambda rest: "6" + rest).map(lambda n: n + luhn_digit(n))
)
OTHERS = st.text("abcdefXYZ0123456789_", min_size=2, max_size=12)
VALUES = st.one_of(
    st.tuples(st.just(FindKind.NAME), NAMES),
    st.tuples(st.just(FindKind.PHONE), MOBILES),
    st.tuples(st.just(FindKind.RESIDENT_ID), IDS),
    st.tuples(st.just(FindKind.BANK_CARD), CARDS),
    st.tuples(st.sampled_from((FindKind.ACCOUNT, FindKind.CODE, FindKind.AMOUNT)), OTHERS),
)


def replacer(*values: tuple[FindKind, str], key: bytes = KEY, user: str = "1") -> TextReplacer:
    secrets = [SecretValue.of(kind, text) for kind, text in values]
    pseudonyms = Pseudonyms(key, user, secrets)
    return TextReplacer(pseudonyms, pseudonyms.values)


@given(st.lists(VALUES, min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_values_of_a_person_stay_apart_keep_their_length_and_do_not_depend_on_order(
    values: list[tuple[FindKind, str]],
) -> None:
    secrets = [SecretValue.of(kind, text) for kind, text in values]
    pseudonyms, again = Pseudonyms(KEY, "1", secrets), Pseudonyms(KEY, "1", reversed(secrets))
    cores = {secret.core for secret in secrets}
    drawn = [pseudonyms.of(core) for core in sorted(cores)]
    assert drawn == [again.of(core) for core in sorted(cores)]
    assert len({one.lower() for one in drawn}) == len(cores)
    assert not {one.lower() for one in drawn} & cores
    long = [core for core in cores if len(core) >= 4]
    assert [len(pseudonyms.of(core)) for core in long] == [len(core) for core in long]


@given(IDS, CARDS, MOBILES)
@settings(max_examples=40, deadline=None)
def test_numbers_have_valid_forms(resident: str, card: str, mobile: str) -> None:
    map_ = Pseudonyms(
        KEY,
        "7",
        [
            SecretValue.of(kind, text)
            for kind, text in (
                (FindKind.RESIDENT_ID, resident),
                (FindKind.BANK_CARD, card),
                (FindKind.PHONE, mobile),
            )
        ],
    )
    new_id, new_card, new_mobile = (map_.of(text.lower()) for text in (resident, card, mobile))
    assert new_id[-1] == check_character(new_id[:17])
    assert new_card[-1] == luhn_digit(new_card[:-1])
    assert new_card[0] == card[0]
    assert new_mobile.startswith(UNASSIGNED_MOBILE)
    assert len(new_mobile) == 11


def test_every_spelling_of_a_number_gets_the_same_number_in_its_spelling() -> None:
    text, kinds = replacer((FindKind.PHONE, "138 1234 5678")).replace(
        "13812345678, 138-1234-5678, +8613812345678, １３８１２３４５６７８, x138123456789"
    )
    first, hyphens, prefixed, wide, other = text.split(", ")
    assert hyphens == f"{first[:3]}-{first[3:7]}-{first[7:]}"
    assert prefixed == f"+86{first}"
    assert wide.translate({ord("０") + n: str(n) for n in range(10)}) == first
    assert other == "x138123456789"
    assert kinds == (FindKind.PHONE,) * 4


def test_a_masked_number_follows_its_full_number() -> None:
    one = replacer((FindKind.PHONE, "13812345678"), (FindKind.PHONE, "138****5678"))
    full, masked = one.replace("13812345678")[0], one.replace("138****5678")[0]
    assert masked == f"{full[:3]}****{full[7:]}"


@pytest.mark.parametrize(
    ("kind", "old", "kept"),
    [
        (FindKind.NAME, "李老师", "老师"),
        (FindKind.NAME, "小王", "小"),
        (FindKind.ADDRESS, "杭州市西湖区文三路12号", "市"),
        (FindKind.EMAIL, "Li.Wei@qq.com", "@qq.com"),
        (FindKind.EMAIL, "wei@tsinghua.edu.cn", ".example"),
        (FindKind.PLATE, "京A·12345", "·"),
    ],
)
def test_what_says_the_kind_of_a_value_stays(kind: FindKind, old: str, kept: str) -> None:
    new = replacer((kind, old)).replace(f"a: {old}!")[0]
    assert kept in new
    assert old not in new
    assert len(new) == len(f"a: {old}!")


def test_another_key_and_another_person_give_other_values() -> None:
    value = (FindKind.RESIDENT_ID, "11010519491231002X")
    drawn = {
        replacer(value, key=key, user=user).replace(value[1])[0]
        for key in (KEY, b"another key 1234")
        for user in ("1", "2")
    }
    assert len(drawn) == 4


def test_a_name_inside_a_sentence_and_the_longest_value_first() -> None:
    one = replacer((FindKind.NAME, "张伟"), (FindKind.NAME, "张伟明"))
    text, kinds = one.replace("给张伟明和张 伟发消息")
    assert len(kinds) == 2
    assert "张" not in text
    assert len(text) == len("给张伟明和张 伟发消息")


def test_a_latin_name_is_not_replaced_inside_a_word() -> None:
    assert replacer((FindKind.NAME, "Ann")).replace("Anna, Announce")[1] == ()
    text = replacer((FindKind.NAME, "Ann Lee")).replace("ANN LEE; ann lee")[0]
    upper, lower = text.split("; ")
    assert upper.lower() == lower
    assert upper.isupper()


def test_a_short_number_is_not_replaced_within_a_time_a_date_or_a_longer_number() -> None:
    one = replacer((FindKind.AMOUNT, "10"), (FindKind.CODE, "4711"))
    kept = "10:46 09:10 3月10日 10月1日 10% 10.50 2.10 1,10 10/3 110 101"
    assert one.replace(kept) == (kept, ())
    text, kinds = one.replace("转账 10元，验证码4711。¥10.")
    assert len(kinds) == 3
    assert "10" not in text
    assert "4711" not in text


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_number_is_replaced_in_each_form(form: WrittenForm) -> None:
    value = SecretValue.of(FindKind.PHONE, "13812345679")
    pseudonyms = Pseudonyms(b"key", "1001", [value])
    written = form.write("13812345679")
    assert written is not None
    text, kinds = TextReplacer(pseudonyms, pseudonyms.values).replace(f"我的是 {written} 。")
    assert kinds == (FindKind.PHONE,)
    new = text.removeprefix("我的是 ").removesuffix(" 。")
    assert SecretValue.of(FindKind.PHONE, new).core == pseudonyms.of(value.core)
