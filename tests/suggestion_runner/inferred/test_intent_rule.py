"""Intents by rule: app, last typed text, last labels, in the language of the screens."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suggestion_runner.inferred.intent_rule import rule_intent

HOME = '<hierarchy><node package="com.android.launcher3" text="x" bounds="[0,0][9,9]"/></hierarchy>'
CLOCK = '<hierarchy><node package="com.a.clock" text="x" bounds="[0,0][9,9]"/></hierarchy>'


def row(*actions: dict[str, Any], trees: tuple[str | None, ...] = (), app: str = "com.a.clock/.Main") -> Any:  # noqa: ANN401
    blank = {"type": None, "x": None, "y": None, "direction": None, "text": None, "content": None}
    return {
        "app": app,
        "actions": [blank | action for action in actions],
        "accessibility_trees": [*trees, *(None for _ in actions[len(trees) :])],
    }


def tap(label: str) -> dict[str, Any]:
    return {"type": "click", "content": label}


@pytest.mark.parametrize(
    ("given_row", "intent"),
    [
        pytest.param(row(tap("时钟"), tap("新建"), trees=(HOME, CLOCK)), "时钟，新建", id="the icon's label"),
        pytest.param(row(tap("新建")), "clock，新建", id="no icon: the package"),
        pytest.param(
            row(tap("Clock"), {"type": "type", "text": "7 am"}, tap("Save"), trees=(HOME, CLOCK)),
            "Clock, 7 am, Save",
            id="English",
        ),
        pytest.param(row(tap("a"), tap("b"), tap("c"), tap("b")), "clock, c, b", id="the last two labels"),
        pytest.param(
            row({"type": "type", "text": "x"}, {"type": "type", "text": "y"}), "clock, y", id="the last text"
        ),
        pytest.param(row({"type": "press_back"}, {"type": "finished"}), "", id="nothing to summarise"),
        pytest.param(row(tap("a"), trees=("no tree",)), "clock, a", id="a broken tree"),
    ],
)
def test_an_episode_is_summarised(given_row: Any, intent: str) -> None:  # noqa: ANN401
    assert rule_intent(given_row) == intent


@given(st.lists(st.one_of(st.text().map(tap), st.text().map(lambda text: {"type": "type", "text": text}))))
def test_any_texts_make_one_line(actions: list[dict[str, Any]]) -> None:
    intent = rule_intent(row(*actions))
    assert intent == " ".join(intent.split())
    assert "\n" not in intent
