"""Terminals whose encoding lacks characters: what is printed there, and how wide a table is."""

from __future__ import annotations

from io import BytesIO, TextIOWrapper

import pytest

from fingertip_cli.printing.missing_characters import replace_missing_characters


@pytest.mark.parametrize(
    ("encoding", "text", "written"),
    [
        ("ascii", "| – | 1 × 2 |", "| - | 1 x 2 |"),
        ("ascii", "taps “地图”, half − 3…", 'taps "\\u5730\\u56fe", half - 3...'),
        ("latin-1", "café – 地", "café - \\u5730"),
        ("gbk", "地图 😀", "地图 \\U0001f600"),
        ("utf-8", "地图 – \ud83d", "地图 – \\ud83d"),
    ],
)
def test_missing_characters_have_a_plain_form_or_an_escape(encoding: str, text: str, written: str) -> None:
    under = BytesIO()
    stream = TextIOWrapper(under, encoding=encoding)
    replace_missing_characters(stream)
    print(text, end="", file=stream, flush=True)
    assert under.getvalue().decode(encoding) == written


def test_a_stream_that_encodes_nothing_is_left_alone() -> None:
    replace_missing_characters(None)
    replace_missing_characters(BytesIO())
