from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingertip_dataset.episodes import Intent
from fingertip_dataset.errors import UsageError
from fingertip_dataset.tasks.history import History, list_allowed_intents, release_order


def an_intent(user: str, day: int, text: str = "") -> Intent:
    return Intent(
        user_id=user, time=f"2025{day // 28 + 1:02}{day % 28 + 1:02}_120000", scenario="", app="", text=text
    )


KNOWN = st.lists(
    st.tuples(st.sampled_from(["1", "9", "10"]), st.integers(0, 60)), unique=True, max_size=40
).map(lambda pairs: [an_intent(user, day) for user, day in pairs])


def slow_oracle(known: list[Intent], query: Intent, limit: int | None) -> tuple[Intent, ...]:
    earlier = [one for one in known if one.user_id == query.user_id and one.moment < query.moment]
    while limit is not None and len(earlier) > limit:
        earlier.remove(min(earlier, key=lambda one: one.moment))
    return tuple(sorted(earlier, key=lambda one: one.moment))


@settings(deadline=None)
@given(
    known=KNOWN,
    user=st.sampled_from(["1", "9", "10", "unknown"]),
    day=st.integers(0, 60),
    limit=st.none() | st.integers(0, 45),
)
def test_online_history_matches_a_slow_search(
    known: list[Intent], user: str, day: int, limit: int | None
) -> None:
    query = an_intent(user, day)
    assert History(known).before(query, limit) == slow_oracle(known, query, limit)


@settings(deadline=None)
@given(known=KNOWN, user=st.sampled_from(["1", "9", "10"]), day=st.integers(0, 60), data=st.data())
def test_strict_history_matches_a_slow_search_in_the_training_part(
    known: list[Intent], user: str, day: int, data: st.DataObject
) -> None:
    train = data.draw(st.sets(st.sampled_from(known))) if known else set()
    history = History(known, protocol="strict", train_ids={one.episode_id for one in train})
    query = an_intent(user, day)
    assert history.before(query) == slow_oracle([one for one in known if one in train], query, 20)


def test_users_sort_by_number_then_by_name() -> None:
    users = ["10", "2", "guest", "100", "alice", "1"]
    ordered = sorted((an_intent(user, 1) for user in users), key=release_order)
    assert [one.user_id for one in ordered] == ["1", "2", "10", "100", "alice", "guest"]


def test_wrong_calls_are_refused_in_one_line() -> None:
    with pytest.raises(
        UsageError, match=r"^expected the episode ids of the training part for protocol strict"
    ):
        History([], protocol="strict")
    with pytest.raises(UsageError, match=r"^expected protocol online or strict, got 'offline'$"):
        list_allowed_intents([], "offline", None)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^expected a history limit of 0 or more, got -1$"):
        History([]).before(an_intent("1", 1), -1)
