from __future__ import annotations

import random
from itertools import permutations
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingertip_dataset.errors import MetricInputError, UsageError
from fingertip_metrics import score_identification, sim2
from fingertip_metrics.identification import group_people

HOME, BACK, DONE = "press_home()", "press_back()", "finished()"
ACTIONS = st.lists(st.sampled_from([HOME, BACK, DONE, "wait()", "type(text='a')"]), min_size=1, max_size=5)


@st.composite
def sets_of_tasks(draw: st.DrawFn) -> dict[str, Any]:
    """Tasks of some people, several of one person among them, with any ways, intents and apps."""
    count = draw(st.integers(2, 12))

    def some(of: st.SearchStrategy[Any]) -> list[Any]:
        return draw(st.lists(of, min_size=count, max_size=count))

    return {
        "references": some(ACTIONS),
        "users": some(st.sampled_from("abcdefgh")),
        "intents": some(st.text("ab 天气", max_size=6)),
        "apps": some(st.sampled_from(["", "com.a", "com.b/.Main", "com.b"])),
        "size": draw(st.integers(2, 4)),
    }


def score_slowly(predictions: list[list[str]], tasks: dict[str, Any]) -> list[float | None]:
    """Identification of each task by its definition, with S_I from Sim_2 of the task with each person."""
    apps = [app.partition("/")[0] for app in tasks["apps"]]
    found: list[float | None] = [None] * len(predictions)
    for group in group_people(tasks["users"], tasks["intents"], apps, size=tasks["size"]):
        for at in group:
            near = {
                one: sim2([predictions[at]], [tasks["references"][one]], [[]]).per_item[0].s_i
                for one in group
            }
            nearest = [one for one in group if near[one] == max(near.values())]
            found[at] = 1 / len(nearest) if at in nearest else 0.0
    return found


@given(sets_of_tasks(), st.data())
def test_a_task_is_identified_as_the_definition_says(tasks: dict[str, Any], data: st.DataObject) -> None:
    predictions = [data.draw(ACTIONS | st.just([])) for _ in tasks["users"]]
    found = score_identification(predictions, **tasks)
    slowly = score_slowly(predictions, tasks)

    assert [item.identified for item in found.per_item] == slowly
    known = [value for value in slowly if value is not None]
    assert found.identification == (fmean(known) if known else None)
    assert found.n + found.left_out == len(predictions)
    assert found.n == found.groups * tasks["size"]


@given(sets_of_tasks(), ACTIONS | st.just([]))
def test_who_does_the_same_in_every_task_is_at_chance_exactly(tasks: dict[str, Any], same: list[str]) -> None:
    found = score_identification([same] * len(tasks["users"]), **tasks)
    assert found.identification is None or found.identification == pytest.approx(found.chance)


@given(sets_of_tasks())
def test_the_persons_own_way_is_identified_unless_another_has_the_same(tasks: dict[str, Any]) -> None:
    found = score_identification(tasks["references"], **tasks)
    for item, way in zip(found.per_item, tasks["references"], strict=True):
        if item.group is None:
            continue
        group = [tasks["references"][at] for at, one in enumerate(found.per_item) if one.group == item.group]
        # S_I in whole percents, and the separator behind the agent's last action, let near ways tie
        assert item.identified is not None
        if all(
            sim2([way], [other], [[]]).s_i < sim2([way], [way], [[]]).s_i for other in group if other != way
        ):
            assert item.identified == 1 / group.count(way)


@given(sets_of_tasks())
def test_groups_are_of_different_people_and_take_each_task_once(tasks: dict[str, Any]) -> None:
    groups = group_people(tasks["users"], tasks["intents"], tasks["apps"], size=tasks["size"])
    members = [at for group in groups for at in group]
    assert len(set(members)) == len(members)
    for group in groups:
        assert len({tasks["users"][at] for at in group}) == len(group) == tasks["size"]
    left = {tasks["users"][at] for at in range(len(tasks["users"])) if at not in members}
    assert len(left) < 2 * tasks["size"], "those left over begin no full group"


def test_people_of_one_language_then_of_one_app_are_compared_first() -> None:
    intents = ["weather today", "今天天气", "weather now", "现在天气", "play a song", "放一首歌"]
    apps = ["w", "w", "m", "m", "w", "w"]
    assert group_people(list("abcdef"), intents, apps, size=2) == ((0, 4), (1, 5), (2, 3))
    found = score_identification(
        [[HOME]] * 6, [[HOME]] * 6, users=list("abcdef"), intents=intents, apps=apps, size=2
    )
    assert (found.groups, found.same_app, found.left_out) == (3, 3, 0)


def test_the_order_of_the_tasks_changes_no_groups_of_different_intents() -> None:
    intents = [f"{word} {number}" for number, word in enumerate(["call", "call", "pay", "pay", "see", "see"])]
    users = list("abcdef")
    expected = {
        frozenset(users[at] for at in group) for group in group_people(users, intents, [""] * 6, size=2)
    }
    for order in list(permutations(range(6)))[::97]:
        mixed = group_people([users[at] for at in order], [intents[at] for at in order], [""] * 6, size=2)
        assert {frozenset(users[order[at]] for at in group) for group in mixed} == expected


def test_own_way_above_a_similar_one_above_anothers() -> None:
    rng = random.Random(1)  # noqa: S311 - ways of a test
    people = [[f"type(text='{rng.choice('abcdefgh')}')" for _ in range(8)] for _ in range(30)]
    near = [[*way[:2], *(f"type(text='{rng.choice('abcdefgh')}')" for _ in range(6))] for way in people]
    others = people[1:] + people[:1]
    tasks = {"users": [str(at) for at in range(30)], "intents": ["a"] * 30}

    def share(ways: list[list[str]]) -> float:
        return score_identification(ways, people, **tasks).identification or 0.0

    assert share(people) == 1.0
    assert 1.0 > share(near) > 0.5 > 1 / 3 > share(others)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"size": 1}, UsageError, "groups of 2 or more people, got 1"),
        ({"users": ["a"]}, MetricInputError, "users"),
        ({"intents": ["a", 5]}, MetricInputError, r"intents\[1\] to be a string, got int"),
        ({"references": [[HOME], []]}, MetricInputError, r"at least one action in references\[1\]"),
        ({"protocol": "papr"}, UsageError, "papr"),
        ({"similarity": "near"}, UsageError, "near"),
        ({"spelling": "mine"}, UsageError, "mine"),
    ],
)
def test_a_wrong_call_is_refused(change: dict[str, Any], error: type[Exception], words: str) -> None:
    call = {"references": [[HOME], [BACK]], "users": ["a", "b"], "intents": ["a", "b"], "size": 2} | change
    with pytest.raises(error, match=words):
        score_identification([[HOME], [BACK]], **call)
