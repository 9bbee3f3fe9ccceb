"""The check of leaks finds a planted one, and none in the looks of drawn people."""

from __future__ import annotations

import random
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fingertip_dataset.tasks.moments import MomentOdds
from fingertip_studies.moments.ceiling_check import find_right_decisions, list_levels
from fingertip_studies.moments.leak_check import (
    EVIDENCE,
    Evidence,
    Features,
    Row,
    check_leak,
    describe_order,
    describe_screens,
    describe_trees,
    find_auc,
)
from simulated_phone.apps import list_apps
from simulated_phone.people.looks import draw_looks
from simulated_phone.people.person import make_person

PEOPLE = 10


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    apps, found = [app for app in list_apps("zh") if app.goals], []
    for number in range(PEOPLE):
        person = make_person(number, 20)
        for look in draw_looks(person, apps, 60):
            found.append(
                {"user_id": person.user_id, "time": look.moment, "scenario": look.place, "kind": look.kind}
            )
    return found


@pytest.mark.install
def test_time_date_and_place_tell_nothing_and_a_planted_hint_does(rows: list[dict[str, Any]]) -> None:
    pytest.importorskip("sklearn")

    def leave_hints(rows: Sequence[Row]) -> list[Features]:
        draws = [random.Random(str(row["time"])).random() for row in rows]  # noqa: S311 - no secret
        return [
            {"hint": draw + 0.3 * (row["kind"] == "intent")} for draw, row in zip(draws, rows, strict=True)
        ]

    time = check_leak(EVIDENCE[0], rows)
    hint = check_leak(Evidence(name="hint", columns=("time",), describe=leave_hints), rows)
    assert (time.people, time.moments) == (PEOPLE // 2, PEOPLE // 2 * 120)
    assert time.low <= 0.5 <= time.high
    assert hint.low > 0.6


def test_what_differs_between_a_persons_trees_is_seen_and_nothing_else() -> None:
    tree = '<node text="{}" hint="Clock"/><node text="Battery {}%"/>'
    rows = [{"accessibility_trees": [tree.format(*own)]} for own in (("8:05", 70), ("9:10", 7))]
    first, second = describe_trees(rows)
    assert first == {
        "length": len(rows[0]["accessibility_trees"][0]),
        "values": 3,
        "words 0": "#:#",
        "number 0 0": 8.0,
        "number 0 1": 5.0,
        "words 2": "Battery #%",
        "number 2 0": 70.0,
    }
    assert second["number 2 0"] == 7.0
    assert describe_trees(rows[:1]) == [{"length": len(rows[0]["accessibility_trees"][0]), "values": 3}]


def test_the_small_screen_has_its_brightness() -> None:
    stream = BytesIO()
    picture = Image.new("RGB", (360, 800), "white")
    picture.paste("black", (0, 0, 360, 400))
    picture.save(stream, "JPEG")
    (found,) = describe_screens([{"screenshots": [{"bytes": stream.getvalue(), "path": "a.jpg"}]}])
    assert (found["bytes"], found["name"]) == (len(stream.getvalue()), 5)
    assert (found["pixel 0"], found["pixel 179"]) == (0.0, 255.0)


def test_rows_are_numbered_within_a_split() -> None:
    assert describe_order([{}, {}, {}, {}])[3] == {"place": 0.75, "even": 1}


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30))
def test_the_area_is_the_share_of_pairs_in_order(moments: list[tuple[int, bool]]) -> None:
    wanted = [score for score, own in moments if own]
    others = [score for score, own in moments if not own]
    if not wanted or not others:
        return
    pairs = [(one > other) + (one == other) / 2 for one in wanted for other in others]
    scores, own = (np.array(column) for column in zip(*moments, strict=True))
    assert find_auc(scores.astype(float), own) == pytest.approx(sum(pairs) / len(pairs))


def test_levels_state_the_mean_probability_and_the_share_of_intents() -> None:
    odds = {
        name: MomentOdds(wanted=share, right=1) for name, share in {"a": 0.1, "b": 0.15, "c": 1.0}.items()
    }
    low, high = list_levels(odds, {"a": "glance", "b": "intent", "c": "intent"})
    assert (low.low, low.moments, low.wanted) == (0.1, 2, 0.5)
    assert low.stated == pytest.approx(0.125)
    assert (high.low, high.moments, high.stated, high.wanted) == (0.9, 1, 1.0, 1.0)
    assert find_right_decisions(odds, {"a": "glance", "b": "glance", "c": "busy"}) == pytest.approx(2 / 3)
