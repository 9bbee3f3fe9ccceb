"""Assignment of tasks to raters: coverage, overlap, balance, and stability when a rater joins."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.errors import UsageError
from suggestion_runner.human.dealing import Dealing
from tests.examples import examples

tasks = st.integers(1, 40).map(lambda count: [f"task {number}" for number in range(count)])
names = st.lists(st.text("王芳ab", min_size=1, max_size=3), min_size=1, max_size=6, unique=True)
shares = st.floats(0, 1)
seeds = st.integers(0, 3)


def dealt(ids: list[str], raters: list[str], overlap: float, seed: int) -> Dealing:
    dealing = Dealing(ids, overlap=overlap, seed=seed)
    for rater in raters:
        dealing.join(rater)
    return dealing


@given(tasks, names, shares, seeds)
def test_all_tasks_are_assigned_evenly_with_the_overlap(
    ids: list[str], raters: list[str], overlap: float, seed: int
) -> None:
    dealing = dealt(ids, raters, overlap, seed)
    places = [dealing.dealt(task) for task in ids]
    assert all(places)
    assert all(len(set(place)) == len(place) for place in places), "two places are of two raters"
    twice = sum(len(place) == 2 for place in places)
    assert abs(twice - overlap * len(ids)) <= 0.5 if len(raters) > 1 else twice == 0
    loads = [dealing.load(rater) for rater in raters]
    assert sum(loads) == len(ids) + twice
    assert max(loads) - min(loads) <= 1


@given(tasks, names, shares, seeds)
def test_a_newcomer_only_takes_places(ids: list[str], raters: list[str], overlap: float, seed: int) -> None:
    dealing = dealt(ids, raters, overlap, seed)
    before = {rater: dealing.own(rater) for rater in raters}
    dealing.join("newcomer")
    after = {rater: dealing.own(rater) for rater in raters}
    for rater in raters:
        assert after[rater] == tuple(task for task in before[rater] if task in after[rater])
    dealing.join("newcomer")
    assert {rater: dealing.own(rater) for rater in raters} == after, "who comes again takes nothing more"


@given(tasks, names, shares, seeds, st.data())
@settings(max_examples=examples(60))
def test_every_place_is_answered_in_any_sequence_of_raters(
    ids: list[str], raters: list[str], overlap: float, seed: int, data: st.DataObject
) -> None:
    dealing = Dealing(ids, overlap=overlap, seed=seed)
    given_answers: dict[str, list[str]] = {task: [] for task in ids}
    for rater in raters:  # each rater joins while the one before has open tasks, and leaves for good
        dealing.join(rater)
        for _ in range(data.draw(st.integers(0, 5))):
            for task in dealing.own(rater)[:1]:
                dealing.answer(task, rater)
                given_answers[task].append(rater)
    for rater in raters[-2:]:
        while open_tasks := dealing.own(rater) or dealing.others(rater):
            assert rater not in given_answers[open_tasks[0]], "nobody is asked twice"
            dealing.answer(open_tasks[0], rater)
            given_answers[open_tasks[0]].append(rater)
    assert all(given_answers.values())
    assert all(set(dealing.dealt(task)) >= set(answers) for task, answers in given_answers.items())
    if len(raters) > 1:
        assert dealing.complete
        assert dealing.open_places == 0


@given(tasks, names, shares, seeds)
def test_the_same_names_and_seed_assign_the_same(
    ids: list[str], raters: list[str], overlap: float, seed: int
) -> None:
    one, other = dealt(ids, raters, overlap, seed), dealt(ids[::-1], raters, overlap, seed)
    assert [one.own(rater) for rater in raters] == [other.own(rater) for rater in raters]


def test_an_answer_to_a_task_of_others_takes_an_open_place() -> None:
    dealing = dealt(["x"], ["A", "B"], 0, 0)
    (owner,) = dealing.dealt("x")
    other = {"A": "B", "B": "A"}[owner]
    assert (dealing.own(other), dealing.others(other)) == ((), ("x",))
    dealing.answer("x", other)
    assert dealing.dealt("x") == (other,)
    dealing.answer("x", owner)
    assert dealing.dealt("x") == (other,), "an answer too many takes no place"
    assert dealing.complete


def test_one_rater_leaves_the_second_places_open() -> None:
    dealing = dealt(["x", "y"], ["A"], 1, 0)
    for task in dealing.own("A"):
        dealing.answer(task, "A")
    assert (dealing.own("A"), dealing.others("A"), dealing.open_places) == ((), (), 2)
    dealing.join("B")
    assert sorted(dealing.own("B")) == ["x", "y"]


@pytest.mark.parametrize("overlap", [-0.1, 1.1, float("nan")])
def test_an_overlap_outside_0_to_1_is_refused(overlap: float) -> None:
    with pytest.raises(UsageError, match="0 to 1"):
        Dealing(["x"], overlap=overlap, seed=0)
