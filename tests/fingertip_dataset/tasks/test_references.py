from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from rapidfuzz import fuzz

from fingertip_dataset.episodes import Episode, Intent, Step, UserProfile
from fingertip_dataset.errors import ModelError, UsageError
from fingertip_dataset.tasks import references
from fingertip_dataset.tasks.references import (
    TIE,
    Reference,
    find_most_similar,
    find_other_type_references,
    find_references,
)
from tests.examples import examples

TYPES = {"1": 1, "2": 1, "30": 2, "74": 2, "99": None}
TEXTS = ["打开微信", "打开微信，发红包", "订闹钟", "查天气", "Open WeChat", "open  wechat", "听歌"]


def an_episode(user: str, day: int, text: str, actions: Sequence[str] = ("wait()",)) -> Episode:
    intent = Intent(user_id=user, time=f"202503{day:02}_080000", scenario="", app="", text=text)
    steps = tuple(Step(raw=raw, action=None, screenshot=None, tree=None) for raw in actions)
    return Episode(intent=intent, profile=UserProfile(), folder=Path(user), steps=steps)


EPISODES = st.dictionaries(
    st.tuples(st.sampled_from(list(TYPES)), st.integers(1, 28)), st.sampled_from(TEXTS), max_size=40
).map(lambda found: [an_episode(user, day, text) for (user, day), text in found.items()])


def letters(texts: Sequence[str]) -> NDArray[np.float32]:
    """A bag of characters: few distinct values, so that ties are common."""
    return np.array(
        [[text.count(c) for c in "打开微信红包闹钟天气OopenWechat听"] for text in texts], np.float32
    )


def cosine(a: str, b: str) -> float:
    x, y = letters([a, b]).astype(np.float64)
    return float(x @ y / max(np.linalg.norm(x) * np.linalg.norm(y), 1e-12))


def ratio(a: str, b: str) -> float:
    return fuzz.ratio(a, b) / 100


def slow_oracle(
    query: Intent, episodes: list[Episode], *, by_text: bool, skip: bool, other_type: bool
) -> Reference | None:
    similar = ratio if by_text else cosine
    best: Reference | None = None
    for episode in sorted(episodes, key=lambda one: (int(one.intent.user_id), one.intent.moment)):
        candidate = episode.intent
        if other_type:
            allowed = {TYPES[query.user_id], TYPES[candidate.user_id]} == {1, 2}
        else:
            allowed = candidate.user_id == query.user_id and candidate.moment < query.moment
        if skip and query.text.lower().split() == candidate.text.lower().split():
            allowed = False
        value = similar(query.text, candidate.text)
        if allowed and (best is None or value > best.similarity + TIE):
            best = Reference(episode_id=episode.episode_id, similarity=value)
    return best


def same(found: Reference | None, expected: Reference | None) -> bool:
    if found is None or expected is None:
        return found is expected
    return found.episode_id == expected.episode_id and abs(found.similarity - expected.similarity) < 2e-6


@settings(deadline=None, max_examples=examples(60))
@given(episodes=EPISODES, by_text=st.booleans(), skip=st.booleans())
def test_references_match_a_slow_search(episodes: list[Episode], by_text: bool, skip: bool) -> None:
    queries = [episode.intent for episode in episodes]
    encode = None if by_text else letters
    found = find_references(queries, episodes, TYPES, encode=encode, skip_same_task=skip)
    assert set(found) == {query.episode_id for query in queries}
    for query, other_type in product(queries, (False, True)):
        expected = slow_oracle(query, episodes, by_text=by_text, skip=skip, other_type=other_type)
        got = found[query.episode_id].other_type if other_type else found[query.episode_id].same_user
        assert same(got, expected), (query, got, expected)


def search_any_type(
    query: Intent, episodes: list[Episode], types: Mapping[str, object], *, by_text: bool
) -> Reference | None:
    """The other type's reference, by a search of one candidate after another."""
    similar = ratio if by_text else cosine
    best: Reference | None = None
    for episode in sorted(episodes, key=lambda one: (int(one.intent.user_id), one.intent.moment)):
        own, theirs = types[query.user_id], types[episode.intent.user_id]
        value = similar(query.text, episode.intent.text)
        if own is None or theirs is None or own == theirs:
            continue
        if best is None or value > best.similarity + TIE:
            best = Reference(episode_id=episode.episode_id, similarity=value)
    return best


@settings(deadline=None, max_examples=examples(60))
@given(
    episodes=EPISODES,
    by_text=st.booleans(),
    drawn=st.fixed_dictionaries(
        {user: st.none() | st.sampled_from(["female", "male", "other"]) for user in TYPES}
    ),
)
def test_any_definition_of_types_matches_a_slow_search(
    episodes: list[Episode], by_text: bool, drawn: dict[str, str | None]
) -> None:
    queries = [episode.intent for episode in episodes]
    definitions = {"two": TYPES, "drawn": drawn, "any": {user: user for user in TYPES}}
    encode = None if by_text else letters
    found = find_other_type_references(queries, queries, definitions, encode=encode)
    for name, types in definitions.items():
        for query in queries:
            expected = search_any_type(query, episodes, types, by_text=by_text)
            assert same(found[name].get(query.episode_id), expected), (name, query)
    own = find_references(queries, episodes, TYPES, encode=encode)
    assert found["two"] == {name: one.other_type for name, one in own.items() if one.other_type}


