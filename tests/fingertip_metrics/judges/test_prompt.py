"""The judge's prompt, and how its answers are read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import UsageError
from fingertip_metrics.judges.prompt import (
    LONGEST_ANSWER,
    PROMPT_VERSION,
    derive_code,
    hash_prompt,
    question,
    read_verdict,
)
from fingertip_models.messages import Language
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


SNAPSHOT = {
    "zh": "57ce8397856e9625170b810f5f0eef4e9359a34f70130875e3a9c250a97e3258",
    "en": "a3defe0759b2f87687dbb786dff083caf795ad615c0c4222aab88fcc021464fc",
}
"""A prompt that is changed has another version."""

SAME, DIFFERENT = '{"code": "c0de", "reason": "一样", "same": true}', '{"code": "c0de", "same": false}'


def test_a_changed_prompt_is_another_version() -> None:
    assert PROMPT_VERSION == 1
    assert {language: hash_prompt(language) for language in SNAPSHOT} == SNAPSHOT  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="expected a language, one of zh, en, got 'fr'"):
        hash_prompt("fr")  # type: ignore[arg-type]


@pytest.mark.parametrize(("language", "words"), [("zh", "同一个应用"), ("en", "The same app")])
def test_the_prompt_defines_the_same_intent(language: Any, words: str) -> None:  # noqa: ANN401
    system, user = question("听歌", "打车", language)
    assert words in system.text
    assert '"same": true' in system.text
    assert "听歌" not in system.text
    assert json.loads(user.text.split("\n")[1])["predicted"] == "听歌"


@pytest.mark.parametrize(
    ("language", "reasons", "phrase"),
    [
        ("en", "de", '"reason": "one or two sentences in German"'),
        ("en", "tlh", "one or two sentences in the language with the ISO 639 code tlh"),
        ("zh", "fr", '"reason": "用法语写的一两句话"'),
    ],
)
def test_reasons_are_asked_in_another_language_by_its_name(
    language: Language, reasons: str, phrase: str
) -> None:
    assert phrase in question("听歌", "打车", language, reasons)[0].text
    assert hash_prompt(language, reasons) != hash_prompt(language)


def test_the_code_depends_on_both_texts() -> None:
    codes = {derive_code(*pair) for pair in (("a", "b"), ("b", "a"), ("ab", ""), ("", "ab"), ("a", "b "))}
    assert len(codes) == 5
    assert derive_code("a", "b") == derive_code("a", "b")


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        *VECTORS["the_last_verdict_with_the_code_counts"],
        (json.dumps({"code": "c0de", "reason": SAME}), "unscored"),
        (f'{{"same": {"[" * 9000}', "unscored"),
        (f"{SAME}{'啊' * LONGEST_ANSWER}", "unscored"),
    ],
)
def test_the_last_verdict_with_the_code_counts(answer: str, state: str) -> None:
    assert read_verdict(answer, "c0de")[0] == state


def test_the_reason_is_that_of_the_verdict() -> None:
    assert read_verdict(f"{DIFFERENT} {SAME}", "c0de") == ("same", "一样")
    assert read_verdict('{"code": "c0de", "same": true, "reason": ["x"]}', "c0de") == ("same", "")


@given(st.text(), st.booleans(), st.text(), st.text(alphabet='{}[]",:\\ a\n'))
def test_text_around_a_verdict_is_ignored(reason: str, same: bool, before: str, after: str) -> None:
    verdict = json.dumps({"code": "c0de", "reason": reason, "same": same})
    safe = before.replace("{", "(")
    assert read_verdict(f"{safe}{verdict}{after}", "c0de") == ("same" if same else "different", reason)
