from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import DatasetError, UsageError
from fingertip_dataset.split_names import TESTS
from fingertip_dataset.tasks.out_of_domain import (
    KEPT,
    VALUES,
    HeldOutCounts,
    OutOfDomain,
    out_of_domain,
    package,
)
from fingertip_dataset.tasks.splits import split_by_rule
from tests.examples import examples
from tests.vectors import read_vectors

VECTORS = read_vectors(__file__)


APPS = ["com.a", "com.a/Main", "com.b", "com.c", "com.d", " "]
CATEGORIES = ["音乐", "闹钟/计时", "购物", None]


@st.composite
def releases(draw: st.DrawFn) -> list[Intent]:
    users = draw(st.integers(0, 8))
    intents = []
    for user in range(1, users + 1):
        for day in range(1, draw(st.integers(1, 20)) + 1):
            app, category = draw(st.sampled_from(APPS)), draw(st.sampled_from(CATEGORIES))
            intents.append(
                Intent(
                    user_id=str(user),
                    time=f"202501{day:02}_000000",
                    scenario="",
                    app=app,
                    text="",
                    category=category,
                )
            )
    return intents


COUNTS = st.builds(
    HeldOutCounts, users=st.integers(0, 4), apps=st.integers(0, 4), categories=st.integers(0, 4)
)


def values_of(name: str, intents: list[Intent], ids: set[str]) -> set[str | None]:
    return {VALUES[name](intent) for intent in intents if intent.episode_id in ids}


@settings(deadline=None)
@given(intents=releases(), seed=st.integers(0, 20), counts=COUNTS)
def test_subsets_have_only_held_out_values_and_the_training_set_has_none(
    intents: list[Intent], seed: int, counts: HeldOutCounts
) -> None:
    plan = split_by_rule(intents)
    found = out_of_domain(intents, plan, seed=seed, counts=counts)
    by_id = {intent.episode_id: intent for intent in intents}
    train, tests = plan.episode_ids["train"], [plan.episode_ids[part] for part in TESTS]
    assert list(found.subsets) == ["unseen_users", "unseen_apps", "unseen_intent_categories"]
    for name, subset in found.subsets.items():
        held_out = set(subset.held_out)
        tested = values_of(name, intents, {*tests[0], *tests[1]}) - {None}
        known = values_of(name, intents, {*tests[0], *tests[1], *train}) - {None}
        assert held_out <= tested
        assert len(held_out) <= min(subset.wanted, max(len(known) - 1, 0))
        assert subset.wanted == counts.by_subset()[name]
        for part, ids in zip(TESTS, tests, strict=True):
            expected = [one for one in ids if VALUES[name](by_id[one]) in held_out]
            assert list(found.episodes(name, part)) == expected

    def unseen(episode_id: str) -> bool:
        return any(
            subset.held_out and VALUES[name](by_id[episode_id]) in {*subset.held_out, None}
            for name, subset in found.subsets.items()
        )

    assert list(found.train) == [one for one in train if not unseen(one)]
    assert {intent.episode_id for intent in intents if found.unseen(intent)} == set(filter(unseen, by_id))
    assert len(found.train) >= KEPT * len(train)
    assert found.train_episodes == len(train)


@settings(deadline=None)
@given(intents=releases(), seed=st.integers(0, 20))
def test_it_is_written_and_read_again(
    intents: list[Intent], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = out_of_domain(intents, split_by_rule(intents), seed=seed)
    file = tmp_path_factory.mktemp("subsets") / "subsets.json"
    file.write_text(found.model_dump_json(), encoding="utf-8")
    assert OutOfDomain.read(file) == found


@settings(deadline=None, max_examples=examples(30))
@given(intents=releases(), shuffle=st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(intents: list[Intent], shuffle: random.Random) -> None:
    mixed = list(intents)
    shuffle.shuffle(mixed)
    plan = split_by_rule(intents)
    assert out_of_domain(mixed, plan) == out_of_domain(intents, plan)


def month(users: int, apps: int, categories: int) -> list[Intent]:
    """30 days of each user, whose apps and categories go round."""
    return [
        Intent(
            user_id=str(user),
            time=f"202501{day:02}_000000",
            scenario="",
            app=f"com.app{(user + 7 * day) % apps}",
            text="",
            category=f"类{(user + 3 * day) % categories}",
        )
        for user in range(1, users + 1)
        for day in range(1, 31)
    ]


@pytest.mark.parametrize("seed", range(5))
def test_enough_data_hold_out_the_papers_numbers(seed: int) -> None:
    intents = month(users=60, apps=100, categories=40)
    found = out_of_domain(intents, split_by_rule(intents), seed=seed)
    assert [len(subset.held_out) for subset in found.subsets.values()] == [3, 7, 4]
    assert all(subset.test_suggestion and subset.test_execution for subset in found.subsets.values())
    assert 0.7 < len(found.train) / found.train_episodes < 0.9


@pytest.mark.parametrize("seed", range(5))
def test_small_data_keep_half_of_training_and_kinds_alternate(seed: int) -> None:
    intents = month(users=8, apps=12, categories=9)
    found = out_of_domain(intents, split_by_rule(intents), seed=seed)
    assert all(subset.test_suggestion for subset in found.subsets.values())
    assert KEPT <= len(found.train) / found.train_episodes < 1
    assert "more would leave less than 50 % of the training" in found.subsets["unseen_apps"].note


def test_another_seed_is_another_draw() -> None:
    intents = month(users=60, apps=100, categories=40)
    plan = split_by_rule(intents)
    draws = {out_of_domain(intents, plan, seed=seed).subsets["unseen_users"].held_out for seed in range(5)}
    assert len(draws) > 1


def some_days(user: str, app: str, category: str | None) -> list[Intent]:
    return [
        Intent(user_id=user, time=f"202501{day:02}_000000", scenario="", app=app, text="", category=category)
        for day in range(1, 11)
    ]


def test_data_without_categories_have_an_empty_subset_that_says_so() -> None:
    intents = some_days("1", "com.a", None) + some_days("2", "com.b", None)
    subset = out_of_domain(intents, split_by_rule(intents)).subsets["unseen_intent_categories"]
    assert (subset.held_out, subset.test_suggestion, subset.test_execution) == ((), (), ())
    assert subset.note == "nothing held out: no value is known for any test task"


def test_the_last_value_is_never_held_out() -> None:
    intents = some_days("1", "com.a", "音乐")
    found = out_of_domain(intents, split_by_rule(intents))
    assert {subset.note for subset in found.subsets.values()} == {
        "nothing held out: the data have a single value"
    }
    assert len(found.train) == found.train_episodes


def test_an_activity_belongs_to_its_package() -> None:
    assert {package(app) for app in ("com.a", "com.a/", "com.a/.Main", " com.a ")} == {"com.a"}


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^expected 0 or more unseen apps, got -1"):
        HeldOutCounts(apps=-1)


@pytest.mark.parametrize(("content", "words"), VECTORS["another_format_is_refused_in_words"])
def test_another_format_is_refused_in_words(content: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "subsets.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(DatasetError, match=words):
        OutOfDomain.read(file)
