"""docs/reference/prompts.md shows the prompts of today, and each line's term of the equation."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from docs.site.labelled_prompt import draw_picture, label_lines
from docs.site.page_lists import with_lists
from docs.site.prompts_page import LISTS, PAGE, TASK, draw_screen, make_prompts
from docs.site.suggestion_prompts import SCREEN, Prompt, make_others
from docs.site.suggestion_prompts import TASK as SUGGESTION
from fingertip_agents.registry import FORMATS, sends_pictures
from fingertip_agents.suggestion.relevant import make_relevant_messages
from fingertip_agents.suggestion.suggestion_prompt import make_suggestion_messages
from fingertip_models.messages import Message

LISTING = ("appagent", "autodroid", "generalist")
"""Agents whose prompt depends on the tree."""


def test_the_page_shows_the_prompts() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_lists(page, LISTS), "run: python -m docs.site.prompts_page"


@pytest.mark.parametrize("name", FORMATS)
def test_each_agent_has_all_terms_and_nothing_else(name: str) -> None:
    lines = label_lines(*make_prompts(name, draw_screen()))
    # a picture stands before or behind what it is sent with, by the steps so far
    terms = {part for term, _ in lines if term for part in term.split("+")}
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


@pytest.mark.parametrize(
    ("make", "screens"),
    [
        (partial(make_suggestion_messages, language="en"), 1),
        (partial(make_suggestion_messages, language="en", distribution=True), 0),
        (partial(make_relevant_messages, language="en"), 0),
    ],
)
def test_each_prompt_of_track_1_has_all_terms_and_no_app(make: Prompt, screens: int) -> None:
    task = replace(
        SUGGESTION,
        screenshots=(draw_picture(SCREEN),) * screens,
        previous_intents=tuple(replace(one, app="com.clock") for one in SUGGESTION.previous_intents),
    )
    lines = label_lines(make(task), make_others(make, task), "X")
    terms = {part for term, _ in lines if term for part in term.split("+")}
    assert terms == {"U", "T", "S", "I_hist", *(("X",) if screens else ())}
    assert not any("com.clock" in line for _, line in lines)


def test_a_line_that_two_terms_change_names_both() -> None:
    prompt, first, second = ([Message(role="user", text=text)] for text in ("a\nb\nc", "a\nB\nc", "a\nc"))
    assert label_lines(prompt, {"U": first, "I": second}) == [
        ("", "---- user"),
        ("", "a"),
        ("U+I", "b"),
        ("", "c"),
    ]
