"""Users grouped by behaviour: planted habits are told apart, and neither names nor order matter."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.actions import list_action_fields, parse_action
from fingertip_dataset.errors import ActionSyntaxError, UsageError
from fingertip_dataset.tasks.behaviour import (
    EpisodeActions,
    UserActions,
    cluster_users,
    read_user_episodes,
)
from tests.examples import examples

TAP, SCROLL, DONE = (
    "click(coordinates=(3, 4), content='开始')",
    "scroll(coordinates=(3, 4), direction='up')",
    "finished()",
)
KINDS = ("click", "long_click", "scroll", "type", "press_back", "press_home", "press_recent", "wait")

EPISODES = st.lists(
    st.builds(
        EpisodeActions,
        app=st.sampled_from("abc"),
        kinds=st.dictionaries(st.sampled_from(KINDS), st.integers(1, 9), max_size=4),
        typed=st.integers(0, 60),
    ),
    min_size=1,
    max_size=5,
)


def make_row(user: str, app: str, actions: Sequence[str]) -> dict[str, Any]:
    fields = []
    for raw in actions:
        try:
            fields.append(list_action_fields(parse_action(raw), raw))
        except ActionSyntaxError:
            fields.append(list_action_fields(None, raw))
    return {"user_id": user, "app": app, "actions": fields}


def groups_of(types: Mapping[str, int]) -> set[frozenset[str]]:
    return {frozenset(user for user in types if types[user] == kind) for kind in types.values()}


def test_actions_are_counted_for_each_user() -> None:
    rows = [
        make_row("1", "a", [TAP, TAP, "type(text='稻香')", SCROLL, DONE]),
        make_row("1", "b", ["press_back()", DONE]),
        make_row("1", "a", [DONE]),
        make_row("2", "a", ["tap here", DONE]),
        make_row("3", "a", []),
    ]
    found = {user: UserActions.of(episodes) for user, episodes in read_user_episodes(rows).items()}
    assert set(found) == {"1", "2"}
    one = found["1"]
    assert one.kinds == {"click": 2, "type": 1, "scroll": 1, "press_back": 1}
    assert (one.actions, one.episodes, one.typed, one.apps) == (5, 3, 2, {"a": 2, "b": 1})
    assert one.compute_share("click") == 2 / 5
    assert one.typing == 1 / 3
    # of the pairs aa, ab, ab two are in different apps
    assert one.breadth == pytest.approx(2 / 3)
    # a line that is no action says nothing, and one episode has no breadth
    assert (found["2"].actions, found["2"].breadth != found["2"].breadth) == (0, True)


def draw_habits(draw: random.Random, user: str, *, types_text: bool) -> Iterable[dict[str, Any]]:
    """Episodes of a person who types and goes home, or one who taps, scrolls and goes back."""
    for _ in range(4):
        actions = [TAP] * draw.randint(1, 3)
        if types_text:
            actions += ["type(text='今天天气')"] * draw.randint(1, 2) + ["press_home()"] * draw.randint(0, 1)
        else:
            actions += [SCROLL] * draw.randint(1, 3) + ["press_back()"] * draw.randint(1, 2)
        yield make_row(user, draw.choice("abc"), [*draw.sample(actions, len(actions)), DONE])


@pytest.mark.parametrize("seed", range(3))
def test_planted_habits_are_separated(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - people of a test
    kinds = {str(user): draw.random() < 0.4 for user in range(12)} | {"12": True, "13": False}
    rows = [row for user, typing in kinds.items() for row in draw_habits(draw, user, types_text=typing)]
    found = cluster_users(read_user_episodes(rows))
    assert groups_of(found.types) == {
        frozenset(user for user in kinds if kinds[user] == typing) for typing in (True, False)
    }
    assert found.silhouette is not None
    assert found.silhouette > 0.3
    typists = found.types["12"]
    assert len(found.marks) == 3
    for mark in found.marks:
        # typing and the home key are the typists', scrolls and the back key the others'
        theirs = mark.startswith(("typing", "characters", "home"))
        assert (f"(most: type {typists})" in mark) == theirs, mark


@settings(deadline=None, max_examples=examples(40))
@given(people=st.lists(EPISODES, min_size=1, max_size=9), clusters=st.integers(2, 4), data=st.data())
def test_neither_names_nor_order_of_users_matter(
    people: list[list[EpisodeActions]], clusters: int, data: st.DataObject
) -> None:
    users = {f"user{place}": episodes for place, episodes in enumerate(people)}
    found = cluster_users(users, clusters=clusters)
    order = data.draw(st.permutations(list(users)))
    names = dict(zip(order, data.draw(st.permutations(list(users))), strict=True))
    again = cluster_users({names[user]: users[user] for user in order}, clusters=clusters)
    assert again.marks == found.marks
    assert again.silhouette == found.silhouette
    # of equal users either may stand first, but they are always in one cluster
    assert {names[user]: found.types[user] for user in users} == dict(again.types)
    assert set(found.types.values()) in ({1}, set(range(1, clusters + 1)))


def test_users_who_cannot_be_told_apart_stay_in_one_cluster() -> None:
    alike = [EpisodeActions(app="a", kinds={"click": 2}, typed=0)]
    found = cluster_users({"1": alike, "2": alike, "3": alike})
    assert (dict(found.types), found.silhouette, found.marks) == ({"1": 1, "2": 1, "3": 1}, None, ())
    assert cluster_users({}).types == {}


@pytest.mark.parametrize("seed", range(3))
def test_what_differs_from_episode_to_episode_hides_no_habit(seed: int) -> None:
    """Texts and lengths by chance, far more various than the one habit: the key after every episode."""
    draw = random.Random(seed)  # noqa: S311 - people of a test
    users = {
        f"{key} {number}": [
            EpisodeActions(
                app=draw.choice("abcdefgh"),
                kinds={
                    "click": draw.randint(3, 9),
                    "type": draw.randint(0, 3),
                    "scroll": draw.randint(0, 4),
                    "wait": draw.randint(0, 2),
                    key: 1,
                },
                typed=draw.randint(0, 90),
            )
            for _ in range(16)
        ]
        for key in ("press_back", "press_home")
        for number in range(8)
    }
    found = cluster_users(users)
    assert groups_of(found.types) == {
        frozenset(user for user in users if user.startswith(key)) for key in ("press_back", "press_home")
    }
    assert sorted(mark.partition(" (")[0] for mark in found.marks[:2]) == ["back key", "home key"]


def test_fewer_than_two_clusters_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^expected two clusters of behaviour or more, got 1$"):
        cluster_users({}, clusters=1)
