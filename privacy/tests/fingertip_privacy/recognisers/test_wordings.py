"""Texts in wordings that no rule was written from: what is private is found, and what is harmless is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fingertip_privacy.recognisers.recognise import RECOGNISERS, recognise
from fingertip_privacy.recognisers.recognised_span import RecognisedSpan, TextInput

LEAST = 0.5
"""Confidence from which on a find counts, as by default."""


def rows(name: str) -> Iterator[str]:
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return (line for line in lines if line and not line.startswith("#"))


def found(text: str) -> list[RecognisedSpan]:
    spans = recognise(TextInput(text=text, package="com.example.shop"), tuple(RECOGNISERS))
    return [span for span in spans if span.confidence >= LEAST]


def shows(row: str) -> bool:
    """Whether most of a row's private part is found, as any kind."""
    _, text, value = row.removeprefix("!").split("|")
    at = text.index(value)
    covered = {place for span in found(text) for place in range(span.start, span.end)}
    return len(covered & set(range(at, at + len(value)))) >= 0.7 * len(value)


def test_what_is_private_is_found_in_any_wording() -> None:
    listed = list(rows("wordings.txt"))
    assert len(listed) > 200
    assert [row for row in listed if not shows(row)] == [row for row in listed if row.startswith("!")]


def test_what_is_harmless_is_left_alone() -> None:
    listed = list(rows("harmless.txt"))
    assert len(listed) > 400
    assert {text: found(text) for text in listed if found(text)} == {}
