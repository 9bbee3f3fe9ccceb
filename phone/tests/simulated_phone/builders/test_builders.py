"""The shared builders of apps: what the apps themselves do not show."""

from __future__ import annotations

import pytest

from simulated_phone import AppPage, HandlerContext, PageView, State
from simulated_phone.builders import forms, records, tables
from simulated_phone.builders.goals import GoalBuilder, goal
from simulated_phone.screens.layouts.widgets import Text

GOALS = GoalBuilder("com.example.small", "小", lambda rng: {"draw": rng.random(), "liked": ["甲"]})
NAMES = [{"name": "甲"}, {"name": "乙"}]


@pytest.mark.parametrize("text", ["", "零", "0", "100", "²", "-5", "5.0"])
def test_only_whole_numbers_in_range_are_numbers(text: str) -> None:
    assert forms.read_number(text, 1, 99) is None
    assert forms.read_number(" 99 ", 1, 99) == 99


def test_the_latest_comes_first_and_once() -> None:
    assert records.latest("乙", ["甲", "乙", "丙"]) == ["乙", "甲", "丙"]
    assert records.latest("丁", ["甲", "乙", "丙"], 3) == ["丁", "甲", "乙"]


def test_a_saved_record_gets_the_next_number_and_a_dropped_one_leaves_it_unused() -> None:
    state: State = {"notes": [{"id": 1, "text": "甲"}], "next": 2}
    records.save(state, "notes", None, {"text": "乙"})
    records.save(state, "notes", 1, {"text": "丙"})
    records.drop(state, "notes", 2)
    records.save(state, "notes", None, {"text": "丁"})
    assert state == {"notes": [{"id": 1, "text": "丙"}, {"id": 3, "text": "丁"}], "next": 4}


def test_the_parts_of_a_goal_are_its_wordings_and_its_strategies() -> None:
    ways = (GOALS.way("list", "{name}"), GOALS.voice("喜欢{name}"))
    like = goal("like", "喜欢{name}", "给{name}点赞", *ways, **GOALS.added("liked", "name", NAMES))
    assert (like.name, like.words, like.strategies) == ("like", ("喜欢{name}", "给{name}点赞"), ways)
    with pytest.raises(ValueError, match="needs a rule or a question"):
        goal("like", "喜欢{name}", *ways, cases=lambda seed: NAMES)
    with pytest.raises(TypeError, match="several take a star"):
        goal("like", "喜欢{name}", ways, **GOALS.added("liked", "name", NAMES))  # type: ignore[arg-type]


def _shown_page(view: PageView) -> AppPage:
    return AppPage(title="页", body=[Text("甲")])


def _press(context: HandlerContext) -> None:
    context.state["pressed"] = True


def test_pages_and_handlers_are_named_after_their_functions() -> None:
    assert dict(tables.pages(_shown_page)) == {"shown": _shown_page}
    assert dict(tables.pages_of(__name__)) == {"shown": _shown_page}
    assert dict(tables.handlers(_press)) == {"press": _press}
