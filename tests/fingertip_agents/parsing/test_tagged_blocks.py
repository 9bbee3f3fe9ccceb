"""Blocks between tags that a sentence mentions are blanked, and no others."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_agents.parsing.tagged_blocks import MOST_BLOCKS, blank_mentions

OPENING, CLOSING = re.compile("<a>"), re.compile("</a>")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I could do <a>x</a> here.", []),
        ("不要写“<a>x</a>”，那样不对。", []),
        ("The page shows `<a>x</a>` (a hint).", []),
        ("I do it. <a>x</a> Then I wait.", ["x"]),
        ("Action: tap\n<a>x</a>\nThen I wait.", ["x"]),
        ("I tap <a>x</a>", ["x"]),
        ("<a>x</a> is what I do", ["x"]),
        ("<a>x</a> I could do <a>y</a> here, but no.", ["x"]),
        ("I could do <a>y</a> here, but no.\n<a>x\ny</a>", ["x\ny"]),
        # a block without an end is no mention
        ("I do <a>x here", ["x here"]),
        ("I do <a>x <a>y</a> here", ["x          here"]),
    ],
)
def test_a_mention_is_blanked(text: str, kept: list[str]) -> None:
    blanked = blank_mentions(text, OPENING, CLOSING)
    assert re.findall(r"<a>((?:(?!<a>).)*?)(?=</a>|<a>|\Z)", blanked, re.DOTALL) == kept


@given(st.lists(st.sampled_from(["<a>", "</a>", "I do", " ", "\n", ".", "x"]), max_size=40).map("".join))
def test_positions_stay_and_only_blocks_are_blanked(text: str) -> None:
    blanked = blank_mentions(text, OPENING, CLOSING)
    assert len(blanked) == len(text)
    assert all(new in (old, " ") for new, old in zip(blanked, text, strict=True))
    assert blank_mentions(blanked, OPENING, CLOSING) == blanked


def test_the_number_of_blocks_is_limited() -> None:
    text = "I do <a>x</a> so\n" * (MOST_BLOCKS + 1)
    assert blank_mentions(text, OPENING, CLOSING).count("<a>") == 1
