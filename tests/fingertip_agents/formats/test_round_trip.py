"""Every format reads back each action that it can write, and says of the others that it cannot write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingertip_agents.execution_agent import ScreenInput
from fingertip_agents.formats.native_syntax import typed
from fingertip_agents.formats.reading import Prepared
from fingertip_agents.registry import FORMATS, model_format, sends_pictures
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
)
from fingertip_dataset.errors import ActionSyntaxError
from fingertip_dataset.tasks.task import ExecutionInput
from tests.examples import examples

EVERY = frozenset({Click, LongClick, Type, Scroll, PressBack, PressHome, PressRecent, Wait, Finished})
SPACES: dict[str, frozenset[type]] = {
    "generalist": EVERY,
    "qwen2.5-vl": EVERY,
    "qwen3-vl": EVERY,
    "ui-tars-1.5": EVERY - {PressRecent},
    "ui-tars-v1": EVERY - {PressRecent},
    "aguvis": EVERY - {PressRecent},
    "appagent": EVERY - {PressHome, PressRecent, Wait},
    "cogagent": frozenset({Click, Scroll, Finished}),
    "autodroid": frozenset({Click, Scroll, PressBack, Finished}),
}
"""Format -> kinds of actions that it can write on their own."""

PAIRS = frozenset({"cogagent", "autodroid"})
"""Formats that have one call for a click on a field and the text typed into it."""

ON_ELEMENTS = frozenset({"appagent", "autodroid"})
"""Formats that name elements: a touch is read at the centre of the one that it meets, if it meets one."""

BY_SWIPE = frozenset({"qwen2.5-vl", "qwen3-vl", "ui-tars-v1", "aguvis"})
"""Formats that give a swipe both ends: at the edge that the finger would move to there is none."""

PLACES = {"x": st.integers(0, 1079), "y": st.integers(0, 2399)}
TEXTS = st.text(min_size=1, max_size=20).filter(lambda text: readable(text) == Type(text=text))
CONTENTS = st.none() | st.text(min_size=1, max_size=8)
CLICKS = st.builds(Click, **PLACES, content=CONTENTS)
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    CLICKS,
    st.builds(LongClick, **PLACES, content=CONTENTS),
    st.builds(Scroll, **PLACES, direction=st.sampled_from(get_args(Direction))),
    st.builds(Type, text=TEXTS),
    st.sampled_from(
        [PressBack(), PressHome(), PressRecent(), Wait(), Finished(), Finished(content="7:30 ('早')")]
    ),
)
AS_OFTEN = settings(
    max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def readable(text: str) -> Type | None:
    """The action of a typed text as the formats read it; \\n at its end presses enter."""
    try:
        return typed(text)
    except ActionSyntaxError:
        return None


Prepare = Callable[[str, int | None], Prepared]


@pytest.fixture
def prepare(alarm_task: ExecutionInput, clock_screen: ScreenInput) -> Prepare:
    """Function of a format and its limit of pixels."""

    def made(name: str, pixels: int | None) -> Prepared:
        return model_format(name, max_pixels=pixels).prepare(alarm_task, clock_screen, (), "zh")

    return made


SMALLER = 250_000
"""Limit of pixels with which a picture has a third of the screen's width."""

CASES = [
    (name, pixels) for name in FORMATS for pixels in (None, SMALLER) if not pixels or sends_pictures(name)
]


def test_every_format_has_its_actions_here() -> None:
    assert set(SPACES) == set(FORMATS)


@pytest.mark.parametrize(("name", "pixels"), CASES)
@AS_OFTEN
@given(action=ACTIONS)
def test_an_action_is_read_back(prepare: Prepare, name: str, pixels: int | None, action: Action) -> None:
    agent = prepare(name, pixels)
    written = agent.write([action])
    if type(action) not in SPACES[name]:
        assert written is None
        return
    if written is None:
        missed = name in ON_ELEMENTS and isinstance(action, Click | LongClick | Scroll)
        assert missed or (name in BY_SWIPE and isinstance(action, Scroll))
        return
    assert written.actions == 1
    reading = agent.read(written.text)
    assert reading.problem is None
    (found,) = reading.actions
    assert_alike(name, found, action)
    # what was read is written and read as the same again
    again = agent.write([found])
    assert again is not None
    assert_alike(name, agent.read(again.text).actions[0], found, reach=2)


@pytest.mark.parametrize("name", sorted(PAIRS))
@AS_OFTEN
@given(click=CLICKS, text=TEXTS)
def test_a_click_and_its_text_are_read_back(prepare: Prepare, name: str, click: Click, text: str) -> None:
    agent = prepare(name, None)
    written = agent.write([click, Type(text=text)])
    if written is None:
        assert name in ON_ELEMENTS
        return
    touched, *typing = agent.read(written.text).actions
    assert_alike(name, touched, click)
    # AutoDroid takes space alone, and a word such as N/A, for no text: the click is written on its own
    assert typing == [Type(text=text)] if written.actions == 2 else name == "autodroid"
    assert len(typing) == written.actions - 1


def assert_alike(name: str, found: Action, action: Action, *, reach: float = 6) -> None:
    """The same kind, text and direction, and a place as near as a grid or a smaller picture allows, px."""
    assert type(found) is type(action)
    if isinstance(found, Type | Finished):
        assert found == action
    if isinstance(found, Scroll) and isinstance(action, Scroll):
        assert found.direction == action.direction
    if name not in ON_ELEMENTS and isinstance(found, Click | LongClick | Scroll):
        assert isinstance(action, Click | LongClick | Scroll)
        assert max(abs(found.x - action.x), abs(found.y - action.y)) <= reach
