"""What is no step on the way to an app; the steps that are stand in vectors/."""

from __future__ import annotations

import pytest

from fingertip_agents.formats.open_app import is_way_to
from fingertip_dataset.actions import Action, Click, PressBack, Type


@pytest.mark.parametrize(
    "action", [Click(x=1, y=2), Click(x=1, y=2, content="支付"), PressBack(), Type(text="音乐")]
)
def test_another_action_is_no_way_to_an_app(action: Action) -> None:
    assert not is_way_to("音乐", action)
