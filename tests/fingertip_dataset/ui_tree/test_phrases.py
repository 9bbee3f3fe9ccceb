"""Words and phrases in normalized texts."""

from __future__ import annotations

import pytest

from fingertip_dataset.ui_tree.normal_text import normal
from fingertip_dataset.ui_tree.phrases import (
    at_edge,
    expression,
    finder,
    is_followed,
    is_preceded,
    joined,
    only,
    word,
)


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        (("pay",), "Pay now", "pay"),
        (("pay",), "display", None),
        (("pay", "pay now"), "pay now", "pay now"),
        (("send money",), "SendMoney", "send money".replace(" ", "")),
        (("支付",), "去支付吧", "支付"),
        (("=开播",), "打开播放页", None),
        (("=开播",), "开播", "开播"),
        (("pin",), "pin 码", "pin"),
        (("pin",), "pinterest", None),
        ((), "支付", None),
    ],
)
def test_finding_words(words: tuple[str, ...], text: str, found: str | None) -> None:
    match = finder(tuple(map(word, words))).search(normal(text))
    assert (match and match[0]) == found


def test_what_stands_around_a_word() -> None:
    match = finder(("付款",)).search("已付款记录")
    assert match
    assert is_preceded(match, ("已",))
    assert not is_preceded(match, ("待",))
    assert is_followed(match, ("记录",))
    assert not is_followed(match, ("说明",))
    assert not only(match, ("已",))
    assert only(match, ("已", "记录"))
    assert at_edge(match, ("已",))
    assert not at_edge(match, ())
    far = finder(("付款",)).search("付款并同意全部的服务说明")
    assert far
    assert not is_followed(far, ("说明",))


def test_invalid_words_and_expressions_are_refused() -> None:
    with pytest.raises(ValueError, match="letters or digits"):
        word("—")
    with pytest.raises(ValueError, match="regular expression"):
        expression("(")
    assert joined(()).search("支付") is None
    assert joined(("a", "b")).fullmatch("b")
