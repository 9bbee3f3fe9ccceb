"""docs/prompts.md shows the prompts of today, and each line's term of the equation."""

from __future__ import annotations

import pytest

from docs.site.page_lists import with_lists
from docs.site.prompts_page import LISTS, PAGE, TASK, draw_screen, label_lines, make_prompts
from fingertip_agents.registry import FORMATS, sends_pictures
from fingertip_models.messages import Message

LISTING = ("appagent", "autodroid", "generalist")
"""Agents whose prompt depends on the tree."""


def test_the_page_shows_the_prompts() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_lists(page, LISTS), "run: python -m docs.site.prompts_page"


@pytest.mark.parametrize("name", FORMATS)
def test_each_agent_has_all_terms_and_nothing_else(name: str) -> None:
    lines = label_lines(*make_prompts(name, draw_screen()))
    terms = {term for term, _ in lines if term}
    assert terms == {
        *("U", "I", "A_ref", "a"),
        *(("x",) if sends_pictures(name) else ()),
        *(("tree",) if name in LISTING else ()),
    }
    text = "\n".join(line for _, line in lines)
    assert TASK.reference is not None
    assert TASK.time is not None
    for hidden in (f"{TASK.time:%Y-%m-%d}", TASK.scenario, TASK.reference.intent, TASK.app):
        assert hidden not in text


def test_a_line_that_two_terms_change_names_both() -> None:
    prompt, first, second = ([Message(role="user", text=text)] for text in ("a\nb\nc", "a\nB\nc", "a\nc"))
    assert label_lines(prompt, {"U": first, "I": second}) == [
        ("", "---- user"),
        ("", "a"),
        ("U+I", "b"),
        ("", "c"),
    ]
