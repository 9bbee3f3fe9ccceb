"""Texts that GELab-Zero's grammar, which has no quotes, can and cannot hold."""

from __future__ import annotations

import pytest

from fingertip_agents.formats.gelab import GELabZero
from fingertip_agents.screens.coordinates import ModelFrame
from fingertip_dataset.actions import Finished, Type

FRAME = ModelFrame(size=(1000, 1000), screen=(1080, 2400))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("牛奶: 2", "action:TYPE\tvalue:牛奶: 2"),
        ("牛奶\n", "action:TYPE\tvalue:牛奶\\n"),
        ("\n", "action:TYPE\tvalue:\\n"),
        ("a\tb\nc", "action:TYPE\tvalue:a\tb\nc"),
        (" a", None),
        ("a ", None),
        ("a\tpoint:3", None),
        ("a\nsummary:b", None),
        ("a\tage: 3", None),
    ],
)
def test_a_text_is_written_if_it_is_read_back(text: str, written: str | None) -> None:
    assert GELabZero().write(Type(text=text), frame=FRAME) == written


def test_an_answer_that_looks_like_a_field_is_not_written() -> None:
    assert GELabZero().write(Finished(content="7:30\tvalue:8"), frame=FRAME) is None