@settings(deadline=None, max_examples=examples(30))
@given(episodes=EPISODES)
def test_renamed_users_have_the_same_references(episodes: list[Episode]) -> None:
    """Under names of the same order: of equal similarities the first user's episode wins."""
    names = {user: str(1000 + int(user)) for user in TYPES}
    renamed = [replace(one.intent, user_id=names[one.intent.user_id]) for one in episodes]
    queries = [episode.intent for episode in episodes]
    found, again = (
        find_other_type_references(intents, intents, {"any": {user: user for user in users}})["any"]
        for intents, users in ((queries, TYPES), (renamed, names.values()))
    )
    ids = {one.episode_id: two.episode_id for one, two in zip(queries, renamed, strict=True)}
    assert again == {
        ids[query]: Reference(episode_id=ids[one.episode_id], similarity=one.similarity)
        for query, one in found.items()
    }


@settings(deadline=None, max_examples=examples(30))
@given(episodes=EPISODES, data=st.data())
def test_strict_references_come_from_the_training_part(episodes: list[Episode], data: st.DataObject) -> None:
    train = data.draw(st.sets(st.sampled_from([e.episode_id for e in episodes]))) if episodes else set()
    queries = [episode.intent for episode in episodes]
    strict = find_references(queries, episodes, TYPES, protocol="strict", train_ids=train)
    assert strict == find_references(queries, [e for e in episodes if e.episode_id in train], TYPES)


@settings(deadline=None, max_examples=examples(60))
@given(
    shape=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    block=st.integers(1, 4),
    data=st.data(),
)
def test_blocks_masks_and_ties(shape: tuple[int, int], block: int, data: st.DataObject) -> None:
    n, m = shape
    values = data.draw(
        st.lists(
            st.lists(st.sampled_from([-1.0, 0.0, 0.5, 0.5 + TIE / 4]), min_size=m, max_size=m),
            min_size=n,
            max_size=n,
        )
    )
    limits = data.draw(st.lists(st.integers(0, m), min_size=n, max_size=n))
    excluded = data.draw(st.lists(st.lists(st.integers(0, m - 1), max_size=3), min_size=n, max_size=n))
    matrix = np.array(values, dtype=np.float32)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(references, "BLOCK", block)
        best, similarity = find_most_similar(
            lambda rows, width: matrix[rows, :width].copy(), np.array(limits, dtype=np.intp), excluded
        )

    for row in range(n):
        left = [column for column in range(limits[row]) if column not in excluded[row]]
        if not left:
            assert best[row] == -1
            continue
        top = max(values[row][column] for column in left)
        assert best[row] == min(column for column in left if values[row][column] > top - TIE / 2)
        assert similarity[row] == matrix[row, best[row]]


def test_each_distinct_text_is_encoded_once() -> None:
    seen: list[str] = []

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        seen.extend(texts)
        return letters(texts)

    episodes = [an_episode(user, day, TEXTS[day % 3]) for user in TYPES for day in range(1, 20)]
    queries = [episode.intent for episode in episodes]
    find_references(queries, episodes, TYPES, encode=encode)
    assert sorted(seen) == sorted(TEXTS[:3])
    seen.clear()
    find_other_type_references(queries, queries, {"two": TYPES, "again": TYPES}, encode=encode)
    assert sorted(seen) == sorted(TEXTS[:3])


def test_an_episode_without_actions_is_no_reference() -> None:
    empty, screens, done = (
        an_episode("1", 1, "查天气", ()),
        an_episode("1", 2, "查天气", ("", "")),
        an_episode("1", 3, "听歌", ("", "finished()")),
    )
    query = an_episode("1", 9, "查天气")
    found = find_references([query.intent], [empty, screens, done], TYPES)[query.episode_id]
    assert found.same_user is not None
    assert found.same_user.episode_id == done.episode_id
    assert found.other_type is None


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (np.full((1, 3), np.nan), r"^expected a finite embedding, got NaN or infinity for '听歌'$"),
        (np.zeros((2, 3)), r"^expected embeddings of shape \(1, d\), got \(2, 3\)$"),
        (np.zeros(3), r"^expected embeddings of shape \(1, d\), got \(3,\)$"),
    ],
)
def test_invalid_embeddings_are_refused_in_one_line(vectors: NDArray[np.float32], message: str) -> None:
    query = an_episode("1", 5, "听歌")
    with pytest.raises(ModelError, match=message):
        find_references([query.intent], [query], TYPES, encode=lambda texts: vectors)


def test_a_zero_vector_is_similar_to_nothing() -> None:
    query, earlier = an_episode("1", 5, "a"), an_episode("1", 4, "b")
    found = find_references(
        [query.intent], [earlier], TYPES, encode=lambda texts: np.eye(2, dtype=np.float32)[:, :1]
    )
    reference = found[query.episode_id].same_user
    assert reference == Reference(episode_id=earlier.episode_id, similarity=0.0)


def test_strict_needs_the_training_part() -> None:
    with pytest.raises(UsageError, match="expected the episode ids of the training part"):
        find_references([], [], TYPES, protocol="strict")
