"""The release's spelling as an answer; other answers stand in vectors/generalist.toml."""

from __future__ import annotations

import re

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from fingertip_agents.parsing import action_answer
from fingertip_dataset.actions import (
    Action,
    Click,
    Direction,
    Finished,
    LongClick,
    PressBack,
    PressHome,
    PressRecent,
    Scroll,
    Type,
    Wait,
    format_action,
)
from tests.examples import examples

TEXTS = st.text() | st.text(alphabet="'\"()（）‘’“”,，= \n\t,.click天wait")
PLACES = st.integers(-3000, 30000) | st.floats(-1e6, 1e6, allow_nan=False)
DIRECTIONS: st.SearchStrategy[Direction] = st.sampled_from(("up", "down", "left", "right"))
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(Click, x=PLACES, y=PLACES, content=st.none() | TEXTS),
    st.builds(LongClick, x=PLACES, y=PLACES, content=st.none() | TEXTS),
    st.builds(Scroll, x=PLACES, y=PLACES, direction=DIRECTIONS),
    st.builds(Type, text=TEXTS),
    st.sampled_from((PressBack(), PressHome(), PressRecent(), Wait(), Finished(), Finished(content="7:30"))),
)


@given(ACTIONS)
@settings(max_examples=examples(600))
@example(Type(text="</think>"))
def test_what_is_written_in_the_releases_spelling_reads_as_the_same_action(action: Action) -> None:
    text = getattr(action, "text", None) or getattr(action, "content", None) or ""
    # behind a quote and a bracket, or a comma, the text could be prose, or another argument
    assume(not re.search(r"['\"‘’“”]\s*[)）]|['\"‘’“”]\s*[,，]\s*\w+\s*[=＝]", text))
    assert action_answer.read(format_action(action)).actions == (action,)
